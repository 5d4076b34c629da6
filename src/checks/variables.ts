import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { placeholderIn } from '../contract/placeholder';
import { Judgement } from '../rules/judgement';

/** What a tool fills in before the object is applied: `${NAME}`, `$(NAME)`, `$NAME`, and a template of another kind. */
const VARIABLE = /\$\{[^}]*\}|\$\([A-Za-z_]\w*\)|(?<![\w$])\$[A-Z_][A-Z0-9_]*|\{\{.*?\}\}/;

/** The first variable in a text; nothing where it has none. */
export function variableOf(text: string): string | undefined {
  return VARIABLE.exec(text)?.[0];
}

/** What is filled in later in a text: a variable for a tool, or a placeholder for a person. */
export function gapIn(text: string): string | undefined {
  return variableOf(text) ?? placeholderIn(text);
}

/** Whether the offending value is in the file, and not filled in later. */
export function hasKnownValue(finding: LoadBalancerFinding): boolean {
  return gapOf(finding) === undefined;
}

/** What is filled in later of the value that a finding is about, or if it names none, of what its sentence quotes. */
function gapOf({ ruleId, value, what }: LoadBalancerFinding): string | undefined {
  const text = value ?? what.replace(TITLE, '');
  const quoted = [...text.matchAll(/'([^']+)'/g)].map(([, inner]) => inner);
  return ruleId === PLACEHOLDER_RULE ? undefined : [...quoted, text].flatMap((one) => gapIn(one) ?? [])[0];
}

export const PLACEHOLDER_RULE = 'annotation-placeholder';

const TITLE = /^listener '[^']*':? /;

/** What was found without what is about a gap: those rules have no answer before it is filled in. */
export function withoutGaps(judgement: Judgement): Judgement {
  const found = [...judgement.errors, ...judgement.warnings];
  if (found.every(hasKnownValue)) {
    return judgement;
  }
  const open = found.flatMap((finding) => {
    const gap = gapOf(finding);
    return gap === undefined ? [] : [{ ruleId: finding.ruleId, needs: [`the value of ${gap}`] }];
  });
  return new Judgement(
    judgement.errors.filter(hasKnownValue),
    judgement.warnings.filter(hasKnownValue),
    [...judgement.unknown, ...open],
    judgement.claims,
  );
}
