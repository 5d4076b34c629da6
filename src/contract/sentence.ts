import type { LoadBalancerFinding } from './load-balancer-finding';
import { printable } from './printable';

/** The one sentence in which a finding is reported. */
export function sentenceOf(finding: LoadBalancerFinding): string {
  return `${finding.who}: ${printable(finding.what)}; ${printable(finding.remedy)} (${finding.ruleId})`;
}
