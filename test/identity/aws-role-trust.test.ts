import {
  AwsIdentity,
  type AwsIrsaTrustOptions,
  AwsPartition,
  type AwsPodIdentityTrustOptions,
  AwsRoleTrust,
} from '../../src/identity';

const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF';
const PROVIDER = `arn:aws:iam::123456789012:oidc-provider/${ISSUER}`;
const CHINA = 'oidc.eks.cn-north-1.amazonaws.com.cn/id/0123456789ABCDEF';
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
  test.each<[string, Partial<AwsIrsaTrustOptions>, string, string]>([
    ['by the ARN of the provider', { oidcProviderArn: PROVIDER }, ISSUER, PROVIDER],
    ['by both', { oidcProviderArn: PROVIDER, issuer: ISSUER, accountId: '123456789012' }, ISSUER, PROVIDER],
    ['by issuer and account', { issuer: ISSUER, accountId: '123456789012' }, ISSUER, PROVIDER],
    [
      'in China, whose partition the issuer tells, and whose audience is the same',
      { issuer: CHINA, accountId: '123456789012' },
      CHINA,
      `arn:aws-cn:iam::123456789012:oidc-provider/${CHINA}`,
    ],
    [
      'in GovCloud',
      { issuer: ISSUER.replace('eu-west-1', 'us-gov-west-1'), accountId: '123456789012' },
      ISSUER.replace('eu-west-1', 'us-gov-west-1'),
      PROVIDER.replace('arn:aws:', 'arn:aws-us-gov:').replace('eu-west-1', 'us-gov-west-1'),
    ],
    [
      'of a cluster that is none of EKS',
      { oidcProviderArn: 'arn:aws-us-gov:iam::123456789012:oidc-provider/tokens.example.com' },
      'tokens.example.com',
      'arn:aws-us-gov:iam::123456789012:oidc-provider/tokens.example.com',
    ],
  ])('%s', (_, options, issuer, arn) => {
    expect(AwsRoleTrust.irsa({ ...account, ...options }).toPolicyDocument()).toEqual(trusted(issuer, arn));
  });

  test.each<[string, Partial<AwsIrsaTrustOptions>, RegExp]>([
    ['no provider', {}, /the OIDC provider is not known; give oidcProviderArn, or issuer and accountId/],
    ['an issuer without an account', { issuer: ISSUER }, /is not known/],
    [
      'an issuer with its scheme',
      { issuer: `https://${ISSUER}`, accountId: '123456789012' },
      /begins with a scheme; write it without/,
    ],
    ['an issuer that is none', { issuer: 'prod', accountId: '123456789012' }, /'prod' is not an issuer/],
    ['an account that is none', { issuer: ISSUER, accountId: '1234' }, /'1234' is not an account ID/],
    [
      'an issuer of somebody else without its ARN',
      { issuer: 'tokens.example.com', accountId: '123456789012' },
      /not an issuer of EKS/,
    ],
    ['the ARN of a role', { oidcProviderArn: ROLE }, /is not an ARN like arn:aws:iam::123456789012:oidc-provider/],
    [
      'an ARN of an unknown partition',
      { oidcProviderArn: PROVIDER.replace('arn:aws:', 'arn:aws-moon:') },
      /is not an ARN like/,
    ],
    ['an ARN of a short account', { oidcProviderArn: PROVIDER.replace('123456789012', '1234') }, /is not an ARN like/],
    [
      'the provider of another cluster',
      { oidcProviderArn: PROVIDER, issuer: ISSUER.replace('CDEF', '0000') },
      /is not the one of the issuer/,
    ],
    ['the provider of another account', { oidcProviderArn: PROVIDER, accountId: '210987654321' }, /of another account/],
    [
      'an issuer in China with the commercial partition',
      { oidcProviderArn: `arn:aws:iam::123456789012:oidc-provider/${CHINA}` },
      /is in partition aws-cn, and the OIDC provider '.*' in aws; write arn:aws-cn:/,
    ],
    [
      'an issuer that is a token',
      { oidcProviderArn: PROVIDER, issuer: TOKEN },
      /use AwsLoadBalancerControllerRole .*\(irsa-issuer-token\)/,
    ],
    ['an ARN that is a token', { oidcProviderArn: TOKEN }, /irsa-issuer-token/],
    ['a wildcard as a namespace', { oidcProviderArn: PROVIDER, namespace: '*' }, /'\*' is not a valid DNS label/],
    [
      'a ServiceAccount with a wildcard',
      { oidcProviderArn: PROVIDER, serviceAccount: 'aws-*' },
      /'aws-\*' is not a valid DNS name/,
    ],
  ])('not with %s', (_, options, message) => {
    expect(() => AwsRoleTrust.irsa({ ...account, ...options })).toThrow(message);
  });
});

