import { Duration } from 'cdk8s';
import * as fc from 'fast-check';
import type { AnyAnnotation } from '../../src/contract/annotation-catalogue';
import type { ControllerCases } from './cases';
import { caseTables } from './subjects';

// Values for a codec, found by probing: of every type that an annotation can have, whatever it encodes. So a new entry
// of a catalogue is tried without anybody writing down its type once more.

/** A value without the classes and unset members that make equal values look different. */
export function plain(value: unknown): unknown {
  if (value instanceof Duration) {
    return { milliseconds: value.toMilliseconds() };
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const said = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(said.map(([name, member]) => [name, plain(member)]).sort());
}

/** The type of a value, as far as codecs tell types apart. */
export function typeOf(value: unknown): string {
  if (value instanceof Duration) {
    return 'Duration';
  }
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

function wordsOf({ fact }: AnyAnnotation): string[] {
  return [...fact.codec.says.matchAll(/[\w./*-]+/g)].map(([word]) => word);
}

/** Words and numbers that the codec says it reads. */
function saidBy(entry: AnyAnnotation): fc.Arbitrary<unknown>[] {
  const { says } = entry.fact.codec;
  const near = [...says.matchAll(/\d+/g)].map(([digits]) => Number(digits)).flatMap((n) => [n - 1, n, n + 1]);
  const numbers = near.filter((number) => number >= 0 && Number.isSafeInteger(number));
  return [
    fc.constantFrom(...wordsOf(entry)),
    ...(numbers.length > 0 ? [fc.constantFrom(...numbers), fc.constantFrom(...numbers).chain(durations)] : []),
  ];
}

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

/** Values that are tried in any case. */
export function examples(entry: AnyAnnotation): unknown[] {
  const texts = [...TEXTS, ...TRICKY, ...wordsOf(entry)];
  const maps = texts.flatMap((text) => [{ a: text }, { [text]: 'a' }]);
  return [
    true,
    false,
    1,
    60,
    Duration.minutes(1),
    ...texts,
    ...texts.map((one) => [one]),
    ...maps,
    ...saidByCases(entry),
  ];
}

/** Values of every type; only some of them are values of the entry. */
export function candidates(entry: AnyAnnotation): fc.Arbitrary<unknown> {
  const texts = fc.oneof(text, ...saidBy(entry).slice(0, 1)) as fc.Arbitrary<string>;
  return fc.oneof(
    fc.boolean(),
    fc.integer({ min: -2, max: 12 }),
    fc.integer({ min: 0, max: 70000 }),
    fc.integer({ min: 0, max: 7000 }).chain(durations),
    texts,
    fc.array(texts, { minLength: 1, maxLength: 3 }),
    fc.dictionary(text, text, { minKeys: 1, maxKeys: 3 }),
    ...saidBy(entry),
  );
}
