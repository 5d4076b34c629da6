import type { Body, Ref } from '../../real/api';
import type { Subject } from '../harness/mutants';

// Right objects of every kind that rules speak of for the API server, and the values that are written into their fields, right
// and wrong ones.

const metadata = (name: string, more: Body = {}) => ({ name, namespace: 'default', ...more });

const NAMES = ['a', 'web-1', '1web', 'Web', 'web_1', 'web.eu', '', 'a'.repeat(63), 'a'.repeat(64)];
const PORTS = [1, 80, 443, 8443, 65535, 0, -1, 65536, '80', 1.5, null];
const LABELS = [
  {},
  { app: 'web' },
  { app: '' },
  { app: 'not right' },
  { 'a/b/c': 'web' },
  { app: 5 },
  { app: true },
  null,
];
const KEYS = ['kubernetes.io/x', 'x', 'A/b', 'a/b/c', '-x', '', 'example.com/', `${'a'.repeat(64)}`, 'http_2'];

const METADATA_VALUES = {
  'metadata/name': NAMES,
  'metadata/labels': LABELS,
  'metadata/annotations': [{ 'example.com/a': 'b' }, { 'example.com/a': 5 }, { 'a b': 'c' }, { 'a/b/c': '' }, null],
  'metadata/finalizers': [[], ['example.com/a'], ['a'], ['foregroundDeletion'], ['a/b/c'], [5], null],
};

const SERVICE_VALUES = {
  ...METADATA_VALUES,
  'spec/type': ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName', 'Loadbalancer', '', null],
  'spec/ports': [[], null, [{ port: 80 }], [{ port: 80 }, { port: 81 }]],
  'spec/ports/*/port': PORTS,
  'spec/ports/*/targetPort': [...PORTS, 'http', 'http-metrics-port', 'HTTP', '8080', 'a--b', ''],
  'spec/ports/*/name': ['http', 'other', 'http', 'HTTP', 'a_b', '', '9', 'a'.repeat(63), 'a'.repeat(64)],
  'spec/ports/*/protocol': ['TCP', 'UDP', 'SCTP', 'tcp', 'HTTP', '', null],
  'spec/ports/*/appProtocol': KEYS,
  'spec/ports/*/nodePort': [0, 30080, 30080, 32767, -1, 65536, '30080', null],
  'spec/selector': LABELS,
  'spec/clusterIP': ['None', '', 'none', '10.0.0', 'fd00::1', null],
  'spec/clusterIPs': [[], ['None'], ['10.0.0'], ['None', 'None'], null],
  'spec/externalIPs': [
    [],
    ['203.0.113.7'],
    ['203.0.113'],
    ['127.0.0.1'],
    ['0.0.0.0'],
    ['169.254.1.1'],
    ['224.0.0.1'],
    ['::'],
  ],
  'spec/externalName': ['db.example.com', 'DB.example.com', 'db_1', '', 'db.example.com.', '10.0.0.1'],
  'spec/externalTrafficPolicy': ['Local', 'Cluster', 'local', '', null],
  'spec/internalTrafficPolicy': ['Local', 'Cluster', 'local', '', null],
  'spec/trafficDistribution': ['PreferClose', 'PreferSameZone', 'PreferSameNode', 'preferClose', '', null],
  'spec/sessionAffinity': ['None', 'ClientIP', 'clientIP', '', null],
  'spec/sessionAffinityConfig': [
    { clientIP: { timeoutSeconds: 100 } },
    { clientIP: { timeoutSeconds: 0 } },
    { clientIP: { timeoutSeconds: 86_400 } },
    { clientIP: { timeoutSeconds: 86_401 } },
    { clientIP: {} },
    {},
    null,
  ],
  'spec/loadBalancerIP': ['203.0.113.7', '203.0.113', '', null],
  'spec/loadBalancerClass': ['example.com/lb', 'lb', 'a/b/c', '-lb', '', null],
  'spec/loadBalancerSourceRanges': [
    [],
    ['10.0.0.0/8'],
    ['10.0.0.0'],
    ['10.0.0.1/8'],
    [' 10.0.0.0/8 '],
    ['10.0.0.0/33'],
    ['010.0.0.0/8'],
    ['fd00::/8'],
    [''],
  ],
  'spec/allocateLoadBalancerNodePorts': [true, false, 'true', null],
  'spec/healthCheckNodePort': [0, 30_500, -1, 65_536, null],
  'spec/publishNotReadyAddresses': [true, false, 'true', null],
  'spec/ipFamilies': [
    [],
    ['IPv4'],
    ['IPv6'],
    ['IPv4', 'IPv4'],
    ['IPv4', 'IPv6'],
    ['ipv4'],
    ['IPv4', 'IPv6', 'IPv4'],
    null,
  ],
  'spec/ipFamilyPolicy': ['SingleStack', 'PreferDualStack', 'RequireDualStack', 'Dual', '', null],
};

