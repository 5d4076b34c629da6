import { reaches } from '../../contract/compare-versions';
import { type Json, list } from '../../contract/json';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import type { NodePool } from '../../contract/node-pool';
import { FinalizerPolicy, type LoadBalancerFinding } from '../../contract/options';
import { findingOf, unlessLive, type WordedRule } from '../../contract/rule';
import { lookAt } from '../../rules/app-objects';
import { type ControllerDefinition, definitionOf, unwrapped } from '../../rules/controller-definition';
import { finalizerLeft, finalizerTrace, hangTrace, withTrace } from '../../rules/finalizer-rules';
import type { ObjectJudge } from '../../rules/judged-object';
import { knownKinds } from '../../rules/known-kinds';
import type { RuleContext } from '../../rules/rule';
import { Judgement } from '../../rules/rule-set';
import type { Handling } from '../../rules/service-json';
import { serviceRulesOf } from '../../rules/service-rule-set';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import {
  configurationOf,
  type DocumentListener,
  type KafkaDocument,
  listenerNamed,
  listenersOf,
  textAt,
} from '../operator/kafka-document';
import { nodePoolsOf } from '../operator/node-pools';
import { addressesLeftOut, claimedTwice, servicesOf } from '../operator/operator-services';
import {
  judgeDocument,
  judgeListener,
  listenerContextOf,
  REPORTED_OF_DOCUMENT,
  sameCause,
} from '../rules/listener-rules';
import { waitsLong } from '../rules/listener-waiting';
import { judgePools } from '../rules/node-pool-rules';
import {
  FINALIZER_STRIPPED,
  FINALIZER_UNDECLARED,
  LISTENER_HTTP,
  LISTENER_PROXY_PROTOCOL,
  LISTENER_TEMPLATE_CONTRADICTS,
  LISTENER_TLS_TERMINATED,
} from '../rules.facts';
import {
  SELECTOR_LABELS,
  SERVER_SIDE_APPLY_GATE,
  SERVER_SIDE_APPLY_GATE_SINCE,
  SERVER_SIDE_APPLY_SINCE,
} from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { placedBy } from './listener-faults';
import { claimsOfServices, findingsOfServices, judgeUnplanned, ofService, unlike } from './unplanned-balancers';

export interface ListenerJudgeOptions {
  readonly cluster: IKafkaCluster;
  readonly document: KafkaDocument;
  readonly listener: DocumentListener;
  readonly controller: ILoadBalancerController;
  readonly kubernetes: KubernetesVersion;
  readonly planned?: Readonly<Record<string, string>>;
  readonly faults?: (listener: Json) => readonly LoadBalancerFinding[];
  readonly warnings?: (kafka: Json) => readonly LoadBalancerFinding[];
  /** Whether the manifest had the listener before: what is wrong with its balancers today is no reason to refuse a plan. */
  readonly isAdopted?: boolean;
  readonly asksForProxyProtocol?: boolean;
  readonly backendNodes?: NodePool;
  /** Between operator and owner; nothing where the owner did not answer. */
  readonly finalizers?: FinalizerContext;
}

/**
 * Validates a finished listener: by the rules of the operator, and the Services that the operator will make of it by those of
 * the API server and of the owner. The first listener of a document reports what is wrong with the rest of it.
 */
export class ListenerJudge implements ObjectJudge {
  public constructor(private readonly options: ListenerJudgeOptions) {}

  public judge(listener: Json): Judgement {
    const { cluster, document } = this.options;
    const context = listenerContextOf(cluster);
    const kafka = document.with(this.options.listener, listener);
    let judgement = this.judgeServices(kafka, listener);
    // a document that has no place for listeners is validated without them
    if (listenersOf(kafka).includes(listener)) {
      const ofListener = judgeListener(kafka, listener, context);
      const again = sameCause(ofListener);
      judgement.errors = judgement.errors.filter(({ ruleId }) => !again.has(ruleId));
      judgement = ofListener.and(judgement);
    }
    judgement = judgement.and(Judgement.of([...(this.options.faults?.(listener) ?? [])]));
    judgement.warnings = [...judgement.warnings, ...(this.options.warnings?.(kafka) ?? [])];
    if (document.isReportedBy(this.options.listener)) {
      judgement = judgement.and(judgeBesideListeners(kafka, cluster, document));
    }
    return judgement;
  }

