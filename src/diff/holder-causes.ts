import { grouped } from '../contract/grouped';
import { isPart } from '../contract/is-part';
import { isMap, type Json } from '../contract/json';
import { printable } from '../contract/printable';
import type { YamlPath } from '../contract/yaml-source';
import { OTHER_CONTROLLERS, type OtherController } from '../controllers/marks.facts';
import { ownerSigns } from '../controllers/other-controller';
import { titleOf } from '../later/later';
import { possibleClaimants } from '../rules/claimants';
import { knownKinds } from '../rules/controller-definition';
import type { Manifest } from '../rules/manifest-objects';
import { annotationsOf, classOf } from '../rules/service-json';
import type { Cause } from './balancer-change';
import { hasNoBalancer } from './has-no-balancer';
import { valuesOfText } from './install-settings';
import type { Matched } from './match';
import { holdsTexts, nearestTo, textsIn } from './objects-on-side';
import { kindOf } from './owners';
import { type PairOf, paired } from './paired';
import { causeOf, fieldAt } from './said';
import type { Side, SideBalancer, Sides } from './side';

/**
 * Changes of objects that may hold the address of a Service: the configuration of controllers, and address pools and
 * announcements of controllers without rules here.
 */
export function holderCauses({ before, after }: Matched, sides: Sides): Cause[] {
  const changes = holdersChanged(sides);
  if (!before || !after || before.owner !== after.owner || changes.length === 0) {
    return [];
  }
  const ids = kindOf(before) ? [before.owner] : othersOf(before).map(({ id }) => id);
  const isOpen = before.owner === undefined && !hasNoBalancer(before);
  const known = isOpen ? possibleClaimants(before.service).map(({ kind }) => kind.name) : [];
  const fileOf = ({ at }: HolderChange) => at.file;
  const mine = grouped(
    changes.filter(({ by: { id } }) => [...ids, ...known].includes(id)),
    ({ at: { object } }) => `${object.kind} ${titleOf(object)}`,
  );
  // of one name, those of other folders are of clusters of their own
  const near = [...mine.values()].flatMap((some) => nearestTo(after.written.file, some, fileOf));
  const changed = near.filter(({ isSame }) => !isSame);
  return nearestTo(after.written.file, changed, fileOf).map((change) => causeIn(change, before));
}

/** The controllers without rules here that may own the balancer of a Service. */
export function othersOf({ service, owner }: SideBalancer): readonly OtherController[] {
  if (owner !== undefined) {
    return OTHER_CONTROLLERS.filter(({ id, name }) => owner === id || owner === name);
  }
  const shown = ownerSigns(service).map(({ other }) => other);
  if (shown.length > 0) {
    return shown;
  }
  if (classOf(service) !== undefined) {
    return OTHER_CONTROLLERS; // an installation can serve any class
  }
  const isOfKnown = Object.keys(annotationsOf(service)).some((key) =>
    knownKinds().some(({ catalogue }) => catalogue.claims(key)),
  );
  return isOfKnown ? [] : OTHER_CONTROLLERS.filter(({ takesClassless }) => takesClassless);
}

/** An object that configures a controller, and changes. */
interface HolderChange {
  readonly by: Configured;
  readonly before?: Manifest;
  readonly after?: Manifest;
  /** The object on the newer side, or else on the older one. */
  readonly at: Manifest;
  readonly path: YamlPath;
  readonly isSame: boolean;
}

/** A controller with a configuration in the cluster. */
type Configured = Pick<OtherController, 'id' | 'name' | 'kinds' | 'configs'> & { readonly configKeys?: RegExp };

function causeIn({ by, before, after, at, path }: HolderChange, { unowned }: SideBalancer): Cause {
  const title = printable(`${at.object.kind} ${titleOf(at.object)}`);
  const isHidden = at.object.kind === 'Secret' || by.configKeys !== undefined;
  const how = after === undefined ? 'is in no manifest any more' : before === undefined ? 'is new' : 'changes';
  return causeOf(
    {
      field: path.length === 0 ? title : `${title}, ${fieldAt(path)}`,
      path,
      ...(before && after && path.length > 0 && !isHidden && valuesAt(before, after, path)),
      places: {
        ...(before && { before: { manifest: before, path } }),
        ...(after && { after: { manifest: after, path } }),
      },
    },
    {
      outcome: 'unknown',
      why: `the address may depend on it, which ${how}: what ${by.name} makes of that is not known here`,
      needs: [printable(unowned ?? `what ${by.name} makes of the change`)],
    },
  );
}

