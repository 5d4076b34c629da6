import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  type ILoadBalancerController,
  MetalLb,
  StrimziVersion,
} from '../../src';
import { checkInFiles, KIND_CHECKS } from '../../src/cli/rule-sets';
import type { Json } from '../../src/contract/json';
import { AwsCloudControllerManagerInstallation } from '../../src/installations/aws-cloud-controller-manager/installation';
import { AwsLoadBalancerControllerInstallation } from '../../src/installations/aws-load-balancer-controller/installation';
import { MetalLbAddressPool, MetalLbLayer2Advertisement } from '../../src/installations/metal-lb/objects';
import { StrimziClusterOperatorInstallation } from '../../src/installations/strimzi/installation';
import { ManifestIndex } from '../../src/rules/manifest-objects';
import { RIGHT } from '../installations/aws-load-balancer-controller/installations';
import { asFiles, foundInApp, foundInFiles } from '../support/in-files';
import { all, casesIn, revived, table } from '../support/yaml-cases';
import { checkedFiles } from './checked';

type Patches = Readonly<Record<string, string>>;

const chartIn = (app: App, id: string, namespace = id): Chart =>
  (app.node.tryFindChild(id) as Chart | undefined) ?? new Chart(app, id, { namespace });
const systemIn = (app: App, id: string) => chartIn(app, id, 'kube-system');
const patch = (workload: ApiObject, patches: Patches = {}) =>
  workload.addJsonPatch(...Object.entries(patches).map(([path, value]) => JsonPatch.add(path, value)));

function plain(app: App, chart: string, kind: string, name: string, spec: object, apiVersion = 'v1', annotations = {}) {
  const props = { apiVersion, kind, metadata: { name, annotations }, spec };
  return new ApiObject(chartIn(app, chart), `${kind} ${name}`, props as never);
}

const INSTALLATIONS = {
  plain,
  controller: (app: App, props: object = {}, id = 'system', patches?: Patches) =>
    patch(
      new AwsLoadBalancerControllerInstallation(systemIn(app, id), 'Controller', { ...RIGHT, ...props }).deployment,
      patches,
    ),
  cloudController: (app: App, props: object = {}, id = 'system', patches?: Patches) =>
    patch(
      new AwsCloudControllerManagerInstallation(systemIn(app, id), 'Ccm', { clusterName: 'prod', ...props }).workload,
      patches,
    ),
  operator: (app: App) =>
    new StrimziClusterOperatorInstallation(chartIn(app, 'strimzi'), 'Operator', {
      version: StrimziVersion.V1_2,
      createClusterScoped: false,
    }),
  gatewayDefinitions: (app: App, names: string[], spec: object) => {
    for (const name of names) {
      const full = `${name}.gateway.networking.k8s.io`;
      plain(app, name, 'CustomResourceDefinition', full, spec, 'apiextensions.k8s.io/v1');
    }
  },
  advertisement: (app: App) => new MetalLbLayer2Advertisement(chartIn(app, 'metallb-system'), 'All'),
  pool: (app: App, name: string, ...addresses: string[]) =>
    new MetalLbAddressPool(chartIn(app, 'metallb-system'), name, { name, addresses }),
};

const WRONG: [string, (app: App) => void, readonly string[]][] = revived(
  casesIn(__dirname, 'rule-sets.yaml').installations,
  { all: all(INSTALLATIONS) },
);

const BALANCED = { type: 'LoadBalancer', ports: [{ port: 80 }], selector: { app: 'web' } };

/** Rules about the operators of a Kafka alone: what of a Kafka itself is wrong is not asked of a bare one in an app. */
const OF_OPERATORS = /^strimzi-/;

describe.each(WRONG)('%s', (_, make, expected) => {
  test('is found in an app and in its files', () => {
    const app = new App();
    make(app);
    const { found } = foundInFiles(asFiles(app));
    const hasKafka = found.some((id) => OF_OPERATORS.test(id));
    const told = (ids: string[]) =>
      ids.filter(
        (id) =>
          id !== 'strimzi-crds-missing' &&
          id !== 'strimzi-cluster-scoped-missing' &&
          (!hasKafka || OF_OPERATORS.test(id)),
      );
    expect(told(found)).toEqual(expected);
    expect(told(foundInApp(app))).toEqual(expected);
  });
});

const METADATA = { name: 'one', namespace: 'one' };

