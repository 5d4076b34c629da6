import {
  AwsLoadBalancerController,
  AzureCloudProvider,
  type ILoadBalancerController,
  LoadBalancerScheme,
  LoadBalancers,
  StrimziVersion,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { claimedTwice } from '../../src/kafka/operator/operator-services';
import { errorsOf, stderrOf } from '../support/apps';
import { table } from '../support/yaml-cases';
import { listen, metalLb, nlb, type Props } from './listeners';

const { V1_0, V1_2 } = StrimziVersion;
const { INTERNAL, INTERNET_FACING } = LoadBalancerScheme;

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';

/** What is said of things that several Services claim. */
function claimed(props: Props, strimzi = V1_2, listeners: Json[] = [], pool: Json = {}): string[] {
  return errorsOf(listen(props, strimzi, listeners, {}, pool).chart).filter((error) =>
    error.includes('(listener-cannot-carry)'),
  );
}

test.each<[string, string, string, ILoadBalancerController]>(
  table('kafka/listener-claims.yaml', 'cannot stand on every Service of a'),
)('%s: %s cannot stand on every Service of a listener: %s', (key, value, _, controller) => {
  const scheme = /eip|pip/.test(key) ? INTERNET_FACING : INTERNAL;
  expect(claimed({ controller, scheme })).toEqual([
    expect.stringContaining(
      `annotation ${key} '${value}' is set on Services events-kafka-external-bootstrap, events-brokers-0 and 2 others, which all listen on port 9094 and cannot share it; leave it out of the options of the controller, and give each Service its own (bootstrapAnnotations, brokers of the construct) (listener-cannot-carry)`,
    ),
  ]);
});

test.each<[string, Json, string[]]>(table('kafka/listener-claims.yaml', 'a listener written by hand is judged'))(
  'a listener written by hand is judged as well: %s',
  (_, listener, expected) => {
    const errors = claimed({ scheme: INTERNAL, controller: nlb() }, V1_2, [listener]);
    expect(errors).toEqual(expected.map((text) => expect.stringContaining(text)));
  },
);

test('one Service alone may have a name', () => {
  const controller = AwsLoadBalancerController.nlb({ loadBalancerName: 'kafka' });
  const pool = { spec: { replicas: 1 } };
  const one = { controller, createBootstrapService: false };
  expect(claimed(one, V1_0, [], pool)).toEqual([]);
});

test('what all Services may have alike is no claim', () => {
  expect(claimed({ controller: metalLb() })).toEqual([]);
  expect(claimed({ controller: AzureCloudProvider.standard({ dnsLabelName: '' }), scheme: INTERNET_FACING })).toEqual(
    [],
  );
});

test('of an unknown owner only the field of the API is judged', () => {
  const service = (name: string): Json => ({
    metadata: { name, annotations: { [`${AWS}name`]: 'a' } },
    spec: { loadBalancerIP: '10.0.0.4', ports: [{ port: 9095 }] },
  });
  const found = claimedTwice([service('a'), service('b')], undefined, 'kubernetes');
  expect(found.map(({ what }) => what)).toEqual([
    expect.stringContaining("loadBalancerIP '10.0.0.4' is set on Services a and b, which"),
  ]);
});

const eips = (id: number) => ({ brokerId: id, annotations: { [`${AWS}eip-allocations`]: `eipalloc-${id}` } });
const withName = (id: number) => ({ brokerId: id, annotations: { [`${AWS}name`]: `kafka-${id}` } });

test.each<[string, Props, string[]]>([
  ['all brokers', { brokers: [eips(0), eips(1), eips(2)] }, []],
  ['no broker', {}, []],
  ['bootstrap alone', { bootstrapAnnotations: { [`${AWS}eip-allocations`]: 'eipalloc-9' } }, []],
  ['two of three brokers', { brokers: [eips(0), eips(1)] }, ['events-brokers-2']],
  ['one of three brokers', { brokers: [eips(1)] }, ['events-brokers-0, events-brokers-2']],
  ['none, but a name for some', { brokers: [withName(0)] }, []],
  ['some, under a controller that does not read it', { brokers: [eips(0)], controller: metalLb() }, []],
])('fixed addresses of some brokers alone are told: of %s', (_, props, values) => {
  const { chart } = listen({ scheme: INTERNET_FACING, ...props }, V1_2);
  stderrOf(() => expect(errorsOf(chart)).toEqual([]));
  const known = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
  const told = known.filter(({ ruleId }) => ruleId === 'listener-address-left-out');
  expect(told.map(({ value }) => value)).toEqual(values);
  for (const { what } of told) expect(what).toContain(`${AWS}eip-allocations fixes addresses of other brokers`);
});
