import { DESCRIBED_RULES } from '../../rules/described-rules.facts';
import { check } from '../check';
import type { CheckFinding, CheckReport } from '../check-report';
import { NO_CONTEXT } from '../context/check-context';
import { CONTEXT_FILE, readContext } from '../context/context-file';
import type { Files } from '../files';
import { readManifests } from '../manifests';
import { type ExplainedRule, type Explanation, known, PAGES, type RuleExample } from './explanation';

export interface DescribedRuleRow extends ExplainedRule {
  /** What it is about: the section of the reference. */
  readonly section: string;
  /** Where it was read, or that it is one of this library. */
  readonly source: string;
  /** The annotations that it reads, with words in braces where a key has parameters. */
  readonly reads: readonly string[];
}

let rows: readonly DescribedRuleRow[] | undefined;

/** Every rule of this package; one that several sections have is there for each. */
export function describedRules(): readonly DescribedRuleRow[] {
  rows ??= readRows();
  return rows;
}

function readRows(): DescribedRuleRow[] {
  let section = '';
  return DESCRIBED_RULES.trim()
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# ')) {
        section = line.slice(2);
        return [];
      }
      const [id, severity, says, source, reads = ''] = line.replace(/ \|$/, '').split(' | ');
      return [{ id, severity, says, source, section, reads: reads === '' ? [] : reads.split(' ') }];
    });
}

export function rulesWhere(fits: (rule: DescribedRuleRow) => boolean): ExplainedRule[] {
  const found = new Map<string, ExplainedRule>();
  for (const rule of describedRules()) {
    if (!found.has(rule.id) && fits(rule)) {
      found.set(rule.id, { id: rule.id, severity: rule.severity, says: rule.says });
    }
  }
  return [...found.values()];
}

export function explainRule(id: string): Explanation | undefined {
  const same = describedRules().filter((rule) => rule.id === id);
  if (same.length === 0) {
    return undefined;
  }
  const [first] = same;
  return {
    kind: 'rule',
    word: id,
    says: first.says,
    parts: same.map(({ section, severity, says, source, reads }) => ({
      who: section,
      facts: known({ severity, title: says === first.says ? undefined : says, reads: reads.join(', ') }),
      source: source === 'ours' ? 'a rule of this library' : source,
    })),
    rules: [],
    todo: first.severity === 'warning' ? ['acknowledge the warning by this id if it is intended'] : [],
    examples: examplesOf(id).map((example) => {
      const [found] = findingsIn(example);
      return { ...example, what: found.what, remedy: found.remedy, line: found.place.line };
    }),
    readOn: [`${PAGES.rules}#${id}`, ...(first.severity === 'warning' ? [PAGES.warnings] : [])],
  };
}

/** The examples of a rule, which several controllers may have. */
export function examplesOf(id: string): RuleExample[] {
  const start = `{"rule":"${id}",`;
  // many, and few ask for them
  const { RULE_EXAMPLES } = require('./rule-examples.facts') as typeof import('./rule-examples.facts');
  return RULE_EXAMPLES.split('\n')
    .filter((line) => line.startsWith(start))
    .map((line) => JSON.parse(line) as RuleExample);
}

export function findingsIn({ rule, bad, context }: RuleExample): CheckFinding[] {
  return checkExample(bad, context).findings.filter(({ ruleId }) => ruleId === rule);
}

/** Checks the manifests of an example. @throws if its context file has a mistake */
export function checkExample(manifests: string, context?: string): CheckReport {
  const { context: known = NO_CONTEXT, mistakes } = readContext(CONTEXT_FILE, context ?? '');
  if (mistakes.length > 0) {
    throw new Error(mistakes.map(({ what, remedy }) => `${what}; ${remedy}`).join('\n'));
  }
  const files: Files = {
    kindOf: () => undefined,
    below: () => [],
    read: () => Buffer.from(manifests),
    onDisk: (path) => path,
  };
  return check(readManifests(['example.yaml'], files), known);
}
