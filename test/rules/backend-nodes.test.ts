import { ApiObject, Chart } from 'cdk8s';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  EksAutoMode,
  HetznerCloud,
  type ILoadBalancerController,
  LoadBalancedService,
  LoadBalancerScheme,
  LoadBalancers,
  MetalLb,
  NlbTargetType,
  NodePool,
  NodePools,
  NodepoolPinnedService,
  StrimziVersion,
  TrafficPolicy,
} from '../../src';
import { judgeInFiles } from '../../src/cli/rule-sets';
import { ManifestIndex } from '../../src/rules/manifest-objects';
import { listen } from '../kafka/clusters';
import { errorsOf, newChart, stderrOf } from '../support/apps';

const EDGE = NodePool.labeled({ pool: 'edge' });
const OTHER = NodePool.labeled({ pool: 'other' });
const instances = { targetType: NlbTargetType.INSTANCE };
const LOCAL = { trafficPolicy: TrafficPolicy.LOCAL };

function deployment(chart: Chart, pod: object = {}): ApiObject {
  return new ApiObject(chart, 'Pods', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'echo' },
    spec: {
      selector: { matchLabels: { app: 'echo' } },
      template: { metadata: { labels: { app: 'echo' } }, spec: { containers: [], ...pod } },
    },
  });
}

function told(
  controller: ILoadBalancerController,
  pods: (chart: Chart) => ApiObject,
  wishes: object = LOCAL,
): string[] {
  const chart = newChart();
  new LoadBalancedService(chart, 'Echo', {
    controller,
    scheme: LoadBalancerScheme.INTERNET_FACING,
    workload: pods(chart),
    ports: [{ port: 443 }],
    ...wishes,
  });
  const ids =
    /\((backend-without-pods|local-policy-without-pool|pods-outside-backend-pool|azure-vm-set-pool-mismatch)\)/g;
  let errors: string[] = [];
  stderrOf(() => {
    errors = errorsOf(chart);
  });
  const warnings = LoadBalancers.of(chart).warnings.map(({ finding }) => `(${finding.ruleId})`);
  return [...errors, ...warnings].flatMap((text) => [...text.matchAll(ids)].map(([, id]) => id));
}

function daemonSet(chart: Chart, pod: object = {}): ApiObject {
  const { spec } = deployment(new Chart(chart, 'Other'), pod).toJson();
  return new ApiObject(chart, 'Pods', {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'each' },
    spec,
  } as never);
}

describe('a DaemonSet with policy Local', () => {
  const linux = { nodeSelector: { 'kubernetes.io/os': 'linux' } };
  const byInstances = AwsLoadBalancerController.nlb(instances);
  test.each<[string, ILoadBalancerController, object, string[]]>([['on each node of Linux', byInstances, linux, []]])(
    '%s',
    (_, controller, pod, expected) => {
      expect(told(controller, (chart) => daemonSet(chart, pod))).toEqual(expected);
      const { spec } = deployment(newChart(), pod).toJson();
      const { name } = controller;
      const index = new ManifestIndex(
        [
          { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'each' }, spec },
          {
            apiVersion: 'v1',
            kind: 'Service',
            metadata: { name },
            spec: {
              type: 'LoadBalancer',
              externalTrafficPolicy: 'Local',
              ports: [{ port: 443 }],
              selector: { app: 'echo' },
              ...(controller === byInstances && { loadBalancerClass: 'service.k8s.aws/nlb' }),
            },
          },
        ].map((object, line) => ({ file: 'a.yaml', line, object })),
      );
      const found = index.of('', 'Service').flatMap((one) => judgeInFiles(one, { controllers: [controller] }) ?? []);
      const ids = found.flatMap(({ warnings }) => warnings.map(({ ruleId }) => ruleId));
      expect(ids.filter((id) => id === 'local-policy-without-pool')).toEqual(expected);
    },
  );
});

const pinnedTo = (pool: NodePool) => (chart: Chart) => {
  const pods = deployment(chart);
  pool.pin(pods);
  return pods;
};
const selecting = (labels: object) => (chart: Chart) => deployment(chart, { nodeSelector: labels });

