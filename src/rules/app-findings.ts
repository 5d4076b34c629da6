import type { DescribedRule } from '../contract/rule-of';

/** What is told of all objects of an app. */
export const APP_FINDINGS: readonly DescribedRule[] = [
  {
    id: 'name-twice',
    severity: 'error',
    says: 'no two constructs of an app write an object of one kind, namespace and name into one chart',
  },
  {
    id: 'wrong-prop',
    severity: 'error',
    says: 'props and options are of the types that they are declared with, those without a default are given, and no key is misspelt',
  },
  { id: 'unknown-prop', severity: 'warning', says: 'every key in the props of a construct is one that it reads' },
  { id: 'acknowledged-rule-unknown', severity: 'warning', says: 'what is acknowledged is a rule' },
];
