import type { Json } from '../contract/json';
import { objectIdOf } from '../contract/object-title';
import { balancedGateways } from '../later/balanced-gateways';
import { editedKinds, editedKindsOf } from '../later/edited-kinds';
import { isGateway } from '../later/gateway-maker';
import { classOn, gatewaysAbove, gatewaysOn, nameIn } from '../later/gateway-relations';
import { isKafka } from '../later/kafka-maker';
import { titleOf } from '../later/later';
import { makerEdit } from '../later/maker-edit';
import { type ControllerDefinition, knownKinds } from '../rules/controller-definition';
import { type EditedKind, objectEdits } from '../rules/edits-of-values';
import type { Manifest } from '../rules/manifest-objects';
import { withFindingsOfBinding } from './backend-causes';
import type { BalancerChange, Cause } from './balancer-change';
import { leavesOthers } from './live-object';
import { madeRemedy } from './made-remedies';
import { changedBy } from './maker-causes';
import { type Outcome, outcomeOf, worstOf } from './outcome';
import { causeOf, type Said, saidBy } from './said';
import type { Side, SideBalancer, Sides } from './side';

/** An object that leads to targets of a balancer that is made elsewhere. */
interface Binding {
  readonly manifest: Manifest;
  readonly edited: EditedKind;
  /** Who reads it, where that is a controller of balancers. */
  readonly controller?: ControllerDefinition;
}

/**
 * What becomes of the targets of balancers that are made elsewhere; where nothing happens to them there is nothing to say. What is
 * at a Gateway whose balancer is compared counts with that.
 */
export function bindingChanges(sides: Sides): BalancerChange[] {
  const { before, after, options } = sides;
  // a cluster has those that controllers make by themselves as well
  const isLeft = options.prune === false || before.isLive === true;
  const [old, now] = [bindingsOn(before), bindingsOn(after)];
  const compared = old.size > 0 ? comparedGateways(sides) : new Set();
  const isBeside = (binding: Binding | undefined, side: Side) => {
    const above = binding && gatewaysAbove(side, binding.manifest.object);
    // a route inside the cluster is at none
    return above !== undefined && (above.length === 0 || above.some((name) => compared.has(name)));
  };
  return [...old.keys()].sort().flatMap((key): BalancerChange[] => {
    const [one, other] = [old.get(key) as Binding, now.get(key)];
    if ((!other && isLeft) || isBeside(one, before) || isBeside(other, after)) {
      return [];
    }
    const edits = causesOf(one, other, sides);
    const causes = other ? withFindingsOfBinding(edits, other.manifest, other.edited.rules, sides) : edits;
    return causes.length === 0
      ? []
      : [
          {
            before: balancerOf(one),
            ...(other && { after: balancerOf(other) }),
            outcome: worstOf(causes.map(({ outcome }) => outcome)),
            causes,
          },
        ];
  });
}

function causesOf(one: Binding, other: Binding | undefined, sides: Sides): Cause[] {
  const { edited, manifest } = one;
  const gone = other ? '' : `it is in no manifest any more${sides.options.prune ? '' : ', and with prune it goes'}: `;
  return (
    objectEdits(edited, manifest.object, other?.manifest.object, undefined, sides.options.writer === 'put')
      .filter(({ edit: { onEdit } }) => onEdit !== 'kept')
      // webhooks and controllers fill in what is not written
      .filter(({ field }) => field.after !== undefined || !leavesOthers(sides))
      .map((edit) => {
        const { edit: fact } = edit;
        const changed = changedBy(makerEdit(edit, { before: manifest, after: other?.manifest }));
        const said = { ...fact, what: `${gone}${fact.what}` };
        return causeOf(
          changed,
          saidBy(said, fact.remedy === undefined ? remedyFor(outcomeOf(fact.onEdit), manifest.object, !other) : {}),
        );
      })
  );
}

/** The names of the Gateways whose balancers are compared, with all that is at them. */
function comparedGateways({ before, after }: Sides): ReadonlySet<unknown> {
  const made = [before, after].flatMap((side) =>
    side.balancers.flatMap(({ written: { madeOf } }) =>
      madeOf === undefined ? [] : gatewaysMadeOf(madeOf.object, side).map(({ object }) => object),
    ),
  );
  const own = balancedGateways(before, after).map((one) => (one.after ?? one.before)?.object ?? {});
  return new Set([...made, ...own].map(nameIn));
}

/** A Gateway, or all of a class that are one. */
function gatewaysMadeOf(maker: Json, side: Side): readonly Pick<Manifest, 'object'>[] {
  if (isGateway(maker)) {
    return [{ object: maker }];
  }
  // a Kafka has a balancer for each broker, and no Gateway
  return isKafka(maker) ? [] : gatewaysOn(side).filter(({ object }) => classOn(side, object)?.object === maker);
}

/** What to do: nobody but who wrote it can keep it. */
function remedyFor(outcome: Outcome, object: Json, isGone: boolean): Partial<Said> {
  const remedy = isGone ? 'keep it until no client needs it' : madeRemedy(outcome, object);
  return remedy === undefined ? {} : { remedy };
}

function bindingsOn({ manifests }: Side): ReadonlyMap<string, Binding> {
  const controllers = knownKinds();
  const kinds = editedKinds(controllers)
    .filter(({ isBinding }) => isBinding)
    .map((edited) => ({
      edited,
      controller: controllers.find((one) => one.editedKinds?.includes(edited)),
    }));
  return new Map(
    manifests.flatMap((manifest): [string, Binding][] => {
      const { kind } = manifest.object;
      const found = kinds.find(({ edited }) => editedKindsOf(manifest.object, [edited]).length > 0);
      return found ? [[`${kind} ${objectIdOf(manifest.object)}`, { manifest, ...found }]] : [];
    }),
  );
}

function balancerOf({ manifest, controller }: Binding): SideBalancer {
  const { object } = manifest;
  return {
    id: objectIdOf(object),
    title: `${object.kind} ${titleOf(object)}`,
    service: object,
    written: { ...manifest, madeOf: { object, path: [] } },
    ...(controller && { owner: controller.name, controller }),
    isBinding: true,
  };
}
