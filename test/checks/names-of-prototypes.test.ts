import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../../src';
import type { Json } from '../../src/contract/json';
import { ownValue } from '../../src/contract/own-value';
import { keysChanged, sameValue } from '../../src/contract/same-value';
import { run } from '../support/command';

// Every object of JavaScript has a `constructor`, and a table that is looked into by that finds something. Whatever a file or a
// command line says, that must not be taken for an entry.

const NAMES = ['constructor', '__proto__', 'toString'];

const GATEWAY = 'gateway.networking.k8s.io/v1';
const KAFKA = 'kafka.strimzi.io/v1';

const metadata = (name: string) => ({ name, namespace: 'edge', labels: { team: 'a' }, annotations: { note: 'b' } });

const OBJECTS: readonly Json[] = [
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
        kubernetes: {
          envoyService: { type: 'LoadBalancer', annotations: { a: 'b' }, externalTrafficPolicy: 'Local' },
        },
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
function textsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === 'string') {
    return [path];
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]))
    : [];
}

/** An object with another text in a place of it, or, where `isKey`, with another name of that place. */
function spoilt(object: Json, [key, ...rest]: readonly string[], name: string, isKey = false): Json {
  if (Array.isArray(object)) {
    return object.map((item, i) =>
      String(i) !== key ? item : rest.length === 0 ? name : spoilt(item, rest, name, isKey),
    );
  }
  return Object.fromEntries(
    Object.entries(object).map(([own, value]) => {
      if (own !== key) {
        return [own, value];
      }
      return rest.length > 0 ? [own, spoilt(value, rest, name, isKey)] : isKey ? [name, value] : [own, name];
    }),
  );
}

const folder = mkdtempSync(join(tmpdir(), 'names-'));
afterAll(() => rmSync(folder, { recursive: true }));

function written(file: string, objects: readonly Json[]): string {
  const path = join(folder, file);
  writeFileSync(path, objects.map((one) => JSON.stringify(one)).join('\n---\n'));
  return path;
}

/** What all commands say of some files beside those that are right. */
function said(objects: readonly Json[], at: number): string {
  const before = written('before.yaml', OBJECTS);
  const after = written('after.yaml', objects);
  const { kind, metadata: { name = '' } = {} } = objects[at];
  const runs = [
    ['check', after],
    ['list', after],
    ['report', after],
    ['explain', `${kind} edge/${name}`, after],
    ['explain', 'edge/echo', after],
    ['diff', before, after],
    ['diff', after, before],
  ];
  return runs.map((args) => Object.values(run(...args)).join('\n')).join('\n');
}

const STRANGE = /native code|\[object|TypeError/;

const PLACES = OBJECTS.flatMap((object, at) =>
  textsIn(object).map((path) => [`${object.kind} ${path.join('.')}`, at, path] as const),
);

test('what is spoilt is right at first', () => {
  expect(said(OBJECTS, 0)).not.toMatch(STRANGE);
});

test.each(PLACES)('the text constructor in %s', (_, at, path) => {
  const objects = OBJECTS.map((object, i) => (i === at ? spoilt(object, path, 'constructor') : object));
  expect(said(objects, at)).not.toMatch(STRANGE);
});

// without its kind an object is none
const INSIDE = PLACES.filter(([, , [first]]) => !['apiVersion', 'kind'].includes(first));

test.each(OBJECTS.flatMap(({ kind }, at) => NAMES.map((name) => [name, kind, at] as const)))(
  'the text %s in all places of %s',
  (name, _, at) => {
    const places = INSIDE.filter(([, of]) => of === at);
    const objects = OBJECTS.map((object, i) =>
      i === at ? places.reduce((one, [, , path]) => spoilt(one, path, name), object) : object,
    );
    expect(said(objects, at)).not.toMatch(STRANGE);
  },
);

test.each(INSIDE)('a key constructor for %s', (_, at, path) => {
  const objects = OBJECTS.map((object, i) => (i === at ? spoilt(object, path, 'constructor', true) : object));
  expect(said(objects, at)).not.toMatch(STRANGE);
});

test.each(NAMES)('on the command line, %s is a word like any other', (name) => {
  const file = written('after.yaml', OBJECTS);
  for (const word of [name, `${name}/s`, `${name}s/s`, `${name} edge/echo`]) {
    expect(Object.values(run('explain', word, file)).join('\n')).not.toMatch(STRANGE);
  }
});

test('a map has what is written in it alone', () => {
  const inherited = JSON.parse('{"__proto__": "a", "constructor": "b"}');
  expect(NAMES.map((name) => ownValue({}, name))).toEqual([undefined, undefined, undefined]);
  expect(NAMES.map((name) => ownValue(inherited, name))).toEqual(['b', 'a', undefined]);
  expect(sameValue({}, { constructor: 'a' })).toBe(false);
  expect(sameValue({ constructor: null }, {})).toBe(true);
  expect(keysChanged({}, inherited)).toEqual(['__proto__', 'constructor']);
});
