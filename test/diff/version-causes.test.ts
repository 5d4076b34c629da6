import { AwsCloudProvider, AwsLoadBalancerController, MetalLb } from '../../src';
import { AzureCloudProvider } from '../../src/controllers/azure-cloud-provider/controller';
import type { Effect } from '../../src/diff/effect';
import { changesOf, sideOf } from './sides';

// What another version of an operator, a controller or Kubernetes does to live balancers, with the same manifests.

const service = (spec: string, metadata = '') => `
apiVersion: v1
kind: Service
metadata:
  name: echo
  namespace: edge
${metadata}
spec:
  type: LoadBalancer
${spec}
  selector: { app: echo }
  ports: [{ name: tcp, port: 9000 }]
`;

const kafka = (apiVersion: string, finalizers = '', more = '') => `
apiVersion: kafka.strimzi.io/${apiVersion}
kind: Kafka
metadata: { name: events, namespace: kafka }
spec:
  kafka:
    ${more}
    listeners:
      - name: external
        port: 9094
        type: loadbalancer
        tls: true
        configuration:
          class: service.k8s.aws/nlb
          ${finalizers}
---
apiVersion: kafka.strimzi.io/${apiVersion}
kind: KafkaNodePool
metadata: { name: brokers, namespace: kafka, labels: { strimzi.io/cluster: events } }
spec: { replicas: 1, roles: [broker, controller], storage: { type: ephemeral } }
`;

const AWS_NLB = '  loadBalancerClass: service.k8s.aws/nlb';
const DECLARED = 'finalizers: [service.k8s.aws/resources]';
const annotated = (annotation: string) => `  annotations: { ${annotation} }`;

const MAKERS = {
  aws: AwsLoadBalancerController.nlb(),
  ccm: AwsCloudProvider.nlb(),
  metallb: MetalLb.layer2(),
  azure: AzureCloudProvider.standard(),
};

function causesOf(text: string, product: string, from: string, to: string, installed: keyof typeof MAKERS): Effect[] {
  const side = (version: string) => sideOf(text, { installed: [MAKERS[installed]], versions: { [product]: version } });
  const [change] = changesOf(side(from), side(to));
  return [...change.effects];
}

test.each([
  ['a downgrade to client-side writes, nothing declared', kafka('v1beta2'), 'strimzi', '0.51.0', '0.50.1', 'orphaned'],
  ['an upgrade to server-side apply, nothing declared', kafka('v1beta2'), 'strimzi', '0.50.1', '0.51.0', 'interrupted'],
  ['a downgrade with the finalizer declared', kafka('v1beta2', DECLARED), 'strimzi', '0.51.0', '0.50.1', 'interrupted'],
  ['the old API under the first release without it', kafka('v1beta2'), 'strimzi', '0.51.0', '1.0.0', 'refused'],
  ['the new API under the last release without it', kafka('v1'), 'strimzi', '0.49.1', '0.48.0', 'refused'],
  ['a version of Kafka that both run', kafka('v1', '', "version: '4.2.0'"), 'strimzi', '1.0.0', '1.2.0', 'interrupted'],
  [
    'a version of Kafka that is not run any more',
    kafka('v1', '', "version: '4.1.1'"),
    'strimzi',
    '1.0.0',
    '1.2.0',
    'refused',
  ],
  ['the same release', kafka('v1'), 'strimzi', '1.2.0', '1.2.0', undefined],
] as const)('%s', (_, text, product, from, to, worst) => {
  expect(causesOf(text, product, from, to, 'aws')[0]?.outcome).toBe(worst);
});

test('an operator that reconciles nothing restarts no broker', () => {
  const causes = causesOf(kafka('v1beta2'), 'strimzi', '0.50.1', '1.0.0', 'aws');
  expect(causes.map(({ outcome }) => outcome)).toContain('refused');
  expect(causes.map(({ outcome }) => outcome)).not.toContain('interrupted');
});

test.each([
  ['an annotation that is read from then on', 'v2.5.0', '2.6.0', 'read from v2.6.0 on'],
  ['the same backwards', '2.8.0', 'v2.5.0', 'not read before v2.6.0'],
])('%s', (_, from, to, said) => {
  const text = service(AWS_NLB, annotated('service.beta.kubernetes.io/aws-load-balancer-security-groups: sg-1'));
  const found = causesOf(text, MAKERS.aws.name, from, to, 'aws').filter(({ path }) => path.length > 0);
  expect(found.map(({ field }) => field)).toEqual(['service.beta.kubernetes.io/aws-load-balancer-security-groups']);
  expect(found[0].why).toContain(said);
});

test('what the role of the controller must be allowed first', () => {
  const causes = causesOf(service(AWS_NLB), MAKERS.aws.name, '2.8.0', '3.5.0', 'aws');
  expect(causes.map(({ first }) => first).join('\n')).toMatch(
    /DescribeListenerAttributes[\s\S]*GetSecurityGroupsForVpc[\s\S]*DescribeCapacityReservation[\s\S]*DescribeRouteTables/,
  );
  expect(causes.every(({ outcome }) => outcome === 'kept')).toBe(true);
});

test('a scheme that was a default becomes another default for what is created again, and for nothing else', () => {
  const [cause] = causesOf(service(AWS_NLB), MAKERS.aws.name, '2.2.0', '2.1.3', 'aws');
  expect(cause).toMatchObject({ outcome: 'replaced', first: 'set the annotation of the scheme' });
  const internal = annotated('service.beta.kubernetes.io/aws-load-balancer-scheme: internal');
  const said = causesOf(service(AWS_NLB, internal), MAKERS.aws.name, '3.5.0', '3.4.3', 'aws');
  expect(said).toEqual([]);
});

