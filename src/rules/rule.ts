import type { AnyAnnotation } from '../contract/annotation-catalogue';
import type { Json } from '../contract/json';
import type { DescribedRule, Findings } from '../contract/rule';
import type { RuleContext } from './rule-context';

/**
 * Validates finished objects, as they are written: whether a construct made them or a file holds them does not matter.
 *
 * `Context` is what may be known beside the object.
 */
export interface Rule<Context extends object = RuleContext> extends DescribedRule {
  /** Paths of fields, such as `spec.ports`, of which the object must have one. */
  readonly on?: readonly string[];
  /** Annotations of which the object must have one. A rule with neither is always asked. */
  readonly reads?: readonly AnyAnnotation[];
  /** The same for families of annotations: asked once for each set of keys. */
  concerns?(annotations: readonly string[], context: Context): boolean;
  /** What must be known: without it the rule has no answer, and is not asked. */
  readonly needs?: readonly (keyof Context & string)[];
  /** Rules with the same cause: what they find at the same place, or around it, is dropped where this one has found something. */
  readonly supersedes?: readonly string[];
  /** The level in files, if it is lower than in an app: a chart of others is used as it is. */
  readonly levelInFiles?: 'note';
  judge(object: Json, context: Context): Findings;
}
