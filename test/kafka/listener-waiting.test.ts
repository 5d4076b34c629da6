import {
  AwsCloudProvider,
  AzureCloudProvider,
  CustomController,
  EksAutoMode,
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  KafkaCluster,
  KafkaLoadBalancedListener,
  StrimziVersion,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { sentenceOf } from '../../src/contract/rule';
import { judgeListeners } from '../../src/kafka/rules/listener-rules';
import { errorsOf, stderrOf, synth } from '../support/apps';
import { kafkaWith, manifests } from './clusters';
import { metalLb, nlb, present } from './listeners';

const { V1_2 } = StrimziVersion;
const KUBE_VIP = 'kube-vip.io/allow-reconcile-without-endpoints';
const always = { annotations: { [KUBE_VIP]: 'true' } };

/** What is said of addresses that come late. */
function withheld(configuration: Json, more: Json = {}, kafka: Json = {}): string[] {
  const listener = present(configuration, { authentication: { type: 'tls' }, ...more });
  const document = kafkaWith([listener], V1_2, { kafka });
  const { warnings } = judgeListeners(document, { strimzi: V1_2, brokerIds: [0, 1, 2] });
  return warnings.filter(({ ruleId }) => ruleId === 'address-waits-for-endpoints').map(sentenceOf);
}

const NEVER = 'and the operator makes no pod of the cluster before all its Services have addresses';
const WITHOUT = 'make the cluster without this listener and add it once the brokers run';

test.each<[string, Json, string]>([
  [
    'Cilium',
    { class: 'io.cilium/node', externalTrafficPolicy: 'Local' },
    `strimzi: listener 'external': Node IPAM of Cilium gives a Service of traffic policy Local no address before it has a ready pod, ${NEVER}, so a new cluster waits for ever; use externalTrafficPolicy Cluster, or ${WITHOUT} (address-waits-for-endpoints)`,
  ],
  [
    'Cilium, known by an annotation',
    { externalTrafficPolicy: 'Local', bootstrap: { annotations: { 'io.cilium.nodeipam/match-node-labels': 'a=b' } } },
    'Node IPAM of Cilium gives a Service of traffic policy Local',
  ],
  [
    'k3s, known by a label of all brokers',
    { externalTrafficPolicy: 'Local', perBrokerLabelsTemplate: { 'svccontroller.k3s.cattle.io/lbpool': 'edge' } },
    'ServiceLB of k3s gives a Service of traffic policy Local',
  ],
  [
    'kube-vip',
    { class: 'kube-vip.io/kube-vip-class' },
    `kube-vip from 1.2 on gives a Service no address before it has a ready pod, ${NEVER}, so a new cluster waits for ever; annotate every Service with ${KUBE_VIP}: 'true', or ${WITHOUT}`,
  ],
  [
    'kube-vip with policy Local, where its annotation is not read',
    {
      class: 'kube-vip.io/kube-vip-class',
      externalTrafficPolicy: 'Local',
      bootstrap: always,
      perBrokerAnnotationsTemplate: always.annotations,
    },
    `use externalTrafficPolicy Cluster, annotate every Service with ${KUBE_VIP}: 'true', or`,
  ],
  ['kube-vip, known by the annotation of one broker', { brokers: [{ broker: 1, ...always }] }, 'kube-vip from 1.2 on'],
  ['kube-vip that is told of brokers alone', { perBrokerAnnotationsTemplate: always.annotations }, 'kube-vip from 1.2'],
  ['kube-vip that is told of bootstrap alone', { bootstrap: always }, 'kube-vip from 1.2 on'],
  [
    'kube-vip that is told of bootstrap and one broker',
    { bootstrap: always, brokers: [{ broker: 1, ...always }] },
    'kube-vip from 1.2 on',
  ],
  [
    'kube-vip with a broker that replaces the template',
    {
      bootstrap: always,
      perBrokerAnnotationsTemplate: always.annotations,
      brokers: [{ broker: 1, annotations: { 'example.com/a': 'b' } }],
    },
    'kube-vip from 1.2 on',
  ],
  [
    'kube-vip with brokers that say no',
    { bootstrap: always, perBrokerAnnotationsTemplate: { [KUBE_VIP]: 'false' } },
    'kube-vip from 1.2 on',
  ],
])('an address that waits for pods is told: %s', (_, configuration, expected) => {
  expect(withheld(configuration)).toEqual([expect.stringContaining(expected)]);
});

test.each<[string, Json, Json?, Json?]>([
  ['Cilium with policy Cluster', { class: 'io.cilium/node' }],
  ['another class of Cilium', { class: 'io.cilium/l2-announcer', externalTrafficPolicy: 'Local' }],
  ['policy Local of somebody', { externalTrafficPolicy: 'Local' }],
  [
    'the annotation of one that another class keeps off',
    { class: 'service.k8s.aws/nlb', bootstrap: { annotations: { 'kube-vip.io/ignore': 'true' } } },
  ],
  ['a listener without balancers', { externalTrafficPolicy: 'Local', class: 'io.cilium/node' }, { type: 'nodeport' }],
  ['kube-vip that is told of all', { bootstrap: always, perBrokerAnnotationsTemplate: always.annotations }],
  ['kube-vip that is told of each', { bootstrap: always, brokers: [0, 1, 2].map((broker) => ({ broker, ...always })) }],
  ['kube-vip without bootstrap', { createBootstrapService: false, perBrokerAnnotationsTemplate: always.annotations }],
  [
    'kube-vip that templates tell',
    { class: 'kube-vip.io/kube-vip-class' },
    {},
    { template: { externalBootstrapService: { metadata: always }, perPodService: { metadata: always } } },
  ],
])('nothing is said of %s', (...[, configuration, more, kafka]) => {
  expect(withheld(configuration, more, kafka)).toEqual([]);
});

/** What is told of listeners on so many brokers, each with its controller. */
function waits(brokers: number, controllers: readonly ILoadBalancerController[], props: object = {}): string[] {
  const { chart, construct } = manifests(kafkaWith([], V1_2));
  const brokerIds = Array.from({ length: brokers }, (_, id) => id);
  const kafka = KafkaCluster.fromManifest(construct, { strimzi: V1_2, nodePools: [{ name: 'brokers', brokerIds }] });
  for (const [i, controller] of controllers.entries()) {
    const authentication = { type: 'tls' };
    const own = { kafka, name: `out${i}`, port: 9094 + i, authentication, controller };
    new KafkaLoadBalancedListener(chart, `Out${i}`, { ...own, ...props });
  }
  let errors: string[] = [];
  const said = stderrOf(() => {
    errors = errorsOf(chart);
    synth(chart);
  });
  expect(errors).toEqual([]);
  return (
    said.replace(/\s+/g, ' ').match(/(?:nobody knows how fast )?it makes balancers .*?\(listener-waits-long\)/g) ?? []
  );
}

const HCLOUD = HetznerCloud.loadBalancer({ location: 'fsn1' });

test.each<[string, ILoadBalancerController, number]>([
  ['the AWS Load Balancer Controller', nlb(), 59],
  ['the cloud provider of AWS', AwsCloudProvider.nlb(), 19],
  ['EKS Auto Mode', EksAutoMode.nlb(), 59],
  ['Azure', AzureCloudProvider.standard(), 9],
  ['GKE', Gke.passthrough(), 24],
  ['Hetzner', HCLOUD, 19],
])('more brokers than the operator waits for are told: %s', (_, controller, most) => {
  expect(waits(most, [controller])).toEqual([]);
  expect(waits(most + 1, [controller])).toHaveLength(1);
});

test('the number of Services, the limit and the ways out are told', () => {
  expect(waits(20, [HCLOUD])).toEqual([
    expect.stringContaining(
      "it makes balancers for the 21 Services of listener 'out0' 1 at a time, which takes 315 s by an estimate of 15 s each (unverified), and the operator waits 300 s for all addresses before it makes any pod, fails and begins again set STRIMZI_OPERATION_TIMEOUT_MS of the operator to 315000 or more, spread the brokers over fewer Services (createBootstrapService false saves one), or use one balancer for all brokers with a listener of type tlsroute (listener-waits-long)",
    ),
  ]);
});

test('a Service for bootstrap that is not made is not waited for', () => {
  expect(waits(20, [HCLOUD], { createBootstrapService: false })).toEqual([]);
});

test('listeners of one controller are waited for together, and told once', () => {
  expect(waits(9, [HCLOUD])).toEqual([]);
  expect(waits(10, [HCLOUD, HCLOUD])).toEqual([
    expect.stringContaining('the 22 Services of listeners out0, out1 1 at a time, which takes 330 s'),
  ]);
  expect(waits(15, [HCLOUD, nlb()])).toEqual([]);
});

test('a controller that gives addresses at once keeps nobody waiting', () => {
  expect(waits(200, [metalLb()])).toEqual([]);
});

test.each<[string, ILoadBalancerController]>([
  ['without a definition', CustomController.of({ owner: 'acme' })],
  [
    'whose definition leaves it out',
    Object.assign(Object.create(HCLOUD), {
      _kind: { definition: { ...HetznerCloud._kind.definition, provisioningTime: undefined } },
    }),
  ],
])('a controller of unknown provisioning time, %s, is taken to be slow', (_, controller) => {
  expect(waits(19, [controller])).toEqual([]);
  expect(waits(90, [controller])).toEqual([
    expect.stringContaining(
      "it makes balancers for the 91 Services of listener 'out0' is not known: one at a time and 15 s each, as most controllers do, takes 1365 s, and the operator waits 300 s for all addresses",
    ),
  ]);
});
