import { DESCRIBED_RULES } from '../../rules/described-rules.facts';
import { type ExplainedRule, type Explanation, known, PAGES } from './explanation';

/** A rule as the reference has it. */
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

/** Rules that fit, each id once. */
export function rulesWhere(fits: (rule: DescribedRuleRow) => boolean): ExplainedRule[] {
  const found = new Map<string, ExplainedRule>();
  for (const rule of describedRules()) {
    if (!found.has(rule.id) && fits(rule)) {
      found.set(rule.id, { id: rule.id, severity: rule.severity, says: rule.says });
    }
  }
  return [...found.values()];
}

const REMEDIES: Readonly<Record<string, string>> = {
  error: 'do what the finding says: an error stops a synth, and fails a check',
  warning: 'do what the finding says; or acknowledge the warning by this id where it is meant',
  note: 'read what the finding says: a note makes nothing fail',
};

/** What is known of a rule; nothing where no rule has the id. */
export function explainRule(id: string): Explanation | undefined {
  const same = describedRules().filter((rule) => rule.id === id);
  if (same.length === 0) {
    return undefined;
  }
  const [first] = same;
  const isWarning = first.severity === 'warning';
  return {
    kind: 'rule',
    word: id,
    says: first.says,
    parts: same.map(({ section, severity, says, source, reads }) => ({
      who: section,
      facts: known({
        severity,
        'what must hold': says === first.says ? undefined : says,
        reads: reads.join(', '),
      }),
      source: source === 'ours' ? 'a rule of this library' : source,
    })),
    rules: [],
    todo: [REMEDIES[first.severity] ?? REMEDIES.error],
    readOn: [`${PAGES.rules}#${id}`, ...(isWarning ? [PAGES.warnings] : [])],
  };
}
