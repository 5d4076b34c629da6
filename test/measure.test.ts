import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { budgetFigures, largestCircle, lowered, overBudget } from '../scripts/measure/budget';
import { sourceFigures, twoWayPairs } from '../scripts/measure/source-figures';
import { titlesIn } from '../scripts/measure/titles';
import { parse, sources } from './support/sources';

test.each<[string, string[]]>([
  ["test('a law', () => {});", ['a law']],
  ["describe('a house', () => { test('has a door', () => {}); });", ['a house > has a door']],
  ["test.each([['a', 1], ['b', 2]])('%s is %d', () => {});", ['a is 1', 'b is 2']],
  ["const ROWS = ['a', 'b']; test.each(ROWS)('%s holds', () => {});", ['a holds', 'b holds']],
  ["import { ROWS } from './rows'; test.each(ROWS)('%s holds', () => {});", ['%s holds']],
  ["await Story.tell(plane, 'a Service goes', 'why', Cast.REAL, act);", ['a Service goes']],
  ["const LAWS: Record<string, Law> = { 'all is well': () => [] };", ['all is well']],
  ["test(title, () => ({ 'not a law': 1 }));", []],
])('of %s the titles are %j', (text, titles) => {
  expect(titlesIn(parse('test/laws/of.test.ts', text).file)).toEqual(titles);
});

test('folders of a room that import each other are found, types included', () => {
  const sources = [
    parse('room/a/one.ts', "import type { Two } from '../b/two';"),
    parse('room/b/two.ts', "export * from '../a/other'; import { three } from '../c/three'; import './deep/five';"),
    parse('room/a/other.ts', "import '../shared';"),
    parse('room/b/deep/five.ts', ''),
    parse('room/c/three.ts', ''),
    parse('room/shared.ts', "import './a/one';"),
    parse('room/index.ts', "export * from './a/one';"),
  ];
  expect(twoWayPairs(sources)).toEqual(['room: a <-> b']);
});

test.each([
  ['interface Described { id: string; says: string }', 1],
  ['interface PortRule { judge(): void }', 1],
  ['type PortRule = Rule<Ports>;', 1],
  ['interface PortRule extends Rule<Ports> {}', 1],
  ['interface RoleRule { apiGroups: string[]; verbs: string[] }', 0],
  ["type RuleId = 'a' | 'b';", 0],
])('in %s, %d types are those of rules', (text, count) => {
  expect(sourceFigures([parse('room/file.ts', text)]).ruleTypes).toHaveLength(count);
});

describe('the budget', () => {
  const limits = { 'src lines': 10, 'src files': 2, 'src/gone lines': 3 };

  test.each<[string, Record<string, number>, string[]]>([
    ['met', { 'src lines': 10, 'src files': 1 }, []],
    ['exceeded', { 'src lines': 11, 'src files': 2 }, ['src lines: 11, the limit is 10']],
    ['a figure without a limit', { docs: 1 }, ['docs: 1, and measure.budget.json has no limit for it']],
  ])('%s', (_, figures, over) => {
    expect(overBudget(limits, figures)).toEqual(over);
  });

  test('is only lowered', () => {
    const figures = { 'src files': 1, docs: 5 };
    expect(lowered(limits, { ...figures, 'src lines': 12 })).toEqual({ ...figures, 'src lines': 10 });
  });

  test.each<[string, Record<string, string[]>, number]>([
    ['no circle', { a: ['b'], b: ['c'] }, 1],
    ['two and three files', { a: ['b'], b: ['a'], c: ['d'], d: ['e', 'a'], e: ['c'] }, 3],
  ])('%s', (_, importers, size) => {
    const sets = Object.entries(importers).map(([file, by]) => [file, new Set(by)] as const);
    expect(largestCircle(new Map(sets))).toBe(size);
  });

  test('counts hand-written lines alone, and each folder', () => {
    const figures = budgetFigures(join(__dirname, '..'), 7);
    const folders = Object.entries(figures).filter(([name]) => /^src\/.* lines$/.test(name));
    const index = readFileSync(join(__dirname, '..', 'src', 'index.ts'), 'utf8').split('\n').length - 1;
    expect(figures).toMatchObject({
      'public types': 7,
      'src lines': folders.reduce((sum, [, lines]) => sum + lines, index),
    });
    expect(folders.length).toBeGreaterThan(10);
    expect(figures['src files']).toBeLessThan(sources.length);
  });
});
