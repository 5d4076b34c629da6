import {
  cachedIn,
  grouped,
  isMap,
  isPart,
  isSet,
  type Json,
  mapIn,
  omitKeys,
  oncePer,
  printable,
  sameValue,
  unquoted,
  valueBySteps,
} from '../contract/json';
import { readKubernetesYaml, type YamlPath } from '../contract/kubernetes-yaml';
import type { OtherController } from '../controllers/other-controller';
import { VENDOR_MARKS } from '../controllers/vendors/marks.facts';
import { editedKindsOf, titleOf } from '../predicted/predicted';
import { type ControllerDefinition, type EditedKind, Reach } from '../rules/controller-definition';
import { type ObjectEdit, objectEdits } from '../rules/edits-of-values';
import { allKinds, possibleClaimants } from '../rules/known-kinds';
import type { Manifest } from '../rules/manifest-objects';
import { type IndexedObject, kindAndTitleOf } from '../rules/objects';
import {
  annotationOrField,
  type Consequence,
  consequenceIn,
  consequenceOf,
  type Effect,
  effectAt,
  fieldAt,
  placesAt,
  removalFrom,
  textOf,
} from './effect';
import { UNREAD_FIELDS } from './fields.facts';
import {
  type EffectFinding,
  isAmong,
  rulesOf,
  type ValidatedSide,
  type ValidatedSides,
  validatedSides,
} from './findings';
import { type LivePair, NAME } from './pairs';
import { otherOwnersOf } from './possible-owners';
import {
  hasNoBalancer,
  holdsTexts,
  isPruned,
  kindOf,
  nearestTo,
  pairByFile,
  type Side,
  type SideBalancer,
  type Sides,
  textsIn,
  titled,
} from './side';

export function relatedObjectEffects(pair: LivePair): Effect[] {
  const { before, after } = pair;
  const own = kindOf(before);
  if (own || before.owner !== undefined || after.owner !== undefined) {
    return own && before.owner === after.owner ? effectsByKind(own, pair) : [];
  }
  const needs = [printable(before.unowned ?? 'who owns it')];
  return possibleClaimants(before.service)
    .flatMap(({ kind }) => effectsByKind(kind, pair))
    .map(({ remedy: _, ...effect }) => ({ ...effect, outcome: 'unknown', needs }));
}

function effectsByKind(kind: ControllerDefinition, { before, after, sides }: LivePair): Effect[] {
  if (!kind.reachedByEdit) {
    return [];
  }
  const { edits, named } = cachedIn(RELATED_EDITS(sides), kind, () => readRelatedEdits(kind, sides));
  const [from, to] = [before, after].map(({ service }) => mapIn(mapIn(service, 'metadata'), 'labels'));
  const isRelabelled = !sameValue(from, to);
  if (edits.length === 0 && !isRelabelled) {
    return [];
  }
  // of one name, those of other folders are of clusters of their own
  const own = ({ file }: Manifest, all: ReadonlyMap<string, readonly Found[]>): Manifest[] =>
    [...all.values()].flatMap((found) => nearestTo(file, found, fileOf)).map(({ manifest }) => manifest);
  const mine = { before: own(before.written, named.before), after: own(after.written, named.after) };
  const [ofOld, ofNow] = [mine.before, mine.after].map((all) => all.map(({ object }): Json => object));
  const objects = { before: ofOld, after: ofNow };
  const service = { before: before.service, after: after.service };
  const labelled = (isRelabelled && kind.editsByLabels?.(service, objects.after)) || [];
  const labels = { field: 'metadata.labels', path: ['metadata', 'labels'], from, to };
  const byLabels = labelled.map(({ edit, reach }) => effectAt(labels, ifReached(reach, consequenceOf(edit))));
  const byEdits = edits.flatMap((edit) => {
    const { before: old, after: now } = edit.object;
    if (!(old && mine.before.includes(old)) && !(now && mine.after.includes(now))) {
      return [];
    }
    const object = { before: old?.object, after: now?.object };
    const reach = kind.reachedByEdit?.({ row: edit.edit.field.row ?? '', object, service, objects });
    return reach === undefined || reach === Reach.NO ? [] : [relatedObjectEffect(edit, reach, sides)];
  });
  return [...byLabels, ...byEdits];
}

function ifReached(reach: Reach, effect: Consequence): Consequence {
  const why = printable(`${effect.why}; whether the address of this Service is among them is not known`);
  const needs = ['the address of the Service, as a dump of the cluster has it'];
  return reach === Reach.YES ? effect : { ...effect, outcome: 'unknown', why, needs };
}

