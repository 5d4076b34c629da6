import { AwsLoadBalancerController, MetalLb } from '../../src';
import { foundIn, saidBy } from '../support/checked';

const live = (metadata: string, status = '') => `apiVersion: v1
kind: Service
metadata:
  name: web
  uid: 11111111-2222-3333-4444-555555555555
  ${metadata}
spec:
  type: LoadBalancer
  loadBalancerClass: service.k8s.aws/nlb
  selector: {app: web}
  ports: [{port: 80}]
${status}`;

const SERVED = 'status: {loadBalancer: {ingress: [{hostname: a.elb.amazonaws.com}]}}';
const OWN = 'finalizers: [service.k8s.aws/resources]';
const DELETED = `deletionTimestamp: '2026-11-20T10:00:00Z'\n  ${OWN}`;

describe('a Service of a running cluster', () => {
  test('that is deleted says whom it waits for', () => {
    expect(saidBy('deletion-waits', live(DELETED))).toEqual([
      'warning 7: the Service is being deleted since 2026-11-20T10:00:00Z and waits for aws-load-balancer-controller to remove service.k8s.aws/resources; look at the events of the Service and at the log of that controller, which goes on once the balancer is gone',
    ]);
  });

  test('whose controller is gone hangs', () => {
    const [said] = saidBy('deletion-waits', live(DELETED), { controllers: [MetalLb.layer2()] });
    expect(said).toContain('and none of the controllers that run does; run that controller again');
  });

  test('that is not deleted waits for nothing', () => {
    expect(saidBy('deletion-waits', live(OWN))).toEqual([]);
  });

  test('that has an address has a finalizer', () => {
    expect(foundIn(live('labels: {}', SERVED))).toContain('warning 3 finalizer-missing');
    expect(saidBy('finalizer-missing', live(OWN, SERVED))).toEqual([]);
    expect(saidBy('finalizer-missing', live('labels: {}'))).toEqual([]);
    const controllers = [AwsLoadBalancerController.nlb({ loadBalancerClass: 'example.com/other' })];
    expect(saidBy('finalizer-missing', live('labels: {}', SERVED), { controllers })).toEqual([]);
  });
});

describe('a finalizer and the kind of its object', () => {
  const object = (apiVersion: string, kind: string, finalizer: string) => `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: web
  finalizers:
    - ${finalizer}
spec: {}
`;

  test.each([
    ['networking.k8s.io/v1', 'Ingress', 'service.k8s.aws/resources'],
    ['networking.k8s.io/v1', 'Ingress', 'service.kubernetes.io/load-balancer-cleanup'],
    ['gateway.networking.k8s.io/v1', 'Gateway', 'group.ingress.k8s.aws/shop'],
    ['v1', 'Service', 'ingress.k8s.aws/resources'],
  ])('%s %s does not lose %s', (apiVersion, kind, finalizer) => {
    expect(foundIn(object(apiVersion, kind, finalizer))).toContain('error 6 finalizer-of-another-kind');
  });

  test.each([
    ['networking.k8s.io/v1', 'Ingress', 'ingress.k8s.aws/resources'],
    ['networking.k8s.io/v1', 'Ingress', 'group.ingress.k8s.aws/shop'],
    ['networking.k8s.io/v1', 'Ingress', 'example.com/cleanup'],
    ['gateway.networking.k8s.io/v1', 'Gateway', 'gateway.k8s.aws/nlb'],
  ])('%s %s may lose %s', (apiVersion, kind, finalizer) => {
    expect(saidBy('finalizer-of-another-kind', object(apiVersion, kind, finalizer))).toEqual([]);
  });
});

describe('a node of AKS', () => {
  const node = (mode: string, taint: string) => `apiVersion: v1
kind: Node
metadata: {name: aks-a-1, labels: {kubernetes.azure.com/mode: ${mode}}}
spec:
  taints:
    - ${taint}
`;

  test('of a system pool has no hard taint of its own', () => {
    expect(foundIn(node('system', '{key: dedicated, value: edge, effect: NoSchedule}'))).toEqual([
      'warning 6 aks-system-pool-taint',
    ]);
  });

  test.each([
    ['a user pool', node('user', '{key: dedicated, value: edge, effect: NoSchedule}')],
    ['the taint of AKS itself', node('system', '{key: CriticalAddonsOnly, value: "true", effect: NoSchedule}')],
    ['a soft taint', node('system', '{key: dedicated, value: edge, effect: PreferNoSchedule}')],
    ['a node that is not ready', node('system', '{key: node.kubernetes.io/not-ready, effect: NoExecute}')],
  ])('may have %s', (_, yaml) => {
    expect(foundIn(yaml)).toEqual([]);
  });
});
