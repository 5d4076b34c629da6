import { AnnotatedController, CustomController } from '../../src';
import { isMap, type Json } from '../../src/contract/json';
import type { MadeBalancer } from '../../src/contract/made-balancer';
import { madeOf } from '../../src/rules/controller-definition';
import { caseTables, service } from '../support/cases';
import { kinds } from '../support/subjects';

// What holds of the balancers that every known controller makes, also of Services that anybody may have written.

const GARBAGE: readonly unknown[] = [null, 5, Number.NaN, '', 'x', true, [], [null], {}, { x: 1 }];

/** The Service, with one field after the other replaced by garbage. */
function* spoilt(object: Json): Generator<Json> {
  for (const key of Object.keys(object)) {
    for (const value of GARBAGE) {
      yield { ...object, [key]: value };
    }
    const inner: unknown = object[key];
    if (Array.isArray(inner)) {
      for (const value of [...GARBAGE, ...(isMap(inner[0]) ? spoilt(inner[0]) : [])]) {
        yield { ...object, [key]: [value, ...inner.slice(1)] };
      }
    } else if (isMap(inner)) {
      for (const value of spoilt(inner)) {
        yield { ...object, [key]: value };
      }
    }
  }
}

/** What is wrong with a balancer; nothing where it can be counted with. */
function faultsOf({ limits, listeners, zones, publicAddresses, healthCheck, ...made }: MadeBalancer): string[] {
  const whole = (what: string, figure: number | undefined, least = 0) =>
    figure === undefined || (Number.isInteger(figure) && figure >= least) ? [] : [`${what} is ${figure}`];
  const named = (what: string, text: string | undefined) => (text?.trim() ? [] : [`${what} has no text`]);
  const cited = ({ repository, version, file }: MadeBalancer['source']) =>
    [repository, version, file].flatMap((part) => named('source', part));
  return [
    ...named('product', made.product),
    ...named('name', made.name),
    ...whole('listeners', listeners),
    ...whole('zones', zones, 1),
    ...whole('public addresses', publicAddresses.count),
    ...whole('failures', healthCheck?.failures, 1),
    ...(healthCheck ? [...named('port', healthCheck.port), ...named('protocol', healthCheck.protocol)] : []),
    ...(healthCheck?.interval !== undefined && !(healthCheck.interval > 0) ? ['the interval is no time'] : []),
    ...cited(made.source),
    ...limits.flatMap(({ name, limit, each, used, source }) => [
      ...named('limit', name),
      ...whole(name, limit, 1),
      ...whole(`each of ${name}`, each, 1),
      ...whole(`used of ${name}`, used),
      ...cited(source),
    ]),
  ];
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  const [, table] = caseTables.find(([, { kind: its }]) => its === kind) ?? caseTables[0];
  const all = [...table.services, ...table.made, ...(table.claims ?? [])].map((row) => row.service);
  const owners = [kind, kind.installed(), ...Object.values(kind.variants ?? {}).map((make) => make())];

  test('says what it makes, and has rows that say so', () => {
    expect(kind.makes).toBeInstanceOf(Function);
    expect(table.made.filter(({ made }) => made !== undefined)).not.toEqual([]);
  });

  test('what it makes of any Service of its cases can be counted with', () => {
    const made = all.flatMap((object) => owners.map((owner) => madeOf(object, owner)));
    expect(made.filter((each) => each !== undefined)).not.toEqual([]);
    expect(made.flatMap((each) => (each ? faultsOf(each) : []))).toEqual([]);
  });

  test('who can reach it, and whether it knows nodes by labels, is said once', () => {
    for (const object of table.made.map((row) => row.service)) {
      const made = madeOf(object, kind);
      expect(made?.scheme).toBe(made && kind.schemeOf(object).scheme);
      expect(Object.values(made?.nodeLabels ?? {}).filter((value) => typeof value !== 'string')).toEqual([]);
    }
  });

  test('garbage in a field is no reason to throw, or to count with what is no number', () => {
    const faults = new Set<string>();
    for (const object of [service(), ...table.made.map((row) => row.service)]) {
      for (const bad of spoilt(object)) {
        for (const owner of owners) {
          const made = madeOf(bad, owner, [bad]);
          for (const fault of made ? faultsOf(made) : []) faults.add(`${fault}: ${JSON.stringify(bad)}`);
        }
      }
    }
    expect([...faults].slice(0, 5)).toEqual([]);
  });

  test('inside another controller it makes the same', () => {
    const outer = AnnotatedController.of(kind.installed(), { annotations: { 'example.com/note': 'a note' } });
    for (const { service: object } of table.made) {
      expect(madeOf(object, outer)).toEqual(madeOf(object, kind.installed()));
    }
  });
});

test('what is no Service, and what nobody or a controller of the user owns, is unknown', () => {
  const custom = CustomController.of({ owner: 'acme' });
  expect(madeOf(service(), custom)).toBeUndefined();
  expect(madeOf(service(), undefined)).toBeUndefined();
  expect(madeOf(null as unknown as Json, kinds[0])).toBeUndefined();
  expect(madeOf(5 as unknown as Json, kinds[0])).toBeUndefined();
});
