import { type AnnotationCatalogue, knowsSchemes, schemeSetIn } from '../../contract/annotation-catalogue';
import { isMap, isSet, type Json } from '../../contract/json';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import type { NodePool } from '../../contract/node-pool';
import {
  type LoadBalancerFinding,
  type LoadBalancerPlan,
  LoadBalancerScheme,
  LoadBalancerWish,
  NodeRestriction,
  TrafficPolicy,
} from '../../contract/options';
import { type DescribedRule, type Finding, findingOf, HAND_OVER_PAGE } from '../../contract/rule';
import type { Claim } from '../../rules/controller-definition';
import { lookAt } from '../../rules/judge-object';
import type { RuleContext } from '../../rules/rule-context';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { at, configurationOf, listAt } from '../operator/kafka-document';
import { type NodePoolDocument, nodePoolsOf } from '../operator/node-pools';
import { advertisedHostOf } from '../rules/listener-dns';
import { metadataOf } from '../rules/listener-metadata-rules';
import {
  CLASS_ON_LIVE_LISTENER,
  LISTENER_ADOPTED_SCHEME,
  LISTENER_CANNOT_CARRY,
  LISTENER_DNS_NAME,
  LISTENER_NODES_ELSEWHERE,
  LISTENER_NODES_UNPINNED,
  OWNER_OF_LIVE_LISTENER,
} from '../rules.facts';
import { SELECTOR_LABELS } from '../strimzi/strimzi.facts';
import type { WantedListener } from './listener-merge';

export function nameFaults(
  cluster: IKafkaCluster,
  listener: Json,
  { namesBrokers }: Pick<WantedListener, 'namesBrokers'>,
  { dnsName }: LoadBalancerRequest,
): LoadBalancerFinding[] {
  const found: Finding[] = [];
  const configuration = configurationOf(listener);
  if (dnsName !== undefined && configuration.createBootstrapService === false) {
    found.push({
      what: `dnsName '${dnsName}' is the name of the bootstrap Service, and createBootstrapService is false`,
      remedy: 'leave one of the two out',
      value: dnsName,
    });
  }
  const nameless = cluster.brokerIds.filter((id) => advertisedHostOf(cluster, configuration, id) === undefined);
  if (namesBrokers && nameless.length > 0) {
    found.push({
      what: `externalDns keeps the hosts that brokers advertise, and brokers ${nameless.join(', ')} advertise none`,
      remedy: 'set advertisedHostTemplate, or advertisedHost in brokers',
      value: nameless.join(', '),
    });
  }
  return found.map((finding) => findingOf(LISTENER_DNS_NAME, finding, 'strimzi'));
}

export interface LiveKnowledge {
  readonly kafka?: Json;
  readonly catalogue?: AnnotationCatalogue;
  readonly claim?: Claim;
}

interface Live {
  readonly problems: LoadBalancerFinding[];
  readonly warnings: LoadBalancerFinding[];
}

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
    found.problems.push(schemeUnset(present, plan.owner, catalogue));
  }
  const { loadBalancerClass } = plan;
  if (loadBalancerClass !== undefined && !isSet(configurationOf(present).class)) {
    const live = isLive(kafka, present);
    const finding = {
      what: `listener '${present.name}' has no class and the plan adds '${loadBalancerClass}', which the API server refuses on live Services${live ? ', as the status of the resource shows them' : ''}, so the operator reconciles nothing of the cluster`,
      remedy: WITHOUT_CLASS,
      value: loadBalancerClass,
    };
    found[live ? 'problems' : 'warnings'].push(findingOf(CLASS_ON_LIVE_LISTENER, finding, plan.owner));
  } else if (claim?.claimed === 'no') {
    const finding = {
      what: `it does not claim the Services of listener '${present.name}' as they are (${claim.because}), and does with the plan: where they are live, the balancers of their present owner are left behind`,
      remedy: `add a listener under another name, move the clients, and remove this one, as ${HAND_OVER_PAGE} says`,
    };
    found[isLive(kafka, present) ? 'problems' : 'warnings'].push(
      findingOf(OWNER_OF_LIVE_LISTENER, finding, plan.owner),
    );
  }
  return found;
}

const WITHOUT_CLASS = `add a listener under another name, move the clients, and remove this one, as ${HAND_OVER_PAGE} says; or, where an annotation claims its Services today, keep that and leave the class out, as option type: AwsLoadBalancerType.EXTERNAL of the AWS Load Balancer Controller does`;

function isLive(kafka: Json, { name }: Json): boolean {
  return listAt(kafka, 'status.listeners').some((other) => at(other, 'name') === name);
}

function schemeUnset(listener: Json, who: string, catalogue: AnnotationCatalogue | undefined): LoadBalancerFinding {
  const title = `listener '${listener.name}' has load balancers already`;
  const other = 'the other one than today makes new balancers, or none at all';
  const scheme = catalogue && schemeIn(listener, catalogue);
  const finding = scheme
    ? {
        what: `${title}, and only ${scheme.where} '${scheme.text}' sets whether they are public`,
        remedy: `set scheme ${scheme.word}, which it means; ${other}`,
        value: scheme.text,
      }
    : {
        what: `${title}, and no scheme is set: on many clouds that means public`,
        remedy: `set scheme INTERNET_FACING or INTERNAL; ${other}`,
      };
  return findingOf(LISTENER_ADOPTED_SCHEME, finding, who);
}

