import { wordOf } from '../../src/contract/edit';
import type { Json } from '../../src/contract/json';
import { editedKinds, editedKindsOf } from '../../src/predicted/predicted';
import { objectEdits } from '../../src/rules/edits-of-values';
import { kinds } from '../support/subjects';

const all = editedKinds(kinds);
const ENVOY = 'gateway.envoyproxy.io/gatewayclass-controller';
const NLB = 'gateway.k8s.aws/nlb';
const AWS = kinds.find(({ name }) => name === 'aws-load-balancer-controller');
const SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';

function edits(before: Json | undefined, after: Json | undefined, who?: string): string[] {
  const [kind] = editedKindsOf(before ?? after ?? {}, all).filter((one) => one.who === who);
  return objectEdits(kind, before, after, AWS).map(
    ({ field: { row }, edit, concerns: { listener } }) =>
      `${row}: ${wordOf(edit)}${listener === undefined ? '' : ` (${listener})`}`,
  );
}

const HTTPS = { name: 'https', port: 443, protocol: 'TLS', tls: { mode: 'Passthrough' } };
const TCP = { name: 'tcp', port: 9094, protocol: 'TCP' };

function gateway(spec: Json = {}, name = 'edge'): Json {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name, namespace: 'infra', resourceVersion: name },
    spec: { gatewayClassName: 'eg', listeners: [HTTPS, TCP], ...spec },
  };
}

const CHANGES: readonly (readonly [string, Json, readonly string[], readonly string[]])[] = [
  ['nothing', gateway(), [], []],
  [
    'what the API server fills in',
    gateway({
      allowedListeners: undefined,
      listeners: [
        { ...HTTPS, allowedRoutes: { namespaces: { from: 'Same' } } },
        { ...TCP, allowedRoutes: {} },
      ],
    }),
    [],
    [],
  ],
  [
    'the order of listeners',
    gateway({ listeners: [TCP, HTTPS] }),
    ['spec.listeners[]: kept'],
    ['spec.listeners[]: kept'],
  ],
  [
    'the class',
    gateway({ gatewayClassName: 'other' }),
    ['spec.gatewayClassName: deleted'],
    ['spec.gatewayClassName: orphaned'],
  ],
  [
    'a listener that goes',
    gateway({ listeners: [HTTPS] }),
    ['spec.listeners[name|port]: interrupted (tcp)'],
    ['spec.listeners[name|port]: interrupted (tcp)'],
  ],
  [
    'a listener that comes',
    gateway({ listeners: [HTTPS, TCP, { ...TCP, name: 'more', port: 9095 }] }),
    ['spec.listeners[name|port]: kept (more)'],
    ['spec.listeners[name|port]: kept (more)'],
  ],
  [
    'a port',
    gateway({ listeners: [HTTPS, { ...TCP, port: 9095 }] }),
    ['spec.listeners[name|port].port: interrupted (tcp)'],
    ['spec.listeners[name|port].port: interrupted (tcp)'],
  ],
  [
    'addresses',
    gateway({ addresses: [{ value: '192.0.2.1' }] }),
    ['spec.addresses: kept'],
    ['spec.addresses: ignored'],
  ],
  [
    'an address of nothing',
    gateway({ addresses: [null] }),
    ['spec.addresses: interrupted'],
    ['spec.addresses: ignored'],
  ],
  [
    'addresses by name',
    gateway({ addresses: [{ type: 'NamedAddress', value: 'one' }] }),
    ['spec.addresses: interrupted'],
    ['spec.addresses: ignored'],
  ],
  [
    'an annotation of what is made',
    gateway({ infrastructure: { annotations: { [SCHEME]: 'internet-facing' } } }),
    ['spec.infrastructure.annotations{}: replaced', 'spec.infrastructure.annotations{}: interrupted'],
    ['spec.infrastructure.annotations{}: kept'],
  ],
  [
    'a label of what is made',
    gateway({ infrastructure: { labels: { team: 'edge' } } }),
    ['spec.infrastructure.labels{}: interrupted'],
    ['spec.infrastructure.labels{}: kept'],
  ],
  ['another name', gateway({}, 'other'), ['metadata.name: replaced'], ['metadata.name: replaced']],
];

test.each(CHANGES)('Gateway: %s', (_, after, envoy, nlb) => {
  expect(edits(gateway(), after, ENVOY)).toEqual(envoy);
  expect(edits(gateway(), after, NLB)).toEqual(nlb);
});

test('a Gateway comes or goes', () => {
  expect(edits(gateway(), undefined, ENVOY)).toEqual([': deleted']);
  expect(edits(undefined, gateway(), NLB)).toEqual([': kept']);
});

