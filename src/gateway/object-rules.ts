import type { Finding } from '../contract/finding';
import { dnsNameFault } from '../contract/kubernetes-syntax';
import type { Rule } from '../rules/rule';
import type { ObjectContext } from '../rules/rule-context';
import { gatewayApi } from './gateway-rule';

// What rules of several kinds have in common.

/** A rule about the name of an object. */
export function nameRule(id: string, says: string): Rule<ObjectContext> {
  return {
    id,
    severity: 'error',
    says,
    source: gatewayApi('shared_types.go'),
    judge: ({ metadata }) => {
      const name: unknown = metadata?.name;
      const isName = typeof name === 'string' && !name.includes('*') && dnsNameFault(name) === undefined;
      return isName
        ? []
        : [{ what: `'${name}' is no name of an object`, remedy: 'use lower-case letters, digits, dashes and dots' }];
    },
  };
}

/** The values that are listed more than once. */
export function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, place) => values.indexOf(value) !== place))];
}

/** What is reported where there are more than the API takes. */
export function tooMany(what: string, entries: readonly unknown[], limit: number): Finding[] {
  return entries.length > limit
    ? [{ what: `there are ${entries.length} ${what}, more than ${limit}`, remedy: 'leave some out' }]
    : [];
}
