import type { DescribedRule } from '../contract/rule-of';

/** What is told of all objects of an app. */
export const APP_FINDINGS: readonly DescribedRule[] = [
  {
    id: 'name-twice',
    severity: 'error',
    says: 'no two constructs of an app write an object of one kind, namespace and name into one chart',
  },
];
