import { isMap, isSet, type Json, mapIn, printable, unquoted } from '../contract/json';
import type { YamlPath } from '../contract/kubernetes-yaml';
import { backendsOf, decidingFor, isTaken, joinedTo, judgeJoined } from '../predicted/gateway-relations';
import type { EditedKind } from '../rules/controller-definition';
import type { Manifest } from '../rules/manifest-objects';
import { type IndexedObject, kindAndTitleOf } from '../rules/objects';
import { annotationOrField, type Effect, placesAt, textOf } from './effect';
import {
  type EffectFinding,
  isAmong,
  isAround,
  rulesOf,
  type ValidatedSide,
  type ValidatedSides,
  validatedSides,
  withEffects,
} from './findings';
import { NAME } from './pairs';
import type { Sides } from './side';

// Edits that leave a Service without pods: of the Service, of its workloads, or of what is beside them.

interface ObjectPair {
  readonly before?: IndexedObject;
  readonly after?: IndexedObject;
}

interface FoundPods {
  readonly before: Json;
  readonly after: Json;
  readonly old: readonly EffectFinding[];
  readonly now: readonly EffectFinding[];
  readonly backend?: ObjectPair;
}

export function podEffects({ before, after, old, now, backend }: FoundPods, sides: Sides): Effect[] {
  const judged = validatedSides(sides);
  const [had, has] = [judged.before.behind(before), judged.after.behind(after)];
  if (had.length === 0) {
    return [];
  }
  const workloads = pairsOf([...had, ...has], judged);
  const own = [backend ?? { before: entryOf(before, judged.before), after: entryOf(after, judged.after) }];
  if (has.length > 0) {
    return freshEffects(now, old, '', sides, (isIt) => {
      const edit = editAmong(workloads, isIt, judged) ?? editAmong(own, isIt, judged, !backend);
      return edit ?? goneAmong(workloads, judged);
    });
  }
  const labels = mapIn(mapIn(after, 'spec'), 'selector');
  const isLabel = (path: YamlPath) => path.at(-2) === 'labels' && Object.hasOwn(labels, String(path.at(-1)));
  const edit =
    editAmong(workloads, isLabel, judged) ??
    editAmong(own, (path) => path[1] === 'selector', judged, !backend) ??
    goneAmong(workloads, judged);
  const selector = Object.entries(labels).map(([key, value]) => `${key}=${unquoted(value)}`);
  const why = `no pod receives connections: no workload has pods with ${selector.join(', ')} any more`;
  return interrupted(edit, why, 'select a label that the pods keep, or keep the pods', sides);
}

function freshEffects(
  now: readonly EffectFinding[],
  old: readonly EffectFinding[],
  by: string,
  sides: Sides,
  editOf: (isIt: (path: YamlPath) => boolean) => Edit | undefined,
): Effect[] {
  return now
    .filter((finding) => finding.effect === 'no-targets' && !isAmong(finding, old))
    .flatMap((finding) => {
      const why = `no pod receives connections${by}: ${finding.what}`;
      return interrupted(editOf(decidedBy(finding)), why, finding.remedy, sides);
    });
}

function entryOf(service: Json, side: ValidatedSide): IndexedObject {
  return side.index.entryOf({ file: '', line: 1, object: service });
}

/** Objects with their counterparts; what came in the place of what is gone is compared with it. */
function pairsOf(manifests: readonly Manifest[], judged: ValidatedSides): ObjectPair[] {
  const pairs = manifests.map((manifest) => {
    const entry = judged.after.index.entryOf(manifest);
    return { before: judged.before.counterpart(entry), after: judged.after.counterpart(entry) };
  });
  const unique = pairs.filter(
    (pair, i) => pairs.findIndex((one) => one.before === pair.before && one.after === pair.after) === i,
  );
  const [gone, come] = [unique.filter(({ after }) => !after), unique.filter(({ before }) => !before)];
  return gone.length === 1 && come.length === 1
    ? [
        ...unique.filter((pair) => pair !== gone[0] && pair !== come[0]),
        { before: gone[0].before, after: come[0].after },
      ]
    : unique;
}

function decidedBy(finding: EffectFinding): (path: YamlPath) => boolean {
  const names = rulesOf(finding).flatMap((rule) => rule.decidedBy ?? []);
  return (path) => {
    const field = path.join('.');
    return names.some((name) => field === name || field.startsWith(`${name}.`) || path.includes(name));
  };
}

type Edit = Pick<Effect, 'field' | 'path' | 'from' | 'to' | 'places'> & { readonly gone?: string };

function editAmong(
  pairs: readonly ObjectPair[],
  isIt: (path: YamlPath) => boolean,
  judged: ValidatedSides,
  isOwn = false,
): Edit | undefined {
  for (const { before, after } of pairs) {
    const leaves = before && after ? [...differences(before.json, after.json)].filter(({ path }) => isIt(path)) : [];
    const leaf =
      leaves.find(({ from, to }) => isSet(from) && isSet(to)) ?? leaves.find(({ to }) => isSet(to)) ?? leaves[0];
    if (leaf && before && after) {
      const { path, from, to } = leaf;
      const title = isOwn ? '' : `${kindAndTitleOf(after)}, `;
      const [one, other] = [judged.before.manifestOf(before), judged.after.manifestOf(after)];
      return {
        field: printable(`${title}${annotationOrField(path)}`),
        path,
        from: textOf(from, to),
        to: textOf(to, from),
        ...(!isOwn && { places: placesAt(one, other, path) }),
      };
    }
  }
  return undefined;
}

