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
  /** Nothing where the rule is kept or does not apply. */
  judge(object: Json, context: RuleContext): Verdict | readonly Verdict[] | undefined;
}

/** What rules found in one object. */
export interface Judgement {
  readonly errors: LoadBalancerFinding[];
  readonly warnings: LoadBalancerFinding[];
}

/** Runs rules over one object. */
export function judge(object: Json, rules: readonly Rule[], context: RuleContext, who: string): Judgement {
  const judgement: Judgement = { errors: [], warnings: [] };
  for (const rule of rules) {
    const said = rule.judge(object, context);
    if (said) {
      const findings = rule.severity === 'error' ? judgement.errors : judgement.warnings;
      for (const { what, wayOut, value } of Array.isArray(said) ? said : [said as Verdict]) {
        findings.push({ ruleId: rule.id, who, what, wayOut, value });
      }
    }
  }
  return judgement;
}
