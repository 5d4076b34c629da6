import type { DescribedRule } from '../contract/rule';
import { TOKEN_ENCODING } from '../contract/unresolved-token.facts';

/** What is reported of all objects of an app. */
export const APP_FINDINGS: readonly DescribedRule[] = [
  {
    id: 'name-twice',
    severity: 'error',
    says: 'no two constructs of an app write an object of one kind, namespace and name into one chart or one file',
  },
  {
    id: 'file-twice',
    severity: 'error',
    says: 'no object and no chart is written to the file of another, as cdk8s names them for the output type of the app',
  },
  {
    id: 'unresolved-token',
    severity: 'error',
    says: 'what is known only when a stack is deployed is not written to a file',
    source: TOKEN_ENCODING,
  },
  {
    id: 'wrong-prop',
    severity: 'error',
    says: 'props and options are of the types that they are declared with, those without a default are given, and no key is misspelt',
  },
  { id: 'unknown-prop', severity: 'warning', says: 'every key in the props of a construct is one that it reads' },
  { id: 'acknowledged-rule-unknown', severity: 'warning', says: 'what is acknowledged is a rule' },
  {
    id: 'claimed-twice',
    severity: 'error',
    says: 'what one Service has for itself is claimed by no other one of its chart: an Elastic IP, the name of a balancer, a port of an address, a node port, a name in DNS',
  },
  {
    id: 'claimed-twice-in-app',
    severity: 'warning',
    says: 'nor by one of another chart, which may be for another cluster, or of an owner that is a guess',
  },
];