  private judgeServices(kafka: Json, listener: Json): Judgement {
    const { cluster, controller, kubernetes, finalizers, planned = {} } = this.options;
    const rules: RuleContext = {
      kind: finalizers && definitionOf(controller),
      controller: finalizers && unwrapped(controller),
      kubernetes,
      ownFinalizers: finalizers?.planned,
      keepsForeignFinalizers: finalizers?.strimzi.keepsForeignFinalizers,
    };
    const ruleSet = serviceRulesOf(rules.kind);
    const { services, originals, beaten, overruled } = servicesOf(cluster, kafka, listener);
    const found = new Judgement();
    found.claims = claimsOfServices(cluster, services, rules.kind);
    const who = finalizers?.owner ?? 'kubernetes';
    const pools = nodePoolsOf(cluster).filter(({ isBroker }) => isBroker);
    const judged = unlike(originals).map((service) => ({
      name: service.metadata.name,
      isBroker: service.spec.selector[SELECTOR_LABELS.pod] !== undefined,
      judgement: ruleSet
        .judge(service, { ...rules, ...placedBy(pools, kafka, service, this.options.backendNodes) }, who)
        .and(this.handling(service, listener, rules.kind)),
    }));
    found.errors = findingsOfServices(judged.map(({ name, judgement }) => ({ name, findings: judgement.errors })));
    found.warnings = [
      ...findingsOfServices(
        judged.map(({ name, judgement }) => ({
          name,
          findings: judgement.warnings.filter(({ ruleId }) => ruleId !== OF_MANY_PODS),
        })),
      ),
      ...judged
        .filter(({ isBroker }) => !isBroker)
        .flatMap(({ name, judgement: { warnings } }) =>
          warnings.filter(({ ruleId }) => ruleId === OF_MANY_PODS).map((finding) => ofService(name, finding)),
        ),
    ];
    const isBlocking = ({ ruleId }: LoadBalancerFinding) => ruleId === UNKNOWN_FINALIZER;
    const claimed = claimedTwice(services, rules.kind?.catalogue, who);
    const blocking = found.warnings.filter(isBlocking).map(blocksTheCluster);
    const undeclared = finalizers ? finalizerFaults(listener, finalizers, services[0], unwrapped(controller)) : [];
    const isWarning = ({ ruleId }: LoadBalancerFinding) => this.options.isAdopted && ruleId === FINALIZER_STRIPPED.id;
    const refused = undeclared.filter((finding) => !isWarning(finding));
    found.errors = [
      ...overruled
        .filter(({ key }) => planned[key] !== undefined)
        .map((one) => findingOf(LISTENER_TEMPLATE_CONTRADICTS, one, who)),
      ...found.errors.filter(({ ruleId }) => !REPORTED_OF_DOCUMENT.has(ruleId)),
      ...claimed,
      ...blocking,
      ...refused,
    ];
    found.warnings = [
      ...beaten,
      ...found.warnings.filter((finding) => !isBlocking(finding)),
      ...undeclared.filter(isWarning),
      ...(finalizers?.strimzi.keepsForeignFinalizers
        ? finalizerLeft(finalizers.kind, who, finalizers.policy, 'server-apply')
        : []),
      ...addressesLeftOut(services, rules.kind?.catalogue, who),
      ...this.waits(kafka, listener, who),
    ];
    return found;
  }

  /** Connection handling by the owner; every known controller is checked when the owner is unknown. */
  private handling(service: Json, listener: Json, kind: ControllerDefinition | undefined): Judgement {
    const faults = handlingFaults(service, listener, kind ? [kind] : knownKinds());
    const isReportedOfWish = ({ ruleId }: LoadBalancerFinding) =>
      ruleId === LISTENER_PROXY_PROTOCOL.id && this.options.asksForProxyProtocol;
    return Judgement.of(faults.filter((finding) => !isReportedOfWish(finding)));
  }

  private waits(kafka: Json, listener: Json, owner: string): LoadBalancerFinding[] {
    const { cluster, controller, document, finalizers } = this.options;
    const provisioningTime = definitionOf(controller)?.provisioningTime;
    return finalizers ? waitsLong(cluster, kafka, listener, { owner, provisioningTime, planned: document.names }) : [];
  }
}

const OF_MANY_PODS = 'local-without-pool';

export function judgeBesideListeners(kafka: Json, cluster: IKafkaCluster, document: KafkaDocument): Judgement {
  const context = listenerContextOf(cluster);
  const planned = document.names.map((name) => listenerNamed(kafka, name));
  const others = listenersOf(kafka).filter((listener) => !planned.includes(listener));
  const known = nodePoolsOf(cluster);
  const pools = known.map(({ object }) => lookAt(object));
  const beside = {
    strimzi: context.strimzi,
    pools,
    counted: known.map(({ counted }) => counted),
  };
  return others.reduce<Judgement>(
    (sum, listener) => sum.and(judgeListener(kafka, listener, context)).and(judgeUnplanned(cluster, kafka, listener)),
    judgeDocument(kafka, context).and(judgePools(kafka, beside)),
  );
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
 * What is wrong with the finalizers of a finished listener, between operator and owner.
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
  const why = `Strimzi ${strimzi.version} replaces whole Services, so its next reconciliation removes the finalizer`;
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

/** How to get an operator that strips no finalizer: an upgrade is of no use where the gate was switched off. */
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
      unlessLive('take it out of the listener, or name it in the plan of the controller that removes it'),
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
 * What is wrong between a listener and what its balancer does to connections.
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
        const values = { case: form, port, annotation: `annotation ${annotation} '${text}'`, value: text };
        found.set(key, findingOf(rule, values, name));
      }
    }
  }
  return [...found.values()];
}
