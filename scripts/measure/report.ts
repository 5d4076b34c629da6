import type { Measured } from './measured';

/** A figure with its name, as it is counted in some version. */
type Figure = readonly [name: string, count: (version: Measured) => number | undefined];

const FIGURES: readonly Figure[] = [
  ['lines of `src`', ({ figures }) => figures.lines],
  ['files of `src`', ({ figures }) => figures.files],
  ['public types', ({ publicTypes }) => publicTypes.length],
  ['types of rules', ({ figures }) => figures.ruleTypes.length],
  ['rules', ({ ruleIds }) => ruleIds.length],
  ['two-way pairs of folders inside rooms', ({ figures }) => figures.twoWayPairs.length],
  ['files with one importer', ({ figures }) => figures.oneImporter],
  ['files over 300 lines, but for tables', ({ figures }) => figures.over300.length],
  ['laws', ({ titles }) => titles.laws.length],
  ['stories', ({ titles }) => titles.stories.length],
  ['mutations', ({ titles }) => titles.mutations.length],
];

function roomFigures(versions: readonly Measured[]): Figure[] {
  const rooms = new Set(versions.flatMap(({ figures }) => Object.keys(figures.rooms)));
  return [...rooms].sort().map((room) => [`lines of \`${room}\``, ({ figures }) => figures.rooms[room]]);
}

/** The figures of some versions beside each other, as a table to paste. */
export function figuresTable(versions: Readonly<Record<string, Measured>>): string {
  const all = Object.values(versions);
  const rows = [...FIGURES, ...roomFigures(all)].map(([name, count]) => [
    name,
    ...all.map((version) => count(version)?.toLocaleString('en') ?? '–'),
  ]);
  const header = ['figure', ...Object.keys(versions)];
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A page with a table between its marks. */
export function withTable(page: string, table: string): string {
  const marks = /(<!-- measured -->\n).*?(<!-- \/measured -->)/s;
  if (!marks.test(page)) {
    throw new Error('the page has no place for the table; write <!-- measured --> and <!-- /measured -->, a line each');
  }
  return page.replace(marks, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
}

/** What there is to say of one version beyond its figures. */
export function detailsOf({ figures }: Measured): string {
  return [
    ...listed('types of rules', figures.ruleTypes),
    ...listed('two-way pairs of folders', figures.twoWayPairs),
    ...listed('files over 300 lines', figures.over300),
  ].join('\n');
}

/** What is gone and what is new; names that are gone and that the page on migrating does not have are marked. */
export function differences(before: Measured, after: Measured, migrating: string): string {
  const lists: [string, (version: Measured) => readonly string[]][] = [
    ['laws', ({ titles }) => titles.laws],
    ['stories', ({ titles }) => titles.stories],
    ['mutations', ({ titles }) => titles.mutations],
  ];
  const names: typeof lists = [
    ['rules', ({ ruleIds }) => ruleIds],
    ['public types', ({ publicTypes }) => publicTypes],
  ];
  const explained = new Set(migrating.match(/[A-Za-z0-9-]+/g));
  const marked = (name: string) => (explained.has(name) ? name : `${name}: docs/migrating.md does not name it`);
  return [
    ...lists.flatMap(([name, of]) => change(name, of(before), of(after))),
    ...names.flatMap(([name, of]) => change(name, of(before), of(after), marked)),
  ].join('\n');
}

function change(
  name: string,
  before: readonly string[],
  after: readonly string[],
  goneAs = (one: string) => one,
): string[] {
  const without = (all: readonly string[], others: readonly string[]) => all.filter((one) => !others.includes(one));
  const added = without(after, before);
  const pairs = without(before, after).map((one) => [one, nearest(one, added)] as const);
  const now = new Set(pairs.map(([, other]) => other));
  const isPair = (pair: readonly [string, string | undefined]): pair is [string, string] => pair[1] !== undefined;
  return [
    ...listed(
      `${name} that have other words`,
      pairs.filter(isPair).map((pair) => pair.join(' -> ')),
    ),
    ...listed(
      `${name} that are gone`,
      pairs.filter((pair) => !isPair(pair)).map(([one]) => goneAs(one)),
    ),
    ...listed(
      `${name} that are new`,
      added.filter((one) => !now.has(one)),
    ),
  ];
}

/** The text that shares most words with one, where they share most of their words. */
function nearest(text: string, others: readonly string[]): string | undefined {
  const words = wordsOf(text);
  const shared = (other: string) => {
    const its = wordsOf(other);
    return [...words].filter((word) => its.has(word)).length / Math.max(words.size, its.size);
  };
  const [best] = others.map((other) => [other, shared(other)] as const).sort(([, a], [, b]) => b - a);
  return best && words.size > 1 && best[1] >= 0.6 ? best[0] : undefined;
}

const wordsOf = (text: string) => new Set(text.split(/[^\w-]+/).filter((word) => word !== ''));

function listed(title: string, all: readonly string[]): string[] {
  return ['', `${title}: ${all.length === 0 ? 'none' : all.length}`, ...all.map((one) => `  - ${one}`)];
}
