import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../support/command';

const GATEWAY = `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: eg }
spec: { controllerName: gateway.envoyproxy.io/gatewayclass-controller }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: edge }
spec:
  gatewayClassName: eg
  listeners: [{ name: tls, port: 443, protocol: TCP }]
`;
const OF_GATEWAY = `{ gateway.envoyproxy.io/owning-gateway-name: web, gateway.envoyproxy.io/owning-gateway-namespace: edge }`;
const OF_CLASS = '{ gateway.envoyproxy.io/owning-gatewayclass: eg }';
const OF_ANOTHER = OF_GATEWAY.replace('name: web', 'name: other');
const MADE = 'envoy-edge-web-*';
const LIVE = 'envoy-edge-web-3d45476e';

const live = (name: string, labels = '{}', namespace = 'envoy-gateway-system') => `---
apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: ${namespace}, uid: a-b-c, labels: ${labels} }
spec:
  type: LoadBalancer
  selector: { app: x }
  ports: [{ port: 443, nodePort: 30443 }]
`;

const KAFKA = `apiVersion: kafka.strimzi.io/v1beta2
kind: Kafka
metadata: { name: events, namespace: kafka }
spec:
  kafka:
    replicas: 2
    listeners: [{ name: external, port: 9094, type: loadbalancer, tls: true }]
`;

function fileOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'live-')), 'dump.yaml');
  writeFileSync(file, text);
  return file;
}

/** The Services that are explained of a Gateway or a Kafka. */
function explained(word: string, text: string): string[] {
  const { out } = run('explain', '--format', 'json', word, fileOf(text));
  return JSON.parse(out).flatMap(({ services }: { services: { name: string }[] }) => services.map(({ name }) => name));
}

function listed(text: string): string[] {
  return JSON.parse(run('list', '--format', 'json', fileOf(text)).out).map(({ name }: { name: string }) => name);
}

function reported(text: string): string[] {
  const { out } = run('report', '--format', 'json', fileOf(text));
  return JSON.parse(out).balancers.map(({ name }: { name: string }) => name);
}

const EACH = [
  ['explain', (text: string) => explained('edge/web', text)],
  ['list', listed],
  ['report', reported],
] as const;

describe.each(EACH)('%s has the Service of a Gateway once', (command, names) => {
  test.each<[string, string, string[]]>([
    ['as it will be made', GATEWAY, [MADE]],
    ['as the cluster has it', `${GATEWAY}${live(LIVE, OF_GATEWAY)}`, [LIVE]],
    ['where Gateways are merged', `${GATEWAY}${live('envoy-eg-1', OF_CLASS)}`, ['envoy-eg-1']],
  ])('%s', (_, text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  test('and takes no other one for it', () => {
    const text = `${GATEWAY}${live(LIVE)}${live('other', OF_ANOTHER)}`;
    expect(names(text)).toEqual(command === 'explain' ? [MADE] : expect.arrayContaining([MADE, LIVE, 'other']));
  });
});

test('a Gateway without a class has no Service of others', () => {
  const text = `${GATEWAY.replace('  gatewayClassName: eg\n', '')}${live('other')}`;
  expect(listed(text)).toEqual(['other']);
});

test('the name of a Service that is generated can be explained', () => {
  const { out, code } = run('explain', `envoy-gateway-system/${MADE}`, fileOf(GATEWAY));
  expect([out.split('\n')[0], code]).toEqual([
    expect.stringMatching(/^Service envoy-gateway-system\/envoy-edge-web-\* {2}\(made later of Gateway /),
    0,
  ]);
});

test('of Services that are alike, those that are there are not made later', () => {
  const text = `${KAFKA}${live('events-kafka-0', '{}', 'kafka')}`;
  const there = 'events-kafka-0';
  expect(reported(text).filter((name) => name === there)).toEqual([there]);
  const { out } = run('list', '--verbose', fileOf(text));
  expect(out).toMatch(/\n1 load balanced Service, 2 load balancers made later, /);
  expect(out).toMatch(/^kafka\/events-kafka-external-bootstrap and 1 more {2}\(made later of Kafka /m);
});
