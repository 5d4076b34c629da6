import type { LoadBalancerFinding } from './load-balancer-finding';
import { printable } from './printable';

export function sentenceOf(finding: LoadBalancerFinding): string {
  return `${finding.who}: ${printable(finding.what)}; ${printable(finding.remedy)} (${finding.ruleId})`;
}
