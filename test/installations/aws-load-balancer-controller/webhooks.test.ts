import { AwsLoadBalancerControllerWebhookFailurePolicy } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { synth } from '../../support/apps';
import { casesIn } from '../../support/yaml-cases';
import { installed } from './installations';

const CASES = casesIn(__dirname, 'webhooks.yaml');

// What the API server does with a request while the controller is away, as kubernetes/apiserver v0.36
// (pkg/admission/plugin/webhook) decides it: rules, selectors, match conditions, then the failure policy.

type Labels = Record<string, string>;

interface Request {
  readonly operation: 'CREATE' | 'UPDATE';
  /** Group, version and resource as rules name them. */
  readonly resource: readonly [group: string, version: string, resource: string];
  readonly namespace?: string;
  readonly namespaceLabels?: Labels;
  readonly labels?: Labels;
  readonly spec?: Json;
  readonly deleted?: boolean;
}

function selected(selector: Json | undefined, labels: Labels): boolean {
  return ((selector?.matchExpressions ?? []) as Json[]).every(({ key, operator, values = [] }) => {
    switch (operator) {
      case 'In':
        return key in labels && values.includes(labels[key]);
      case 'NotIn':
        return !(key in labels) || !values.includes(labels[key]);
      case 'DoesNotExist':
        return !(key in labels);
      default:
        throw new Error(`${operator} is not modelled`);
    }
  });
}

const CONDITIONS: Record<string, (request: Request) => boolean> = {
  '!has(object.metadata.deletionTimestamp)': ({ deleted }) => !deleted,
  "object.spec.type == 'LoadBalancer' && !has(object.spec.loadBalancerClass)": ({ spec }) =>
    spec?.type === 'LoadBalancer' && spec.loadBalancerClass === undefined,
};

function asks(webhook: Json, request: Request): boolean {
  const [group, version, resource] = request.resource;
  const { namespace } = request;
  const namespaceLabels = { ...request.namespaceLabels, 'kubernetes.io/metadata.name': namespace ?? '' };
  const [rule] = webhook.rules;
  return (
    rule.apiGroups.includes(group) &&
    rule.apiVersions.includes(version) &&
    rule.resources.includes(resource) &&
    rule.operations.includes(request.operation) &&
    // objects of the whole cluster pass every selector of namespaces
    (namespace === undefined || selected(webhook.namespaceSelector, namespaceLabels)) &&
    selected(webhook.objectSelector, request.labels ?? {}) &&
    ((webhook.matchConditions ?? []) as Json[]).every(({ expression }) => CONDITIONS[expression](request))
  );
}

function refusers(webhooks: readonly Json[], request: Request): string[] {
  return webhooks
    .filter(({ failurePolicy }) => failurePolicy === 'Fail')
    .filter((webhook) => asks(webhook, request))
    .map(({ name }) => name);
}

const webhooks = synth(
  installed({
    namespace: 'balancers',
    serviceMutatorWebhook: true,
    featureGates: { ALBTargetControlAgent: true, GlobalAcceleratorController: true },
  }).chart,
).flatMap(({ kind, webhooks: its }) => (/WebhookConfiguration$/.test(kind) ? (its as Json[]) : []));

const PODS = ['', 'v1', 'pods'] as const;
const SERVICES = ['', 'v1', 'services'] as const;
const PARAMS = ['elbv2.k8s.aws', 'v1beta1', 'ingressclassparams'] as const;
const READINESS = { 'elbv2.k8s.aws/pod-readiness-gate-inject': 'enabled' };

const created = (resource: Request['resource'], request: Partial<Request> = {}): Request => ({
  operation: 'CREATE',
  resource,
  namespace: 'shop',
  ...request,
});
const updated = (resource: Request['resource'], request: Partial<Request> = {}): Request => ({
  ...created(resource, request),
  operation: 'UPDATE',
});

const balancer = (loadBalancerClass?: string) => ({ spec: { type: 'LoadBalancer', loadBalancerClass } });

