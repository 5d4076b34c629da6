import { AwsLoadBalancerController, AzureCloudProvider } from '../../src';
import { foundIn, saidBy } from '../support/checked';

const MODE = 'service.beta.kubernetes.io/azure-load-balancer-mode';

const echo = (set: string, spec: string) => `apiVersion: v1
kind: Service
metadata:
  name: echo
  annotations:
    ${MODE}: ${set}-availabilitySet-7
spec:
  externalTrafficPolicy: Local
  selector: {app: echo}
  ports: [{port: 80, targetPort: 8080}]
  ${spec}
`;

const pods = (pool: string, key = 'nodepool.example.com/name') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: echo}
spec:
  replicas: 3
  selector: {matchLabels: {app: echo}}
  template:
    metadata: {labels: {app: echo}}
    spec:
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms: [{matchExpressions: [{key: ${key}, operator: In, values: [${pool}]}]}]
      containers: [{name: echo, image: e, ports: [{containerPort: 8080}]}]
---
`;

const BALANCED = 'type: LoadBalancer';

describe('a Service that names neither owner nor scheme', () => {
  const nginx = (spec = '', metadata = '') => `apiVersion: v1
kind: Service
metadata: {name: nginx${metadata}}
spec:
  type: LoadBalancer
  ports: [{port: 80}]
  selector: {app: nginx}
  ${spec}
`;

  test('what it becomes under each owner', () => {
    expect(foundIn(nginx())).toEqual(['note 5 owner-unsaid']);
    const [said] = saidBy('owner-unsaid', nginx());
    for (const part of [
      'internal by aws-load-balancer-controller',
      'internet-facing by cloud-provider-aws, cloud-provider-azure',
      'as its address pool says by metallb',
    ]) {
      expect(said).toContain(part);
    }
    expect(said.length).toBeLessThan(400);
  });

  test.each([
    ['a class', nginx('loadBalancerClass: service.k8s.aws/nlb')],
    ['an annotation of a controller', nginx('', ', annotations: {metallb.io/address-pool: a}')],
    ['a finalizer', nginx('', ', finalizers: [service.k8s.aws/resources]')],
  ])('%s says who owns it', (_, yaml) => {
    expect(saidBy('owner-unsaid', yaml)).toEqual([]);
  });

  test('the controllers that are known decide it', () => {
    const controllers = [AwsLoadBalancerController.nlb({ serviceMutatorWebhook: true })];
    expect(foundIn(nginx(), { controllers })).toEqual([]);
  });
});

describe('a Service of another type with annotations of balancers', () => {
  test('its annotation does nothing', () => {
    expect(foundIn(echo('pool-1', ''))).toEqual([
      'warning 6 balancer-annotation-on-type',
      'error 8 traffic-policy-on-type',
    ]);
    expect(saidBy('balancer-annotation-on-type', echo('pool-1', 'type: NodePort'))).toEqual([
      `warning 6: ${MODE} does nothing on a Service of type NodePort, of which cloud-provider-azure makes no load balancer; write type: LoadBalancer where a balancer is meant, or remove the annotation`,
    ]);
  });

  const clusterIp = (annotation: string) => `apiVersion: v1
kind: Service
metadata: {name: web, annotations: {${annotation}}}
spec: {selector: {app: web}, ports: [{port: 80}]}
`;

  test.each([
    ['cloud.google.com/neg', `cloud.google.com/neg: '{"ingress": true}'`],
    ['cloud.google.com/backend-config', `cloud.google.com/backend-config: '{"default": "a"}'`],
    ['the type by which the AWS controller takes it', 'service.beta.kubernetes.io/aws-load-balancer-type: nlb-ip'],
    ['what nobody knows', 'example.com/color: blue'],
  ])('%s is read there', (_, annotation) => {
    expect(saidBy('balancer-annotation-on-type', clusterIp(annotation))).toEqual([]);
  });
});

describe('the VM set of a Service and the pool of its pods', () => {
  test('the mode annotation works on Basic balancers alone', () => {
    expect(foundIn(echo('pool-1', BALANCED))).toEqual(['warning 6 azure-ignored-by-sku', 'note 8 local-without-pool']);
  });

  test('no node of the backend has a pod', () => {
    expect(foundIn(pods('pool-1') + echo('system', BALANCED))).toContain('warning 21 azure-vm-set-of-another-pool');
    expect(saidBy('azure-vm-set-of-another-pool', pods('pool-1') + echo('system', BALANCED))).toEqual([
      "warning 21: the pods run on node pool pool-1 alone, and the backend of a Basic balancer is VM set 'system-availabilitySet-7': with policy Local no node of the backend has a pod, and no connection is answered; name the VM set of the pool of the pods: <pool>-availabilitySet-<number>, or aks-<pool>-<number>-vmss",
    ]);
  });

  test.each([
    ['pods of that pool', pods('system') + echo('system', BALANCED), undefined],
    ['pods that demand something else', pods('a', 'example.com/disk') + echo('system', BALANCED), undefined],
    ['no pods that are known', echo('system', BALANCED), undefined],
    ['Standard balancers, which ignore it', pods('pool-1') + echo('system', BALANCED), AzureCloudProvider.standard()],
  ])('%s', (_, yaml, controller) => {
    expect(saidBy('azure-vm-set-of-another-pool', yaml, controller && { controllers: [controller] })).toEqual([]);
  });
});

test('externalIPs are deprecated, and give a load balancer no address', () => {
  const yaml = (field: string) => `apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  ${field}
  selector: {app: web}
  ports: [{port: 80}]
`;
  expect(foundIn(yaml('externalIPs: [190.170.20.238]'))).toEqual(['warning 5 external-ips-deprecated']);
  expect(foundIn(yaml('externalIPs: []'))).toEqual([]);
});
