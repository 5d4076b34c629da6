import { AWS_LBC } from '../../../../src/controllers/aws-load-balancer-controller/annotations';
import type { Random } from '../../../support/random';
import { type Body, copyOf, documents, type Family, KEPT, NOT_KEPT, PERHAPS_KEPT, type Truth } from './folder-pair';

// Gateways of Envoy Gateway, with their classes, parameters and routes. What is true is what the Service that is made of them would be:
// envoyproxy/gateway v1.9.1, internal/infrastructure/kubernetes/proxy/resource_provider.go and internal/gatewayapi.

const GROUP = 'gateway.networking.k8s.io/v1';
const ENVOY_GATEWAY = 'gateway.envoyproxy.io/gatewayclass-controller';
const SYSTEM = 'envoy-gateway-system';
const SCHEME = AWS_LBC.scheme.key();

interface Parts {
  class: Body;
  gateway: Body;
  proxy: Body;
  route: Body;
  set: Body;
  /** Objects that are there as well. */
  more: Body[];
}

const annotationsOfProxy = (scheme: string, more: Body = {}) => ({ [SCHEME]: scheme, ...more });
const proxyOf = (name: string, namespace: string, service: Body, more: Body = {}): Body => ({
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'EnvoyProxy',
  metadata: { name, namespace },
  spec: {
    provider: {
      type: 'Kubernetes',
      kubernetes: { envoyService: { type: 'LoadBalancer', loadBalancerClass: 'service.k8s.aws/nlb', ...service } },
    },
    ...more,
  },
});
const reference = (name: string, namespace?: string): Body => ({
  ...{ group: 'gateway.envoyproxy.io', kind: 'EnvoyProxy', name },
  ...(namespace && { namespace }),
});
const classOf = (name: string, proxy: string, controllerName = ENVOY_GATEWAY): Body => ({
  apiVersion: GROUP,
  kind: 'GatewayClass',
  metadata: { name },
  spec: { controllerName, parametersRef: reference(proxy, SYSTEM) },
});
const listener = (port: number): Body => ({ name: `tcp-${port}`, port, protocol: 'TCP' });

function partsOf(): Parts {
  return {
    class: classOf('shared', 'internal'),
    gateway: {
      apiVersion: GROUP,
      kind: 'Gateway',
      metadata: { name: 'public', namespace: 'edge' },
      spec: { gatewayClassName: 'shared', listeners: [listener(5432), listener(9094)] },
    },
    proxy: proxyOf('internal', SYSTEM, { annotations: annotationsOfProxy('internal') }),
    route: {
      apiVersion: GROUP,
      kind: 'TCPRoute',
      metadata: { name: 'db', namespace: 'edge' },
      spec: {
        parentRefs: [{ name: 'public', sectionName: 'tcp-5432' }],
        rules: [{ backendRefs: [{ name: 'db', port: 5432 }] }],
      },
    },
    set: {
      apiVersion: GROUP,
      kind: 'ListenerSet',
      metadata: { name: 'more', namespace: 'edge' },
      spec: { parentRef: { name: 'public' }, listeners: [listener(7000)] },
    },
    more: [],
  };
}

const serviceIn = ({ proxy }: Parts): Body => proxy.spec.provider.kubernetes.envoyService;

interface Mutation {
  readonly name: string;
  /** What both sides have before it. */
  readonly from?: (parts: Parts) => void;
  change(parts: Parts): void;
  readonly truth: Truth;
}

/** Two Gateways of one class with one Service: api/v1alpha1/envoyproxy_types.go, mergeGateways */
function merged({ gateway, proxy, more }: Parts): void {
  proxy.spec.mergeGateways = true;
  const spec = { ...gateway.spec, listeners: [listener(8000), listener(8002)] };
  more.push({ ...copyOf(gateway), metadata: { name: 'second', namespace: 'edge' }, spec });
}

const GONE: Truth = ['replaced', 'deleted', 'unknown'];

