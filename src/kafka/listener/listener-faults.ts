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
import { type Found, findingOf, type WordedRule } from '../../contract/rule';
import { lookAt } from '../../rules/app-objects';
import type { Claim } from '../../rules/controller-definition';
import type { RuleContext } from '../../rules/rule';
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
  const configuration = configurationOf(listener);
  const nameless = cluster.brokerIds.filter((id) => advertisedHostOf(cluster, configuration, id) === undefined);
  return [
    ...(dnsName !== undefined && configuration.createBootstrapService === false
      ? [{ case: 'bootstrap', value: dnsName }]
      : []),
    ...(namesBrokers && nameless.length > 0 ? [{ case: 'brokers', value: nameless.join(', ') }] : []),
  ].map((found) => findingOf(LISTENER_DNS_NAME, found, 'strimzi'));
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
  const listener = present.name;
  const isLive = listAt(kafka, 'status.listeners').some((other) => at(other, 'name') === listener);
  const level = isLive ? 'problems' : 'warnings';
  if (request.scheme === undefined && knowsSchemes(catalogue)) {
    const scheme = (catalogue && schemeIn(present, catalogue)) ?? { case: 'unset' };
    found.problems.push(findingOf(LISTENER_ADOPTED_SCHEME, { listener, ...scheme }, plan.owner));
  }
  const { loadBalancerClass: value } = plan;
  if (value !== undefined && !isSet(configurationOf(present).class)) {
    const live = isLive ? ', as the status of the resource shows them' : '';
    found[level].push(findingOf(CLASS_ON_LIVE_LISTENER, { listener, live, value }, plan.owner));
  } else if (claim?.claimed === 'no') {
    found[level].push(findingOf(OWNER_OF_LIVE_LISTENER, { listener, because: claim.because }, plan.owner));
  }
  return found;
}

function schemeIn(listener: Json, catalogue: AnnotationCatalogue): Found | undefined {
  for (const { whose, entries } of metadataOf(listener)) {
    const given = schemeSetIn(entries, catalogue);
    if (given) {
      const word = given.scheme === LoadBalancerScheme.INTERNAL ? 'INTERNAL' : 'INTERNET_FACING';
      return { case: 'annotation', where: `annotation ${given.key} of ${whose}`, value: given.text, word };
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
  const value = backendNodes.name;
  if (elsewhere.length > 0) {
    const pools = elsewhere.map(({ name, pinnedTo }) => `KafkaNodePool ${name} is pinned to '${pinnedTo?.name}'`);
    return [ofBackend(LISTENER_NODES_ELSEWHERE, plan.owner, { pools: pools.join(', '), value })];
  }
  const isPlaced = brokers.length > 0 && brokers.every(({ pinnedTo }) => pinnedTo !== undefined);
  return isRestricted(plan) || isPlaced ? [] : [ofBackend(LISTENER_CANNOT_CARRY, 'strimzi', { case: 'nodes', value })];
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
  const pools = loose.map(({ name }) => name).join(', ');
  return loose.length === 0
    ? []
    : [ofBackend(LISTENER_NODES_UNPINNED, plan.owner, { pools, value: backendNodes.name })];
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

function ofBackend(rule: WordedRule, who: string, found: Found): LoadBalancerFinding {
  return { ...findingOf(rule, found, who), wish: LoadBalancerWish.BACKEND_NODES };
}
