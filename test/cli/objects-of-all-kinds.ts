import type { Json } from '../../src/contract/json';

// An object of each kind that the commands read, right as it stands, and what is put into the places of it.

const GATEWAY = 'gateway.networking.k8s.io/v1';
const KAFKA = 'kafka.strimzi.io/v1';

const metadata = (name: string) => ({ name, namespace: 'edge', labels: { team: 'a' }, annotations: { note: 'b' } });

export const OBJECTS: readonly Json[] = [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      ...metadata('echo'),
      finalizers: ['service.k8s.aws/resources'],
      annotations: {
        'service.beta.kubernetes.io/aws-load-balancer-target-node-labels': 'a=b',
        'service.beta.kubernetes.io/aws-load-balancer-attributes': 'a=b',
      },
    },
    spec: {
      type: 'LoadBalancer',
      loadBalancerClass: 'service.k8s.aws/nlb',
      externalTrafficPolicy: 'Local',
      internalTrafficPolicy: 'Cluster',
      sessionAffinity: 'None',
      ipFamilyPolicy: 'SingleStack',
      ipFamilies: ['IPv4'],
      ports: [{ name: 'http', port: 80, targetPort: 'web', protocol: 'TCP', appProtocol: 'http' }],
      selector: { app: 'echo' },
    },
    status: { loadBalancer: { ingress: [{ hostname: 'a.elb.amazonaws.com' }] } },
  },
  {
    apiVersion: KAFKA,
    kind: 'Kafka',
    metadata: metadata('events'),
    spec: {
      kafka: {
        version: '4.1.0',
        listeners: [
          {
            name: 'external',
            port: 9094,
            type: 'loadbalancer',
            tls: true,
            authentication: { type: 'tls' },
            configuration: {
              class: 'service.k8s.aws/nlb',
              finalizers: ['service.k8s.aws/resources'],
              bootstrap: { annotations: { a: 'b' }, labels: { a: 'b' } },
              brokers: [{ broker: 0, advertisedHost: 'a.example', annotations: { x: 'y' } }],
            },
          },
        ],
        template: { perPodService: { metadata: { annotations: { a: 'b' } } } },
      },
    },
  },
  {
    apiVersion: KAFKA,
    kind: 'KafkaNodePool',
    metadata: {
      ...metadata('nodes'),
      labels: { 'strimzi.io/cluster': 'events' },
      annotations: { 'strimzi.io/next-node-ids': '[0-9]' },
    },
    spec: { replicas: 3, roles: ['broker'], storage: { type: 'ephemeral' } },
  },
  {
    apiVersion: GATEWAY,
    kind: 'GatewayClass',
    metadata: { name: 'acme' },
    spec: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
  },
  {
    apiVersion: GATEWAY,
    kind: 'Gateway',
    metadata: metadata('door'),
    spec: {
      gatewayClassName: 'acme',
      infrastructure: {
        labels: { a: 'b' },
        annotations: { a: 'b' },
        parametersRef: { group: 'gateway.envoyproxy.io', kind: 'EnvoyProxy', name: 'p' },
      },
      addresses: [{ type: 'IPAddress', value: '192.0.2.1' }],
      listeners: [
        {
          name: 'tcp',
          port: 9000,
          protocol: 'TCP',
          allowedRoutes: { kinds: [{ kind: 'TCPRoute' }], namespaces: { from: 'Same' } },
        },
        { name: 'tls', port: 443, protocol: 'TLS', hostname: 'a.example', tls: { mode: 'Passthrough' } },
      ],
    },
  },
  {
    apiVersion: GATEWAY,
    kind: 'TCPRoute',
    metadata: metadata('route'),
    spec: {
      parentRefs: [{ name: 'door', sectionName: 'tcp' }],
      rules: [{ backendRefs: [{ name: 'echo', kind: 'Service', port: 80 }] }],
    },
  },
  {
    apiVersion: GATEWAY,
    kind: 'HTTPRoute',
    metadata: metadata('web'),
    spec: {
      hostnames: ['a.example'],
      parentRefs: [{ name: 'elsewhere' }],
      rules: [{ backendRefs: [{ name: 'db', namespace: 'data', port: 80 }] }],
    },
  },
  {
    apiVersion: GATEWAY,
    kind: 'ReferenceGrant',
    metadata: { name: 'of-data', namespace: 'data' },
    spec: {
      from: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace: 'edge' }],
      to: [{ group: '', kind: 'Service', name: 'db' }],
    },
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata('settings'), data: { config: 'address-pools: []' } },
  {
    apiVersion: GATEWAY,
    kind: 'ListenerSet',
    metadata: metadata('more'),
    spec: { parentRef: { name: 'door' }, listeners: [{ name: 'other', port: 9001, protocol: 'TCP' }] },
  },
  {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyProxy',
    metadata: metadata('p'),
    spec: {
      provider: {
        type: 'Kubernetes',
        kubernetes: { envoyService: { type: 'LoadBalancer', annotations: { a: 'b' }, externalTrafficPolicy: 'Local' } },
      },
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata('aws-load-balancer-controller'),
    spec: {
      selector: { matchLabels: { app: 'echo' } },
      template: {
        metadata: { labels: { app: 'echo' } },
        spec: {
          nodeSelector: { pool: 'a' },
          tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }],
          containers: [
            {
              name: 'controller',
              image: 'public.ecr.aws/eks/aws-load-balancer-controller:v2.13.0',
              args: ['--cluster-name=a', '--feature-gates=A=true'],
              ports: [{ name: 'web', containerPort: 8080 }],
            },
          ],
        },
      },
    },
  },
  {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'a', labels: { a: 'b' } },
    spec: {
      template: {
        metadata: { labels: { pool: 'a' } },
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'a' },
          requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }],
          taints: [{ key: 'k', effect: 'NoSchedule' }],
        },
      },
    },
  },
];

/** Every text in an object, by the keys that lead to it. */
export function textsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === 'string') return [path];
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]))
    : [];
}

type Entry = readonly [string, unknown];

function withEntry(object: Json, [key, ...rest]: readonly string[], change: (value: unknown) => Entry): Json {
  const entries = Object.entries(object).map(([own, inner]): Entry => {
    if (own !== key) return [own, inner];
    return rest.length > 0 ? [own, withEntry(inner, rest, change)] : change(inner);
  });
  return Array.isArray(object) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

/** An object with another value in a place of it, or nothing there if the value is undefined. */
export const withValue = (object: Json, path: readonly string[], value: unknown): Json =>
  withEntry(object, path, () => [path[path.length - 1], value]);

/** An object with another name of a place of it. */
export const withKey = (object: Json, path: readonly string[], name: string): Json =>
  withEntry(object, path, (value) => [name, value]);
