import type { LoadBalancerFinding } from '../contract/options';
import { type DescribedRule, type Finding, findingOf } from '../contract/rule';
import type { Claim } from './claims';

/** A rule without an answer, and what must be known for one. */
export interface Unknown {
  readonly ruleId: string;
  readonly needs: readonly string[];
}

const NONE: readonly LoadBalancerFinding[] = [];
const NO_UNKNOWNS: readonly Unknown[] = [];

export class Judgement {
  public static of(errors: readonly LoadBalancerFinding[], warnings: readonly LoadBalancerFinding[] = NONE): Judgement {
    return errors.length === 0 && warnings.length === 0 ? NOTHING_FOUND : new Judgement(errors, warnings);
  }

  public constructor(
    public errors: readonly LoadBalancerFinding[] = NONE,
    public warnings: readonly LoadBalancerFinding[] = NONE,
    /** Rules that could not be asked. */
    public readonly unknown: readonly Unknown[] = NO_UNKNOWNS,
    /** What the object claims exclusively; undefined where nothing looked. */
    public claims?: readonly Claim[],
  ) {}

  public keep(rule: DescribedRule, owner: string, findings: readonly Finding[]): void {
    if (findings.length > 0) {
      const which = rule.severity === 'error' ? 'errors' : 'warnings';
      this[which] = [...this[which], ...findings.map((finding) => findingOf(rule, finding, owner))];
    }
  }

  /** What was found in one or the other. */
  public and({ errors, warnings, unknown, claims }: Judgement): Judgement {
    return new Judgement(
      joined(this.errors, errors),
      joined(this.warnings, warnings),
      joined(this.unknown, unknown),
      this.claims && claims ? joined(this.claims, claims) : (this.claims ?? claims),
    );
  }

  /** The same with what the object claims; an empty list says that it claims nothing. */
  public claiming(claims: readonly Claim[]): Judgement {
    return this.and(new Judgement(NONE, NONE, NO_UNKNOWNS, claims));
  }
}

/** Most objects are right. */
export const NOTHING_FOUND = new Judgement();

function joined<T>(some: readonly T[], others: readonly T[]): readonly T[] {
  return others.length === 0 ? some : some.length === 0 ? others : [...some, ...others];
}
