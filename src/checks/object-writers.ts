import { basename } from 'node:path';
import { grouped, inKeyOrder, isMap, type Json, mapIn, mapOfJson, mapsIn, shown } from '../contract/json';
import { LAST_APPLIED_ANNOTATION } from '../contract/kubernetes.facts';
import type { LoadBalancerFinding } from '../contract/options';
import type { DescribedRule } from '../contract/rule';
import type { ReportedService } from '../predicted/predicted';
import { allKinds } from '../rules/known-kinds';
import { clusterOf, isForOneCluster } from '../rules/manifest-objects';
import { type IndexedObject, kindAndTitleOf } from '../rules/objects';
import type { Rule } from '../rules/rule';
import { annotationsOf, wantsLoadBalancer } from '../rules/service-json';
import { isOfCluster } from '../tenancy/manifests/tenant-file';
import { pointerTo } from './places';
import { gapIn } from './service-judgement';
import { noteOf } from './written/messages';
import { RULES } from './written/rules.facts';

export const OBJECT_IN_TWO_FILES: DescribedRule = RULES['object-in-two-files'];

interface Candidate extends ReportedService {
  readonly entry: IndexedObject;
}

/**
 * Objects of which several files for one cluster have one each, and not alike: applied together, the last one wins. Each is reported
 * once, at its last file. A dump shows what others wrote.
 */
export function differingCopies<T extends Candidate>(
  subjects: readonly T[],
  isDeclared?: boolean,
): Map<T, LoadBalancerFinding[]> {
  const meant = subjects.filter((one) => isMeant(one) && (isDeclared || !isForOneCluster(basename(one.file))));
  const same = grouped(meant, (one) =>
    JSON.stringify([one.renderedFrom ? '' : clusterOf(one, isDeclared), one.entry.group, kindAndTitleOf(one.entry)]),
  );
  const found = new Map<T, LoadBalancerFinding[]>();
  for (const copies of same.values()) {
    const last = copies[copies.length - 1];
    const others = new Map(copies.filter(({ file }) => file !== last.file).map((one) => [one.file, one.entry.path]));
    if (others.size > 0 && new Set(copies.map(({ object }) => decided(object))).size > 1) {
      const title = kindAndTitleOf(last.entry);
      const place = { value: String(last.entry.name), at: '/metadata/name' };
      const mistake = { title, others: [...others.values()].join(' and '), ...place };
      const row = RULES[last.renderedFrom === undefined ? 'object-in-two-files' : 'object-in-two-sources'];
      found.set(last, [noteOf(row, mistake, 'kubernetes')]);
    }
  }
  return found;
}

/** An object without a namespace may be of any; one with a variable in its name, of a template or of a source that is rendered may be another. */
function isMeant({ entry, madeBy, object, source }: Candidate): boolean {
  return (
    madeBy === undefined &&
    source?.template === undefined &&
    typeof entry.name === 'string' &&
    (typeof entry.namespace === 'string' || isOfCluster({ ...object, metadata: mapIn(object, 'metadata') })) &&
    gapIn(`${entry.namespace} ${entry.name}`) === undefined &&
    !isLive(object)
  );
}

function decided({ metadata, status, ...fields }: Json): string {
  return JSON.stringify([inKeyOrder(annotationsOf({ metadata })), inKeyOrder(fields)]);
}

/** Whether an object was read from a cluster: the API server has seen it. */
export function isLive(object: Json): boolean {
  const { uid, resourceVersion } = isMap(object.metadata) ? object.metadata : {};
  return uid !== undefined || resourceVersion !== undefined || isMap(object.status);
}

type FieldPath = readonly string[];

const FIELDS: readonly FieldPath[] = [
  ['spec', 'loadBalancerClass'],
  ['spec', 'externalTrafficPolicy'],
];

/** kubectl writes under several names, which are one person or pipeline; what was there before the first apply has no manager. */
const KUBECTL = /^kubectl($|-)/;
const BEFORE_FIRST_APPLY = 'before-first-apply';

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
  const read = keys.filter((key) => allKinds().some(({ catalogue }) => catalogue.find(key) !== undefined));
  return [...FIELDS, ...read.map((key) => ['metadata', 'annotations', key])];
}

export const FIELD_MANAGERS: Rule = {
  ...RULES['managers-of-one-field'],
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
