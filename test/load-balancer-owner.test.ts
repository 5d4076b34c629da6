import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  EksAutoMode,
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  LoadBalancerOwner,
  MetalLb,
  OwnershipState,
} from '../src';
import type { Json } from '../src/contract/json';
import { service } from './support/cases';

const lbc = AwsLoadBalancerController.nlb();
const webhook = AwsLoadBalancerController.nlb({ serviceMutatorWebhook: true });
const ccm = AwsCloudProvider.classic();
const auto = EksAutoMode.nlb();
const eks = [lbc, ccm];

const TYPE = 'service.beta.kubernetes.io/aws-load-balancer-type';
const TARGET = 'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type';
const classed = (loadBalancerClass: string) => service({ loadBalancerClass });

/** The Service of the Kubernetes documentation: no class, no annotation. */
const SAMPLE = service();

const rows: [string, Json, ILoadBalancerController[], string][] = [
  ['the class of the AWS controller', classed('service.k8s.aws/nlb'), eks, 'aws-load-balancer-controller'],
  ['the class of Auto Mode', classed('eks.amazonaws.com/nlb'), [...eks, auto], 'eks-auto-mode'],
  ['a class of nobody', classed('example.com/lb'), eks, 'unclaimed'],
  [
    'a class that the controller was started with',
    classed('example.com/lb'),
    [AwsLoadBalancerController.nlb({ loadBalancerClass: 'example.com/lb' }), ccm],
    'aws-load-balancer-controller',
  ],
  [
    'type external with ip targets',
    service({}, { [TYPE]: 'external', [TARGET]: 'ip' }),
    eks,
    'aws-load-balancer-controller',
  ],
  [
    'type external with nodes',
    service({}, { [TYPE]: 'external', [TARGET]: 'instance' }),
    eks,
    'aws-load-balancer-controller',
  ],
  [
    'type external on a Service of another type',
    service({ type: 'ClusterIP' }, { [TYPE]: 'external', [TARGET]: 'ip' }),
    eks,
    'aws-load-balancer-controller',
  ],
  ['type nlb on a Service of another type', service({ type: 'NodePort' }, { [TYPE]: 'nlb' }), eks, 'not-applicable'],
  ['type nlb-ip', service({}, { [TYPE]: 'nlb-ip' }), eks, 'aws-load-balancer-controller'],
  ['type external without a target type', service({}, { [TYPE]: 'external' }), eks, 'unclaimed'],
  ['type nlb', service({}, { [TYPE]: 'nlb' }), eks, 'cloud-provider-aws'],
  ['type nlb where the webhook is on', service({}, { [TYPE]: 'nlb' }), [webhook, ccm], 'aws-load-balancer-controller'],
  ['the sample under the cloud provider', SAMPLE, eks, 'cloud-provider-aws'],
  ['the sample where the webhook is on', SAMPLE, [webhook, ccm], 'aws-load-balancer-controller'],
  [
    'a live Service that its webhook did not see',
    { ...SAMPLE, metadata: { ...SAMPLE.metadata, uid: '1' } },
    [webhook, ccm],
    'cloud-provider-aws',
  ],
  ['the sample on Auto Mode', SAMPLE, [ccm, auto], 'eks-auto-mode'],
  ['the sample on AKS', SAMPLE, [AzureCloudProvider.standard()], 'cloud-provider-azure'],
  ['the sample on GKE', SAMPLE, [Gke.passthrough()], 'gke'],
  ['the sample on Hetzner', SAMPLE, [HetznerCloud.loadBalancer()], 'hcloud-cloud-controller-manager'],
  ['the sample on bare metal', SAMPLE, [MetalLb.layer2()], 'metallb'],
  ['the sample where MetalLB runs beside a cloud provider', SAMPLE, [MetalLb.layer2(), ccm], 'contested'],
  ['the sample with nothing installed', SAMPLE, [], 'unclaimed'],
  ['a Service of another type', service({ type: 'ClusterIP' }), eks, 'not-applicable'],
];

test.each(rows)('%s is owned by the right one', (_, object, controllers, expected) => {
  const owner = LoadBalancerOwner.of(object, { controllers });
  expect(owner.name ?? owner.state).toBe(expected);
  expect(owner.because).not.toBe('');
});

test('without knowing the cluster, a class decides and its absence does not', () => {
  expect(LoadBalancerOwner.of(classed('service.k8s.aws/nlb')).name).toBe('aws-load-balancer-controller');
  expect(LoadBalancerOwner.of(classed('example.com/lb')).state).toBe(OwnershipState.UNKNOWN);
  const unknown = LoadBalancerOwner.of(SAMPLE);
  expect(unknown.state).toBe(OwnershipState.UNKNOWN);
  expect(unknown.candidates.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['cloud-provider-aws', 'cloud-provider-azure', 'gke', 'metallb', 'eks-auto-mode']),
  );
});

test("a user's own controller cannot be asked, and that is said", () => {
  const acme = { name: 'acme', bind: () => ({ owner: 'acme' }) };
  const owner = LoadBalancerOwner.of(classed('acme.example.com/lb'), { controllers: [...eks, acme] });
  expect(owner.state).toBe(OwnershipState.UNKNOWN);
  expect(owner.because).toContain('acme cannot be asked');
});

test.each([
  undefined,
  null,
  'text',
  7,
  [],
  {},
  { kind: 'Service' },
  { kind: 'Service', apiVersion: 'v1', spec: 'text' },
])('anything may be asked about: %j', (object) => {
  expect(LoadBalancerOwner.of(object).state).toBe(OwnershipState.NOT_APPLICABLE);
});

test('the classless sample is a public Classic balancer under the cloud provider, and said so', () => {
  const owner = LoadBalancerOwner.of(SAMPLE, { controllers: eks });
  expect(owner.because).toMatch(/[Cc]lassic/);
  expect(owner.because).toContain('public');
});
