import { JsonPatch } from 'cdk8s';
import { AwsLoadBalancerController, NlbTargetType } from '../../../src/controllers';
import { StrimziVersion } from '../../../src/kafka';
import { PortConflictPolicy, SharedLoadBalancerEngine, TenancyIdentity } from '../../../src/tenancy';
import { HAPROXY_ANNOTATION_PREFIXES, HAPROXY_SERVICE_ANNOTATIONS } from '../../../src/tenancy/engines/haproxy/facts';
import { TenantManifests } from '../../../src/tenancy/manifests/tenant-manifests';
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

test.each<[string, string, RegExp]>([
  ['an indentation that is none', 'a: 1\n  b: 2\n', /\.yaml:\d: it is not valid YAML: .*\(tenant-file-yaml\)/],
  [
    'marks of a merge',
    `<<<<<<< HEAD\n${service()}=======\n${service()}>>>>>>> other\n`,
    /^[^\n]*yaml:1: a merge left <<<<<<<; keep.*\(tenant-file-merge\)\n[^\n]*yaml:11: a merge left >>>>>>>[^\n]*$/,
  ],
  ['marks of a merge with a base', `${service()}||||||| base\r\n`, /yaml:5: a merge left \|{7};/],
  [
    'a Service of another group',
    service().replace('v1', 'serving.knative.dev/v1'),
    /it holds no Service of v1, and db is one of serving.knative.dev\/v1; /,
  ],
  ['a key twice', `${service()}kind: Service\n`, /yaml:5: the key kind is in one map twice; keep one.*put `---`/],
  ['a template', 'kind: {{ .Values.kind }}\n', /yaml:1: a key is not a string, as in a template/],
  ['a loop of a template', '{{- range .Values.ports }}\na: b\n{{- end }}\n', /yaml:1: .*template/],
  ['a template in a name', service({ name: '"{{ .Release.Name }}-db"' }), /'\{\{ .Release.Name \}\}-db', a template/],
  ['a space that is a letter', 'kind: Service\n\u00a0\u00a0name: db\n', /yaml:2: .*space that YAML takes for a letter/],
  [
    'a number that is too long',
    'kind: X\nn: 12345678901234567890\n',
    /yaml:2: 12345678901234567890 is a number that JSON/,
  ],
  ['a control character', 'kind: X\nname: a\u001bb\n', /yaml:2: it holds the control character .*\(tenant-file-yaml\)/],
  ['an anchor that holds itself', 'a: &a {b: *a}\n', /yaml:1: the anchor a holds itself; write the values out/],
  [
    'a name that would begin a line of its own',
    object('v1', 'Namespace').replace('name: x', 'name: "x\\nerror: none"'),
    /Namespace x\\u000aerror: none is /,
  ],
  ['an unknown anchor', 'kind: *nobody\n', /yaml:1: .*\(tenant-file-yaml\)/],
  ['an unknown tag', 'kind: !Ref x\n', /yaml:1: .*\(tenant-file-yaml\)/],
  ['a document that is a list', '- a\n', /yaml:1: a document is not an object of Kubernetes.*\(tenant-file-object\)/],
  [
    'an object without a kind',
    'apiVersion: v1\nmetadata: {name: x}\n',
    /yaml:1: an object has no kind that is a string/,
  ],
  ['an object without a version', `${service()}---\nkind: A\nmetadata: {name: x}\n`, /yaml:6: .*no apiVersion/],
  [
    'an API version of three parts',
    'apiVersion: a/b/c\nkind: A\nmetadata: {name: x}\n',
    /'a\/b\/c' is not a valid API version/,
  ],
  [
    'a name that is made',
    object('batch/v1', 'Job').replace('name: x', 'generateName: x'),
    /yaml:6: a Job has generateName/,
  ],
  ['a name that is a number', service({ name: '1' }), /a Service has no metadata.name that is a string/],
  ['a file of comments', '# nothing\n---\n', /no Service of type LoadBalancer to share: it holds no object.*Include/],
  [
    'a file without a LoadBalancer',
    'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: 1}]}\n',
    /to share: it holds a of type ClusterIP; .*\(tenant-file-without-services\)/,
  ],
  ['two Services of one name', `${service()}---\n${service()}`, /yaml:6: Service db is in .*yaml:1 as well/],
  [
    'another namespace',
    service({ metadata: ', namespace: team-b' }),
    /Service db is in namespace 'team-b', and the tenant is 'team-a'/,
  ],
  ...[
    '',
    ', labels: {cdk8s-load-balancers/tenant: "true"}',
    ', annotations: {cdk8s-load-balancers/ports: 1-65535}',
  ].map((more): [string, string, RegExp] => [
    `its namespace${more}`,
    object('v1', 'Namespace', more).replace('name: x', 'name: team-a'),
    /Namespace team-a is of a kind that decides .* which namespaces are tenants.*the platform makes the namespaces.*\(tenant-reserved\)/,
  ]),
  ...[
    ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization'],
    ['helm.toolkit.fluxcd.io/v2', 'HelmRelease'],
    ['fluxcd.controlplane.io/v1', 'ResourceSet'],
    ['argoproj.io/v1alpha1', 'Application'],
    ['argoproj.io/v1alpha1', 'ApplicationSet'],
    ['argoproj.io/v1alpha1', 'AppProject'],
    ['helm.cattle.io/v1', 'HelmChart'],
    ['helm.cattle.io/v1', 'HelmChartConfig'],
    ['k3s.cattle.io/v1', 'Addon'],
    ['fleet.cattle.io/v1alpha1', 'GitRepo'],
  ].map(([apiVersion, kind]): [string, string, RegExp] => [
    `an order to a delivery tool: ${kind}`,
    object(apiVersion, kind),
    new RegExp(
      `yaml:6: ${kind} x is of a kind that has a delivery tool apply further manifests.*\\(tenant-reserved\\)`,
    ),
  ]),
  ...[
    'apiVersion: v1\nkind: Endpoints\nmetadata: {name: db}\nsubsets: [{addresses: [{ip: 10.0.0.1}], ports: [{port: 5432}]}]\n',
    'apiVersion: v1\nkind: Endpoints\nmetadata: {name: db}\nsubsets: [{notReadyAddresses: [{ip: 10.0.0.1}]}]\n',
    'apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: db}\nendpoints: [{addresses: [10.0.0.1]}]\n',
  ].map((text): [string, string, RegExp] => [
    `addresses of others: ${text.split('\n')[1]}`,
    `${service()}---\n${text}`,
    /yaml:6: Endpoint(s|Slice) db is of a kind that leads a Service to any address.*select its pods \(tenant-reserved\)/,
  ]),
  [
    'a Gateway',
    object('gateway.networking.k8s.io/v1', 'Gateway'),
    /yaml:6: Gateway x .*made of the Services.*\(tenant-reserved\)/,
  ],
  ['a ListenerSet', object('gateway.networking.k8s.io/v1', 'ListenerSet'), /tenant-reserved/],
  ...['{kind: ListenerSet, name: db}', '{namespace: infra, name: shared}'].map((parent): [string, string, RegExp] => [
    `an HTTPRoute at ${parent}`,
    `${object('gateway.networking.k8s.io/v1', 'HTTPRoute')}spec: {parentRefs: [${parent}]}\n`,
    /HTTPRoute x is of a kind that attaches to what tenants share.*tenant-reserved/,
  ]),
  ['a TCPRoute', object('gateway.networking.k8s.io/v1alpha2', 'TCPRoute'), /tenant-reserved/],
  ['an XListenerSet', object('gateway.networking.x-k8s.io/v1alpha1', 'XListenerSet'), /tenant-reserved/],
  ['a TargetGroupBinding', object('elbv2.k8s.aws/v1beta1', 'TargetGroupBinding'), /tenant-reserved/],
  ['an accelerator of any balancer', object('aga.k8s.aws/v1beta1', 'GlobalAccelerator'), /tenant-reserved/],
  ['a ResourceQuota', object('v1', 'ResourceQuota'), /ResourceQuota x is of a kind that limits tenants/],
  [
    'a policy',
    object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy'),
    /limits tenants.*tenant-reserved/,
  ],
  [
    'one in a List',
    `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ResourceQuota\n  metadata: {name: q}\n`,
    /yaml:4: ResourceQuota q/,
  ],
  [
    'tcp-services',
    `${service()}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: tcp-services}\ndata: {"5432": "a/db:5432"}\n`,
    /ConfigMap tcp-services .*retired.*\(ingress-nginx-retired\)/,
  ],
  [
    'the flag of tcp-services',
    `${object('apps/v1', 'Deployment')}spec: {template: {spec: {containers: [{image: ingress-nginx/controller, args: [--tcp-services-configmap=a/b]}]}}}\n`,
    /Deployment x forwards TCP as ingress-nginx does/,
  ],
  [
    'UDP',
    service({ port: 'port: 53, protocol: UDP' }),
    /port 53 of protocol UDP.*file of its own.*\(tenant-protocol\)/,
  ],
  ['SCTP', service({ port: 'port: 53, protocol: SCTP' }), /tenant-protocol/],
  [
    'a protocol that Kubernetes does not know',
    service({ port: 'port: 8161, protocol: http' }),
    /port '?8161'? of protocol 'http', which Kubernetes does not know; write TCP/,
  ],
  [
    'a port without a number',
    service({ port: 'name: amqp' }),
    /Service db has a port without a number; write a number/,
  ],
  ['no ports', service().replace('{port: 5432}', ''), /Service db has no ports/],
  ['a port in quotes', service({ port: 'port: "5432"' }), /Service db has the port '5432'/],
  ['port 0', service({ port: 'port: 0' }), /tenant-port/],
  ['a headless one', service({ spec: ', clusterIP: None' }), /tenant-headless/],
  [
    'source ranges, where the engine has none',
    service({ spec: ', loadBalancerSourceRanges: [10.0.0.0/8]' }),
    /10\.0\.0\.0\/8.*engine-cannot-enforce/,
  ],
  [
    'a port that is not locked',
    service({ name: 'cache', port: 'port: 6379' }),
    /team-a\/cache:6379.*\(port-unlocked\)/,
  ],
])('%s', (_, text, message) => {
  expect(said(text)).toMatch(message);
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
      `yaml:6: Service x has annotations that reach the configuration of all tenants: ${READ.join(', ')}; remove them; the API server would refuse the Service (tenant-annotation)`,
    );
  });

  test.each<[string, string, Partial<TenantApp>]>([
    ['that only look like it', 'checksum', { balancer }],
    ['that HAProxy reads, beside another engine', 'haproxy.org/check', {}],
  ])('%s are the own of a tenant', (_, key, ask) => {
    expect(said(headless([key]), ask)).toBe('nothing');
  });
});

