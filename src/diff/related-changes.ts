import { compareVersions } from '../contract/compare-versions';
import { editFrom, type UpgradedBalancer, type UpgradeFact } from '../contract/edit';
import { grouped, isMap, isPart, type Json, mapIn, printable, sameValue } from '../contract/json';
import { readKubernetesYaml, type YamlPath } from '../contract/kubernetes-yaml';
import { type OtherController, ownerSigns } from '../controllers/other-controller';
import { VENDOR_MARKS } from '../controllers/vendors/marks.facts';
import { OPERATOR, OPERATOR_UPGRADES } from '../kafka/strimzi/releases';
import { keptIn, titleOf } from '../predicted/predicted';
import { type ControllerDefinition, type EditedKind, Reach } from '../rules/controller-definition';
import { type ObjectEdit, objectEdits, worstEdit } from '../rules/edits-of-values';
import { allKinds, possibleClaimants } from '../rules/known-kinds';
import {
  KUBERNETES,
  KUBERNETES_UPGRADES,
  NEWEST_KUBERNETES,
  OLDEST_KUBERNETES,
} from '../rules/kubernetes-upgrades.facts';
import type { Manifest } from '../rules/manifest-objects';
import { annotationsOf, classOf, isService } from '../rules/service-json';
import {
  type Consequence,
  consequenceIn,
  consequenceOf,
  type Effect,
  effectAt,
  effectIn,
  fieldAt,
  placesAt,
} from './effect';
import { UNREAD_FIELDS } from './fields.facts';
import type { LivePair } from './pairs';
import {
  hasNoBalancer,
  holdsTexts,
  isPruned,
  kindOf,
  nearestTo,
  oncePer,
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
  if (before.owner !== after.owner) {
    return [];
  }
  if (own || before.owner !== undefined) {
    return own ? effectsByKind(own, pair) : [];
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
  const { edits, named } = keptIn(RELATED_EDITS(sides), kind, () => readRelatedEdits(kind, sides));
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
  const labelled = isRelabelled ? kind.editByLabels?.(service, objects.after) : undefined;
  const labels = { field: 'metadata.labels', path: ['metadata', 'labels'], from, to };
  const byLabels = labelled ? [effectAt(labels, ifReached(labelled.reach, consequenceOf(labelled.edit)))] : [];
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
  const when = isGone ? `${title} is in no manifest any more${options.prune ? '' : ', and with prune it goes'}: ` : '';
  const place = {
    ...{ field: path.length === 0 ? title : `${title}, ${fieldAt(path)}`, path, places: placesAt(before, after, path) },
    ...(path.length > 0 && { from: field.before, to: field.after }),
  };
  return effectAt(place, ifReached(reach, { ...consequence, why: printable(`${when}${consequence.why}`) }));
}

interface RelatedEdits {
  readonly edits: readonly RelatedEdit[];
  readonly named: Readonly<Record<'before' | 'after', ReadonlyMap<string, readonly Found[]>>>;
}

const RELATED_EDITS = oncePer((_: Sides) => new Map<ControllerDefinition, RelatedEdits>());

function readRelatedEdits(kind: ControllerDefinition, sides: Sides): RelatedEdits {
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

function fileOf({ manifest }: Found): string {
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
  const changes = configurationChanges(sides);
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

export function otherOwnersOf({ service, owner }: SideBalancer): readonly OtherController[] {
  if (owner !== undefined) {
    return VENDOR_MARKS.filter(({ id, name }) => owner === id || owner === name);
  }
  const shown = ownerSigns(service).map(({ other }) => other);
  if (shown.length > 0) {
    return shown;
  }
  if (classOf(service) !== undefined) {
    return VENDOR_MARKS; // an installation can serve any class
  }
  const isOfKnown = Object.keys(annotationsOf(service)).some((key) =>
    allKinds().some(({ catalogue }) => catalogue.claims(key)),
  );
  return isOfKnown ? [] : VENDOR_MARKS.filter(({ takesClassless }) => takesClassless);
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
  const how = after === undefined ? 'is in no manifest any more' : before === undefined ? 'is new' : 'changes';
  const valueIn = ({ object }: Manifest) => valueAt(object, path);
  const place = {
    ...{ field: path.length === 0 ? title : `${title}, ${fieldAt(path)}`, path, places: placesAt(before, after, path) },
    ...(before && after && path.length > 0 && !isHidden && { from: valueIn(before), to: valueIn(after) }),
  };
  const consequence = consequenceIn('configuration changed', 'unknown', { how, name: by.name });
  return effectAt(place, { ...consequence, ...(unowned !== undefined && { needs: [printable(unowned)] }) });
}

function valueAt(object: Json, path: YamlPath): unknown {
  return path.reduce<unknown>((value, step) => (isMap(value) ? value[step] : undefined), object);
}

const configurationChanges = oncePer((sides: Sides): readonly ConfigurationChange[] => {
  const [old, now] = [sides.before, sides.after].map(configurationsOn);
  const isLive = sides.before.isLive === true;
  const differenceOf = (one: Configuration, other: Configuration) =>
    differenceIn(one.manifest.object, other.manifest.object, isLive);
  const areAlike = (one: Configuration, other: Configuration) => differenceOf(one, other) === undefined;
  return [...new Set([...old.keys(), ...now.keys()])]
    .flatMap((key) => pairByFile(old.get(key) ?? [], now.get(key) ?? [], ({ manifest }) => manifest.file, areAlike))
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
  const known = allKinds().flatMap(({ name, cloudConfigKeys }): Configured[] =>
    cloudConfigKeys ? [{ id: name, name, configKeys: cloudConfigKeys }] : [],
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
  const [before, after] = [old, now].map((one) => (holdsTexts(one) ? { data: settingsIn(one) } : one));
  const all = [...new Set([...(isLive ? [] : Object.keys(before)), ...Object.keys(after)])];
  const keys = all.filter((key) => !UNREAD_FIELDS.includes(key) && !isAlike(before[key], after[key], isLive));
  return keys.length === 0
    ? undefined
    : keys.length > 1
      ? []
      : [keys[0], ...stepsBelow(before[keys[0]], after[keys[0]], isLive)];
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
function stepsBelow(before: unknown, after: unknown, isLive: boolean): YamlPath {
  if (!isMap(before) || !isMap(after)) {
    return [];
  }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !isAlike(before[key], after[key], isLive),
  );
  return keys.length === 1 ? [keys[0], ...stepsBelow(before[keys[0]], after[keys[0]], isLive)] : [];
}

function isAlike(before: unknown, after: unknown, isLive: boolean): boolean {
  return isPart(after, before) && (isLive || isPart(before, after));
}

export function versionEffects({ before, after, sides }: LivePair): Effect[] {
  const kind = allKinds().find(({ name }) => name === before.owner);
  // a live Service has what others wrote on it, and not what makes it
  const balancer = !before.written.madeOf && after.written.madeOf ? after : before;
  return versionChanges(sides)
    .filter(({ product }) => isOf(product, balancer, kind))
    .flatMap((change) => effectsOfVersion(change, balancer, kind, sides.after));
}

interface VersionChange {
  /** Owner: `kubernetes`, or the name of a controller or operator. */
  readonly product: string;
  readonly from: string;
  readonly to: string;
}

function versionChanges({ before, after }: Sides): VersionChange[] {
  const { versions: old = {} } = before;
  return Object.entries(after.versions ?? {})
    .map(([product, to]) => ({ product, from: old[product], to }))
    .filter(({ from, to }) => from !== undefined && compareVersions(plain(from), plain(to)) !== 0);
}

function isOf(product: string, { owner, written }: SideBalancer, kind?: ControllerDefinition): boolean {
  const isMade = product === OPERATOR.name && String(written.madeOf?.object.apiVersion).startsWith(OPERATOR.group);
  return product === KUBERNETES || product === owner || product === kind?.name || isMade;
}

function effectsOfVersion(
  { product, from, to }: VersionChange,
  balancer: SideBalancer,
  kind: ControllerDefinition | undefined,
  side: Side,
): Effect[] {
  const at = { field: product, path: [], from, to };
  const isUp = compareVersions(plain(to), plain(from)) > 0;
  const [low, high] = isUp ? [from, to] : [to, from];
  const lies = (since: string) =>
    compareVersions(plain(since), plain(low)) > 0 && compareVersions(plain(since), plain(high)) <= 0;
  const subject: UpgradedBalancer = {
    service: balancer.service,
    maker: balancer.written.madeOf?.object,
    finalizers: kind?.finalizers ?? [],
    to: plain(to),
    versions: side.versions ?? {},
    beside: besideIn(side),
  };
  const isOwner = product === kind?.name;
  const facts = factsOf(product, kind).filter(
    ({ since, concerns }) => (since === undefined || lies(since)) && (concerns?.(subject) ?? true),
  );
  const effects = facts.flatMap((fact): Effect[] => {
    const { outcome, what, first } = (isUp ? fact.up : fact.down) ?? {};
    return outcome && what !== undefined
      ? [{ outcome, ...at, why: what, ...(first !== undefined && { first }), source: fact.source }]
      : [];
  });
  const isRefused = effects.some(({ outcome }) => outcome === 'refused');
  const [oldest, newest] = knownVersions(product, isOwner ? kind : undefined, kind);
  const [old] = [from, to].filter((one) => oldest !== undefined && compareVersions(plain(one), oldest) < 0);
  return [
    ...(compareVersions(minorOf(to), minorOf(newest)) > 0
      ? [effectIn('version newer than known', 'unknown', at, { newest, product, to })]
      : []),
    // an operator that reconciles nothing interrupts nothing
    ...effects.filter(({ outcome }) => !isRefused || outcome !== 'interrupted'),
    ...(isOwner ? annotationVersionEffects(balancer, kind, lies, isUp, at) : []),
    ...(old === undefined
      ? []
      : [effectIn('version older than known', 'unknown', at, { oldest, product, old: plain(old) })]),
  ];
}

function knownVersions(
  product: string,
  owner: ControllerDefinition | undefined,
  kind: ControllerDefinition | undefined,
): readonly [string | undefined, string] {
  return product === KUBERNETES
    ? [OLDEST_KUBERNETES, plain(NEWEST_KUBERNETES)]
    : product === OPERATOR.name
      ? [OPERATOR.oldest, plain(OPERATOR.newest)]
      : [owner?.readFrom, plain(kind?.facts.source.version ?? '')];
}

const besideIn = oncePer(({ manifests }: Side): readonly Json[] =>
  manifests.flatMap(({ object }) => (isService(object) ? [] : [object])),
);

function minorOf(version: string): string {
  return plain(version).split('.').slice(0, 2).join('.');
}

function factsOf(product: string, kind?: ControllerDefinition): readonly UpgradeFact[] {
  const own = (kind?.upgrades ?? []).filter((fact) => (fact.product ?? kind?.name) === product);
  return [
    ...own,
    ...(product === KUBERNETES ? KUBERNETES_UPGRADES : []),
    ...(product === OPERATOR.name ? OPERATOR_UPGRADES : []),
  ];
}

function annotationVersionEffects(
  { service }: SideBalancer,
  kind: ControllerDefinition,
  lies: (since: string) => boolean,
  isUp: boolean,
  { field: product, from, to }: Pick<Effect, 'field' | 'from' | 'to'>,
): Effect[] {
  return Object.keys(annotationsOf(service)).flatMap((key): Effect[] => {
    const since = kind.catalogue.find(key)?.fact.since?.split(', ')[0];
    if (since === undefined || !VERSION.test(since) || !lies(since)) {
      return [];
    }
    const unknown = { unknown: 'what it does is not known' };
    const { outcome, what, source } = worstEdit(kind, key) ?? editFrom(unknown, kind.facts.source);
    const at = {
      field: key,
      path: ['metadata', 'annotations', key],
      from: `${product} ${from}`,
      to: `${product} ${to}`,
    };
    const why = isUp
      ? `read from ${since} on, as if it were added now: ${what}`
      : `not read before ${since}, as if it were taken away: ${what}`;
    const remedy = 'take the annotation out before, and add it again when its effect is wanted';
    return [{ outcome, ...at, why, remedy, source }];
  });
}

const VERSION = /^v?\d+(\.\d+)*$/;

function plain(version: string): string {
  return /\d+(\.\d+)*/.exec(version)?.[0] ?? '0';
}
