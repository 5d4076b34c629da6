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
  ['dead exports', ({ deadExports }) => deadExports.length],
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

/** What there is to say of one version beyond its figures. */
export function detailsOf({ figures, deadExports }: Measured): string {
  return [
    ...listed('types of rules', figures.ruleTypes),
    ...listed('two-way pairs of folders', figures.twoWayPairs),
    ...listed('files over 300 lines', figures.over300),
    ...listed('dead exports', deadExports),
  ].join('\n');
}

/** What is gone and what is new. */
export function differences(before: Measured, after: Measured): string {
  const lists: [string, (version: Measured) => readonly string[]][] = [
    ['laws', ({ titles }) => titles.laws],
    ['stories', ({ titles }) => titles.stories],
    ['mutations', ({ titles }) => titles.mutations],
    ['rules', ({ ruleIds }) => ruleIds],
    ['public types', ({ publicTypes }) => publicTypes],
  ];
  return lists.flatMap(([name, of]) => change(name, of(before), of(after))).join('\n');
}

function change(name: string, before: readonly string[], after: readonly string[]): string[] {
  const without = (all: readonly string[], others: readonly string[]) => all.filter((one) => !others.includes(one));
  const gone = without(before, after);
  const added = without(after, before);
  const pairs = pairsOf(gone, added);
  const renamed = new Set(pairs.flat());
  return [
    ...listed(
      `${name} that have other words`,
      pairs.map((pair) => pair.join(' -> ')),
    ),
    ...listed(
      `${name} that are gone`,
      gone.filter((one) => !renamed.has(one)),
    ),
    ...listed(
      `${name} that are new`,
      added.filter((one) => !renamed.has(one)),
    ),
  ];
}

/** Texts that share most of their words: the nearest first, and each once. */
function pairsOf(gone: readonly string[], added: readonly string[]): [string, string][] {
  const all = gone.flatMap((one) => added.map((other) => [shared(one, other), one, other] as const));
  const near = all.filter(([part]) => part >= 0.6).sort(([one], [other]) => other - one);
  const paired = new Set<string>();
  return near.flatMap(([, one, other]): [string, string][] => {
    if (paired.has(`- ${one}`) || paired.has(`+ ${other}`)) {
      return [];
    }
    paired.add(`- ${one}`).add(`+ ${other}`);
    return [[one, other]];
  });
}

/** The part of their words that two texts share; names of one word share nothing. */
function shared(one: string, other: string): number {
  const [words, others] = [one, other].map((text) => new Set(text.split(/[^\w-]+/).filter((word) => word !== '')));
  const both = [...words].filter((word) => others.has(word)).length;
  return words.size > 1 ? both / Math.max(words.size, others.size) : 0;
}

function listed(title: string, all: readonly string[]): string[] {
  return ['', `${title}: ${all.length === 0 ? 'none' : all.length}`, ...all.map((one) => `  - ${one}`)];
}