function proxy(envoyService: Json, spec: Json = {}): Json {
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyProxy',
    metadata: { name: 'edge', namespace: 'infra' },
    spec: { provider: { type: 'Kubernetes', kubernetes: { envoyService } }, ...spec },
  };
}

const SERVICE = 'spec.provider.kubernetes.envoyService';

test.each<[string, Json, Json, readonly string[]]>([
  ['the name of the Service', proxy({}), proxy({ name: 'edge' }), [`${SERVICE}.name: replaced`]],
  ['the class', proxy({}), proxy({ loadBalancerClass: 'a/b' }), [`${SERVICE}.loadBalancerClass: refused`]],
  [
    'the policy, as it is without',
    proxy({}),
    proxy({ externalTrafficPolicy: 'Local' }),
    [`${SERVICE}.externalTrafficPolicy: kept`],
  ],
  [
    'another policy',
    proxy({}),
    proxy({ externalTrafficPolicy: 'Cluster' }),
    [`${SERVICE}.externalTrafficPolicy: interrupted`],
  ],
  [
    'an annotation',
    proxy({}),
    proxy({ annotations: { [SCHEME]: 'internal' } }),
    [`${SERVICE}.annotations{}: replaced`],
  ],
  ['a patch', proxy({}), proxy({ patch: { value: {} } }), [`${SERVICE}.patch.*: unknown`]],
  ['the type, as it is without', proxy({}), proxy({ type: 'LoadBalancer' }), [`${SERVICE}.type: kept`]],
  ['another type', proxy({}), proxy({ type: 'ClusterIP' }), [`${SERVICE}.type: deleted`]],
  ['merged Gateways', proxy({}), proxy({}, { mergeGateways: true }), ['spec.mergeGateways: replaced']],
  ['no merged Gateways', proxy({}), proxy({}, { mergeGateways: false }), ['spec.mergeGateways: kept']],
  ['something of the proxies', proxy({}), proxy({}, { concurrency: 2 }), ['spec.*: interrupted']],
])('EnvoyProxy: %s', (_, before, after, expected) => {
  expect(edits(before, after)).toEqual(expected);
});

function own(kind: string, apiVersion: string, spec: Json): Json {
  return { apiVersion, kind, metadata: { name: 'one', namespace: 'infra' }, spec };
}

test.each<[string, string, Json, Json, readonly string[]]>([
  [
    'TargetGroupBinding',
    'elbv2.k8s.aws/v1beta1',
    { targetType: 'ip' },
    { targetType: 'instance' },
    ['spec.targetType: refused'],
  ],
  ['TargetGroupBinding', 'elbv2.k8s.aws/v1beta1', {}, { ipAddressType: 'ipv4' }, ['spec.ipAddressType: unknown']],
  ['LoadBalancerConfiguration', 'gateway.k8s.aws/v1', {}, { scheme: 'internal' }, ['spec.scheme: kept']],
  ['LoadBalancerConfiguration', 'gateway.k8s.aws/v1', { scheme: 'internet-facing' }, {}, ['spec.scheme: replaced']],
  [
    'TargetGroupConfiguration',
    'gateway.k8s.aws/v1',
    {},
    { defaultConfiguration: { targetType: 'ip' } },
    ['spec.defaultConfiguration.targetType: interrupted'],
  ],
  [
    'IPAddressPool',
    'metallb.io/v1beta1',
    { addresses: ['10.0.0.0/24'] },
    { addresses: [] },
    ['spec.addresses: replaced'],
  ],
  [
    'IPAddressPool',
    'metallb.io/v1beta1',
    { addresses: ['10.0.0.0/24'] },
    { addresses: ['10.0.1.0/24', '10.0.0.0/24'] },
    ['spec.addresses: kept'],
  ],
  ['L2Advertisement', 'metallb.io/v1beta1', {}, { ipAddressPools: ['one'] }, ['spec.ipAddressPools: interrupted']],
  ['BGPAdvertisement', 'metallb.io/v1beta1', {}, { aggregationLength: 32 }, ['spec.aggregationLength: kept']],
  [
    'TLSRoute',
    'gateway.networking.k8s.io/v1',
    { hostnames: ['a'] },
    { hostnames: ['b'] },
    ['spec.hostnames: interrupted'],
  ],
])('%s of %s: from %j to %j', (kind, apiVersion, before, after, expected) => {
  expect(edits(own(kind, apiVersion, before), own(kind, apiVersion, after))).toEqual(expected);
});