interface RelatedEdit {
  readonly edit: ObjectEdit;
  readonly title: string;
  readonly object: { readonly before?: Manifest; readonly after?: Manifest };
}

function relatedObjectEffect(
  { edit: { field, edit }, title, object: { before, after } }: RelatedEdit,
  reach: Reach,
  { options }: Sides,
): Effect {
  const { path } = field;
  const consequence = consequenceOf(edit, { remedy: `keep it beside the new one until no Service needs it` });
  const isGone = after === undefined;
  const when = isGone ? removalFrom(title, options) : '';
  const place = {
    ...{ field: path.length === 0 ? title : `${title}, ${fieldAt(path)}`, path, places: placesAt(before, after, path) },
    ...(path.length > 0 && { from: field.before, to: field.after }),
  };
  return effectAt(place, ifReached(reach, { ...consequence, why: printable(`${when}${consequence.why}`) }));
}

const RELATED_EDITS = oncePer((_: Sides) => new Map<ControllerDefinition, ReturnType<typeof readRelatedEdits>>());

function readRelatedEdits(kind: ControllerDefinition, sides: Sides) {
  const [old, now] = [sides.before, sides.after].map((side) => objectsOf(kind, side));
  const areSame = (one: Found, other: Found) => sameValue(one.manifest.object.spec, other.manifest.object.spec);
  const edits = [...new Set([...old.keys(), ...now.keys()])].flatMap((key) =>
    pairByFile(old.get(key) ?? [], now.get(key) ?? [], fileOf, areSame).flatMap(([one, other]): RelatedEdit[] => {
      if (other === undefined && !isPruned(sides)) {
        return [];
      }
      const { edited, manifest } = (other ?? one) as Found;
      const title = printable(`${edited.kind} ${titleOf(manifest.object)}`);
      return objectEdits(edited, one?.manifest.object, other?.manifest.object, kind)
        .filter(({ edit: { outcome } }) => outcome !== 'kept')
        .map((edit) => ({ edit, title, object: { before: one?.manifest, after: other?.manifest } }));
    }),
  );
  return { edits, named: { before: old, after: now } };
}

interface Found {
  readonly edited: EditedKind;
  readonly manifest: Manifest;
}

function fileOf({ manifest }: Pick<Found, 'manifest'>): string {
  return manifest.file;
}

function objectsOf(
  { editedKinds = [] }: ControllerDefinition,
  { manifests }: Side,
): ReadonlyMap<string, readonly Found[]> {
  const found = manifests.flatMap((manifest): Found[] => {
    const { apiVersion, kind } = manifest.object;
    const edited = editedKinds.find((one) => one.kind === kind && String(apiVersion).startsWith(`${one.group}/`));
    return edited ? [{ edited, manifest }] : [];
  });
  return grouped(found, ({ manifest: { object } }) => titled(object));
}

export function configurationEffects({ before, after, sides }: LivePair): Effect[] {
  const edited = kindOf(before)?.editedKinds ?? [];
  const changes = configurationChanges(sides).filter(({ at }) => !editedKindsOf(at.object, edited).length);
  if (before.owner !== after.owner || changes.length === 0) {
    return [];
  }
  const ids = kindOf(before) ? [before.owner] : otherOwnersOf(before).map(({ id }) => id);
  const isOpen = before.owner === undefined && !hasNoBalancer(before);
  const known = isOpen ? possibleClaimants(before.service).map(({ kind }) => kind.name) : [];
  const fileOf = ({ at }: ConfigurationChange) => at.file;
  const mine = grouped(
    changes.filter(({ by: { id } }) => [...ids, ...known].includes(id)),
    ({ at: { object } }) => titled(object),
  );
  // of one name, those of other folders are of clusters of their own
  const near = [...mine.values()].flatMap((some) => nearestTo(after.written.file, some, fileOf));
  const changed = near.filter(({ isSame }) => !isSame);
  return nearestTo(after.written.file, changed, fileOf).map((change) => configurationEffect(change, before));
}

interface ConfigurationChange {
  readonly by: Configured;
  readonly before?: Manifest;
  readonly after?: Manifest;
  readonly at: Manifest;
  readonly path: YamlPath;
  readonly isSame: boolean;
}

