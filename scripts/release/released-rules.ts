import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DescribedRule, FIRST_RELEASE } from '../../src/contract/rule';
import { collectedRules } from '../docs/collected-rules';
import { ROOT } from '../docs/files';

/** Rules of the last release, each with the release that added it, such as `class-invalid 0.1.0`; there is none before the first. */
const RELEASED_RULES = join(ROOT, 'releases/rules.txt');

export type DatedRule = Pick<DescribedRule, 'id' | 'addedIn'>;

export function rulesOfLastRelease(): string[] {
  return existsSync(RELEASED_RULES) ? readFileSync(RELEASED_RULES, 'utf8').trim().split('\n') : [];
}

export function saveRules(): void {
  writeFileSync(
    RELEASED_RULES,
    `${[...new Set(collectedRules().map(({ rule }) => lineOf(rule)))].sort().join('\n')}\n`,
  );
}

/** Rules whose `addedIn` is neither that of the last release, nor the next one if they are new. */
export function wronglyDatedRules(rules: readonly DatedRule[], released: readonly string[], next: string): string[] {
  const known = new Map(released.map((line) => line.split(' ') as [string, string]));
  return rules
    .filter((rule) => lineOf(rule) !== `${rule.id} ${known.get(rule.id) ?? next}`)
    .map((rule) => `${lineOf(rule)}: write addedIn: ${known.get(rule.id) ?? next}`);
}

const lineOf = ({ id, addedIn = FIRST_RELEASE }: DatedRule) => `${id} ${addedIn}`;
