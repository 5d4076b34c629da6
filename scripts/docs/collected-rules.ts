import { join } from 'node:path';
import type { DescribedRule } from '../../src/contract/rule';
import { vendorKinds } from '../../src/controllers/vendors/vendor-kinds';
import type { Transition } from '../../src/lifecycle/machine';
import { filesIn, ROOT } from './files';

/** A rule, and the module that exports it: below `src`, without its ending, and by which name. */
export interface PlacedRule {
  readonly rule: DescribedRule;
  readonly path: string;
  readonly name: string;
}

/** Every rule that a module of `src` exports: by itself, in a list, in a record, or in a set of rules. */
export function collectedRules(): PlacedRule[] {
  const placed = new Map<DescribedRule, PlacedRule>();
  for (const file of filesIn('src', '.ts').filter((each) => !/index\.ts$/.test(each))) {
    const path = file.slice('src/'.length, -'.ts'.length);
    for (const [name, value] of Object.entries(require(join(ROOT, file)) as object)) {
      for (const rule of rulesIn(value, 3).filter((each) => !placed.has(each))) {
        placed.set(rule, { rule, path, name });
      }
    }
  }
  // those in descriptors of vendors are too deep to be found
  for (const rule of vendorKinds().flatMap(({ reports = [] }) => reports)) {
    placed.set(rule, placed.get(rule) ?? { rule, path: 'controllers/vendors/vendor-kinds', name: 'reports' });
  }
  return [...placed.values()];
}

function rulesIn(value: unknown, depth: number): DescribedRule[] {
  if (typeof value !== 'object' || value === null || depth === 0) {
    return [];
  }
  if (isRule(value)) {
    return [value];
  }
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  const parts = Array.isArray(value) || isPlain ? Object.values(value) : [(value as { rules?: unknown }).rules];
  return parts.flatMap((part) => rulesIn(part, depth - 1));
}

function isRule(value: object): value is DescribedRule {
  const { id, says, actor } = value as Partial<DescribedRule & Transition>;
  // a step of the model of a load balancer has an id and a sentence as well
  return typeof id === 'string' && typeof says === 'string' && actor === undefined;
}
