import type { Json } from '../contract/json';
import { annotationsOf } from '../rules/service-json';
import { PRUNE_GUARDS, type PruneGuard } from './pruning.facts';

/** What keeps an object from being pruned by one tool, where its manifest has such. */
export function pruneGuardOf(object: Json): PruneGuard | undefined {
  const annotations = annotationsOf(object);
  return PRUNE_GUARDS.find((guard) => hasMark(annotations, guard));
}

/** Whether an annotation has a value, in a list with commas or alone. */
export function hasMark(
  annotations: Readonly<Record<string, string>>,
  { annotation, value }: { readonly annotation: string; readonly value: string },
): boolean {
  return String(annotations[annotation] ?? '')
    .split(',')
    .some((one) => one.trim().toLowerCase() === value.toLowerCase());
}
