import { Chart, Testing } from 'cdk8s';
import { GcpIamPolicyMember, type GcpIamPolicyMemberProps, GcpResourceRef } from '../../src/identity';

const ROBOT = 'serviceAccount:service-123456789012@container-engine-robot.iam.gserviceaccount.com';

function member(props: Partial<GcpIamPolicyMemberProps> = {}) {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'infra' });
  const made = new GcpIamPolicyMember(chart, 'Member', {
    resource: GcpResourceRef.project('my-project'),
    member: ROBOT,
    role: 'roles/compute.networkUser',
    ...props,
  });
  return { chart, object: made.policyMember };
}

test('a role is given on a project', () => {
  expect(Testing.synth(member({ name: 'edge' }).chart)).toEqual([
    {
      apiVersion: 'iam.cnrm.cloud.google.com/v1beta1',
      kind: 'IAMPolicyMember',
      metadata: { name: 'edge', namespace: 'infra' },
      spec: {
        member: ROBOT,
        role: 'roles/compute.networkUser',
        resourceRef: { kind: 'Project', external: 'projects/my-project' },
      },
    },
  ]);
});

test('a role is given on a network of another project, for a while', () => {
  const { object } = member({
    resource: GcpResourceRef.external('ComputeSubnetwork', 'projects/shared/regions/europe-west1/subnetworks/edge'),
    conditionExpression: 'request.time < timestamp("2030-01-01T00:00:00Z")',
    projectId: 'shared',
  });
  expect(object.toJson()).toMatchObject({
    metadata: { annotations: { 'cnrm.cloud.google.com/project-id': 'shared' } },
    spec: {
      resourceRef: { kind: 'ComputeSubnetwork', external: 'projects/shared/regions/europe-west1/subnetworks/edge' },
      condition: { title: 'Member', expression: 'request.time < timestamp("2030-01-01T00:00:00Z")' },
    },
  });
});

test('a role is given on an object', () => {
  expect(
    member({ resource: GcpResourceRef.ofObject('PubSubTopic', 'a', 'b') }).object.toJson().spec.resourceRef,
  ).toEqual({ kind: 'PubSubTopic', name: 'a', namespace: 'b' });
});

test('a project has an ID in small letters', () => {
  expect(() => GcpResourceRef.project('My-Project')).toThrow(/'My-Project' is not the ID of a project/);
});
