import type { AnyAnnotation } from '../contract/annotation-catalogue';
import type { Citation } from '../contract/kubernetes.facts';
import type { KubernetesVersion } from '../contract/kubernetes-version';
import type { Json } from '../contract/late-rendering';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import type { ControllerKind } from './controller-kind';
import { annotationsOf } from './service-json';

/** What a rule says of an object. */
export interface Verdict {
  /** One clause, lower case, no full stop: what cannot be, or will surprise, with the value. */
  readonly what: string;
  /** One clause: what to do instead. */
  readonly wayOut: string;
  /** The offending value as text. */
  readonly value?: string;
}

/** What is known beside the object. */
export interface RuleContext {
  /** The kind of controller that owns the balancer; none where it is unknown or written by a user. */
  readonly kind?: ControllerKind;
  /** The owner itself, with its options; its name is the one in messages. */
  readonly controller?: ILoadBalancerController;
  /** Finalizers that the owner removes, where it is of no kind. */
  readonly ownFinalizers?: readonly string[];
  /** The finished workload that a Service was made for, where there is one. */
  readonly workload?: Json;
  /** The API server that will read the object. */
  readonly kubernetes: KubernetesVersion;
}

/** Judges finished objects, as they are written: who made them does not matter. */
export interface Rule {
  /** Stable, kebab-case. */
  readonly id: string;
  /** An error stops the synth; a warning is told once. */
  readonly severity: 'error' | 'warning';
  /** The rule as a sentence, for the generated docs. */
  readonly says: string;
  /** Where the rule was learnt. */
  readonly source?: Citation;
  /** The field of `spec` without which the rule has nothing to say; without `on` and `reads` it always looks. */
  readonly on?: string;
  /** The annotations of which one must be there for the rule to have something to say. */
  readonly reads?: readonly AnyAnnotation[];
  /** Nothing where the rule is kept or does not apply. */
  judge(object: Json, context: RuleContext): Verdict | readonly Verdict[] | undefined;
}

/**
 * Rules, found quickly by what an object has: most fields and annotations are absent from most objects, and a large app
 * has thousands of them.
 */
export class RuleBook {
  private readonly always: Rule[] = [];
  private readonly byField = new Map<string, Rule[]>();
  private readonly byKey = new Map<string, Rule[]>();
  private readonly byPrefix: [string, Rule][] = [];
  private readonly bySetOfKeys = new Map<string, readonly Rule[]>();

  public constructor(public readonly rules: readonly Rule[]) {
    for (const rule of rules) {
      if (rule.on !== undefined) {
        this.byField.set(rule.on, [...(this.byField.get(rule.on) ?? []), rule]);
      } else if (rule.reads === undefined) {
        this.always.push(rule);
      }
      for (const { fact } of rule.reads ?? []) {
        const [prefix, parameter] = fact.key.split('{');
        if (parameter === undefined) {
          this.byKey.set(fact.key, [...(this.byKey.get(fact.key) ?? []), rule]);
        } else {
          this.byPrefix.push([prefix, rule]);
        }
      }
    }
  }

  /** Asks every rule that can have something to say, each once. */
  public judge(object: Json, context: RuleContext, who: string, judgement: Judgement): void {
    judgement.askAll(this.always, object, context, who);
    if (this.byField.size > 0) {
      for (const field in object.spec) {
        judgement.askAll(this.byField.get(field), object, context, who);
      }
    }
    if (this.byKey.size > 0 || this.byPrefix.length > 0) {
      judgement.askAll(this.rulesFor(annotationsOf(object)), object, context, who);
    }
  }

  /** Objects of one app mostly carry the same few sets of keys: each set is looked up once. */
  private rulesFor(annotations: Record<string, string>): readonly Rule[] {
    let keys = '';
    for (const key in annotations) {
      keys += `${key}\n`;
    }
    let found = this.bySetOfKeys.get(keys);
    if (!found) {
      const reads = new Set(Object.keys(annotations).flatMap((key) => this.rulesOf(key)));
      found = this.rules.filter((rule) => reads.has(rule));
      if (this.bySetOfKeys.size > 1_000) this.bySetOfKeys.clear();
      this.bySetOfKeys.set(keys, found);
    }
    return found;
  }

  private rulesOf(key: string): Rule[] {
    const patterned = this.byPrefix.filter(([prefix]) => key.startsWith(prefix)).map(([, rule]) => rule);
    return [...(this.byKey.get(key) ?? []), ...patterned];
  }
}

const NONE: LoadBalancerFinding[] = [];

/** What rules found in one object. */
export class Judgement {
  public errors = NONE;
  public warnings = NONE;

  /** Asks some rules and keeps what they say. */
  public askAll(rules: readonly Rule[] | undefined, object: Json, context: RuleContext, who: string): void {
    for (let i = 0; rules !== undefined && i < rules.length; i++) {
      const said = rules[i].judge(object, context);
      if (said !== undefined) {
        this.keep(rules[i], who, Array.isArray(said) ? said : [said as Verdict]);
      }
    }
  }

  private keep(rule: Rule, who: string, verdicts: readonly Verdict[]): void {
    if (verdicts.length > 0) {
      const findings = verdicts.map(({ what, wayOut, value }) => ({ ruleId: rule.id, who, what, wayOut, value }));
      const which = rule.severity === 'error' ? 'errors' : 'warnings';
      this[which] = [...this[which], ...findings];
    }
  }
}

const books = new WeakMap<readonly Rule[], RuleBook>();

/** The rule book of a list of rules, made once. */
export function bookOf(rules: readonly Rule[]): RuleBook {
  let book = books.get(rules);
  if (!book) {
    book = new RuleBook(rules);
    books.set(rules, book);
  }
  return book;
}

/** Judges one object by some rules. */
export function judge(object: Json, rules: readonly Rule[], context: RuleContext, who: string): Judgement {
  const judgement = new Judgement();
  bookOf(rules).judge(object, context, who, judgement);
  return judgement;
}
