import { isMap, type Json, list } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { findingOf } from '../../contract/rule';
import type { PlacesOfFields } from '../../contract/yaml-source';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import { EXPORTED_MANIFEST } from '../../services/service-rules';

/** Kinds that nobody writes by hand: a file with one is what a cluster has. */
const OF_CLUSTERS: readonly string[] = [
  'Node',
  'Pod',
  'ReplicaSet',
  'Event',
  'EndpointSlice',
  'Lease',
  'StrimziPodSet',
];

function dumpsIn(index: ObjectIndex): ReadonlySet<unknown> {
  const isOfCluster = ({ kind, json }: IndexedObject) => OF_CLUSTERS.includes(kind) && isMap(json.status);
  return index.once(dumpsIn, ({ all }) => new Set(all.filter(isOfCluster).map(({ unit }) => unit)));
}

/** What each field does if it is applied, the worst first. kubernetes/kubernetes v1.36.3, staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go */
const FATES: readonly (readonly [path: string, fate: string])[] = [
  ['metadata.resourceVersion', 'kubectl apply fails with a conflict once the live object has changed'],
  ['metadata.uid', 'kubectl apply is refused once the object was deleted and created'],
  ['metadata.managedFields', 'server-side apply is refused'],
  ['spec.clusterIP', 'it is refused in a cluster that has the address for another Service, or in another range'],
  ['status', 'it has no effect'],
];

function hasValue(object: Json, path: string): boolean {
  if (path === 'status') {
    return list(object.status?.loadBalancer?.ingress).length > 0;
  }
  const [map, field] = path.split('.');
  const value: unknown = isMap(object[map]) ? object[map][field] : undefined;
  return value !== undefined && value !== null && value !== '' && value !== 'None';
}

/** Fields that an export left in a manifest; nothing in what is read of a cluster. */
export function exportLeftovers({ json, index, unit }: IndexedObject, source?: PlacesOfFields): LoadBalancerFinding[] {
  const isOfCluster = source === undefined || source.isItem || unit === 'standard input' || dumpsIn(index).has(unit);
  const found = isOfCluster ? [] : FATES.filter(([path]) => hasValue(json, path));
  // an address of its own is a choice, and a status alone is what generators write
  const isExport = found.some(([path]) => path.startsWith('metadata.')) || found.length > 1;
  if (!isExport) {
    return [];
  }
  const [[first, fate]] = found;
  const fields = found.map(([path]) => path);
  const finding = {
    what: `${fate}: the manifest has ${fields.join(', ')}, which an export of a live object left`,
    remedy: `remove ${fields.join(', ')}, or pass what is read of a cluster as a List or on standard input`,
    value: fields.join(', '),
    at: `/${first.replace('.', '/')}`,
  };
  return [findingOf(EXPORTED_MANIFEST, finding, 'kubernetes')];
}
