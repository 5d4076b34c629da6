import type { DescribedRule } from '../contract/rule';

// Rules of the command `list` alone.

export const UNCLAIMED: DescribedRule = {
  id: 'unclaimed',
  severity: 'error',
  says: 'some controller that runs here makes the balancer of a Service',
  source: 'ours',
};

export const CONTESTED: DescribedRule = {
  id: 'contested',
  severity: 'error',
  says: 'no more than one controller takes a Service',
  source: 'ours',
};
