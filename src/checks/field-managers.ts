import { isMap, type Json, mapIn, mapOfJson, mapsIn } from '../contract/json';
import { LAST_APPLIED_ANNOTATION } from '../contract/kubernetes.facts';
import { shown } from '../contract/printable';
import { knownKinds } from '../rules/controller-definition';
import type { Rule } from '../rules/rule';
import { annotationsOf, wantsLoadBalancer } from '../rules/service-json';
import { pointerTo } from './places';

type FieldPath = readonly string[];

const FIELDS: readonly FieldPath[] = [
  ['spec', 'loadBalancerClass'],
  ['spec', 'externalTrafficPolicy'],
];

/** kubectl writes under several names, which are one person or pipeline; what was there before the first apply has no manager. */
const KUBECTL = /^kubectl($|-)/;
const BEFORE_FIRST_APPLY = 'before-first-apply';

/** What managers hold of an object, by name, without those of its status. */
function managersOf(object: Json): Map<string, Json[]> {
  const managers = new Map<string, Json[]>();
  for (const { manager, subresource, fieldsV1 } of mapsIn(mapIn(object, 'metadata'), 'managedFields')) {
    if (typeof manager === 'string' && manager !== BEFORE_FIRST_APPLY && !subresource && isMap(fieldsV1)) {
      const name = KUBECTL.test(manager) ? 'kubectl' : manager;
      managers.set(name, [...(managers.get(name) ?? []), fieldsV1]);
    }
  }
  return managers;
}

function holds(fields: Json, path: FieldPath): boolean {
  let value: unknown = fields;
  for (const step of path) {
    value = isMap(value) ? value[`f:${step}`] : undefined;
  }
  return value !== undefined;
}

function valueIn(object: Json, path: FieldPath): unknown {
  return path.reduce<unknown>((value, step) => (isMap(value) ? value[step] : undefined), object);
}

function holdersOf(managers: Map<string, Json[]>, path: FieldPath): string[] {
  return [...managers].filter(([, all]) => all.some((fields) => holds(fields, path))).map(([name]) => name);
}

/** The managers that write finalizers, as text: where one of a controller is gone, one of them may have replaced the list. */
export function finalizerWriters(service: Json): string | undefined {
  return holdersOf(managersOf(service), ['metadata', 'finalizers']).join(' or ') || undefined;
}

function lastApplied(service: Json): Json | undefined {
  return mapOfJson(annotationsOf(service)[LAST_APPLIED_ANNOTATION]);
}

function decidingFields(service: Json): FieldPath[] {
  const keys = Object.keys(annotationsOf(service));
  const read = keys.filter((key) => knownKinds().some(({ catalogue }) => catalogue.find(key) !== undefined));
  return [...FIELDS, ...read.map((key) => ['metadata', 'annotations', key])];
}

/** Managers that write one field of a Service of a running cluster. */
export const FIELD_MANAGERS: Rule = {
  id: 'managers-of-one-field',
  severity: 'warning',
  who: 'kubernetes',
  says: 'two managers write class, policy or annotations of a live Service',
  source: {
    repository: 'kubernetes/apimachinery',
    version: 'v0.36',
    file: 'pkg/util/managedfields/internal/structuredmerge.go',
  },
  on: ['metadata.managedFields'],
  judge(service) {
    if (!wantsLoadBalancer(service)) {
      return undefined;
    }
    const managers = managersOf(service);
    const applied = lastApplied(service);
    return decidingFields(service).flatMap((path) => {
      const value = valueIn(service, path);
      const holders = holdersOf(managers, path);
      const wanted = applied && valueIn(applied, path);
      const name = path[0] === 'spec' ? path.join('.') : `annotation ${path[2]}`;
      const remedy = `write ${name} in one place, and remove it from the other (kubectl get --show-managed-fields -o yaml)`;
      const at = pointerTo(path);
      if (value === undefined || holders.length === 0) {
        return [];
      }
      if (wanted !== undefined && wanted !== value && !holders.includes('kubectl')) {
        const what = `${name} is ${shown(value)}, written by ${holders.join(' and ')}; kubectl applied ${shown(wanted)}, and its next apply writes that again`;
        return [{ what, remedy, value: String(value), at }];
      }
      return holders.length > 1
        ? [
            {
              what: `${name} is written by ${holders.join(' and ')}: the last one decides`,
              remedy,
              value: String(value),
              at,
            },
          ]
        : [];
    });
  },
};
