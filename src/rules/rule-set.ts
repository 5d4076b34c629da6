import type { AnyAnnotation } from '../contract/annotation-catalogue';
import { cachedIn, isMap, type Json, pointer } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import type { LoadBalancerFinding } from '../contract/options';
import {
  type DescribedRule,
  type Finding,
  type Found,
  findingOf,
  findingsIn,
  type Messages,
  type Mistake,
  messageOf,
  nearest,
} from '../contract/rule';
import type { Claim } from './claims';
import { DESCRIBED_RULES } from './described-rules.facts';
import type { Rule, RuleContext } from './rule';
import { annotationsOf } from './service-json';

/** A rule without an answer, and what must be known for one. */
export interface Unknown {
  readonly ruleId: string;
  readonly needs: readonly string[];
}

const NONE: readonly LoadBalancerFinding[] = [];
const NO_UNKNOWNS: readonly Unknown[] = [];

export class CheckResult {
  public static of(
    errors: readonly LoadBalancerFinding[],
    warnings: readonly LoadBalancerFinding[] = NONE,
  ): CheckResult {
    return errors.length === 0 && warnings.length === 0 ? NOTHING_FOUND : new CheckResult(errors, warnings);
  }

  public constructor(
    public errors: readonly LoadBalancerFinding[] = NONE,
    public warnings: readonly LoadBalancerFinding[] = NONE,
    public readonly unknown: readonly Unknown[] = NO_UNKNOWNS,
    /** Exclusive claims of the object; undefined if they were not computed. */
    public claims?: readonly Claim[],
  ) {}

  public keep(rule: DescribedRule, owner: string, findings: readonly Finding[]): void {
    if (findings.length > 0) {
      const which = rule.severity === 'error' ? 'errors' : 'warnings';
      this[which] = [...this[which], ...findings.map((finding) => findingOf(rule, finding, owner))];
    }
  }

  public and({ errors, warnings, unknown, claims }: CheckResult): CheckResult {
    return new CheckResult(
      joined(this.errors, errors),
      joined(this.warnings, warnings),
      joined(this.unknown, unknown),
      this.claims && claims ? joined(this.claims, claims) : (this.claims ?? claims),
    );
  }

  /** Returns a copy with the claims of the object: an empty list if it claims nothing. */
  public claiming(claims: readonly Claim[]): CheckResult {
    return this.and(new CheckResult(NONE, NONE, NO_UNKNOWNS, claims));
  }
}

export const NOTHING_FOUND = new CheckResult();

export function changed(
  { errors, warnings, unknown, claims }: CheckResult,
  change: (finding: LoadBalancerFinding) => LoadBalancerFinding | undefined,
): CheckResult {
  const [wrong, odd] = [errors, warnings].map((found) => found.flatMap((one) => change(one) ?? []));
  return new CheckResult(wrong, odd, unknown, claims);
}

function joined<T>(some: readonly T[], others: readonly T[]): readonly T[] {
  return others.length === 0 ? some : some.length === 0 ? others : [...some, ...others];
}

/** A trie over the keys of an object in their order; a leaf has the rules that may find something in it. */
class KeySet<Context extends object> {
  private readonly more = new Map<string, KeySet<Context>>();
  public rules?: readonly IndexedRule<Context>[];

  public with(key: string): KeySet<Context> {
    return cachedIn(this.more, key, () => new KeySet());
  }
}

interface IndexedRule<Context extends object> {
  readonly rule: Rule<Context>;
  /** Paths below the indexed keys, of which the object must have one. */
  readonly deep?: readonly (readonly string[])[];
}

export type KnownRule = Omit<Rule<never>, 'check' | 'concerns' | 'needs'> & { readonly at?: string };

interface FoundByRule<Context extends object> {
  readonly rule: Rule<Context>;
  readonly finding: LoadBalancerFinding;
}

/**
 * Runs rules, the one way in which rules run. Most fields and annotations are absent from most objects, and the objects
 * of a large app mostly have the same few sets of keys: the rules for each set are looked up once. The index is for
 * contexts with the same answer to `concerns`: make a set for each controller.
 */
export class RuleSet<Context extends object = RuleContext> {
  public static withId(id: string): readonly KnownRule[] {
    return [...(BY_ID.get(id) ?? [])];
  }

