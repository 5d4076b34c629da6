import { byKey, type Fact, type FactKind, type Facts, type KnownFact, keyOf } from './fact';
import type { Product, Table } from './products/product';

/** What a release changed. */
export interface Change {
  readonly what: 'added' | 'removed' | 'changed';
  readonly fact: Fact;
  /** The value before, of what was changed. */
  readonly before?: string;
}

/** An edit of a table of this library. */
export interface Proposal extends Change {
  readonly place: string;
  /** The name in the table. */
  readonly row: string;
  readonly edit: string;
  /** The table already has it. */
  readonly isDone: boolean;
}

/** What is known of a release in two ways: as its files say, and as the tables of this library do. */
export interface Comparison {
  readonly changes: readonly Change[];
  readonly proposals: readonly Proposal[];
  /** Changes of which no table says anything. */
  readonly unheld: readonly Change[];
  /** Rows that differ from the release though it did not change them: on purpose, or by mistake. */
  readonly differences: readonly string[];
}

/** What one release has and another has not, and what both have with other values. */
export function changesBetween(before: Facts, after: Facts): Change[] {
  const now = [...after.values()].flatMap((fact): Change[] => {
    const old = before.get(keyOf(fact));
    if (!old) {
      return [{ what: 'added', fact }];
    }
    return old.value === fact.value ? [] : [{ what: 'changed', fact, before: old.value }];
  });
  const gone = [...before.values()].filter((fact) => !after.has(keyOf(fact)));
  return [...now, ...gone.map((fact): Change => ({ what: 'removed', fact }))];
}

/** What a version of the library's tables is asked for. */
export interface Asked {
  readonly product: Product;
  readonly before: Facts;
  readonly after: Facts;
  /** The version of the facts before, and that of the release. */
  readonly versions: readonly [before: string, after: string];
}

export function compared({ product, before, after, versions: [old, now] }: Asked): Comparison {
  const changes = changesBetween(before, after);
  const held = new Set<Change>();
  const proposals = product.tables.flatMap((table) => {
    const own = changes.filter(({ fact }) => fact.kind === table.kind && table.nameOf(fact) !== undefined);
    return proposalsFor(table, own, after, [old, now], held);
  });
  return {
    changes,
    proposals: withoutThoseOfVersions(proposals),
    unheld: withoutThoseOfVersions(
      changes.filter((change) => !held.has(change)),
      proposals,
    ),
    differences: product.tables.flatMap((table) => differencesOf(table, after, now, changes)),
  };
}

/** The fields of a version of a definition that is new or gone are new or gone with it. */
function withoutThoseOfVersions<T extends Change>(changes: readonly T[], of: readonly Change[] = changes): T[] {
  const versions = new Set(of.filter(({ fact }) => fact.kind === 'definition').map(idOf));
  return changes.filter(
    ({ what, fact }) => fact.kind !== 'field' || !versions.has(`${what} ${fact.name.split(' ')[0]}`),
  );
}

const idOf = ({ what, fact }: Change): string => `${what} ${fact.name}`;

function proposalsFor(
  table: Table,
  changes: readonly Change[],
  after: Facts,
  [old, now]: Asked['versions'],
  held: Set<Change>,
): Proposal[] {
  const rows = [byKey(table.rows(old)), byKey(table.rows(now))];
  const left = namesIn(table, after);
  const found = new Map<string, Proposal>();
  for (const change of changes) {
    const { fact, what } = change;
    const row = table.nameOf(fact) ?? '';
    const [had, has] = rows.map((each) => each.get(keyOf({ kind: table.kind, name: row })));
    const value = written(table, fact);
    if (isOurs(table, change, had ?? has) && !(what === 'removed' && left.has(row))) {
      held.add(change);
      const isDone = what === 'removed' ? has === undefined : has !== undefined && (has.value ?? value) === value;
      const proposal = { ...change, row, place: table.place, edit: editOf(table, change, row, now), isDone };
      found.set(row, found.get(row) ?? proposal);
    }
  }
  return topmost([...found.values()]);
}

const written = (table: Table, fact: Fact): string => table.written?.(fact) ?? fact.value;

/** What is new is for the table that holds its kind; what was left out of it before, and has another value now, still is. */
function isOurs(table: Table, { what, fact, before = '' }: Change, known: KnownFact | undefined): boolean {
  switch (what) {
    case 'added':
      return true;
    case 'removed':
      return known !== undefined;
    default:
      return known?.value !== undefined && written(table, { ...fact, value: before }) !== written(table, fact);
  }
}

/** Fields below one that is proposed alike, or of a version of a definition that is, go with it. */
function topmost<T extends { readonly fact: { readonly kind: FactKind }; readonly row: string; readonly what: string }>(
  all: readonly T[],
): T[] {
  const ids = new Set(all.map(({ row, what }) => `${what} ${row}`));
  return all.filter(
    ({ row, what, fact }) => fact.kind !== 'field' || !ids.has(`${what} ${row.replace(/[. ][^. ]+$/, '')}`),
  );
}

function editOf(table: Table, { what, fact, before }: Change, row: string, version: string): string {
  const entry = table.entry?.(fact, version);
  const value = written(table, fact);
  switch (what) {
    case 'removed':
      return `until: '${version}' for ${row}`;
    case 'changed':
      return `${row} is '${value}' since ${version}, and was '${written(table, { ...fact, value: before ?? '' })}'`;
    default:
      return entry ?? `${row}${value ? `: ${value}` : ''}, since ${version}`;
  }
}

function namesIn(table: Table, facts: Facts): Map<string, Fact> {
  const own = [...facts.values()].filter(({ kind }) => kind === table.kind);
  return new Map(own.map((fact) => [table.nameOf(fact) ?? '', fact]));
}

function differencesOf(table: Table, after: Facts, version: string, changes: readonly Change[]): string[] {
  const rows = byKey(table.rows(version));
  const names = namesIn(table, after);
  const changed = new Set(changes.map(({ fact }) => table.nameOf(fact)));
  const untouched = [...rows.values()].filter(({ name }) => !changed.has(name));
  return untouched.flatMap(({ kind, name, value }) => {
    const fact = names.get(name);
    if (!fact) {
      return [`${kind} ${name} is in ${table.place} and not in what was read`];
    }
    const said = written(table, fact);
    return value === undefined || value === said
      ? []
      : [`${kind} ${name} is '${value}' in ${table.place} and '${said}' in ${fact.file}`];
  });
}

/** Rows that the tables of this library changed between two versions; of fields, the topmost. */
export function changedRows(
  product: Product,
  [old, now]: Asked['versions'],
): { kind: FactKind; row: string; place: string }[] {
  const all = product.tables.flatMap(({ kind, place, rows }) => {
    const [before, after] = [byKey(rows(old)), byKey(rows(now))];
    const keys = new Set([...before.keys(), ...after.keys()]);
    return [...keys]
      .filter((key) => before.get(key)?.value !== after.get(key)?.value || before.has(key) !== after.has(key))
      .map((key) => ({
        fact: { kind },
        row: key.slice(kind.length + 1),
        place,
        what: before.has(key) ? 'gone' : 'new',
      }));
  });
  const versions = new Set(
    all.filter(({ fact }) => fact.kind === 'definition').map(({ what, row }) => `${what} ${row}`),
  );
  return topmost(all)
    .filter(({ what, row, fact }) => fact.kind !== 'field' || !versions.has(`${what} ${row.split(' ')[0]}`))
    .map(({ fact, row, place }) => ({ kind: fact.kind, row, place }));
}
