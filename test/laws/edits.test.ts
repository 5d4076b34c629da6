import { explainWord } from '../../src/checks/explain/words';
import { type Edit, wordOf } from '../../src/contract/edit';
import type { Json } from '../../src/contract/json';
import type { ServiceField } from '../../src/rules/controller-definition';
import { editOfAnnotation, editOfField, fieldEdit, SERVICE_FIELDS, worstEdit } from '../../src/rules/edits-of-values';
import { kinds } from '../support/subjects';

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
const AZURE = 'service.beta.kubernetes.io/azure-';

function kindOf(name: string) {
  const kind = kinds.find((one) => one.name === name);
  if (!kind) {
    throw new Error(`no controller is called ${name}`);
  }
  return kind;
}

function expectWritten({ outcome, what, source, unless = [] }: Edit): void {
  expect(what).toMatch(/^[^\s].{3,200}[^.\s]$/);
  for (const less of unless) {
    expect(less.what).toMatch(/^[^\s].{3,200}[^.\s]$/);
    expect(less.where).toMatch(/^[^\s].{3,100}[^.\s]$/);
    expect([less.outcome, less.what]).not.toEqual([outcome, what]);
  }
  expect(source.file).toMatch(/^\S+\.(go|html|md)$/);
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  const {
    catalogue,
    annotationEdits = new Map<string, Edit>(),
    fieldEdits = {},
    foundBy = new Map<string, Edit>(),
  } = kind;

  test('says what an edit of each annotation does, and of no other key', () => {
    const keys = catalogue.annotations.map(({ fact }) => fact.key);
    expect([...annotationEdits.keys()].sort()).toEqual([...keys].sort());
  });

  test('says what happens in one clause, and where that was read', () => {
    for (const edit of [...annotationEdits.values(), ...foundBy.values()]) {
      expectWritten(edit);
    }
    for (const field of Object.keys(fieldEdits)) {
      expect(SERVICE_FIELDS).toContain(field);
      expectWritten(fieldEdit(field as ServiceField, kind));
    }
  });
});

test('what is not known is counted', () => {
  const unknown = kinds.map(({ name, annotationEdits = [] }) => {
    const edits = [...annotationEdits.values()];
    return `${name}: ${edits.filter(({ outcome }) => outcome === 'unknown').length} of ${edits.length}`;
  });
  expect(unknown).toEqual([
    'aws-load-balancer-controller: 0 of 49',
    'cloud-provider-aws: 1 of 31',
    'cloud-provider-azure: 9 of 46',
    'eks-auto-mode: 25 of 25',
    'gke: 12 of 29',
    'hcloud-cloud-controller-manager: 1 of 39',
    'metallb: 0 of 8',
  ]);
});

test('of a key that is not in the catalogue nothing is said', () => {
  expect(worstEdit(kindOf('metallb'), 'metallb.io/nothing')).toBeUndefined();
});

test('a field that all controllers treat alike is of Kubernetes, and one that differs is of the controller', () => {
  expect(fieldEdit('spec.loadBalancerClass', kindOf('metallb')).source.repository).toBe('kubernetes/kubernetes');
  expect(fieldEdit('spec.type', kindOf('metallb')).source.repository).toBe('metallb/metallb');
});

function service(annotations: Json, spec: Json = {}): Json {
  return { kind: 'Service', metadata: { annotations }, spec: { type: 'LoadBalancer', ...spec } };
}

/** What the change of one annotation does, its own controller reading both Services. */
function annotationEdit(name: string, key: string, before: Json, after: Json, spec: Json = {}): string | undefined {
  const objects = { before: service(before, spec), after: service(after, spec) };
  const edited = { before: before[key], after: after[key], around: { before, after }, objects };
  const edit = editOfAnnotation(kindOf(name), key, edited);
  return edit && wordOf(edit);
}

const LBC = 'aws-load-balancer-controller';
const CPA = 'cloud-provider-aws';
const NLB = { [`${AWS}type`]: 'nlb' };
const HCLOUD = 'hcloud-cloud-controller-manager';
const HETZNER = 'load-balancer.hetzner.cloud/';
const GKE_INTERNAL = 'networking.gke.io/l4-regional-internal';
const OWN_GROUPS = { [`${AWS}security-groups`]: 'sg-1' };
const STRONG_AFFINITY = { 'networking.gke.io/l4-strong-session-affinity': 'enabled' };

