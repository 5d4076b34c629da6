import { parseAllDocuments } from 'yaml';
import type { Json } from '../../src/contract/json';
import { predictServices } from '../../src/predicted/predicted-services';

// Load balanced Services of resources as users write them, by operator and chart.

const SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';
const PROTOCOL = 'service.beta.kubernetes.io/aws-load-balancer-backend-protocol';
const TYPE = 'service.beta.kubernetes.io/aws-load-balancer-type';

function predicted(text: string) {
  const manifests = parseAllDocuments(text).map((one) => ({ file: 'a.yaml', line: 1, object: one.toJS() as Json }));
  const { services, notes } = predictServices(manifests);
  return { services: services.map(({ object }) => briefOf(object)), notes };
}

function briefOf({ metadata, spec }: Json): string {
  const { name = `${metadata.generateName}*`, namespace, annotations = {} } = metadata;
  const ports = (spec.ports as Json[]).map(({ port }) => port).join(',');
  const kept = Object.entries<string>(annotations).map(([key, value]) => `${key.split('/').at(-1)}=${value}`);
  return [`${namespace}/${name}`, ports, ...kept].join(' ');
}

const release = (name: string, chart: string, values = '{}') =>
  `{ apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: { name: ${name}, namespace: web }, spec: { chart: { spec: { chart: ${chart} } }, values: ${values} } }`;

test.each<[string, string, ...services: string[]]>([
  [
    'Redpanda',
    `{ apiVersion: cluster.redpanda.com/v1alpha2, kind: Redpanda, metadata: { name: main, namespace: data }, spec: { clusterSpec: { external: { type: LoadBalancer, annotations: { ${SCHEME}: internal } } } } }`,
    'data/lb-main-* 31644,31092,30082,30081 aws-load-balancer-scheme=internal',
  ],
  [
    'Redpanda without external access',
    '{ apiVersion: cluster.redpanda.com/v1alpha2, kind: Redpanda, metadata: { name: main, namespace: data }, spec: { clusterSpec: { external: { enabled: false, type: LoadBalancer } } } }',
  ],
  [
    'a console of Redpanda',
    '{ apiVersion: cluster.redpanda.com/v1alpha2, kind: Console, metadata: { name: main, namespace: data }, spec: { service: { type: LoadBalancer, port: 80 } } }',
    'data/main-console 80',
  ],
  [
    'Knative with Kourier',
    `{ apiVersion: operator.knative.dev/v1beta1, kind: KnativeServing, metadata: { name: serving, namespace: knative }, spec: { ingress: { kourier: { enabled: true } }, services: [ { name: other, annotations: { a: b } }, { name: kourier, annotations: { ${SCHEME}: internal } } ] } }`,
    'knative/kourier 80,443 aws-load-balancer-scheme=internal',
  ],
  [
    'Knative with Istio',
    '{ apiVersion: operator.knative.dev/v1beta1, kind: KnativeServing, metadata: { name: serving, namespace: knative }, spec: { ingress: { istio: { enabled: true }, kourier: { enabled: false } } } }',
  ],
  [
    'Istio without a name',
    `{ apiVersion: install.istio.io/v1alpha1, kind: IstioOperator, spec: { components: { ingressGateways: [ { name: public, k8s: { serviceAnnotations: { ${SCHEME}: internal }, service: { ports: [ { port: 8443 } ] } } }, { name: web, namespace: web }, { name: inner, k8s: { service: { type: ClusterIP } } }, { name: off, enabled: false } ], egressGateways: [ { name: egress, enabled: true } ] } } }`,
    'istio-system/public 8443 aws-load-balancer-scheme=internal',
    'web/web 15021,80,443',
  ],
  [
    'Ops Manager with backup',
    '{ apiVersion: mongodb.com/v1, kind: MongoDBOpsManager, metadata: { name: ops, namespace: data }, spec: { backup: { enabled: true }, externalConnectivity: { type: LoadBalancer } } }',
    'data/ops-svc-ext 8080,25999',
  ],
  ['Contour', release('edge', 'contour'), `web/edge-contour-envoy 80,443 aws-load-balancer-backend-protocol=tcp`],
  [
    'Contour with an annotation of its own',
    release('edge', 'contour', `{ envoy: { service: { annotations: { ${PROTOCOL}: http } } } }`),
    'web/edge-contour-envoy 80,443 aws-load-balancer-backend-protocol=http',
  ],
  [
    'Contour with an NLB in two zones',
    release(
      'edge',
      'contour',
      `{ envoy: { service: { annotations: { ${TYPE}: nlb }, multiAz: { enabled: true, zones: [ { name: a }, { name: b } ] } } } }`,
    ),
    'web/edge-contour-a-envoy 80,443 aws-load-balancer-type=nlb',
    'web/edge-contour-b-envoy 80,443 aws-load-balancer-type=nlb',
  ],
  ['Emissary', release('edge', 'emissary-ingress'), 'web/edge-emissary-ingress 80,443'],
  ['Emissary by its name', release('my-emissary', 'emissary-ingress'), 'web/my-emissary 80,443'],
  [
    'Emissary with another name',
    release('emissary', 'emissary-ingress', '{ fullnameOverride: front }'),
    'web/front 80,443',
  ],
  [
    'vCluster',
    release(
      'team',
      'vcluster',
      `{ controlPlane: { service: { annotations: { a: b }, spec: { type: LoadBalancer } } } }`,
    ),
    'web/team 443 a=b',
  ],
  ['vCluster by default', release('team', 'vcluster')],
  [
    'Redpanda by its chart',
    release('main', 'redpanda', '{ external: { type: LoadBalancer } }'),
    'web/lb-main-* 31644,31092,30082,30081',
  ],
])('%s', (_, text, ...services) => {
  expect(predicted(text)).toEqual({ services, notes: [] });
});

test('an installation of Istio without gateways has those of its profile, in a note', () => {
  const { services, notes } = predicted('{ apiVersion: install.istio.io/v1alpha1, kind: IstioOperator, spec: {} }');
  expect([services, notes]).toEqual([
    [],
    [expect.stringContaining('spec.components is not set, and its default is an ingress gateway in profile default')],
  ]);
});

test.each([
  'k8ssandra.io/v1alpha1 K8ssandraCluster',
  'sailoperator.io/v1 Istio',
  'mongodbcommunity.mongodb.com/v1 MongoDBCommunity',
])('%s has no load balanced Service', (of) => {
  const [apiVersion, kind] = of.split(' ');
  expect(predicted(JSON.stringify({ apiVersion, kind, metadata: { name: 'main' }, spec: {} }))).toEqual({
    services: [],
    notes: [],
  });
});
