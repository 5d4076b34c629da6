import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { ruleExamples } from '../../scripts/docs/rule-examples';
import { LoadBalancerWish } from '../../src';
import { Annotation, type AnnotationCatalogue, type AnyAnnotation } from '../../src/contract/annotation-catalogue';
import { Confidence } from '../../src/contract/kubernetes.facts';
import { labelKeyFault } from '../../src/contract/kubernetes-syntax';
import { VENDOR_WRITINGS } from '../../src/controllers/vendors/writings.facts';
import { allKinds } from '../../src/rules/known-kinds';
import { caseTables } from '../support/cases';
import { candidates, examples, plain, textsOf, typeOf } from '../support/codec-values';
import { tries } from '../support/random';
import { kinds } from '../support/subjects';

// The same values every time; look at others with LAWS_SEED, dig deeper with LAWS_RUNS (values for each annotation and law).
const RUNS = Number(process.env.LAWS_RUNS ?? tries(200));
const SEED = Number(process.env.LAWS_SEED ?? 980);

function optionsOf(catalogue: AnnotationCatalogue): string[] {
  return catalogue.annotations.map(({ fact }) => fact.option).filter((option) => option !== undefined);
}

/** What an entry makes of a value: its text, or nothing where the value is none of its type. */
function encoded(entry: AnyAnnotation, value: unknown): string | undefined {
  try {
    const text = entry.fact.codec.encode(value);
    const back = entry.decode(text);
    return 'fault' in back || typeOf(back.value) === typeOf(value) ? text : undefined;
  } catch {
    return undefined;
  }
}

function expectRoundTrip(entry: AnyAnnotation, value: unknown, text: string): void {
  const back = entry.decode(text);
  if ('fault' in back || !isDeepStrictEqual(plain(back.value), plain(value))) {
    throw new Error(`${JSON.stringify(plain(value))} is written as '${text}' and read as ${JSON.stringify(back)}`);
  }
}