  private keySets = new KeySet<Context>();
  private known = 0;

  public constructor(
    public readonly rules: readonly Rule<Context>[],
    private readonly who = '',
  ) {
    for (const rule of rules) {
      cachedIn(BY_ID, rule.id, () => new Set()).add(rule);
    }
  }

  /**
   * Asks every rule that can find something.
   * @param who who reports what a rule has no name for, where it is not the one of the set
   */
  public check(object: Json, context: Context, who = this.who): CheckResult {
    let found: FoundByRule<Context>[] | undefined;
    let unknown: Unknown[] | undefined;
    const rules = this.rulesFor(object, context);
    const isKnown = (need: keyof Context) => context[need] !== undefined;
    for (let i = 0; i < rules.length; i++) {
      const { rule, deep } = rules[i];
      if (deep !== undefined && !deep.some((path) => has(object, path))) {
        continue;
      }
      if (rule.needs?.every(isKnown) === false) {
        unknown = [...(unknown ?? []), { ruleId: rule.id, needs: rule.needs.filter((need) => !isKnown(need)) }];
        continue;
      }
      const findings = rule.check(object, context);
      if (findings !== undefined) {
        found ??= [];
        for (const finding of findingsIn(findings)) {
          found.push({ rule, finding: findingOf(rule, finding, who) });
        }
      }
    }
    return found || unknown ? resultOf(found ?? [], unknown) : NOTHING_FOUND;
  }

  private rulesFor(object: Json, context: Context): readonly IndexedRule<Context>[] {
    const annotations = annotationsOf(object);
    let keys = this.keySets;
    for (const key in object) {
      keys = keys.with(key);
    }
    keys = keys.with('spec:');
    for (const key in object.spec) {
      keys = keys.with(key);
    }
    keys = keys.with('annotations:');
    for (const key in annotations) {
      keys = keys.with(key);
    }
    if (!keys.rules) {
      keys.rules = this.indexed(object, Object.keys(annotations), context);
      if (++this.known > 1_000) {
        this.known = 0;
        this.keySets = new KeySet();
      }
    }
    return keys.rules;
  }

  private indexed(object: Json, annotations: readonly string[], context: Context): IndexedRule<Context>[] {
    return this.rules.flatMap((rule): IndexedRule<Context>[] => {
      if (rule.concerns) {
        return rule.concerns(annotations, context) ? [{ rule }] : [];
      }
      const { on = [], reads = [] } = rule;
      const isRead = reads.some((entry) => annotations.some((key) => entry.match(key) !== undefined));
      if (isRead || (!rule.on && !rule.reads)) {
        return [{ rule }];
      }
      const possible = on.map((path) => path.split('.')).filter((path) => has(object, indexable(path)));
      if (possible.length === 0) {
        return [];
      }
      return [possible.some((path) => path.length === indexable(path).length) ? { rule } : { rule, deep: possible }];
    });
  }
}

const BY_ID = new Map<string, Set<KnownRule>>();

function indexable(path: readonly string[]): readonly string[] {
  return path[0] === 'spec' ? path.slice(0, 2) : path.slice(0, 1);
}

function has(object: Json, path: readonly string[]): boolean {
  let value: unknown = object;
  for (const key of path) {
    if (!isMap(value) || !(key in value)) {
      return false;
    }
    value = value[key];
  }
  return true;
}

function resultOf<Context extends object>(
  found: readonly FoundByRule<Context>[],
  unknown?: readonly Unknown[],
): CheckResult {
  const kept = found.some(({ rule }) => rule.supersedes) ? withoutSuperseded(found) : found;
  const of = (severity: string) => kept.filter(({ rule }) => rule.severity === severity).map(({ finding }) => finding);
  return new CheckResult(of('error'), of('warning'), unknown);
}

function withoutSuperseded<Context extends object>(
  found: readonly FoundByRule<Context>[],
): readonly FoundByRule<Context>[] {
  return found.filter(
    ({ finding }) =>
      !found.some(
        ({ rule, finding: { at } }) =>
          rule.supersedes?.includes(finding.ruleId) === true && (at === '' || `${at}/`.startsWith(`${finding.at}/`)),
      ),
  );
}

