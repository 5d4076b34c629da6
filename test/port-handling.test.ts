import { join } from 'node:path';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  EksAutoMode,
  Gke,
  HetznerCloud,
  LoadBalancerWish,
  MetalLb,
  type NodePool,
  NodeTaint,
} from '../src';
import type { Json } from '../src/contract/json';
import { labelKeyFault } from '../src/contract/kubernetes-syntax';
import { NodePools, NodeTaints } from '../src/nodes';
import { NODE_POOL_LABELS, NODE_TAINTS } from '../src/nodes/node-pools.facts';
import type { AksNodePoolOptions } from '../src/nodes/node-pools.options';
import type { DefinedController } from '../src/rules/controller-definition';
import { kinds } from './support/subjects';
import { revived, table, tablesOf } from './support/yaml-cases';

// What annotations make of connections, read of Services that anybody may have written.

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
const AZURE = 'service.beta.kubernetes.io/';
const HCLOUD = 'load-balancer.hetzner.cloud/';
const ARN = 'arn:aws:acm:eu-central-1:1:certificate/a';
const PORTS = [
  { name: 'a', port: 9094, nodePort: 30094, protocol: 'TCP' },
  { name: 'b', port: 9095, nodePort: 30095, protocol: 'TCP' },
];

function service(prefix: string, annotations: Record<string, string>, spec: Json = {}): Json {
  const metadata = {
    name: 'kafka',
    annotations: Object.fromEntries(Object.entries(annotations).map(([name, text]) => [prefix + name, text])),
  };
  return { apiVersion: 'v1', kind: 'Service', metadata, spec: { type: 'LoadBalancer', ports: PORTS, ...spec } };
}

const LOCAL = { externalTrafficPolicy: 'Local' };
const both = (does: string) => [`9094 ${does}`, `9095 ${does}`];
const HTTP_CHECK = both('checks-by-http');

