import type { Finding } from '../contract/finding';
import { isMap, isSet } from '../contract/json';
import { dnsNameFault } from '../contract/kubernetes-syntax';
import { shown } from '../contract/printable';
import type { Misfit } from '../contract/schema/walk';
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
      if (!isSet(name) && isSet(metadata?.generateName)) {
        return [];
      }
      const isName = typeof name === 'string' && !name.includes('*') && dnsNameFault(name) === undefined;
      return isName
        ? []
        : [
            {
              what: isSet(name) ? `${shown(name)} is not a valid object name` : 'it has no name',
              remedy: 'use lower-case letters, digits, dashes and dots',
              at: '/metadata/name',
            },
          ];
    },
  };
}

/** The values that are listed more than once. */
export function repeated<T>(values: readonly T[]): T[] {
  return [...new Set(values.filter((value, place) => values.indexOf(value) !== place))];
}

/**
 * What is reported of a list or map that has too many entries or none; nothing where something else does not fit.
 *
 * @param what what the entries are
 * @param limit how many there may be
 * @param none what is reported where there are none
 */
export function countFinding(
  value: unknown,
  { at, name }: Misfit,
  what: string,
  limit: number,
  none?: Finding,
): Finding | undefined {
  if (!at.endsWith(`/${name}`)) {
    return undefined;
  }
  const count = Array.isArray(value) || isMap(value) ? Object.keys(value).length : 0;
  if (count > limit) {
    return { what: `there are ${count} ${what}, more than ${limit}`, remedy: 'leave some out' };
  }
  return !isSet(value) || (Array.isArray(value) && count === 0) ? none : undefined;
}
