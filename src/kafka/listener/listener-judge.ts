import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { Json } from '../../contract/late-rendering';
import type { ILoadBalancerController } from '../../contract/load-balancer-controller';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { kindOf, unwrapped } from '../../rules/controller-kind';
import type { ObjectJudge } from '../../rules/judged-object';
import { Judgement, type RuleContext } from '../../rules/rule';
import { serviceBookOf } from '../../rules/service-book';
import { judgeBesideListeners } from '../cluster/cluster-judge';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import type { DocumentListener, KafkaDocument } from '../document/kafka-document';
import { listenersOf } from '../document/kafka-json';
import { judgeListener } from '../document/kafka-judgement';
import { servicesOf } from '../operator/operator-services';
import { claimedTwice } from '../operator/operator-services-claims';
import { listenerContextOf } from './listener-context';
import { blocksTheCluster, type FinalizerContext, finalizerFaults, UNKNOWN_FINALIZER } from './listener-finalizers';
import { waitsLong } from './listener-waiting';

/** What is known of a listener beside what is written of it. */
export interface ListenerJudgeOptions {
  readonly cluster: IKafkaCluster;
  readonly document: KafkaDocument;
  readonly listener: DocumentListener;
  readonly controller: ILoadBalancerController;
  readonly kubernetes: KubernetesVersion;
  /** What is wrong between the wishes for the listener and the listener. */
  readonly faults?: (listener: Json) => readonly LoadBalancerFinding[];
  /** Between operator and owner; nothing where the owner did not answer. */
  readonly finalizers?: FinalizerContext;
}

/**
 * Judges a finished listener: by the rules of the operator, and the Services that the operator will make of it by those of
 * the API server and of the owner. The first listener of a document tells what is wrong with the rest of it.
 */
export class ListenerJudge implements ObjectJudge {
  public constructor(private readonly options: ListenerJudgeOptions) {}

  public judge(listener: Json): Judgement {
    const { cluster, document, finalizers } = this.options;
    const context = listenerContextOf(cluster);
    const kafka = document.with(this.options.listener, listener);
    let judgement = this.judgeServices(kafka, listener);
    // a document that has no place for listeners is judged without them
    if (listenersOf(kafka).includes(listener)) {
      judgement = judgeListener(kafka, listener, context).and(judgement);
    }
    if (finalizers) {
      judgement = judgement.and(judgementOf(finalizerFaults(listener, finalizers)));
    }
    judgement = judgement.and(judgementOf([...(this.options.faults?.(listener) ?? [])]));
    if (document.isToldBy(this.options.listener)) {
      judgement = judgement.and(judgeBesideListeners(kafka, cluster, document));
    }
    return judgement;
  }

  private judgeServices(kafka: Json, listener: Json): Judgement {
    const { cluster, controller, kubernetes, finalizers } = this.options;
    const rules: RuleContext = {
      kind: finalizers && kindOf(controller),
      controller: finalizers && unwrapped(controller),
      kubernetes,
      ownFinalizers: finalizers?.planned,
    };
    const book = serviceBookOf(rules.kind);
    const { services, beaten } = servicesOf(cluster, kafka, listener);
    const alike = unlike(services);
    const found = new Judgement();
    const who = finalizers?.owner ?? 'kubernetes';
    const judged = alike.map((service) => ({
      name: service.metadata.name,
      judgement: book.judge(service, rules, who),
    }));
    for (const which of ['errors', 'warnings'] as const) {
      found[which] = told(judged.map(({ name, judgement }) => ({ name, findings: judgement[which] })));
    }
    const isBlocking = ({ ruleId }: LoadBalancerFinding) => ruleId === UNKNOWN_FINALIZER;
    const claimed = claimedTwice(services, rules.kind?.catalogue, who);
    const blocking = found.warnings.filter(isBlocking).map(blocksTheCluster);
    found.errors = [...beaten, ...found.errors.filter(isOfServiceAlone), ...claimed, ...blocking];
    found.warnings = [...found.warnings.filter((finding) => !isBlocking(finding)), ...this.waits(kafka, listener, who)];
    return found;
  }

  private waits(kafka: Json, listener: Json, owner: string): LoadBalancerFinding[] {
    const { cluster, controller, document, finalizers } = this.options;
    const pace = finalizers && kindOf(controller)?.pace;
    return pace ? waitsLong(cluster, kafka, listener, { owner, pace, planned: document.names }) : [];
  }
}

/** The rule of the document for names of all Services tells more. */
const isOfServiceAlone = ({ ruleId }: LoadBalancerFinding) => ruleId !== 'service-name';

function judgementOf(errors: LoadBalancerFinding[]): Judgement {
  const judgement = new Judgement();
  judgement.errors = errors;
  return judgement;
}

/** One Service of all that differ in their names and pods alone. */
function unlike(services: readonly Json[]): Json[] {
  const found = new Map<string, Json>();
  for (const service of services) {
    const { annotations, labels } = service.metadata;
    const { ports, loadBalancerIP } = service.spec;
    const key = JSON.stringify([annotations, labels, ports, loadBalancerIP]);
    if (!found.has(key)) {
      found.set(key, service);
    }
  }
  return [...found.values()];
}

interface Found {
  readonly name: string;
  readonly findings: readonly LoadBalancerFinding[];
}

/** Every finding once; with the name of the Service where not all of them have it. */
function told(services: readonly Found[]): LoadBalancerFinding[] {
  const keyOf = ({ ruleId, what }: LoadBalancerFinding) => `${ruleId}\n${what}`;
  const all = services.map(({ findings }) => new Set(findings.map(keyOf)));
  const everywhere = (finding: LoadBalancerFinding) => all.every((keys) => keys.has(keyOf(finding)));
  return services.flatMap(({ name, findings }, place) =>
    findings
      .filter((finding) => place === 0 || !everywhere(finding))
      .map((finding) => (everywhere(finding) ? finding : { ...finding, what: `Service ${name}: ${finding.what}` })),
  );
}