function schemeIn(
  listener: Json,
  catalogue: AnnotationCatalogue,
): { readonly where: string; readonly text: string; readonly word: string } | undefined {
  for (const { whose, entries } of metadataOf(listener)) {
    const givenScheme = schemeSetIn(entries, catalogue);
    if (givenScheme) {
      const word = givenScheme.scheme === LoadBalancerScheme.INTERNAL ? 'INTERNAL' : 'INTERNET_FACING';
      return { where: `annotation ${givenScheme.key} of ${whose}`, text: givenScheme.text, word };
    }
  }
  return undefined;
}

const RESTRICTED_BY_SERVICE: readonly unknown[] = [NodeRestriction.ON_SERVICE, NodeRestriction.ON_SIDE_OBJECT];

const POD_TEMPLATE = 'template.pod';

export function nodeFaults(
  cluster: IKafkaCluster,
  plan: LoadBalancerPlan,
  { backendNodes }: LoadBalancerRequest,
): LoadBalancerFinding[] {
  if (!backendNodes || (plan.problems ?? []).length > 0) {
    return [];
  }
  const brokers = nodePoolsOf(cluster).filter(({ isBroker }) => isBroker);
  const elsewhere = brokers.filter(({ pinnedTo }) => pinnedTo && !pinnedTo.sameAs(backendNodes));
  if (elsewhere.length > 0) {
    return [
      ofBackend(LISTENER_NODES_ELSEWHERE, plan.owner, {
        what: `the backend is kept on node pool '${backendNodes.name}', and ${elsewhere.map(pinned).join(', ')}`,
        remedy: 'pass one object as nodePool to the KafkaNodePool and as backendNodes to the listener',
        value: backendNodes.name,
      }),
    ];
  }
  const isPlaced = brokers.length > 0 && brokers.every(({ pinnedTo }) => pinnedTo !== undefined);
  return isRestricted(plan) || isPlaced ? [] : [unplaced(backendNodes.name)];
}

/**
 * What surprises between the nodes of the backend and those of the brokers: the Service of a broker has one pod, which no
 * balancer reaches on any other node where only nodes with a pod answer.
 */
export function nodeWarnings(
  cluster: IKafkaCluster,
  plan: LoadBalancerPlan,
  { backendNodes }: LoadBalancerRequest,
  kafka: Json,
): LoadBalancerFinding[] {
  const isLocal = plan.externalTrafficPolicy === TrafficPolicy.LOCAL;
  if (!backendNodes || !isLocal || (plan.problems ?? []).length > 0 || !isRestricted(plan)) {
    return [];
  }
  const loose = nodePoolsOf(cluster).filter((pool) => pool.isBroker && !pool.pinnedTo && !choosesNodes(pool, kafka));
  return loose.length === 0
    ? []
    : [
        ofBackend(LISTENER_NODES_UNPINNED, plan.owner, {
          what: `the backend is kept on node pool '${backendNodes.name}' with policy Local, and the pods of KafkaNodePool ${loose.map(({ name }) => name).join(', ')} may run elsewhere, where they cannot be reached`,
          remedy: 'pass the same object as nodePool to the KafkaNodePool, or pin the brokers by template.pod.affinity',
          value: backendNodes.name,
        }),
      ];
}

function choosesNodes(pool: NodePoolDocument, kafka: Json): boolean {
  return isSet(at(podsOf(pool, kafka), 'affinity.nodeAffinity'));
}

/** What templates say of the pods of a pool: that of the pool replaces the one of the Kafka resource. */
function podsOf({ object }: NodePoolDocument, kafka: Json): Json {
  const given = at(lookAt(object), `spec.${POD_TEMPLATE}`) ?? at(kafka, `spec.kafka.${POD_TEMPLATE}`);
  return isMap(given) ? given : {};
}

/** What is known of the nodes behind a Service of a listener: bootstrap leads to the brokers of every pool. */
export function placedBy(
  pools: readonly NodePoolDocument[],
  kafka: Json,
  service: Json,
  backendNodes: NodePool | undefined,
): Pick<RuleContext, 'pods' | 'nodePool'> {
  const name: unknown = service.spec.selector[SELECTOR_LABELS.pool];
  const behind = name === undefined ? pools : pools.filter((pool) => pool.name === name);
  return {
    // pools that are pinned elsewhere have a finding of their own
    pods: behind
      .filter(({ pinnedTo }) => !backendNodes || !pinnedTo || pinnedTo.sameAs(backendNodes))
      .map((pool) => podsOf(pool, kafka)),
    nodePool: backendNodes ?? behind.find(({ pinnedTo }) => pinnedTo)?.pinnedTo,
  };
}

function isRestricted({ nodeRestriction }: LoadBalancerPlan): boolean {
  return RESTRICTED_BY_SERVICE.includes(nodeRestriction);
}

function pinned({ name, pinnedTo }: NodePoolDocument): string {
  return `KafkaNodePool ${name} is pinned to '${pinnedTo?.name}'`;
}

function unplaced(pool: string): LoadBalancerFinding {
  return ofBackend(LISTENER_CANNOT_CARRY, 'strimzi', {
    what: `the backend is kept on node pool '${pool}' by the placement of the pods alone, and a listener does not place them`,
    remedy:
      'pin the brokers by nodePool of each KafkaNodePool, or leave backendNodes out and pin them by template.pod.affinity',
    value: pool,
  });
}

function ofBackend(rule: DescribedRule, who: string, finding: Finding): LoadBalancerFinding {
  return { ...findingOf(rule, finding, who), wish: LoadBalancerWish.BACKEND_NODES };
}
