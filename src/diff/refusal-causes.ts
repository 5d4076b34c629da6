import { DEFAULT_KUBERNETES } from '../contract/default-kubernetes';
import { isSet, type Json, mapIn } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import { KubernetesVersion } from '../contract/kubernetes-version';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { stepsOf } from '../contract/schema/walk';
import { KUBERNETES } from '../rules/kubernetes-upgrades.facts';
import { RuleSet } from '../rules/rule-set';
import { isLocal } from '../rules/service-json';
import { UNOWNED_RULES } from '../rules/service-rule-set';
import type { Cause } from './balancer-change';
import { withEffects } from './findings-on-side';
import { causeOf, fieldAt } from './said';
import type { Side, SideBalancer } from './side';

/** What the API server refuses in the newer Service and has taken in the older one. */
export function refusalCauses(before: SideBalancer, after: SideBalancer, side: Side): Cause[] {
  const found = refusedIn(after, side);
  if (found.length === 0) {
    return [];
  }
  if (hasLeftPort(before, after)) {
    const { service, written } = after;
    const [read, object] = [service, written.object].map(withoutLeftPort);
    return refusalCauses(before, { ...after, service: read, written: { ...written, object } }, side);
  }
  const old = refusedIn(before, side);
  return found
    .filter(({ ruleId, what }) => !old.some((one) => one.ruleId === ruleId && one.what === what))
    .map(({ ruleId, what, remedy, at }) => {
      const why = `the API server refuses it, and the live Service stays as it is: ${what}`;
      return refusal({ ruleId, remedy, at }, why);
    });
}

/**
 * Whether the port for health checks is left where nothing needs it any more: the API server drops it.
 * kubernetes/kubernetes v1.36.3, pkg/registry/core/service/strategy.go
 */
function hasLeftPort({ service: old }: SideBalancer, { service: now }: SideBalancer): boolean {
  const [had, has] = [old, now].map(({ spec }) => spec?.healthCheckNodePort);
  return isLocal(old) && !isLocal(now) && isSet(has) && had === has;
}

function withoutLeftPort(service: Json): Json {
  const { healthCheckNodePort: _, ...spec } = mapIn(service, 'spec');
  return { ...service, spec };
}

/** A cause of what a rule of the API server finds, where that is or where the rule looks. */
export function refusal(
  { ruleId, remedy, at }: Pick<LoadBalancerFinding, 'ruleId' | 'remedy' | 'at'>,
  why: string,
): Cause {
  const rules = RuleSet.withId(ruleId);
  const [on = 'spec'] = rules.flatMap((rule) => rule.on ?? []);
  const path = at === undefined ? on.split('.') : stepsOf(at);
  return causeOf({ field: fieldAt(path), path }, { outcome: 'refused', why, remedy, source: sourceOf(rules) });
}

function refusedIn(balancer: SideBalancer, side: Side): LoadBalancerFinding[] {
  return refusedOf(objectOf(balancer), side);
}

/** The Service as it is written, where it is. */
export function objectOf({ service, written }: SideBalancer): Json {
  return written.madeOf ? service : written.object;
}

/** What the API server of a side refuses in a Service. */
export function refusedOf(object: Json, { versions = {} }: Side): LoadBalancerFinding[] {
  const version = versions[KUBERNETES];
  const kubernetes = version === undefined ? DEFAULT_KUBERNETES : KubernetesVersion.of(version);
  const { errors } = UNOWNED_RULES.judge(object, { kubernetes }, 'kubernetes');
  return withEffects(errors, object).filter(({ who, effect }) => who === 'kubernetes' && effect === 'refused');
}

export function sourceOf(rules: ReturnType<typeof RuleSet.withId>): Citation | undefined {
  const sources = rules.map(({ source }) => source);
  return sources.find((source): source is Citation => source !== undefined && source !== 'ours');
}
