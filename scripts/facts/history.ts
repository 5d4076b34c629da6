import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { compareVersions } from '../../src/contract/compare-versions';
import { byKey, FACT_KINDS, type Fact, type FactKind, type Facts, keyOf, Unreadable } from './fact';

/** A value of a fact, and the minor versions that have it. */
export interface Span {
  readonly value: string;
  /** The first minor version with it; unset where the oldest one that was read has it. */
  readonly since?: string;
  /** The first minor version without it. */
  readonly until?: string;
}

/** What is recorded of a product: `facts/<product>.json`. */
interface Recorded {
  readonly repository: string;
  /** The release that was read of each minor version, the oldest first. */
  readonly releases: readonly string[];
  readonly facts: Partial<Record<FactKind, Record<string, Group>>>;
}

/** Facts of one file whose names begin alike: a value, or values with since and until (empty for none). */
type Group = Readonly<Record<string, string | readonly (readonly string[])[]>>;

/** What is between the file of a group and how its names begin. */
const BEGINNING = ' | ';

/** `3.5` of `3.5.0`. */
export const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');

const isBefore = (version: string, other: string): boolean => compareVersions(version, other) < 0;

/** The facts of the releases of a product, minor version by minor version. */
export class History {
  private constructor(
    private readonly repository: string,
    private readonly read: ReadonlyMap<string, Facts>,
  ) {}

  /** What a file has recorded; nothing where there is none yet. */
  public static load(file: string, repository: string): History {
    if (!existsSync(file)) {
      return new History(repository, new Map());
    }
    try {
      return History.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      throw new Unreadable(`${file} is not what this command writes (${(error as Error).message}); restore it`);
    }
  }

  private static parse({ repository, releases, facts }: Recorded): History {
    const all = FACT_KINDS.flatMap((kind) =>
      Object.entries(facts[kind] ?? {}).flatMap(([group, names]) => factsIn(kind, group, names)),
    );
    const read = releases.map((release): [string, Facts] => {
      const minor = minorOf(release);
      const own = all.filter(
        ({ since, until }) => !(since && isBefore(minor, since)) && (!until || isBefore(minor, until)),
      );
      return [release, byKey(own.map(({ kind, name, value, file }) => ({ kind, name, value, file })))];
    });
    return new History(repository, new Map(read));
  }

  /** The releases that were read, the oldest first. */
  public get releases(): readonly string[] {
    return [...this.read.keys()].sort(compareVersions);
  }

  /** The newest release that was read of a minor version before that of another version. */
  public before(version: string): string | undefined {
    return this.releases.filter((release) => isBefore(minorOf(release), minorOf(version))).pop();
  }

  /** The facts of the minor version of a release, and which of its releases was read. */
  public of(version: string): { readonly version: string; readonly facts: Facts } | undefined {
    const release = this.releases.find((each) => minorOf(each) === minorOf(version));
    const facts = release === undefined ? undefined : this.read.get(release);
    return release === undefined || !facts ? undefined : { version: release, facts };
  }

  /** The same with one release more; of a minor version the last one that was read is kept. */
  public with(version: string, facts: Facts): History {
    const others = [...this.read].filter(([release]) => minorOf(release) !== minorOf(version));
    return new History(this.repository, new Map([...others, [version, facts]]));
  }

  /** Values of a name with the minor versions that have them. */
  public spans(kind: FactKind, name: string): Span[] {
    const spans: Span[] = [];
    let last: Fact | undefined;
    for (const release of this.releases) {
      const fact = this.read.get(release)?.get(keyOf({ kind, name }));
      if (last && fact?.value !== last.value) {
        spans.push({ ...(spans.pop() as Span), until: minorOf(release) });
      }
      if (fact && fact.value !== last?.value) {
        spans.push({ value: fact.value, ...(release !== this.releases[0] && { since: minorOf(release) }) });
      }
      last = fact;
    }
    return spans;
  }

  public save(file: string): void {
    const kinds = FACT_KINDS.map((kind) => ({ kind, groups: this.groups(kind) })).filter(
      ({ groups }) => groups.size > 0,
    );
    const body = kinds.map(
      ({ kind, groups }) => `  ${JSON.stringify(kind)}: {\n${[...groups].map(groupText).join(',\n')}\n  }`,
    );
    const head = [`"repository": ${JSON.stringify(this.repository)}`, `"releases": ${JSON.stringify(this.releases)}`];
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `{\n ${head.join(',\n ')},\n "facts": {\n${body.join(',\n')}\n }\n}\n`);
  }

  /** Names with their spans, by file and how they begin; the newest release says in which file they are. */
  private groups(kind: FactKind): Map<string, [string, readonly Span[]][]> {
    const newest = new Map<string, Fact>();
    for (const release of this.releases) {
      for (const fact of this.read.get(release)?.values() ?? []) {
        if (fact.kind === kind) {
          newest.set(fact.name, fact);
        }
      }
    }
    const groups = new Map<string, [string, readonly Span[]][]>();
    for (const { name, file } of [...newest.values()].sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const [, beginning = '', rest] = /^(\S+ )?(.*)$/.exec(name) ?? [];
      const group = `${file}${BEGINNING}${beginning}`;
      groups.set(group, [...(groups.get(group) ?? []), [rest, this.spans(kind, name)]]);
    }
    return groups;
  }
}

function groupText([group, names]: [string, [string, readonly Span[]][]]): string {
  const lines = names.map(([name, spans]) => `    ${JSON.stringify(name)}: ${JSON.stringify(spanned(spans))}`);
  return `   ${JSON.stringify(group)}: {\n${lines.join(',\n')}\n   }`;
}

function spanned(spans: readonly Span[]): Group[string] {
  const [{ value, since, until }] = spans;
  const isPlain = spans.length === 1 && since === undefined && until === undefined;
  return isPlain ? value : spans.map((span) => [span.value, span.since ?? '', ...(span.until ? [span.until] : [])]);
}

function factsIn(kind: FactKind, group: string, names: Group): (Fact & Span)[] {
  const [file, beginning] = group.split(BEGINNING);
  return Object.entries(names).flatMap(([rest, said]) => {
    const spans = typeof said === 'string' ? [[said]] : said;
    return spans.map(([value, since, until]) => ({ kind, name: beginning + rest, file, value, since, until }));
  });
}
