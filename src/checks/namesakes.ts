import { basename, dirname } from 'node:path';
import { isMap, type Json } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { type DescribedRule, findingOf } from '../contract/rule';
import { inKeyOrder } from '../contract/same-value';
import type { ReportedService } from '../later/later';
import type { IndexedObject } from '../rules/objects';
import { annotationsOf, wantsLoadBalancer } from '../rules/service-json';

export const SERVICE_IN_TWO_FILES: DescribedRule = {
  id: 'service-in-two-files',
  who: 'kubernetes',
  severity: 'warning',
  says: 'files of one folder have a Service of one namespace and name once, or alike',
  source: 'ours',
};

/** Files of one folder that are meant for different clusters, as their names show. */
const OF_A_CLUSTER =
  /(^|[-_.])(dev|development|test|testing|qa|uat|int|stage|staging|preprod|prod|production|live|local|minikube|kind|aws|eks|gcp|gke|azure|aks|old|new|v\d+|before|after|example|sample)([-_.]|$)/i;

interface Candidate extends ReportedService {
  readonly entry: IndexedObject;
}

/**
 * Services with a namespace of which two files of one folder have one each, and not alike: applied together, the last one wins.
 * Folders of their own are overlays or clusters, and so are files with such names; a dump shows what others wrote.
 */
export function differingNamesakes<T extends Candidate>(subjects: readonly T[]): Map<T, LoadBalancerFinding[]> {
  const firsts = new Map<string, T>();
  const found = new Map<T, LoadBalancerFinding[]>();
  for (const subject of subjects.filter(isMeant)) {
    const { namespace, name } = subject.entry;
    const key = JSON.stringify([dirname(subject.file), namespace, name]);
    const first = firsts.get(key);
    firsts.set(key, first ?? subject);
    const isBalanced = [first, subject].some((one) => one && wantsLoadBalancer(one.object));
    if (first && first.file !== subject.file && isBalanced && decided(first.object) !== decided(subject.object)) {
      const finding = {
        what: `Service ${namespace}/${name} is in ${first.entry.path} as well, with other fields: applied together, the last one wins`,
        remedy: 'keep one of them, or put manifests of different clusters into folders of their own',
        value: String(name),
        at: '/metadata/name',
      };
      found.set(subject, [findingOf(SERVICE_IN_TWO_FILES, finding, 'kubernetes')]);
    }
  }
  return found;
}

function isMeant({ entry, madeBy, file, object }: Candidate): boolean {
  return (
    entry.group === '' &&
    entry.kind === 'Service' &&
    typeof entry.namespace === 'string' &&
    madeBy === undefined &&
    !isLive(object) &&
    !OF_A_CLUSTER.test(basename(file))
  );
}

/** What decides of a balancer, as text. */
function decided(service: Json): string {
  return JSON.stringify([inKeyOrder(annotationsOf(service)), inKeyOrder(service.spec)]);
}

/** Whether an object was read from a cluster: the API server has seen it. */
export function isLive(object: Json): boolean {
  const { uid, resourceVersion } = isMap(object.metadata) ? object.metadata : {};
  return uid !== undefined || resourceVersion !== undefined || isMap(object.status);
}