test.each<[string, Request]>([
  ...CASES.whileControllerAway,
  ['a Service without a class in the system', created(SERVICES, { namespace: 'kube-system', ...balancer() })],
  ['a Service that is edited', updated(SERVICES, balancer())],
  ['parameters whose finalizer is taken off', updated(PARAMS, { namespace: undefined, deleted: true })],
])('while the controller is away, nobody refuses %s', (_, request) => {
  expect(refusers(webhooks, request)).toEqual([]);
});

test.each<[string, Request, string[]]>([
  ...CASES.webhooks,
  ['a Service that wants a class', created(SERVICES, balancer()), ['mservice.elbv2.k8s.aws']],
  ['parameters', created(PARAMS, { namespace: undefined }), ['vingressclassparams.elbv2.k8s.aws']],
])('while the controller is away, %s waits for it', (_, request, expected) => {
  expect(refusers(webhooks, request)).toEqual(expected);
});

test.each<[string, AwsLoadBalancerControllerWebhookFailurePolicy | undefined, string[]]>([
  ['goes ahead without its gate by default', undefined, []],
  ['goes ahead where that is said', AwsLoadBalancerControllerWebhookFailurePolicy.IGNORE, []],
  ['is refused where that is said', AwsLoadBalancerControllerWebhookFailurePolicy.FAIL, ['mpod.elbv2.k8s.aws']],
])('while the controller is away, a pod that waits for its target %s', (_, podMutatorFailurePolicy, expected) => {
  const its = synth(installed({ podMutatorFailurePolicy }).chart).flatMap(({ webhooks: all = [] }) => all as Json[]);
  expect(refusers(its, created(PODS, { namespaceLabels: READINESS }))).toEqual(expected);
  expect(refusers(its, created(PODS))).toEqual([]);
  expect(refusers(its, created(PODS, { namespace: 'kube-system', namespaceLabels: READINESS }))).toEqual([]);
});

test('by default no webhook is asked about Services, nor on paths that the controller has not got', () => {
  const names = synth(installed().chart).flatMap(({ webhooks: its = [] }) => (its as Json[]).map(({ name }) => name));
  expect(names).toEqual([
    'mpod.elbv2.k8s.aws',
    'quicid.elbv2.k8s.aws',
    'mtargetgroupbinding.elbv2.k8s.aws',
    'vingressclassparams.elbv2.k8s.aws',
    'vtargetgroupbinding.elbv2.k8s.aws',
    'vingress.elbv2.k8s.aws',
  ]);
});

test.each<[string, Parameters<typeof installed>[0], string[]]>(CASES.webhooksIngressesInstallation)(
  'webhooks for Ingresses of an installation %s',
  (_, props, expected) => {
    const all = synth(installed(props).chart).flatMap(({ webhooks: its = [] }) =>
      (its as Json[]).map(({ name }) => name),
    );
    expect(all.filter((name) => name.startsWith('vingress'))).toEqual(expected);
    expect(all).toContain('vtargetgroupbinding.elbv2.k8s.aws');
  },
);

test('a request waits some seconds for an answer, and longer only where the controller asks AWS first', () => {
  const waits = webhooks.map(({ name, timeoutSeconds }) => [name, timeoutSeconds]);
  expect(waits.filter(([, seconds]) => seconds !== 5)).toEqual([
    ['mtargetgroupbinding.elbv2.k8s.aws', 10],
    ['vtargetgroupbinding.elbv2.k8s.aws', 10],
  ]);
});

test('the API server trusts what the certificate is signed by', () => {
  const trusted = synth(installed().chart).filter(({ kind }) => /WebhookConfiguration$/.test(kind));
  expect(trusted.map(({ metadata }) => metadata.annotations)).toEqual([
    { 'cert-manager.io/inject-ca-from': 'kube-system/aws-load-balancer-serving-cert' },
    { 'cert-manager.io/inject-ca-from': 'kube-system/aws-load-balancer-serving-cert' },
  ]);
});
