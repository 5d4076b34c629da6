import { type EditCase, type EditedValue, type EditFact, moreOf } from './edit';
import { isSet, type Json, mapIn, mapsIn } from './json';
import type { Outcome } from './outcome';
import { sameValue } from './same-value';

// Where an edit does less than the worst that it can do. A value that cannot be read gets no case: then the worst holds.

export function where(when: string, fact: EditFact, holds: EditCase['holds']): EditCase {
  return { outcome: fact.outcome, where: when, what: fact.what, ...moreOf(fact), holds };
}

const kept = (what: string) => ({ outcome: 'kept' as Outcome, what });

/** What holds without the field is written out, or no longer. */
export function absentIs(value: unknown): EditCase {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return where(`${text} is only written out or left out`, kept('it is the default'), ({ before, after }) =>
    sameValue(before ?? value, after ?? value),
  );
}

/** The same entries in another order, or one of them twice. */
export const IN_ANY_ORDER: EditCase = where(
  'only the order changes',
  kept('the order means nothing'),
  ({ before, after }) => bothLists(before, after) && lacks(after, before) === 0 && lacks(before, after) === 0,
);

export function onlyMore(what: string): EditCase {
  return where(
    'entries are only added',
    kept(what),
    ({ before, after }) => bothLists(before, after) && (before as unknown[]).length > 0 && lacks(after, before) === 0,
  );
}

/** Entries do not only go: others come in their place, or it is not known which there are on one side. */
export function othersCome(fact: EditFact): EditCase {
  return where('others come in their place', fact, ({ before, after }) => {
    return !bothLists(before, after) || lacks(before, after) > 0;
  });
}

export function takenOut(fact: EditFact): EditCase {
  return where('it is taken out', fact, ({ after }) => !isSet(after));
}

export function putIn(fact: EditFact): EditCase {
  return where('there was none', fact, ({ before }) => !isSet(before));
}

export function becomes(value: unknown, fact: EditFact): EditCase {
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  return where(`it becomes ${text}`, fact, ({ after }) => sameValue(after, value));
}

export function ofChange(when: string, fact: EditFact, holds: EditCase['holds']): EditCase {
  return { ...where(when, fact, holds), ofService: true };
}

export function ofServices(when: string, fact: EditFact, holds: (service: Json) => boolean): EditCase {
  return ofChange(when, fact, ({ objects }) => holds(objects.before) && holds(objects.after));
}

export function ofNewService(when: string, fact: EditFact, holds: (service: Json) => boolean): EditCase {
  return ofChange(when, fact, ({ objects }) => holds(objects.after));
}

export function protocolsOf(service: Json): readonly string[] {
  return [...new Set(mapsIn(mapIn(service, 'spec'), 'ports').map(({ protocol }) => String(protocol || 'TCP')))];
}

export function ofBarePort(fact: EditFact, also: (service: Json) => boolean = () => true): EditCase {
  return ofChange('node ports are not given out, and it has none', fact, ({ around, objects: { after } }) => {
    return mapIn(after, 'spec').allocateLoadBalancerNodePorts === false && !around.after.nodePort && also(after);
  });
}

/** The Service asks by the field for what it has or asks for already, in this way or another. */
export function askedAlready(what: string, had: (service: Json) => unknown, asked = had): EditCase {
  const holds = ({ objects }: EditedValue) => {
    const [old, now] = [had(objects.before), asked(objects.after)];
    return isSet(old) && sameValue(old, now);
  };
  return ofChange('the Service asks for the address that it has', kept(what), holds);
}

export function addressesOf(service: Json): string[] {
  const given = mapsIn(mapIn(mapIn(service, 'status'), 'loadBalancer'), 'ingress').flatMap(({ ip }) => ip ?? []);
  return given.map(String);
}

export function hasAlready(what: string, asked: (service: Json) => unknown): EditCase {
  const holds = ({ objects: { before, after } }: EditedValue) => addressesOf(before).includes(String(asked(after)));
  const fact: EditFact = { ...kept(what), staysAsMade: true };
  return ofChange('it is the address that it has', fact, holds);
}

export function ofClass(fact: EditFact): EditCase {
  return ofServices('the Service has a class', fact, (service) => isSet(mapIn(service, 'spec').loadBalancerClass));
}

function bothLists(before: unknown, after: unknown): boolean {
  return Array.isArray(before) && Array.isArray(after);
}

function lacks(list: unknown, of: unknown): number {
  const entries = list as unknown[];
  return (of as unknown[]).filter((entry) => !entries.some((one) => sameValue(one, entry))).length;
}
