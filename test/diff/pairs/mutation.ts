/** @jest-environment node */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangeAnswer } from '../../../src/lifecycle/changes';
import type { Compared } from './compare';
import type { ComparedTruth } from './folders/folder-pair';

// Each rule of the engine is removed, what the command reads beside Services is not read, and each kind of result of the model is
// turned into 'kept': the generated pairs or the rows of cases notice it. A command, and not among the tests: see scripts/pairs.ts.

const PAIRS = Number(process.env.PAIRS ?? 300);
const SEED = Number(process.env.PAIRS_SEED ?? 17);
const SOURCE = join(__dirname, '..', '..', '..', 'src');
const ENGINE = join(SOURCE, 'diff');
const ROWS = ['life', 'life-of-made', 'fields', 'fields.laws', 'makers', 'made-causes', 'version-causes', 'attack'];

type Finder = (...args: unknown[]) => unknown;

/** What is removed: `class-causes.classCauses`. */
let off = '';
const finders: string[] = [];

for (const file of readdirSync(ENGINE).filter((name) => /-causes?\.ts$/.test(name))) {
  const path = join(ENGINE, file.slice(0, -'.ts'.length));
  jest.doMock(path, () => {
    const real = jest.requireActual<Record<string, unknown>>(path);
    return Object.fromEntries(Object.entries(real).map(([name, value]) => [name, stubOf(file, name, value)]));
  });
}

const READERS: readonly (readonly [file: string, name: string, instead: Finder])[] = [
  ['cli/diff/sides', 'changesOfUnlisted', () => []],
  ['later/envoy-service', 'areGatewaysMerged', () => false],
];

for (const file of new Set(READERS.map(([name]) => name))) {
  const path = join(SOURCE, file);
  jest.doMock(path, () => {
    const real = jest.requireActual<Record<string, unknown>>(path);
    const stubs = READERS.filter(([name]) => name === file).map(([, name, instead]) => {
      const find = real[name] as Finder;
      return [name, (...args: unknown[]) => (off === `${file}.${name}` ? instead : find)(...args)];
    });
    return { ...real, ...Object.fromEntries(stubs) };
  });
}

function stubOf(file: string, name: string, value: unknown): unknown {
  if (typeof value !== 'function' || !/Causes?$/.test(name)) return value;
  const id = `${file.slice(0, -'.ts'.length)}.${name}`;
  const find = value as Finder;
  const nothing = name.endsWith('Causes') ? [] : undefined;
  finders.push(id);
  return (...args: unknown[]) => (off === id ? nothing : find(...args));
}

const cases: (() => unknown)[] = [];

function collectRows(): void {
  const { test: ofJest, describe: groupOfJest } = globalThis;
  const each =
    (run: (name: string, body: Finder) => void) => (table: readonly unknown[]) => (name: string, body: Finder) => {
      for (const row of table) {
        run(name, () => body(...(Array.isArray(row) ? row : [row])));
      }
    };
  const one = (_: string, body: Finder) => void cases.push(() => body());
  const group = (_: string, body: Finder) => void body();
  Object.assign(globalThis, {
    test: Object.assign(one, { each: each(one) }),
    describe: Object.assign(group, { each: each(group) }),
  });
  for (const file of ROWS) {
    require(`../${file}.test`);
  }
  Object.assign(globalThis, { test: ofJest, describe: groupOfJest });
}

const { comparedOf, isAnother, isFalseAlarm, isFalseKept, isMissedRefusal } =
  require('./compare') as typeof import('./compare');
const { pairOf } = require('./pair') as typeof import('./pair');
const { comparedTruths, isFalselyKept, isFalselyLost, isFalselyOpen, isOther } =
  require('./folders/folder-pair') as typeof import('./folders/folder-pair');
const { FAMILIES } = require('./folders/families') as typeof import('./folders/families');
const { randomOf } = require('../../support/random') as typeof import('../../support/random');
const { CHANGE_ANSWERS } = require('../../../src/lifecycle/changes') as typeof import('../../../src/lifecycle/changes');
collectRows();

