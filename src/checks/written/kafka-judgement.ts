import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { GKE_CONTROLLER } from '../../controllers/gke/annotations';
import { OPERATOR } from '../../kafka/rules/document-rules';
import { FINALIZER_STRIPPED, FINALIZER_UNDECLARED } from '../../kafka/rules.facts';
import { Judgement } from '../../rules/judgement';
import type { IndexedObject } from '../../rules/objects';
import type { ObjectContext } from '../../rules/rule-context';
import { RuleSet } from '../../rules/rule-set';
import type { KindContext } from '../kafka-judgement';
import { WRITTEN_KAFKA_RULES } from './kafka-rules';

const RULES = new RuleSet<ObjectContext>(WRITTEN_KAFKA_RULES, OPERATOR);

export function withWritten(kafka: IndexedObject, judgement: Judgement, { keeper }: KindContext): Judgement {
  const kept = keeper === undefined ? withoutGuesses(judgement) : withoutStripped(judgement);
  return kept.and(RULES.judge(kafka.json, { among: kafka }));
}

function withoutStripped({ errors, warnings, unknown, claims }: Judgement): Judgement {
  const isKept = ({ ruleId }: LoadBalancerFinding) =>
    ![FINALIZER_UNDECLARED.id, FINALIZER_STRIPPED.id].includes(ruleId);
  return new Judgement(errors.filter(isKept), warnings.filter(isKept), unknown, claims);
}

/** Which finalizer a balancer of GKE has, its cluster decides: no manifest shows whether one is missing. */
function withoutGuesses({ errors, warnings, unknown, claims }: Judgement): Judgement {
  const isKnown = ({ ruleId, who }: LoadBalancerFinding) =>
    ruleId !== FINALIZER_UNDECLARED.id || who !== GKE_CONTROLLER;
  return new Judgement(errors.filter(isKnown), warnings.filter(isKnown), unknown, claims);
}