const MUTATIONS: readonly Mutation[] = [
  { name: 'nothing', change: () => undefined, truth: KEPT },
  {
    name: 'another scheme in the parameters of the class',
    change: (parts) => {
      serviceIn(parts).annotations = annotationsOfProxy('internet-facing');
    },
    truth: ['replaced'],
  },
  {
    name: 'a tag in the parameters of the class',
    change: (parts) => {
      serviceIn(parts).annotations = annotationsOfProxy('internal', { [AWS_LBC.additionalResourceTags.key()]: 'a=b' });
    },
    // the annotations of the Service are not those of the pods
    truth: KEPT,
  },
  {
    name: 'another class of balancers',
    change: (parts) => {
      serviceIn(parts).loadBalancerClass = 'example.com/nlb';
    },
    truth: NOT_KEPT,
  },
  {
    name: 'another type',
    change: (parts) => {
      serviceIn(parts).type = 'ClusterIP';
    },
    truth: NOT_KEPT,
  },
  {
    name: 'another name of the Service',
    change: (parts) => {
      serviceIn(parts).name = 'named';
    },
    truth: NOT_KEPT,
  },
  {
    name: 'another traffic policy',
    change: (parts) => {
      serviceIn(parts).externalTrafficPolicy = 'Cluster';
    },
    truth: ['interrupted'],
  },
  {
    name: 'the default of the traffic policy',
    change: (parts) => {
      serviceIn(parts).externalTrafficPolicy = 'Local';
    },
    truth: KEPT,
  },
  {
    name: 'a patch of the Service with another scheme',
    change: (parts) => {
      serviceIn(parts).patch = {
        type: 'StrategicMerge',
        value: { metadata: { annotations: annotationsOfProxy('internet-facing') } },
      };
    },
    truth: NOT_KEPT,
  },
  {
    name: 'a patch of the Service with another type',
    change: (parts) => {
      serviceIn(parts).patch = { type: 'StrategicMerge', value: { spec: { type: 'ClusterIP' } } };
    },
    truth: NOT_KEPT,
  },
  {
    name: 'Gateways are merged',
    change: ({ proxy }) => {
      proxy.spec.mergeGateways = true;
    },
    truth: NOT_KEPT,
  },
  {
    name: 'both families',
    change: ({ proxy }) => {
      proxy.spec.ipFamily = 'DualStack';
    },
    truth: NOT_KEPT,
  },
  {
    name: 'no Kubernetes',
    change: ({ proxy }) => {
      proxy.spec.provider = { type: 'Custom' };
    },
    truth: NOT_KEPT,
  },
  {
    name: 'more proxies',
    change: ({ proxy }) => {
      proxy.spec.provider.kubernetes.envoyDeployment = { replicas: 3 };
    },
    truth: [...PERHAPS_KEPT, 'interrupted'],
  },
  {
    name: 'what is logged',
    change: ({ proxy }) => {
      proxy.spec.logging = { level: { default: 'debug' } };
    },
    // a flag of the proxies: envoyproxy/gateway v1.9.0, internal/infrastructure/kubernetes/proxy/resource_provider.go
    truth: ['interrupted'],
  },
  {
    name: 'the parameters are gone',
    change: (parts) => {
      parts.more = [];
      parts.proxy = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'none', namespace: 'edge' } };
    },
    truth: NOT_KEPT,
  },
  {
    name: 'the same parameters by another name',
    change: (parts) => {
      parts.proxy.metadata.name = 'other';
      parts.class.spec.parametersRef.name = 'other';
    },
    truth: PERHAPS_KEPT,
  },
  {
    name: 'other parameters of the class',
    from: (parts) => {
      parts.more = [proxyOf('public', SYSTEM, { annotations: annotationsOfProxy('internet-facing') })];
    },
    change: (parts) => {
      parts.class.spec.parametersRef.name = 'public';
    },
    truth: NOT_KEPT,
  },
  {
    name: 'parameters of the Gateway',
    from: (parts) => {
      parts.more = [proxyOf('public', 'edge', { annotations: annotationsOfProxy('internet-facing') })];
    },
    change: (parts) => {
      parts.gateway.spec.infrastructure = { parametersRef: reference('public') };
    },
    truth: NOT_KEPT,
  },
  {
    name: 'another scheme in annotations of the Gateway',
    from: (parts) => {
      delete serviceIn(parts).annotations;
      parts.gateway.spec.infrastructure = { annotations: annotationsOfProxy('internal') };
    },
    change: (parts) => {
      parts.gateway.spec.infrastructure = { annotations: annotationsOfProxy('internet-facing') };
    },
    truth: ['replaced'],
  },
  {
    name: 'labels of the Gateway',
    change: (parts) => {
      parts.gateway.spec.infrastructure = { labels: { team: 'edge' } };
    },
    truth: ['interrupted'],
  },
  {
    name: 'another class of its own',
    from: (parts) => {
      parts.more = [
        classOf('other', 'public'),
        proxyOf('public', SYSTEM, { annotations: annotationsOfProxy('internet-facing') }),
      ];
    },
    change: (parts) => {
      parts.gateway.spec.gatewayClassName = 'other';
    },
    truth: NOT_KEPT,
  },
  {
    name: 'a class of another controller',
    from: (parts) => {
      parts.more = [classOf('other', 'internal', 'example.com/controller')];
    },
    change: (parts) => {
      parts.gateway.spec.gatewayClassName = 'other';
    },
    truth: NOT_KEPT,
  },
  {
    name: 'another controller of the class',
    change: (parts) => {
      parts.class.spec.controllerName = 'example.com/controller';
    },
    truth: NOT_KEPT,
  },
  {
    name: 'another name of the class alone',
    change: (parts) => {
      parts.class.metadata.name = 'other';
    },
    truth: NOT_KEPT,
  },
  {
    name: 'one more listener',
    change: (parts) => {
      parts.gateway.spec.listeners.push(listener(6379));
    },
    truth: KEPT,
  },
  {
    name: 'one listener less',
    change: (parts) => {
      parts.gateway.spec.listeners.pop();
    },
    truth: ['interrupted'],
  },
  {
    name: 'another number of a listener',
    change: (parts) => {
      parts.gateway.spec.listeners[0].port = 5433;
    },
    truth: ['interrupted'],
  },
  {
    name: 'UDP in place of TCP',
    change: (parts) => {
      parts.gateway.spec.listeners[0].protocol = 'UDP';
    },
    truth: NOT_KEPT,
  },
  {
    name: 'another order of listeners',
    change: (parts) => {
      parts.gateway.spec.listeners.reverse();
    },
    truth: KEPT,
  },
  {
    name: 'another number in a ListenerSet',
    change: (parts) => {
      parts.set.spec.listeners = [listener(7001)];
    },
    truth: ['interrupted'],
  },
  {
    name: 'a ListenerSet leaves',
    change: (parts) => {
      parts.set.spec.parentRef.name = 'other';
    },
    truth: NOT_KEPT,
  },
  {
    name: 'other pods behind a route',
    change: (parts) => {
      parts.route.spec.rules = [{ backendRefs: [{ name: 'other', port: 5432 }] }];
    },
    truth: ['interrupted'],
  },
  {
    name: 'a route leaves',
    change: (parts) => {
      parts.route.spec.parentRefs = [{ name: 'other' }];
    },
    truth: NOT_KEPT,
  },
  {
    name: 'merged: one listener less of the second Gateway',
    from: merged,
    change: ({ more: [second] }) => {
      second.spec.listeners.pop();
    },
    truth: NOT_KEPT,
  },
  {
    name: 'merged: another number of the second Gateway',
    from: merged,
    change: ({ more: [second] }) => {
      second.spec.listeners[0].port = 8001;
    },
    truth: NOT_KEPT,
  },
  {
    name: 'merged: the second Gateway is gone',
    from: merged,
    change: (parts) => {
      parts.more = [];
    },
    truth: NOT_KEPT,
  },
  {
    name: 'merged: another scheme',
    from: merged,
    change: (parts) => {
      serviceIn(parts).annotations = annotationsOfProxy('internet-facing');
    },
    truth: ['replaced'],
  },
  {
    name: 'merged no more',
    from: merged,
    change: ({ proxy }) => {
      delete proxy.spec.mergeGateways;
    },
    truth: NOT_KEPT,
  },
  {
    name: 'merged: a third Gateway',
    from: merged,
    change: ({ gateway, more }) => {
      more.push({
        ...copyOf(gateway),
        metadata: { name: 'third', namespace: 'edge' },
        spec: { ...gateway.spec, listeners: [listener(8005)] },
      });
    },
    truth: PERHAPS_KEPT,
  },
  {
    name: 'another name of the Gateway',
    change: (parts) => {
      parts.gateway.metadata.name = 'renamed';
    },
    truth: GONE,
  },
  {
    name: 'another namespace of the Gateway',
    change: (parts) => {
      parts.gateway.metadata.namespace = 'moved';
    },
    truth: GONE,
  },
  {
    name: 'the Gateway is gone',
    change: (parts) => {
      parts.gateway = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'none', namespace: 'edge' } };
    },
    truth: GONE,
  },
];

function pairOf(_: Random, number: number) {
  const mutation = MUTATIONS[number % MUTATIONS.length];
  const before = partsOf();
  mutation.from?.(before);
  const after = copyOf(before);
  mutation.change(after);
  const textOf = ({ more, ...parts }: Parts) => documents(...Object.values(parts), ...more);
  return {
    changes: [`gateway: ${mutation.name}`],
    before: { 'gateway.yaml': textOf(before) },
    after: { 'gateway.yaml': textOf(after) },
    context: 'controllers: [aws-load-balancer-controller]\n',
    options: { prune: true },
    // all Gateways of a class that merges them have a Service that is named by it
    truths: new Map([[`${SYSTEM}/envoy-${mutation.from === merged ? 'shared' : 'edge-public'}-*`, mutation.truth]]),
  };
}

/** Pairs in which a Gateway changes, or what decides of it. */
export const GATEWAYS: Family = { name: 'gateways', changes: MUTATIONS.map(({ name }) => name), pairOf };