/** Controllers whose targets are nodes, by how they keep the backend on those with a label of the pool `edge`. */
const WITH_LABELS: [string, ILoadBalancerController, object][] = [
  [
    'aws-load-balancer-controller',
    AwsLoadBalancerController.nlb({ ...instances, targetNodeLabels: { pool: 'edge' } }),
    LOCAL,
  ],
  ['cloud-provider-aws', AwsCloudProvider.nlb({ targetNodeLabels: { pool: 'edge' } }), LOCAL],
  ['hcloud-cloud-controller-manager', HetznerCloud.loadBalancer({ nodeSelector: 'zone in (a,b),pool=edge' }), LOCAL],
  ['metallb', MetalLb.layer2({ addressPool: 'edge' }), { ...LOCAL, backendNodes: EDGE }],
];

describe.each(WITH_LABELS)(
  'the backend of %s on other nodes than the pods, with policy Local',
  (_, controller, wishes) => {
    test.each<[string, (chart: Chart) => ApiObject, string[]]>([
      ['pods that are pinned elsewhere', pinnedTo(OTHER), ['backend-without-pods']],
      ['pods that select other nodes', selecting({ pool: 'other' }), ['backend-without-pods']],
      ['pods that are pinned there', pinnedTo(EDGE), []],
      ['pods that select by another label', selecting({ disk: 'ssd' }), []],
      ['pods that run anywhere', deployment, []],
    ])('%s', (__, pods, expected) => {
      const ids = told(controller, pods, wishes).filter((id) => id !== 'local-policy-without-pool');
      expect(ids).toEqual(ids.includes('pods-outside-backend-pool') ? ['pods-outside-backend-pool'] : expected);
    });
  },
);

test.each<[string, ILoadBalancerController, string[], string[]]>([
  ['instances of EKS Auto Mode', EksAutoMode.nlb(instances), ['local-policy-without-pool'], []],
  ['its pods', EksAutoMode.nlb(), [], []],
  ['MetalLB, where nodes with a pod announce', MetalLb.layer2(), [], []],
])('with policy Local every node is a target of %s', (_, controller, anywhere, pinned) => {
  expect(told(controller, deployment)).toEqual(anywhere);
  expect(told(controller, pinnedTo(EDGE))).toEqual(pinned);
});

test.each<[string, string, NodePool, string[]]>([
  ['a pool with a name of its own', 'pool-1-availabilitySet-1', NodePool.labeled({ agentpool: 'pool-1' }), []],
  ['a set of another pool', 'system-availabilitySet-1', NodePools.aks('pool1'), ['azure-vm-set-pool-mismatch']],
])('the VM set of the backend and the pool of the pods: %s', (_, virtualMachineSet, pool, expected) => {
  expect(
    told(AzureCloudProvider.basic({ virtualMachineSet }), pinnedTo(pool)).filter(
      (id) => id !== 'local-policy-without-pool',
    ),
  ).toEqual(expected);
});

test('NodepoolPinnedService tells of a VM set of another pool', () => {
  const chart = newChart();
  new NodepoolPinnedService(chart, 'Echo', {
    controller: AzureCloudProvider.basic({ virtualMachineSet: 'system-availabilitySet-1' }),
    nodePool: NodePools.aks('pool1'),
    workload: deployment(chart),
    ports: [{ port: 443 }],
  });
  const told = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
  expect(told.map(({ ruleId }) => ruleId)).toContain('azure-vm-set-pool-mismatch');
  expect(told.find(({ ruleId }) => ruleId === 'azure-vm-set-pool-mismatch')?.what).toContain('no other node answers');
});

test.each<[string, object, string[]]>([
  ['elsewhere', { nodeAffinity: required('other') }, ['backend-without-pods']],
  ['there', { nodeAffinity: required('edge') }, []],
])('brokers that run %s, and a backend by the option of the controller', (_, affinity, expected) => {
  const controller = AwsLoadBalancerController.nlb({ ...instances, targetNodeLabels: { pool: 'edge' } });
  const template = { pod: { affinity } };
  const { chart } = listen({ controller, ...LOCAL }, StrimziVersion.V1_2, [], {}, { spec: { template } });
  stderrOf(() =>
    expect(errorsOf(chart).flatMap((error) => error.match(/backend-without-pods/g) ?? [])).toEqual(expected),
  );
});

function required(pool: string): object {
  const nodeSelectorTerms = [{ matchExpressions: [{ key: 'pool', operator: 'In', values: [pool] }] }];
  return { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
}
