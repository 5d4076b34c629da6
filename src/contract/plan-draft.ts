import { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import type { Annotation, AnyAnnotation, KeyParameters } from './annotation-catalogue';
import type { LoadBalancerRequest } from './load-balancer-request';
import {
  FinalizerPolicy,
  type LoadBalancerFinding,
  type LoadBalancerPlan,
  LoadBalancerWish,
  type Rollout,
} from './options';
import { CANNOT_HONOUR } from './request-rules.facts';
import { type Found, findingOf, type Mistake, messageOf, type WordedRule } from './rule';

/**
 * Target of each member of a value of a request: the entry for it, or for a member that the controller does not
 * have the remedy, with which it is refused.
 */
type MemberEntries<T extends object> = { readonly [M in keyof T]-?: Annotation<NonNullable<T[M]>> | string };

/** Refusal of a controller, as a row of a table: `{{name}}` is a value that the code finds. */
interface Refusal {
  /** One of `LoadBalancerWish`; the whole request without. */
  readonly wish?: string;
  /** Field of the Service that the wish contradicts. */
  readonly at?: string;
  readonly what: string;
  readonly remedy: string;
}

type PlanFields = Omit<
  LoadBalancerPlan,
  'owner' | 'annotations' | 'answers' | 'problems' | 'warnings' | 'finalizers'
> & {
  /** The finalizer that the owner removes by itself; declared unless the request leaves it to the controller. */
  readonly finalizer?: string;
};

const NONE: LoadBalancerFinding[] = [];

/**
 * A plan in the making. A wish that the controller neither honours nor refuses itself is refused by this class: a
 * controller cannot drop a wish by forgetting it.
 */
export class PlanDraft {
  private readonly annotations: Record<string, string>;
  private readonly answers: Record<string, string> = {};
  private problems = NONE;
  private warnings = NONE;
  private refused?: Set<string>;

  /** @param annotations those that the controller's options have fixed already */
  public constructor(
    private readonly owner: string,
    private readonly request: LoadBalancerRequest,
    annotations: Readonly<Record<string, string>> = {},
  ) {
    this.annotations = { ...annotations };
  }

  /** Writes an annotation for a wish. An option with another value for the same key is a problem. */
  public annotate<T>(
    wish: LoadBalancerWish | undefined,
    entry: Annotation<T>,
    value: T,
    parameters?: KeyParameters,
  ): void {
    let text: string;
    try {
      text = entry.encode(value);
    } catch (error) {
      this.refuse(wish, {
        what: `${(error as Error).message}`,
        remedy: `use ${entry.fact.codec.says}`,
        value: String(value),
      });
      return;
    }
    const key = entry.key(parameters);
    const before = this.annotations[key];
    if (before !== undefined && before !== text) {
      this.refuse(wish, {
        what: `${wish ?? key} asks for '${text}', but the controller's option ${entry.fact.option ?? key} is already '${before}'`,
        remedy: 'set it in one place',
        value: text,
      });
      return;
    }
    this.annotations[key] = text;
    if (wish) {
      this.honour(wish, `${key}: ${text}`);
    }
  }

  /**
   * Writes every member of a value for a wish, such as a health check. The compiler asks for an entry, or a remedy, for
   * each member that there is, so that none is dropped.
   */
  public annotateEach<T extends object>(wish: LoadBalancerWish, value: T, entries: MemberEntries<T>): void {
    for (const member of Object.keys(entries) as (keyof T & string)[]) {
      const entry: AnyAnnotation | string = entries[member];
      const wanted = value[member];
      if (wanted === undefined) {
        continue;
      }
      if (typeof entry === 'string') {
        const text = textOf(wanted);
        this.refuse(wish, { what: `${wish}.${member} cannot be set, with value ${text}`, remedy: entry, value: text });
      } else {
        this.annotate(wish, entry, wanted);
      }
    }
  }

  public get written(): Readonly<Record<string, string>> {
    return { ...this.annotations };
  }

  public has<T>(entry: Annotation<T>): boolean {
    return entry.key() in this.annotations;
  }

  /**
   * True if an option has already written a time that is long enough; one that is not is refused.
   * @param seconds what the wish needs
   */
  public isAtLeast(wish: LoadBalancerWish, entry: Annotation<Duration>, seconds: number): boolean {
    const own = entry.on(this.annotations)?.toSeconds();
    if (own !== undefined && own < seconds) {
      this.refuse(wish, tooShort(wish, entry.fact.option ?? entry.key(), own, seconds));
    }
    return own !== undefined;
  }

  public honour(wish: LoadBalancerWish, means: string): void {
    this.answers[wish] = this.answers[wish] ? `${this.answers[wish]}, ${means}` : means;
  }

  /** The same for the wishes among some that the request has. */
  public honourIf(means: Partial<Readonly<Record<LoadBalancerWish, string>>>): void {
    for (const [wish, by] of Object.entries(means)) {
      if (this.request.wishes.includes(wish as LoadBalancerWish)) {
        this.honour(wish as LoadBalancerWish, by);
      }
    }
  }

  /** A wish that cannot be honoured: an error at synth. */
  public refuse(wish: LoadBalancerWish | undefined, finding: Mistake): void {
    if (wish) {
      this.refused ??= new Set();
      this.refused.add(wish);
    }
    this.problems = [...this.problems, { ...findingOf(CANNOT_HONOUR, finding, this.owner), wish }];
  }

  public refuseBy({ wish, ...row }: Refusal, found: Found = {}): void {
    this.refuse(wish as LoadBalancerWish | undefined, messageOf(row, found));
  }

  /** A wish that is honoured in part, or will surprise: by a rule that the definition of the controller names in `reports`. */
  public warn(wish: LoadBalancerWish | undefined, rule: WordedRule, found: Found | Mistake): void {
    this.warnings = [...this.warnings, { ...findingOf(rule, found, this.owner), wish }];
  }

  public done(fields: PlanFields): LoadBalancerPlan {
    for (const wish of this.request.wishes) {
      if (this.answers[wish] === undefined && !this.refused?.has(wish)) {
        const value = wishAsText(this.request, wish);
        this.refuse(wish, {
          what: `${wish} cannot be honoured, with value ${value}`,
          remedy: 'leave it out, or choose a controller that can do it',
          value,
        });
      }
    }
    const { finalizer, ...decided } = fields;
    const declared = finalizer !== undefined && this.request.finalizerPolicy !== FinalizerPolicy.LEAVE_TO_CONTROLLER;
    return {
      owner: this.owner,
      finalizers: declared ? [finalizer] : [],
      annotations: this.annotations,
      ...decided,
      answers: this.answers,
      problems: this.problems,
      warnings: this.warnings,
    };
  }
}

export function tooShort(wish: LoadBalancerWish, option: string, own: number, needed: number): Mistake {
  return {
    what: `${wish} needs ${needed} s, but the controller's option ${option} is already ${own} s`,
    remedy: `leave the option out, or set it to ${needed} s`,
    value: String(own),
  };
}

export function wishAsText(request: LoadBalancerRequest, wish: string): string {
  if (wish === LoadBalancerWish.PROTOCOLS) {
    return request.protocols.join(' and ');
  }
  const value = (request as unknown as Record<string, unknown>)[wish];
  if (wish === LoadBalancerWish.BACKEND_NODES) {
    return request.backendNodes?.name ?? '';
  }
  if (wish === LoadBalancerWish.ROLLOUT) {
    return rolloutAsText(request.rollout);
  }
  return textOf(value);
}

/** Constructs have no text, and refer to each other. */
function rolloutAsText(rollout: Rollout = {}): string {
  const said = Object.entries(rollout)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (Construct.isConstruct(value) ? `${name} ${value.node.path}` : `${name} ${textOf(value)}`));
  return said.length > 0 ? said.join(', ') : '{}';
}

export function textOf(value: unknown): string {
  if (value instanceof Duration) {
    return `${value.toSeconds({ integral: false })} s`;
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
