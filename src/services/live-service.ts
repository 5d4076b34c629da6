import { knowsSchemes } from '../contract/annotation-catalogue';
import { isMap, type Json, list } from '../contract/json';
import { DEFAULT_AFFINITY_SECONDS, LAST_APPLIED_ANNOTATION } from '../contract/kubernetes.facts';
import type { ILoadBalancerController, LoadBalancerRequest } from '../contract/load-balancer-request';
import type { LoadBalancerFinding, LoadBalancerPlan } from '../contract/options';
import { findingOf } from '../contract/rule';
import { type Claim, definitionOf, unwrapped } from '../rules/controller-definition';
import { allKinds } from '../rules/known-kinds';
import { classOf, finalizersOf, wantsLoadBalancer } from '../rules/service-json';
import type { ManifestPath } from './manifest-place';
import { ADOPTED_SCHEME, CLASS_ON_LIVE_SERVICE, EXPORTED_MANIFEST, OWNER_OF_LIVE_SERVICE } from './rules.facts';

// Findings of a manifest that may be live already: its balancer exists, and has an owner.

export interface LiveOwnership {
  /** True if the owner would take the Service as it is; unset of owners of which nothing is known. */
  readonly claim?: Claim;
  /** True if the manifest shows that it is live under another owner. */
  readonly isOfAnother: boolean;
}

/**
 * Relation of a plan's owner to the manifest.
 *
 * @param isLive whether the manifest was exported from a cluster
 */
export function ownershipOf(service: Json, controller: ILoadBalancerController, isLive: boolean): LiveOwnership {
  const kind = definitionOf(controller);
  if (!kind || !wantsLoadBalancer(service)) {
    return { isOfAnother: false };
  }
  const claim = kind.claim(service, unwrapped(controller));
  // a webhook gives its class to new Services alone
  const isUnclaimed = claim.claimed === 'no' || claim.byDefaultingTheClass === true;
  const foreign = finalizersOf(service).some(
    (finalizer) =>
      !kind.finalizers.includes(finalizer) &&
      allKinds().some(
        (other) => other.finalizers.includes(finalizer) || other.untouchableFinalizers?.includes(finalizer),
      ),
  );
  return { claim: isUnclaimed ? { ...claim, claimed: 'no' } : claim, isOfAnother: isUnclaimed && (isLive || foreign) };
}

export function liveFindings(
  service: Json,
  plan: LoadBalancerPlan,
  request: LoadBalancerRequest,
  controller: ILoadBalancerController,
  { claim, isOfAnother }: LiveOwnership,
): { readonly problems: LoadBalancerFinding[]; readonly warnings: LoadBalancerFinding[] } {
  const problems: LoadBalancerFinding[] = [];
  const warnings: LoadBalancerFinding[] = [];
  if (!wantsLoadBalancer(service)) {
    return { problems, warnings };
  }
  const { owner, loadBalancerClass: value } = plan;
  const kind = definitionOf(controller);
  if (request.scheme === undefined && knowsSchemes(kind?.catalogue)) {
    problems.push(findingOf(ADOPTED_SCHEME, {}, owner));
  }
  if (value !== undefined && classOf(service) === undefined) {
    const form = claim?.claimed === 'yes' ? 'claimed' : 'unclaimed';
    const option = kind?.classlessOption ?? 'an option of the controller that writes no class';
    const found = { case: form, owner, option, value };
    (isOfAnother ? problems : warnings).push(findingOf(CLASS_ON_LIVE_SERVICE, found, owner));
  } else if (claim?.claimed === 'no') {
    const found = { because: claim.because };
    (isOfAnother ? problems : warnings).push(findingOf(OWNER_OF_LIVE_SERVICE, found, owner));
  }
  return { problems, warnings };
}

// A manifest that `kubectl get -o yaml` wrote holds what the API server added to the Service: applied again, it conflicts.

/** Fields that only the API server writes. kubernetes/kubernetes v1.36.3, staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go */
const SERVER_METADATA = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'managedFields',
  'selfLink',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
];

/** Fields that the API server fills in, with the value that it takes where none is set. pkg/apis/core/v1/defaults.go */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  allocateLoadBalancerNodePorts: true,
  externalTrafficPolicy: 'Cluster',
  internalTrafficPolicy: 'Cluster',
  sessionAffinity: 'None',
};

interface ServerField {
  readonly path: ManifestPath;
  readonly value: unknown;
}

export class ExportedService {
  private readonly fields: readonly ServerField[];
  public readonly isLive: boolean;

  public constructor(manifest: Json) {
    const metadata = isMap(manifest.metadata) ? manifest.metadata : {};
    this.isLive =
      SERVER_METADATA.some((field) => isThere(metadata[field])) ||
      list(manifest.status?.loadBalancer?.ingress).length > 0;
    const always: ManifestPath[] = [
      ...SERVER_METADATA.map((field) => ['metadata', field]),
      ['metadata', 'annotations', LAST_APPLIED_ANNOTATION],
      ['status'],
    ];
    this.fields = [...always, ...(this.isLive ? allocatedIn(manifest) : [])]
      .map((path) => ({ path, value: valueAt(manifest, path) }))
      .filter(({ value }) => value !== undefined);
  }

  /** The Service as its author wrote it; what the user changed since the manifest was read stays. */
  public withoutServerFields(service: Json): Json {
    return this.fields.reduce(
      (json, { path, value }) =>
        JSON.stringify(valueAt(json, path)) === JSON.stringify(value) ? without(json, path) : json,
      service,
    );
  }

  public get findings(): LoadBalancerFinding[] {
    const dropped = this.fields.filter(({ value }) => isThere(value)).map(({ path }) => path.join('.'));
    return dropped.length === 0 ? [] : [findingOf(EXPORTED_MANIFEST, { value: dropped.join(', ') }, 'kubernetes')];
  }
}

/** Fields that hold what the API server allocated, or its defaults: in an export, no author asked for them. */
function allocatedIn({ spec }: Json): ManifestPath[] {
  const isDefault = (field: string) => spec?.[field] === DEFAULTS[field];
  const isAffinityDefault = spec?.sessionAffinityConfig?.clientIP?.timeoutSeconds === DEFAULT_AFFINITY_SECONDS;
  return [
    ...(spec?.clusterIP === 'None' ? [] : [['spec', 'clusterIP'] as const, ['spec', 'clusterIPs'] as const]),
    ['spec', 'healthCheckNodePort'],
    ...list<Json>(spec?.ports).map((_, i) => ['spec', 'ports', i, 'nodePort'] as const),
    ...Object.keys(DEFAULTS)
      .filter(isDefault)
      .map((field) => ['spec', field]),
    ...(isAffinityDefault ? [['spec', 'sessionAffinityConfig'] as const] : []),
  ];
}

/** True if more is there than the empty values that `kubectl create --dry-run` writes. */
function isThere(value: unknown): boolean {
  const isEmpty = isMap(value) && Object.values(value).every((inner) => !isThere(inner));
  return value !== undefined && value !== null && !isEmpty;
}

function valueAt(json: Json, path: ManifestPath): unknown {
  return path.reduce<unknown>((at, key) => (typeof at === 'object' ? (at as Json | null)?.[key] : undefined), json);
}

function without(json: Json, [key, ...rest]: ManifestPath): Json {
  const copy: Json = Array.isArray(json) ? [...json] : { ...json };
  if (rest.length === 0) {
    delete copy[key];
  } else {
    copy[key] = without(copy[key], rest);
  }
  return copy;
}
