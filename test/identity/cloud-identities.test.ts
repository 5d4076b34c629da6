import { Chart, Testing } from 'cdk8s';
import {
  AwsIdentity,
  type AwsIrsaTrustOptions,
  AwsPartition,
  type AwsPodIdentityTrustOptions,
  AwsRoleTrust,
  AzureNetworkPurpose,
  AzureRole,
  AzureRoleAssignment,
  type AzureRoleAssignmentProps,
  AzureRoleDefinition,
  AzureScope,
  GcpIamPolicyMember,
  type GcpIamPolicyMemberProps,
  GcpResourceRef,
} from '../../src/identity';
import { casesIn, revived } from '../support/yaml-cases';

const CASES = casesIn(__dirname, 'azure-identity.yaml');

const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';
const PRINCIPAL = '99999999-8888-7777-6666-555555555555';
const SUBNET = AzureScope.subnet(SUBSCRIPTION, 'network', 'hub', 'edge');

const chartOf = () => new Chart(Testing.app(), 'chart', { namespace: 'aso' });

function assignment(props: Partial<AzureRoleAssignmentProps> = {}) {
  const chart = chartOf();
  const made = new AzureRoleAssignment(chart, 'Role', {
    on: SUBNET,
    role: AzureRole.networkContributor(),
    principalId: PRINCIPAL,
    ...props,
  });
  return { chart, made };
}

describe('the ID of', () => {
  test.each<[string, AzureScope, string]>(revived(CASES.id))('%s', (_, scope, armId) => {
    expect(scope).toMatchObject({ armId, subscriptionId: SUBSCRIPTION });
  });

  test.each<[string, () => unknown, RegExp]>([
    [
      'a subnet with a slash',
      () => AzureScope.subnet(SUBSCRIPTION, 'network', 'hub', 'a/b'),
      /'a\/b' is not a valid resource name/,
    ],
    [
      'a group that ends with a dot',
      () => AzureScope.resourceGroup(SUBSCRIPTION, 'network.'),
      /is not a valid resource name/,
    ],
    ['an ID without a subscription', () => AzureScope.ofId('/resourceGroups/network'), /is not the ID of a resource/],
  ])('is not made of %s', (_, make, message) => expect(make).toThrow(message));
});

describe('a role assignment', () => {
  test('gives a built-in role on a subnet', () => {
    expect(Testing.synth(assignment({ name: 'edge' }).chart)).toEqual([
      {
        apiVersion: 'authorization.azure.com/v1api20220401',
        kind: 'RoleAssignment',
        metadata: { name: 'edge', namespace: 'aso' },
        spec: {
          owner: { armId: SUBNET.armId },
          principalId: PRINCIPAL,
          principalType: 'ServicePrincipal',
          roleDefinitionReference: {
            armId: `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/4d97b98b-1d4f-4787-a291-c67834d212e7`,
          },
        },
      },
    ]);
  });

  test('takes the principal from a ConfigMap, and a role by its name', () => {
    const [{ apiVersion, spec }] = Testing.synth(
      assignment({
        principalId: undefined,
        principalIdFrom: { name: 'identity', key: 'principalId' },
        role: AzureRole.wellKnown('Network Contributor'),
        apiVersion: 'v20220401',
      }).chart,
    );
    expect(apiVersion).toBe('authorization.azure.com/v20220401');
    expect(spec.principalIdFromConfig).toEqual({ name: 'identity', key: 'principalId' });
    expect(spec.roleDefinitionReference).toEqual({ wellKnownName: 'Network Contributor' });
  });

  test('gives a role that may do less', () => {
    const { chart } = assignment();
    const definition = new AzureRoleDefinition(chart, 'Definition', {
      assignableScope: SUBNET,
      roleName: 'Load balancers of prod',
      purposes: [AzureNetworkPurpose.INTERNAL_SUBNET, AzureNetworkPurpose.PUBLIC_IP_PREFIX],
      actions: ['Microsoft.Network/routeTables/read'],
      name: 'balancers',
    });
    const given = new AzureRoleAssignment(chart, 'Given', {
      on: SUBNET,
      role: definition.role,
      principalId: PRINCIPAL,
    });
    expect(definition.definition.toJson()).toMatchObject({
      kind: 'RoleDefinition',
      spec: {
        type: 'customRole',
        assignableScopesReferences: [{ armId: SUBNET.armId }],
        permissions: [
          {
            actions: [
              'Microsoft.Network/virtualNetworks/read',
              'Microsoft.Network/virtualNetworks/subnets/read',
              'Microsoft.Network/virtualNetworks/subnets/join/action',
              'Microsoft.Network/publicIPPrefixes/join/action',
              'Microsoft.Network/routeTables/read',
            ],
          },
        ],
      },
    });
    expect(given.assignment.toJson().spec.roleDefinitionReference).toEqual({
      group: 'authorization.azure.com',
      kind: 'RoleDefinition',
      name: 'balancers',
    });
  });

  test.each<[string, Partial<AzureRoleAssignmentProps>, string]>([
    ['a principal by name', { principalId: 'aks' }, "principalId 'aks' is not a GUID"],
  ])('is refused with %s', (_, props, what) => expect(() => assignment(props)).toThrow(`chart/Role: ${what}`));

  test('not of a role by something else', () => {
    expect(() => AzureRole.ofId('Network Contributor')).toThrow(/\(azure-role-invalid\)/);
  });
});

test.each<string>(CASES.noId)('%s is no ID', (armId) => {
  expect(() => AzureScope.ofId(armId)).toThrow(/\(azure-scope-invalid\)/);
});