test.each<[string, { _kind: DefinedController }, Json, string[]]>([
  ['nothing', AwsLoadBalancerController, service(AWS, {}), []],
  [
    'a header for some ports',
    AwsLoadBalancerController,
    service(AWS, { 'proxy-protocol-per-target-group': '9095' }),
    ['9095 proxy-protocol'],
  ],
  [
    'a list that wins over the attribute',
    AwsLoadBalancerController,
    service(AWS, {
      'proxy-protocol-per-target-group': '9095',
      'target-group-attributes': 'proxy_protocol_v2.enabled=true',
    }),
    ['9095 proxy-protocol'],
  ],
  [
    'an attribute of one port',
    AwsLoadBalancerController,
    service(AWS, {
      'target-group-attributes': 'proxy_protocol_v2.enabled=true',
      'target-group-attributes.9095': 'proxy_protocol_v2.enabled=false',
    }),
    ['9094 proxy-protocol'],
  ],
  [
    'TLS of one port by name',
    AwsLoadBalancerController,
    service(AWS, { 'ssl-cert': ARN, 'ssl-ports': 'b' }),
    ['9095 terminates-tls'],
  ],
  ['a check of nodes', AwsLoadBalancerController, service(AWS, { 'healthcheck-protocol': 'http' }, LOCAL), []],
  [
    'a check of pods, in spite of policy Local',
    AwsLoadBalancerController,
    service(AWS, { 'healthcheck-protocol': 'http', 'nlb-target-type': 'ip' }, LOCAL),
    HTTP_CHECK,
  ],
  [
    'a check of a node port',
    AwsLoadBalancerController,
    service(AWS, { 'healthcheck-protocol': 'https', 'healthcheck-port': '30095' }),
    ['9095 checks-by-http'],
  ],
  [
    'a check of another port',
    AwsLoadBalancerController,
    service(AWS, { 'healthcheck-protocol': 'http', 'healthcheck-port': '8080' }),
    [],
  ],
  ['TLS of EKS Auto Mode', EksAutoMode, service(AWS, { 'ssl-cert': ARN }), both('terminates-tls')],
  ['a header of a Classic balancer', AwsCloudProvider, service(AWS, { 'proxy-protocol': '*' }), both('proxy-protocol')],
  [
    'a header that a Network Load Balancer does not read',
    AwsCloudProvider,
    service(AWS, { type: 'nlb', 'proxy-protocol': '*' }),
    [],
  ],
  [
    'an attribute that a Classic balancer does not read',
    AwsCloudProvider,
    service(AWS, { 'target-group-attributes': 'proxy_protocol_v2.enabled=true' }),
    [],
  ],
  ['HTTPS without a certificate', AwsCloudProvider, service(AWS, { 'backend-protocol': 'https' }), []],
  [
    'HTTPS with one',
    AwsCloudProvider,
    service(AWS, { 'backend-protocol': 'https', 'ssl-cert': ARN, 'ssl-ports': '9094' }),
    ['9094 speaks-http'],
  ],
  [
    'HTTP that a Network Load Balancer does not know',
    AwsCloudProvider,
    service(AWS, { type: 'nlb', 'backend-protocol': 'http', 'ssl-cert': ARN, 'ssl-ports': '9094' }),
    ['9094 terminates-tls'],
  ],
  [
    'TLS again',
    AwsCloudProvider,
    service(AWS, { 'backend-protocol': 'ssl', 'ssl-cert': ARN, 'ssl-ports': '9094' }),
    ['9094 terminates-tls', '9094 encrypts-again'],
  ],
  ['TLS again of nothing', AwsCloudProvider, service(AWS, { 'backend-protocol': 'ssl' }), []],
  ['a check of ports', AwsCloudProvider, service(AWS, { 'healthcheck-protocol': 'HTTP' }), HTTP_CHECK],
  ['a check of nodes', AwsCloudProvider, service(AWS, { 'healthcheck-protocol': 'HTTP' }, LOCAL), []],
  [
    'a check of the traffic',
    AwsCloudProvider,
    service(AWS, { 'healthcheck-protocol': 'HTTP', 'healthcheck-port': 'traffic-port' }, LOCAL),
    HTTP_CHECK,
  ],
  [
    'a header of no private link service',
    AzureCloudProvider,
    service(AZURE, { 'azure-pls-proxy-protocol': 'true' }),
    [],
  ],
  [
    'a header of one',
    AzureCloudProvider,
    service(AZURE, { 'azure-pls-create': 'true', 'azure-pls-proxy-protocol': 'true' }),
    both('proxy-protocol'),
  ],
  [
    'a probe of one port',
    AzureCloudProvider,
    service(AZURE, { 'port_9095_health-probe_protocol': 'https' }),
    ['9095 checks-by-http'],
  ],
  [
    'a probe of another port',
    AzureCloudProvider,
    service(AZURE, { 'port_9095_health-probe_protocol': 'http', 'port_9095_health-probe_port': '8080' }),
    [],
  ],
  [
    'a probe of the port by name',
    AzureCloudProvider,
    service(AZURE, { 'port_9095_health-probe_protocol': 'http', 'port_9095_health-probe_port': 'b' }),
    ['9095 checks-by-http'],
  ],
  ['HTTP', HetznerCloud, service(HCLOUD, { protocol: 'http' }), both('speaks-http')],
  ['TCP', HetznerCloud, service(HCLOUD, { protocol: 'tcp', 'health-check-protocol': 'tcp' }), []],
  ['a check of ports', HetznerCloud, service(HCLOUD, { 'health-check-protocol': 'http' }), HTTP_CHECK],
  [
    'a check of another port',
    HetznerCloud,
    service(HCLOUD, { 'health-check-protocol': 'http', 'health-check-port': '8080' }),
    [],
  ],
  ['nothing', Gke, service(AWS, { 'proxy-protocol': '*' }), []],
  ['nothing', MetalLb, service(AWS, { 'proxy-protocol': '*' }), []],
])('annotations mean %s', (_, { _kind }, json, expected) => {
  expect((_kind.definition.handles?.(json) ?? []).map(({ port, does }) => `${port} ${does}`)).toEqual(expected);
});

