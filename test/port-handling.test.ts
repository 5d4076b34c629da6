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
import { casesIn, revived, table, tablesOf } from './support/yaml-cases';

// What annotations make of connections, read of Services that anybody may have written.

test.each<[string, { _kind: DefinedController }, Json, string[]]>(
  table('port-handling.yaml', 'annotations mean', {
    AwsLoadBalancerController,
    EksAutoMode,
    AwsCloudProvider,
    AzureCloudProvider,
    HetznerCloud,
    Gke,
    MetalLb,
  }),
)('annotations mean %s', (_, { _kind }, json, expected) => {
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

test.each<[keyof typeof NODE_TAINTS, string]>(casesIn(__dirname, 'port-handling.yaml')['taint is'])(
  'taint %s is %s',
  (factory, taint) => {
    expect(String(NodeTaints[factory]())).toBe(taint);
    expect(Object.keys(NODE_TAINTS)).toHaveLength(5);
  },
);