function goneAmong(pairs: readonly ObjectPair[], judged: ValidatedSides): Edit | undefined {
  const gone = pairs.find(({ before, after }) => before && !after)?.before;
  if (!gone) {
    return undefined;
  }
  const title = printable(kindAndTitleOf(gone));
  const manifest = judged.before.manifestOf(gone);
  return { field: title, path: [], gone: title, ...(manifest && { places: placesAt(manifest, undefined, NAME) }) };
}

interface Difference {
  readonly path: YamlPath;
  readonly from: unknown;
  readonly to: unknown;
}

function* differences(from: unknown, to: unknown, path: YamlPath = []): Generator<Difference> {
  const inner = [from, to].map((value) => (isMap(value) || Array.isArray(value) ? (value as Json) : undefined));
  if (from === to || path[0] === 'status' || (!isSet(from) && !isSet(to))) {
    return;
  }
  const isList = [from, to].some(Array.isArray);
  const isMixed = isList && inner.some((value) => value !== undefined && !Array.isArray(value));
  if (isMixed || inner.every((value) => value === undefined)) {
    yield { path, from, to };
    return;
  }
  for (const key of new Set(inner.flatMap((value) => Object.keys(value ?? {})))) {
    const [one, other] = inner.map((value) => (value && Object.hasOwn(value, key) ? value[key] : undefined));
    yield* differences(one, other, [...path, isList ? Number(key) : key]);
  }
}

function interrupted(edited: Edit | undefined, why: string, remedy: string, { options }: Sides): Effect[] {
  if (!edited) {
    return [];
  }
  const { gone, ...edit } = edited;
  const when =
    gone === undefined ? '' : `it is in no manifest any more${options.prune ? '' : ', and with prune it goes'}: `;
  const advice = gone === undefined ? printable(remedy) : 'keep it until no client needs the balancer';
  return [{ outcome: 'interrupted', ...edit, why: printable(`${when}${why}`), remedy: advice }];
}

// Edits that leave balancers without pods that lead to Services by routes or bindings.

export function withFindingsAtGateway(effects: readonly Effect[], maker: Json | undefined, sides: Sides): Effect[] {
  if (maker?.kind !== 'Gateway') {
    return [...effects];
  }
  const { before, after } = validatedSides(sides);
  const entry = after.counterpart(after.index.entryOf({ file: '', line: 1, object: maker }));
  const found = (entry ? joinedTo(entry) : []).flatMap((joined) => effectsOfRoute(joined, sides));
  // clients of a route that no listener took lose nothing with it
  const lost = effects.filter(({ places: at }) => !at?.before || isTaken(before.index.entryOf(at.before.manifest)));
  return withUncovered(lost, found);
}

function withUncovered(effects: readonly Effect[], found: readonly Effect[]): Effect[] {
  return [...effects, ...found.filter((one) => !effects.some((effect) => covers(effect, one)))];
}

function covers({ outcome, places, path }: Effect, { places: other, path: its }: Effect): boolean {
  const isSame = (side: 'before' | 'after') =>
    places?.[side]?.manifest !== undefined && places[side]?.manifest.object === other?.[side]?.manifest.object;
  return outcome !== 'kept' && (isSame('before') || isSame('after')) && (its.length === 0 || isAround(path, its));
}

export function withFindingsOfBinding(
  effects: readonly Effect[],
  manifest: Manifest,
  rules: EditedKind['rules'],
  sides: Sides,
): Effect[] {
  const { after } = validatedSides(sides);
  const binding = after.counterpart(after.index.entryOf(manifest));
  return withUncovered(effects, binding ? effectsOfRoute(binding, sides, rules) : []);
}

function effectsOfRoute(after: IndexedObject, sides: Sides, rules?: EditedKind['rules']): Effect[] {
  const judged = validatedSides(sides);
  const before = judged.before.counterpart(after);
  if (!before || !isTaken(before)) {
    return [];
  }
  const [old, now] = [before, after].map((one) => {
    const { errors, warnings } = rules ? rules.judge(one.json, { among: one }) : judgeJoined(one);
    return withEffects([...errors, ...warnings], one.json);
  });
  const backends = backendsOf(after).flatMap((backend): ObjectPair[] => {
    const [one, other] = [judged.before, judged.after].map(({ index }) => index.nearest(after, '', 'Service', backend));
    return one ? [{ before: one, after: other }] : [];
  });
  const deciding = [
    { before, after },
    ...decidingFor(after).map((other) => ({ before: judged.before.counterpart(other), after: other })),
    ...decidingFor(before).map((other) => ({ before: other, after: judged.after.counterpart(other) })),
  ];
  const by = rules ? '' : ` by ${kindAndTitleOf(after)}`;
  const edits = [...deciding, ...backends];
  return [
    ...freshEffects(now, old, by, sides, (isIt) => editAmong(edits, isIt, judged) ?? goneAmong(deciding, judged)),
    ...backends.flatMap((backend) => backendEffects(backend, sides)),
  ];
}

function backendEffects(backend: ObjectPair, sides: Sides): Effect[] {
  const judged = validatedSides(sides);
  const { before, after } = backend;
  if (!before || !after) {
    return interrupted(goneAmong([backend], judged), 'no pod receives connections', '', sides);
  }
  const [old, now] = [judged.before.ofBackend(before), judged.after.ofBackend(after)];
  return podEffects({ before: before.json, after: after.json, old, now, backend }, sides);
}
