import { grouped } from '../contract/grouped';
import { type Json, mapIn } from '../contract/json';
import { printable } from '../contract/printable';
import { sameValue } from '../contract/same-value';
import { titleOf } from '../later/later';
import { possibleClaimants } from '../rules/claimants';
import type { ControllerDefinition } from '../rules/controller-definition';
import { Reach } from '../rules/edits-beside';
import { type EditedKind, type ObjectEdit, objectEdits } from '../rules/edits-of-values';
import type { Manifest } from '../rules/manifest-objects';
import type { Cause } from './balancer-change';
import { nearestTo } from './objects-on-side';
import { kindOf } from './owners';
import { paired } from './paired';
import { causeOf, fieldAt, type Said, saidBy } from './said';
import type { Side, SideBalancer, Sides } from './side';

/** What edits of objects do on which the balancer hangs without being made of them: pools of addresses, and what announces them. */
export function besideCauses(before: SideBalancer, after: SideBalancer, sides: Sides): Cause[] {
  if (before.owner !== after.owner) {
    return [];
  }
  const own = kindOf(before);
  if (own || before.owner !== undefined) {
    return own ? causesBy(own, before, after, sides) : [];
  }
  return possibleClaimants(before.service)
    .flatMap(({ kind }) => causesBy(kind, before, after, sides))
    .map(({ remedy: _, ...cause }) => ({
      ...cause,
      outcome: 'unknown',
      needs: [printable(before.unowned ?? 'who owns it')],
    }));
}

function causesBy(kind: ControllerDefinition, before: SideBalancer, after: SideBalancer, sides: Sides): Cause[] {
  if (!kind.reachedByEdit) {
    return [];
  }
  const { edits, named } = besideOf(kind, sides);
  const [old, now] = [before, after].map(({ service }) => mapIn(mapIn(service, 'metadata'), 'labels'));
  const isRelabelled = !sameValue(old, now);
  if (edits.length === 0 && !isRelabelled) {
    return [];
  }
  // of one name, those of other folders are of clusters of their own
  const own = ({ file }: Manifest, all: ReadonlyMap<string, readonly Found[]>): Manifest[] =>
    [...all.values()].flatMap((found) => nearestTo(file, found, fileOf)).map(({ manifest }) => manifest);
  const mine = { before: own(before.written, named.before), after: own(after.written, named.after) };
  const [ofOld, ofNow] = [mine.before, mine.after].map((all) => all.map(({ object }): Json => object));
  const objects = { before: ofOld, after: ofNow };
  const isMine = ({ before: old, after: now }: Beside['object']) =>
    (old !== undefined && mine.before.includes(old)) || (now !== undefined && mine.after.includes(now));
  const service = { before: before.service, after: after.service };
  const labelled = isRelabelled ? kind.editByLabels?.(service, objects.after) : undefined;
  const changed = { field: 'metadata.labels', path: ['metadata', 'labels'], from: old, to: now };
  const byLabels = labelled ? [causeOf(changed, reached(labelled.reach, saidBy(labelled.edit)))] : [];
  const byEdits = edits.flatMap(({ edit, title, object }) => {
    if (!isMine(object)) {
      return [];
    }
    const reach = kind.reachedByEdit?.({
      row: edit.field.row ?? '',
      object: { before: object.before?.object, after: object.after?.object },
      service,
      objects,
    });
    return reach === undefined || reach === Reach.NO ? [] : [besideCause(edit, { title, object, reach }, sides)];
  });
  return [...byLabels, ...byEdits];
}

function reached(reach: Reach, told: Said): Said {
  const why = printable(`${told.why}; whether the address of this Service is among them is not known`);
  const needs = ['the address of the Service, as a dump of the cluster has it'];
  return reach === Reach.YES ? told : { ...told, outcome: 'unknown', why, needs };
}

interface Beside {
  readonly edit: ObjectEdit;
  readonly title: string;
  readonly object: { readonly before?: Manifest; readonly after?: Manifest };
}

function besideCause(
  { field, edit }: ObjectEdit,
  { title, object, reach }: Pick<Beside, 'title' | 'object'> & { readonly reach: Reach },
  { options }: Sides,
): Cause {
  const { before, after } = object;
  const { path } = field;
  const said = saidBy(edit, { remedy: `keep it beside the new one until no Service needs it` });
  const isGone = after === undefined;
  const when = isGone ? `${title} is in no manifest any more${options.prune ? '' : ', and with prune it goes'}: ` : '';
  const told: Said = { ...said, why: printable(`${when}${said.why}`) };
  return causeOf(
    {
      field: path.length === 0 ? title : `${title}, ${fieldAt(path)}`,
      path,
      ...(path.length > 0 && { from: field.before, to: field.after }),
      places: {
        ...(before && { before: { manifest: before, path } }),
        ...(after && { after: { manifest: after, path } }),
      },
    },
    reached(reach, told),
  );
}

interface BesideOfSides {
  readonly edits: readonly Beside[];
  readonly named: Readonly<Record<'before' | 'after', ReadonlyMap<string, readonly Found[]>>>;
}

const BESIDE = new WeakMap<Side, Map<ControllerDefinition, BesideOfSides>>();

/** What of such objects changes: few of them for many Services. */
function besideOf(kind: ControllerDefinition, sides: Sides): BesideOfSides {
  const known = BESIDE.get(sides.after) ?? new Map<ControllerDefinition, BesideOfSides>();
  BESIDE.set(sides.after, known);
  const found = known.get(kind) ?? besideIn(kind, sides);
  known.set(kind, found);
  return found;
}

function besideIn(kind: ControllerDefinition, { before, after, options }: Sides): BesideOfSides {
  const [old, now] = [before, after].map((side) => objectsOf(kind, side));
  const isLeft = options.prune === false || (before.isLive === true && options.prune !== true);
  const keys = [...new Set([...old.keys(), ...now.keys()])];
  const edits = keys.flatMap((key) => {
    const pairs = paired(old.get(key) ?? [], now.get(key) ?? [], fileOf, (one, other) =>
      sameValue(one.manifest.object.spec, other.manifest.object.spec),
    );
    return pairs.flatMap(([one, other]): Beside[] => {
      if (other === undefined && isLeft) {
        return [];
      }
      const { edited, manifest } = (other ?? one) as Found;
      const title = printable(`${edited.kind} ${titleOf(manifest.object)}`);
      return objectEdits(edited, one?.manifest.object, other?.manifest.object, kind)
        .filter(({ edit: { onEdit } }) => onEdit !== 'kept' && onEdit !== 'ignored')
        .map((edit) => ({ edit, title, object: { before: one?.manifest, after: other?.manifest } }));
    });
  });
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
  return grouped(found, ({ manifest: { object } }) => `${object.kind} ${titleOf(object)}`);
}
