import { poolsOf } from '../../contract/placed-pod';
import type { Rule } from '../../rules/rule';
import { isLocal } from '../../rules/service-json';
import { AZURE } from './annotations';
import { AUTOMATIC_VM_SET } from './codecs';
import { azureFile } from './facts';
import { AzureReading } from './reading';

/** The VM set of a Basic balancer is that of a pool, by its name. */
export const AZURE_VM_SET_OF_ANOTHER_POOL: Rule = {
  id: 'azure-vm-set-of-another-pool',
  severity: 'warning',
  decidedBy: ['nodeSelector', 'affinity', 'metadata.annotations', 'spec.externalTrafficPolicy'],
  says: 'VM set of a node pool on which the pods do not run',
  source: azureFile('pkg/provider/azure_standard.go'),
  reads: [AZURE.mode],
  judge(service, { nodePool, controller, pods = [] }) {
    const { annotations, sku } = new AzureReading(service, { controller });
    const set = AZURE.mode.on(annotations);
    const isOf = (name: string) => new RegExp(`^(aks-?)?${escaped(name)}(-|$)`, 'i').test(String(set));
    if (!set || set === AUTOMATIC_VM_SET) {
      return undefined;
    }
    const effect = isLocal(service) ? ({ effect: 'no-targets' } as const) : {};
    if (nodePool) {
      return sku !== 'basic' || [nodePool.name, ...Object.values(nodePool.labels)].some(isOf)
        ? undefined
        : {
            what: `the backend is VM set '${set}', whose name is not that of a set of node pool '${nodePool.name}'${isLocal(service) ? ', and with policy Local no other node answers' : ''}`,
            remedy: 'name the VM set of the pool: <pool>-availabilitySet-<number>, or aks-<pool>-<number>-vmss',
            value: set,
            ...effect,
          };
    }
    const pools = pods.map(poolsOf);
    const mayBeBasic = sku === undefined || sku === 'basic';
    return mayBeBasic && pools.length > 0 && pools.every((names) => names.length > 0 && !names.some(isOf))
      ? {
          what: `the pods run on node pool ${[...new Set(pools.flat())].join(' or ')} alone, and the backend of a Basic balancer is VM set '${set}'${isLocal(service) ? ': with policy Local no node of the backend has a pod, and no connection is answered' : ', from which each connection takes another hop'}`,
          remedy:
            'name the VM set of the pool of the pods: <pool>-availabilitySet-<number>, or aks-<pool>-<number>-vmss',
          value: set,
          ...effect,
        }
      : undefined;
  },
};

function escaped(text: string): string {
  return text.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&');
}
