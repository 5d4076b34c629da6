import { ApiObject, Chart, Testing } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-27';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AwsLoadBalancerType,
  AzureCloudProvider,
  ClientAddress,
  EksAutoMode,
  FinalizerPolicy,
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  LoadBalancedService,
  type LoadBalancedServiceProps,
  LoadBalancers,
  MetalLb,
  NlbTargetType,
  NodePool,
  NodePools,
  NodepoolPinnedService,
  TrafficPolicy,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf, newChart, written } from '../support/apps';

const instance = () => AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE });
const ip = () => AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
const edge = NodePools.eksManagedNodeGroup('edge');

interface Story {
  readonly title: string;
  readonly controller: ILoadBalancerController;
  readonly wishes?: Partial<LoadBalancedServiceProps>;
  /** What stands in the finished Service. */
  readonly service?: Json;
  readonly absent?: string[];
  readonly errors?: string[];
  readonly warnings?: string[];
}

const NODE_LABELS = 'service.beta.kubernetes.io/aws-load-balancer-target-node-labels';

const stories: Story[] = [
  {
    title: 'EKS, Local, instance targets, no pool: nodes without a pod fail their checks, and somebody says so',
    controller: instance(),
    wishes: { trafficPolicy: TrafficPolicy.LOCAL },
    service: { spec: { externalTrafficPolicy: 'Local' } },
    warnings: ['local-without-pool'],
  },
  {
    title: 'EKS, ip targets with a pool: an error with both ways out',
    controller: ip(),
    wishes: { backendNodes: edge },
    errors: ['aws-load-balancer-controller: .*INSTANCE.*pin.*'],
  },
  {
    title: 'EKS, ip targets with Local: it has no effect on the balancer',
    controller: ip(),
    wishes: { trafficPolicy: TrafficPolicy.LOCAL },
    warnings: ['local-without-effect'],
  },
  {
    title: 'a Service of a class carries the finalizer of its owner and not that of KEP-980',
    controller: instance(),
    service: {
      metadata: { finalizers: ['service.k8s.aws/resources'] },
      spec: { loadBalancerClass: 'service.k8s.aws/nlb' },
    },
  },
  {
    title: 'a Service without a class that the AWS controller takes by annotation declares its finalizer only',
    controller: AwsLoadBalancerController.nlb({ type: AwsLoadBalancerType.EXTERNAL, targetType: NlbTargetType.IP }),
    service: {
      metadata: {
        annotations: { 'service.beta.kubernetes.io/aws-load-balancer-type': 'external' },
        finalizers: ['service.k8s.aws/resources'],
      },
    },
    absent: ['loadBalancerClass'],
  },
  {
    title: 'the cloud provider of AWS uses the finalizer of KEP-980',
    controller: AwsCloudProvider.nlb(),
    service: { metadata: { finalizers: ['service.kubernetes.io/load-balancer-cleanup'] } },
    absent: ['loadBalancerClass'],
  },
  {
    title: 'the finalizer of EKS Auto Mode is left to it unless somebody asks',
    controller: EksAutoMode.nlb(),
    service: { metadata: { finalizers: undefined }, spec: { loadBalancerClass: 'eks.amazonaws.com/nlb' } },
  },
  {
    title: 'Azure without a class uses the finalizer of KEP-980',
    controller: AzureCloudProvider.standard(),
    service: { metadata: { finalizers: ['service.kubernetes.io/load-balancer-cleanup'] } },
    absent: ['loadBalancerClass'],
  },
  {
    title: 'no finalizer of GKE is ever written',
    controller: Gke.passthrough(),
    service: {
      metadata: { finalizers: undefined },
      spec: { loadBalancerClass: 'networking.gke.io/l4-regional-internal' },
    },
  },
  {
    title: 'MetalLB has no finalizer, and nobody else would remove one',
    controller: MetalLb.layer2(),
    service: { metadata: { finalizers: undefined } },
    absent: ['loadBalancerClass'],
  },
  {
    title: 'on request the finalizer is left to the controller',
    controller: instance(),
    wishes: { finalizerPolicy: FinalizerPolicy.LEAVE_TO_CONTROLLER },
    service: { metadata: { finalizers: undefined }, spec: { loadBalancerClass: 'service.k8s.aws/nlb' } },
    warnings: ['finalizer-left'],
  },
  {
    title: 'PRESERVE is an attribute of ip targets',
    controller: ip(),
    wishes: { clientAddress: ClientAddress.PRESERVE },
    service: {
      metadata: {
        annotations: {
          'service.beta.kubernetes.io/aws-load-balancer-target-group-attributes': 'preserve_client_ip.enabled=true',
        },
      },
    },
  },
  {
    title: 'PRESERVE is the traffic policy on Azure',
    controller: AzureCloudProvider.standard(),
    wishes: { clientAddress: ClientAddress.PRESERVE },
    service: { spec: { externalTrafficPolicy: 'Local' } },
    warnings: ['local-without-pool'],
  },
  {
    title: 'PRESERVE is proxy protocol on Hetzner, which the pods must speak',
    controller: HetznerCloud.loadBalancer(),
    wishes: { clientAddress: ClientAddress.PRESERVE },
    service: { metadata: { annotations: { 'load-balancer.hetzner.cloud/uses-proxyprotocol': 'true' } } },
    warnings: ['pod-must-speak-proxy-protocol'],
  },
  {
    title: 'a pool that is reached by the placement of pods needs pinned pods',
    controller: AzureCloudProvider.standard(),
    wishes: { backendNodes: NodePools.aks('edge') },
    errors: ['cloud-provider-azure: .*the pods are not pinned.*NodepoolPinnedService.*'],
  },
  {
    title: 'a DNS name is for external-dns, whoever owns the balancer',
    controller: instance(),
    wishes: { dnsName: 'db.example.com' },
    service: { metadata: { annotations: { 'external-dns.alpha.kubernetes.io/hostname': 'db.example.com' } } },
  },
];

