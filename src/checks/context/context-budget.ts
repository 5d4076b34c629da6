import { isMap, type Json } from '../../contract/json';
import type { YamlPath } from '../../contract/yaml-source';
import type { ContextField, WrittenBudget } from './check-context';
import { BUDGET_FIELDS } from './context-fields.facts';
import { called, kindOf, type Mistakes } from './context-mistakes';

const LIMITS = ['maxMonthlyCost', 'maxQuotaPercent'];

/** Reads what the balancers of the set may cost and use. */
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
