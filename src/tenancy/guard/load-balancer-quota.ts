import { ApiObject, Names } from 'cdk8s';
import { Construct } from 'constructs';
import { judgeProps } from '../../rules/judge-props';
import { SynthWatch } from '../../rules/synth-watch';
import { refuseFirst } from '../fault';
import { GATEWAY_API } from '../tenancy.facts';
import { namespacesOf } from './app-state';
import { GUARD, whole } from './rules';

/** What a quota counts objects of a kind by. kubernetes/kubernetes v1.36.3: staging/src/k8s.io/apiserver/pkg/quota/v1/generic */
const LISTENER_SETS = `count/listenersets.${GATEWAY_API.group}`;

/**
 * How many load balancers a namespace may have.
 */
export interface LoadBalancerQuotaProps {
  /**
   * The namespaces that it holds in, in each for itself.
   *
   * @default - the one of the chart
   */
  readonly namespaces?: string[];

  /**
   * How many Services of type LoadBalancer each may have. **Every class counts**, those of shared balancers too: "two of their own,
   * and shared ones" is a matter of `LoadBalancerAdmissionPolicy`, or of shared Services that are of type ClusterIP.
   *
   * @default - no limit
   */
  readonly loadBalancers?: number;

  /**
   * How many node ports each may have. Ports of Services of type LoadBalancer count, unless they have
   * `allocateLoadBalancerNodePorts: false`; node ports for health checks do not.
   *
   * @default - no limit
   */
  readonly nodePorts?: number;

  /**
   * How many ListenerSets each may have, those of the platform among them: each is read by the controller of the Gateway, and by
   * everything that attaches Services at run time. The definition of the kind must be in the cluster.
   *
   * @default - no limit
   */
  readonly listenerSets?: number;

  /**
   * The name of the quota, which is in every refusal.
   *
   * @default - made by cdk8s from the construct path
   */
  readonly name?: string;
}

/**
 * Limits the load balancers of namespaces (ResourceQuota). One Service too many is refused at once, instead of waiting for an address
 * for ever. What a namespace has already it keeps, and it may then have no further one.
 *
 * @see https://kubernetes.io/docs/concepts/policy/resource-quotas/
 */
export class LoadBalancerQuota extends Construct {
  /** The quotas, one for each namespace. */
  public readonly quotas: ApiObject[];

  /**
   * A limit for the load balancers of namespaces.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props how many, and where
   * @throws when nothing is limited, a limit is no count, or there is no namespace
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerQuotaProps) {
    judgeProps(scope, id, 'LoadBalancerQuotaProps', props);
    super(scope, id);
    const { loadBalancers, nodePorts, listenerSets } = props;
    refuseFirst(this, [
      whole('loadBalancers', loadBalancers, 0, 100_000, 'leave it out for no limit'),
      whole('nodePorts', nodePorts, 0, 100_000, 'leave it out for no limit'),
      whole('listenerSets', listenerSets, 0, 100_000, 'leave it out for no limit'),
      loadBalancers === undefined && nodePorts === undefined && listenerSets === undefined
        ? {
            rule: GUARD['quota-limit'],
            what: 'the quota limits nothing',
            remedy: 'set loadBalancers, nodePorts or listenerSets',
          }
        : undefined,
    ]);
    const hard = {
      ...(loadBalancers !== undefined && { 'services.loadbalancers': String(loadBalancers) }),
      ...(nodePorts !== undefined && { 'services.nodeports': String(nodePorts) }),
      ...(listenerSets !== undefined && { [LISTENER_SETS]: String(listenerSets) }),
    };
    const name = props.name ?? Names.toDnsLabel(this);
    SynthWatch.of(this).own(this);
    this.quotas = namespacesOf(this, props.namespaces).map(
      (namespace) =>
        new ApiObject(this, namespace, {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name, namespace },
          spec: { hard },
        }),
    );
  }
}
