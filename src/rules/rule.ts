import type { Citation } from '../contract/kubernetes.facts';
import type { KubernetesVersion } from '../contract/kubernetes-version';
import type { Json } from '../contract/late-rendering';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import type { ControllerKind } from './controller-kind';

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
  /** The field of `spec` without which the rule has nothing to say; none for rules that always look. */
  readonly on?: string;
  /** Nothing where the rule is kept or does not apply. */
  judge(object: Json, context: RuleContext): Verdict | readonly Verdict[] | undefined;
}

/** Rules in the order in which they are asked, found quickly: most fields are absent from most objects. */
export class RuleBook {
  private readonly always: readonly Rule[];
  private readonly byField = new Map<string, Rule[]>();

  public constructor(public readonly rules: readonly Rule[]) {
    this.always = rules.filter((rule) => rule.on === undefined);
    for (const rule of rules) {
      if (rule.on !== undefined) {
        this.byField.set(rule.on, [...(this.byField.get(rule.on) ?? []), rule]);
      }
    }
  }

  /** Asks every rule that can have something to say. */
  public judge(object: Json, context: RuleContext, who: string, judgement: Judgement): void {
    for (let i = 0; i < this.always.length; i++) {
      judgement.ask(this.always[i], object, context, who);
    }
    if (this.byField.size > 0) {
      for (const field in object.spec) {
        for (const rule of this.byField.get(field) ?? NO_RULES) {
          judgement.ask(rule, object, context, who);
        }
      }
    }
  }
}

const NO_RULES: Rule[] = [];
const NONE: LoadBalancerFinding[] = [];

/** What rules found in one object. */
export class Judgement {
  public errors = NONE;
  public warnings = NONE;

  /** Asks one rule and keeps what it says. */
  public ask(rule: Rule, object: Json, context: RuleContext, who: string): void {
    const said = rule.judge(object, context);
    if (said !== undefined) {
      this.keep(rule, who, Array.isArray(said) ? said : [said as Verdict]);
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
