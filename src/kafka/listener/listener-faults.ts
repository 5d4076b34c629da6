import { type AnnotationCatalogue, knowsSchemes, schemeSetIn } from '../../contract/annotation-catalogue';
import { reaches } from '../../contract/compare-versions';
import { isMap, isSet, type Json, list } from '../../contract/json';
import type { ILoadBalancerController, LoadBalancerRequest } from '../../contract/load-balancer-request';
import type { NodePool } from '../../contract/node-pool';
import {
  FinalizerPolicy,
  type LoadBalancerFinding,
  type LoadBalancerPlan,
  LoadBalancerScheme,
  LoadBalancerWish,
  NodeRestriction,
  TrafficPolicy,
} from '../../contract/options';
import { type Found, findingOf, unlessLive, type WordedRule } from '../../contract/rule';
import { currentJson } from '../../rules/app-objects';
import type { Claim, ControllerDefinition } from '../../rules/controller-definition';
import { finalizerTrace, hangTrace, withTrace } from '../../rules/finalizer-rules';
import type { RuleContext } from '../../rules/rule';
import type { Handling } from '../../rules/service-json';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { at, configurationOf, listAt, textAt } from '../operator/kafka-document';
import { type NodePoolDocument, nodePoolsOf } from '../operator/node-pools';
import { annotationAt, metadataOf } from '../rules/listener-rule';
import { advertisedHostOf } from '../rules/listener-service-rules';
import {
  CLASS_ON_LIVE_LISTENER,
  FINALIZER_STRIPPED,
  FINALIZER_UNDECLARED,
  LISTENER_ADOPTED_SCHEME,
  LISTENER_CANNOT_CARRY,
  LISTENER_DNS_NAME,
  LISTENER_HTTP,
  LISTENER_NODES_ELSEWHERE,
  LISTENER_NODES_UNPINNED,
  LISTENER_PROXY_PROTOCOL,
  LISTENER_TLS_TERMINATED,
  OWNER_OF_LIVE_LISTENER,
} from '../rules.facts';
import {
  SELECTOR_LABELS,
  SERVER_SIDE_APPLY_GATE,
  SERVER_SIDE_APPLY_GATE_SINCE,
  SERVER_SIDE_APPLY_SINCE,
} from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import type { RequestedListener } from './listener-merge';

