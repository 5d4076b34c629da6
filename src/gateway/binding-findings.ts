import type { DescribedRule } from '../contract/rule';

/** What is told of the props of a TargetGroupBinding before there is an object to judge. */
export const BINDING_FINDINGS: readonly DescribedRule[] = [
  { id: 'binding-port', severity: 'error', says: 'a TargetGroupBinding says the port of its Service in one way' },
];