test.each(stories)('$title', ({ controller, wishes, service, absent, errors, warnings }) => {
  const chart = newChart();
  new LoadBalancedService(chart, 'Echo', { controller, selector: { app: 'echo' }, ports: [{ port: 443 }], ...wishes });
  expect(LoadBalancers.of(chart).warnings.map(({ finding }) => finding.ruleId)).toEqual(warnings ?? []);
  LoadBalancers.of(chart).acknowledge((warnings ?? ['none'])[0], 'told above');
  if (errors) {
    expect(errorsOf(chart)).toEqual(errors.map((error) => expect.stringMatching(`^\\[echo/Echo\\] ${error}$`)));
    return;
  }
  const finished = written(chart, 'Service');
  for (const [part, expected] of Object.entries(service ?? {})) {
    for (const [field, value] of Object.entries(expected as Json)) {
      expect({ [field]: finished[part][field] }).toMatchObject({ [field]: value });
    }
  }
  for (const field of absent ?? []) {
    expect(finished.spec).not.toHaveProperty(field);
  }
});

const pinned: [string, ILoadBalancerController, NodePool, Json][] = [
  ['AWS, by an annotation', instance(), edge, { [NODE_LABELS]: 'eks.amazonaws.com/nodegroup=edge' }],
  [
    'Azure Basic, by the VM set',
    AzureCloudProvider.basic({ virtualMachineSet: 'pool-1-availabilitySet-27255451' }),
    NodePools.banzai('pool-1'),
    { 'service.beta.kubernetes.io/azure-load-balancer-mode': 'pool-1-availabilitySet-27255451' },
  ],
  [
    'several Standard balancers of Azure, by their configuration',
    AzureCloudProvider.multipleStandard({ configurations: ['lb-ingest'] }),
    NodePools.aks('edge'),
    { 'service.beta.kubernetes.io/azure-load-balancer-configurations': 'lb-ingest' },
  ],
  ['one Standard balancer of Azure, by the pods', AzureCloudProvider.standard(), NodePools.aks('edge'), {}],
  ['GKE, by the pods', Gke.passthrough(), NodePools.gke('edge'), {}],
  [
    'Hetzner, by a selector',
    HetznerCloud.loadBalancer(),
    NodePool.labeled({ pool: 'edge' }),
    { 'load-balancer.hetzner.cloud/node-selector': 'pool=edge' },
  ],
];

test.each(pinned)('one program pins pods and backend: %s', (_, controller, nodePool, annotations) => {
  const chart = newChart();
  const workload = new Deployment(chart, 'Echo', { containers: [{ image: 'echo' }] });
  new NodepoolPinnedService(chart, 'Pinned', {
    controller,
    workload,
    nodePool,
    ports: [{ port: 80, targetPort: 8080 }],
  });
  LoadBalancers.of(chart).acknowledge('azure-basic-retired', 'Stack Hub');
  const service = written(chart, 'Service');
  expect(service.metadata.annotations ?? {}).toMatchObject(annotations);
  expect(service.spec.externalTrafficPolicy).toBe('Local');
  const [[key, value]] = Object.entries(nodePool.labels);
  expect(JSON.stringify(written(chart, 'Deployment').spec.template.spec.affinity)).toContain(
    JSON.stringify([{ matchExpressions: [{ key, operator: 'In', values: [value] }] }]),
  );
});

