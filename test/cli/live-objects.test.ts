import { AwsLoadBalancerController, Gke, MetalLb } from '../../src';
import { foundIn, saidBy } from '../support/checks';

const live = (metadata: string, status = '') => `apiVersion: v1
kind: Service
metadata:
  name: web
  uid: 11111111-2222-3333-4444-555555555555
  ${metadata}
spec:
  type: LoadBalancer
  loadBalancerClass: service.k8s.aws/nlb
  selector: {app: web}
  ports: [{port: 80}]
${status}`;

const SERVED = 'status: {loadBalancer: {ingress: [{hostname: a.elb.amazonaws.com}]}}';
const OWN = 'finalizers: [service.k8s.aws/resources]';
const DELETED = `deletionTimestamp: '2026-11-20T10:00:00Z'\n  ${OWN}`;

describe('a Service of a running cluster', () => {
  test('that is deleted says whom it waits for', () => {
    expect(saidBy('deletion-blocked-by-finalizer', live(DELETED))).toEqual([
      'warning 7: the Service has been in deletion since 2026-11-20T10:00:00Z and waits for aws-load-balancer-controller to remove service.k8s.aws/resources; look at the events of the Service and at the log of that controller, which removes it once the balancer is deleted',
    ]);
  });

  test('whose controller is gone hangs', () => {
    const [said] = saidBy('deletion-blocked-by-finalizer', live(DELETED), { controllers: [MetalLb.layer2()] });
    expect(said).toContain('and none of the controllers that run does; run that controller again');
  });

  test('that has an address, and a finalizer that guards nothing of its class', () => {
    const yaml = live('finalizers: [service.kubernetes.io/load-balancer-cleanup]', SERVED).replace(
      'service.k8s.aws/nlb',
      'networking.gke.io/l4-regional-internal',
    );
    expect(saidBy('finalizer-missing', yaml)[0]).toMatch(/the finalizer of gke \(.*gke\.networking\.io\/l4-ilb-v2/);
    expect(saidBy('finalizer-missing', yaml.replace('-internal', '-internal-legacy'))).toEqual([]);
  });

  test('that has an address has a finalizer', () => {
    expect(foundIn(live('labels: {}', SERVED))).toContain('warning 3 finalizer-missing');
    expect(saidBy('finalizer-missing', live(OWN, SERVED))).toEqual([]);
    expect(saidBy('finalizer-missing', live('labels: {}'))).toEqual([]);
    const controllers = [AwsLoadBalancerController.nlb({ loadBalancerClass: 'example.com/other' })];
    expect(saidBy('finalizer-missing', live('labels: {}', SERVED), { controllers })).toEqual([]);
  });
});

describe('managers of a Service of a running cluster', () => {
  const POLICY = '{"f:spec": {"f:externalTrafficPolicy": {}}}';
  const FINALIZERS = '{"f:metadata": {"f:finalizers": {".": {}}}}';
  const managed = (entries: readonly string[], more = '') => `apiVersion: v1
kind: Service
metadata:
  name: web
  uid: 11111111-2222-3333-4444-555555555555
  finalizers: [service.k8s.aws/resources]
  annotations:
    service.beta.kubernetes.io/aws-load-balancer-scheme: internal
    example.com/team: edge
${more}  managedFields: [${entries.join(', ')}]
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  loadBalancerClass: service.k8s.aws/nlb
  selector: {app: web}
  ports: [{port: 80}]
`;
  const entry = (manager: string, fields: string, more = '') =>
    `{manager: ${manager}, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: ${fields}${more}}`;
  const annotation = (key: string) => `{"f:metadata": {"f:annotations": {"f:${key}": {}}}}`;
  const SCHEME = annotation('service.beta.kubernetes.io/aws-load-balancer-scheme');
  const ID = 'field-managers-conflict';

  test.each([
    ['the policy', POLICY, 'warning 13: spec.externalTrafficPolicy is written by argocd-controller and terraform'],
    [
      'an annotation',
      SCHEME,
      'warning 8: annotation service.beta.kubernetes.io/aws-load-balancer-scheme is written by',
    ],
  ])('are named where they share %s', (_, fields, said) => {
    const yaml = managed([entry('argocd-controller', fields), entry('terraform', fields)]);
    const [found] = saidBy(ID, yaml);
    expect(found).toContain(said);
    expect(found).toContain('remove it from the other');
  });

  test.each([
    ['share an annotation of others', ['argocd-controller', 'terraform'], annotation('example.com/team')],
    ['are one', ['argocd-controller'], POLICY],
    ['are kubectl twice', ['kubectl-client-side-apply', 'kubectl-edit'], POLICY],
    ['were there before the first apply', ['before-first-apply', 'argocd-controller'], POLICY],
  ])('are silent where they %s', (_, names, fields) => {
    expect(saidBy(ID, managed(names.map((name) => entry(name, fields))))).toEqual([]);
  });

  test('are silent where one writes the status', () => {
    const entries = [entry('argocd-controller', POLICY), entry('terraform', POLICY, ', subresource: status')];
    expect(saidBy(ID, managed(entries))).toEqual([]);
  });

  test('are named where one has changed what kubectl applied', () => {
    const applied = (policy: string) =>
      `    kubectl.kubernetes.io/last-applied-configuration: '{"spec": {"externalTrafficPolicy": "${policy}"}}'\n`;
    const [said] = saidBy(ID, managed([entry('terraform', POLICY)], applied('Cluster')));
    expect(said).toContain(
      "warning 14: spec.externalTrafficPolicy is 'Local', written by terraform; kubectl applied 'Cluster', and its next apply",
    );
    expect(saidBy(ID, managed([entry('terraform', POLICY)], applied('Local')))).toEqual([]);
    expect(saidBy(ID, managed([entry('kubectl-edit', POLICY)], applied('Cluster')))).toEqual([]);
  });

  test('are named where one of them may have taken the finalizer off', () => {
    const yaml = managed([entry('strimzi-cluster-operator', FINALIZERS)]).replace(/ {2}finalizers: .*\n/, '');
    const [said] = saidBy('finalizer-missing', `${yaml}${SERVED}`);
    expect(said).toContain('see whether strimzi-cluster-operator writes the whole list of finalizers');
  });
});

describe('a class', () => {
  const service = (name: string, type = 'LoadBalancer') => `apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  type: ${type}
  loadBalancerClass: ${name}
  selector: {app: web}
  ports: [{port: 80}]
`;

  test('of a controller without a finalizer is told', () => {
    const [said] = saidBy('class-without-finalizer', service('kube-vip.io/kube-vip-class'));
    expect(said).toContain("kube-vip, which serves class 'kube-vip.io/kube-vip-class', adds no finalizer");
  });

  test('that one has by its options, and of which nothing is left, is not', () => {
    const controllers = [MetalLb.layer2({ loadBalancerClass: 'metallb.io/metallb' })];
    expect(saidBy('class-without-finalizer', service('metallb.io/metallb'), { controllers })).toEqual([]);
  });

  test.each([
    ['of a controller with one', service('service.k8s.aws/nlb')],
    ['that is not known', service('example.com/other')],
    ['of a Service without a balancer', service('kube-vip.io/kube-vip-class', 'ClusterIP')],
    ['of one whose addresses are in its memory alone', service('io.cilium/l2-announcer')],
  ])('%s is not', (_, yaml) => expect(saidBy('class-without-finalizer', yaml)).toEqual([]));
});

describe('a finalizer and the kind of its object', () => {
  const object = (apiVersion: string, kind: string, finalizer: string) => `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: web
  finalizers:
    - ${finalizer}
spec: {}
`;

  test.each([
    ['networking.k8s.io/v1', 'Ingress', 'service.k8s.aws/resources'],
    ['networking.k8s.io/v1', 'Ingress', 'service.kubernetes.io/load-balancer-cleanup'],
    ['gateway.networking.k8s.io/v1', 'Gateway', 'group.ingress.k8s.aws/shop'],
    ['v1', 'Service', 'ingress.k8s.aws/resources'],
  ])('%s %s does not lose %s', (apiVersion, kind, finalizer) => {
    expect(foundIn(object(apiVersion, kind, finalizer))).toContain('error 6 finalizer-for-other-kind');
  });

  test.each([
    ['networking.k8s.io/v1', 'Ingress', 'ingress.k8s.aws/resources'],
    ['networking.k8s.io/v1', 'Ingress', 'group.ingress.k8s.aws/shop'],
    ['networking.k8s.io/v1', 'Ingress', 'example.com/cleanup'],
    ['gateway.networking.k8s.io/v1', 'Gateway', 'gateway.k8s.aws/nlb'],
  ])('%s %s may lose %s', (apiVersion, kind, finalizer) => {
    expect(saidBy('finalizer-for-other-kind', object(apiVersion, kind, finalizer))).toEqual([]);
  });
});

describe('what GKE has written on a Service of a running cluster', () => {
  const MARK = 'gke.networking.io/l4-ilb-v2';
  const NOTE = 'cloud.google.com/neg-status';
  const served = (more = '', uid = 'uid: 11111111-2222-3333-4444-555555555555') => `apiVersion: v1
kind: Service
metadata:
  name: web
  ${uid}
  finalizers: [${MARK}]
  annotations:
    networking.gke.io/load-balancer-type: Internal
    ${NOTE}: '{}'
${more}spec:
  type: LoadBalancer
  selector: {app: web}
  ports: [{port: 80}]
status: {loadBalancer: {ingress: [{ip: 10.0.0.9}]}}
`;
  const controllers = [Gke.passthrough()];
  const ids = (text: string) =>
    ['finalizer-reserved', 'gke-annotation-reserved'].filter((id) => saidBy(id, text, { controllers }).length > 0);
  const last = (object: unknown) =>
    `    kubectl.kubernetes.io/last-applied-configuration: '${JSON.stringify(object)}'\n`;

  test('is its own, and to remove it would do harm', () => {
    expect(ids(served())).toEqual([]);
    expect(ids(served(last({ metadata: { name: 'web' } })))).toEqual([]);
  });

  test('is named in a manifest, and where a manifest had it', () => {
    expect(ids(served('', 'labels: {}'))).toEqual(['finalizer-reserved', 'gke-annotation-reserved']);
    expect(ids(served(last({ metadata: { finalizers: [MARK] } })))).toEqual(['finalizer-reserved']);
    expect(ids(served(last({ metadata: { annotations: { [NOTE]: '{}' } } })))).toEqual(['gke-annotation-reserved']);
    const managed = `  managedFields: [{manager: kubectl-edit, operation: Update, fieldsV1: {"f:metadata": {"f:finalizers": {'v:"${MARK}"': {}}}}}]\n`;
    expect(ids(served(managed))).toEqual(['finalizer-reserved']);
  });
});

test.each([
  ['annotations in the spec', 'spec', 'annotations', 'metadata.annotations'],
  ['a class in the metadata', 'metadata', 'loadBalancerClass', 'spec.loadBalancerClass'],
])('%s are moved to their place', (_, map, field, place) => {
  const text = live('labels: {}').replace(`${map}:\n`, `${map}:\n  ${field}: {}\n`);
  const [said] = saidBy('service-field-unknown', text);
  expect(said).toContain(`; move it to ${place}`);
});
