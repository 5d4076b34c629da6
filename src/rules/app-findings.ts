import type { DescribedRule } from '../contract/rule-of';
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
];
