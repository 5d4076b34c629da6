import { Chart, JsonPatch, Testing } from 'cdk8s';
import {
  GcpIamPolicyMember,
  type GcpIamPolicyMemberProps,
  GcpResourceRef,
  GcpWorkloadIdentity,
} from '../../src/identity';
import { faultsAt } from '../support/faults-at';

const PODS = GcpWorkloadIdentity.of('my-project', 'edge', 'dns');

function member(props: Partial<GcpIamPolicyMemberProps> = {}) {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'infra' });
  const made = new GcpIamPolicyMember(chart, 'Member', {
    resource: GcpResourceRef.serviceAccount('dns'),
    member: PODS.member,
    ...props,
  });
  return { chart, object: made.policyMember };
}

test('a ServiceAccount may act as a service account of Google', () => {
  expect(Testing.synth(member({ name: 'dns' }).chart)).toEqual([
    {
      apiVersion: 'iam.cnrm.cloud.google.com/v1beta1',
      kind: 'IAMPolicyMember',
      metadata: { name: 'dns', namespace: 'infra' },
      spec: {
        member: 'serviceAccount:my-project.svc.id.goog[edge/dns]',
        role: 'roles/iam.workloadIdentityUser',
        resourceRef: { kind: 'IAMServiceAccount', name: 'dns' },
      },
    },
  ]);
  expect(GcpWorkloadIdentity.serviceAccountAnnotations('dns@my-project.iam.gserviceaccount.com')).toEqual({
    'iam.gke.io/gcp-service-account': 'dns@my-project.iam.gserviceaccount.com',
  });
  expect(faultsAt(member().object)).toEqual([]);
});

test('a role is given directly, on a network of another project, for a while', () => {
  const { object } = member({
    member: PODS.principal('123456789012'),
    role: 'roles/compute.networkUser',
    resource: GcpResourceRef.external('ComputeSubnetwork', 'projects/shared/regions/europe-west1/subnetworks/edge'),
    conditionExpression: 'request.time < timestamp("2030-01-01T00:00:00Z")',
    projectId: 'shared',
  });
  expect(object.toJson()).toMatchObject({
    metadata: { annotations: { 'cnrm.cloud.google.com/project-id': 'shared' } },
    spec: {
      member:
        'principal://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/my-project.svc.id.goog/subject/ns/edge/sa/dns',
      role: 'roles/compute.networkUser',
      resourceRef: { kind: 'ComputeSubnetwork', external: 'projects/shared/regions/europe-west1/subnetworks/edge' },
      condition: { title: 'Member', expression: 'request.time < timestamp("2030-01-01T00:00:00Z")' },
    },
  });
  expect(faultsAt(object)).toEqual([]);
});

test.each([
  ['a project', GcpResourceRef.project('my-project'), { kind: 'Project', external: 'projects/my-project' }],
  ['an object', GcpResourceRef.ofObject('PubSubTopic', 'a', 'b'), { kind: 'PubSubTopic', name: 'a', namespace: 'b' }],
])('a role is given on %s', (_, resource, resourceRef) => {
  expect(member({ resource }).object.toJson().spec.resourceRef).toEqual(resourceRef);
});

test.each([
  'user:alex@example.com',
  'group:edge@example.com',
  'serviceAccount:dns@my-project.iam.gserviceaccount.com',
  'serviceAccount:123-compute@developer.gserviceaccount.com',
  'serviceAccount:example.com:my-project.svc.id.goog[edge/dns]',
  'domain:example.com',
  'projectViewer:my-project',
  'deleted:user:alex@example.com?uid=123456789012345678901',
  'principalSet://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/*',
  'principalSet://cloudresourcemanager.googleapis.com/projects/123/type/ServiceAccount',
  'principal://iam.googleapis.com/locations/global/workforcePools/p/subject/alex@example.com',
  'allUsers',
  'allAuthenticatedUsers',
])('%s is a member', (who) => {
  expect(faultsAt(member({ member: who }).object)).toEqual([]);
});

test.each([
  'user:alex',
  'user: alex@example.com',
  'User:alex@example.com',
  'serviceAccount:dns',
  'serviceAccount:my-project.svc.id.goog[edge]',
  'serviceAccount:my-project.svc.id.goog[edge/dns',
  'deleted:user:alex@example.com',
  'domain:example',
  'principal:alex@example.com',
  'principal://example.com/subject/alex',
  'allusers',
])('%s is not a member', (who) => {
  expect(faultsAt(member({ member: who }).object)).toEqual([
    expect.stringMatching(/is not a member; .*\(gcp-member\)$/),
  ]);
});

describe('is refused at synth', () => {
  test.each<[string, Partial<GcpIamPolicyMemberProps>, JsonPatch[], string]>([
    ['a role without its prefix', { role: 'networkUser' }, [], "'networkUser' is not a role"],
    ['a member without its kind', { member: 'dns@my-project.iam.gserviceaccount.com' }, [], 'is not a member'],
    ['no member', {}, [JsonPatch.remove('/spec/member')], 'spec has not exactly one of member and memberFrom'],
    ['two members', {}, [JsonPatch.add('/spec/memberFrom', {})], 'spec has not exactly one of member and memberFrom'],
    ['no resource', {}, [JsonPatch.remove('/spec/resourceRef/name')], 'spec.resourceRef lacks a kind, or exactly one'],
  ])('%s', (_, props, patches, what) => {
    const { object } = member(props);
    object.addJsonPatch(...patches);
    expect(faultsAt(object)).toEqual([expect.stringContaining(what)]);
    expect(faultsAt(object)[0]).toMatch(/^config-connector: .*\(gcp-(role|member|resource)\)$/);
  });
});

test.each<[string, () => unknown, RegExp]>([
  [
    'a project by number',
    () => GcpWorkloadIdentity.of('123456789012', 'edge', 'dns'),
    /'123456789012' is not the ID of a project/,
  ],
  [
    'a namespace that is none',
    () => GcpWorkloadIdentity.of('my-project', 'Edge', 'dns'),
    /'Edge' is not a valid DNS label/,
  ],
  [
    'a ServiceAccount that is none',
    () => GcpWorkloadIdentity.of('my-project', 'edge', 'a*'),
    /'a\*' is not a valid DNS name/,
  ],
  ['a number that is an ID', () => PODS.principal('my-project'), /'my-project' is not a project number/],
  [
    'a service account by name',
    () => GcpWorkloadIdentity.serviceAccountAnnotations('dns'),
    /'dns' is not the address of a service account/,
  ],
  ['a project with a capital', () => GcpResourceRef.project('My-Project'), /'My-Project' is not the ID of a project/],
])('not %s', (_, make, message) => {
  expect(make).toThrow(message);
});
