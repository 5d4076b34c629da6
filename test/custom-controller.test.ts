import { Duration, Testing } from 'cdk8s';
import {
  ClientAddress,
  CustomController,
  FinalizerPolicy,
  IpFamily,
  type LoadBalancerPlan,
  LoadBalancerRequest,
  type LoadBalancerRequestProps,
  LoadBalancerScheme,
  LoadBalancerWish,
  NodePool,
  PortProtocol,
  TrafficPolicy,
} from '../src';
import { sentenceOf } from '../src/contract/rule';
import { definitionOf } from '../src/rules/controller-definition';
import { ONE_PORT } from './support/cases';

const owner = 'example-controller';
const bind = (plan: Partial<LoadBalancerPlan>, request: Partial<LoadBalancerRequestProps>) =>
  CustomController.of({ owner, ...plan }).bind(Testing.chart(), new LoadBalancerRequest({ ...ONE_PORT, ...request }));

/** Something for every wish, and how it is named in a message. */
const WISHES: Record<LoadBalancerWish, [Partial<LoadBalancerRequestProps>, string]> = {
  [LoadBalancerWish.SCHEME]: [{ scheme: LoadBalancerScheme.INTERNET_FACING }, 'internet-facing'],
  [LoadBalancerWish.PROTOCOLS]: [{ ports: [{ port: 53, protocol: PortProtocol.UDP }] }, 'UDP'],
  [LoadBalancerWish.TRAFFIC_POLICY]: [{ trafficPolicy: TrafficPolicy.LOCAL }, 'Local'],
  [LoadBalancerWish.CLIENT_ADDRESS]: [{ clientAddress: ClientAddress.PRESERVE }, 'preserve'],
  [LoadBalancerWish.SESSION_AFFINITY]: [{ sessionAffinity: { timeout: Duration.hours(1) } }, '{"timeout":'],
  [LoadBalancerWish.IP_FAMILIES]: [{ ipFamilies: [IpFamily.IPV6] }, '["IPv6"]'],
  [LoadBalancerWish.BACKEND_NODES]: [{ backendNodes: NodePool.labeled({ pool: 'edge' }) }, 'pool=edge'],
  [LoadBalancerWish.SOURCE_RANGES]: [{ sourceRanges: ['10.0.0.0/8'] }, '["10.0.0.0/8"]'],
  [LoadBalancerWish.STATIC_ADDRESSES]: [{ staticAddresses: ['10.0.0.7'] }, '["10.0.0.7"]'],
  [LoadBalancerWish.PROXY_PROTOCOL]: [{ proxyProtocol: true }, 'true'],
  [LoadBalancerWish.HEALTH_CHECK]: [{ healthCheck: { port: 80 } }, '{"port":80}'],
  [LoadBalancerWish.ROLLOUT]: [{ rollout: { drainTime: Duration.seconds(9) } }, 'drainTime 9 s'],
};

test('a plain request is answered with the plan', () => {
  const plan = { annotations: { 'a/b': 'c' }, finalizers: ['a/f'], loadBalancerClass: 'a/class', labels: { l: 'm' } };
  expect(bind(plan, {})).toEqual({ owner, ...plan, answers: {}, problems: [] });
});

test.each(Object.entries(WISHES))('%s without an answer is a problem', (wish, [request, value]) => {
  expect((bind({}, request).problems ?? []).map(sentenceOf)).toEqual([
    expect.stringContaining(`${owner}: ${wish} cannot be honoured, with value ${value}`),
  ]);
});

test.each(Object.entries(WISHES))('%s with an answer is none', (wish, [request]) => {
  const plan = bind({ answers: { [wish]: 'by its own means' } }, request);
  expect(plan.problems).toEqual([]);
  expect(plan.answers).toEqual({ [wish]: 'by its own means' });
});

test.each([
  [LoadBalancerWish.TRAFFIC_POLICY, 'externalTrafficPolicy', TrafficPolicy.CLUSTER],
  [LoadBalancerWish.SESSION_AFFINITY, 'sessionAffinity', {}],
  [LoadBalancerWish.IP_FAMILIES, 'ipFamilies', [IpFamily.IPV4]],
  [LoadBalancerWish.SOURCE_RANGES, 'sourceRanges', ['0.0.0.0/0']],
] as const)('%s is a field: written when answered, compared when the plan says it', (wish, field, other) => {
  const [request] = WISHES[wish];
  const value = (request as Record<string, unknown>)[wish];
  expect(bind({ answers: { [wish]: 'by the field' } }, request)[field]).toEqual(value);
  expect(bind({ [field]: value }, request)).toMatchObject({ problems: [], answers: { [wish]: field } });
  expect(bind({ [field]: other, answers: { [wish]: 'by the field' } }, request).problems?.map(sentenceOf)).toEqual([
    expect.stringContaining(`${wish} asks for`),
  ]);
});

test.each([
  [FinalizerPolicy.DECLARE, ['a/f']],
  [FinalizerPolicy.LEAVE_TO_CONTROLLER, []],
])('finalizer policy %s', (finalizerPolicy, finalizers) => {
  expect(bind({ finalizers: ['a/f'] }, { finalizerPolicy }).finalizers).toEqual(finalizers);
});

test('problems and warnings of the plan stay', () => {
  const finding = { ruleId: 'rule', who: owner, what: 'what', remedy: 'way out' };
  expect(bind({ problems: [finding], warnings: [finding] }, {})).toMatchObject({
    problems: [finding],
    warnings: [finding],
  });
});

test('a wish that a finding of the plan names is told already', () => {
  const finding = {
    ruleId: 'rule',
    who: owner,
    what: 'what',
    remedy: 'way out',
    wish: LoadBalancerWish.TRAFFIC_POLICY,
  };
  const request = { trafficPolicy: TrafficPolicy.LOCAL };
  expect(bind({ warnings: [finding] }, request)).toMatchObject({ problems: [], warnings: [finding] });
  expect(bind({ problems: [finding] }, request)).not.toHaveProperty('externalTrafficPolicy');
});

test('a plan without an owner is refused', () => {
  expect(() => CustomController.of({ owner: ' ' })).toThrow('the plan names no owner');
});

test('nothing is known of its kind', () => {
  expect(definitionOf(CustomController.of({ owner }))).toBeUndefined();
});
