import { titleOf } from '../later/later';
import { makerEdit } from '../later/maker-edit';
import { type ControllerDefinition, knownKinds } from '../rules/controller-definition';
import { type EditedKind, objectEdits } from '../rules/edits-of-values';
import type { Manifest } from '../rules/manifest-objects';
import type { BalancerChange } from './balancer-change';
import { leavesOthers } from './live-object';
import { changedBy } from './maker-causes';
import { idIn } from './objects-on-side';
import { worstOf } from './outcome';
import { causeOf, saidBy } from './said';
import type { Side, SideBalancer, Sides } from './side';

/** An object that gives targets to a balancer that is made elsewhere. */
interface Binding {
  readonly manifest: Manifest;
  readonly edited: EditedKind;
  readonly controller: ControllerDefinition;
}

/** What becomes of the targets of balancers that are made elsewhere; where nothing happens to them there is nothing to say. */
export function bindingChanges(sides: Sides): BalancerChange[] {
  const { before, after, options } = sides;
  // a cluster has those that the controller makes by itself as well
  const isLeft = options.prune === false || before.isLive === true;
  const [old, now] = [bindingsOn(before), bindingsOn(after)];
  return [...old.keys()].sort().flatMap((key): BalancerChange[] => {
    const [one, other] = [old.get(key) as Binding, now.get(key)];
    if (!other && isLeft) {
      return [];
    }
    const { edited, controller, manifest } = one;
    const causes = objectEdits(edited, manifest.object, other?.manifest.object)
      .filter(({ edit: { onEdit } }) => onEdit !== 'kept' && onEdit !== 'ignored')
      // and the webhook and the controller fill in what is not written
      .filter(({ field }) => field.after !== undefined || !leavesOthers(sides))
      .map((edit) => {
        const { edit: fact } = edit;
        const gone = other ? '' : `it is in no manifest any more${options.prune ? '' : ', and with prune it goes'}: `;
        const changed = changedBy(makerEdit(edit, { before: manifest, after: other?.manifest }));
        return causeOf(changed, saidBy({ ...fact, what: `${gone}${fact.what}` }, REMEDY));
      });
    return causes.length === 0
      ? []
      : [
          {
            before: balancerOf(manifest, controller),
            ...(other && { after: balancerOf(other.manifest, controller) }),
            outcome: worstOf(causes.map(({ outcome }) => outcome)),
            causes,
          },
        ];
  });
}

const REMEDY = { remedy: 'make another one beside it first, and take this one out when its targets are healthy' };

function bindingsOn({ manifests }: Side): ReadonlyMap<string, Binding> {
  const kinds = knownKinds().flatMap((controller) =>
    (controller.editedKinds ?? []).flatMap((edited) => (edited.isBinding ? [{ edited, controller }] : [])),
  );
  return new Map(
    manifests.flatMap((manifest): [string, Binding][] => {
      const { kind, apiVersion } = manifest.object;
      const found = kinds.find(
        ({ edited }) => edited.kind === kind && String(apiVersion).startsWith(`${edited.group}/`),
      );
      return found ? [[`${kind} ${idIn(manifest.object)}`, { manifest, ...found }]] : [];
    }),
  );
}

function balancerOf(manifest: Manifest, controller: ControllerDefinition): SideBalancer {
  const { object } = manifest;
  const title = `${object.kind} ${titleOf(object)}`;
  return {
    id: idIn(object),
    title,
    service: object,
    written: { ...manifest, madeOf: { object, path: [] } },
    owner: controller.name,
    controller,
    isBinding: true,
  };
}