/** An object of each kind that rules read, with something wrong, and the rule that says so. */
const KINDS: [string, Json, string][] = [
  ...table<[string, Json, string]>('cli/rule-sets.yaml', 'objects of every kind'),
  ...['HTTPRoute', 'GRPCRoute', 'UDPRoute'].map((kind): [string, Json, string] => [
    `gateway.networking.k8s.io/v1/${kind}`,
    { spec: { parentRefs: [{ name: 'a' }], rules: [{ backendRefs: [{ name: 'b', namespace: 'other' }] }] } },
    'gateway-reference-unknown',
  ]),
];

describe('objects of files', () => {
  test.each(KINDS)('%s', (type, more, ruleId) => {
    const [, apiVersion, kind] = /^(.*)\/(\w+)$/.exec(type) as RegExpExecArray;
    const object = { apiVersion, kind, metadata: METADATA, ...more };
    expect(foundInFiles(new ManifestIndex([{ file: 'a.yaml', line: 1, object }])).found).toContain(ruleId);
  });

  test('are of every kind that rules read', () => {
    const tried = KINDS.map(([type]) => type.replace(/^v1\//, '/').replace(/\/v[12]((alpha|beta)1|api\d+)?\//, '/'));
    expect([...KIND_CHECKS.keys()].filter((kind) => !tried.includes(kind))).toEqual([
      'apps/Deployment',
      'apps/DaemonSet',
      'apps/StatefulSet',
      'gateway.k8s.aws/ListenerRuleConfiguration',
      'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
      'iam.amazonaws.com/Policy',
    ]);
  });

  test.each<[string, ILoadBalancerController[] | undefined, string[]]>([
    ['MetalLB alone runs', [MetalLb.layer2()], ['service-without-pool']],
    ['another controller owns it', [AwsCloudProvider.nlb()], []],
    ['nothing is known of the controllers', undefined, []],
  ])('a Service without a word of MetalLB is for its pools where %s', (_, controllers, expected) => {
    const metadata = { name: 'all', namespace: 'metallb-system' };
    const objects: Json[] = [
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: BALANCED },
      {
        apiVersion: 'metallb.io/v1beta1',
        kind: 'IPAddressPool',
        metadata,
        spec: { addresses: ['192.0.2.0/28'], autoAssign: false },
      },
      { apiVersion: 'metallb.io/v1beta1', kind: 'L2Advertisement', metadata },
    ];
    const index = new ManifestIndex(objects.map((object, line) => ({ file: 'a.yaml', line, object })));
    const found = index.of('metallb.io', 'IPAddressPool').flatMap((pool) => checkInFiles(pool, { controllers }) ?? []);
    expect(found.flatMap(({ warnings }) => warnings.map(({ ruleId }) => ruleId))).toEqual(expected);
  });

  test('of other kinds are asked nothing', () => {
    const index = new ManifestIndex([{ file: 'a.yaml', line: 1, object: { apiVersion: 'v1', kind: 'Secret' } }]);
    const [result] = index.all.map((object) => checkInFiles(object));
    expect([...(result?.errors ?? []), ...(result?.warnings ?? [])]).toEqual([]);
  });

  test('that hold anything make no rule throw', () => {
    const bare = KINDS.flatMap(([type]): Json[] => {
      const [, apiVersion, kind] = /^(.*)\/(\w+)$/.exec(type) as RegExpExecArray;
      return [{}, { spec: null }, { spec: [] }, { metadata: [], spec: { listeners: [null], template: 5 } }].map(
        (more) => ({ apiVersion, kind, ...more }),
      );
    });
    const odd = [
      null,
      [],
      { replicas: 'two', template: { metadata: { labels: 5 }, spec: { containers: 5, volumes: 5 } } },
      {
        template: { spec: { volumes: [null], containers: [null, { image: 5, args: {}, env: [null], resources: 5 }] } },
      },
    ];
    const names = ['aws-load-balancer-controller', 'strimzi/operator:1.2.0', 'cloud-controller-manager'];
    const controllers = names.flatMap((name) => [
      ...odd.map((spec) => ({ metadata: { name: 5, labels: { 'app.kubernetes.io/name': name } }, spec })),
      {
        metadata: null,
        spec: { template: { spec: { containers: [{ image: `quay.io/${name}`, args: [5, null], env: 5 }] } } },
      },
    ]);
    bare.push(...controllers.map((more) => ({ apiVersion: 'apps/v1', kind: 'Deployment', ...more })));
    const index = new ManifestIndex(bare.map((object, line) => ({ file: 'a.yaml', line, object })));
    expect(foundInFiles(index).found).toContain('binding-target-group-invalid');
  });
});

const OPERATOR = (lease: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: strimzi-cluster-operator }
spec:
  selector: { matchLabels: { name: strimzi-cluster-operator } }
  template:
    metadata: { labels: { name: strimzi-cluster-operator } }
    spec:
      containers:
        - { name: strimzi-cluster-operator, image: "quay.io/strimzi/operator:1.2.0", env: [{ name: STRIMZI_LEADER_ELECTION_LEASE_NAME, value: ${lease} }] }
`;

const POOL = `apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: { name: dual, labels: { strimzi.io/cluster: my } }
spec: { replicas: 3, roles: [broker, controller], storage: { type: ephemeral } }
`;

const KAFKA = `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: { name: my }
spec: { kafka: { listeners: [{ name: plain, port: 9092, type: internal, tls: false }] } }
`;

const TWICE = ['strimzi-operator-namespace-duplicate', 'strimzi-watched-namespace-duplicate'];

function twiceIn(files: Record<string, string>): string[] {
  return checkedFiles(files)
    .findings.map(({ ruleId }) => ruleId)
    .filter((id) => TWICE.includes(id));
}

test('one object in files of several folders is one object', () => {
  expect(twiceIn({ 'a/o.yaml': OPERATOR('x'), 'b/o.yaml': OPERATOR('x'), 'c/o.yaml': OPERATOR('y') })).toEqual([]);
  expect(twiceIn({ 'a/k.yaml': `${POOL}---\n${KAFKA}`, 'b/k.yaml': `${POOL}---\n${KAFKA}`, 'k.yaml': KAFKA })).toEqual(
    [],
  );
});

test('two objects in two files are two', () => {
  const other = OPERATOR('x').replace('{ name: strimzi-cluster-operator }', '{ name: second }');
  expect(twiceIn({ 'a/o.yaml': OPERATOR('x'), 'b/o.yaml': other })).toContain('strimzi-watched-namespace-duplicate');
});

test('a listener is checked without its node pools', () => {
  const listener = `{ name: external, port: 9094, type: loadbalancer, tls: true, configuration: { class: service.k8s.aws/nlb, finalizers: [service.kubernetes.io/load-balancer-cleanup] } }`;
  const kafka = KAFKA.replace(/\[\{.*\}\]/, `[${listener}]`);
  for (const files of [{ 'k.yaml': kafka }, { 'k.yaml': `${kafka}---\n${POOL}` }]) {
    expect(checkedFiles(files).findings.map(({ ruleId }) => ruleId)).toContain('finalizer-of-other-controller');
  }
});

test('a finalizer that the operator keeps is no error of the Services of a listener', () => {
  const configuration = '{ class: service.k8s.aws/nlb, finalizers: [service.kubernetes.io/load-balancer-cleanup] }';
  const listener = `{ name: external, port: 9094, type: loadbalancer, tls: true, configuration: ${configuration} }`;
  const files = { 'k.yaml': `${KAFKA.replace(/\[\{.*\}\]/, `[${listener}]`)}---\n${POOL}` };
  const errorsWith = (strimzi: StrimziVersion) =>
    checkedFiles(files, { strimzi }).findings.flatMap(({ level, ruleId }) => (level === 'error' ? [ruleId] : []));
  expect(errorsWith(StrimziVersion.V0_51)).toEqual([]);
  expect(errorsWith(StrimziVersion.V0_49)).toEqual(['finalizer-missing-on-listener', 'finalizer-of-other-controller']);
});

test.each([
  [undefined, 'warning'],
  [false, 'error'],
])(
  'an error that depends on a webhook that the context has as %s is reported as %s',
  (serviceMutatorWebhook, level) => {
    const service = `apiVersion: v1
kind: Service
metadata: { name: dns, namespace: x }
spec: { type: LoadBalancer, selector: { app: dns }, ports: [{ port: 53, protocol: UDP, name: a }, { port: "54", name: b }] }
`;
    const controllers = [AwsCloudProvider.nlb(), AwsLoadBalancerController.nlb({ serviceMutatorWebhook })];
    const { findings } = checkedFiles({ 's.yaml': service }, { controllers });
    expect(findings.find(({ ruleId }) => ruleId === 'aws-cloud-protocol-unsupported')?.level).toBe(level);
    expect(findings.find(({ ruleId }) => ruleId === 'field-wrong-type')?.level).toBe('error');
  },
);