export function nameFaults(
  cluster: IKafkaCluster,
  listener: Json,
  { namesBrokers }: Pick<RequestedListener, 'namesBrokers'>,
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

interface Live {
  readonly problems: LoadBalancerFinding[];
  readonly warnings: LoadBalancerFinding[];
}

export function liveFindings(
  present: Json | undefined,
  plan: LoadBalancerPlan,
  request: LoadBalancerRequest,
  { kafka = {}, catalogue, claim }: { kafka?: Json; catalogue?: AnnotationCatalogue; claim?: Claim } = {},
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
 * Mismatches between the nodes of the backend and those of the brokers: the Service of a broker has one pod, which no
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

/** Templates of the pods of a pool: that of the pool replaces the one of the Kafka resource. */
function podsOf({ object }: NodePoolDocument, kafka: Json): Json {
  const given = at(currentJson(object), `spec.${POD_TEMPLATE}`) ?? at(kafka, `spec.kafka.${POD_TEMPLATE}`);
  return isMap(given) ? given : {};
}

/** Known nodes behind a Service of a listener: bootstrap leads to the brokers of every pool. */
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

export interface FinalizerContext {
  readonly strimzi: StrimziVersion;
  readonly owner: string;
  readonly kind?: ControllerDefinition;
  readonly planned: readonly string[];
  readonly policy: FinalizerPolicy;
  readonly isPlanned?: boolean;
}

/**
 * Faults of the finalizers of a finished listener, between operator and owner.
 *
 * @param service one of its Services: on it may depend which finalizer a manifest may declare
 * @param controller the owner as it is installed, where that is known
 */
export function finalizerFaults(
  listener: Json,
  context: FinalizerContext,
  service: Json = {},
  controller?: ILoadBalancerController,
): LoadBalancerFinding[] {
  const { strimzi, owner, kind, planned, policy } = context;
  const own = kind ? (kind.declarable?.(service, controller) ?? kind.finalizers) : planned;
  const declared = list<string>(configurationOf(listener).finalizers);
  if (strimzi.keepsForeignFinalizers || declared.some((finalizer) => own.includes(finalizer))) {
    return [];
  }
  const untouchable = kind?.untouchableFinalizers ?? [];
  const leaves = policy === FinalizerPolicy.LEAVE_TO_CONTROLLER;
  const why = `Strimzi ${strimzi.version} replaces whole Services at its next reconciliation, which removes the finalizer`;
  const newer = keepingFinalizers(strimzi);
  const trace = withTrace('', finalizerTrace(kind?.name, 'left', 'put'));
  if (own.length === 0 && untouchable.length > 0) {
    return [findingOf(FINALIZER_STRIPPED, { owner, why, newer, trace, value: untouchable.join(', ') }, owner)];
  }
  if (own.length === 0 && (kind !== undefined || !leaves)) {
    return [];
  }
  const found = {
    name: own.length > 0 ? own.join(' or ') : 'of the owner',
    policy: leaves ? ', by finalizer policy leave-to-controller' : '',
    why,
    declaring: declaring(context, own),
    newer,
    trace,
    value: leaves ? policy : undefined,
  };
  return [findingOf(FINALIZER_UNDECLARED, found, owner)];
}

/** Remedy against an operator that strips finalizers: an upgrade is of no use where the gate was switched off. */
function keepingFinalizers(strimzi: StrimziVersion): string {
  const newer = `run Strimzi ${SERVER_SIDE_APPLY_SINCE} or newer`;
  const on = `switch on the gate ${SERVER_SIDE_APPLY_GATE} of Strimzi ${strimzi.version}`;
  if (reaches(strimzi, SERVER_SIDE_APPLY_SINCE)) {
    return on;
  }
  return reaches(strimzi, SERVER_SIDE_APPLY_GATE_SINCE)
    ? `${newer}, or ${on}`
    : `${newer}, or one whose gate ${SERVER_SIDE_APPLY_GATE} is on`;
}

function declaring({ kind, policy, isPlanned = true }: FinalizerContext, own: readonly string[]): string {
  const option = isPlanned ? kind?.finalizerOption : undefined;
  const ways = [
    ...(policy === FinalizerPolicy.LEAVE_TO_CONTROLLER ? ['use FinalizerPolicy.DECLARE'] : []),
    ...(option === undefined ? [] : [`set ${option}: true in the options of the controller`]),
    ...(own.length === 0 ? ['name it in finalizers of the plan of the controller'] : []),
  ];
  return ways.length > 0 ? ways.join(', and ') : 'declare it in configuration.finalizers of the listener';
}

export const UNKNOWN_FINALIZER = 'finalizer-unknown';

export function blocksTheCluster(finding: LoadBalancerFinding): LoadBalancerFinding {
  return {
    ...finding,
    what: `finalizer ${finding.value} is removed by no load balancer controller that is known here: once the listener is renamed or removed, the operator waits 300 s for its Services, and no reconciliation of the cluster succeeds`,
    remedy: withTrace(
      unlessLive('remove it from the listener, or name it in the plan of the controller that removes it'),
      hangTrace(),
    ),
  };
}

interface Handled {
  readonly listener: Json;
  readonly all: readonly Handling[];
}

/** The rule about a handling of connections, and the message of it that fits; undefined if nothing is wrong. */
const FAULTS: { readonly [H in Handling]: (handled: Handled) => readonly [WordedRule, string?] | undefined } = {
  'proxy-protocol': () => [LISTENER_PROXY_PROTOCOL],
  'terminates-tls': ({ listener, all }) =>
    listener.tls !== true
      ? undefined
      : !all.includes('encrypts-again')
        ? [LISTENER_TLS_TERMINATED, 'plain']
        : textAt(listener, 'authentication.type') === 'tls'
          ? [LISTENER_TLS_TERMINATED, 'clients']
          : undefined,
  'encrypts-again': ({ listener }) => (listener.tls === false ? [LISTENER_TLS_TERMINATED, 'again'] : undefined),
  'speaks-http': () => [LISTENER_HTTP, 'speaks-http'],
  'checks-by-http': () => [LISTENER_HTTP, 'checks-by-http'],
};

/**
 * Conflicts between a listener and what its balancer does to connections.
 *
 * @param service one of its Services
 * @param listener the listener
 * @param kinds the definition of its owner; all of them where that is unknown
 */
export function handlingFaults(
  service: Json,
  listener: Json,
  kinds: readonly ControllerDefinition[],
): LoadBalancerFinding[] {
  const found = new Map<string, LoadBalancerFinding>();
  for (const { name, handles } of kinds) {
    const handlings = handles?.(service) ?? [];
    for (const { does, port, annotation, text } of handlings) {
      const all = handlings.filter((other) => other.port === port).map((other) => other.does);
      const [rule, form] = FAULTS[does]({ listener, all }) ?? [];
      const key = `${does}\n${annotation}`;
      if (rule && !found.has(key)) {
        const values = {
          case: form,
          port,
          annotation: `annotation ${annotation} '${text}'`,
          value: text,
          at: annotationAt(listener, annotation),
        };
        found.set(key, findingOf(rule, values, name));
      }
    }
  }
  return [...found.values()];
}
