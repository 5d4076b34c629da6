import { grouped } from '../contract/grouped';
import { isPart } from '../contract/is-part';
import { isMap, type Json } from '../contract/json';
import { printable } from '../contract/printable';
import type { YamlPath } from '../contract/yaml-source';
import { OTHER_CONTROLLERS, type OtherController } from '../controllers/marks.facts';
import { ownerSigns } from '../controllers/other-controller';
import { titleOf } from '../later/later';
import { knownKinds } from '../rules/controller-definition';
import type { Manifest } from '../rules/manifest-objects';
import { annotationsOf, classOf } from '../rules/service-json';
import type { Cause } from './balancer-change';
import type { Matched } from './match';
import { nearestTo } from './objects-on-side';
import { kindOf } from './owners';
import { type PairOf, paired } from './paired';
import { causeOf, fieldAt } from './said';
import type { Side, SideBalancer, Sides } from './side';

/**
 * Changes of objects that may hold the address of a Service whose owner has no rules here: address pools, announcements, and the
 * configuration of controllers.
 */
export function holderCauses({ before, after }: Matched, sides: Sides): Cause[] {
  if (!before || !after || before.owner !== after.owner || kindOf(before)) {
    return [];
  }
  const changes = holdersChanged(sides);
  const others = changes.length > 0 ? othersOf(before) : [];
  const mine = changes.filter(({ other }) => others.includes(other));
  return nearestTo(after.written.file, mine, ({ at }) => at.file).map((change) => causeIn(change, before));
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
  readonly other: OtherController;
  readonly before?: Manifest;
  readonly after?: Manifest;
  /** The object on the newer side, or else on the older one. */
  readonly at: Manifest;
  readonly path: YamlPath;
}

function causeIn({ other, before, after, at, path }: HolderChange, { unowned }: SideBalancer): Cause {
  const title = printable(`${at.object.kind} ${titleOf(at.object)}`);
  const how = after === undefined ? 'is in no manifest any more' : before === undefined ? 'is new' : 'changes';
  return causeOf(
    {
      field: path.length === 0 ? title : `${title}, ${fieldAt(path)}`,
      path,
      ...(before && after && path.length > 0 && at.object.kind !== 'Secret' && valuesAt(before, after, path)),
      places: {
        ...(before && { before: { manifest: before, path } }),
        ...(after && { after: { manifest: after, path } }),
      },
    },
    {
      outcome: 'unknown',
      why: `the address may depend on it, which ${how}: what ${other.name} makes of that is not known here`,
      needs: [printable(unowned ?? `what ${other.name} makes of the change`)],
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
  return isSame ? [] : by.map((of) => ({ other: of, before: one?.manifest, after: other?.manifest, at, path }));
}

/** An object that configures controllers. */
interface Holder {
  readonly manifest: Manifest;
  readonly by: readonly OtherController[];
}

function holdersOn({ manifests }: Side): ReadonlyMap<string, readonly Holder[]> {
  const holders = manifests.flatMap((manifest): Holder[] => {
    const by = OTHER_CONTROLLERS.filter((other) => configures(manifest.object, other));
    return by.length > 0 ? [{ manifest, by }] : [];
  });
  return grouped(holders, ({ manifest: { object } }) => `${object.kind} ${titleOf(object)}`);
}

function configures({ apiVersion, kind, metadata }: Json, { kinds = [], configs = [] }: OtherController): boolean {
  const isOfKind = kinds.some((one) => String(apiVersion).startsWith(`${one.group}/`) && one.kind === kind);
  const isHolder = apiVersion === 'v1' && (kind === 'ConfigMap' || kind === 'Secret');
  return isOfKind || (isHolder && configs.some((name) => new RegExp(`(^|-)${name}(-|$)`).test(String(metadata?.name))));
}

/** Fields beside which an object says nothing. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** The steps to what is another one on the newer side; undefined if nothing is. */
function differenceIn(before: Json, after: Json, isLive: boolean): YamlPath | undefined {
  const all = [...new Set([...(isLive ? [] : Object.keys(before)), ...Object.keys(after)])];
  const keys = all.filter((key) => !SAYS_NOTHING.has(key) && !isAlike(before[key], after[key], isLive));
  return keys.length === 0
    ? undefined
    : keys.length > 1
      ? []
      : [keys[0], ...stepsBelow(before[keys[0]], after[keys[0]], isLive)];
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
