import type { DescribedRule } from '../contract/rule';
import { TOKEN_ENCODING } from '../contract/unresolved-token.facts';

// Rules for all objects of an app.

export const NAME_TWICE: DescribedRule = {
  id: 'name-twice',
  severity: 'error',
  says: 'no two constructs of an app write an object of one kind, namespace and name into one chart or one file',
  source: 'ours',
};

export const FILE_TWICE: DescribedRule = {
  id: 'file-twice',
  severity: 'error',
  says: 'no object and no chart is written to the file of another, as cdk8s names them for the output type of the app',
  source: 'ours',
};

export const UNRESOLVED_TOKEN: DescribedRule = {
  id: 'unresolved-token',
  severity: 'error',
  says: 'what is known only when a stack is deployed is not written to a file',
  source: TOKEN_ENCODING,
};

export const UNKNOWN_PROP: DescribedRule = {
  id: 'unknown-prop',
  severity: 'warning',
  says: 'every key in the props of a construct is one that it reads',
  source: 'ours',
};

export const ACKNOWLEDGED_RULE_UNKNOWN: DescribedRule = {
  id: 'acknowledged-rule-unknown',
  severity: 'warning',
  says: 'what is acknowledged is a rule',
  source: 'ours',
};

export const CLAIMED_TWICE: DescribedRule = {
  id: 'claimed-twice',
  severity: 'error',
  says: 'what one Service has for itself is claimed by no other one of its chart: an Elastic IP, the name of a balancer, a port of an address, a node port, a name in DNS',
  source: 'ours',
};

export const CLAIMED_TWICE_IN_APP: DescribedRule = {
  id: 'claimed-twice-in-app',
  severity: 'warning',
  says: 'what one Service has for itself is claimed by no Service of another chart, which may be for another cluster, and by none whose owner is a guess',
  source: 'ours',
};
