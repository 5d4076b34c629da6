import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { Json } from '../../contract/late-rendering';
import type { ILoadBalancerController } from '../../contract/load-balancer-controller';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { kindOf, unwrapped } from '../../rules/controller-kind';
import type { ObjectJudge } from '../../rules/judged-object';
import { Judgement, type RuleContext } from '../../rules/rule';
import { serviceBookOf } from '../../rules/service-book';
import type { IKafkaCluster } from '../cluster/kafka-cluster';
import type { DocumentListener, KafkaDocument } from '../document/kafka-document';
import { listenerNamed, listenersOf } from '../document/kafka-json';
import { judgeDocument, judgeListener } from '../document/kafka-judgement';
import { servicesOf } from '../operator/operator-services';
import { blocksTheCluster, type FinalizerContext, finalizerFaults, UNKNOWN_FINALIZER } from './listener-finalizers';

/** What is known of a listener beside what is written of it. */
export interface ListenerJudgeOptions {
  readonly cluster: IKafkaCluster;
  readonly document: KafkaDocument;
  readonly listener: DocumentListener;
  readonly controller: ILoadBalancerController;
  readonly kubernetes: KubernetesVersion;
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
    const { strimzi, brokerIds } = cluster;
    const context = { strimzi, brokerIds };
    const kafka = document.with(this.options.listener, listener);
    let judgement = this.judgeServices(kafka, listener);
    // a document that has no place for listeners is judged without them
    if (listenersOf(kafka).includes(listener)) {
      judgement = judgeListener(kafka, listener, context).and(judgement);
    }
    if (finalizers) {
      judgement = judgement.and(judgementOf(finalizerFaults(listener, finalizers)));
    }
    if (document.isFirst(this.options.listener)) {
      const planned = document.names.map((name) => listenerNamed(kafka, name));
      const others = listenersOf(kafka).filter((other) => !planned.includes(other));
      judgement = others.reduce<Judgement>(
        (sum, other) => sum.and(judgeListener(kafka, other, context)),
        judgement.and(judgeDocument(kafka, context)),
      );
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
    found.errors = [...beaten, ...found.errors, ...found.warnings.filter(isBlocking).map(blocksTheCluster)];
    found.warnings = found.warnings.filter((finding) => !isBlocking(finding));
    return found;
  }
}

function judgementOf(errors: LoadBalancerFinding[]): Judgement {
  const judgement = new Judgement();
  judgement.errors = errors;
  return judgement;
}

/** One Service of all that differ in their names and pods alone: the one with the longest name. */
function unlike(services: readonly Json[]): Json[] {
  const found = new Map<string, Json>();
  for (const service of services) {
    const { annotations, labels } = service.metadata;
    const { ports, loadBalancerIP } = service.spec;
    const key = JSON.stringify([annotations, labels, ports, loadBalancerIP]);
    const other = found.get(key);
    if (!other || other.metadata.name.length < service.metadata.name.length) {
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
