import { DEFAULT_KUBERNETES } from '../contract/default-kubernetes';
import { isMap, type Json, mapOf, pointedAt } from '../contract/json';
import { gapIn } from '../contract/kubernetes-syntax';
import type { KubernetesVersion } from '../contract/kubernetes-version';
import type { LoadBalancerFinding } from '../contract/options';
import { LoadBalancerOwner } from '../controllers/load-balancer-owner';
import { OwnershipState } from '../controllers/options';
import { type ControllerDefinition, definitionOf } from '../rules/controller-definition';
import { likelyClaimants } from '../rules/known-kinds';
import { possibleKinds } from '../rules/manifest-rules';
import type { IndexedObject } from '../rules/objects';
import type { RuleContext } from '../rules/rule';
import { CheckResult, changed, RuleSet } from '../rules/rule-set';
import { typedService } from '../rules/service-fields';
import { serviceRulesOf, UNOWNED_RULES } from '../rules/service-rule-set';
import { contextOfPods, ENDPOINT_RULES } from '../rules/workload-rules';
import type { CheckContext } from './context/check-context';

/** True if an object was read from a cluster: the API server has seen it. */
export function isLive(object: Json): boolean {
  const { uid, resourceVersion } = mapOf(object.metadata);
  return uid !== undefined || resourceVersion !== undefined || isMap(object.status);
}

export interface ServiceContext extends RuleContext {
  readonly among: IndexedObject;
  readonly owner: LoadBalancerOwner;
}

export function kindOf({ owner }: Pick<ServiceContext, 'owner'>): ControllerDefinition | undefined {
  return owner.controller && definitionOf(owner.controller);
}

export function likelyKinds(service: Json, { owner }: Pick<ServiceContext, 'owner'>): readonly ControllerDefinition[] {
  return possibleKinds(service, { kind: kindOf({ owner }), controller: owner.controller });
}

/** The gap in the value that a finding is about, or if it names none, in the field at its place. */
function gapOf({ ruleId, value, at }: LoadBalancerFinding, object: Json): string | undefined {
  const field: unknown = at === '' ? undefined : pointedAt(object, at);
  const text = value ?? (typeof field === 'string' ? field : (JSON.stringify(field) ?? ''));
  const quoted = [...text.matchAll(/['"]([^'"]+)['"]/g)].map(([, inner]) => inner);
  return ruleId === 'annotation-value-placeholder'
    ? undefined
    : [...quoted, text].flatMap((one) => gapIn(one) ?? [])[0];
}

export function hasKnownValue(finding: LoadBalancerFinding, object: Json): boolean {
  return gapOf(finding, object) === undefined;
}

export function lowerToWarnings(result: CheckResult, isLow: (finding: LoadBalancerFinding) => boolean): CheckResult {
  const { errors, warnings, unknown, claims } = result;
  const wrong = errors.filter((finding) => !isLow(finding));
  return new CheckResult(wrong, [...warnings, ...errors.filter(isLow)], unknown, claims);
}

export function withoutGaps(result: CheckResult, object: Json): CheckResult {
  const open = [...result.errors, ...result.warnings].flatMap((finding) => {
    const gap = gapOf(finding, object);
    return gap === undefined ? [] : [{ ruleId: finding.ruleId, needs: [`the value of ${gap}`] }];
  });
  return open.length === 0
    ? result
    : changed(result, (finding) => (hasKnownValue(finding, object) ? finding : undefined)).and(
        new CheckResult([], [], open),
      );
}

/**
 * Findings of every controller that might own a Service whose owner is not known, by the annotations that it reads: that
 * is true whoever of them it is, and nothing else is.
 */
export function commonFindings(
  entry: IndexedObject,
  owned: OwnedService,
  behind: readonly Json[],
): readonly LoadBalancerFinding[] {
  const [first, ...others] = likelyClaimants(owned.service).map(({ controller }) => {
    const owner = LoadBalancerOwner._told(OwnershipState.OWNED, 'it reads the annotations', [], controller);
    const { errors, warnings } = checkService(owned.service, serviceContext(entry, { ...owned, owner, behind }));
    return [...errors, ...warnings];
  });
  return (first ?? []).filter((finding) =>
    others.every((found) => found.some(({ ruleId, value, at }) => isSame(finding, { ruleId, value, at }))),
  );
}

export function isSame(one: LoadBalancerFinding, other: Pick<LoadBalancerFinding, 'ruleId' | 'value' | 'at'>): boolean {
  return one.ruleId === other.ruleId && one.value === other.value && one.at === other.at;
}

const ENDPOINTS = new RuleSet(ENDPOINT_RULES);

export type OwnedService = ReturnType<typeof ownedService>;

interface ServiceKnown extends OwnedService, Pick<RuleContext, 'controllers' | 'region' | 'nodePools'> {
  readonly behind: readonly Json[];
  readonly kubernetes?: KubernetesVersion;
}

export function serviceContext(
  among: IndexedObject,
  { service: _, wrong, behind, kubernetes = DEFAULT_KUBERNETES, ...known }: ServiceKnown,
): ServiceContext {
  const { controller } = known.owner;
  const kind = kindOf(known);
  return { ...known, ...contextOfPods(behind), kind, controller, kubernetes, wrongFields: wrong, among };
}

export function checkService(service: Json, context: ServiceContext): CheckResult {
  const { kind, owner } = context;
  const ruleSet = kind ? serviceRulesOf(kind) : UNOWNED_RULES;
  const result = ruleSet.check(service, context, kind?.name ?? owner.state);
  return result.and(ENDPOINTS.check(service, context, 'kubernetes'));
}

/** A Service of files: what of it is of the right type, what is not, and the owner of its balancer. */
export function ownedService(written: Json, context: Pick<CheckContext, 'controllers' | 'withPoolFor'>) {
  const { service, wrong } = typedService(written);
  return { service, wrong, owner: ownerIn(service, context) };
}

export function ownerIn(
  service: Json,
  { controllers, withPoolFor }: Pick<CheckContext, 'controllers' | 'withPoolFor'>,
): LoadBalancerOwner {
  return controllers && withPoolFor
    ? LoadBalancerOwner._amongPools(service, [...controllers], withPoolFor)
    : LoadBalancerOwner.of(service, controllers && [...controllers]);
}
