import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { FinalizerPolicy } from '../../contract/finalizer-policy';
import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { type LikelyOwner, likelyOwner } from '../../rules/claimants';
import { knownKinds } from '../../rules/controller-definition';
import { FINALIZER_OF_SERVICE_CONTROLLER, FINALIZER_RULES } from '../../rules/finalizer-rules';
import { Judgement } from '../../rules/judgement';
import { RuleSet } from '../../rules/rule-set';
import { titleOf } from '../document/kafka-json';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { claimsOfNodePorts, claimsOfUnplanned } from '../operator/listener-claims';
import { servicesOf } from '../operator/operator-services';
import { LISTENER_TYPES } from '../strimzi/operator-services.facts';
import { findingsOfServices, unlike } from './findings-of-services';
import { blocksTheCluster, FINALIZER_STRIPPED, finalizerFaults, UNKNOWN_FINALIZER } from './listener-finalizers';
import { handlingFaults } from './listener-handling';

// Listeners with balancers that are in a manifest of the user, and that no construct plans: who owns their balancers is reported
// by what their Services say.

/** Validates what the owner of its balancers does with a listener that no construct plans. */
export function judgeUnplanned(cluster: IKafkaCluster, kafka: Json, listener: Json): Judgement {
  const judgement = new Judgement();
  if (listener.type === LISTENER_TYPES.nodePort) {
    judgement.claims = claimsOfNodePorts(cluster, listener);
  }
  if (listener.type !== LISTENER_TYPES.loadBalancer) {
    return judgement;
  }
  const { services: all, originals } = servicesOf(cluster, kafka, listener);
  const services = unlike(originals);
  const owner = services.map(likelyOwner).find((one) => one !== undefined);
  const kinds = owner ? [owner.kind] : knownKinds();
  judgement.claims = claimsOfUnplanned(cluster, all, owner);
  const handling = services.map((service) => ({
    name: service.metadata.name,
    findings: handlingFaults(service, listener, kinds),
  }));
  const finalizers = owner && services.length > 0 ? ofFinalizers(cluster, listener, services[0], owner) : [];
  const isWarning = ({ ruleId }: LoadBalancerFinding) =>
    ruleId === FINALIZER_STRIPPED.id || ruleId === FINALIZER_OF_SERVICE_CONTROLLER || !owner?.isSure;
  const named = (finding: LoadBalancerFinding) => ({ ...finding, what: `${titleOf(listener)}: ${finding.what}` });
  judgement.errors = [...findingsOfServices(handling), ...finalizers.filter((finding) => !isWarning(finding))].map(
    named,
  );
  judgement.warnings = finalizers.filter(isWarning).map(named);
  return judgement;
}

const FINALIZERS = new RuleSet(FINALIZER_RULES);

/** All Services of a listener have the same finalizers. */
function ofFinalizers(
  { strimzi }: IKafkaCluster,
  listener: Json,
  service: Json,
  { kind }: LikelyOwner,
): LoadBalancerFinding[] {
  const { keepsForeignFinalizers } = strimzi;
  const seen = { kind, kubernetes: DEFAULT_KUBERNETES, keepsForeignFinalizers };
  const { errors, warnings } = FINALIZERS.judge(service, seen, kind.name);
  const surprises = warnings.map((finding) =>
    finding.ruleId === UNKNOWN_FINALIZER ? blocksTheCluster(finding) : finding,
  );
  const context = { strimzi, owner: kind.name, kind, planned: [], policy: FinalizerPolicy.DECLARE, isPlanned: false };
  return [...errors, ...surprises, ...finalizerFaults(listener, context, service)];
}
