import { AwsLoadBalancerController, EksAutoMode, LoadBalancerScheme } from '../../../src';
import { AllowedClass } from '../../../src/tenancy/guard/allowed-class';

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
const OPENING = ['security-groups', 'security-group-prefix-lists', 'disable-nlb-sg'].map((key) => `${AWS}${key}`);

// Annotations that let clients in whom the source ranges keep out are none of a tenant's.
test.each<[string, AllowedClass, string[]]>([
  ['the class of the AWS controller', AllowedClass.of('service.k8s.aws/nlb'), OPENING],
  ['that of EKS Auto Mode', AllowedClass.of('eks.amazonaws.com/nlb'), OPENING],
  [
    'the AWS controller',
    AllowedClass.ofController(AwsLoadBalancerController.nlb(), LoadBalancerScheme.INTERNAL),
    OPENING,
  ],
  [
    'the AWS controller under a class of another name',
    AllowedClass.ofController(
      AwsLoadBalancerController.nlb({ loadBalancerClass: 'example.com/nlb' }),
      LoadBalancerScheme.INTERNAL,
    ),
    OPENING,
  ],
  ['EKS Auto Mode', AllowedClass.ofController(EksAutoMode.nlb(), LoadBalancerScheme.INTERNAL), OPENING],
  [
    'a class with one that is forbidden, and one that is forbidden anyway',
    AllowedClass.of('service.k8s.aws/nlb', { forbiddenAnnotations: ['example.com/a', OPENING[0]] }),
    ['example.com/a', ...OPENING],
  ],
  [
    'a class with one that is allowed',
    AllowedClass.of('service.k8s.aws/nlb', { openingAnnotations: [OPENING[1]] }),
    [OPENING[0], OPENING[2]],
  ],
  [
    'a class with one that is required',
    AllowedClass.of('service.k8s.aws/nlb', { annotations: { [OPENING[0]]: 'sg-0123456789abcdef0' } }),
    OPENING.slice(1),
  ],
  ['a class of others', AllowedClass.of('example.com/own'), []],
  ['the shared class', AllowedClass.shared(), []],
])('%s', (_, allowed, forbidden) => {
  expect(allowed._forbiddenAnnotations).toEqual(forbidden);
  expect(allowed._fault).toBeUndefined();
});
