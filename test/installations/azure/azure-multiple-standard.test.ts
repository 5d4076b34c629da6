import { Chart, Testing } from 'cdk8s';
import { LoadBalancedService, NodePool, NodePools } from '../../../src';
import { AzureMultipleStandardLoadBalancers } from '../../../src/installations/azure/azure-multiple-standard-load-balancers';
import type {
  AzureMultipleStandardLoadBalancersProps,
  AzureStandardLoadBalancer,
} from '../../../src/installations/azure/options';

const main: AzureStandardLoadBalancer = { name: 'kubernetes', primaryPool: NodePools.aks('system') };
const edge: AzureStandardLoadBalancer = {
  name: 'edge',
  primaryPool: NodePools.aks('ingest'),
  nodePools: [NodePools.aks('spare'), NodePools.aks('extra')],
  serviceLabels: { tier: 'edge', zone: 'a' },
  namespaceLabels: { team: "o'hara".replace("'", '') },
  allowServicePlacement: false,
};
const of = (...balancers: AzureStandardLoadBalancer[]) => new AzureMultipleStandardLoadBalancers({ balancers });

test('ARM', () => {
  expect(of(main, edge).toArmResources('prod')).toEqual([
    {
      type: 'Microsoft.ContainerService/managedClusters/loadBalancers',
      apiVersion: '2026-04-02-preview',
      name: 'prod/kubernetes',
      properties: { primaryAgentPoolName: 'system', allowServicePlacement: true },
    },
    {
      type: 'Microsoft.ContainerService/managedClusters/loadBalancers',
      apiVersion: '2026-04-02-preview',
      name: 'prod/edge',
      properties: {
        primaryAgentPoolName: 'ingest',
        allowServicePlacement: false,
        nodeSelector: {
          matchExpressions: [{ key: 'kubernetes.azure.com/agentpool', operator: 'In', values: ['spare', 'extra'] }],
        },
        serviceLabelSelector: { matchLabels: ['tier=edge', 'zone=a'] },
        serviceNamespaceSelector: { matchLabels: ['team=ohara'] },
      },
    },
  ]);
});

test('a Service names balancers that are there', () => {
  const chart = new Chart(Testing.app(), 'shop');
  new LoadBalancedService(chart, 'Echo', {
    controller: of(main, edge).controller(['edge']),
    selector: { app: 'echo' },
    ports: [{ port: 443 }],
  });
  expect(Testing.synth(chart)[0].metadata.annotations).toMatchObject({
    'service.beta.kubernetes.io/azure-load-balancer-configurations': 'edge',
  });
  expect(of(main).controller().name).toBe('cloud-provider-azure');
  expect(() => of(main).controller(['edge'])).toThrow(/'edge'; use one of kubernetes \(azure-balancer-unknown\)/);
  expect(() => of(main).controller([], { configurations: ['edge'] })).toThrow(/\(azure-balancer-unknown\)/);
});

test('a cloud provider of your own calls the main balancer after the cluster', () => {
  const props: AzureMultipleStandardLoadBalancersProps = {
    balancers: [{ ...main, name: 'prod' }],
    mainBalancer: 'prod',
  };
  expect(new AzureMultipleStandardLoadBalancers(props).toArmResources('x')).toHaveLength(1);
});

const spare = NodePools.aks('spare');

test.each<[string, AzureStandardLoadBalancer[], RegExp]>([
  ['no main balancer', [edge], /no balancer is called 'kubernetes'.*\(main-balancer\)/],
  ['a name that is none', [main, { ...edge, name: 'a b' }], /'a b' is not a name.*\(balancer-name\)/],
  ['the name of a twin', [main, { ...edge, name: 'edge-Internal' }], /internal twin.*\(balancer-name\)/],
  ['a name twice', [main, { ...edge, name: 'Kubernetes' }], /\(azure-balancer-duplicate\)/],
  ['a pool twice', [main, { ...main, name: 'edge' }], /primary pool of two balancers.*\(primary-pool\)/],
  ['no pool of AKS', [{ ...main, primaryPool: NodePool.labeled({ a: 'b' }) }], /'a=b' is not a name of a node pool/],
  [
    'a pool that stays elsewhere',
    [main, { ...edge, nodePools: [NodePools.aks('system')] }],
    /stays behind its balancer/,
  ],
  ['no labels', [main, { ...edge, serviceLabels: {} }], /\(balancer-labels\)/],
  ['a label that is none', [main, { ...edge, namespaceLabels: { a: 'b c' } }], /\(balancer-labels\)/],
  [
    'pools of several labels',
    [main, { ...edge, nodePools: [spare, NodePool.labeled({ a: 'b', c: 'd' })] }],
    /\(balancer-node-pools\)/,
  ],
  [
    'pools of different labels',
    [main, { ...edge, nodePools: [spare, NodePool.labeled({ a: 'b' })] }],
    /\(balancer-node-pools\)/,
  ],
])('refused: %s', (_, balancers, message) => {
  expect(() => of(...balancers)).toThrow(message);
});
