import { JsonPatch } from 'cdk8s';
import { AwsLoadBalancerController, NlbTargetType } from '../../../src/controllers';
import { StrimziVersion } from '../../../src/kafka';
import { PortConflictPolicy, SharedLoadBalancerEngine, TenancyIdentity } from '../../../src/tenancy';
import { HAPROXY_ANNOTATION_PREFIXES, HAPROXY_SERVICE_ANNOTATIONS } from '../../../src/tenancy/engines/haproxy/facts';
import { TenantManifests } from '../../../src/tenancy/manifests/tenant-manifests';
import { casesIn, titled } from '../../support/yaml-cases';
import { lockedAsWished } from '../shared/locked';
import { appWith, BY_NAME, fileOf, fixture, quietly, type TenantApp, written } from './tenant-apps';

const service = ({ name = 'db', metadata = '', spec = '', port = 'port: 5432' } = {}) => `apiVersion: v1
kind: Service
metadata: {name: ${name}${metadata}}
spec: {type: LoadBalancer, ports: [{${port}}]${spec}}
`;
const object = (apiVersion: string, kind: string, more = '') =>
  `${service()}---\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: x${more}}\n`;

function said(text: string, ask: Partial<TenantApp> = {}): string {
  return saidOf({ ...ask, url: fileOf(text) });
}

function saidOf(ask: TenantApp): string {
  try {
    const { app } = appWith(ask, lockedAsWished('team-a/db:5432'));
    quietly(() => app.synthYaml());
    return 'nothing';
  } catch (error) {
    return (error as Error).message;
  }
}

interface Case {
  readonly title: string;
  readonly file?: string;
  readonly beside?: string;
  readonly with?: readonly string[];
  readonly says?: string;
}

const CASES: Readonly<Record<string, readonly Case[]>> = casesIn(__dirname, 'refusals.yaml');

const textOf = ({ file, beside }: Case) => file ?? `${service()}---\n${beside}`;

test.each(titled(CASES.refused))('%s', (_, one) => {
  expect(said(textOf(one))).toMatch(new RegExp(one.says as string));
});