describe('a role that EKS gives to pods', () => {
  const clusterArn = 'arn:aws:eks:eu-west-1:123456789012:cluster/prod';

  test('by any association', () => {
    expect(AwsRoleTrust.podIdentity().toPolicyDocument()).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Service: 'pods.eks.amazonaws.com' },
          Action: ['sts:AssumeRole', 'sts:TagSession'],
        },
      ],
    });
  });

  test('by an association for one ServiceAccount of one cluster', () => {
    const trust = AwsRoleTrust.podIdentity({ clusterName: 'prod', clusterArn, ...account });
    expect(trust.toPolicyDocument()).toMatchObject({
      Statement: [
        {
          Condition: {
            StringEquals: {
              'aws:RequestTag/eks-cluster-name': 'prod',
              'aws:RequestTag/eks-cluster-arn': clusterArn,
              'aws:RequestTag/kubernetes-namespace': 'kube-system',
              'aws:RequestTag/kubernetes-service-account': 'controller',
            },
          },
        },
      ],
    });
  });

  test.each<[string, AwsPodIdentityTrustOptions, RegExp]>([
    ['the ARN of a role', { clusterArn: ROLE }, /is not an ARN like arn:aws:eks/],
    ['the ARN of a cluster of another name', { clusterArn, clusterName: 'stage' }, /has another name than 'stage'/],
    ['a namespace that is none', { namespace: 'Kube_System' }, /is not a valid DNS label/],
  ])('not with %s', (_, options, message) => {
    expect(() => AwsRoleTrust.podIdentity(options)).toThrow(message);
  });

  test('or by its token, while it moves', () => {
    const both = AwsRoleTrust.podIdentity().plus(AwsRoleTrust.irsa({ ...account, oidcProviderArn: PROVIDER }));
    expect(both.toPolicyDocument().Statement).toHaveLength(2);
  });
});

describe('a ServiceAccount', () => {
  test.each<[string, AwsIdentity, Record<string, string>]>([
    ['of Pod Identity carries nothing', AwsIdentity.podIdentity(), {}],
    ['that uses the role of its node carries nothing', AwsIdentity.nodeRole(), {}],
    ['names its role', AwsIdentity.irsa(ROLE), { 'eks.amazonaws.com/role-arn': ROLE }],
    ['names a role that is a token', AwsIdentity.irsa(TOKEN), { 'eks.amazonaws.com/role-arn': TOKEN }],
    [
      'has settings of its tokens',
      AwsIdentity.irsa(ROLE, { regionalSts: true, audience: 'edge', tokenExpirationSeconds: 600 }),
      {
        'eks.amazonaws.com/role-arn': ROLE,
        'eks.amazonaws.com/sts-regional-endpoints': 'true',
        'eks.amazonaws.com/audience': 'edge',
        'eks.amazonaws.com/token-expiration': '600',
      },
    ],
  ])('%s', (_, identity, annotations) => {
    expect(identity.serviceAccountAnnotations).toEqual(annotations);
  });

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
  ])('not with %s', (_, make, message) => {
    expect(make).toThrow(message);
  });
});

describe('the partition', () => {
  test.each([
    ['eu-west-1', 'aws', 'amazonaws.com'],
    ['cn-northwest-1', 'aws-cn', 'amazonaws.com.cn'],
    ['us-gov-east-1', 'aws-us-gov', 'amazonaws.com'],
    ['us-iso-east-1', 'aws-iso', 'c2s.ic.gov'],
    ['us-isob-east-1', 'aws-iso-b', 'sc2s.sgov.gov'],
    ['eu-isoe-west-1', 'aws-iso-e', 'cloud.adc-e.uk'],
    ['us-isof-south-1', 'aws-iso-f', 'csp.hci.ic.gov'],
    ['eusc-de-east-1', 'aws-eusc', 'amazonaws.eu'],
  ])('of %s is %s', (region, id, dnsSuffix) => {
    expect(AwsPartition.ofRegion(region)).toMatchObject({ id });
    expect(AwsPartition.ofRegion(region).dnsSuffix).toBe(dnsSuffix);
    expect(AwsPartition.ofArn(`arn:${id}:iam::123456789012:role/x`).id).toBe(id);
  });

  test('of something else is refused', () => {
    expect(() => AwsPartition.ofRegion('europe-west1')).toThrow(/'europe-west1' is not a region of a known partition/);
    expect(() => AwsPartition.ofArn('edge')).toThrow(/'edge' is not an ARN of a known partition/);
  });
});
