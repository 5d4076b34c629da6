import type { AnyAnnotation } from '../contract/annotation-catalogue';
import type { Finding } from '../contract/finding';
import { isMap, type Json } from '../contract/json';
import type { KubernetesVersion } from '../contract/kubernetes-version';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import type { NodePool } from '../contract/node-pool';
import type { DescribedRule, RuleOf } from '../contract/rule-of';
import type { Claim } from './claims';
import type { ControllerDefinition } from './controller-definition';
import { annotationsOf } from './service-json';

export type { Finding };

/** What is known beside the object. */
export interface RuleContext {
  /** The kind of controller that owns the balancer; none where it is unknown or written by a user. */
  readonly kind?: ControllerDefinition;
  /** The owner itself, with its options; its name is the one in messages. */
  readonly controller?: ILoadBalancerController;
  /** Finalizers that the owner removes, where it is of no kind. */
  readonly ownFinalizers?: readonly string[];
  /** The finished workload that a Service was made for, where there is one. */
  readonly workload?: Json;
  /** The specs of the pods behind a Service, as far as they are known to say on which nodes they run. */
  readonly pods?: readonly Json[];
  /** The node pool that is wished for as the backend, or else the one that the pods are pinned to. */
  readonly nodePool?: NodePool;
  /** The Services of a name and namespace that will be beside the object; nothing where nobody can tell. */
  readonly beside?: (name: string, namespace: unknown) => readonly Json[];
  /** The API server that will read the object. */
  readonly kubernetes: KubernetesVersion;
  /** All controllers that run in the cluster; unset where that is not known. */
  readonly controllers?: readonly ILoadBalancerController[];
  /** Whether the writer of the object is known to leave finalizers that it does not declare. */
  readonly keepsForeignFinalizers?: boolean;
}

/** Judges finished objects, as they are written: who made them does not matter. */
export interface Rule extends RuleOf<[object: Json, context: RuleContext]> {
  /** The fields of `spec` of which one must be there for the rule to have something to say. */
  readonly on?: readonly string[];
  /** The same of annotations. A rule with neither always looks. */
  readonly reads?: readonly AnyAnnotation[];
  /**
   * Whether the rule can have something to say of objects with these annotations, whatever their values: asked once for
   * each set of keys.
   */
  concerns?(keys: readonly string[], kind: ControllerDefinition | undefined): boolean;
}

/** A set of keys, reached key by key, and the rules that can have something to say of objects with these keys. */
class KeySet {
  private readonly more = new Map<string, KeySet>();
  public rules?: readonly Rule[];

  public with(key: string): KeySet {
    let next = this.more.get(key);
    if (!next) {
      next = new KeySet();
      this.more.set(key, next);
    }
    return next;
  }
}

/**
 * Rules, found quickly by what an object has: most fields and annotations are absent from most objects, and a large app
 * has thousands of them. Objects of one app mostly have the same few sets of keys: each set is looked up once.
 */
export class RuleSet {
  private keySets = new KeySet();
  private known = 0;

  public constructor(
    public readonly rules: readonly Rule[],
    private readonly kind?: ControllerDefinition,
  ) {}

  /** Asks every rule that can have something to say, in their order. */
  public judge(object: Json, context: RuleContext, who: string): Judgement {
    let judgement = NOTHING_FOUND;
    const rules = this.rulesFor(object);
    for (let i = 0; i < rules.length; i++) {
      const said = rules[i].judge(object, context);
      if (said !== undefined) {
        judgement = judgement === NOTHING_FOUND ? new Judgement() : judgement;
        judgement.keep(rules[i], who, Array.isArray(said) ? said : [said as Finding]);
      }
    }
    return judgement;
  }

  private rulesFor(object: Json): readonly Rule[] {
    const { spec } = object;
    const annotations = annotationsOf(object);
    let keys = this.keySets;
    for (const key in spec) {
      keys = keys.with(key);
    }
    for (const key in annotations) {
      keys = keys.with(key);
    }
    if (!keys.rules) {
      keys.rules = this.rules.filter((rule) => applies(rule, spec, Object.keys(annotations), this.kind));
      if (++this.known > 1_000) {
        this.known = 0;
        this.keySets = new KeySet();
      }
    }
    return keys.rules;
  }
}

function applies(rule: Rule, spec: unknown, keys: readonly string[], kind: ControllerDefinition | undefined): boolean {
  const { on, reads } = rule;
  if (rule.concerns) {
    return rule.concerns(keys, kind);
  }
  return (
    (on === undefined && reads === undefined) ||
    on?.some((field) => isMap(spec) && field in spec) === true ||
    reads?.some((entry) => keys.some((key) => entry.match(key) !== undefined)) === true
  );
}

const NONE: LoadBalancerFinding[] = [];

/** What rules found in one object. */
export class Judgement {
  public errors = NONE;
  public warnings = NONE;
  /** What the object has for itself; nothing where nobody looked. */
  public claims?: readonly Claim[];

  /** Keeps what a rule said. */
  public keep(rule: DescribedRule, owner: string, verdicts: readonly Finding[]): void {
    if (verdicts.length > 0) {
      const common = { ruleId: rule.id, who: rule.who ?? owner };
      const findings = verdicts.map(({ what, remedy, value }) => ({ ...common, what, remedy, value }));
      const which = rule.severity === 'error' ? 'errors' : 'warnings';
      this[which] = [...this[which], ...findings];
    }
  }

  /** What was found in one or the other. */
  public and({ errors, warnings, claims }: Judgement): Judgement {
    const both = new Judgement();
    both.errors = [...this.errors, ...errors];
    both.warnings = [...this.warnings, ...warnings];
    both.claims = this.claims && claims ? [...this.claims, ...claims] : (this.claims ?? claims);
    return both;
  }

  /** The same with what the object claims. */
  public claiming(claims: readonly Claim[]): Judgement {
    const judgement = new Judgement();
    judgement.claims = claims;
    return claims.length === 0 ? this : this.and(judgement);
  }
}

/** Most objects are right. */
const NOTHING_FOUND = new Judgement();

/** Judges one object by some rules. */
export function judge(object: Json, rules: readonly Rule[], context: RuleContext, who: string): Judgement {
  return new RuleSet(rules, context.kind).judge(object, context, who);
}
