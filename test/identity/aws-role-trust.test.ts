import {
  AwsIdentity,
  type AwsIrsaTrustOptions,
  AwsPartition,
  type AwsPodIdentityTrustOptions,
  AwsRoleTrust,
} from '../../src/identity';
import { casesIn, revived } from '../support/yaml-cases';

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
    (_, options, message) => {
      expect(() => AwsRoleTrust.irsa({ ...account, ...options })).toThrow(message);
    },
  );
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
    ...revived(CASES.serviceaccount),
    ['names a role that is a token', AwsIdentity.irsa(TOKEN), { 'eks.amazonaws.com/role-arn': TOKEN }],
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
  test.each<[string, string, string]>(revived(CASES.partition))('of %s is %s', (region, id, dnsSuffix) => {
    expect(AwsPartition.ofRegion(region)).toMatchObject({ id });
    expect(AwsPartition.ofRegion(region).dnsSuffix).toBe(dnsSuffix);
    expect(AwsPartition.ofArn(`arn:${id}:iam::123456789012:role/x`).id).toBe(id);
  });

  test('of something else is refused', () => {
    expect(() => AwsPartition.ofRegion('europe-west1')).toThrow(/'europe-west1' is not a region of a known partition/);
    expect(() => AwsPartition.ofArn('edge')).toThrow(/'edge' is not an ARN of a known partition/);
  });
});
