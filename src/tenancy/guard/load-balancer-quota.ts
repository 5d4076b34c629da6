import { ApiObject, Names } from 'cdk8s';
import { Construct } from 'constructs';
import { SynthWatch } from '../../rules/synth-watch';
import { validateProps } from '../../rules/warnings';
import { faultsIn, refuseFirst } from '../fault';
import { GATEWAY_API } from '../tenancy.facts';
import type { LoadBalancerQuotaProps } from './options';
import { GUARD, namespacesOf, wholeNumberFault } from './rules';

/** Key by which a quota counts objects of a kind. kubernetes/kubernetes v1.36.3: staging/src/k8s.io/apiserver/pkg/quota/v1/generic */
const COUNTED = {
  loadBalancers: 'services.loadbalancers',
  nodePorts: 'services.nodeports',
  listenerSets: `count/listenersets.${GATEWAY_API.group}`,
};

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
    validateProps(scope, id, 'LoadBalancerQuotaProps', props);
    super(scope, id);
    const { loadBalancers, nodePorts, listenerSets } = props;
    const limits = { loadBalancers, nodePorts, listenerSets };
    const set = Object.entries(limits).filter(([, limit]) => limit !== undefined);
    refuseFirst(this, [
      ...set.map(([name, limit]) => wholeNumberFault(name, limit, 0, 100_000, 'leave it out for no limit')),
      ...faultsIn(GUARD, { 'quota-without-limit': set.length === 0 }),
    ]);
    const hard = Object.fromEntries(set.map(([name, limit]) => [COUNTED[name as keyof typeof limits], `${limit}`]));
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
