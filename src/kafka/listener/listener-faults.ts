import type { Json } from '../../contract/late-rendering';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { LoadBalancerPlan } from '../../contract/load-balancer-plan';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import type { IKafkaCluster } from '../cluster/kafka-cluster';
import { configurationOf, isSaid } from '../document/kafka-json';
import { advertisedHostOf } from './listener-merge';
import type { PlannedListener } from './listener-plan';

// What is wrong between the wishes for a listener and the listener, which nobody can read in the finished document.

/** Names that are wished for, and that nothing can get. */
export function nameFaults(
  cluster: IKafkaCluster,
  listener: Json,
  planned: PlannedListener,
  { dnsName }: LoadBalancerRequest,
): LoadBalancerFinding[] {
  const found: LoadBalancerFinding[] = [];
  const configuration = configurationOf(listener);
  const common = { ruleId: 'listener-dns-name', who: 'strimzi' };
  if (dnsName !== undefined && configuration.createBootstrapService === false) {
    found.push({
      ...common,
      what: `dnsName '${dnsName}' is the name of the bootstrap Service, and createBootstrapService false says that there is none`,
      wayOut: 'leave one of the two out',
      value: dnsName,
    });
  }
  const nameless = cluster.brokerIds.filter((id) => advertisedHostOf(cluster, configuration, id) === undefined);
  if (planned.namesBrokers && nameless.length > 0) {
    found.push({
      ...common,
      what: `externalDns is to keep the hosts that brokers advertise, and brokers ${nameless.join(', ')} advertise none`,
      wayOut: 'say advertisedHostTemplate',
      value: nameless.join(', '),
    });
  }
  return found;
}

/** What a listener that is there already, and may be live, makes dangerous to leave unsaid. */
export function liveFindings(
  present: Json | undefined,
  plan: LoadBalancerPlan,
  request: LoadBalancerRequest,
): { readonly problems: LoadBalancerFinding[]; readonly warnings: LoadBalancerFinding[] } {
  const problems: LoadBalancerFinding[] = [];
  const warnings: LoadBalancerFinding[] = [];
  const isBalanced = present?.type === 'loadbalancer';
  if (isBalanced && request.scheme === undefined) {
    problems.push({
      ruleId: 'adopted-scheme',
      who: plan.owner,
      what: `listener '${present.name}' has load balancers already, and whether they are public nobody says: on many clouds they are where nothing is written`,
      wayOut: 'say scheme INTERNET_FACING or INTERNAL; the other one than today makes new balancers, or none at all',
    });
  }
  if (isBalanced && plan.loadBalancerClass !== undefined && !isSaid(configurationOf(present).class)) {
    warnings.push({
      ruleId: 'class-on-live-service',
      who: plan.owner,
      what: `listener '${present.name}' has no class and the plan adds '${plan.loadBalancerClass}', which the API server refuses on Services that are live`,
      wayOut: 'let the plan claim them by annotation where the controller can, or add a listener under another name',
      value: plan.loadBalancerClass,
    });
  }
  return { problems, warnings };
}