type Configured = Pick<OtherController, 'id' | 'name' | 'kinds' | 'configs'> & { readonly configKeys?: RegExp };

function configurationEffect({ by, before, after, at, path }: ConfigurationChange, { unowned }: SideBalancer): Effect {
  const title = titled(at.object);
  const isHidden = at.object.kind === 'Secret' || by.configKeys !== undefined;
  const how = after === undefined ? 'is no longer in any manifest' : before === undefined ? 'is new' : 'changes';
  const place = {
    ...{ field: path.length === 0 ? title : `${title}, ${fieldAt(path)}`, path, places: placesAt(before, after, path) },
    ...(before &&
      after &&
      path.length > 0 &&
      !isHidden && { from: valueBySteps(before.object, path), to: valueBySteps(after.object, path) }),
  };
  const consequence = consequenceIn('configuration changed', 'unknown', { how, name: by.name });
  return effectAt(place, { ...consequence, ...(unowned !== undefined && { needs: [printable(unowned)] }) });
}

const configurationChanges = oncePer((sides: Sides): readonly ConfigurationChange[] => {
  const [old, now] = [sides.before, sides.after].map(configurationsOn);
  const differenceOf = (one: Configuration, other: Configuration) =>
    differenceIn(one.manifest.object, other.manifest.object, sides.before.isLive === true);
  const areAlike = (one: Configuration, other: Configuration) => differenceOf(one, other) === undefined;
  return [...new Set([...old.keys(), ...now.keys()])]
    .flatMap((key) => pairByFile(old.get(key) ?? [], now.get(key) ?? [], fileOf, areAlike))
    .flatMap(([one, other]) => {
      const path = one && other ? differenceOf(one, other) : [];
      const { manifest: at, by } = (other ?? one) as Configuration;
      const isSame = path === undefined || (other === undefined && !isPruned(sides));
      const change = { before: one?.manifest, after: other?.manifest, at, path: path ?? [], isSame };
      return by.map((of) => ({ ...change, by: of }));
    });
});

interface Configuration {
  readonly manifest: Manifest;
  readonly by: readonly Configured[];
}

function configurationsOn({ manifests }: Side): ReadonlyMap<string, readonly Configuration[]> {
  const known = allKinds().flatMap(({ name, cloudConfigKeys: configKeys }): Configured[] =>
    configKeys ? [{ id: name, name, configKeys }] : [],
  );
  const holders = manifests.flatMap((manifest): Configuration[] => {
    const by = [...VENDOR_MARKS, ...known].filter((one) => isConfiguration(manifest.object, one));
    return by.length > 0 ? [{ manifest, by }] : [];
  });
  return grouped(holders, ({ manifest: { object } }) => titled(object));
}

function isConfiguration(object: Json, { kinds = [], configs = [], configKeys }: Configured): boolean {
  const { apiVersion, kind, metadata } = object;
  const isOfKind = kinds.some((one) => String(apiVersion).startsWith(`${one.group}/`) && one.kind === kind);
  const isConfig =
    configs.some((name) => new RegExp(`(^|-)${name}(-|$)`).test(String(metadata?.name))) ||
    (configKeys !== undefined && Object.keys(textsIn(object)).some((key) => configKeys.test(key)));
  return isOfKind || (holdsTexts(object) && isConfig);
}

function differenceIn(old: Json, now: Json, isLive: boolean): YamlPath | undefined {
  const [before, after] = [old, now].map((one) =>
    holdsTexts(one) ? { data: settingsIn(one) } : omitKeys(one, UNREAD_FIELDS),
  );
  // a cluster has fields beside those that a manifest has
  const keys = isLive ? Object.keys(after) : undefined;
  return isAlike(before, after, isLive) ? undefined : stepsBelow(before, after, isLive, keys);
}

function settingsIn(object: Json): Json {
  const texts = Object.entries(textsIn(object));
  return Object.fromEntries(texts.map(([key, text]) => [key, valuesOfText(String(text)) ?? text]));
}

/** The settings of a text; undefined if it is not a map in YAML or JSON. */
export function valuesOfText(text: string): Json | undefined {
  const { values, faults } = readKubernetesYaml(text);
  const [first] = values;
  return faults.length === 0 && values.length === 1 && isMap(first.value) ? first.value : undefined;
}