const pairs = Array.from({ length: PAIRS }, (_, number) => pairOf(number, SEED));

const isWrong = (one: Compared) => isFalseKept(one) || isAnother(one) || isMissedRefusal(one);

const usual = pairs.flatMap((pair) => comparedOf(pair).filter((one) => isWrong(one) || isFalseAlarm(one))).length;

const folders = FAMILIES.flatMap((family) =>
  Array.from({ length: Math.ceil(PAIRS / 3) }, (_, number) => ({
    family,
    number,
    pair: family.pairOf(randomOf(SEED * 1_000_003 + number), number),
  })),
);

function foldersNotice(): boolean {
  return folders.some(({ family, number, pair }) => {
    try {
      return comparedTruths(family, number, pair).some(isAmiss);
    } catch {
      return true;
    }
  });
}

const isAmiss = (one: ComparedTruth) => isFalselyKept(one) || isFalselyLost(one) || isFalselyOpen(one) || isOther(one);

function pairsNotice(): boolean {
  let found = 0;
  for (const pair of pairs) {
    found += comparedOf(pair).filter((one) => isWrong(one) || isFalseAlarm(one)).length;
    if (found > usual) return true;
  }
  return found !== usual;
}

async function rowsNotice(): Promise<boolean> {
  for (const body of cases) {
    try {
      await body();
    } catch {
      return true;
    }
  }
  return false;
}

const noticed = { pairs: [] as string[], folders: [] as string[], rows: [] as string[], nobody: [] as string[] };

async function ask(id: string): Promise<void> {
  const by = pairsNotice() ? 'pairs' : foldersNotice() ? 'folders' : (await rowsNotice()) ? 'rows' : 'nobody';
  noticed[by].push(id);
}

function report(what: string): void {
  const lines = Object.entries(noticed).map(([who, ids]) => `  noticed by ${who} (${ids.length}): ${ids.join(', ')}`);
  process.stdout.write(`${what}\n${lines.join('\n')}\n`);
  for (const ids of Object.values(noticed)) {
    ids.length = 0;
  }
}

test('nothing is noticed where nothing is wrong', async () => {
  expect(cases.length).toBeGreaterThan(100);
  expect(pairsNotice() || foldersNotice() || (await rowsNotice())).toBe(false);
});

test('a rule of the engine that finds nothing is noticed', async () => {
  for (const id of [...new Set(finders)].sort()) {
    off = id;
    await ask(id);
  }
  off = '';
  const { nobody } = noticed;
  const left = [...nobody];
  report('rules of the engine');
  expect(left).toEqual([]);
});

test('a thing beside Services that is not read is noticed by pairs', async () => {
  for (const [file, name] of READERS) {
    off = `${file}.${name}`;
    await ask(off);
  }
  off = '';
  const left = [...noticed.rows, ...noticed.nobody];
  report('readers of what is beside Services');
  expect(left).toEqual([]);
});

const kindOf = ({ change, before, outcome, when }: ChangeAnswer) => `${change}, ${before}: ${outcome} ${when}`;

test("a kind of result of the model that becomes 'kept' is noticed", async () => {
  const all = [...CHANGE_ANSWERS.values()].filter((answer) => answer !== undefined);
  const set = (one: ChangeAnswer, outcome: ChangeAnswer['outcome']) => Object.assign(one, { outcome });
  const kinds = new Set(all.filter(({ outcome }) => outcome !== 'kept').map(kindOf));
  for (const kind of kinds) {
    const changed = all.filter((one) => kindOf(one) === kind);
    const [{ outcome }] = changed;
    for (const one of changed) {
      set(one, 'kept');
    }
    await ask(kind);
    for (const one of changed) {
      set(one, outcome);
    }
  }
  report('kinds of results of the model');
});
