import type { Json } from '../../contract/json';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import type { NodePool } from '../../contract/node-pool';
import type { LoadBalancerFinding } from '../../contract/options';
import { findingOf } from '../../contract/rule';
import { type ControllerDefinition, definitionOf, unwrapped } from '../../rules/controller-definition';
import { finalizerLeft } from '../../rules/finalizer-traces';
import { lookAt } from '../../rules/judge-object';
import type { ObjectJudge } from '../../rules/judged-object';
import { Judgement } from '../../rules/judgement';
import { knownKinds } from '../../rules/known-kinds';
import type { RuleContext } from '../../rules/rule-context';
import { serviceRulesOf } from '../../rules/service-rule-set';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import type { DocumentListener, KafkaDocument } from '../operator/kafka-document';
import { listenerNamed, listenersOf } from '../operator/kafka-json';
import { nodePoolsOf } from '../operator/node-pools';
import { addressesLeftOut, claimedTwice, type OverruledAnnotation, servicesOf } from '../operator/operator-services';
import {
  judgeDocument,
  judgeListener,
  listenerContextOf,
  REPORTED_OF_DOCUMENT,
  sameCause,
} from '../rules/listener-rules';
import { waitsLong } from '../rules/listener-waiting';
import { judgePools } from '../rules/node-pool-rules';
import { FINALIZER_STRIPPED, LISTENER_PROXY_PROTOCOL, LISTENER_TEMPLATE_CONTRADICTS } from '../rules.facts';
import { SELECTOR_LABELS } from '../strimzi/strimzi.facts';
import { placedBy } from './listener-faults';
import {
  blocksTheCluster,
  type FinalizerContext,
  finalizerFaults,
  handlingFaults,
  UNKNOWN_FINALIZER,
} from './listener-finalizers';
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
      ...overruled.filter(({ key }) => planned[key] !== undefined).map((one) => contradiction(who, one)),
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

function contradiction(who: string, { service, key, given, wins, template }: OverruledAnnotation): LoadBalancerFinding {
  const finding = {
    what: `Service ${service}: the plan sets annotation ${key} '${given}', and ${template} overrides it with '${wins}' for all listeners`,
    remedy: 'take it out of the template, and write it in each listener that needs it',
    value: wins,
  };
  return findingOf(LISTENER_TEMPLATE_CONTRADICTS, finding, who);
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