/** The steps to the only field of two maps that differs, as far down as there is one. */
function stepsBelow(before: unknown, after: unknown, isLive: boolean, keys?: readonly string[]): YamlPath {
  if (!isMap(before) || !isMap(after)) {
    return [];
  }
  const all = keys ?? Object.keys({ ...before, ...after });
  const [key, ...others] = all.filter((one) => !isAlike(before[one], after[one], isLive));
  return others.length > 0 || key === undefined ? [] : [key, ...stepsBelow(before[key], after[key], isLive)];
}

function isAlike(before: unknown, after: unknown, isLive: boolean): boolean {
  return isPart(after, before) && (isLive || isPart(before, after));
}

// Edits that leave a Service without pods: of the Service, of its workloads, or of what is beside them.

export type ObjectPair = Readonly<Partial<Record<'before' | 'after', IndexedObject>>>;

interface FoundPods {
  readonly before: Json;
  readonly after: Json;
  readonly old: readonly EffectFinding[];
  readonly now: readonly EffectFinding[];
  readonly backend?: ObjectPair;
}

export function podEffects({ before, after, old, now, backend }: FoundPods, sides: Sides): Effect[] {
  const checked = validatedSides(sides);
  const [had, has] = [checked.before.behind(before), checked.after.behind(after)];
  if (had.length === 0) {
    return [];
  }
  const workloads = pairsOf([...had, ...has], checked);
  const own = [backend ?? { before: entryOf(before, checked.before), after: entryOf(after, checked.after) }];
  if (has.length > 0) {
    return freshEffects(now, old, '', sides, (isIt) => {
      const edit = editAmong(workloads, isIt, checked) ?? editAmong(own, isIt, checked, !backend);
      return edit ?? removalAmong(workloads, checked);
    });
  }
  const labels = mapIn(mapIn(after, 'spec'), 'selector');
  const isLabel = (path: YamlPath) => path.at(-2) === 'labels' && Object.hasOwn(labels, String(path.at(-1)));
  const edit =
    editAmong(workloads, isLabel, checked) ??
    editAmong(own, (path) => path[1] === 'selector', checked, !backend) ??
    removalAmong(workloads, checked);
  const selector = Object.entries(labels).map(([key, value]) => `${key}=${unquoted(value)}`);
  const why = `no pod receives connections: no workload has pods with ${selector.join(', ')} any more`;
  return interrupted(edit, why, 'select a label that the pods keep, or keep the pods', sides);
}

export function freshEffects(
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
function pairsOf(manifests: readonly Manifest[], checked: ValidatedSides): ObjectPair[] {
  const pairs = manifests.map((manifest) => {
    const entry = checked.after.index.entryOf(manifest);
    return { before: checked.before.counterpart(entry), after: checked.after.counterpart(entry) };
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

export function editAmong(
  pairs: readonly ObjectPair[],
  isIt: (path: YamlPath) => boolean,
  checked: ValidatedSides,
  isOwn = false,
): Edit | undefined {
  for (const { before, after } of pairs) {
    const leaves = before && after ? [...differences(before.json, after.json)].filter(({ path }) => isIt(path)) : [];
    const leaf =
      leaves.find(({ from, to }) => isSet(from) && isSet(to)) ?? leaves.find(({ to }) => isSet(to)) ?? leaves[0];
    if (leaf && before && after) {
      const { path, from, to } = leaf;
      const title = isOwn ? '' : `${kindAndTitleOf(after)}, `;
      const [one, other] = [checked.before.manifestOf(before), checked.after.manifestOf(after)];
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

export function removalAmong(pairs: readonly ObjectPair[], checked: ValidatedSides): Edit | undefined {
  const gone = pairs.find(({ before, after }) => before && !after)?.before;
  if (!gone) {
    return undefined;
  }
  const title = printable(kindAndTitleOf(gone));
  const manifest = checked.before.manifestOf(gone);
  return { field: title, path: [], gone: title, ...(manifest && { places: placesAt(manifest, undefined, NAME) }) };
}

function* differences(
  from: unknown,
  to: unknown,
  path: YamlPath = [],
): Generator<{ path: YamlPath; from: unknown; to: unknown }> {
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

export function interrupted(edited: Edit | undefined, why: string, remedy: string, { options }: Sides): Effect[] {
  if (!edited) {
    return [];
  }
  const { gone, ...edit } = edited;
  const when = gone === undefined ? '' : removalFrom('it', options);
  const advice = gone === undefined ? printable(remedy) : 'keep it until no client needs the balancer';
  return [{ outcome: 'interrupted', ...edit, why: printable(`${when}${why}`), remedy: advice }];
}
