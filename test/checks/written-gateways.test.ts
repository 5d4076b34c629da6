import { AwsLoadBalancerController } from '../../src';
import { checkedText, foundIn } from '../support/checked';
import { casesIn, titled } from '../support/yaml-cases';
import { fileOf, type Row } from './pieces';

const { pieces, rows, fields } = casesIn(__dirname, 'written-gateways.yaml');

const IDS =
  /^\S+ \d+ (binding-target-group-shared|route-without-node-ports|nlb-passthrough-certificate|nlb-passthrough-target-group|target-group-without-node-ports|target-group-configuration-unused|nlb-configuration-unused|binding-without-node-ports)$/;

const contextOf = (version?: string) =>
  version === undefined ? {} : { controllers: [AwsLoadBalancerController._installedNlb({}, version)] };

test.each(titled<Row>(rows))('%s', (_, { of, found, version }) => {
  expect(foundIn(fileOf(pieces, of), contextOf(version)).filter((one) => IDS.test(one))).toEqual(found);
});

test.each(titled<Row>(fields))('%s', (_, { of, found, version }) => {
  const all = foundIn(fileOf(pieces, of), contextOf(version));
  expect(all.filter((one) => !/-unused$|unserved$|-networking$/.test(one))).toEqual(found);
});

test.each([
  ['v1', '3.4.0', 'LoadBalancerConfiguration', ['error 1 aws-gateway-api-version']],
  ['v1', '3.4.0', 'TargetGroupConfiguration', ['error 1 aws-gateway-api-version']],
  ['v1', '3.4.0', 'ListenerRuleConfiguration', ['error 1 aws-gateway-api-version']],
  ['v1', '3.5.0', 'LoadBalancerConfiguration', []],
  ['v1beta1', '3.4.0', 'LoadBalancerConfiguration', []],
])('gateway.k8s.aws/%s under version %s, %s', (api, version, kind, found) => {
  const yaml = `apiVersion: gateway.k8s.aws/${api}\nkind: ${kind}\nmetadata: {name: a, namespace: shop}\nspec: {}\n`;
  expect(foundIn(yaml, contextOf(version)).filter((line) => line.endsWith('aws-gateway-api-version'))).toEqual(found);
});

test('a port that a listener has wrong is reported once, at the listener', () => {
  const controller = 'gateway.envoyproxy.io/gatewayclass-controller';
  const tls = '{mode: Terminate, certificateRefs: [{name: db}]}';
  const wrong = fileOf(pieces, [{ class: { controller } }, { gateway: { tls, port: '70000' } }]);
  expect(foundIn(wrong).filter((line) => line.startsWith('error'))).toEqual(['error 11 gateway-listener-port']);
  const kafka = `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: my, namespace: k}
spec: {kafka: {listeners: [{name: external, port: 90940, type: loadbalancer, tls: true}]}}
`;
  expect(foundIn(kafka).filter((line) => line.startsWith('error'))).toEqual(['error 4 listener-port-range']);
});

test('notes of one text are one note, with the first place and a count', () => {
  const gateways = ['edge', 'edge-1', 'edge-2'].map((name) => ({ gateway: { name } }));
  expect(checkedText(fileOf(pieces, gateways)).notes).toEqual([
    expect.stringMatching(/:1: Gateway shop\/edge and 2 more: its class 'nlb' is not among these files/),
  ]);
});

test('what rests on an inferred version is a warning', () => {
  const targets = fileOf(pieces, [{ targets: { properties: 'healthCheckConfig: {healthCheckProtocol: TCP}' } }]);
  expect(foundIn(targets, { ...contextOf('2.14.1'), areControllersInferred: true })).toEqual([
    'warning 6 target-group-health-check-protocol',
  ]);
});