test('whoever has an annotation for the PROXY protocol says what it makes of connections', () => {
  const withHeader = kinds.filter(({ catalogue }) =>
    catalogue.annotations.some(({ fact }) => fact.wish === LoadBalancerWish.PROXY_PROTOCOL),
  );
  expect(withHeader.length).toBeGreaterThan(3);
  expect(withHeader.filter(({ handles }) => !handles).map(({ name }) => name)).toEqual([]);
});

const tables = tablesOf<Record<string, never>>(join(__dirname, 'node-pools.yaml'));

const uuid = '3fd12b1e-0c6f-4a3d-9c1e-2f6f4a0d9c1e';

/** Factory, label, value, a value that is refused. */
const POOLS: [keyof typeof NODE_POOL_LABELS, string, string, string][] = tables.pools;

test.each(POOLS)('%s: nodes carry %s=%s, and there is no %j', (factory, label, value, refused) => {
  const taints = [NodeTaint.noSchedule('dedicated', 'edge')];
  const pool: NodePool = NodePools[factory](value, { taints, zones: ['a', 'b'] });
  expect({ ...pool }).toMatchObject({ name: value, labels: { [label]: value }, taints, zones: ['a', 'b'] });
  expect(() => NodePools[factory](refused)).toThrow('node pool: ');
});

test('every label of the catalogue has a factory, and every factory a row', () => {
  const factories = Object.getOwnPropertyNames(NodePools).filter(
    (name) => !['length', 'name', 'prototype'].includes(name),
  );
  expect(factories.sort()).toEqual(Object.keys(NODE_POOL_LABELS).sort());
  expect([...new Set(POOLS.map(([factory]) => factory))].sort()).toEqual(factories);
  expect(Object.values(NODE_POOL_LABELS).map(({ label }) => labelKeyFault(label))).toEqual(
    factories.map(() => undefined),
  );
});

test.each(['linode', 'exoscale'] as const)('%s: a pool that is known by id can have a name', (factory) => {
  const id = { linode: '1', exoscale: uuid, alibaba: 'np1', tencent: 'np-1' }[factory];
  expect(NodePools[factory](id, { name: 'edge' }).name).toBe('edge');
  expect(NodePools[factory](id).name).toBe(id);
});

test('a pool of EKS Auto Mode is a pool of Karpenter', () => {
  expect(NodePools.eksAutoMode('edge').sameAs(NodePools.karpenter('edge'))).toBe(true);
});

describe('AKS', () => {
  test.each<[string, string, AksNodePoolOptions, string[]]>(
    revived(table('port-handling.yaml', 'AKS node pools'), { String }),
  )('%s', (_, name, options, taints) => {
    expect(NodePools.aks(name, options).taints.map(String)).toEqual(taints);
    expect(NodePools.aksLegacy(name, options).taints.map(String)).toEqual(taints);
  });

  test.each<[string, string, AksNodePoolOptions, string]>(table('port-handling.yaml', 'refused AKS node pools'))(
    'refuses %s',
    (_, name, options, message) => expect(() => NodePools.aks(name, options)).toThrow(message),
  );
});

test.each([
  ['aksSpot', 'kubernetes.azure.com/scalesetpriority=spot:NoSchedule'],
  ['aksSystemPool', 'CriticalAddonsOnly=true:NoSchedule'],
  ['gkeSpot', 'cloud.google.com/gke-spot=true:NoSchedule'],
  ['gkeGpu', 'nvidia.com/gpu=present:NoSchedule'],
  ['gkeArm', 'kubernetes.io/arch=arm64:NoSchedule'],
] as [keyof typeof NODE_TAINTS, string][])('taint %s is %s', (factory, taint) => {
  expect(String(NodeTaints[factory]())).toBe(taint);
  expect(Object.keys(NODE_TAINTS)).toHaveLength(5);
});