test('on MetalLB the backend is restricted by an advertisement beside the Service', () => {
  const chart = newChart();
  const workload = new Deployment(chart, 'Echo', { containers: [{ image: 'echo' }] });
  const controller = MetalLb.layer2({ addressPool: 'edge' });
  const nodePool = NodePool.labeled({ pool: 'edge' });
  new NodepoolPinnedService(chart, 'Pinned', { controller, workload, nodePool, ports: [{ port: 80 }] });
  LoadBalancers.of(chart).acknowledge('metallb-other-advertisements', 'there are no others');
  const advertisement = written(chart, 'L2Advertisement');
  expect(advertisement.spec.nodeSelectors).toEqual([{ matchLabels: { pool: 'edge' } }]);
  expect(written(chart, 'Service').metadata.labels).toMatchObject(advertisement.spec.serviceSelectors[0].matchLabels);
});

test('an internal and a public balancer over the same pods pin them once', () => {
  const chart = newChart();
  const workload = new Deployment(chart, 'Echo', { containers: [{ image: 'echo' }] });
  for (const id of ['Internal', 'Public']) {
    new NodepoolPinnedService(chart, id, { controller: instance(), workload, nodePool: edge, ports: [{ port: 80 }] });
  }
  const pod = written(chart, 'Deployment').spec.template.spec;
  expect(pod.topologySpreadConstraints).toHaveLength(1);
  expect(pod.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms).toHaveLength(1);
});

test('pods in another namespace are never found, and that is an error', () => {
  const chart = newChart();
  const workload = new Deployment(chart, 'Echo', { metadata: { namespace: 'b' }, containers: [{ image: 'echo' }] });
  new LoadBalancedService(chart, 'Service', { controller: ip(), workload, ports: [{ port: 80 }] });
  expect(errorsOf(chart)).toEqual([expect.stringContaining('(in-one-namespace)')]);
});

test('a Service without a namespace is said to have none', () => {
  const chart = new Chart(Testing.app(), 'free');
  const workload = new Deployment(chart, 'Echo', { metadata: { namespace: 'edge' }, containers: [{ image: 'echo' }] });
  new LoadBalancedService(chart, 'Service', { controller: ip(), workload, ports: [{ port: 80 }] });
  expect(errorsOf(chart)[0]).toContain(
    ': the Service has no namespace, but Deployment free-echo-c89697ae is in namespace edge: a Service finds pods in its own namespace alone; ',
  );
});

test.each<[string, TrafficPolicy | undefined, boolean, string[], string[]]>([
  ['elsewhere, by a pin', undefined, true, ['pods-elsewhere'], []],
  ['perhaps elsewhere', undefined, false, [], ['pods-may-be-elsewhere']],
])('pods that are %s are told of', (_, trafficPolicy, isPinned, errors, warnings) => {
  const chart = newChart();
  const workload = new Deployment(chart, 'Echo', { containers: [{ image: 'echo' }] });
  if (isPinned) NodePools.eksManagedNodeGroup('core').pin(workload);
  const props = { controller: instance(), workload, ports: [{ port: 80 }], backendNodes: edge, trafficPolicy };
  new LoadBalancedService(chart, 'Service', props);
  expect(LoadBalancers.of(chart).warnings.map(({ finding }) => finding.ruleId)).toEqual(warnings);
  LoadBalancers.of(chart).acknowledge('pods-may-be-elsewhere', 'told above');
  expect(errorsOf(chart)).toEqual(errors.map((rule) => expect.stringContaining(`(${rule})`)));
});

test('a port by name must be a port of the workload', () => {
  const chart = newChart();
  const workload = new Deployment(chart, 'Echo', {
    containers: [{ image: 'echo', ports: [{ name: 'http', number: 80 }] }],
  });
  new LoadBalancedService(chart, 'Right', {
    controller: ip(),
    workload,
    ports: [{ port: 80, targetPortName: 'http' }],
  });
  new LoadBalancedService(chart, 'Wrong', {
    controller: ip(),
    workload,
    ports: [{ port: 80, targetPortName: 'htpp' }],
  });
  expect(errorsOf(chart)).toEqual([
    expect.stringMatching(/^\[echo\/Wrong\].*'htpp', which no container of Deployment/),
  ]);
});

test('a Service can be built over a workload that cdk8s-plus knows nothing of', () => {
  const chart = newChart();
  const template = { metadata: { labels: { app: 'db' } }, spec: { containers: [] } };
  const workload = new ApiObject(chart, 'Db', {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    spec: { selector: { matchLabels: { app: 'db' } }, template },
  });
  new LoadBalancedService(chart, 'Service', { controller: ip(), workload, ports: [{ port: 5432 }] });
  expect(written(chart, 'Service').spec.selector).toEqual({ app: 'db' });
});
