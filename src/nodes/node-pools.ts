import { refuseWrongProps, refuseWrongValue } from '../contract/declared-types';
import { NodePool, NodeTaint } from '../contract/node-pool';
import { TaintEffect } from '../contract/options';
import { NODE_POOL_LABELS, NODE_TAINTS } from './node-pools.facts';
import {
  type AksNodePoolOptions,
  AksPoolMode,
  AksPoolOsType,
  AksPoolPriority,
  type IdentifiedNodePoolOptions,
  type NamedNodePoolOptions,
} from './node-pools.options';

/**
 * The node pools of the clouds, each by the label that its nodes carry. Autoscalers know these labels, so they can scale
 * such a pool up from zero.
 *
 * OKE, Hetzner Cloud, UpCloud and kubeadm put no label of the pool on nodes: give the nodes one of your own and use
 * `NodePool.labeled`. Nodes of GKE Autopilot belong to no pool.
 */
export class NodePools {
  /**
   * A node pool of AKS (`kubernetes.azure.com/agentpool`).
   *
   * @param name the name of the pool: lower-case letters and digits, first a letter, at most 12, of Windows 6
   * @param options facts about the pool
   * @throws on a name or a taint that AKS would refuse
   * @see https://learn.microsoft.com/azure/aks/use-labels
   */
  public static aks(name: string, options: AksNodePoolOptions = {}): NodePool {
    return aksPool(NODE_POOL_LABELS.aks, name, options);
  }

  /**
   * A node pool of AKS by its old label (`agentpool`), for nodes that carry no other. AKS calls it deprecated.
   *
   * @param name the name of the pool: lower-case letters and digits, first a letter, at most 12, of Windows 6
   * @param options facts about the pool
   * @throws on a name or a taint that AKS would refuse
   */
  public static aksLegacy(name: string, options: AksNodePoolOptions = {}): NodePool {
    return aksPool(NODE_POOL_LABELS.aksLegacy, name, options);
  }

  /**
   * A node pool of Banzai Pipeline (`nodepool.banzaicloud.io/name`), which is archived.
   *
   * @param name the name of the pool
   * @param options facts about the pool
   */
  public static banzai(name: string, options: NamedNodePoolOptions = {}): NodePool {
    return named(NODE_POOL_LABELS.banzai, name, options);
  }

  /**
   * A managed node group of EKS (`eks.amazonaws.com/nodegroup`).
   *
   * @param name the name of the node group
   * @param options facts about the node group
   * @see https://docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html
   */
  public static eksManagedNodeGroup(name: string, options: NamedNodePoolOptions = {}): NodePool {
    return named(NODE_POOL_LABELS.eksManagedNodeGroup, name, options);
  }

  /**
   * A node group that eksctl made, managed or not (`alpha.eksctl.io/nodegroup-name`). The label is unverified.
   *
   * @param name the name of the node group
   * @param options facts about the node group
   */
  public static eksctl(name: string, options: NamedNodePoolOptions = {}): NodePool {
    return named(NODE_POOL_LABELS.eksctl, name, options);
  }

  /**
   * A NodePool of Karpenter (`karpenter.sh/nodepool`), on EKS, on AKS with node auto-provisioning and elsewhere.
   *
   * @param name the name of the NodePool
   * @param options facts about the pool
   * @see https://karpenter.sh/docs/concepts/nodepools/
   */
  public static karpenter(name: string, options: NamedNodePoolOptions = {}): NodePool {
    return named(NODE_POOL_LABELS.karpenter, name, options);
  }

  /**
   * A NodePool of EKS Auto Mode (`karpenter.sh/nodepool`): `general-purpose`, `system` or one of your own. Its kind is
   * that of Karpenter, so a name belongs to one of the two only. The nodes of `system` carry a taint
   * `CriticalAddonsOnly`, which must be set in `taints`.
   *
   * @param name the name of the NodePool
   * @param options facts about the pool
   * @see https://docs.aws.amazon.com/eks/latest/userguide/create-node-pool.html
   */
  public static eksAutoMode(name: string, options: NamedNodePoolOptions = {}): NodePool {
    return named(NODE_POOL_LABELS.eksAutoMode, name, options);
  }

  /**
   * A node pool of GKE Standard (`cloud.google.com/gke-nodepool`). Taints of GPU, Arm and spot nodes are those of
   * `NodeTaints`; say them in `taints`.
   *
   * @param name the name of the pool
   * @param options facts about the pool
   * @see https://cloud.google.com/kubernetes-engine/docs/concepts/node-pools
   */
  public static gke(name: string, options: NamedNodePoolOptions = {}): NodePool {
    return named(NODE_POOL_LABELS.gke, name, options);
  }

  /**
   * A node pool of DigitalOcean Kubernetes (`doks.digitalocean.com/node-pool`).
   *
   * @param name the name of the pool
   * @param options facts about the pool
   */
  public static digitalOcean(name: string, options: NamedNodePoolOptions = {}): NodePool {
    return named(NODE_POOL_LABELS.digitalOcean, name, options);
  }

  /**
   * A node pool of Linode Kubernetes Engine (`lke.linode.com/pool-id`).
   *
   * @param id the id of the pool, a number
   * @param options facts about the pool
   * @throws when the id is not a number
   */
  public static linode(id: string, options: IdentifiedNodePoolOptions = {}): NodePool {
    return identified(NODE_POOL_LABELS.linode, id, options, /^\d+$/);
  }