describe.each(allKinds().map((kind) => [kind.name, kind] as const))('%s', (_, { catalogue, ...kind }) => {
  const entries = catalogue.annotations.map((entry) => [entry.fact.key, entry] as const);

  test.each(entries)('%s reads back what it writes', (_key, entry) => {
    const given: readonly unknown[] = entry.fact.codec.examples;
    expect(given).not.toEqual([]);
    for (const value of given) {
      expectRoundTrip(entry, value, entry.fact.codec.encode(value));
    }
    const property = fc.property(candidates(entry), (value) => {
      const text = encoded(entry, value);
      if (text !== undefined) {
        expectRoundTrip(entry, value, text);
      }
    });
    fc.assert(property, { numRuns: RUNS, seed: SEED, examples: examples(entry).map((value) => [value]) });
  });

  test.each(entries)('%s means the same when it is read and written again, and garbage is a fault', (_key, entry) => {
    const garbage = [fc.string(), fc.string({ unit: 'binary' }), fc.json(), fc.constantFrom('', ' ', ',', '=', '{}')];
    const property = fc.property(fc.oneof(...garbage), (text) => {
      const read = entry.decode(text);
      const again = 'value' in read ? encoded(entry, read.value) : undefined;
      if ('value' in read && again !== undefined) {
        expectRoundTrip(entry, read.value, again);
      } else if ('fault' in read) {
        expect(read.fault).not.toBe('');
      }
    });
    fc.assert(property, { numRuns: RUNS, seed: SEED, examples: textsOf(entry).map((text) => [text]) });
  });

  test.each(entries)('%s has a key that the API server takes, and its facts have a source', (_key, { fact }) => {
    expect(labelKeyFault(fact.key.replace(/[{}]/g, ''))).toBeUndefined();
    expect(fact.default).not.toBe('');
    expect(fact.codec.says).not.toBe('');
    expect(['refused', 'accepted']).toContain(fact.badValue);
    expect(Object.values(Confidence)).toContain(fact.confidence);
    expect([undefined, ...Object.values(LoadBalancerWish)]).toContain(fact.wish);
    const { repository, version, file } = fact.source;
    expect([repository, version, file].map((word) => word.trim()).filter(Boolean)).toHaveLength(3);
  });

  test('every key and every option stands once', () => {
    const keys = entries.map(([key]) => key);
    expect(keys).toEqual([...new Set(keys)]);
    const options = optionsOf(catalogue);
    expect(options).toEqual([...new Set(options)]);
  });

  test('an entry is found by its key, and its key is claimed', () => {
    for (const [key, entry] of entries) {
      const parameters = Object.fromEntries([...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '443']));
      expect(catalogue.find(entry.key(parameters))).toBe(entry);
      expect(catalogue.claims(entry.key(parameters))).toBe(true);
    }
  });

  // a factory that is data has all its options, wishes and warnings tried in vendor-writers
  if (kind.name in VENDOR_WRITINGS) {
    return;
  }

  test(`each of its ${optionsOf(catalogue).length} options has a row of cases`, () => {
    const rows = caseTables.filter(([, table]) => table.kind.name === kind.name).flatMap(([, table]) => table.options);
    const tried = new Set(rows.map(({ option }) => option));
    const untried = optionsOf(catalogue).filter((option) => !tried.has(option));
    expect(untried.map((option) => `${option}: add a row to options of the table of cases`)).toEqual([]);
  });

  test('each rule of its definition has an example, or a row of cases', () => {
    const tables = caseTables.map(([, table]) => table).filter((table) => table.kind.name === kind.name);
    const found = new Set(
      tables
        .flatMap(({ requests, services }): { errors?: string[]; warnings?: string[] }[] => [...requests, ...services])
        .flatMap(({ errors = [], warnings = [] }) => [...errors, ...warnings])
        .concat(ruleExamples().map(({ rule }) => rule)),
    );
    const silent = [...kind.rules, ...(kind.reports ?? [])].filter(({ id }) => !found.has(id));
    expect(silent.map(({ id }) => `${id}: add an example to src/rules/examples, or a row to requests`)).toEqual([]);
  });
});

test.each([
  ['aws-load-balancer-controller', 48],
  ['cloud-provider-azure', 45],
])('%s has options for all of the %i annotations that it documents', (name, count) => {
  const catalogue = kinds.find((kind) => kind.name === name)?.catalogue;
  expect(catalogue && optionsOf(catalogue).length).toBeGreaterThanOrEqual(count);
});

test('an annotation that fixes addresses is for one Service alone', () => {
  const fixed = kinds.flatMap(({ catalogue }) =>
    catalogue.annotations.filter(({ fact }) => fact.wish === LoadBalancerWish.STATIC_ADDRESSES),
  );
  expect(fixed.length).toBeGreaterThan(10);
  const shared = fixed.filter(({ fact }) => !fact.namesOne).map(({ fact }) => fact.key);
  expect(
    shared.map((key) => `${key}: set namesOne to ADDRESS or SHARED_ADDRESS of contract/annotation-catalogue.ts`),
  ).toEqual([]);
});

test('an annotation that reads something else than it writes is found out', () => {
  const { fact } = kinds[0].catalogue.annotations[0];
  const write = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const trimming = {
    says: 'a string',
    examples: ['edge'],
    encode: write,
    decode: (text: string) => ({ value: text.trim() }),
  };
  const entry: AnyAnnotation = new Annotation({ ...fact, codec: trimming });
  const wrong = examples(entry).filter((value) => {
    const text = encoded(entry, value);
    return text !== undefined && text.trim() !== value;
  });
  expect(wrong.length).toBeGreaterThan(0);
  for (const value of wrong) {
    expect(() => expectRoundTrip(entry, value, encoded(entry, value) as string)).toThrow('is written as');
  }
});
