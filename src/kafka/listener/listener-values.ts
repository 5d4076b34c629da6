import { haveNamesOf, haveSameNames } from '../../contract/dns-names';
import { EXTERNAL_DNS_HOSTNAME_ANNOTATIONS } from '../../contract/kubernetes.facts';
import { inKeyOrder } from '../../contract/same-value';
import { IP_FAMILY_POLICIES } from './listener-plan';

// When what is in a listener is what is planned for it.

/** Annotations or labels. */
export type Texts = Readonly<Record<string, string>>;

/** Fields whose lists mean the same in any order; the one that is there stays. */
const UNORDERED: readonly string[] = ['loadBalancerSourceRanges'];

/** Whether what is in a field of a manifest says what is planned: a Service may have more names than the planned one. */
export function matchesPlan(field: string, present: unknown, planned: unknown): boolean {
  return meansTheSame(field, present, planned) || areNames(field, present, planned, haveNamesOf);
}

/** Whether what is in a field is another way to say what is planned. */
export function meansTheSame(field: string, present: unknown, planned: unknown): boolean {
  const isOpen = present === IP_FAMILY_POLICIES.preferDual && planned === IP_FAMILY_POLICIES.dual;
  return (
    isOpen ||
    (UNORDERED.includes(field) && same(inOrder(present), inOrder(planned))) ||
    areNames(field, present, planned, haveSameNames)
  );
}

function areNames(
  field: string,
  present: unknown,
  planned: unknown,
  match: (one: string, other: string) => boolean,
): boolean {
  return (
    EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.includes(field) && isText(present) && isText(planned) && match(present, planned)
  );
}

/** A list that can be compared with another whose order means nothing; another value stays. */
function inOrder(value: unknown): unknown {
  return Array.isArray(value) ? [...new Set(value)].sort() : value;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Whether two values mean the same in a manifest, in whatever order their keys are. */
export function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(inKeyOrder(one)) === JSON.stringify(inKeyOrder(other));
}

export function sameTexts(one: Texts, other: Texts): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
