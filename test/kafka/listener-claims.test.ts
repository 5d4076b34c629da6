import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  LoadBalancerScheme,
  LoadBalancers,
  MetalLb,
  StrimziVersion,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { claimedTwice } from '../../src/kafka/operator/operator-services';
import { errorsOf, stderrOf } from '../support/apps';
import { listen, metalLb, nlb, type Props, present } from './listeners';

const { V1_0, V1_2 } = StrimziVersion;
const { INTERNAL, INTERNET_FACING } = LoadBalancerScheme;

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
const AZURE = 'service.beta.kubernetes.io/azure-';
const HCLOUD = 'load-balancer.hetzner.cloud/';

/** What is said of things that several Services claim. */
function claimed(props: Props, strimzi = V1_2, listeners: Json[] = [], pool: Json = {}): string[] {
  return errorsOf(listen(props, strimzi, listeners, {}, pool).chart).filter((error) =>
    error.includes('(listener-cannot-carry)'),
  );
}

test.each<[string, string, string, ILoadBalancerController]>([
  [`${AWS}name`, 'kafka', 'a name of AWS', AwsLoadBalancerController.nlb({ loadBalancerName: 'kafka' })],
  [
    `${AWS}eip-allocations`,
    'eipalloc-1',
    'an elastic address of AWS',
    AwsLoadBalancerController.nlb({ eipAllocations: ['eipalloc-1'] }),
  ],
  [
    `${AWS}private-ipv4-addresses`,
    '10.0.0.4',
    'a private address of AWS',
    AwsLoadBalancerController.nlb({ privateIpv4Addresses: ['10.0.0.4'] }),
  ],
  [
    `${AWS}private-ipv4-addresses`,
    '10.0.0.4',
    'a private address of the cloud provider of AWS',
    AwsCloudProvider.nlb({ privateIpv4Addresses: ['10.0.0.4'] }),
  ],
  [`${AZURE}pip-name`, 'kafka', 'a public IP of Azure', AzureCloudProvider.standard({ pipName: 'kafka' })],
  [
    `${AZURE}load-balancer-ipv4`,
    '10.0.0.4',
    'an address of Azure',
    AzureCloudProvider.standard({ loadBalancerIpv4: '10.0.0.4' }),
  ],
  [
    'networking.gke.io/load-balancer-ip-addresses',
    'kafka',
    'an address of GKE',
    Gke.passthrough({ loadBalancerIpAddresses: ['kafka'] }),
  ],
  [
    `${HCLOUD}name`,
    'kafka',
    'a name of Hetzner',
    HetznerCloud.loadBalancer({ location: 'fsn1', loadBalancerName: 'kafka' }),
  ],
  [
    'metallb.io/loadBalancerIPs',
    '10.0.0.4',
    'an address of MetalLB, shared or not',
    MetalLb.layer2({ loadBalancerIps: ['10.0.0.4'], allowSharedIp: 'kafka' }),
  ],
])('%s: %s cannot stand on every Service of a listener: %s', (key, value, _, controller) => {
  const scheme = /eip|pip/.test(key) ? INTERNET_FACING : INTERNAL;
  expect(claimed({ controller, scheme })).toEqual([
    expect.stringContaining(
      `annotation ${key} '${value}' is set on Services events-kafka-external-bootstrap, events-brokers-0 and 2 others, which all listen on port 9094 and cannot share it; leave it out of the options of the controller, and give each Service its own (bootstrapAnnotations, brokers of the construct) (listener-cannot-carry)`,
    ),
  ]);
});

/** An adopted listener whose Services say what they are called. */
function named(names: readonly [bootstrap: string, ...brokers: string[]]): Json {
  const [bootstrap, ...brokers] = names.map((name) => ({ annotations: { [`${AWS}name`]: name } }));
  const entries = brokers.map((entry, broker) => ({ broker, ...entry }));
  return present({ class: 'service.k8s.aws/nlb', bootstrap, brokers: entries });
}

test.each<[string, Json, string[]]>([
  ['each its own', named(['a', 'b', 'c', 'd']), []],
  [
    'two the same',
    named(['a', 'b', 'c', 'b']),
    [`annotation ${AWS}name 'b' is set on Services events-brokers-0 and events-brokers-2, which`],
  ],
  [
    'three the same',
    named(['b', 'b', 'c', 'b']),
    ['Services events-kafka-external-bootstrap, events-brokers-0 and events-brokers-2, which'],
  ],
  [
    'by a template for all brokers',
    present({
      class: 'service.k8s.aws/nlb',
      bootstrap: { annotations: { [`${AWS}name`]: 'a' } },
      perBrokerAnnotationsTemplate: { [`${AWS}name`]: 'b' },
    }),
    ["name 'b' is set on Services events-brokers-0, events-brokers-1 and events-brokers-2, which"],
  ],
  [
    'by a template that tells the brokers apart',
    present({ class: 'service.k8s.aws/nlb', perBrokerAnnotationsTemplate: { [`${AWS}name`]: 'b-{nodeId}' } }),
    [],
  ],
  [
    'one of several addresses',
    present({
      class: 'service.k8s.aws/nlb',
      brokers: [
        { broker: 0, annotations: { [`${AWS}private-ipv4-addresses`]: '10.0.0.4, 10.0.1.4' } },
        { broker: 1, annotations: { [`${AWS}private-ipv4-addresses`]: '10.0.0.5, 10.0.1.4' } },
      ],
    }),
    [`annotation ${AWS}private-ipv4-addresses '10.0.1.4' is set on Services events-brokers-0 and events-brokers-1,`],
  ],
  [
    'what only repeats the default',
    present({
      class: 'service.k8s.aws/nlb',
      perBrokerAnnotationsTemplate: { [`${AWS}source-nat-ipv6-prefixes`]: 'auto_assigned' },
    }),
    [],
  ],
  [
    'the older field for an address',
    present({
      class: 'service.k8s.aws/nlb',
      bootstrap: { loadBalancerIP: '10.0.0.4' },
      brokers: [{ broker: 2, loadBalancerIP: '10.0.0.4' }],
    }),
    [
      "loadBalancerIP '10.0.0.4' is set on Services events-kafka-external-bootstrap and events-brokers-2, which all listen on port 9094 and cannot share it; give each Service an address of its own (bootstrapLoadBalancerIp, brokers of the construct), or none",
    ],
  ],
])('a listener written by hand is judged as well: %s', (_, listener, expected) => {
  const errors = claimed({ scheme: INTERNAL, controller: nlb() }, V1_2, [listener]);
  expect(errors).toEqual(expected.map((text) => expect.stringContaining(text)));
});

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
