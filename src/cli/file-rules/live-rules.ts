import { grouped, type Json, list, mapIn, mapOfJson, mapsIn, shown, valueBySteps } from '../../contract/json';
import { LAST_APPLIED_ANNOTATION } from '../../contract/kubernetes.facts';
import { addedFinalizers, definitionOf, expectedFinalizers, isRemovedBy } from '../../rules/controller-definition';
import { allKinds } from '../../rules/known-kinds';
import type { Rule, RuleContext } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import { annotationsOf, finalizersOf, wantsLoadBalancer } from '../../rules/service-json';
import { remover } from '../owners-in-words';
import { pointerTo } from '../places';
import { LIVE_ROWS } from './rules.facts';

// Findings in fields of live objects, as `kubectl get -o yaml` prints them.

type FieldPath = readonly string[];

const FIELDS: readonly FieldPath[] = [
  ['spec', 'loadBalancerClass'],
  ['spec', 'externalTrafficPolicy'],
];

/** kubectl writes under several names, which are one person or pipeline; what was there before the first apply has no manager. */
const KUBECTL = /^kubectl($|-)/;
const BEFORE_FIRST_APPLY = 'before-first-apply';

function holdersOf(object: Json, path: FieldPath): string[] {
  const keys = path.map((step) => `f:${step}`);
  const writers = mapsIn(mapIn(object, 'metadata'), 'managedFields').filter(
    ({ manager, subresource }) => typeof manager === 'string' && manager !== BEFORE_FIRST_APPLY && !subresource,
  );
  const managers = grouped(writers, ({ manager }) => (KUBECTL.test(manager) ? 'kubectl' : manager));
  return [...managers]
    .filter(([, all]) => all.some(({ fieldsV1 }) => valueBySteps(fieldsV1, keys) !== undefined))
    .map(([name]) => name);
}

function decidingFields(service: Json): FieldPath[] {
  const keys = Object.keys(annotationsOf(service));
  const read = keys.filter((key) => allKinds().some(({ catalogue }) => catalogue.find(key) !== undefined));
  return [...FIELDS, ...read.map((key) => ['metadata', 'annotations', key])];
}

export const LIVE_RULES: readonly Rule[] = rulesOf({
  rows: LIVE_ROWS,
  read: (service: Json, _: RuleContext) => ({ metadata: mapIn(service, 'metadata') }),
  finds: {
    'deletion-blocked-by-finalizer': ({ metadata: { deletionTimestamp: since } }, service, { controllers }) => {
      const kinds = controllers?.map(definitionOf);
      const runs = (finalizer: string) =>
        kinds === undefined || kinds.some((kind) => kind === undefined || isRemovedBy(finalizer, kind));
      return (
        Boolean(since) &&
        finalizersOf(service).map((value, i) => ({
          ...(!runs(value) && { case: 'absent' }),
          ...{ since, remover: remover(value), value, at: `/metadata/finalizers/${i}` },
        }))
      );
    },
    'finalizer-missing': ({ metadata: { uid, deletionTimestamp } }, service, { kind }) => {
      const own = kind ? addedFinalizers(service, kind) : [];
      // one of them may have replaced the list
      const writers = holdersOf(service, ['metadata', 'finalizers']).join(' or ');
      return (
        kind &&
        list(service.status?.loadBalancer?.ingress).length > 0 &&
        uid !== undefined &&
        !deletionTimestamp &&
        wantsLoadBalancer(service) &&
        own.length > 0 &&
        !finalizersOf(service).some((finalizer) => own.includes(finalizer)) && {
          ...(writers !== '' && { case: 'written' }),
          ...{ owner: kind.name, writers, value: expectedFinalizers(service, kind).join(' or ') },
        }
      );
    },
    'field-managers-conflict': (_, service) => {
      const applied = mapOfJson(annotationsOf(service)[LAST_APPLIED_ANNOTATION]);
      const paths = wantsLoadBalancer(service) ? decidingFields(service) : [];
      return paths.map((path) => {
        const value = valueBySteps(service, path);
        const holders = value === undefined ? [] : holdersOf(service, path);
        const wanted = applied && valueBySteps(applied, path);
        const isReplaced = wanted !== undefined && wanted !== value && !holders.includes('kubectl');
        return holders.length > (isReplaced ? 0 : 1)
          ? {
              case: isReplaced ? 'replaced' : 'shared',
              name: path[0] === 'spec' ? path.join('.') : `annotation ${path[2]}`,
              shown: shown(value),
              wanted: shown(wanted),
              holders: holders.join(' and '),
              value,
              at: pointerTo(path),
            }
          : undefined;
      });
    },
  },
});