test.each<[string, string, unknown, unknown, string]>([
  [LBC, `${AWS}scheme`, 'internal', 'internet-facing', 'replaced'],
  [LBC, `${AWS}scheme`, undefined, 'internal', 'kept'],
  [LBC, `${AWS}scheme`, undefined, 'internet-facing', 'replaced'],
  [LBC, `${AWS}scheme`, 'internet-facing', undefined, 'ignored'],
  [LBC, `${AWS}scheme`, 'internet-facing', 'nonsense', 'replaced'],
  [LBC, `${AWS}internal`, 'true', 'True', 'kept'],
  [LBC, `${AWS}internal`, 'true', 'false', 'replaced'],
  [LBC, `${AWS}subnets`, 'subnet-1, subnet-2', 'subnet-2,subnet-1', 'kept'],
  [LBC, `${AWS}subnets`, 'subnet-1', 'subnet-1,subnet-2', 'kept'],
  [LBC, `${AWS}subnets`, 'subnet-1,subnet-2', 'subnet-1', 'interrupted'],
  [LBC, `${AWS}subnets`, undefined, 'subnet-1', 'unknown'],
  [LBC, `${AWS}subnets`, 'subnet-1,subnet-2', 'subnet-1,subnet-3', 'unknown'],
  [LBC, `${AWS}ssl-cert`, 'arn:aws:acm:a', 'arn:aws:acm:b', 'kept'],
  [LBC, `${AWS}ssl-cert`, 'arn:aws:acm:a', undefined, 'interrupted'],
  [LBC, `${AWS}backend-protocol`, undefined, 'tcp', 'kept'],
  [LBC, `${AWS}ip-address-type`, 'ipv4', 'dualstack', 'kept'],
  [LBC, `${AWS}ip-address-type`, 'dualstack', 'ipv4', 'interrupted'],
  [LBC, `${AWS}target-group-attributes`, undefined, 'deregistration_delay.timeout_seconds=60', 'kept'],
  [LBC, `${AWS}target-group-attributes`, undefined, 'proxy_protocol_v2.enabled=true', 'interrupted'],
  [LBC, `${AWS}type`, 'external', 'nlb', 'orphaned'],
  ['cloud-provider-azure', `${AZURE}load-balancer-internal`, undefined, 'false', 'kept'],
  ['cloud-provider-azure', `${AZURE}load-balancer-internal`, undefined, 'true', 'replaced'],
  ['cloud-provider-azure', `${AZURE}load-balancer-mode`, 'edge', undefined, 'kept'],
  ['cloud-provider-azure', `${AZURE}dns-label-name`, undefined, 'edge', 'kept'],
  ['cloud-provider-azure', `${AZURE}dns-label-name`, 'edge', 'other', 'interrupted'],
  ['cloud-provider-azure', `${AZURE}allowed-ip-ranges`, '10.0.0.0/8', '10.0.0.0/8,192.168.0.0/16', 'kept'],
  ['cloud-provider-azure', `${AZURE}allowed-ip-ranges`, undefined, '10.0.0.0/8', 'interrupted'],
  ['metallb', 'metallb.io/address-pool', 'edge', undefined, 'kept'],
  ['metallb', 'metallb.io/address-pool', undefined, 'edge', 'replaced'],
  ['metallb', 'metallb.io/loadBalancerIPs', '10.0.0.1,fd00::1', 'fd00::1,10.0.0.1', 'kept'],
  ['gke', 'networking.gke.io/load-balancer-ip-addresses', 'one', undefined, 'kept'],
  ['gke', 'networking.gke.io/load-balancer-subnet', 'a', 'b', 'ignored'],
  ['gke', 'cloud.google.com/network-tier', undefined, 'Premium', 'kept'],
  ['gke', 'cloud.google.com/network-tier', 'Standard', undefined, 'refused'],
  ['gke', 'networking.gke.io/l4lb-config', 'a', 'b', 'kept'],
  ['gke', 'networking.gke.io/l4lb-config', 'a', undefined, 'ignored'],
  [HCLOUD, `${HETZNER}name`, 'a', 'b', 'kept'],
  [HCLOUD, `${HETZNER}name`, 'a', undefined, 'ignored'],
  [HCLOUD, `${HETZNER}algorithm-type`, 'least_connections', undefined, 'ignored'],
  [HCLOUD, `${HETZNER}protocol`, 'tcp', undefined, 'kept'],
  [HCLOUD, `${HETZNER}protocol`, 'http', undefined, 'interrupted'],
  [HCLOUD, `${HETZNER}node-selector`, 'pool=a', undefined, 'kept'],
  [HCLOUD, `${HETZNER}health-check-interval`, '30s', '15s', 'kept'],
  [HCLOUD, `${HETZNER}health-check-interval`, '30s', undefined, 'ignored'],
  [HCLOUD, `${HETZNER}http-managed-certificate-domains`, 'a.example', 'b.example', 'ignored'],
  [HCLOUD, `${HETZNER}http-managed-certificate-name`, 'a', 'b', 'ignored'],
])('%s: %s from %s to %s is %s', (name, key, before, after, outcome) => {
  const [was, is] = [before, after].map((value) => (value === undefined ? {} : { [key]: value }));
  expect(annotationEdit(name, key, was, is)).toBe(outcome);
});

