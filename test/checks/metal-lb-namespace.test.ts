import { AwsLoadBalancerController, EksAutoMode, MetalLb } from '../../src';
import { saidBy } from '../support/checked';

const controller = (namespace: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: controller, namespace: ${namespace}}
spec: {template: {spec: {containers: [{name: controller, image: "quay.io/metallb/controller:v0.16.1"}]}}}
---
`;

const pool = (namespace: string, kind = 'IPAddressPool') => `apiVersion: metallb.io/v1beta1
kind: ${kind}
metadata: {name: edge${namespace && `, namespace: ${namespace}`}}
spec: {${kind === 'IPAddressPool' ? 'addresses: [192.0.2.0/28]' : ''}}
`;

const said = (content: string, context: Parameters<typeof saidBy>[2] = {}) =>
  saidBy('namespace-of-metallb', content, context);

test('a pool is read in the namespace of MetalLB alone', () => {
  expect(said(controller('metallb-system') + pool('default'))).toEqual([
    'warning 8: MetalLB runs in namespace metallb-system, and ignores objects of its kinds in namespace default; put it into namespace metallb-system, or acknowledge it where it is for another cluster',
  ]);
});

test.each<[string, string, Parameters<typeof saidBy>[2], number]>([
  ['in its namespace', controller('metallb') + pool('metallb'), {}, 0],
  ['an advertisement elsewhere', controller('metallb') + pool('default', 'L2Advertisement'), {}, 1],
  ['without a namespace', controller('metallb') + pool(''), {}, 0],
  ['in a namespace that is filled in later', controller('metallb') + pool('$(NAMESPACE)'), {}, 0],
  ['where MetalLB is not to be seen', pool('default'), {}, 0],
  ['where two of them are', controller('metallb') + controller('other') + pool('default'), {}, 0],
  [
    'in another namespace than that of the context',
    pool('default'),
    { controllers: [MetalLb.layer2({ namespace: 'metallb' })] },
    1,
  ],
  ['in the namespace of the context', pool('metallb'), { controllers: [MetalLb.layer2({ namespace: 'metallb' })] }, 0],
  ['under a context without a namespace', pool('default'), { controllers: [MetalLb.layer2()] }, 0],
])('a pool %s', (_, content, context, count) => {
  expect(said(content, context)).toHaveLength(count);
});

test.each([
  ['without keys', '', '', 'they do not share it by one key'],
  ['with one key', 'metallb.io/allow-shared-ip: a, ', '', 'a port belongs to one Service'],
  [
    'with one key, Local and Cluster',
    'metallb.io/allow-shared-ip: a, ',
    ', externalTrafficPolicy: Local',
    'they share it under different conditions',
  ],
])('two Services of one port and one address of MetalLB %s', (_, key, policy, why) => {
  const one = (name: string, more = '') =>
    `apiVersion: v1\nkind: Service\nmetadata: { name: ${name}, namespace: x, annotations: { ${key}metallb.io/loadBalancerIPs: 10.0.0.5 } }\nspec: { type: LoadBalancer, selector: { a: b }, ports: [{ port: 80 }]${more} }\n`;
  const [found] = saidBy('claimed-twice', `${one('a')}---\n${one('b', policy)}`, { controllers: [MetalLb.layer2()] });
  expect(found).toContain(`${why}, so the later one gets no address`);
});

test.each([
  ['eks.amazonaws.com/nlb', EksAutoMode.nlb(), 'does not document it'],
  ['service.k8s.aws/nlb', AwsLoadBalancerController.nlb(), 'ignores it'],
])('of class %s, what its controller does with a foreign annotation is as far as it is known', (name, owner, fate) => {
  const yaml = `apiVersion: v1\nkind: Service\nmetadata: { name: a, annotations: { service.beta.kubernetes.io/aws-load-balancer-connection-idle-timeout: '60' } }\nspec: { type: LoadBalancer, loadBalancerClass: ${name}, ports: [{ port: 80 }] }\n`;
  expect(saidBy('annotation-foreign', yaml, { controllers: [owner] })).toEqual([
    expect.stringContaining(`, which ${fate};`),
  ]);
});
