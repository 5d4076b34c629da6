import type { Json } from '../contract/json';
import { printable } from '../contract/printable';
import { titleOf } from '../later/later';
import type { ControllerDefinition } from '../rules/controller-definition';
import { type EditBeside, Reach } from '../rules/edits-beside';
import { type EditedKind, type ObjectEdit, objectEdits } from '../rules/edits-of-values';
import type { Manifest } from '../rules/manifest-objects';
import type { Cause } from './balancer-change';
import { kindOf } from './owners';
import { causeOf, fieldAt, type Said, saidBy } from './said';
import type { Side, SideBalancer, Sides } from './side';

/** What edits of objects do on which the balancer hangs without being made of them: pools of addresses, and what announces them. */
export function besideCauses(before: SideBalancer, after: SideBalancer, sides: Sides): Cause[] {
  const kind = kindOf(before);
  if (!kind?.reachedByEdit || before.owner !== after.owner) {
    return [];
  }
  const { edits, objects } = besideOf(kind, sides);
  return edits.flatMap(({ edit, title, object }) => {
    const reach = kind.reachedByEdit?.({
      row: edit.field.row ?? '',
      object: { before: object.before?.object, after: object.after?.object },
      service: { before: before.service, after: after.service },
      objects,
    });
    return reach === undefined || reach === Reach.NO ? [] : [besideCause(edit, { title, object, reach }, sides)];
  });
}

interface Beside {
  readonly edit: ObjectEdit;
  /** The object, for people. */
  readonly title: string;
  readonly object: { readonly before?: Manifest; readonly after?: Manifest };
}

function besideCause(
  { field, edit }: ObjectEdit,
  { title, object, reach }: Omit<Beside, 'edit'> & { readonly reach: Reach },
  { options }: Sides,
): Cause {
  const { before, after } = object;
  const { path } = field;
  const said = saidBy(edit, { remedy: `keep it beside the new one until no Service needs it` });
  const isGone = after === undefined;
  const when = isGone ? `${title} is in no manifest any more${options.prune ? '' : ', and with prune it goes'}: ` : '';
  const told: Said = { ...said, why: printable(`${when}${said.why}`) };
  const perhaps: Said = {
    ...told,
    outcome: 'unknown',
    why: printable(`${told.why}; whether the address of this Service is among them is not known`),
    needs: ['the address of the Service, as a dump of the cluster has it'],
  };
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
    reach === Reach.YES ? told : perhaps,
  );
}

interface BesideOfSides {
  readonly edits: readonly Beside[];
  readonly objects: EditBeside['objects'];
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
    const [one, other] = [old.get(key), now.get(key)];
    if (other === undefined && isLeft) {
      return [];
    }
    const { edited, manifest } = (other ?? one) as Found;
    const title = printable(`${edited.kind} ${titleOf(manifest.object)}`);
    return objectEdits(edited, one?.manifest.object, other?.manifest.object, kind)
      .filter(({ edit: { onEdit } }) => onEdit !== 'kept' && onEdit !== 'ignored')
      .map((edit) => ({ edit, title, object: { before: one?.manifest, after: other?.manifest } }));
  });
  const jsonOf = (found: ReadonlyMap<string, Found>): Json[] =>
    [...found.values()].map(({ manifest }) => manifest.object);
  return { edits, objects: { before: jsonOf(old), after: jsonOf(now) } };
}

interface Found {
  readonly edited: EditedKind;
  readonly manifest: Manifest;
}

function objectsOf({ editedKinds = [] }: ControllerDefinition, { manifests }: Side): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>();
  for (const manifest of manifests) {
    const { apiVersion, kind } = manifest.object;
    const edited = editedKinds.find((one) => one.kind === kind && String(apiVersion).startsWith(`${one.group}/`));
    if (edited) {
      found.set(`${kind} ${titleOf(manifest.object)}`, { edited, manifest });
    }
  }
  return found;
}
