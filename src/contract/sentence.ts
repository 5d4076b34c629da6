import type { LoadBalancerFinding } from './load-balancer-finding';

/** The one sentence in which a finding is told. */
export function sentenceOf(finding: LoadBalancerFinding): string {
  return `${finding.who}: ${finding.what}; ${finding.wayOut} (${finding.ruleId})`;
}
