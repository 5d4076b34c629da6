import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { Judgement } from '../rules/judgement';

/** What a tool fills in before the object is applied: `${NAME}`, `$(NAME)`, `$NAME`, and a template of another kind. */
const VARIABLE = /\$\{[^}]*\}|\$\([A-Za-z_]\w*\)|(?<![\w$])\$[A-Z_][A-Z0-9_]*|\{\{.*?\}\}/;

/** The first variable in a text; nothing where it has none. */
export function variableOf(text: string): string | undefined {
  return VARIABLE.exec(text)?.[0];
}

/** Whether the offending value is in the file, and not filled in later. */
export function hasKnownValue(finding: LoadBalancerFinding): boolean {
  return variableIn(finding) === undefined;
}

/** The variable that a finding is about: its value, or where it names none, what its sentence quotes. */
function variableIn({ value, what }: LoadBalancerFinding): string | undefined {
  return variableOf(value ?? what.replace(TITLE, ''));
}

const TITLE = /^listener '[^']*':? /;

/** What was found without what is about a variable: those rules have no answer before it is filled in. */
export function withoutVariables(judgement: Judgement): Judgement {
  const found = [...judgement.errors, ...judgement.warnings];
  if (found.every(hasKnownValue)) {
    return judgement;
  }
  const open = found.flatMap((finding) => {
    const variable = variableIn(finding);
    return variable === undefined ? [] : [{ ruleId: finding.ruleId, needs: [`the value of ${variable}`] }];
  });
  return new Judgement(
    judgement.errors.filter(hasKnownValue),
    judgement.warnings.filter(hasKnownValue),
    [...judgement.unknown, ...open],
    judgement.claims,
  );
}