const service = (spec: Body, more: Body = {}): Ref => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metadata('web', { labels: { app: 'web' }, ...more }),
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }], ...spec },
});

const SERVICES: Readonly<Record<string, Ref>> = {
  'a Service of a load balancer': service(
    {
      type: 'LoadBalancer',
      loadBalancerClass: 'example.com/lb',
      loadBalancerSourceRanges: ['10.0.0.0/8'],
      externalTrafficPolicy: 'Local',
      ports: [
        { name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' },
        { name: 'https', port: 443, targetPort: 8443, appProtocol: 'https' },
      ],
    },
    { annotations: { 'example.com/scheme': 'internal' }, finalizers: ['example.com/lb'] },
  ),
  'a Service of node ports': service({ type: 'NodePort', sessionAffinity: 'ClientIP' }),
  'a Service of the cluster': service({ type: 'ClusterIP', internalTrafficPolicy: 'Cluster' }),
  'a headless Service': service({ clusterIP: 'None', publishNotReadyAddresses: true }),
  'a Service without a type': service({ ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] }),
  'a Service of a name elsewhere': { ...service({}), spec: { type: 'ExternalName', externalName: 'db.example.com' } },
};

const deployment: Ref = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: metadata('web'),
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web', tier: 'front' } },
      spec: {
        tolerations: [{ key: 'example.com/edge', operator: 'Equal', value: 'yes', effect: 'NoSchedule' }],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'example.com/edge', operator: 'In', values: ['yes'] }] }],
            },
          },
        },
        containers: [{ name: 'web', image: 'web:1', ports: [{ name: 'http', containerPort: 8080 }] }],
      },
    },
  },
};

const POD = 'spec/template/spec';
const EXPRESSION = `${POD}/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/*/matchExpressions/*`;

/** What rules read of a workload is what a Service needs of it: the rest is not theirs to check. */
const DEPLOYMENT_VALUES = {
  'spec/selector/matchLabels': [{ app: 'web' }, { app: 'other' }, { app: 'web', tier: 'front' }, { tier: 'back' }],
  'spec/template/metadata/labels': [{ app: 'web' }, { app: 'other' }, { tier: 'front' }],
  [`${POD}/containers/*/ports/*/containerPort`]: [80, 8080, 65535, 0, -1, 65536],
  [`${POD}/containers/*/ports/*/name`]: ['http', 'HTTP', 'a--b', '80', 'a-name-of-16-cha', 'a_b', 'x1'],
  [`${POD}/tolerations/*/operator`]: ['Equal', 'Exists', 'exists', 'In'],
  [`${POD}/tolerations/*/key`]: KEYS,
  [`${POD}/tolerations/*/value`]: ['', 'yes', 'not right', 'a'.repeat(64)],
  [`${POD}/tolerations/*/effect`]: ['NoSchedule', 'PreferNoSchedule', 'NoExecute', '', 'noSchedule'],
  [`${EXPRESSION}/operator`]: ['In', 'NotIn', 'Exists', 'DoesNotExist', 'in', 'Equal'],
  [`${EXPRESSION}/values`]: [[], ['yes'], ['yes', 'no']],
  [`${EXPRESSION}/key`]: KEYS,
};

const GATEWAY_API = 'gateway.networking.k8s.io/v1';