test('what else a Service says decides the verdict', () => {
  const [scheme, internal, type] = ['scheme', 'internal', 'type'].map((name) => `${AWS}${name}`);
  expect(annotationEdit(LBC, scheme, { [internal]: 'False' }, { [internal]: 'False', [scheme]: 'internal' })).toBe(
    'replaced',
  );
  expect(annotationEdit(LBC, internal, { [internal]: 'false' }, { [scheme]: 'internet-facing' })).toBe('kept');
  expect(annotationEdit(LBC, type, { [type]: 'external' }, {}, { loadBalancerClass: 'service.k8s.aws/nlb' })).toBe(
    'ignored',
  );
});

test.each<[kind: string, name: string, before: unknown, after: unknown, others: Json, outcome: string]>([
  ['a Classic', 'ssl-cert', undefined, 'arn:aws:acm:a', {}, 'interrupted'],
  ['a Network', 'ssl-cert', undefined, 'arn:aws:acm:a', NLB, 'refused'],
  ['a Network', 'ssl-cert', 'arn:aws:acm:a', undefined, NLB, 'refused'],
  ['a Network', 'ssl-cert', 'arn:aws:acm:a', 'arn:aws:acm:b', NLB, 'kept'],
  ['a Classic', 'ssl-ports', '443', '443,8443', { [`${AWS}ssl-cert`]: 'arn:aws:acm:a' }, 'interrupted'],
  ['a Network', 'ssl-ports', '443', '443,8443', { ...NLB, [`${AWS}ssl-cert`]: 'arn:aws:acm:a' }, 'refused'],
  ['a Network', 'ssl-ports', '443', '443,8443', NLB, 'ignored'],
  ['a Network', 'backend-protocol', undefined, 'ssl', NLB, 'ignored'],
  ['a Network', 'backend-protocol', undefined, 'ssl', { ...NLB, [`${AWS}ssl-cert`]: 'arn:aws:acm:a' }, 'interrupted'],
  ['a Classic', 'ssl-negotiation-policy', 'a', undefined, {}, 'ignored'],
  ['a Network', 'additional-resource-tags', 'a=b', 'a=c', NLB, 'ignored'],
  ['a Network', 'target-group-attributes', 'proxy_protocol_v2.enabled=true', undefined, NLB, 'ignored'],
  ['a Classic', 'internal', undefined, 'true', {}, 'interrupted'],
  ['a Classic', 'internal', undefined, 'true', { [`${AWS}subnets`]: 'subnet-1' }, 'ignored'],
])(
  'cloud-provider-aws, %s balancer: an edit of %s from %s to %s beside %j is %s',
  (_, name, before, after, others, outcome) => {
    const key = AWS + name;
    const [was, is] = [before, after].map((value) => (value === undefined ? others : { ...others, [key]: value }));
    expect(annotationEdit(CPA, key, was, is)).toBe(outcome);
  },
);

test('Hetzner Cloud: a second managed certificate of a Service is refused', () => {
  const managed = { [`${HETZNER}certificate-type`]: 'managed' };
  const key = `${HETZNER}http-managed-certificate-name`;
  expect(annotationEdit(HCLOUD, key, { ...managed, [key]: 'a' }, { ...managed, [key]: 'b' })).toBe('refused');
});

