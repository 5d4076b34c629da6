import { isMap, isSet, type Json, mapIn } from '../contract/json';
import { printable, unquoted } from '../contract/printable';
import type { YamlPath } from '../contract/yaml-source';
import type { Manifest } from '../rules/manifest-objects';
import { type IndexedObject, kindAndTitleOf } from '../rules/objects';
import type { Cause } from './balancer-change';
import { type EffectFinding, isAmong, type JudgedSide, type JudgedSides, rulesOf } from './findings-on-side';
import { annotationOrField, textOf } from './said';
import type { Sides } from './side';

// What leaves a Service without pods, by the edit that does it: of the Service, of its workloads, or of what is beside them.

/** An object on two sides. */
export interface Pair {
  readonly before?: IndexedObject;
  readonly after?: IndexedObject;
}

/** A Service with what rules find in it on both sides. */
export interface FoundPods {
  readonly before: Json;
  readonly after: Json;
  readonly old: readonly EffectFinding[];
  readonly now: readonly EffectFinding[];
  /** The Service, where it is another one than that of the balancer. */
  readonly backend?: Pair;
}

/** What leaves a Service without pods that receive connections, if it was known to have some. */
export function podCauses({ before, after, old, now, backend }: FoundPods, judged: JudgedSides, sides: Sides): Cause[] {
  const had = judged.before.behind(before);
  if (had.length === 0) {
    return [];
  }
  const workloads = pairsOf([...had, ...judged.after.behind(after)], judged);
  const own = backend ?? { before: judgedAs(before, judged.before), after: judgedAs(after, judged.after) };
  if (judged.after.behind(after).length === 0) {
    const keys = Object.keys(mapIn(mapIn(after, 'spec'), 'selector'));
    const isLabel = (path: YamlPath) => path.at(-2) === 'labels' && keys.includes(String(path.at(-1)));
    const isSelector = (path: YamlPath) => path[1] === 'selector';
    const edit =
      editAmong(workloads, isLabel, judged) ??
      editAmong([own], isSelector, judged, !backend) ??
      goneAmong(workloads, judged);
    const selector = Object.entries(mapIn(mapIn(after, 'spec'), 'selector')).map(
      ([key, value]) => `${key}=${unquoted(value)}`,
    );
    const why = `no pod receives connections: no workload has pods with ${selector.join(', ')} any more`;
    return edit ? [interrupted(edit, why, 'select a label that the pods keep, or keep the pods', sides)] : [];
  }
  return now
    .filter((finding) => finding.effect === 'no-targets' && !isAmong(finding, old))
    .flatMap((finding) => {
      const edit =
        editAmong(workloads, decidedBy(finding), judged) ??
        editAmong([own], decidedBy(finding), judged, !backend) ??
        goneAmong(workloads, judged);
      return edit ? [interrupted(edit, `no pod receives connections: ${finding.what}`, finding.remedy, sides)] : [];
    });
}

function judgedAs(service: Json, side: JudgedSide): IndexedObject {
  return side.index.entryOf({ file: '', line: 1, object: service });
}

/** Objects with their counterparts; what came in the place of what is gone is compared with it. */
function pairsOf(manifests: readonly Manifest[], judged: JudgedSides): Pair[] {
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

/** Whether the edit of a field brings about what a rule finds. */
export function decidedBy(finding: EffectFinding): (path: YamlPath) => boolean {
  const names = rulesOf(finding).flatMap((rule) => rule.decidedBy ?? []);
  return (path) => {
    const field = path.join('.');
    return names.some((name) => field === name || field.startsWith(`${name}.`) || path.includes(name));
  };
}

/** An edit that has an effect elsewhere. */
type Edit = Pick<Cause, 'field' | 'path' | 'from' | 'to' | 'places'> & { readonly gone?: string };

/**
 * The first edit of a field among some objects.
 *
 * @param isOwn whether the object is the Service of the balancer, whose fields need no title
 */
export function editAmong(
  pairs: readonly Pair[],
  isIt: (path: YamlPath) => boolean,
  judged: JudgedSides,
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
        from: textOf(from),
        to: textOf(to),
        ...(!isOwn && {
          places: {
            ...(one && { before: { manifest: one, path } }),
            ...(other && { after: { manifest: other, path } }),
          },
        }),
      };
    }
  }
  return undefined;
}

/** The first of some objects that is in no manifest any more. */
export function goneAmong(pairs: readonly Pair[], judged: JudgedSides): Edit | undefined {
  const gone = pairs.find(({ before, after }) => before && !after)?.before;
  const manifest = gone && judged.before.manifestOf(gone);
  const title = gone && printable(kindAndTitleOf(gone));
  return title === undefined
    ? undefined
    : {
        field: title,
        path: [],
        gone: title,
        ...(manifest && { places: { before: { manifest, path: ['metadata', 'name'] } } }),
      };
}

interface Difference {
  readonly path: YamlPath;
  readonly from: unknown;
  readonly to: unknown;
}

/** Where two values are not the same, field by field. */
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

export function interrupted({ gone, ...edit }: Edit, why: string, remedy: string, { options }: Sides): Cause {
  const when =
    gone === undefined ? '' : `it is in no manifest any more${options.prune ? '' : ', and with prune it goes'}: `;
  return {
    outcome: 'interrupted',
    ...edit,
    why: printable(`${when}${why}`),
    remedy: gone === undefined ? printable(remedy) : 'keep it until no client needs the balancer',
  };
}
