import type { Json } from '../../contract/json';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import type { NodePool } from '../../contract/node-pool';
import type { LoadBalancerFinding } from '../../contract/options';
import { findingOf } from '../../contract/rule';
import { entryOf } from '../../rules/app-objects';
import { type ControllerDefinition, definitionOf, unwrapped } from '../../rules/controller-definition';
import { finalizerLeft } from '../../rules/finalizer-rules';
import { knownKinds } from '../../rules/known-kinds';
import type { RuleContext } from '../../rules/rule';
import { CheckResult, changed } from '../../rules/rule-set';
import { serviceRulesOf } from '../../rules/service-rule-set';
import type { ObjectCheck } from '../../rules/synth-object';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { type DocumentListener, type KafkaDocument, listenersOf, pointerTo } from '../operator/kafka-document';
import { nodePoolsOf } from '../operator/node-pools';
import { addressesLeftOut, claimedTwice, servicesOf, unlike } from '../operator/operator-services';
import { checkListener, listenerContextOf, REPORTED_OF_DOCUMENT, sameCause } from '../rules/listener-rules';
import { waitsLong } from '../rules/listener-service-rules';
import { FINALIZER_STRIPPED, LISTENER_PROXY_PROTOCOL, LISTENER_TEMPLATE_CONTRADICTS } from '../rules.facts';
import { claimsOfServices, findingsOfServices, inListener, isBootstrap } from './kafka-check';
import {
  blocksTheCluster,
  type FinalizerContext,
  finalizerFaults,
  handlingFaults,
  placedBy,
  UNKNOWN_FINALIZER,
} from './listener-faults';

export interface ListenerValidatorOptions {
  readonly cluster: IKafkaCluster;
  readonly document: KafkaDocument;
  readonly listener: DocumentListener;
  readonly controller: ILoadBalancerController;
  readonly kubernetes: KubernetesVersion;
  readonly planned?: Readonly<Record<string, string>>;
  readonly faults?: (listener: Json) => readonly LoadBalancerFinding[];
  readonly warnings?: (kafka: Json) => readonly LoadBalancerFinding[];
  /** True if the manifest had the listener before: what is wrong with its balancers today is no reason to refuse a plan. */
  readonly isAdopted?: boolean;
  readonly asksForProxyProtocol?: boolean;
  readonly backendNodes?: NodePool;
  /** Between operator and owner; nothing where the owner did not answer. */
  readonly finalizers?: FinalizerContext;
}

/**
 * Validates a finished listener: by the rules of the operator, and the Services that the operator will make of it by those of
 * the API server and of the owner.
 */
export class ListenerValidator implements ObjectCheck {
  public constructor(private readonly options: ListenerValidatorOptions) {}

  public check(listener: Json): CheckResult {
    const { cluster, document } = this.options;
    const context = listenerContextOf(cluster);
    const kafka = document.with(this.options.listener, listener);
    let result = this.checkServices(kafka, listener);
    // a document that has no place for listeners is validated without them
    if (listenersOf(kafka).includes(listener)) {
      const ofListener = checkListener(kafka, listener, context);
      const again = sameCause(ofListener.errors);
      result.errors = result.errors.filter(({ ruleId }) => !again.has(ruleId));
      result = ofListener.and(result);
    }
    result = result.and(CheckResult.of([...(this.options.faults?.(listener) ?? [])]));
    result.warnings = [...result.warnings, ...(this.options.warnings?.(kafka) ?? [])];
    return result;
  }

  private checkServices(kafka: Json, listener: Json): CheckResult {
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
    const found = new CheckResult();
    found.claims = claimsOfServices(cluster, services, rules.kind);
    const who = finalizers?.owner ?? 'kubernetes';
    const pools = nodePoolsOf(cluster).filter(({ isBroker }) => isBroker);
    const checked = unlike(originals).map((service) => {
      const { name } = service.metadata;
      const placed = placedBy(pools, kafka, service, this.options.backendNodes);
      const result = changed(ruleSet.check(service, { ...rules, ...placed }, who), (finding) =>
        finding.ruleId !== OF_MANY_PODS ? inListener(listener, finding) : isBootstrap(service) ? finding : undefined,
      ).and(this.handling(service, listener, rules.kind));
      return { name, result };
    });
    const isOfOne = ({ ruleId }: LoadBalancerFinding) => ruleId === OF_MANY_PODS;
    const of = (which: 'errors' | 'warnings') =>
      findingsOfServices(
        checked.map(({ name, result }) => ({ name, findings: result[which] })),
        isOfOne,
      );
    found.errors = of('errors');
    found.warnings = of('warnings');
    const waiting = {
      owner: who,
      provisioningTime: rules.kind?.provisioningTime,
      planned: this.options.document.names,
      among: entryOf(cluster.kafka),
    };
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
      ...(finalizers ? waitsLong(cluster, kafka, listener, waiting) : []),
    ];
    const place = listenersOf(kafka).includes(listener) ? pointerTo(kafka, listener) : '';
    return changed(found, (finding) => ({ ...finding, at: `${place}${finding.at}` }));
  }

  /** Connection handling by the owner; every known controller is checked when the owner is unknown. */
  private handling(service: Json, listener: Json, kind: ControllerDefinition | undefined): CheckResult {
    const faults = handlingFaults(service, listener, kind ? [kind] : knownKinds());
    const isReportedOfWish = ({ ruleId }: LoadBalancerFinding) =>
      ruleId === LISTENER_PROXY_PROTOCOL.id && this.options.asksForProxyProtocol;
    return CheckResult.of(faults.filter((finding) => !isReportedOfWish(finding)));
  }
}

const OF_MANY_PODS = 'local-policy-without-pool';
