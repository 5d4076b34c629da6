import type { ApiObject } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import type { LoadBalancerPlan } from '../contract/load-balancer-plan';
import type { NodePool } from '../contract/node-pool';
import type { PodSpread } from '../contract/pod-spread';
import type { PlannedLoadBalancer } from '../rules/load-balancers';
import { LoadBalancedService, type LoadBalancedServiceProps } from './load-balanced-service';

/**
 * A Service whose pods and whose balancer stay on one node pool.
 */
export interface NodepoolPinnedServiceProps extends LoadBalancedServiceProps {
  /** The pool, for the pods and for the balancer's backend alike. */
  readonly nodePool: NodePool;

  /**
   * How the pods are spread over the nodes of the pool. Balancers weigh nodes, not pods.
   *
   * @default PodSpread.REQUIRED
   */
  readonly spread?: PodSpread;
}

/**
 * One node pool for the pods and for the balancer's backend, so that traffic is even and, with policy Local, the client's
 * address survives.
 *
 * The pods are pinned (required affinity, tolerations for the pool's taints, spread over its nodes) and the backend is
 * kept on the same nodes in the controller's own way: by an annotation, by an object of its own, or by nothing but the
 * pods. Changes the workload that is handed in; its own affinity is merged, never lost.
 */
export class NodepoolPinnedService extends Construct {
  private readonly balanced: LoadBalancedService;

  /**
   * A Service that is pinned to a node pool.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what is wished for
   * @throws when there is no workload to pin
   */
  public constructor(scope: Construct, id: string, props: NodepoolPinnedServiceProps) {
    super(scope, id);
    props.nodePool.pin(workloadOf(this, props.workload), { spread: props.spread });
    const { nodePool, spread, ...service } = props;
    this.balanced = new LoadBalancedService(this, 'Default', { backendNodes: nodePool, ...service });
  }

  /** The Service, for patches and dependencies. */
  public get service(): ApiObject {
    return this.balanced.service;
  }

  /** What the controller decided. */
  public get plan(): LoadBalancerPlan {
    return this.balanced.plan;
  }

  /** How many load balancers this makes, and for which Service. */
  public get loadBalancers(): PlannedLoadBalancer {
    return this.balanced.loadBalancers;
  }
}

function workloadOf(self: Construct, workload: IConstruct | undefined): IConstruct {
  if (!workload) {
    throw new Error(`${self.node.path}: there is no workload to pin; pass workload, or use LoadBalancedService`);
  }
  return workload;
}
