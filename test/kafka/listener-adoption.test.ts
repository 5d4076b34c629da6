import {
  AwsLoadBalancerController,
  AwsLoadBalancerType,
  CustomController,
  type ILoadBalancerController,
  IpFamily,
  LoadBalancerRequest,
  LoadBalancerScheme,
  StrimziVersion,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { sentenceOf } from '../../src/contract/rule';
import { liveFindings } from '../../src/kafka/listener/listener-faults';
import { definitionOf } from '../../src/rules/controller-definition';
import { errorsOf, stderrOf } from '../support/apps';
import { table } from '../support/yaml-cases';
import { listen, metalLb, nlb, present, SCHEME, writtenListener } from './listeners';

const { V0_49, V1_0, V1_2 } = StrimziVersion;
const { INTERNAL } = LoadBalancerScheme;
const { IPV4, IPV6 } = IpFamily;

/** The finished configuration of an adopted listener, or what is wrong with it. */
function adopted(configuration: Json, props: object): Json {
  const { chart } = listen({ controller: metalLb(), scheme: INTERNAL, ...props }, V1_2, [present(configuration)]);
  let found: Json = {};
  stderrOf(() => {
    const errors = errorsOf(chart);
    found = errors.length > 0 ? { errors } : writtenListener(chart).configuration;
  });
  return found;
}

test.each<[string, Json, object]>([
  ['with both families', { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4', 'IPv6'] }, {}],
  ['the other one first', { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv6', 'IPv4'] }, {}],
  ['with the first family', { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv6'] }, {}],
  ['without families', { ipFamilyPolicy: 'PreferDualStack' }, {}],
  ['as wished for', { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4', 'IPv6'] }, { ipFamilies: [IPV4, IPV6] }],
  ['with one family for good', { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] }, {}],
])('a listener that prefers two IP families stays as it is: %s', (_, configuration, props) => {
  expect(adopted(configuration, props)).toMatchObject(configuration);
});

test.each<[string, Json, object, string]>([
  [
    'one family is wished for',
    { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4'] },
    { ipFamilies: [IPV4] },
    "configuration.ipFamilyPolicy 'PreferDualStack', but the plan for metallb sets 'SingleStack'",
  ],
  [
    'both are wished for',
    { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] },
    { ipFamilies: [IPV4, IPV6] },
    "configuration.ipFamilyPolicy 'SingleStack', but the plan for metallb sets 'RequireDualStack'",
  ],
])('a policy of IP families is no other way to say the wish: %s', (_, configuration, props, expected) => {
  expect(adopted(configuration, props).errors.join('\n')).toContain(expected);
});

const settings = { z: 1, 'sasl.a': { d: [{ y: 1, b: 2 }], c: 1 } };

test('what the props say is written in the order of its keys, however deep', () => {
  const authentication = { type: 'custom', sasl: true, listenerConfig: settings };
  const { chart } = listen({ authentication }, V1_2);
  expect(JSON.stringify(writtenListener(chart).authentication)).toBe(
    '{"listenerConfig":{"sasl.a":{"c":1,"d":[{"b":2,"y":1}]},"z":1},"sasl":true,"type":"custom"}',
  );
});

test('a port that the manifest sets is not told to stand in the props', () => {
  const { chart } = listen({ port: undefined, scheme: INTERNAL, controller: metalLb() }, V1_2, [present()]);
  expect(errorsOf(chart)).toEqual([]);
  expect(writtenListener(chart).port).toBe(9094);
});

function live(listener: Json, controller: ILoadBalancerController, wishes: object, kafka?: Json) {
  const request = new LoadBalancerRequest({ ports: [{ port: 9094 }], ...wishes });
  const plan = { owner: controller.name, loadBalancerClass: 'service.k8s.aws/nlb' };
  const found = liveFindings(listener, plan, request, { kafka, catalogue: definitionOf(controller)?.catalogue });
  return { problems: found.problems.map(sentenceOf), warnings: found.warnings.map(sentenceOf) };
}

test.each<[string, ILoadBalancerController, Json, string]>(
  table('kafka/listener-adoption.yaml', 'an adopted listener without a wish is'),
)('an adopted listener without a wish is told the annotation of its scheme: %s', (_, controller, said, expected) => {
  const { problems } = live(present({ class: 'a.b/c', ...said }), controller, {});
  expect(problems).toEqual([expect.stringContaining("listener 'external' has load balancers already, and")]);
  expect(problems[0]).toContain(expected);
  expect(live(present({ class: 'a.b/c', ...said }), controller, { scheme: INTERNAL }).problems).toEqual([]);
});

test.each<[string, ILoadBalancerController, number]>([
  ['whose pools decide', metalLb(), 0],
  ['of which nothing is known', CustomController.of({ owner: 'acme' }), 1],
])('an adopted listener needs a scheme where its owner has one: of an owner %s', (_, controller, count) => {
  const loadBalancerIP = { bootstrap: { loadBalancerIP: '10.0.0.5' } };
  expect(
    live(present(loadBalancerIP), controller, {}).problems.filter((text) => /adopted-scheme/.test(text)),
  ).toHaveLength(count);
});

const STATUS = { status: { listeners: [null, { name: 'external', addresses: [] }] } };
const ADDS =
  "listener 'external' has no class and the plan adds 'service.k8s.aws/nlb', which the API server refuses on";

test.each<[string, Json | undefined, 'problems' | 'warnings', string]>([
  ['may be', undefined, 'warnings', `${ADDS} live Services, so the operator`],
  ['may be, as others are', { status: { listeners: [{ name: 'vpn' }] } }, 'warnings', ADDS],
  [
    'is',
    STATUS,
    'problems',
    `${ADDS} live Services, as the status of the resource shows them, so the operator reconciles nothing of the cluster; add a listener under another name, move the clients, and remove this one, as docs/how-to/change-a-controller.md#hand-services-over says; or, where an annotation claims its Services today, keep that and leave the class out`,
  ],
])('a class cannot be added to a listener that %s live', (_, kafka, which, expected) => {
  const found = live(present(), nlb(), { scheme: INTERNAL }, kafka);
  expect(found[which]).toEqual([expect.stringContaining(expected)]);
  expect(found.problems.length + found.warnings.length).toBe(1);
});

test.each<[string, Json]>([
  ['it has one already', present({ class: 'service.k8s.aws/nlb' })],
  ['it has no balancers', present({}, { type: 'nodeport' })],
])('a class is no danger where %s', (_, listener) => {
  expect(live(listener, nlb(), { scheme: INTERNAL }, STATUS)).toEqual({ problems: [], warnings: [] });
});

test.each<[string, Json, string[]]>([
  [
    'by all of its Services counts as wished for',
    {
      bootstrap: { annotations: { [SCHEME]: 'internet-facing' } },
      perBrokerAnnotationsTemplate: { [SCHEME]: 'internet-facing' },
    },
    [],
  ],
  ['by bootstrap alone does not', { bootstrap: { annotations: { [SCHEME]: 'internet-facing' } } }, ['adopted-scheme']],
])('a scheme that an adopted listener says %s', (_, configuration, rules) => {
  const { chart } = listen({}, V1_2, [present({ class: 'service.k8s.aws/nlb', ...configuration })]);
  stderrOf(() => {
    const errors = errorsOf(chart).map((error) => error.slice(error.lastIndexOf('(') + 1, -1));
    expect(errors).toEqual(expect.arrayContaining(rules));
    expect(errors.length > 0).toBe(rules.length > 0);
  });
});

test.each<[string, Json | undefined, 'problems' | 'warnings']>([
  ['may be', undefined, 'warnings'],
  ['is', STATUS, 'problems'],
])('a listener that %s live is not given to another owner by annotation', (_, kafka, which) => {
  const request = new LoadBalancerRequest({ ports: [{ port: 9094 }], scheme: INTERNAL });
  const claim = { claimed: 'no', because: 'it has no type annotation' } as const;
  const found = liveFindings(present(), { owner: 'a' }, request, { kafka, claim });
  expect(found[which].map(sentenceOf)).toEqual([
    expect.stringMatching(
      /left behind; add a listener under another name, .* docs\/how-to\/change-a-controller.md#hand-services-over says/,
    ),
  ]);
});

test('what contradicts the plan is told anew at each synth, and once', () => {
  const { chart, cluster } = listen({ scheme: INTERNAL }, V1_0, [present({ class: 'tailscale' })]);
  const first = errorsOf(chart);
  expect(first).toEqual([expect.stringContaining("configuration.class 'tailscale'")]);
  expect(errorsOf(chart)).toEqual(first);
  expect(cluster.clusterName).toBe('events');
});

test('the class of a listener that is claimed by annotation stays out', () => {
  const type = 'service.beta.kubernetes.io/aws-load-balancer-type';
  const controller = AwsLoadBalancerController.nlb({ type: AwsLoadBalancerType.EXTERNAL });
  const annotations = { [type]: 'external' };
  const { chart } = listen({ controller, scheme: INTERNAL }, V0_49, [
    present({ bootstrap: { annotations }, brokers: [0, 1, 2].map((broker) => ({ broker, annotations })) }),
  ]);
  const said = stderrOf(() => expect(writtenListener(chart).configuration.class).toBeUndefined());
  expect(said).not.toContain('class-on-live-service');
});
