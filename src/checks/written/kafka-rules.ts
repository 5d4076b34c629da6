import { schemeSetIn } from '../../contract/annotation-catalogue';
import type { Json } from '../../contract/json';
import { type LoadBalancerFinding, LoadBalancerScheme } from '../../contract/options';
import type { DescribedNote } from '../../contract/rule';
import { GKE_CONTROLLER } from '../../controllers/gke/annotations';
import type { LoadBalancerOwner } from '../../controllers/load-balancer-owner';
import { listenersOf, listenerTitleOf, mapAt, pointerTo, textAt } from '../../kafka/operator/kafka-document';
import { OPERATOR } from '../../kafka/rules/document-rules';
import { FINALIZER_STRIPPED, FINALIZER_UNDECLARED } from '../../kafka/rules.facts';
import {
  KAFKA_KIND,
  PLAIN_TEXT_TYPES,
  STRIMZI_API,
  STRIMZI_GROUP,
  STRIMZI_OLD_API,
  STRIMZI_OLD_API_UNTIL,
} from '../../kafka/strimzi/strimzi.facts';
import { knownKinds } from '../../rules/known-kinds';
import type { IndexedObject } from '../../rules/objects';
import type { ObjectContext, Rule } from '../../rules/rule';
import { type Judgement, RuleSet } from '../../rules/rule-set';
import { finalizersOf } from '../../rules/service-json';
import { type KindContext, keepsForeignFinalizers } from '../kafka-judgement';
import { changed } from '../service-judgement';
import { noteOf, ruleOf } from './messages';
import { RULES } from './rules.facts';
import { likelyKinds } from './service-notes';

const SERVICE_TEMPLATES = ['externalBootstrapService', 'perPodService'];

function isInternal(kafka: Json, listener: Json): boolean {
  const maps = [
    mapAt(listener, 'configuration.bootstrap.annotations'),
    ...SERVICE_TEMPLATES.map((name) => mapAt(kafka, `spec.kafka.template.${name}.metadata.annotations`)),
  ];
  return maps.some((annotations) =>
    knownKinds().some(({ catalogue }) => schemeSetIn(annotations, catalogue)?.scheme === LoadBalancerScheme.INTERNAL),
  );
}

export const WRITTEN_KAFKA_RULES: readonly Rule<ObjectContext>[] = [
  ruleOf(RULES['listener-unencrypted'], (kafka) =>
    listenersOf(kafka).map((listener) => {
      const { type, tls } = listener;
      const isPlain = PLAIN_TEXT_TYPES.includes(type) && tls === false && !isInternal(kafka, listener);
      return isPlain && textAt(listener, 'authentication.type') === undefined
        ? { listener: listenerTitleOf(listener), type, value: 'false', at: `${pointerTo(kafka, listener)}/tls` }
        : undefined;
    }),
  ),
];

const RULE_SET = new RuleSet<ObjectContext>(WRITTEN_KAFKA_RULES, OPERATOR);

export function withWritten(kafka: IndexedObject, judgement: Judgement, { keeper }: KindContext): Judgement {
  const kept = changed(judgement, (finding) => (isKnown(finding, keeper !== undefined) ? finding : undefined));
  return kept.and(RULE_SET.judge(kafka.json, { among: kafka }));
}

/** Which finalizer a balancer of GKE has, its cluster decides: no manifest shows whether one is missing. */
function isKnown({ ruleId, who }: LoadBalancerFinding, isKept: boolean): boolean {
  return isKept
    ? ![FINALIZER_UNDECLARED.id, FINALIZER_STRIPPED.id].includes(ruleId)
    : ruleId !== FINALIZER_UNDECLARED.id || who !== GKE_CONTROLLER;
}

export const KAFKA_API_LEAVING: DescribedNote = RULES['kafka-api-leaving'];

export function leavingApi({ apiVersion, spec }: Json): LoadBalancerFinding[] {
  if (apiVersion !== `${STRIMZI_GROUP}/${STRIMZI_OLD_API}`) {
    return [];
  }
  const gone = [
    ...(spec?.kafka?.replicas === undefined ? [] : ['spec.kafka.replicas']),
    ...(spec?.kafka?.storage === undefined ? [] : ['spec.kafka.storage']),
    ...(spec?.zookeeper === undefined ? [] : ['spec.zookeeper']),
  ];
  const fields = gone.length === 0 ? '' : `, which has no ${gone.join(', ')}`;
  const mistake = { old: STRIMZI_OLD_API, until: STRIMZI_OLD_API_UNTIL, api: STRIMZI_API, fields };
  return [noteOf(RULES['kafka-api-leaving'], { ...mistake, value: String(apiVersion), at: '/apiVersion' })];
}

export const FINALIZER_ADDED_LATE: DescribedNote = RULES['finalizer-added-late'];

export function lateFinalizers(
  kafka: Json,
  service: Json,
  { entry, owner }: { readonly entry: IndexedObject; readonly owner: LoadBalancerOwner },
  context: KindContext,
): LoadBalancerFinding[] {
  const resource = entry.index.of(STRIMZI_GROUP, KAFKA_KIND).find(({ json }) => json === kafka);
  const [kind, ...others] = likelyKinds(service, { owner });
  if (!resource || !kind || others.length > 0 || !keepsForeignFinalizers(resource, context)) {
    return [];
  }
  const { controller } = owner;
  const own = kind.declarable ? (controller ? kind.declarable(service, controller) : []) : kind.finalizers;
  if (own.length === 0 || finalizersOf(service).length > 0) {
    return [];
  }
  const mistake = { finalizers: own.join(' or '), owner: kind.name, at: '/metadata/finalizers' };
  return [noteOf(RULES['finalizer-added-late'], mistake)];
}
