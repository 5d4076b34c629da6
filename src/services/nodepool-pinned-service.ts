import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { declaredProps } from '../contract/declared-types';
import type { LoadBalancerPlan } from '../contract/options';
import type { PlannedLoadBalancer } from '../rules/options';
import { validateProps } from '../rules/warnings';
import { AdoptedService } from './adopted-service';
import { LoadBalancedService } from './load-balanced-service';
import type { NodepoolPinnedServiceProps } from './options';

/**
 * One node pool for the pods and for the balancer's backend, so that traffic is even and, with policy Local, the client's
 * address survives.
 *
 * The pods are pinned (required affinity, tolerations for the pool's taints, spread over its nodes) and the backend is
 * kept on the same nodes in the controller's own way: by an annotation, by an object of its own, or by nothing but the
 * pods. Changes the workload that is handed in; its own affinity is merged, never lost.
 *
 * @example
 * new NodepoolPinnedService(chart, 'Pinned', {
 *   controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE }),
 *   workload: echo,
 *   nodePool: NodePools.eksManagedNodeGroup('ingest'),
 *   ports: [{ port: 443, targetPort: 8080 }],
 * });
 */
export class NodepoolPinnedService extends Construct {
  /** The Service, for patches and dependencies. */
  public readonly service: ApiObject;

  /** Plan of the controller. */
  public readonly plan: LoadBalancerPlan;

  /** Number of load balancers that this creates, and the Service. */
  public readonly loadBalancers: PlannedLoadBalancer;

  private readonly balanced: AdoptedService | LoadBalancedService;

  /**
   * A Service that is pinned to a node pool.
   *
   * @param props what is wished for
   * @throws when `workload` holds no workload or several, and on props that exclude each other
   */
  public constructor(scope: Construct, id: string, props: NodepoolPinnedServiceProps) {
    validateProps(scope, id, 'NodepoolPinnedServiceProps', props);
    super(scope, id);
    const { nodePool, spread, service, manifestFile, ports, name, namespace, labels, ...rest } = declaredProps(
      'NodepoolPinnedServiceProps',
      props,
    );
    if (rest.backendNodes && !rest.backendNodes.sameAs(nodePool)) {
      throw new Error(
        `${this.node.path}: backendNodes '${rest.backendNodes.name}' is not the node pool '${nodePool.name}'; leave backendNodes out`,
      );
    }
    if (service && (ports || name || namespace || labels)) {
      throw new Error(
        `${this.node.path}: service excludes ports, name, namespace and labels: the Service keeps its own`,
      );
    }
    nodePool.pin(props.workload, spread);
    const wishes = { ...rest, backendNodes: nodePool };
    this.balanced = service
      ? new AdoptedService(this, 'Default', { ...wishes, service, manifestFile })
      : new LoadBalancedService(this, 'Default', { ...wishes, ports: ports ?? [], name, namespace, labels });
    this.service = this.balanced.service;
    this.plan = this.balanced.plan;
    this.loadBalancers = this.balanced.loadBalancers;
  }

  /**
   * Fails every later synth in which the balancer or its address would be lost: by a changed field, another name or namespace,
   * or because this construct is gone. Writes an annotation into the Service. The app needs a `LoadBalancerProtection`, which knows
   * what is applied and which losses are accepted.
   */
  public protect(): void {
    this.balanced.protect();
  }
}
