import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Chart, Testing } from 'cdk8s';
import { NlbTargetType, TargetGroupBinding, type TargetGroupBindingProps } from '../../src';
import { installed } from '../installations/aws-load-balancer-controller/installations';
import type { Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import {
  customResourceDefinitions,
  install,
  isOfStrimzi,
  isWebhookConfiguration,
  lacksAfterWriting,
  lacksOfDefinitions,
  lacksOfInstallation,
  objectsIn,
  removeAll,
  runExample,
} from '../real/objects';
import { count, until } from '../real/program';
import { synth } from '../support/apps';
import { goldenNames, goldenText } from '../support/goldens';
import { compareRights, INSTALLATION_RIGHTS, mayDo, NEVER_ALLOWED, shown, untilSeen } from './harness/rights';

// Installations as they are written, in a real API server: taken as they are, with the permissions of their tables and no
// others, and with webhooks that nobody serves. Strimzi's definitions are in strimzi/installation.test.ts.

const FOLDER = join(__dirname, '..', 'installations', 'goldens');
const goldens: Record<string, Ref[]> = Object.fromEntries(
  goldenNames(FOLDER).map((name) => [name, objectsIn(goldenText(FOLDER, name))]),
);
const [CONTROLLER, FOR_NLBS] = ['aws-load-balancer-controller', 'aws-load-balancer-controller-for-nlbs'];

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
  await install(plane.api, customResourceDefinitions(['github.com/cert-manager/cert-manager']));
  for (const name of ['shop', 'kafka', 'strimzi', 'quic', 'ready']) {
    await plane.api.create(namespaceOf(name, NAMESPACE_LABELS[name]));
  }
});

afterAll(() => plane?.stop());

const NAMESPACE_LABELS: Record<string, Record<string, string>> = {
  quic: { 'elbv2.k8s.aws/quic-server-id-inject': 'enabled' },
  ready: { 'elbv2.k8s.aws/pod-readiness-gate-inject': 'enabled' },
};

function namespaceOf(name: string, labels: Record<string, string> = {}): Ref {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

test('every golden with roles has its permissions tried', () => {
  const withRoles = Object.keys(goldens).filter((name) => goldens[name].some(({ kind }) => kind.endsWith('Role')));
  expect(withRoles.sort()).toEqual(Object.keys(INSTALLATION_RIGHTS).sort());
});

describe.each(Object.entries(goldens))('%s', (_, objects) => {
  // several installations have the same names
  afterAll(() => removeAll(plane.api, objects));

  test('is taken as written', async () => {
    expect(await lacksOfInstallation(plane.api, objects)).toEqual([]);
    count('objects of installations accepted', objects.length);
  });
});

describe.each(Object.entries(INSTALLATION_RIGHTS))('the permissions of %s', (name, rights) => {
  const roles = goldens[name].filter(({ kind }) => /Role(Binding)?$/.test(kind));
  const user = `system:serviceaccount:${rights.serviceAccount.join(':')}`;
  const api = () => plane.api.actingAs(user);

  beforeAll(async () => {
    for (const role of roles) {
      await plane.api.create(role);
    }
    await untilSeen(api(), rights.granted, true);
  });

  // the next installation may have the same service account
  afterAll(async () => {
    await removeAll(plane.api, roles);
    await untilSeen(api(), rights.granted, false);
  });

  test('are those of its table, verb by verb, and no others', async () => {
    const { granted, table, namespaces } = rights;
    const { asked, allowed, otherwise } = await compareRights(api(), granted, table, namespaces);
    expect(otherwise).toEqual([]);
    expect(allowed).toBeGreaterThan(granted.length);
    expect(asked).toBeGreaterThan(allowed);
    count('permissions asked for', asked);
  });

  test('are none to become somebody else, nor to read the secrets of others', async () => {
    const secrets = rights.foreignSecrets.flatMap((namespace) =>
      ['get', 'list', 'watch'].map((verb) => ({ verb, group: '', resource: 'secrets', namespace })),
    );
    const asked = [...NEVER_ALLOWED, ...secrets];
    const answers = await Promise.all(asked.map((right) => mayDo(api(), right)));
    expect(asked.filter((_, index) => answers[index]).map(shown)).toEqual([]);
    count('permissions asked for', asked.length);
  });
});

describe('what the Strimzi operator hands on', () => {
  const roles = goldens['strimzi-1.2'].filter(({ kind }) => /Role(Binding)?$/.test(kind));
  const operator = () => plane.api.actingAs('system:serviceaccount:strimzi:strimzi-cluster-operator');

  beforeAll(async () => {
    for (const role of roles) {
      await plane.api.create(role);
    }
    await untilSeen(operator(), INSTALLATION_RIGHTS['strimzi-1.2'].granted, true);
  });

  afterAll(() => removeAll(plane.api, roles));

  const bindingOf = (kind: string, role: string, namespace?: string): Ref => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    metadata: { name: 'handed-on', namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: 'events', namespace: 'kafka' }],
  });

  test.each([
    ['RoleBinding', 'strimzi-entity-operator', 'kafka'],
    ['ClusterRoleBinding', 'strimzi-kafka-broker', undefined],
    ['ClusterRoleBinding', 'strimzi-kafka-client', undefined],
  ])('a %s of %s in %s it may make for pods', async (kind, role, namespace) => {
    await operator().create(bindingOf(kind, role, namespace), { dryRun: true });
  });

  test.each([
    ['RoleBinding', 'cluster-admin', 'kafka'],
    ['RoleBinding', 'strimzi-entity-operator', 'shop'],
    ['ClusterRoleBinding', 'cluster-admin', undefined],
    ['ClusterRoleBinding', 'strimzi-entity-operator', undefined],
  ])('a %s of %s in %s it may not make', async (kind, role, namespace) => {
    await expect(operator().create(bindingOf(kind, role, namespace), { dryRun: true })).rejects.toThrow(/is forbidden/);
  });
});

