import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { type DescribedRule, findingOf } from '../../contract/rule';
import { entryOf } from '../../rules/app-objects';
import type { ProvisioningTime } from '../../rules/controller-definition';
import { configurationOf, listenersOf } from '../document/kafka-json';
import { operatorsServing } from '../operator/cluster-operators';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { serviceNamesOf } from '../operator/operator-services';
import { OPERATION_TIMEOUT, UNKNOWN_PROVISIONING_TIME, WAITING } from './listener-waiting.facts';

export const LISTENER_WAITS_LONG: DescribedRule = {
  id: 'listener-waits-long',
  severity: 'warning',
  says: 'the balancers of a cluster are made before the operator gives up waiting for their addresses',
  source: WAITING,
};

/** Who makes the balancers of a listener, and whose listeners are validated with the same knowledge. */
export interface Waiting {
  readonly owner: string;
  /** Undefined where it is unknown. */
  readonly provisioningTime?: ProvisioningTime;
  /** The names of the listeners whose balancers are planned here, in their order. */
  readonly planned: readonly string[];
}

/**
 * Whether the operator gives up before the balancers of all listeners that one controller serves can be there; reported
 * with the first such listener. Which controller serves a listener follows from its class, or from its having none.
 */
export function waitsLong(
  cluster: IKafkaCluster,
  kafka: Json,
  listener: Json,
  { owner, provisioningTime, planned }: Waiting,
): LoadBalancerFinding[] {
  const alike = listenersOf(kafka).filter(
    (other) => other.type === 'loadbalancer' && configurationOf(other).class === configurationOf(listener).class,
  );
  const first = planned.find((name) => alike.some((other) => other.name === name));
  if (first !== listener.name) {
    return [];
  }
  const services = alike.reduce((sum, other) => sum + serviceNamesOf(cluster, other).length, 0);
  const { concurrency, seconds: each, confidence } = provisioningTime ?? UNKNOWN_PROVISIONING_TIME;
  const seconds = Math.ceil(services / concurrency) * each;
  const { limit, whose } = operationTimeout(cluster);
  const which = alike.length > 1 ? `listeners ${alike.map(({ name }) => name).join(', ')}` : `listener '${first}'`;
  const making = provisioningTime
    ? `it makes balancers for the ${services} Services of ${which} ${concurrency} at a time, which takes ${seconds} s by an estimate of ${each} s each (${confidence})`
    : `how fast it makes balancers for the ${services} Services of ${which} is not known: one at a time and ${each} s each, as most controllers do, takes ${seconds} s`;
  return seconds <= limit
    ? []
    : [
        findingOf(
          LISTENER_WAITS_LONG,
          {
            what: `${making}, and the operator waits ${limit} s for all addresses before it makes any pod, fails and begins again`,
            remedy: `set ${OPERATION_TIMEOUT.variable} of ${whose} to ${seconds * 1000} or more, spread the brokers over fewer Services (createBootstrapService false saves one), or use one balancer for all brokers with a listener of type tlsroute`,
            value: String(services),
          },
          owner,
        ),
      ];
}

/** How long the operators wait that serve a cluster: the one that waits least, where the app has any. */
function operationTimeout({ kafka }: IKafkaCluster): { readonly limit: number; readonly whose: string } {
  const [first] = operatorsServing(entryOf(kafka))
    .map(({ object, variables }) => {
      const set = Number(variables.get(OPERATION_TIMEOUT.variable) ?? Number.NaN);
      const limit = set > 0 ? set / 1000 : OPERATION_TIMEOUT.seconds;
      return { limit, whose: `${object.path} (operationTimeout)` };
    })
    .sort((one, other) => one.limit - other.limit);
  return first ?? { limit: OPERATION_TIMEOUT.seconds, whose: 'the operator' };
}
