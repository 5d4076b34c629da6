import type { Json } from '../contract/json';
import { backendsOf, decidingFor, joinedTo, judgeJoined } from '../later/gateway-routes';
import type { EditedKind } from '../rules/edits-of-values';
import type { Manifest } from '../rules/manifest-objects';
import { type IndexedObject, kindAndTitleOf } from '../rules/objects';
import type { Cause } from './balancer-change';
import { isAmong, isAround, type JudgedSides, judgedSides, withEffects } from './findings-on-side';
import { decidedBy, editAmong, goneAmong, interrupted, type Pair, podCauses } from './pod-causes';
import type { Sides } from './side';

// What leaves balancers without pods that lead to Services by routes or bindings.

/**
 * The causes of the balancer of a Gateway, with what leaves it without pods: in the routes at it, and in the Services behind them.
 *
 * @param causes what the edits of these objects do, each by itself
 */
export function withFindingsAtGateway(causes: readonly Cause[], maker: Json | undefined, sides: Sides): Cause[] {
  if (maker?.kind !== 'Gateway') {
    return [...causes];
  }
  const { after } = judgedSides(sides);
  const entry = after.counterpart(after.index.entryOf({ file: '', line: 1, object: maker }));
  const found = (entry ? joinedTo(entry) : []).flatMap((joined) => causesOfJoined(joined, sides));
  return untold(causes, found);
}

function untold(causes: readonly Cause[], found: readonly Cause[]): Cause[] {
  return [...causes, ...found.filter((one) => !causes.some((cause) => isToldBy(cause, one)))];
}

/** Whether a cause is about the same object and field. */
function isToldBy({ outcome, places, path }: Cause, { places: other, path: its }: Cause): boolean {
  const isSame = (side: 'before' | 'after') =>
    places?.[side]?.manifest !== undefined && places[side]?.manifest.object === other?.[side]?.manifest.object;
  return outcome !== 'kept' && (isSame('before') || isSame('after')) && (its.length === 0 || isAround(path, its));
}

/** The causes of a binding, or of a route at a Gateway that is elsewhere, with what leaves it without targets. */
export function withFindingsOfBinding(
  causes: readonly Cause[],
  manifest: Manifest,
  rules: EditedKind['rules'],
  sides: Sides,
): Cause[] {
  const { after } = judgedSides(sides);
  const binding = after.counterpart(after.index.entryOf(manifest));
  return untold(causes, binding ? causesOfJoined(binding, sides, rules) : []);
}

/** What of an object that leads to Services keeps connections from pods: in itself, in what decides of it, and in the Services. */
function causesOfJoined(after: IndexedObject, sides: Sides, rules?: EditedKind['rules']): Cause[] {
  const judged = judgedSides(sides);
  const before = judged.before.counterpart(after);
  if (!before) {
    return [];
  }
  const [old, now] = [before, after].map((one) => {
    const { errors, warnings } = rules ? rules.judge(one.json, { among: one }) : judgeJoined(one);
    return withEffects([...errors, ...warnings], one.json);
  });
  const backends = backendsOf(after).flatMap((backend): Pair[] => {
    const [one, other] = [judged.before, judged.after].map(({ index }) => index.nearest(after, '', 'Service', backend));
    return one ? [{ before: one, after: other }] : [];
  });
  const deciding = [
    { before, after },
    ...decidingFor(after).map((other) => ({ before: judged.before.counterpart(other), after: other })),
    ...decidingFor(before).map((other) => ({ before: other, after: judged.after.counterpart(other) })),
  ];
  const by = rules ? '' : ` by ${kindAndTitleOf(after)}`;
  return [
    ...now
      .filter((finding) => finding.effect === 'no-targets' && !isAmong(finding, old))
      .flatMap((finding) => {
        const edit = editAmong([...deciding, ...backends], decidedBy(finding), judged) ?? goneAmong(deciding, judged);
        const why = `no pod receives connections${by}: ${finding.what}`;
        return edit ? [interrupted(edit, why, finding.remedy, sides)] : [];
      }),
    ...backends.flatMap((backend) => backendCauses(backend, judged, sides)),
  ];
}

function backendCauses(backend: Pair, judged: JudgedSides, sides: Sides): Cause[] {
  const { before, after } = backend;
  if (!before || !after) {
    const edit = goneAmong([backend], judged);
    return edit ? [interrupted(edit, 'no pod receives connections', '', sides)] : [];
  }
  const [old, now] = [judged.before.ofBackend(before), judged.after.ofBackend(after)];
  return podCauses({ before: before.json, after: after.json, old, now, backend }, judged, sides);
}
