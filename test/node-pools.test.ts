import { join } from 'node:path';
import { type NodePool, NodeTaint } from '../src';
import { labelKeyFault } from '../src/contract/kubernetes-syntax';
import { AksPoolMode, AksPoolOsType, AksPoolPriority, NodePools, NodeTaints } from '../src/nodes';
import { NODE_POOL_LABELS, NODE_TAINTS } from '../src/nodes/node-pools.facts';
import { tablesOf } from './support/yaml-cases';

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

test.each(['linode', 'exoscale', 'alibaba', 'tencent'] as const)(
  '%s: a pool that is known by id can have a name',
  (factory) => {
    const id = { linode: '1', exoscale: uuid, alibaba: 'np1', tencent: 'np-1' }[factory];
    expect(NodePools[factory](id, { name: 'edge' }).name).toBe('edge');
    expect(NodePools[factory](id).name).toBe(id);
  },
);

test('a pool of EKS Auto Mode is a pool of Karpenter', () => {
  expect(NodePools.eksAutoMode('edge').sameAs(NodePools.karpenter('edge'))).toBe(true);
});

describe('AKS', () => {
  test.each([
    ['a user pool may carry any taint', 'edge', { taints: [NodeTaint.noExecute('a')] }, ['a:NoExecute']],
    ['a spot pool is tainted', 'edge', { priority: AksPoolPriority.SPOT }, [String(NodeTaints.aksSpot())]],
    [
      'a spot pool is tainted once',
      'edge',
      { priority: AksPoolPriority.SPOT, taints: [NodeTaints.aksSpot()] },
      [String(NodeTaints.aksSpot())],
    ],
    [
      'a system pool may be kept for system pods',
      'sys',
      { mode: AksPoolMode.SYSTEM, taints: [NodeTaints.aksSystemPool()] },
      ['CriticalAddonsOnly=true:NoSchedule'],
    ],
    [
      'a system pool may carry soft taints',
      'sys',
      { mode: AksPoolMode.SYSTEM, taints: [NodeTaint.preferNoSchedule('a')] },
      ['a:PreferNoSchedule'],
    ],
    ['a system pool is not tainted by itself', 'sys', { mode: AksPoolMode.SYSTEM }, []],
    ['a Windows pool has a short name and no taint', 'winpl1', { osType: AksPoolOsType.WINDOWS }, []],
  ])('%s', (_, name, options, taints) => {
    expect(NodePools.aks(name, options).taints.map(String)).toEqual(taints);
    expect(NodePools.aksLegacy(name, options).taints.map(String)).toEqual(taints);
  });

  test.each([
    [
      'a hard taint on a system pool',
      'sys',
      { mode: AksPoolMode.SYSTEM, taints: [NodeTaint.noSchedule('a', 'b')] },
      'a=b:NoSchedule',
    ],
    [
      'CriticalAddonsOnly that evicts',
      'sys',
      { mode: AksPoolMode.SYSTEM, taints: [NodeTaint.noExecute('CriticalAddonsOnly', 'true')] },
      'CriticalAddonsOnly=true:NoExecute',
    ],
    [
      'spot nodes in a system pool',
      'sys',
      { mode: AksPoolMode.SYSTEM, priority: AksPoolPriority.SPOT },
      'scalesetpriority=spot:NoSchedule',
    ],
    ['a long name of a Windows pool', 'windows', { osType: AksPoolOsType.WINDOWS }, 'at most 6'],
  ])('refuses %s', (_, name, options, message) => {
    expect(() => NodePools.aks(name, options)).toThrow(message);
  });
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