const binding = (name: string, props: Partial<TargetGroupBindingProps> = {}): Ref => {
  const chart = new Chart(new App(), 'bindings', { namespace: 'shop' });
  new TargetGroupBinding(chart, 'Binding', {
    name,
    targetGroupArn: 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/echo/0123456789abcdef',
    targetType: NlbTargetType.IP,
    serviceName: 'echo',
    servicePort: 443,
    peers: [{ cidr: '10.0.0.0/8', ports: [8443] }],
    ...props,
  });
  return Testing.synth(chart)[0];
};

describe('the AWS Load Balancer Controller, away', () => {
  const service = (name: string, spec: Body, namespace = 'shop'): Ref => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { selector: { app: 'echo' }, ports: [{ port: 443 }], ...spec },
  });
  const pod = (namespace: string): Ref => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'echo', namespace },
    spec: { containers: [{ name: 'echo', image: 'registry.example/echo:1.4.2' }] },
  });
  const ingress = (namespace: string): Ref => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'echo', namespace },
    spec: { defaultBackend: { service: { name: 'echo', port: { number: 443 } } } },
  });
  const BALANCER = { type: 'LoadBalancer' };
  const CLASSED = { type: 'LoadBalancer', loadBalancerClass: 'service.k8s.aws/nlb' };
  const live = {
    plain: service('live', BALANCER),
    classed: service('live-classed', CLASSED),
    binding: binding('live'),
    freed: binding('freed'),
  };
  const [params, ...others] = objectsIn(
    readFileSync(join(__dirname, 'manifests', 'aws-load-balancer-controller-kinds.yaml'), 'utf8'),
  );
  // all of its kinds, those of its gates among them
  const definitions = synth(
    installed({
      gatewayApiCrds: '1.6.0',
      featureGates: { NLBGatewayAPI: true, GlobalAcceleratorController: true, ALBTargetControlAgent: true },
    }).chart,
  ).filter(({ kind }) => kind === 'CustomResourceDefinition') as Ref[];
  const FINALIZER = 'elbv2.k8s.aws/resources';

  /** Webhooks of a golden, of which nobody answers: there is not even a Service, which to the API server is the same. */
  const configure = async (name: string, refused: Ref) => {
    const configurations = goldens[name].filter(isWebhookConfiguration);
    for (const configuration of configurations) {
      await plane.api.create(configuration);
    }
    await until('the API server to ask the webhooks', () =>
      plane.api.create(refused, { dryRun: true }).then(
        () => false,
        () => true,
      ),
    );
    return configurations;
  };

  beforeAll(async () => {
    expect(definitions.length).toBeGreaterThan(5);
    expect(await lacksOfDefinitions(plane.api, definitions)).toEqual([]);
    count('definitions of the AWS Load Balancer Controller established', definitions.length);
  });

  afterAll(() => removeAll(plane.api, definitions));

  test.each<[string, Ref]>([
    ['addresses', binding('addresses')],
    ['instances', binding('instances', { targetType: NlbTargetType.INSTANCE, nodeLabels: { pool: 'edge' } })],
    ['a named port', binding('named', { servicePort: undefined, servicePortName: 'https', peers: undefined })],
    [
      'another network',
      binding('network', {
        vpcId: 'vpc-0123456789abcdef0',
        multiCluster: true,
        peers: [{ securityGroupId: 'sg-0123456789abcdef0' }],
      }),
    ],
    ...[params, ...others].map((object): [string, Ref] => [object.kind, object]),
  ])('its definitions take %s as written', async (_, object) => {
    expect(await lacksAfterWriting(plane.api, object)).toEqual([]);
    await plane.api.delete(object);
    count('objects accepted');
  });

  test.each<[string, Ref, RegExp]>([
    ['a field that there is not', { ...live.binding, spec: { ...live.binding.spec, vpc: 'x' } }, /unknown field/],
    [
      'a target that is a function',
      { ...live.binding, spec: { ...live.binding.spec, targetType: 'lambda' } },
      /spec.targetType: Unsupported value: "lambda"/,
    ],
    ['no Service', { ...live.binding, spec: { targetType: 'ip' } }, /spec.serviceRef: Required value/],
    [
      'a verification without a trust store',
      {
        ...others[0],
        spec: { listenerConfigurations: [{ protocolPort: 'TLS:443', mutualAuthentication: { mode: 'verify' } }] },
      },
      /trustStore|failed rule/,
    ],
    [
      'a port that is none',
      { ...others[0], spec: { listenerConfigurations: [{ protocolPort: 'TLS:x' }] } },
      /protocolPort/,
    ],
  ])('its definitions refuse %s', async (_, object, said) => {
    await expect(plane.api.create(object, { dryRun: true })).rejects.toThrow(said);
    count('mistakes refused');
  });

  describe('as it is installed by default', () => {
    let configurations: Ref[] = [];

    beforeAll(async () => {
      for (const object of Object.values(live)) {
        const isBinding = object.kind === 'TargetGroupBinding';
        const metadata = { ...object.metadata, ...(isBinding && { finalizers: [FINALIZER] }) };
        await plane.api.create({ ...object, metadata });
      }
      configurations = await configure(CONTROLLER, binding('new'));
    });

    afterAll(async () => {
      await removeAll(plane.api, [...configurations, live.plain, live.classed]);
      await until('the binding to be free', () =>
        plane.api.merge(live.binding, { metadata: { finalizers: null } }).catch(() => undefined),
      );
    });

    test.each<[string, Ref]>([
      ['a Service of type ClusterIP', service('new', { type: 'ClusterIP' })],
      ['a Service that names its class', service('new', CLASSED)],
      ['a Service without a class', service('new', BALANCER)],
      ['a Service of the system', service('new', BALANCER, 'kube-system')],
      ['a pod', pod('shop')],
      ['a pod that would wait for its target', pod('ready')],
      ['a pod of the system', pod('kube-system')],
      ['an Ingress of anybody', ingress('shop')],
    ])('%s can be made', async (_, object) => {
      await plane.api.create(object, { dryRun: true });
      count('writes that went on without the controller');
    });

    test('Services can be edited and deleted', async () => {
      for (const object of [live.plain, live.classed]) {
        await plane.api.merge(object, { metadata: { annotations: { 'example.com/team': 'shop' } } });
        await plane.api.delete(object);
        await until('the Service to go', async () => (await plane.api.find(object)) === undefined);
        count('writes that went on without the controller', 2);
      }
    });

    test('a binding that is deleted can be freed', async () => {
      await plane.api.delete(live.freed);
      expect((await plane.api.get(live.freed)).metadata.deletionTimestamp).toBeDefined();
      await plane.api.merge(live.freed, { metadata: { finalizers: null } });
      await until('the binding to go', async () => (await plane.api.find(live.freed)) === undefined);
      count('writes that went on without the controller', 2);
    });

    test.each<[string, () => Promise<unknown>, RegExp]>([
      [
        'a new binding',
        () => plane.api.create(binding('new'), { dryRun: true }),
        /failed calling webhook "mtargetgroupbinding\.elbv2\.k8s\.aws"/,
      ],
      [
        'a change of a binding',
        () => plane.api.merge(live.binding, { spec: { nodeSelector: null } }),
        /failed calling webhook "mtargetgroupbinding\.elbv2\.k8s\.aws"/,
      ],
      [
        'new parameters',
        () => plane.api.create(params, { dryRun: true }),
        /failed calling webhook "vingressclassparams\.elbv2\.k8s\.aws"/,
      ],
      [
        'a pod that wants a QUIC id',
        () => plane.api.create(pod('quic'), { dryRun: true }),
        /failed calling webhook "quicid\.elbv2\.k8s\.aws"/,
      ],
    ])('%s waits for it', async (_, write, said) => {
      await expect(write()).rejects.toThrow(said);
      count('writes that wait for the controller');
    });
  });

  describe('with the webhook that gives Services their class', () => {
    let configurations: Ref[] = [];

    beforeAll(async () => {
      await plane.api.create(live.plain);
      configurations = await configure(FOR_NLBS, service('new', BALANCER));
    });

    afterAll(() => removeAll(plane.api, configurations));

    test('a Service that wants a class waits for it, and says so', async () => {
      await expect(plane.api.create(service('new', BALANCER), { dryRun: true })).rejects.toThrow(
        /failed calling webhook "mservice\.elbv2\.k8s\.aws"/,
      );
      count('writes that wait for the controller');
    });

    test.each<[string, Ref]>([
      ['a Service of type ClusterIP', service('new', { type: 'ClusterIP' })],
      ['a Service of type NodePort', service('new', { type: 'NodePort' })],
      ['a Service that names its class', service('new', CLASSED)],
      ['a Service of another class', service('new', { ...CLASSED, loadBalancerClass: 'example.com/other' })],
      ['a Service of the system', service('new', BALANCER, 'kube-system')],
    ])('%s can be made', async (_, object) => {
      await plane.api.create(object, { dryRun: true });
      count('writes that went on without the controller');
    });

    test('a Service without a class that was there before can be edited and deleted', async () => {
      await plane.api.merge(live.plain, { metadata: { annotations: { 'example.com/team': 'shop' } } });
      await plane.api.delete(live.plain);
      await until('the Service to go', async () => (await plane.api.find(live.plain)) === undefined);
      count('writes that went on without the controller', 2);
    });
  });
});

describe('examples/platform', () => {
  const { files, said } = runExample('platform');

  test('says nothing on standard error', () => {
    expect(said).toBe('');
  });

  // Kafka resources are accepted in strimzi/installation.test.ts
  test.each(Object.entries(files).sort(([one], [other]) => other.localeCompare(one)))(
    '%s is taken as written',
    async (_, objects) => {
      const own = objects.filter((object) => !isOfStrimzi(object));
      expect(await lacksOfInstallation(plane.api, own)).toEqual([]);
      count('objects of installations accepted', own.length);
    },
  );
});