describe('MetalLB that reads the label of excluded nodes', () => {
  const node = (labels: string) => `---\napiVersion: v1\nkind: Node\nmetadata: { name: a, labels: { ${labels} } }\n`;
  const label = 'node.kubernetes.io/exclude-from-external-load-balancers: "false"';
  const pool = '---\napiVersion: metallb.io/v1beta1\nkind: AddressPool\nmetadata: { name: a, namespace: m }\n';

  test.each([
    ['nodes that have it', '0.13.12', '0.14.0', node(label), ['interrupted']],
    ['nodes that have it not', '0.13.12', '0.14.0', node(''), []],
    ['later versions', '0.14.0', '0.14.9', node(label), []],
    ['pools of the older kind', '0.13.12', '0.14.0', node('') + pool, ['replaced']],
  ])('%s', (_, from, to, more, outcomes) => {
    const causes = causesOf(service('') + more, MAKERS.metallb.name, from, to, 'metallb');
    const told = causes.filter(({ why }) => !why.includes('is the oldest known version of'));
    expect(told.map(({ outcome }) => outcome)).toEqual(outcomes);
  });
});

test('Kubernetes without the provider of a cloud in it', () => {
  const [cause] = causesOf(service(''), 'kubernetes', '1.26', '1.27', 'ccm');
  expect(cause).toMatchObject({
    field: 'kubernetes',
    from: '1.26',
    to: '1.27',
    first: expect.stringContaining('run the'),
  });
  expect(causesOf(service(''), 'kubernetes', '1.27', '1.36', 'ccm')).toEqual([]);
});

test('pools that are not read any more', () => {
  expect(causesOf(service(''), MAKERS.metallb.name, '0.12.1', '0.13.0', 'metallb')[0].outcome).toBe('replaced');
});

test('a version that is not known on one side changes nothing that can be told', () => {
  const [old, now] = [sideOf(service(AWS_NLB)), sideOf(service(AWS_NLB), { versions: { kubernetes: '1.36' } })];
  expect(changesOf(old, now)[0].effects).toEqual([]);
});

test.each([
  ['strimzi', '1.2.0', '9.0.0', kafka('v1')],
  ['kubernetes', '1.36', '1.99', service(AWS_NLB)],
  ['aws-load-balancer-controller', '3.5.0', '99.0.0', service(AWS_NLB)],
])('%s newer than all that is known here is unknown, and not kept', (product, from, to, text) => {
  const unknown = causesOf(text, product, from, to, 'aws').filter(({ outcome }) => outcome === 'unknown');
  expect(unknown).toEqual([expect.objectContaining({ needs: [expect.stringContaining(`${product} ${to}`)] })]);
});

describe('versions of which nothing was read', () => {
  test.each([
    ['kubernetes', '1.10', '1.36', 'metallb', true],
    ['kubernetes', '1.27', '1.36', 'metallb', false],
    [MAKERS.metallb.name, '0.14.0', '0.15.0', 'metallb', true],
    [MAKERS.metallb.name, '0.15.0', '0.16.0', 'metallb', false],
  ] as const)('%s from %s to %s', (product, from, to, maker, isOpen) => {
    const open = causesOf(service(''), product, from, to, maker).filter(({ outcome }) => outcome === 'unknown');
    expect(open.map(({ field }) => field)).toEqual(isOpen ? [product] : []);
  });
});

describe('probes of Azure that ask for a path', () => {
  const text = (protocol: string, metadata = '') => `apiVersion: v1
kind: Service
metadata: { name: web, namespace: edge${metadata} }
spec: { type: LoadBalancer, ports: [{ port: 80, ${protocol === '' ? '' : `appProtocol: ${protocol}`} }] }
`;
  const probe = (what: string, prefix = 'azure-load-balancer-health-probe-') =>
    `, annotations: { service.beta.kubernetes.io/${prefix}${what} }`;
  const path = probe('request-path: /healthz');
  const local = (all: string) => all.replace('LoadBalancer,', 'LoadBalancer, externalTrafficPolicy: Local,');

  test.each([
    ['cloud-provider-azure', '1.23', '1.24', text('https'), 1],
    ['kubernetes', '1.24', '1.25', text('http'), 0],
    ['kubernetes', '1.23', '1.24', text('kubernetes.io/h2c'), 0],
    ['kubernetes', '1.23', '1.24', text('http', path), 0],
    ['kubernetes', '1.23', '1.24', text('', probe('protocol: http')), 1],
    ['kubernetes', '1.23', '1.24', text('http', probe('protocol: tcp')), 1],
    ['kubernetes', '1.23', '1.24', text('http', probe('protocol: tcp', 'port_80_health-probe_')), 0],
    ['kubernetes', '1.23', '1.24', local(text('http')), 0],
    ['kubernetes', '1.23', '1.24', text('http').replace('port: 80', 'port: 80, protocol: UDP'), 0],
  ])('%s from %s to %s: %#', (product, from, to, service, count) => {
    const interrupted = causesOf(service, product, from, to, 'azure').filter(
      ({ outcome }) => outcome === 'interrupted',
    );
    expect(interrupted.filter(({ why }) => why.startsWith('probes'))).toHaveLength(count);
  });
});
