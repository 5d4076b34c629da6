import { type AnnotationCatalogue, knowsSchemes, schemeSaid } from '../../contract/annotation-catalogue';
import { HAND_OVER_PAGE } from '../../contract/hand-over';
import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { LoadBalancerPlan } from '../../contract/load-balancer-plan';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { LoadBalancerScheme } from '../../contract/load-balancer-scheme';
import type { Claim } from '../../rules/controller-definition';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import { at, bootstrapOf, brokersOf, configurationOf, isSaid, listAt, textsIn } from '../document/kafka-json';
import { advertisedHostOf } from './advertised-host';
import type { WantedListener } from './listener-merge';

// What is wrong between the wishes for a listener and the listener, which nobody can read in the finished document.

/** Names that are wished for, and that nothing can get. */
export function nameFaults(
  cluster: IKafkaCluster,
  listener: Json,
  { namesBrokers }: Pick<WantedListener, 'namesBrokers'>,
  { dnsName }: LoadBalancerRequest,
): LoadBalancerFinding[] {
  const found: LoadBalancerFinding[] = [];
  const configuration = configurationOf(listener);
  const common = { ruleId: 'listener-dns-name', who: 'strimzi' };
  if (dnsName !== undefined && configuration.createBootstrapService === false) {
    found.push({
      ...common,
      what: `dnsName '${dnsName}' is the name of the bootstrap Service, and createBootstrapService false says that there is none`,
      remedy: 'leave one of the two out',
      value: dnsName,
    });
  }
  const nameless = cluster.brokerIds.filter((id) => advertisedHostOf(cluster, configuration, id) === undefined);
  if (namesBrokers && nameless.length > 0) {
    found.push({
      ...common,
      what: `externalDns is to keep the hosts that brokers advertise, and brokers ${nameless.join(', ')} advertise none`,
      remedy: 'say advertisedHostTemplate, or advertisedHost in brokers',
      value: nameless.join(', '),
    });
  }
  return found;
}

/** What is known of a listener that is there already beside what it says itself. */
export interface LiveKnowledge {
  /** The Kafka document that it stands in. */
  readonly kafka?: Json;
  /** What the owner of the balancers reads. */
  readonly catalogue?: AnnotationCatalogue;
  /** Whether the owner of the plan takes its Services as they are. */
  readonly claim?: Claim;
}

interface Live {
  readonly problems: LoadBalancerFinding[];
  readonly warnings: LoadBalancerFinding[];
}

/** What a listener that is there already, and may be live, makes dangerous to leave unsaid. */
export function liveFindings(
  present: Json | undefined,
  plan: LoadBalancerPlan,
  request: LoadBalancerRequest,
  { kafka = {}, catalogue, claim }: LiveKnowledge = {},
): Live {
  const found: Live = { problems: [], warnings: [] };
  if (present?.type !== 'loadbalancer') {
    return found;
  }
  if (request.scheme === undefined && knowsSchemes(catalogue)) {
    found.problems.push(schemeUnsaid(present, plan.owner, catalogue));
  }
  const { loadBalancerClass } = plan;
  if (loadBalancerClass !== undefined && !isSaid(configurationOf(present).class)) {
    const live = isLive(kafka, present);
    found[live ? 'problems' : 'warnings'].push({
      ruleId: 'class-on-live-service',
      who: plan.owner,
      what: `listener '${present.name}' has no class and the plan adds '${loadBalancerClass}', which the API server refuses on Services that are live${live ? ', as the status of the resource says they are' : ''}: the operator then reconciles nothing of the cluster`,
      remedy: WITHOUT_CLASS,
      value: loadBalancerClass,
    });
  } else if (claim?.claimed === 'no') {
    found[isLive(kafka, present) ? 'problems' : 'warnings'].push({
      ruleId: 'owner-of-live-service',
      who: plan.owner,
      what: `it does not claim the Services of listener '${present.name}' as they are (${claim.because}), and does with the plan: where they are live, the balancers of their present owner are left behind`,
      remedy: `add a listener under another name, move the clients, and remove this one, as ${HAND_OVER_PAGE} says`,
    });
  }
  return found;
}

const WITHOUT_CLASS = `add a listener under another name, move the clients, and remove this one, as ${HAND_OVER_PAGE} says; or, where an annotation claims its Services today, keep that and leave the class out, as option type: AwsLoadBalancerType.EXTERNAL of the AWS Load Balancer Controller does`;

/** Whether the operator has written into the status of a document that one of its listeners is there. */
function isLive(kafka: Json, { name }: Json): boolean {
  return listAt(kafka, 'status.listeners').some((other) => at(other, 'name') === name);
}

function schemeUnsaid(listener: Json, who: string, catalogue: AnnotationCatalogue | undefined): LoadBalancerFinding {
  const common = { ruleId: 'adopted-scheme', who };
  const what = `listener '${listener.name}' has load balancers already, and whether they are public`;
  const other = 'the other one than today makes new balancers, or none at all';
  const scheme = catalogue && schemeIn(listener, catalogue);
  return scheme
    ? {
        ...common,
        what: `${what} ${scheme.where} '${scheme.text}' alone says`,
        remedy: `say scheme ${scheme.word}, which it means; ${other}`,
        value: scheme.text,
      }
    : {
        ...common,
        what: `${what} nobody says: on many clouds they are where nothing is written`,
        remedy: `say scheme INTERNET_FACING or INTERNAL; ${other}`,
      };
}

/** The annotation that says of the Services of a listener whether they are public, with the wish that it means. */
function schemeIn(
  listener: Json,
  catalogue: AnnotationCatalogue,
): { readonly where: string; readonly text: string; readonly word: string } | undefined {
  const maps: [string, unknown][] = [
    ['bootstrap', bootstrapOf(listener).annotations],
    ['all brokers', configurationOf(listener).perBrokerAnnotationsTemplate],
    ...brokersOf(listener).map(({ broker, annotations }): [string, unknown] => [`broker ${broker}`, annotations]),
  ];
  for (const [whose, annotations] of maps) {
    const said = schemeSaid(textsIn(annotations), catalogue);
    if (said) {
      const word = said.scheme === LoadBalancerScheme.INTERNAL ? 'INTERNAL' : 'INTERNET_FACING';
      return { where: `annotation ${said.key} of ${whose}`, text: said.text, word };
    }
  }
  return undefined;
}