test.each<[string, string, RegExp]>([
  [
    'source ranges',
    service({ spec: ', loadBalancerSourceRanges: 10.0.0.0/8' }),
    /yaml:1: Service db has spec.loadBalancerSourceRanges '10.0.0.0\/8', which.*write a list/,
  ],
  ['a source range', service({ spec: ', loadBalancerSourceRanges: [""]' }), /loadBalancerSourceRanges\[0\] ''.*prefix/],
  ['a source range of nothing', service({ spec: ', loadBalancerSourceRanges: [~]' }), /SourceRanges\[0\] null/],
  ['ports', service().replace('[{port: 5432}]', '{port: 5432}'), /spec.ports \{"port":5432\}.*write a list/],
  ['a port', service().replace('[{port: 5432}]', '[{port: 5432}, 80]'), /spec.ports\[1\] 80.*write a map/],
  ['a protocol', service({ port: 'port: 5432, protocol: 6' }), /spec.ports\[0\].protocol 6.*write a string/],
  ['annotations', service({ metadata: ', annotations: [a]' }), /metadata.annotations \["a"\].*write a map/],
  ['an annotation', service({ metadata: ', annotations: {a: [b]}' }), /metadata.annotations\['a'\] \["b"\]/],
  ['labels', service({ metadata: ', labels: x' }), /metadata.labels 'x'/],
  ['finalizers', service({ metadata: ', finalizers: x' }), /metadata.finalizers 'x'/],
  ['annotations of another object', object('v1', 'Secret', ', annotations: [a]'), /yaml:6: Secret x has metadata.ann/],
])('%s of another kind than the API server takes', (_, text, message) => {
  const told = said(text);
  expect(told).toMatch(message);
  expect(told).toContain('(tenant-field)');
});

