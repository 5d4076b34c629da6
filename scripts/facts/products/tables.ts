import type { AnnotationCatalogue } from '../../../src/contract/annotation-catalogue';
import { compareVersions } from '../../../src/contract/compare-versions';
import type { Fact, KnownFact } from '../fact';
import type { Table, Versions } from './product';

/** Whether a version has what a row is about. */
export function has(version: string, { since, until }: Versions): boolean {
  return (
    (since === undefined || compareVersions(version, bare(since)) >= 0) &&
    (until === undefined || compareVersions(version, bare(until)) < 0)
  );
}

/** A version without what some tags have before it. */
const bare = (version: string): string => version.replace(/^v/, '');

/** A catalogue of annotations; it holds those that begin with the prefixes of its controller. */
export function catalogueTable(place: string, catalogue: AnnotationCatalogue, prefixes: readonly string[]): Table {
  return {
    kind: 'annotation',
    place,
    rows: (version) =>
      catalogue.annotations
        .filter(({ fact }) => has(version, fact))
        .map(({ fact }) => ({ kind: 'annotation', name: fact.key })),
    nameOf: ({ name }) => {
      // upstream has the beginning of keys with parameters
      const entry = catalogue.annotations.find((each) => each.match(name) || each.fact.key.startsWith(`${name}.{`));
      return entry?.fact.key ?? (prefixes.some((prefix) => name.startsWith(prefix)) ? name : undefined);
    },
    entry: ({ name }, version) => `an entry with the key '${name}' and since: '${version}'`,
  };
}

/** A table whose rows are of the versions that they name. */
export function versionedTable<T extends Versions>(
  options: Pick<Table, 'kind' | 'place' | 'entry'> & {
    readonly rows: readonly T[];
    known(row: T, version: string): Omit<KnownFact, 'kind'> | readonly Omit<KnownFact, 'kind'>[];
    nameOf?(fact: Fact): string | undefined;
    written?(fact: Fact): string;
  },
): Table {
  const { kind, place, entry, rows, known, nameOf = ({ name }: Fact) => name, written } = options;
  return {
    kind,
    place,
    entry,
    nameOf,
    written,
    rows: (version) =>
      rows
        .filter((row) => has(version, row))
        .flatMap((row) => [known(row, version)].flat())
        .map((row) => ({ kind, ...row })),
  };
}