function valuesAt(
  { object: before }: Manifest,
  { object: after }: Manifest,
  path: YamlPath,
): { from: unknown; to: unknown } {
  const at = (object: Json) => path.reduce<unknown>((value, step) => (isMap(value) ? value[step] : undefined), object);
  return { from: at(before), to: at(after) };
}

const CHANGED = new WeakMap<Side, WeakMap<Side, readonly HolderChange[]>>();

/** The same for all Services. */
function holdersChanged(sides: Sides): readonly HolderChange[] {
  const { before, after } = sides;
  const ofAfter = CHANGED.get(after) ?? new WeakMap<Side, readonly HolderChange[]>();
  CHANGED.set(after, ofAfter);
  const found = ofAfter.get(before) ?? changesBetween(sides);
  ofAfter.set(before, found);
  return found;
}

function changesBetween({ before, after, options }: Sides): HolderChange[] {
  const [old, now] = [before, after].map(holdersOn);
  const isLive = before.isLive === true;
  const isLeft = options.prune === false || (isLive && options.prune !== true);
  const areAlike = (one: Holder, other: Holder) =>
    differenceIn(one.manifest.object, other.manifest.object, isLive) === undefined;
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) =>
    paired(old.get(key) ?? [], now.get(key) ?? [], ({ manifest }) => manifest.file, areAlike).flatMap((pair) =>
      changeOf(pair, isLive, isLeft),
    ),
  );
}

function changeOf([one, other]: PairOf<Holder>, isLive: boolean, isLeft: boolean): HolderChange[] {
  const path = one && other ? differenceIn(one.manifest.object, other.manifest.object, isLive) : [];
  const { manifest: at, by } = (other ?? one) as Holder;
  const isSame = path === undefined || (other === undefined && isLeft);
  return by.map((of) => ({ by: of, before: one?.manifest, after: other?.manifest, at, path: path ?? [], isSame }));
}

/** An object that configures controllers. */
interface Holder {
  readonly manifest: Manifest;
  readonly by: readonly Configured[];
}

function holdersOn({ manifests }: Side): ReadonlyMap<string, readonly Holder[]> {
  const known = knownKinds().flatMap(({ name, cloudConfigKeys }): Configured[] =>
    cloudConfigKeys ? [{ id: name, name, configKeys: cloudConfigKeys }] : [],
  );
  const holders = manifests.flatMap((manifest): Holder[] => {
    const by = [...OTHER_CONTROLLERS, ...known].filter((one) => configures(manifest.object, one));
    return by.length > 0 ? [{ manifest, by }] : [];
  });
  return grouped(holders, ({ manifest: { object } }) => `${object.kind} ${titleOf(object)}`);
}

function configures(object: Json, { kinds = [], configs = [], configKeys }: Configured): boolean {
  const { apiVersion, kind, metadata } = object;
  const isOfKind = kinds.some((one) => String(apiVersion).startsWith(`${one.group}/`) && one.kind === kind);
  const isConfig =
    configs.some((name) => new RegExp(`(^|-)${name}(-|$)`).test(String(metadata?.name))) ||
    (configKeys !== undefined && Object.keys(textsIn(object)).some((key) => configKeys.test(key)));
  return isOfKind || (holdsTexts(object) && isConfig);
}

/** Fields beside which an object says nothing. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** The steps to what is another one on the newer side; undefined if nothing is. */
function differenceIn(old: Json, now: Json, isLive: boolean): YamlPath | undefined {
  const [before, after] = [old, now].map((one) => (holdsTexts(one) ? { data: settingsIn(one) } : one));
  const all = [...new Set([...(isLive ? [] : Object.keys(before)), ...Object.keys(after)])];
  const keys = all.filter((key) => !SAYS_NOTHING.has(key) && !isAlike(before[key], after[key], isLive));
  return keys.length === 0
    ? undefined
    : keys.length > 1
      ? []
      : [keys[0], ...stepsBelow(before[keys[0]], after[keys[0]], isLive)];
}

/** The texts of a ConfigMap or a Secret; those that are YAML or JSON as maps. */
function settingsIn(object: Json): Json {
  const texts = Object.entries(textsIn(object));
  return Object.fromEntries(texts.map(([key, text]) => [key, valuesOfText(String(text)) ?? text]));
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

/** Live objects have what the API server adds. */
function isAlike(before: unknown, after: unknown, isLive: boolean): boolean {
  return isPart(after, before) && (isLive || isPart(before, after));
}