const RBAC = 'rbac.authorization.k8s.io/v1';
const role = (rule: string, kind = 'Role') => `${object(RBAC, kind)}rules: [${rule}]\n`;
const binding = (roleRef: string, kind = 'RoleBinding') => `${object(RBAC, kind)}roleRef: {${roleRef}}\nsubjects: []\n`;

test.each<[string, string, RegExp]>([
  [
    'stars',
    role('{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}'),
    /yaml:6: Role x: a tenant who may \* \* of '\*' can/,
  ],
  [
    'Gateways',
    role('{apiGroups: [gateway.networking.k8s.io], resources: [gateways], verbs: [create]}'),
    /write gateways/,
  ],
  ['listeners', role('{apiGroups: [gateway.networking.k8s.io], resources: ["*"], verbs: [patch]}'), /Role x/],
  ['status', role('{apiGroups: [""], resources: [services/status], verbs: [update]}', 'ClusterRole'), /ClusterRole x/],
  [
    'dangerous kinds',
    role('{apiGroups: [elbv2.k8s.aws], resources: [targetgroupbindings], verbs: [create]}'),
    /Role x/,
  ],
  ['exceptions', role('{apiGroups: [kyverno.io], resources: [policyexceptions], verbs: [create]}'), /policyexceptions/],
  [
    'rights of others',
    role('{apiGroups: [rbac.authorization.k8s.io], resources: [roles], verbs: [escalate]}'),
    /escalate/,
  ],
  [
    'addresses of others',
    role('{apiGroups: [discovery.k8s.io], resources: [endpointslices], verbs: [create]}'),
    /write endpointslices; leave it out \(/,
  ],
  [
    'addresses of others, in every namespace',
    role('{apiGroups: [""], resources: [endpoints], verbs: [create]}', 'ClusterRole'),
    /ClusterRole x: .*write endpoints; leave it out \(/,
  ],
  [
    'addresses of others, by a star',
    role('{apiGroups: ["*"], resources: [endpoints], verbs: [create]}'),
    /instead of stars/,
  ],
  [
    'orders to a delivery tool',
    role('{apiGroups: [argoproj.io], resources: [applications], verbs: [create]}'),
    /can write applications/,
  ],
  ['everything', binding('kind: ClusterRole, name: cluster-admin'), /RoleBinding x gives the rights of cluster-admin/],
  ['all of it', binding('kind: ClusterRole, name: cluster-admin', 'ClusterRoleBinding'), /ClusterRoleBinding x gives/],
  ...['{clusterRoleSelectors: [{matchLabels: {kubernetes.io/bootstrapping: rbac-defaults}}]}', '{}'].map(
    (rule): [string, string, RegExp] => [
      `what other roles have, by ${rule}`,
      `${object(RBAC, 'ClusterRole')}aggregationRule: ${rule}\n---\n${binding('kind: ClusterRole, name: x').split('---\n')[1]}`,
      /yaml:6: ClusterRole x has an aggregationRule.*cluster-admin; write rules that name groups/,
    ],
  ),
  [
    'a policy',
    object('kyverno.io/v1', 'ClusterPolicy'),
    /ClusterPolicy x is of a kind that has a controller of the platf/,
  ],
  ['an exception', object('kyverno.io/v2', 'PolicyException'), /PolicyException x/],
  ['a constraint', object('constraints.gatekeeper.sh/v1beta1', 'K8sAllowed'), /K8sAllowed x/],
  ['a hook', object('metacontroller.k8s.io/v1alpha1', 'DecoratorController'), /DecoratorController x/],
])('a tenant hands itself no rights by its file: %s', (_, text, message) => {
  const told = said(text);
  expect(told).toMatch(message);
  expect(told).toContain('(tenant-reserved)');
});

test.each([
  role('{apiGroups: ["*"], resources: ["*"], verbs: [get, list, watch]}'),
  role('{apiGroups: [apps], resources: ["*"], verbs: ["*"]}'),
  role('{nonResourceURLs: [/metrics], verbs: [get]}', 'ClusterRole'),
  role('{apiGroups: ~, resources: ~, verbs: ~}'),
  binding('kind: ClusterRole, name: view'),
  role('{apiGroups: [argoproj.io], resources: [rollouts, workflows], verbs: ["*"]}'),
  role('{apiGroups: [""], resources: [endpoints], verbs: [create, get, patch, update, list, watch, deletecollection]}'),
])('other rights are no fence', (text) => {
  expect(said(text)).toBe('nothing');
});

test('a role of another kind than the API server takes', () => {
  expect(said(role('{apiGroups: "*", resources: "*", verbs: "*"}'))).toMatch(/rules\[0\].apiGroups '\*'.*tenant-field/);
});

test.each([
  service({ port: 'port: 5432, protocol: ~' }),
  service({ spec: ', loadBalancerSourceRanges: ~', metadata: ', annotations: ~, finalizers: ~, labels: ~' }),
])('nothing is of each kind', (text) => {
  expect(said(text)).toBe('nothing');
});

test.each(['Service', 'ConfigMap'])('an object twice, once with its namespace: %s', (kind) => {
  const other = kind === 'Service' ? service() : `${service({ name: 'a' })}---\n${object('v1', kind)}`;
  const again =
    kind === 'Service' ? service({ metadata: ', namespace: team-a' }) : object('v1', kind, ', namespace: team-a');
  expect(said(`${other}---\n${again}`)).toMatch(/is in .*yaml:\d+ as well.*\(tenant-object-twice\)/);
});

test.each<[string, Partial<TenantApp> & { readonly url: string }, RegExp]>([
  ['an address', { url: 'https://example.com/a.yaml' }, /reads no network.*\(tenant-file-address\)/],
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
  expect(told).not.toContain('port-unlocked');
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
    ['with one, once with its namespace', fileOf(service({ metadata: ', namespace: team-a' })), /tenant-object-twice/],
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
    /other ports or source ranges than its file.*shared-service-patched/,
  );
});

const kafka = (listener: string, more = '') => `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: events}
spec: {kafka: {listeners: ${listener}${more}}}
`;
const OUTSIDE = '[{name: outside, port: 9094, type: loadbalancer, tls: false}]';
const strimzi = { kafka: { strimzi: StrimziVersion.V1_2 } };

describe('a Kafka', () => {
  test.each<[string, string, Partial<TenantApp>, RegExp]>([
    [
      'of an unknown operator',
      kafka(OUTSIDE),
      {},
      /the version of its operator is unknown.*kafka: \{ strimzi: StrimziVersion.V1_2 \}/,
    ],
    [
      'with listeners of old',
      kafka('{external: {type: loadbalancer}}'),
      strimzi,
      /listeners as a map.*tenant-kafka-old/,
    ],
    [
      'without TLS, by name',
      kafka(OUTSIDE),
      { ...strimzi, balancer: { engine: BY_NAME } },
      /'outside' without TLS.*tenant-kafka-tls/,
    ],
    [
      'without a host name',
      kafka(OUTSIDE),
      { ...strimzi, balancer: { hostname: undefined } },
      /need a name to advertise.*hostname/,
    ],
    [
      'where ports are those that are asked for',
      kafka(OUTSIDE),
      { ...strimzi, balancer: { portConflict: PortConflictPolicy.FAIL } },
      /whose brokers each need a port of their own.*REMAP.*tenant-kafka-ports/,
    ],
    [
      'whose brokers nobody knows',
      kafka(OUTSIDE),
      strimzi,
      /yaml:1: .*the ids of its brokers are unknown.*\(tenant-kafka\)/,
    ],
    [
      'with two listeners of one name',
      kafka(OUTSIDE.replace(']', ', {name: outside, port: 9095, type: loadbalancer, tls: true}]')),
      strimzi,
      /has listener 'outside' twice.*tenant-kafka-listener/,
    ],
    ...(
      [
        ['loadBalancerSourceRanges: 10.0.0.0/8', /listener 'outside' has configuration.loadBalancerSourceRanges '10/],
        ['loadBalancerSourceRanges: [[10.0.0.0/8]]', /configuration.loadBalancerSourceRanges\[0\] \["10.0.0.0\/8"\]/],
        ['brokers: {broker: 0}', /configuration.brokers \{"broker":0\}/],
        ['bootstrap: {annotations: [a]}', /configuration.bootstrap.annotations \["a"\]/],
        ['brokers: [{broker: 0, annotations: a}]', /configuration.brokers\[0\].annotations 'a'/],
      ] as [string, RegExp][]
    ).map(([word, message]): [string, string, Partial<TenantApp>, RegExp] => [
      `with ${word}`,
      kafka(OUTSIDE.replace('tls: false', `tls: false, configuration: {${word}}`)),
      strimzi,
      message,
    ]),
    [
      'with a name that is too long for DNS',
      kafka(OUTSIDE.replace('false', 'true')).replace('name: events', `name: ${'e'.repeat(60)}`),
      {
        kafka: { strimzi: StrimziVersion.V1_2, nodePools: [{ name: 'p', brokerIds: [0] }] },
        balancer: { engine: BY_NAME },
      },
      /tenant-kafka-host/,
    ],
  ])('%s', (_, text, ask, message) => {
    expect(said(text, ask)).toMatch(message);
  });
});

test('a port that is not locked is told alone, not what follows from it', () => {
  const message = saidOf({ url: fixture('kafka.yaml'), ...strimzi });
  expect(message).toMatch(/team-a\/events-brokers-outside-0:9094.*\(port-unlocked\)/);
  expect(message).not.toContain('listener-advertised-twice');
});

test.each<[string, string, RegExp | undefined]>([
  [
    'a Role of pods that elect their leader in Endpoints',
    role('{apiGroups: [""], resources: [endpoints, configmaps], verbs: [get, patch, update]}'),
    /Role x .* lets its subjects write endpoints.*Patroni: use_endpoints false/s,
  ],
  ['a Role that reads them', role('{apiGroups: [""], resources: [endpoints], verbs: [get, list, watch]}'), undefined],
  ['Endpoints without addresses', `${object('v1', 'Endpoints')}subsets: []\n`, undefined],
  ['an Argo Rollout', object('argoproj.io/v1alpha1', 'Rollout'), undefined],
  [
    'an Ingress of a cloud',
    `${object('networking.k8s.io/v1', 'Ingress')}spec: {ingressClassName: alb}\n`,
    /Ingress x .* has the class alb, of which its controller makes a load balancer of the tenant's own/,
  ],
  [
    'one that says so by an older annotation',
    object('networking.k8s.io/v1', 'Ingress', ', annotations: {kubernetes.io/ingress.class: gce-internal}'),
    /has the class gce-internal/,
  ],
  [
    'one of a class of another name',
    `${object('networking.k8s.io/v1', 'Ingress', ', annotations: {alb.ingress.kubernetes.io/scheme: internal}')}spec: {ingressClassName: web}\n`,
    /has the annotation alb\.ingress/,
  ],
  [
    'an Ingress of a proxy that all share',
    `${object('networking.k8s.io/v1', 'Ingress')}spec: {ingressClassName: nginx}\n`,
    undefined,
  ],
  ...[
    ['elbv2.aws.upbound.io/v1beta1', 'LB'],
    ['elb.aws.upbound.io/v1beta1', 'ELB'],
    ['elbv2.services.k8s.aws/v1alpha1', 'LoadBalancer'],
    ['network.azure.com/v1api20201101', 'LoadBalancer'],
    ['compute.cnrm.cloud.google.com/v1beta1', 'ComputeForwardingRule'],
  ].map(([apiVersion, kind]): [string, string, RegExp] => [
    `${kind} of ${apiVersion}`,
    object(apiVersion, kind),
    new RegExp(`${kind} x .* is of kind ${kind}.*load balancer of the tenant's own`),
  ]),
  ['a namespace that says nothing', object('v1', 'ConfigMap', ', namespace: '), undefined],
  ['a namespace that is empty', object('v1', 'ConfigMap', `, namespace: ''`), undefined],
])('%s is no fault, and is told where it may surprise', (_, text, warning) => {
  const { documents, told } = written({ url: fileOf(text) });
  if (warning) {
    expect(told).toMatch(warning);
  } else {
    expect(told).toBe('');
  }
  expect(documents.at(-1)?.metadata.name ?? '').not.toBe('');
});

test('the flag of tcp-services is no fault of another ingress controller', () => {
  const text = `${object('apps/v1', 'Deployment')}spec: {args: [--tcp-services-configmap=a/b], image: other}\n`;
  expect(said(text)).not.toContain('ingress-nginx');
});

test('an engine of another kind has kinds of its own that tenants cannot have', () => {
  const engine = SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'] });
  const text = object('elbv2.k8s.aws/v1beta1', 'TargetGroupBinding');
  expect(said(text, { balancer: { engine } })).toContain('tenant-reserved');
  expect(said(text, { balancer: { engine: BY_NAME } })).not.toContain('tenant-reserved');
});
