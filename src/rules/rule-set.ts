import { isMap, type Json } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/options';
import { findingOf, findingsIn } from '../contract/rule';
import { Judgement, NOTHING_FOUND, type Unknown } from './judgement';
import type { Rule } from './rule';
import type { RuleContext } from './rule-context';
import { annotationsOf } from './service-json';

/** A set of keys, reached key by key, and the rules that may find something in objects with these keys. */
class KeySet<Context extends object> {
  private readonly more = new Map<string, KeySet<Context>>();
  public rules?: readonly IndexedRule<Context>[];

  public with(key: string): KeySet<Context> {
    let next = this.more.get(key);
    if (!next) {
      next = new KeySet();
      this.more.set(key, next);
    }
    return next;
  }
}

interface IndexedRule<Context extends object> {
  readonly rule: Rule<Context>;
  /** Paths below the indexed keys, of which the object must have one. */
  readonly deep?: readonly (readonly string[])[];
}

/** What is known of a rule without asking it. */
export type KnownRule = Omit<Rule<never>, 'judge' | 'concerns' | 'needs'>;

interface Found<Context extends object> {
  readonly rule: Rule<Context>;
  readonly finding: LoadBalancerFinding;
}

/**
 * Runs rules, the one way in which rules run. Most fields and annotations are absent from most objects, and the objects of a
 * large app mostly have the same few sets of keys: the rules for each set are looked up once.
 *
 * The index is for contexts with the same answer to `concerns`: make a set for each controller.
 */
export class RuleSet<Context extends object = RuleContext> {
  /** The rules with an id, of all sets: what a rule reads says where its findings are. */
  public static withId(id: string): readonly KnownRule[] {
    return [...(BY_ID.get(id) ?? [])];
  }

  private keySets = new KeySet<Context>();
  private known = 0;

  /**
   * @param rules the rules, in the order of their findings
   * @param who who reports what a rule has no name for
   */
  public constructor(
    public readonly rules: readonly Rule<Context>[],
    private readonly who = '',
  ) {
    for (const rule of rules) {
      BY_ID.set(rule.id, (BY_ID.get(rule.id) ?? new Set()).add(rule));
    }
  }

  /**
   * Asks every rule that can find something.
   *
   * @param object a finished object
   * @param context what is known beside it
   * @param who who reports what a rule has no name for, where it is not the one of the set
   */
  public judge(object: Json, context: Context, who = this.who): Judgement {
    let found: Found<Context>[] | undefined;
    let unknown: Unknown[] | undefined;
    const rules = this.rulesFor(object, context);
    for (let i = 0; i < rules.length; i++) {
      const { rule, deep } = rules[i];
      if (deep !== undefined && !deep.some((path) => has(object, path))) {
        continue;
      }
      const missing = rule.needs?.filter((need) => context[need] === undefined);
      if (missing !== undefined && missing.length > 0) {
        unknown = [...(unknown ?? []), { ruleId: rule.id, needs: missing }];
        continue;
      }
      const findings = rule.judge(object, context);
      if (findings !== undefined) {
        found ??= [];
        for (const finding of findingsIn(findings)) {
          found.push({ rule, finding: findingOf(rule, finding, who) });
        }
      }
    }
    return found || unknown ? judgementOf(found ?? [], unknown) : NOTHING_FOUND;
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

function judgementOf<Context extends object>(
  found: readonly Found<Context>[],
  unknown?: readonly Unknown[],
): Judgement {
  const kept = found.some(({ rule }) => rule.supersedes) ? withoutSuperseded(found) : found;
  const of = (severity: string) => kept.filter(({ rule }) => rule.severity === severity).map(({ finding }) => finding);
  return new Judgement(of('error'), of('warning'), unknown);
}

function withoutSuperseded<Context extends object>(found: readonly Found<Context>[]): readonly Found<Context>[] {
  return found.filter(
    ({ finding }) =>
      !found.some(
        ({ rule, finding: { at } }) =>
          rule.supersedes?.includes(finding.ruleId) === true && isAtOnePlace(at, finding.at),
      ),
  );
}

function isAtOnePlace(at: string | undefined, superseded: string | undefined): boolean {
  return at === undefined || superseded === undefined || `${at}/`.startsWith(`${superseded}/`);
}
