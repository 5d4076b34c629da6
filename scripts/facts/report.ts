import type { ChangedFile } from './changed-files';
import type { PlacedCitation } from './citations';
import type { Change, Comparison, Proposal } from './compare';
import type { FactKind } from './fact';

/** All that a run found. */
export interface Report {
  readonly product: string;
  readonly repository: string;
  /** Versions and tags. */
  readonly before: string;
  readonly after: string;
  readonly tags: readonly [before: string, after: string];
  readonly read: number;
  readonly comparison: Comparison;
  /** What the tables of this library changed between the two versions. */
  readonly changedRows: readonly { readonly kind: FactKind; readonly row: string; readonly place: string }[];
  readonly citations: number;
  /** Set where two checkouts were read. */
  readonly changedFiles?: readonly ChangedFile[];
  /** Citations of files in which facts changed. */
  readonly citing: readonly PlacedCitation[];
  readonly lost: readonly PlacedCitation[];
}

/** Names that a line shows; the rest is counted. */
const SHOWN = 12;

/** The report in Markdown: it is read in a terminal, and in an issue. */
export function reportOf(report: Report, shown: { readonly all: boolean }): string {
  const { product, repository, before, after, tags, read, comparison } = report;
  const most = shown.all ? Number.POSITIVE_INFINITY : SHOWN;
  return [
    `# ${product} ${after}, against ${before}`,
    '',
    `${read} facts were read; ${comparison.changes.length} differ. Changes of the release: https://github.com/${repository}/compare/${tags[0]}...${tags[1]}`,
    ...edits(comparison.proposals),
    ...figures(report),
    ...citers(report, most),
    ...lost(report.lost, tags[1]),
    ...unheld(comparison.unheld, most),
    ...differences(comparison.differences, shown.all),
    '',
  ].join('\n');
}

const MARKS = { added: '+', removed: '-', changed: '~' } as const;

function edits(proposals: readonly Proposal[]): string[] {
  const places = [...new Set(proposals.map(({ place }) => place))];
  const open = proposals.filter(({ isDone }) => !isDone).length;
  const lines = places.flatMap((place) => [
    '',
    `${place}:`,
    ...proposals
      .filter((each) => each.place === place)
      .map(
        ({ what, fact, edit, isDone }) => `- \`${MARKS[what]}\` ${fact.kind}: ${edit}${isDone ? ' (is there)' : ''}`,
      ),
  ]);
  return ['', `## Edits: ${open} to make, ${proposals.length - open} already made`, ...lines];
}

/** How well the facts of this library and these edits agree, where it knows the newer version already. */
export function agreement(report: Pick<Report, 'comparison' | 'changedRows'>) {
  const { proposals } = report.comparison;
  const rowOf = (kind: FactKind, row: string, place: string) => `${kind} ${row} (${place})`;
  const proposed = new Set(proposals.map(({ fact, row, place }) => rowOf(fact.kind, row, place)));
  const known = new Set(report.changedRows.map(({ kind, row, place }) => rowOf(kind, row, place)));
  // of tables without versions, what the release changed and they have is a change of theirs
  for (const { fact, row, place, isDone } of proposals) {
    if (isDone) {
      known.add(rowOf(fact.kind, row, place));
    }
  }
  const missed = [...known].filter((each) => !proposed.has(each));
  const noise = proposals.filter(({ isDone }) => !isDone);
  return { known: known.size, missed, proposed: proposals.length, noise: noise.length };
}

function figures(report: Report): string[] {
  const { known, missed, proposed, noise } = agreement(report);
  if (proposed === noise && known === 0) {
    return [];
  }
  return [
    '',
    `## The facts know ${report.after} already`,
    '',
    `${known} rows differ between ${report.before} and ${report.after}; ${known - missed.length} are among the edits (${percent(known - missed.length, known)}).`,
    `${proposed} edits; ${noise} are not in the facts (${percent(noise, proposed)}).`,
    ...missed.map((row) => `- not read: ${row}`),
  ];
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? 'none' : `${Math.round((100 * part) / whole)} %`;

function citers({ changedFiles, citing, citations }: Report, most: number): string[] {
  if (!changedFiles) {
    return [
      '',
      `## Citations of files with changed facts: ${citing.length} of ${citations}`,
      '',
      ...grouped(citing).map(([file, names]) => `- ${file}: ${some(names, most)}`),
    ];
  }
  const hit = new Set(changedFiles.flatMap((each) => each.citations)).size;
  const lines = changedFiles.map(({ file, added, removed, citations: by, named }) => {
    const other = by.filter((each) => !named.includes(each));
    const first = named.length > 0 ? `**${some(whoOf(named), most)}**` : '';
    const rest = other.length > 0 ? some(whoOf(other), most) : '';
    return `- ${file} (+${added.length} −${removed.length}): ${[first, rest].filter((each) => each).join('; ')}`;
  });
  return [
    '',
    `## Cited files with changed lines: ${changedFiles.length}, by ${hit} of ${citations} citations`,
    '',
    'In bold: entries and rules whose name is in a changed line. Read the others against the sentence that cites the file.',
    '',
    ...lines,
  ];
}

const whoOf = (citations: readonly PlacedCitation[]): string[] => [...new Set(citations.map(({ who }) => who))];

function grouped(citations: readonly PlacedCitation[]): [string, string[]][] {
  const files = [...new Set(citations.map(({ file }) => file))];
  return files.map((file) => [file, whoOf(citations.filter((each) => each.file === file))]);
}

function lost(citations: readonly PlacedCitation[], tag: string): string[] {
  return citations.length === 0
    ? []
    : [
        '',
        `## Citations of files that ${tag} has not`,
        '',
        ...citations.map(({ who, file, version, place }) => `- ${who} (${place}): ${version}, ${file}`),
      ];
}

function unheld(changes: readonly Change[], most: number): string[] {
  const kinds = [...new Set(changes.map(({ fact }) => fact.kind))];
  return changes.length === 0
    ? []
    : [
        '',
        `## Other changes, of which no table says anything: ${changes.length}`,
        '',
        ...kinds.map((kind) => {
          const names = changes
            .filter(({ fact }) => fact.kind === kind)
            .map(({ what, fact }) => `${MARKS[what]} ${fact.name}`);
          return `- ${kind}: ${some(names, most)}`;
        }),
      ];
}

function differences(lines: readonly string[], all: boolean): string[] {
  return lines.length === 0
    ? []
    : [
        '',
        `## Tables that differ from the release for longer: ${lines.length} rows${all ? '' : '; --all lists them'}`,
        '',
        ...(all ? lines.map((line) => `- ${line}`) : []),
      ];
}

function some(names: readonly string[], most: number): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ');
}
