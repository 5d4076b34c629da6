import { join } from 'node:path';
import { ApiObject, Chart, Testing } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-27';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AwsLoadBalancerType,
  AzureCloudProvider,
  EksAutoMode,
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
  type TrafficPolicy,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf, newChart, written } from '../support/apps';
import { tablesOf } from '../support/yaml-cases';

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

const tables = tablesOf<Record<string, never>>(join(__dirname, 'stories.yaml'), {
  instance: instance(),
  edge,
  azureBasic: AzureCloudProvider.basic({
    virtualMachineSet: 'pool-1-availabilitySet-27255451',
  }),
  banzaiPool: NodePools.banzai('pool-1'),
  azureMultiple: AzureCloudProvider.multipleStandard({
    configurations: ['lb-ingest'],
  }),
  aksPool: NodePools.aks('edge'),
  azure: AzureCloudProvider.standard(),
  gke: Gke.passthrough(),
  gkePool: NodePools.gke('edge'),
  hetzner: HetznerCloud.loadBalancer(),
  labeledPool: NodePool.labeled({ pool: 'edge' }),
  ip: ip(),
  external: AwsLoadBalancerController.nlb({
    type: AwsLoadBalancerType.EXTERNAL,
    targetType: NlbTargetType.IP,
  }),
  awsCloud: AwsCloudProvider.nlb(),
  autoMode: EksAutoMode.nlb(),
  metalLb: MetalLb.layer2(),
});

const stories: Story[] = tables.stories;

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

const pinned: [string, ILoadBalancerController, NodePool, Json][] = tables.pinned;

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
  LoadBalancers.of(chart).acknowledge('metallb-advertisement-overlap', 'there are no others');
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
  expect(errorsOf(chart)).toEqual([expect.stringContaining('(workload-in-other-namespace)')]);
});

test('a Service without a namespace is said to have none', () => {
  const chart = new Chart(Testing.app(), 'free');
  const workload = new Deployment(chart, 'Echo', { metadata: { namespace: 'edge' }, containers: [{ image: 'echo' }] });
  new LoadBalancedService(chart, 'Service', { controller: ip(), workload, ports: [{ port: 80 }] });
  expect(errorsOf(chart)[0]).toContain(
    ': the Service has no namespace, but Deployment free-echo-c89697ae is in namespace edge: a Service only selects pods of its own namespace; ',
  );
});

test.each<[string, TrafficPolicy | undefined, boolean, string[], string[]]>([
  ['elsewhere, by a pin', undefined, true, ['pods-outside-backend-pool'], []],
  ['perhaps elsewhere', undefined, false, [], ['pods-maybe-outside-backend-pool']],
])('pods that are %s are told of', (_, trafficPolicy, isPinned, errors, warnings) => {
  const chart = newChart();
  const workload = new Deployment(chart, 'Echo', { containers: [{ image: 'echo' }] });
  if (isPinned) NodePools.eksManagedNodeGroup('core').pin(workload);
  const props = { controller: instance(), workload, ports: [{ port: 80 }], backendNodes: edge, trafficPolicy };
  new LoadBalancedService(chart, 'Service', props);
  expect(LoadBalancers.of(chart).warnings.map(({ finding }) => finding.ruleId)).toEqual(warnings);
  LoadBalancers.of(chart).acknowledge('pods-maybe-outside-backend-pool', 'told above');
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
    expect.stringMatching(/^\[echo\/Wrong\].*'htpp' of the pods, which no container of Deployment/),
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
