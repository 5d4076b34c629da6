import { isMap, type Json } from '../../contract/json';
import type { YamlPath } from '../../contract/kubernetes-yaml';
import { NodeTaint } from '../../contract/node-pool';
import { TaintEffect } from '../../contract/options';
import { isRule, ruleLike } from '../../rules/rule-set';
import type { AcceptedFinding, AcceptedLoss, CheckContext, ContextField, WrittenBudget } from './check-context';
import { ACCEPTED_FIELDS, BUDGET_FIELDS, TAINT_SYNTAX } from './context-fields.facts';
import { brief, called, kindOf, type Mistakes } from './context-mistakes';

const TAINTS: Readonly<Record<string, (key: string, value?: string) => NodeTaint>> = {
  [TaintEffect.NO_SCHEDULE]: NodeTaint.noSchedule,
  [TaintEffect.PREFER_NO_SCHEDULE]: NodeTaint.preferNoSchedule,
  [TaintEffect.NO_EXECUTE]: NodeTaint.noExecute,
};

/** A taint by its parts. @throws where Kubernetes would refuse it */
export function taintBy(effect: unknown, key: unknown, value?: unknown): NodeTaint {
  if (typeof effect !== 'string' || !Object.hasOwn(TAINTS, effect)) {
    throw new Error(`node taint: the effect is not one of Kubernetes; write ${Object.keys(TAINTS).join(' or ')}`);
  }
  return TAINTS[effect](String(key), typeof value === 'string' ? value : undefined);
}

/** A taint as kubectl writes it. @throws where Kubernetes would refuse it */
export function taintOf(text: string): NodeTaint {
  const [, key, value, effect] = TAINT_SYNTAX.exec(text) ?? [];
  return taintBy(effect, key, value);
}

export function acceptedIn(
  entries: unknown,
  mistakes: Mistakes,
  base: YamlPath = [],
): Required<Pick<CheckContext, 'accepted' | 'acceptedLosses'>> {
  const accepted: AcceptedFinding[] = [];
  const acceptedLosses: AcceptedLoss[] = [];
  (Array.isArray(entries) ? entries : []).forEach((entry, index) => {
    const path = [...base, 'accepted', index];
    if (!mistakes.check(entry, ACCEPTED_FIELDS, path) || !isOfOneKind(entry, path, mistakes)) {
      return;
    }
    const { rule, outcome, object, reason, until } = entry;
    if (rule !== undefined && !isRule(rule)) {
      const like = ruleLike(rule);
      mistakes.add(
        [...path, 'rule'],
        `rule ${brief(rule)} is unknown`,
        like ? `write ${like}` : 'write the id of a finding',
      );
    }
    if (until !== undefined && !isDay(until)) {
      mistakes.add(
        [...path, 'until'],
        `${called([...path, 'until'])} is '${until}', a day that no calendar has`,
        'write another one',
      );
    }
    const place = mistakes.placeOf(path);
    if (rule === undefined) {
      acceptedLosses.push({ outcome, object, reason, until, place });
    } else {
      accepted.push({ rule, object, reason, until, place });
    }
  });
  return { accepted, acceptedLosses };
}

/** A finding is named by its rule, everywhere or at an object; a loss by its outcome, at one object alone. */
function isOfOneKind({ rule, outcome, object }: Json, path: YamlPath, mistakes: Mistakes): boolean {
  if ((rule === undefined) === (outcome === undefined)) {
    const what = rule === undefined ? 'has neither rule nor outcome' : 'has both rule and outcome';
    mistakes.add(path, `${called(path)} ${what}`, 'write the rule of a finding, or the outcome of a change');
    return false;
  }
  if (outcome !== undefined && object === undefined) {
    mistakes.add(
      path,
      `${called(path)} accepts an outcome and names no object`,
      `write object: ${ACCEPTED_FIELDS.object.example}`,
    );
    return false;
  }
  return true;
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const LIMITS = ['maxMonthlyCost', 'maxQuotaPercent'];

export function budgetIn(written: unknown, mistakes: Mistakes, base: YamlPath = []): WrittenBudget | undefined {
  const path = [...base, 'budget'];
  if (!isMap(written) || !mistakes.check(written, BUDGET_FIELDS, path)) {
    return undefined;
  }
  const isRight = Object.entries(BUDGET_FIELDS)
    .filter(([key, { amounts }]) => amounts !== undefined && written[key] !== undefined)
    .map(([key, field]) => checkAmounts(written[key], field, [...path, key], mistakes));
  if (Object.keys(written).length === 0) {
    mistakes.add(path, 'budget has no limit', `write ${LIMITS.join(' or ')}`);
    return undefined;
  }
  const limits = LIMITS.filter((limit) => limit in written);
  return isRight.includes(false)
    ? undefined
    : {
        ...written,
        place: mistakes.placeOf(path),
        places: Object.fromEntries(limits.map((limit) => [limit, mistakes.placeOf([...path, limit])])),
      };
}

function checkAmounts(map: Json, { amounts, example }: ContextField, path: YamlPath, mistakes: Mistakes): boolean {
  const wrong = Object.entries(map).filter(
    ([key, value]) => !amounts?.test(key) || typeof value !== 'number' || !(value >= 0 && Number.isFinite(value)),
  );
  for (const [key, value] of wrong) {
    const place = called([...path, key]);
    if (amounts?.test(key)) {
      mistakes.add([...path, key], `${place} is ${kindOf(value)}, and not a number of 0 or more`, `write ${example}`);
    } else {
      mistakes.add([...path, key], `${place} is not a currency in three capitals`, `write ${example}`);
    }
  }
  return wrong.length === 0;
}