test.each([
  `/subscriptions/${SUBSCRIPTION}/resourcegroups/MC_prod_(eu)/providers/microsoft.network/loadBalancers/kubernetes`,
  `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/${PRINCIPAL}`,
  `${SUBNET.armId}/providers/Microsoft.Authorization/locks/keep`,
])('%s is an ID', (armId) => expect(AzureScope.ofId(armId).armId).toBe(armId));

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
  expect(Testing.synth(member({ name: 'edge' }).chart)).toEqual(
    casesIn(__dirname, 'cloud-identities.yaml')['member of a project'],
  );
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

describe('aws role trust', () => {
  const CASES = casesIn(__dirname, 'aws-role-trust.yaml');

  const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF';
  const PROVIDER = `arn:aws:iam::123456789012:oidc-provider/${ISSUER}`;
  const ROLE = 'arn:aws:iam::123456789012:role/edge/controller';
  const account = { namespace: 'kube-system', serviceAccount: 'controller' };
  const TOKEN = '$' + '{Token[Issuer.12]}';

  function trusted(issuer: string, arn: string) {
    return {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Federated: arn },
          Action: 'sts:AssumeRoleWithWebIdentity',
          Condition: {
            StringEquals: {
              [`${issuer}:aud`]: 'sts.amazonaws.com',
              [`${issuer}:sub`]: 'system:serviceaccount:kube-system:controller',
            },
          },
        },
      ],
    };
  }

  describe('a role that takes the tokens of a ServiceAccount', () => {
    test.each<[string, Partial<AwsIrsaTrustOptions>, string, string]>(revived(CASES.roleTakesTokens))(
      '%s',
      (_, options, issuer, arn) => {
        expect(AwsRoleTrust.irsa({ ...account, ...options }).toPolicyDocument()).toEqual(trusted(issuer, arn));
      },
    );

    test.each<[string, Partial<AwsIrsaTrustOptions>, RegExp]>(revived(CASES.not))(
      'not with %s',
      (_, options, message) => expect(() => AwsRoleTrust.irsa({ ...account, ...options })).toThrow(message),
    );
  });

  describe('a role that EKS gives to pods', () => {
    const clusterArn = 'arn:aws:eks:eu-west-1:123456789012:cluster/prod';

    test('by any association', () => {
      expect(AwsRoleTrust.podIdentity().toPolicyDocument()).toEqual(
        casesIn(__dirname, 'cloud-identities.yaml')['by any association'],
      );
    });

    test('by an association for one ServiceAccount of one cluster', () => {
      const trust = AwsRoleTrust.podIdentity({ clusterName: 'prod', clusterArn, ...account });
      expect(trust.toPolicyDocument()).toMatchObject(
        casesIn(__dirname, 'cloud-identities.yaml')['trust of an account'],
      );
    });

    test.each<[string, AwsPodIdentityTrustOptions, RegExp]>([
      ['the ARN of a role', { clusterArn: ROLE }, /is not an ARN like arn:aws:eks/],
      ['the ARN of a cluster of another name', { clusterArn, clusterName: 'stage' }, /has another name than 'stage'/],
      ['a namespace that is none', { namespace: 'Kube_System' }, /is not a valid DNS label/],
    ])('not with %s', (_, options, message) => expect(() => AwsRoleTrust.podIdentity(options)).toThrow(message));

    test('or by its token, while it moves', () => {
      const both = AwsRoleTrust.podIdentity().plus(AwsRoleTrust.irsa({ ...account, oidcProviderArn: PROVIDER }));
      expect(both.toPolicyDocument().Statement).toHaveLength(2);
    });
  });

  describe('a ServiceAccount', () => {
    test.each<[string, AwsIdentity, Record<string, string>]>([
      ...revived(CASES.serviceaccount),
      ['names a role that is a token', AwsIdentity.irsa(TOKEN), { 'eks.amazonaws.com/role-arn': TOKEN }],
    ])('%s', (_, identity, annotations) => expect(identity.serviceAccountAnnotations).toEqual(annotations));

    test.each<[string, () => unknown, RegExp]>([
      ['the name of a role', () => AwsIdentity.irsa('edge'), /'edge' is not an ARN like arn:aws:iam/],
      ['an instance profile', () => AwsIdentity.irsa(ROLE.replace('role/', 'instance-profile/')), /is not an ARN like/],
      [
        'a token that lives for a minute',
        () => AwsIdentity.irsa(ROLE, { tokenExpirationSeconds: 60 }),
        /write 600 to 86400/,
      ],
      [
        'a token that lives for two days',
        () => AwsIdentity.irsa(ROLE, { tokenExpirationSeconds: 172800 }),
        /write 600 to 86400/,
      ],
    ])('not with %s', (_, make, message) => expect(make).toThrow(message));
  });

  describe('the partition', () => {
    test.each<[string, string, string]>(revived(CASES.partition))('of %s is %s', (region, id, dnsSuffix) => {
      expect(AwsPartition.ofRegion(region)).toMatchObject({ id });
      expect(AwsPartition.ofRegion(region).dnsSuffix).toBe(dnsSuffix);
      expect(AwsPartition.ofArn(`arn:${id}:iam::123456789012:role/x`).id).toBe(id);
    });

    test('of something else is refused', () => {
      expect(() => AwsPartition.ofRegion('europe-west1')).toThrow(
        /'europe-west1' is not a region of a known partition/,
      );
      expect(() => AwsPartition.ofArn('edge')).toThrow(/'edge' is not an ARN of a known partition/);
    });
  });
});
