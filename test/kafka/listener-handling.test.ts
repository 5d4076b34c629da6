import {
  AwsLoadBalancerController,
  HetznerCloud,
  type ILoadBalancerController,
  LoadBalancerScheme,
  LoadBalancers,
  NlbTargetType,
  StrimziVersion,
  TrafficPolicy,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf } from '../support/apps';
import { table } from '../support/yaml-cases';
import { clusterWith } from './clusters';
import { listen, type Props, present } from './listeners';

const { V1_2 } = StrimziVersion;
const { INTERNAL } = LoadBalancerScheme;
const { INSTANCE } = NlbTargetType;
const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
const OUR_RULES = /\((listener-proxy-protocol|listener-tls-terminated|listener-http)\)$/;

function handled(props: Props, listeners: Json[] = []): string[] {
  const { chart } = listen({ scheme: INTERNAL, ...props }, V1_2, listeners);
  return errorsOf(chart).filter((error) => OUR_RULES.test(error));
}

test.each<[string, ILoadBalancerController, string]>(
  table('kafka/listener-handling.yaml', 'brokers do not understand'),
)('brokers do not understand %s', (_, controller, expected) => {
  expect(handled({ controller })).toEqual([expect.stringContaining(expected)]);
  expect(handled({ controller })[0]).toMatch(
    / has the balancer send a header of the PROXY protocol to port 9094, which Kafka brokers do not understand; leave it out: .* \(listener-proxy-protocol\)$/,
  );
});

test('a header that the manifest alone asks for is told with its Service', () => {
  const annotations = { [`${AWS}proxy-protocol`]: '*' };
  expect(handled({}, [present({ bootstrap: { annotations } })])).toEqual([
    expect.stringContaining(`Service events-kafka-external-bootstrap: annotation ${AWS}proxy-protocol '*' has the`),
  ]);
});

test('a header that is wished for is refused once', () => {
  const { chart } = listen({ controller: HetznerCloud.loadBalancer({ location: 'fsn1' }), proxyProtocol: true }, V1_2);
  expect(errorsOf(chart).filter((error) => /PROXY|proxyProtocol/.test(error))).toEqual([
    expect.stringContaining('(listener-cannot-carry)'),
  ]);
});

test.each<[string, Props, string[]]>(table('kafka/listener-handling.yaml', 'TLS that the balancer ends'))(
  'TLS that the balancer ends: %s',
  (_, props, expected) => {
    expect(handled(props)).toEqual(expected.map((text) => expect.stringContaining(text)));
  },
);

test.each<[string, Props, string[]]>(table('kafka/listener-handling.yaml', 'HTTP'))(
  'HTTP: %s',
  (_, props, expected) => {
    expect(handled(props)).toEqual(expected.map((text) => expect.stringContaining(text)));
  },
);

test.each<[string, Json, string[]]>(table('kafka/listener-handling.yaml', 'a listener beside it with'))(
  'a listener beside it with %s',
  (_, other, expected) => {
    const { chart } = listen({}, V1_2, [other]);
    expect(errorsOf(chart).filter((error) => OUR_RULES.test(error))).toEqual(
      expected.map((text) => expect.stringContaining(text)),
    );
  },
);

test('brokers behind instance targets of policy Local are one pod by design', () => {
  const controller = AwsLoadBalancerController.nlb({ targetType: INSTANCE });
  const { chart } = listen({ controller, trafficPolicy: TrafficPolicy.LOCAL }, V1_2);
  const told = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
  expect(told.filter(({ ruleId }) => ruleId === 'local-without-pool').map(({ what }) => what)).toEqual([
    expect.stringContaining('Service events-kafka-external-bootstrap: with policy Local'),
  ]);
  const without = listen({ controller, trafficPolicy: TrafficPolicy.LOCAL, createBootstrapService: false }, V1_2);
  const rules = LoadBalancers.of(without.chart).warnings.map(({ finding }) => finding.ruleId);
  expect(rules).not.toContain('local-without-pool');
});

test('what is never asked of a cluster without such listeners is not told', () => {
  const { chart } = clusterWith([], V1_2);
  expect(errorsOf(chart)).toEqual([]);
});