const LISTENER_VALUES = {
  'spec/listeners': [[], null, {}],
  'spec/listeners/*/name': ['tcp', 'tls', 'TCP', 'a_b', 'a.b', '', 'a'.repeat(254)],
  'spec/listeners/*/port': [443, 5432, 65535, 0, -1, 65536, '443'],
  'spec/listeners/*/protocol': ['TCP', 'TLS', 'HTTPS', 'HTTP', 'UDP', 'tcp', 'QUIC', 'example.com/quic', ''],
  'spec/listeners/*/hostname': ['web.example.com', '*.example.com', '*', 'Web.example.com', '10.0.0.1', '', 'a_b'],
  'spec/listeners/*/tls': [
    { mode: 'Passthrough' },
    { mode: 'Terminate' },
    { mode: 'Terminate', certificateRefs: [{ name: 'tls' }] },
    { mode: 'terminate' },
    { certificateRefs: [{ name: '' }] },
    { options: { 'example.com/a': 'b' } },
    {},
    null,
  ],
  'spec/listeners/*/allowedRoutes': [
    { namespaces: { from: 'All' } },
    { namespaces: { from: 'all' } },
    { kinds: [{ kind: 'TCPRoute' }] },
    { kinds: [{ kind: '' }] },
    { kinds: [{}] },
    { namespaces: { from: 'Selector', selector: { matchLabels: { a: 'b' } } } },
  ],
};

const listeners = [
  {
    name: 'tcp',
    port: 5432,
    protocol: 'TCP',
    allowedRoutes: { namespaces: { from: 'Same' }, kinds: [{ kind: 'TCPRoute' }] },
  },
  { name: 'tls', port: 443, protocol: 'TLS', hostname: '*.example.com', tls: { mode: 'Passthrough' } },
  { name: 'ended', port: 8443, protocol: 'HTTPS', tls: { mode: 'Terminate', certificateRefs: [{ name: 'tls' }] } },
];

const ROUTE_VALUES = {
  'metadata/name': NAMES,
  'spec/parentRefs': [
    [],
    null,
    [{ name: 'edge' }, { name: 'edge' }],
    [
      { name: 'edge', sectionName: 'a' },
      { name: 'edge', sectionName: 'a' },
    ],
    [
      { name: 'edge', sectionName: 'a' },
      { name: 'edge', sectionName: 'b' },
    ],
    [{ name: 'edge', sectionName: 'a' }, { name: 'edge' }],
    [
      { name: 'edge', port: 1 },
      { name: 'edge', port: 2 },
    ],
  ],
  'spec/parentRefs/*/name': ['edge', '', 'a'.repeat(254)],
  'spec/parentRefs/*/kind': ['Gateway', 'ListenerSet', 'Service', '', 'a b'],
  'spec/parentRefs/*/group': ['', 'gateway.networking.k8s.io', 'A', 'a_b'],
  'spec/parentRefs/*/namespace': ['infra', '', 'A', 'a.b'],
  'spec/parentRefs/*/port': [443, 0, 65536, '443'],
  'spec/parentRefs/*/sectionName': ['tls', '', 'TLS', 'a_b'],
  'spec/rules': [
    [],
    null,
    [{}],
    [{ backendRefs: [{ name: 'a', port: 1 }] }, { backendRefs: [{ name: 'a', port: 1 }] }],
  ],
  'spec/rules/*/name': ['a', '', 'A'],
  'spec/rules/*/backendRefs': [[], null, [{ name: 'db' }], [{ name: 'db', kind: 'Other', group: 'example.com' }]],
  'spec/rules/*/backendRefs/*/port': [5432, 0, 65536, null, '5432'],
  'spec/rules/*/backendRefs/*/weight': [0, 1, 1_000_000, 1_000_001, -1, 0.5, '1'],
  'spec/rules/*/backendRefs/*/kind': ['Service', 'service', '', 'Other'],
  'spec/rules/*/backendRefs/*/group': ['', 'example.com', 'core', 'A'],
  'spec/rules/*/backendRefs/*/namespace': ['other', '', 'A'],
};

const route = (kind: string, spec: Body): Ref => ({
  apiVersion: GATEWAY_API,
  kind,
  metadata: metadata('db'),
  spec: {
    parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'edge', sectionName: 'tcp' }],
    rules: [{ name: 'only', backendRefs: [{ name: 'db', port: 5432, weight: 1 }] }],
    ...spec,
  },
});