export interface RuleRow
  extends Omit<DescribedRule, 'id'>,
    Messages,
    Pick<Rule, 'kinds' | 'on' | 'supersedes' | 'levelInFiles'> {
  /** The file of the source, if it is another one. */
  readonly file?: string;
  readonly reads?: readonly string[];
  readonly needs?: readonly string[];
}

/** Faults of an object: values for the messages of a row, or whole findings. */
export type Find<Reading, Context> = (
  reading: Reading,
  object: Json,
  context: Context,
) => Found | Mistake | readonly (Found | Mistake | undefined)[] | undefined | null | false | '' | 0;

type Entries = AnyAnnotation | readonly AnyAnnotation[] | Readonly<Record<string, AnyAnnotation>>;

interface RuleTable<Rows, Reading, Context extends object> {
  readonly rows: Rows;
  readonly source?: Citation;
  /** The annotations that rows name, one by one, with all spellings, or in groups. */
  readonly catalogue?: Readonly<Record<string, Entries>>;
  read(object: Json, context: Context): Reading;
  readonly finds: { readonly [Id in keyof Rows]: Find<Reading, Context> };
  /** Rows that are asked for some sets of annotations only. */
  readonly concerns?: { readonly [Id in keyof Rows]?: Rule<Context>['concerns'] };
  readonly after?: { readonly [Id in keyof Rows]?: readonly Rule<Context>[] };
}

export function rulesOf<Rows extends object, Reading, Context extends object = RuleContext>({
  rows,
  source,
  catalogue = {},
  read,
  finds,
  concerns,
  after,
}: RuleTable<Rows, Reading, Context>): Rule<Context>[] {
  // the rules of a table are asked one after the other for one object
  let last: { readonly object: Json; readonly context: Context; readonly reading: Reading } | undefined;
  const readingOf = (object: Json, context: Context) => {
    if (last?.object !== object || last.context !== context) {
      last = { object, context, reading: read(object, context) };
    }
    return last.reading;
  };
  return (Object.entries(rows) as [keyof Rows & string, RuleRow][]).flatMap(([id, row]) => {
    const { file, what, remedy, cases, reads, source: of = source, ...rule } = row;
    const find = finds[id];
    const checked = {
      ...rule,
      source: file === undefined || typeof of === 'string' ? of : ({ ...of, file } as Citation),
      ...(reads && { reads: reads.flatMap((name) => entriesIn(catalogue[name])) }),
      ...(concerns?.[id] && { concerns: concerns[id] }),
      id,
      check: (object: Json, context: Context) => {
        const found = find(readingOf(object, context), object, context);
        const isNone = !found || (Array.isArray(found) && !found.some(Boolean));
        return isNone
          ? undefined
          : [found]
              .flat()
              .flatMap((one) =>
                one ? [{ at: row.at ?? defaultPlaceOf(checked, object), ...messageOf(row, one) }] : [],
              );
      },
    };
    return [checked as Rule<Context>, ...(after?.[id] ?? [])];
  });
}

/** The place of findings that name no other one: the first annotation, or else the first field, that the rule is about. */
function defaultPlaceOf({ reads = [], on = [] }: Pick<Rule, 'reads' | 'on'>, object: Json): string {
  const keys = Object.keys(annotationsOf(object));
  const key = reads.flatMap((entry) => keys.find((one) => entry.match(one) !== undefined) ?? [])[0];
  const field = on.find((path) => has(object, path.split('.')));
  return key === undefined
    ? field === undefined
      ? ''
      : `/${field.replaceAll('.', '/')}`
    : pointer('/metadata/annotations', key);
}

const entriesIn = (entries: Entries): readonly AnyAnnotation[] =>
  'fact' in entries ? [entries as AnyAnnotation] : Object.values(entries);

export const ruleIds = () => [...new Set(DESCRIBED_RULES.match(/^[a-z0-9-]+(?= \| )/gm))].sort();

export const isRule = (id: string) => /^[a-z0-9-]+$/.test(id) && DESCRIBED_RULES.includes(`\n${id} | `);

/** True if a check of files can find it; constructs alone ask some rules. */
export const isFoundInFiles = (id: string) =>
  new RegExp(`^${id} [|] .* [|] (file|note)s\\b`, 'm').test(DESCRIBED_RULES);

export const ruleLike = (id: string) => nearest(id, ruleIds());
