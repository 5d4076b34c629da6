import { basename, dirname } from 'node:path';
import { grouped } from '../contract/grouped';
import { isMap, type Json, mapIn } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { type DescribedRule, findingOf } from '../contract/rule';
import { inKeyOrder } from '../contract/same-value';
import type { ReportedService } from '../predicted/predicted';
import { type IndexedObject, kindAndTitleOf } from '../rules/objects';
import { annotationsOf } from '../rules/service-json';
import { isOfCluster } from '../tenancy/manifests/tenant-file';
import { variableIn } from './variables';

export const OBJECT_IN_TWO_FILES: DescribedRule = {
  id: 'object-in-two-files',
  who: 'kubernetes',
  severity: 'warning',
  says: 'different objects of one kind, namespace and name in one folder',
  source: 'ours',
};

/** Files of one folder that are meant for different clusters, as their names show. */
const OF_A_CLUSTER =
  /(^|[-_.])(dev|development|test|testing|qa|uat|int|stage|staging|preprod|prod|production|live|local|minikube|kind|aws|eks|gcp|gke|azure|aks|old|new|v\d+|before|after|example|sample|patch|override)([-_.]|$)/i;

interface Candidate extends ReportedService {
  readonly entry: IndexedObject;
}

/**
 * Objects of which several files of one folder have one each, and not alike: applied together, the last one wins. Each is reported
 * once, at its last file. Folders of their own are overlays or clusters, and so are files with such names; a dump shows what others
 * wrote.
 */
export function differingCopies<T extends Candidate>(subjects: readonly T[]): Map<T, LoadBalancerFinding[]> {
  const same = grouped(subjects.filter(isMeant), ({ file, entry }) =>
    JSON.stringify([dirname(file), entry.group, kindAndTitleOf(entry)]),
  );
  const found = new Map<T, LoadBalancerFinding[]>();
  for (const copies of same.values()) {
    const last = copies[copies.length - 1];
    const others = new Map(copies.filter(({ file }) => file !== last.file).map((one) => [one.file, one.entry.path]));
    if (others.size > 0 && new Set(copies.map(({ object }) => decided(object))).size > 1) {
      const finding = {
        what: `${kindAndTitleOf(last.entry)} is in ${[...others.values()].join(' and ')} as well, with other fields: applied together, the last one wins`,
        remedy: 'keep one of them, or put manifests of different clusters into folders of their own',
        value: String(last.entry.name),
        at: '/metadata/name',
      };
      found.set(last, [findingOf(OBJECT_IN_TWO_FILES, finding, 'kubernetes')]);
    }
  }
  return found;
}

/** An object without a namespace may be of any; one with a variable in its name, of a template or of a source that is rendered may be another. */
function isMeant({ entry, madeBy, file, object, source, renderedFrom }: Candidate): boolean {
  return (
    madeBy === undefined &&
    renderedFrom === undefined &&
    source?.template === undefined &&
    typeof entry.name === 'string' &&
    (typeof entry.namespace === 'string' || isOfCluster({ ...object, metadata: mapIn(object, 'metadata') })) &&
    variableIn(`${entry.namespace} ${entry.name}`) === undefined &&
    !isLive(object) &&
    !OF_A_CLUSTER.test(basename(file))
  );
}

/** The fields that an author decides, as text. */
function decided({ metadata, status, ...fields }: Json): string {
  return JSON.stringify([inKeyOrder(annotationsOf({ metadata })), inKeyOrder(fields)]);
}

/** Whether an object was read from a cluster: the API server has seen it. */
export function isLive(object: Json): boolean {
  const { uid, resourceVersion } = isMap(object.metadata) ? object.metadata : {};
  return uid !== undefined || resourceVersion !== undefined || isMap(object.status);
}