const GATEWAY_KINDS: readonly Subject[] = [
  {
    name: 'Gateway',
    changed: 0,
    objects: [
      {
        apiVersion: GATEWAY_API,
        kind: 'Gateway',
        metadata: metadata('edge'),
        spec: {
          gatewayClassName: 'example',
          listeners,
          addresses: [{ type: 'IPAddress', value: '203.0.113.7' }],
          infrastructure: { labels: { a: 'b' }, annotations: { 'example.com/a': 'b' } },
          allowedListeners: { namespaces: { from: 'Same' } },
        },
      },
    ],
    values: {
      ...LISTENER_VALUES,
      'metadata/name': NAMES,
      'spec/gatewayClassName': ['example', '', 'a'.repeat(254)],
      'spec/addresses': [
        [],
        [{ value: '203.0.113.7' }, { value: '203.0.113.7' }],
        [{ type: 'Hostname', value: 'a.example.com' }],
        [{ type: 'Hostname', value: 'A_B' }],
        [{ value: '203.0.113' }],
        [{ type: 'IP', value: '203.0.113.7' }],
        [{ type: 'NamedAddress', value: '' }],
        [{ type: 'Hostname' }],
      ],
      'spec/infrastructure/labels': [{ a: 'b' }, { 'a b': 'c' }, { a: 'not right' }, { a: 5 }, { 'A/b': 'c' }],
      'spec/infrastructure/annotations': [{ a: 'b' }, { 'a b': 'c' }, { a: 5 }, { '': 'a' }],
      'spec/allowedListeners/namespaces/from': ['All', 'None', 'Any', ''],
    },
  },
  {
    name: 'ListenerSet',
    changed: 0,
    objects: [
      {
        apiVersion: GATEWAY_API,
        kind: 'ListenerSet',
        metadata: metadata('edge'),
        spec: { parentRef: { name: 'shared', namespace: 'infra' }, listeners },
      },
    ],
    values: {
      ...LISTENER_VALUES,
      'metadata/name': NAMES,
      'spec/parentRef': [
        { name: 'a' },
        {},
        null,
        { name: '' },
        { name: 'a', kind: 'A b' },
        { name: 'a', namespace: 'A' },
      ],
    },
  },
  { name: 'TCPRoute', changed: 0, objects: [route('TCPRoute', {})], values: ROUTE_VALUES },
  {
    name: 'TLSRoute',
    changed: 0,
    objects: [route('TLSRoute', { hostnames: ['db.example.com', '*.db.example.com'] })],
    values: {
      ...ROUTE_VALUES,
      'spec/hostnames': [[], null, ['db.example.com'], ['10.0.0.1'], ['*'], ['DB.example.com'], ['a', 'a'], ['::1']],
    },
  },
  {
    name: 'GatewayClass',
    changed: 0,
    objects: [
      {
        apiVersion: GATEWAY_API,
        kind: 'GatewayClass',
        metadata: { name: 'example' },
        spec: { controllerName: 'example.com/gateways', description: 'of tenants' },
      },
    ],
    values: {
      'metadata/name': NAMES,
      'spec/controllerName': ['example.com/a', 'a', 'Example.com/a', '', 'example.com/', 'a/b/c'],
      'spec/description': ['', 'a'.repeat(64), 'a'.repeat(65)],
      'spec/parametersRef': [{ group: '', kind: 'ConfigMap', name: 'a' }, { kind: 'ConfigMap' }, {}],
    },
  },
  {
    name: 'ReferenceGrant',
    changed: 0,
    objects: [
      {
        apiVersion: GATEWAY_API,
        kind: 'ReferenceGrant',
        metadata: metadata('routes'),
        spec: {
          from: [{ group: 'gateway.networking.k8s.io', kind: 'TCPRoute', namespace: 'other' }],
          to: [{ group: '', kind: 'Service', name: 'db' }],
        },
      },
    ],
    values: {
      'metadata/name': NAMES,
      'spec/from': [[], null, [{ group: '', kind: 'A' }], [{ group: '', kind: '', namespace: 'a' }]],
      'spec/to': [[], null, [{ group: '', kind: 'Service' }], [{ kind: 'Service' }], [{ group: 'A', kind: 'Service' }]],
    },
  },
];

export const SERVICE_SUBJECTS: readonly Subject[] = Object.entries(SERVICES).map(([name, object]) => ({
  name,
  objects: [object],
  changed: 0,
  values: SERVICE_VALUES,
}));

export const WORKLOAD_SUBJECTS: readonly Subject[] = [
  {
    name: 'a Deployment behind a Service',
    objects: [service({ type: 'LoadBalancer' }), deployment],
    changed: 1,
    values: DEPLOYMENT_VALUES,
    valuesAlone: true,
  },
];

export const GATEWAY_SUBJECTS: readonly Subject[] = GATEWAY_KINDS;