  /**
   * A node pool of Scaleway Kapsule (`k8s.scaleway.com/pool-name`).
   *
   * @param name the name of the pool
   * @param options facts about the pool
   */
  public static scaleway(name: string, options: NamedNodePoolOptions = {}): NodePool {
    return named(NODE_POOL_LABELS.scaleway, name, options);
  }

  /**
   * A node pool of Vultr Kubernetes Engine (`vke.vultr.com/node-pool`).
   *
   * @param label the label of the pool, as Vultr calls its name
   * @param options facts about the pool
   */
  public static vultr(label: string, options: NamedNodePoolOptions = {}): NodePool {
    return named(NODE_POOL_LABELS.vultr, label, options);
  }

  /**
   * A node pool of OVHcloud Managed Kubernetes (`nodepool`).
   *
   * @param name the name of the pool
   * @param options facts about the pool
   */
  public static ovh(name: string, options: NamedNodePoolOptions = {}): NodePool {
    return named(NODE_POOL_LABELS.ovh, name, options);
  }

  /**
   * A node pool of Exoscale SKS (`node.exoscale.net/nodepool-id`).
   *
   * @param id the id of the pool, a UUID
   * @param options facts about the pool; give the `name` as well where the balancer chooses nodes by it
   * @throws when the id is not a UUID
   */
  public static exoscale(id: string, options: IdentifiedNodePoolOptions = {}): NodePool {
    return identified(NODE_POOL_LABELS.exoscale, id, options, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  }

  /**
   * A worker pool of IBM Cloud Kubernetes Service or of Red Hat OpenShift on IBM Cloud
   * (`ibm-cloud.kubernetes.io/worker-pool-name`).
   *
   * @param name the name of the pool
   * @param options facts about the pool
   */
  public static ibm(name: string, options: NamedNodePoolOptions = {}): NodePool {
    return named(NODE_POOL_LABELS.ibm, name, options);
  }

  /**
   * A node pool of Alibaba Cloud ACK (`alibabacloud.com/nodepool-id`).
   *
   * @param id the id of the pool
   * @param options facts about the pool
   * @throws when the id is not text
   */
  public static alibaba(id: string, options: IdentifiedNodePoolOptions = {}): NodePool {
    return identified(NODE_POOL_LABELS.alibaba, id, options);
  }

  /**
   * A node pool of Tencent TKE (`tke.cloud.tencent.com/nodepool-id`). The label is unverified.
   *
   * @param id the id of the pool
   * @param options facts about the pool
   * @throws when the id is not text
   */
  public static tencent(id: string, options: IdentifiedNodePoolOptions = {}): NodePool {
    return identified(NODE_POOL_LABELS.tencent, id, options);
  }

  /**
   * A node group of OpenStack Magnum (`magnum.openstack.org/nodegroup`).
   *
   * @param name the name of the node group
   * @param options facts about the node group
   */
  public static openStackMagnum(name: string, options: NamedNodePoolOptions = {}): NodePool {
    return named(NODE_POOL_LABELS.openStackMagnum, name, options);
  }

  private constructor() {}
}

type NodePoolLabel = (typeof NODE_POOL_LABELS)[keyof typeof NODE_POOL_LABELS];

/** What callers without types may pass. */
function refuseUntyped({ platform }: NodePoolLabel, struct: string, name: string, options: unknown): void {
  refuseWrongValue(`node pool: ${platform}`, 'the name', 'string', name);
  refuseWrongProps(`node pool: ${platform}`, struct, options);
}

function named(fact: NodePoolLabel, name: string, options: NamedNodePoolOptions): NodePool {
  refuseUntyped(fact, 'NamedNodePoolOptions', name, options);
  const { taints, zones } = options;
  return NodePool.labeled({ [fact.label]: name }, { name, taints, zones });
}

function identified(fact: NodePoolLabel, id: string, options: IdentifiedNodePoolOptions, syntax?: RegExp): NodePool {
  refuseUntyped(fact, 'IdentifiedNodePoolOptions', id, options);
  if (syntax && !syntax.test(id)) {
    throw new Error(`node pool: '${id}' is not an id of ${fact.platform}; pass its ${fact.value}`);
  }
  return NodePool.labeled(
    { [fact.label]: id },
    { name: options.name ?? id, taints: options.taints, zones: options.zones },
  );
}

function aksPool(fact: NodePoolLabel, name: string, options: AksNodePoolOptions): NodePool {
  refuseUntyped(fact, 'AksNodePoolOptions', name, options);
  const longest = options.osType === AksPoolOsType.WINDOWS ? 6 : 12;
  if (!/^[a-z][a-z0-9]*$/.test(name) || name.length > longest) {
    throw new Error(
      `node pool: AKS refuses the name '${name}'; use at most ${longest} lower-case letters and digits, first a letter`,
    );
  }
  const taints = [...(options.taints ?? [])];
  const spot = NodeTaints.aksSpot();
  if (options.priority === AksPoolPriority.SPOT && !taints.some((taint) => String(taint) === String(spot))) {
    taints.push(spot);
  }
  const hard = taints.find(
    (taint) => taint.effect !== TaintEffect.PREFER_NO_SCHEDULE && String(taint) !== String(NodeTaints.aksSystemPool()),
  );
  if (options.mode === AksPoolMode.SYSTEM && hard) {
    throw new Error(
      `node pool: AKS refuses the taint ${hard} on system pool '${name}'; use ${NodeTaints.aksSystemPool()}, a taint that only prefers, or mode User`,
    );
  }
  return named(fact, name, { taints, zones: options.zones });
}

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

function noSchedule({ key, value }: (typeof NODE_TAINTS)[keyof typeof NODE_TAINTS]): NodeTaint {
  return NodeTaint.noSchedule(key, value);
}
