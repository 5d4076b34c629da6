import { isSet, type Json, list, mapIn } from '../contract/json';
import { DEFAULT_AFFINITY_SECONDS } from '../contract/kubernetes.facts';
import { ownValue } from '../contract/own-value';
import { sameValue } from '../contract/same-value';

/** What the API server takes a field for where it is not written. kubernetes/kubernetes v1.36.3, pkg/apis/core/v1/defaults.go */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  externalTrafficPolicy: 'Cluster',
  internalTrafficPolicy: 'Cluster',
  sessionAffinity: 'None',
  ipFamilyPolicy: 'SingleStack',
  allocateLoadBalancerNodePorts: true,
  publishNotReadyAddresses: false,
};

/** Fields that the API server fills in, and leaves as they are where an update says nothing of them. */
const FILLED_IN: ReadonlySet<string> = new Set(['clusterIP', 'clusterIPs', 'healthCheckNodePort', 'ipFamilies']);

/** Fields in which the order does not count. */
const SETS: ReadonlySet<string> = new Set(['loadBalancerSourceRanges', 'externalIPs']);

/** A field of the spec of a Service on two sides, each as the API server takes it. */
export interface SpecField {
  readonly name: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Whether the older side says nothing of it, and what the API server has chosen is not known. */
  readonly isFilledIn: boolean;
}

/**
 * The fields of a spec that are not the same on two sides.
 *
 * @param isStanding whether a field that only the older side has was not applied, and so stays
 */
export function fieldsChanged(before: Json, after: Json, isStanding: (field: string) => boolean): SpecField[] {
  const [old, now] = [mapIn(before, 'spec'), mapIn(after, 'spec')];
  if (old === now) {
    return [];
  }
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return names
    .filter((name) => !sameValue(ownValue(old, name), ownValue(now, name)))
    .map((name) => ({ name, before: meant(name, old), after: meant(name, now), isFilledIn: false }))
    .filter(
      ({ name, before: one, after: other }) => !sameValue(one, other) && !(other === undefined && stays(name, one)),
    )
    .map((field) => ({ ...field, isFilledIn: FILLED_IN.has(field.name) && field.before === undefined }));

  function stays(name: string, value: unknown): boolean {
    return FILLED_IN.has(name) || isStanding(name) || value === undefined;
  }
}

/** A field as the API server takes it; nothing where it is as good as not there. */
function meant(name: string, spec: Json): unknown {
  const value: unknown = ownValue(spec, name);
  if (!isSet(value) || value === '' || (Array.isArray(value) && value.length === 0)) {
    return undefined;
  }
  if (name === 'sessionAffinityConfig') {
    const seconds: unknown = mapIn(value, 'clientIP').timeoutSeconds;
    return spec.sessionAffinity !== 'ClientIP' || seconds === DEFAULT_AFFINITY_SECONDS ? undefined : value;
  }
  if (name === 'healthCheckNodePort') {
    return value === 0 ? undefined : value;
  }
  if (value === defaultOf(name)) {
    return undefined;
  }
  return SETS.has(name) ? [...new Set(list<unknown>(value).map((one) => String(one).trim()))].sort() : value;
}

/** A field where it is not written. */
export function defaultOf(name: string): unknown {
  return ownValue(DEFAULTS, name);
}
