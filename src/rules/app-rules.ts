import type { DescribedRule } from '../contract/rule';
import { TOKEN_ENCODING } from '../contract/unresolved-token.facts';

export const NAME_TWICE: DescribedRule = {
  id: 'name-twice',
  severity: 'error',
  says: 'two objects of one kind, namespace and name',
  source: 'ours',
};

export const FILE_TWICE: DescribedRule = {
  id: 'file-twice',
  severity: 'error',
  says: 'two charts or objects are written to one file',
  source: 'ours',
};

export const UNRESOLVED_TOKEN: DescribedRule = {
  id: 'unresolved-token',
  severity: 'error',
  says: 'value that is only known when a stack is deployed',
  source: TOKEN_ENCODING,
};

export const UNKNOWN_PROP: DescribedRule = {
  id: 'unknown-prop',
  severity: 'warning',
  says: 'unknown prop',
  source: 'ours',
};

export const ACKNOWLEDGED_RULE_UNKNOWN: DescribedRule = {
  id: 'acknowledged-rule-unknown',
  severity: 'warning',
  says: 'unknown rule id in acknowledge()',
  source: 'ours',
};

export const CLAIMED_TWICE: DescribedRule = {
  id: 'claimed-twice',
  severity: 'error',
  says: 'two Services claim what one of them can have',
  source: 'ours',
};

export const CLAIMED_TWICE_IN_APP: DescribedRule = {
  id: 'claimed-twice-in-app',
  severity: 'warning',
  says: 'Services of two charts, or of guessed owners, claim what one of them can have',
  source: 'ours',
};
