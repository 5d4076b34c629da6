import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { Judgement } from '../rules/judgement';

/** The first `${NAME}` in a text: kustomize build leaves it in place, and Flux fills it in. */
export function variableIn(text: string): string | undefined {
  return /\$\{[^}]*\}/.exec(text)?.[0];
}

function variableOf({ value, what }: LoadBalancerFinding): string | undefined {
  return variableIn(value ?? what);
}

export function hasKnownValue(finding: LoadBalancerFinding): boolean {
  return variableOf(finding) === undefined;
}

/** Turns findings about a variable into unknown answers. */
export function withoutVariables(judgement: Judgement): Judgement {
  const { errors, warnings, unknown, claims } = judgement;
  const open = [...errors, ...warnings].flatMap((finding) => {
    const variable = variableOf(finding);
    return variable === undefined ? [] : [{ ruleId: finding.ruleId, needs: [`the value of ${variable}`] }];
  });
  return open.length === 0
    ? judgement
    : new Judgement(errors.filter(hasKnownValue), warnings.filter(hasKnownValue), [...unknown, ...open], claims);
}
