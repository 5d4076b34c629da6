import type { Finding } from '../../contract/finding';
import { isMap, isSet, type Json, list, sorted } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { type DescribedRule, findingOf } from '../../contract/rule';
import { inKeyOrder } from '../../contract/same-value';
import { shown } from '../document/kafka-json';
import { matchesPlan, meansTheSame, same } from './listener-values';

/** What one map is to hold, by who wants it. */
export interface Wanted {
  readonly plan?: Json;
  readonly props?: Json;
}

type Source = keyof Wanted;

/** Who sets what of a listener, for messages. */
export interface ListenerSources {
  /** The name of the listener. */
  readonly name: string;
  /** The owner of the balancers, who refuses what contradicts its plan. */
  readonly owner: string;
  /** How messages call the plan. */
  readonly planner: string;
}

/** A manifest has a listener of the name of the construct's. */
export const LISTENER_OF_ANOTHER_TYPE: DescribedRule = {
  id: 'listener-of-another-type',
  severity: 'error',
  says: 'a listener of a manifest is of the type that its construct makes',
  source: 'ours',
};

/** Annotations and labels of the props beside those of the plan. */
export const PROPS_CONTRADICT_PLAN: DescribedRule = {
  id: 'props-contradict-plan',
  severity: 'error',
  says: 'annotations and labels of props agree with the plan',
  source: 'ours',
};

/** What an adopted listener sets beside props and plan; Services have the same rule. */
export const MANIFEST_CONTRADICTS_PLAN: DescribedRule = {
  id: 'manifest-contradicts-plan',
  severity: 'error',
  says: 'a listener of a manifest agrees with the props and the plan',
  source: 'ours',
};

const CONTRADICTIONS = { manifest: MANIFEST_CONTRADICTS_PLAN, props: PROPS_CONTRADICT_PLAN };

/**
 * Merges maps of a listener, and keeps who contradicts whom: the plan is stronger than the props, and both are stronger than
 * the manifest.
 */
export class ListenerProvenance {
  public readonly contradictions: LoadBalancerFinding[] = [];

  public constructor(private readonly who: ListenerSources) {}

  /** A map with what is wanted in its fields, one by one. */
  public merged(present: unknown, wanted: Wanted, where: string): Json {
    const map = this.mapIn(present, where.slice(0, -1));
    this.compare(wanted, where);
    const { plan = {}, props = {} } = wanted;
    for (const [field, value] of Object.entries<unknown>({ ...props, ...plan })) {
      if (value !== undefined && !matchesPlan(field, map[field], value)) {
        if (isSet(map[field]) && !same(map[field], value)) {
          this.contradict(`${where}${field}`, 'manifest', map[field], field in plan ? 'plan' : 'props', value);
        }
        map[field] = inKeyOrder(value);
      }
    }
    return sorted(map);
  }

  /** Reports where the props set something else than the plan. */
  public compare({ plan = {}, props = {} }: Wanted, where: string): void {
    for (const [field, value] of Object.entries<unknown>(props)) {
      const planned = plan[field];
      if (planned !== undefined && !same(value, planned) && !meansTheSame(field, value, planned)) {
        this.contradict(`${where}${field}`, 'props', value, 'plan', planned);
      }
    }
  }

  /** A copy of a map, to write in; anything else is lost. */
  public mapIn(value: unknown, where: string): Json {
    if (isSet(value) && !isMap(value)) {
      this.misshape(where, value, 'a map');
    }
    return isMap(value) ? { ...value } : {};
  }

  /** A copy of a list, to write in; anything else is lost. */
  public listIn<T>(value: unknown, where: string): T[] {
    if (isSet(value) && !Array.isArray(value)) {
      this.misshape(where, value, 'a list');
    }
    return [...list<T>(value)];
  }

  /** Adds to the list in a field what it does not have. */
  public extend(map: Json, field: string, texts: readonly string[], where: string): void {
    if (texts.length > 0) {
      map[field] = [...new Set([...this.listIn<string>(map[field], `${where}${field}`), ...texts])];
    }
  }

  public contradict(
    where: string,
    from: keyof typeof CONTRADICTIONS,
    value: unknown,
    by: Source,
    wanted: unknown,
  ): void {
    const { planner } = this.who;
    const sets = { manifest: 'the manifest sets', props: 'the props set', plan: `${planner} sets` };
    if (where === 'type') {
      this.report(LISTENER_OF_ANOTHER_TYPE, {
        what: `the manifest sets type ${shown(value)}, and this construct makes a listener of type ${shown(wanted)}`,
        remedy: 'give this one another name, or take the other out of the manifest',
        value: String(value),
      });
    } else {
      this.report(CONTRADICTIONS[from], {
        what: `${sets[from]} ${where} ${shown(value)}, but ${sets[by]} ${wanted === undefined ? 'none' : shown(wanted)}`,
        remedy: `take it out of the ${from}, or request the same`,
        value: shown(value),
      });
    }
  }

  private misshape(where: string, value: unknown, shape: string): void {
    this.report(CONTRADICTIONS.manifest, {
      what: `the manifest sets ${where} ${shown(value)}, which must be ${shape}`,
      remedy: `write ${shape}, or take it out of the manifest`,
      value: shown(value),
    });
  }

  private report(rule: DescribedRule, { what, ...finding }: Finding): void {
    const { name, owner } = this.who;
    this.contradictions.push(findingOf(rule, { what: `listener '${name}': ${what}`, ...finding }, owner));
  }
}
