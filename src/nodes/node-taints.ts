import { NodeTaint } from '../contract/node-pool';
import { NODE_TAINTS, type NodeTaintFact } from './node-pools.facts';

/**
 * Taints that the clouds put on nodes, or give a meaning, for the `taints` of a node pool. A pod that is pinned to the
 * pool tolerates exactly these.
 *
 * Taints that you choose yourself are made with `NodeTaint`. Pools of Windows carry no taint by default.
 */
export class NodeTaints {
  /**
   * Spot nodes of AKS (`kubernetes.azure.com/scalesetpriority=spot:NoSchedule`), put there by AKS.
   * `NodePools.aks(name, { priority: AksPoolPriority.SPOT })` has it already.
   *
   * @see https://learn.microsoft.com/azure/aks/spot-node-pool
   */
  public static aksSpot(): NodeTaint {
    return noSchedule(NODE_TAINTS.aksSpot);
  }

  /**
   * A system pool of AKS that is kept for system pods (`CriticalAddonsOnly=true:NoSchedule`): the only hard taint that
   * AKS accepts there, and only there if you ask AKS for it. A workload that tolerates it competes with CoreDNS.
   *
   * @see https://learn.microsoft.com/azure/aks/use-system-pools
   */
  public static aksSystemPool(): NodeTaint {
    return noSchedule(NODE_TAINTS.aksSystemPool);
  }

  /**
   * Spot nodes of GKE (`cloud.google.com/gke-spot=true:NoSchedule`). GKE puts a label of that name on the nodes, but the
   * taint only if you ask for it. Unverified.
   *
   * @see https://cloud.google.com/kubernetes-engine/docs/concepts/spot-vms
   */
  public static gkeSpot(): NodeTaint {
    return noSchedule(NODE_TAINTS.gkeSpot);
  }

  /**
   * Nodes of GKE with a GPU (`nvidia.com/gpu=present:NoSchedule`), put there by GKE where the cluster has other nodes.
   * Unverified in its value.
   *
   * @see https://cloud.google.com/kubernetes-engine/docs/how-to/gpus
   */
  public static gkeGpu(): NodeTaint {
    return noSchedule(NODE_TAINTS.gkeGpu);
  }

  /**
   * Arm nodes of GKE (`kubernetes.io/arch=arm64:NoSchedule`), put there by GKE unless switched off.
   *
   * @see https://cloud.google.com/kubernetes-engine/docs/how-to/prepare-arm-workloads-for-deployment
   */
  public static gkeArm(): NodeTaint {
    return noSchedule(NODE_TAINTS.gkeArm);
  }

  private constructor() {}
}

function noSchedule({ key, value }: NodeTaintFact): NodeTaint {
  return NodeTaint.noSchedule(key, value);
}