describe('annotations of Services of any type', () => {
  const platform = [TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller')];
  const controller = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
  const engine = SharedLoadBalancerEngine.haproxy({ controller });
  const balancer = { engine, platform, portConflict: PortConflictPolicy.FAIL };
  const READ = [
    ...HAPROXY_SERVICE_ANNOTATIONS,
    ...HAPROXY_ANNOTATION_PREFIXES.map((prefix) => `${prefix}check`),
    'server-ssl-verify',
  ];
  const headless = (keys: readonly string[]) => {
    const annotations = keys.map((key) => `${key}: "1"`).join(', ');
    return `${service()}---\n${service({ name: 'x', metadata: `, annotations: {${annotations}}` }).replace('LoadBalancer', 'ClusterIP')}`;
  };

  test('that HAProxy reads are refused as by the API server', () => {
    expect(
      said(headless([...READ, 'checksum', 'example.com/check', 'ingress.kubernetes.io/affinity']), { balancer }),
    ).toContain(
      `yaml:6: Service x has annotations that reach the configuration of all tenants: ${READ.join(', ')}; remove them; the API server would refuse the Service (tenant-annotation-affects-others)`,
    );
  });

  test.each<[string, string, Partial<TenantApp>]>([
    ['that only look like it', 'checksum', { balancer }],
    ['that HAProxy reads, beside another engine', 'haproxy.org/check', {}],
  ])('%s are the own of a tenant', (_, key, ask) => {
    expect(said(headless([key]), ask)).toBe('nothing');
  });
});

test.each([
  ...titled(CASES.fields).map((row) => [...row, 'tenant-field-wrong-type'] as const),
  ...titled(CASES.rights).map((row) => [...row, 'tenant-object-reserved'] as const),
])('%s are refused by the rule of their kind', (_, one, rule) => {
  const told = said(textOf(one));
  expect(told).toMatch(new RegExp(one.says as string));
  expect(told).toContain(`(${rule})`);
});

test.each(CASES.allowed.map((one) => [textOf(one)]))('allowed: %s', (text) => {
  expect(said(text)).toBe('nothing');
});

const role = (rule: string) => `${object('rbac.authorization.k8s.io/v1', 'Role')}rules: [${rule}]\n`;

test('a role of another kind than the API server takes', () => {
  expect(said(role('{apiGroups: "*", resources: "*", verbs: "*"}'))).toMatch(
    /rules\[0\].apiGroups '\*'.*tenant-field-wrong-type/,
  );
});

test.each(['Service', 'ConfigMap'])('an object twice, once with its namespace: %s', (kind) => {
  const other = kind === 'Service' ? service() : `${service({ name: 'a' })}---\n${object('v1', kind)}`;
  const again =
    kind === 'Service' ? service({ metadata: ', namespace: team-a' }) : object('v1', kind, ', namespace: team-a');
  expect(said(`${other}---\n${again}`)).toMatch(/is in .*yaml:\d+ as well.*\(tenant-object-duplicate\)/);
});

test.each<[string, Partial<TenantApp> & { readonly url: string }, RegExp]>([
  ['an address', { url: 'https://example.com/a.yaml' }, /reads no network.*\(tenant-file-url\)/],
  [
    'a file that is not there',
    { url: 'nowhere.yaml' },
    /nowhere.yaml: it cannot be read: ENOENT.*\(tenant-file-missing\)/,
  ],
  ['a folder', { url: __dirname }, /EISDIR.*\(tenant-file-missing\)/],
  ['a namespace that nobody says', { url: fileOf(service()), bare: true }, /no object has a namespace.*pass tenant/],
  [
    'several namespaces',
    {
      url: fileOf(`${service({ metadata: ', namespace: a' })}---\n${service({ metadata: ', namespace: b' })}`),
      bare: true,
    },
    /the objects are of several namespaces: a, b/,
  ],
  [
    'a namespace that is no tenant',
    { url: fileOf(service()), tenant: 'team-z' },
    /'team-z' is not a tenant.*\(tenant-unknown\)/,
  ],
])('%s', (_, ask, message) => {
  expect(saidOf(ask)).toMatch(message);
});

test('all that is wrong with a file is told at once', () => {
  const message = said(
    `${service({ port: 'port: 53, protocol: UDP' })}---\n${service({ metadata: ', namespace: b' })}`,
  );
  expect(message.split('\n')).toHaveLength(2);
});

const ports51 = Array.from({ length: 51 }, (_, i) => `{name: p${i}, port: ${4000 + i}}`).join(', ');

test.each([
  [PortConflictPolicy.FAIL, /split it into several Services.* by PortConflictPolicy.SHARD/],
  [PortConflictPolicy.SHARD, /split it into several Services, which are placed at several balancers \(/],
])('51 ports are too many for one NLB: %s', (portConflict, remedy) => {
  const told = said(service().replace('{port: 5432}', ports51), { balancer: { portConflict } });
  expect(told).toMatch(/yaml:1: Service db has 51 ports, which stay together.* carries 50; .*\(too-many-ports\)/);
  expect(told).toMatch(remedy);
  expect(told).not.toContain('port-not-in-lock-file');
});

test('50 ports are not too many', () => {
  const text = service().replace('{port: 5432}', ports51.replace(/, [^,]*, [^,]*$/, ''));
  expect(said(text)).not.toContain('which stay together');
});

describe('two files of a tenant', () => {
  const first = fileOf(`# words\n${service()}`);

  test.each([
    [
      'with one Service',
      fileOf(service()),
      /\d+.yaml:1: Service db is in .*\d+.yaml:2 as well, which .* one of the two files/,
    ],
    [
      'with one, once with its namespace',
      fileOf(service({ metadata: ', namespace: team-a' })),
      /tenant-object-duplicate/,
    ],
    ['that are one', first, /Service db is read by tenant\/Manifests already; read the file once/],
  ])('%s', (_, url, message) => {
    const { chart, shared } = appWith({ url: first }, lockedAsWished('team-a/db:5432'));
    expect(() => new TenantManifests(chart, 'Other', { url, shared })).toThrow(message);
  });

  test('with different Services', () => {
    const { app, chart, shared } = appWith({ url: first }, lockedAsWished('team-a/db:5432', 'team-a/web:80'));
    new TenantManifests(chart, 'Other', { url: fileOf(service({ name: 'web', port: 'port: 80' })), shared });
    expect(() => quietly(() => app.synthYaml())).not.toThrow();
  });
});

test('a patch that changes the ports of a shared Service comes too late', () => {
  const { app, manifests } = appWith({ url: fileOf(service()) }, lockedAsWished('team-a/db:5432'));
  manifests.apiObjects[0].addJsonPatch(JsonPatch.replace('/spec/ports/0/port', 5433));
  expect(() => quietly(() => app.synthYaml())).toThrow(
    /other ports or source ranges than its file.*shared-service-patch-conflict/,
  );
});

const strimzi = { kafka: { strimzi: StrimziVersion.V1_2 } };

const ASKS: Readonly<Record<string, Partial<TenantApp>>> = {
  strimzi,
  brokers: { kafka: { strimzi: StrimziVersion.V1_2, nodePools: [{ name: 'p', brokerIds: [0] }] } },
  byName: { balancer: { engine: BY_NAME } },
  nameless: { balancer: { hostname: undefined } },
  asRequested: { balancer: { portConflict: PortConflictPolicy.FAIL } },
};

test.each(titled(CASES.kafka))('a Kafka %s', (_, one) => {
  const asks = (one.with ?? []).map((name) => ASKS[name]);
  expect(said(textOf(one), Object.assign({}, ...asks))).toMatch(new RegExp(one.says as string));
});

test('a port that is not locked is told alone, not what follows from it', () => {
  const message = saidOf({ url: fixture('kafka.yaml'), ...strimzi });
  expect(message).toMatch(/team-a\/events-brokers-outside-0:9094.*\(port-not-in-lock-file\)/);
  expect(message).not.toContain('listener-advertised-address-duplicate');
});

test.each(titled(CASES.surprising))('%s is no fault, and is told where it may surprise', (_, one) => {
  const { documents, told } = written({ url: fileOf(textOf(one)) });
  expect(told).toMatch(one.says === undefined ? /^$/ : new RegExp(one.says, 's'));
  expect(documents.at(-1)?.metadata.name ?? '').not.toBe('');
});

test('the flag of tcp-services is no fault of another ingress controller', () => {
  const text = `${object('apps/v1', 'Deployment')}spec: {args: [--tcp-services-configmap=a/b], image: other}\n`;
  expect(said(text)).not.toContain('ingress-nginx');
});

test('an engine of another kind has kinds of its own that tenants cannot have', () => {
  const engine = SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'] });
  const text = object('elbv2.k8s.aws/v1beta1', 'TargetGroupBinding');
  expect(said(text, { balancer: { engine } })).toContain('tenant-object-reserved');
  expect(said(text, { balancer: { engine: BY_NAME } })).not.toContain('tenant-object-reserved');
});
