import { Duration } from 'cdk8s';
import * as fc from 'fast-check';
import type { AnyAnnotation } from '../../src/contract/annotation-catalogue';
import { type ControllerCases, caseTables } from './cases';

// Values for a codec, of the types of its examples: a new entry of a catalogue is tried without a row of its own.

/** A value without the classes and unset members that make equal values look different. */
export function plain(value: unknown): unknown {
  if (value instanceof Duration) return { milliseconds: value.toMilliseconds() };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]).sort());
}

export function typeOf(value: unknown): string {
  if (value instanceof Duration) return 'Duration';
  return Array.isArray(value) ? `list of ${[...new Set(value.map(typeOf))].join(' and ')}` : typeof value;
}

/** Texts that get lost among separators, unless they are escaped or refused. */
const TRICKY = ['a,b', ' a', 'a ', 'a=b', 'a b', 'a\\,b', 'a;b', ''];
const TEXTS = [
  'edge',
  'a.example.com',
  '/healthz',
  '8080',
  '{"a":1}',
  '10.0.0.0/8',
  '2001:db8::/32',
  '*',
  'a b',
  'A_b',
];

const text = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.ipV4(),
  fc.ipV6(),
  fc.domain(),
  fc.stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z0-9]$/),
  fc.string({ unit: fc.constantFrom(...'ab1 ,=;:/\\."\'-_*'), maxLength: 8 }),
  fc.string({ maxLength: 12 }),
);

const durations = (count: number) => fc.constantFrom(Duration.seconds(count), Duration.minutes(count));

/** What the case tables give this entry: values of its option, and what the texts of the tables mean. */
function saidByCases(entry: AnyAnnotation): unknown[] {
  const rows = tablesOf(entry).flatMap(({ options }) => options);
  const values = rows.filter(({ option }) => option === entry.fact.option).map(({ valid }) => valid);
  return [...values.filter((value) => value !== undefined), ...textsOf(entry).flatMap((text) => decoded(entry, text))];
}

/** The texts that the case tables write or read under the key of an entry. */
export function textsOf(entry: AnyAnnotation): string[] {
  const maps = tablesOf(entry).flatMap(({ options, services }) => [
    ...options.map(({ writes }) => writes),
    ...services.map(({ service }) => service.metadata?.annotations ?? {}),
  ]);
  return maps
    .flatMap((map) => Object.entries(map as Record<string, unknown>))
    .filter(([key, value]) => typeof value === 'string' && entry.match(key))
    .map(([, value]) => value as string);
}

function tablesOf(entry: AnyAnnotation): ControllerCases[] {
  return caseTables.map(([, table]) => table).filter(({ kind }) => kind.catalogue.annotations.includes(entry));
}

function decoded(entry: AnyAnnotation, text: string): unknown[] {
  const read = entry.decode(text);
  return 'value' in read ? [read.value] : [];
}

export function examples(entry: AnyAnnotation): unknown[] {
  const texts = [...TEXTS, ...TRICKY];
  const maps = texts.flatMap((text) => [{ a: text }, { [text]: 'a' }]);
  return [
    true,
    false,
    1,
    60,
    Duration.minutes(1),
    ...entry.fact.codec.examples,
    ...texts,
    ...texts.map((one) => [one]),
    ...maps,
    ...saidByCases(entry),
  ];
}

/** Values of the types of the examples; only some of them are values of the entry. */
export function candidates(entry: AnyAnnotation): fc.Arbitrary<unknown> {
  const { examples: given } = entry.fact.codec;
  return fc.oneof(fc.constantFrom(...given), ...given.map(like));
}

function like(value: unknown): fc.Arbitrary<unknown> {
  if (value instanceof Duration) {
    const seconds = value.toSeconds({ integral: false });
    return fc.oneof(near(Math.floor(seconds)), fc.integer({ min: 0, max: 7000 })).chain(durations);
  }
  if (Array.isArray(value)) return fc.array(fc.oneof(...value.map(like)), { minLength: 1, maxLength: 3 });
  switch (typeof value) {
    case 'boolean':
      return fc.boolean();
    case 'number':
      return fc.oneof(near(value), fc.integer({ min: -2, max: 70000 }));
    case 'string':
      return fc.oneof(text, fc.constant(value));
    default:
      return likeStruct(value as Record<string, unknown>);
  }
}

const near = (count: number) => fc.constantFrom(...[count - 1, count, count + 1].filter((one) => one >= 0));

function likeStruct(struct: Record<string, unknown>): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(Object.entries(struct).map(([name, value]) => [name, like(value)]));
  const isMap = Object.values(struct).every((value) => typeof value === 'string');
  return isMap ? fc.dictionary(text, text, { minKeys: 1, maxKeys: 3 }) : fc.record(members, { requiredKeys: [] });
}
