import { explainWord } from '../../src/checks/explain/words';
import type { Edit, OnEdit } from '../../src/contract/edit';
import { fieldEdit, SERVICE_FIELDS, type ServiceField } from '../../src/rules/service-edits.facts';
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

function expectWritten({ what, source }: Edit): void {
  expect(what).toMatch(/^[^\s].{3,200}[^.\s]$/);
  expect(source.file).toMatch(/^\S+\.(go|html|md)$/);
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  const { catalogue, fieldEdits = {} } = kind;

  test('says what an edit of each annotation does, and of no other key', () => {
    const keys = catalogue.annotations.map(({ fact }) => fact.key);
    expect([...catalogue.edits.keys()].sort()).toEqual([...keys].sort());
  });

  test('says what happens in one clause, and where that was read', () => {
    for (const edit of catalogue.edits.values()) {
      expectWritten(edit);
    }
    for (const field of Object.keys(fieldEdits)) {
      expect(SERVICE_FIELDS).toContain(field);
      expectWritten(fieldEdit(field as ServiceField, kind));
    }
  });
});

test('what is not known is counted', () => {
  const unknown = kinds.map(({ name, catalogue }) => {
    const edits = [...catalogue.edits.values()];
    return `${name}: ${edits.filter(({ onEdit }) => onEdit === 'unknown').length} of ${edits.length}`;
  });
  expect(unknown).toEqual([
    'aws-load-balancer-controller: 0 of 49',
    'cloud-provider-aws: 1 of 31',
    'cloud-provider-azure: 10 of 46',
    'eks-auto-mode: 25 of 25',
    'gke: 16 of 29',
    'hcloud-cloud-controller-manager: 2 of 39',
    'metallb: 0 of 8',
  ]);
});

test.each([
  ['aws-load-balancer-controller', `${AWS}scheme`, 'replaced'],
  ['aws-load-balancer-controller', `${AWS}name`, 'ignored'],
  ['aws-load-balancer-controller', `${AWS}nlb-target-type`, 'interrupted'],
  ['aws-load-balancer-controller', `${AWS}attributes`, 'kept'],
  ['aws-load-balancer-controller', `${AWS}type`, 'orphans'],
  ['aws-load-balancer-controller', `${AWS}disable-nlb-sg`, 'refused'],
  ['aws-load-balancer-controller', `${AWS}target-group-attributes.443`, 'interrupted'],
  ['cloud-provider-aws', `${AWS}eip-allocations`, 'ignored'],
  ['cloud-provider-aws', `${AWS}type`, 'orphans'],
  ['cloud-provider-aws', `${AWS}extra-security-groups`, 'refused'],
  ['cloud-provider-aws', `${AWS}healthcheck-interval`, 'interrupted'],
  ['cloud-provider-azure', `${AZURE}load-balancer-internal`, 'replaced'],
  ['cloud-provider-azure', `${AZURE}pls-name`, 'refused'],
  ['hcloud-cloud-controller-manager', 'load-balancer.hetzner.cloud/location', 'ignored'],
  ['hcloud-cloud-controller-manager', 'load-balancer.hetzner.cloud/private-ipv4', 'interrupted'],
  ['metallb', 'metallb.io/address-pool', 'replaced'],
  ['metallb', 'metallb.universe.tf/address-pool', 'replaced'],
  ['gke', 'cloud.google.com/network-tier', 'replaced'],
  ['eks-auto-mode', `${AWS}scheme`, 'unknown'],
] as const satisfies readonly (readonly [string, string, OnEdit])[])('%s: an edit of %s is %s', (name, key, onEdit) => {
  expect(kindOf(name).catalogue.editOf(key)?.onEdit).toBe(onEdit);
});

test('of a key that is not in the catalogue nothing is said', () => {
  expect(kindOf('metallb').catalogue.editOf('metallb.io/nothing')).toBeUndefined();
});

test.each([
  ['spec.loadBalancerClass', undefined, 'refused'],
  ['spec.loadBalancerClass', 'aws-load-balancer-controller', 'refused'],
  ['spec.type', undefined, 'deleted'],
  ['metadata.name', undefined, 'replaced'],
  ['metadata.finalizers', 'aws-load-balancer-controller', 'orphans'],
  ['metadata.finalizers', 'metallb', 'ignored'],
  ['spec.loadBalancerIP', undefined, 'unknown'],
  ['spec.loadBalancerIP', 'metallb', 'replaced'],
  ['spec.loadBalancerIP', 'cloud-provider-aws', 'refused'],
  ['spec.sessionAffinity', 'cloud-provider-aws', 'refused'],
  ['spec.ports[].nodePort', 'metallb', 'kept'],
  ['spec.ports[].targetPort', undefined, 'interrupted'],
  ['spec.internalTrafficPolicy', undefined, 'kept'],
  ['spec.ports[].targetPort', 'aws-load-balancer-controller', 'interrupted'],
] as const satisfies readonly (readonly [ServiceField, string | undefined, OnEdit])[])(
  'an edit of %s under %s is %s',
  (field, name, onEdit) => {
    expect(fieldEdit(field, name === undefined ? undefined : kindOf(name)).onEdit).toBe(onEdit);
  },
);

test('a field that all controllers treat alike is of Kubernetes, and one that differs is of the controller', () => {
  expect(fieldEdit('spec.loadBalancerClass', kindOf('metallb')).source.repository).toBe('kubernetes/kubernetes');
  expect(fieldEdit('spec.type', kindOf('metallb')).source.repository).toBe('metallb/metallb');
});

test('explain says it in one line', () => {
  const [{ parts }] = explainWord(`${AWS}scheme`).explanations;
  expect(parts.find(({ who }) => who === 'aws-load-balancer-controller')?.facts['on edit']).toBe(
    'replaced: the balancer is deleted before a new one with another DNS name is made (pkg/deploy/elbv2/load_balancer_synthesizer.go)',
  );
});
