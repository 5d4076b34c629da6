import type { DescribedRule } from '../contract/rule';

/** What the command `list` tells of Services beside the rules. */
export const LIST_FINDINGS: readonly DescribedRule[] = [
  { id: 'unclaimed', severity: 'error', says: 'some controller that runs here makes the balancer of a Service' },
  { id: 'contested', severity: 'error', says: 'no more than one controller takes a Service' },
];