test.each<[string, Json, Json, string]>([
  ['internal-load-balancer-allow-global-access', {}, {}, 'interrupted'],
  ['internal-load-balancer-allow-global-access', {}, { loadBalancerClass: GKE_INTERNAL }, 'kept'],
  [
    'internal-load-balancer-allow-global-access',
    {},
    { loadBalancerClass: GKE_INTERNAL, ipFamilyPolicy: 'PreferDualStack' },
    'interrupted',
  ],
  ['load-balancer-subnet', {}, { loadBalancerClass: GKE_INTERNAL }, 'replaced'],
  ['load-balancer-subnet', {}, { ipFamilies: ['IPv6'] }, 'replaced'],
  ['internal-load-balancer-subnet', {}, { loadBalancerClass: GKE_INTERNAL }, 'replaced'],
  [
    'internal-load-balancer-subnet',
    { 'networking.gke.io/load-balancer-subnet': 'edge' },
    { loadBalancerClass: GKE_INTERNAL },
    'ignored',
  ],
])('gke: an edit of %s beside %j of a Service with %j is %s', (name, others, spec, outcome) => {
  const key = `networking.gke.io/${name}`;
  expect(annotationEdit('gke', key, others, { ...others, [key]: 'true' }, spec)).toBe(outcome);
});

test.each<[field: ServiceField, before: Json, after: Json, outcome: string, kind?: string, annotations?: Json]>([
  ['spec.type', { type: 'LoadBalancer' }, { type: 'ClusterIP' }, 'deleted'],
  ['spec.type', { type: 'ClusterIP' }, { type: 'LoadBalancer' }, 'kept'],
  ['spec.loadBalancerClass', {}, { loadBalancerClass: 'a/b' }, 'refused'],
  ['spec.loadBalancerClass', { type: 'ClusterIP' }, { loadBalancerClass: 'a/b' }, 'kept'],
  ['spec.externalTrafficPolicy', {}, { externalTrafficPolicy: 'Cluster' }, 'kept'],
  ['spec.externalTrafficPolicy', {}, { externalTrafficPolicy: 'Local' }, 'interrupted'],
  ['spec.sessionAffinity', {}, { sessionAffinity: 'None' }, 'kept'],
  ['spec.loadBalancerSourceRanges', {}, { loadBalancerSourceRanges: ['10.0.0.0/8'] }, 'interrupted'],
  ['spec.loadBalancerSourceRanges', {}, { loadBalancerSourceRanges: ['10.0.0.0/8'] }, 'interrupted', CPA],
  ['spec.loadBalancerSourceRanges', {}, { loadBalancerSourceRanges: ['10.0.0.0/8'] }, 'ignored', CPA, OWN_GROUPS],
  ['spec.sessionAffinityConfig', {}, { sessionAffinityConfig: {} }, 'ignored', 'gke'],
  ['spec.sessionAffinityConfig', {}, { sessionAffinityConfig: {} }, 'kept', 'gke', STRONG_AFFINITY],
])('%s from %j to %j is %s', (field, before, after, outcome, ...[kind, annotations = {}]) => {
  const [was, is] = [before, after].map((spec) => service(annotations, spec));
  const name = field.replace('spec.', '');
  const edited = {
    before: was.spec[name],
    after: is.spec[name],
    around: { before: was.spec, after: is.spec },
    objects: { before: was, after: is },
  };
  expect(wordOf(editOfField(field, edited, kind === undefined ? undefined : kindOf(kind)) as Edit)).toBe(outcome);
});

test('what a Service is made of shows no Service', () => {
  const edited = { before: 'external', after: undefined, around: { before: {}, after: {} } };
  const objects = {
    before: service({}, { loadBalancerClass: 'a/b' }),
    after: service({}, { loadBalancerClass: 'a/b' }),
  };
  const kind = kindOf(LBC);
  expect(wordOf(editOfAnnotation(kind, `${AWS}type`, { ...edited, objects }) as Edit)).toBe('ignored');
  expect(wordOf(editOfAnnotation(kind, `${AWS}type`, { ...edited, objects }, false) as Edit)).toBe('replaced');
});

test('explain says it in one line', () => {
  const [{ parts }] = explainWord(`${AWS}scheme`).explanations;
  expect(parts.find(({ who }) => who === 'aws-load-balancer-controller')?.facts['on edit']).toBe(
    'replaced: the balancer is deleted before a new one with another DNS name is made (pkg/deploy/elbv2/load_balancer_synthesizer.go)',
  );
});
