import { isInPlace, type Outcome, worstOf } from '../contract/edit';
import { type Json, objectIdOf, sameValue } from '../contract/json';
import { OwnershipState } from '../controllers/load-balancer-owner';
import {
  type BalancedGateway,
  balancedGatewayEdits,
  balancedGateways,
  isGateway,
  ownerOfBalanced,
  protectionOf,
} from '../predicted/gateway-balancers';
import { classOn, gatewaysAbove, gatewaysOn, nameIn } from '../predicted/gateway-relations';
import { isKafka } from '../predicted/kafka-services';
import { editedKinds, editedKindsOf, type MakerEdit, makerEdit, titleOf } from '../predicted/predicted';
import type { ControllerDefinition, EditedKind } from '../rules/controller-definition';
import { objectEdits } from '../rules/edits-of-values';
import { knownKinds } from '../rules/known-kinds';
import type { Manifest } from '../rules/manifest-objects';
import { pruneGuardOf } from './deletions';
import { type BalancerChange, type Consequence, consequenceOf, type Effect, effectAt, isCommonRemedy } from './effect';
import { installationEffects } from './installations';
import { leavesOthers, uninstalledOwner } from './owners';
import { NAME } from './pairs';
import { withFindingsAtGateway, withFindingsOfBinding } from './pods';
import type { Side, SideBalancer, Sides } from './side';
import { changedField, remedyToKeep, sourceRemedy } from './sources';

/** What becomes of the balancers that are made of Gateways without a Service. */
export function gatewayChanges(sides: Sides): BalancerChange[] {
  const kind = ownerOfBalanced(knownKinds());
  const found = kind ? balancedGateways(sides.before, sides.after).filter((one) => isCompared(one, sides)) : [];
  const moves = movesIn(found);
  return found.map((one) => gatewayChange(one, kind as ControllerDefinition, moves, sides));
}

/** A cluster has more than the manifests that are compared with it. */
function isCompared({ after }: BalancedGateway, { before, options }: Sides): boolean {
  return after !== undefined || before.isLive !== true || options.prune === true;
}

/** The Gateways that take the place of others, which say the same. */
function movesIn(found: readonly BalancedGateway[]): ReadonlyMap<Manifest, Manifest> {
  const [gone, come] = [
    found.flatMap(({ before, after }) => (before && !after ? [before] : [])),
    found.flatMap(({ before, after }) => (after && !before ? [after] : [])),
  ];
  const moves = new Map<Manifest, Manifest>();
  for (const one of gone) {
    const [first, ...others] = come.filter(({ object }) => sameValue(object.spec, one.object.spec));
    if (first && others.length === 0 && !moves.has(first)) {
      moves.set(one, first);
      moves.set(first, one);
    }
  }
  return moves;
}

function gatewayChange(
  gateway: BalancedGateway,
  kind: ControllerDefinition,
  moves: ReadonlyMap<Manifest, Manifest>,
  sides: Sides,
): BalancerChange {
  const [before, after] = [gateway.before, gateway.after].map((one) => one && gatewayBalancer(one, kind));
  const effects = effectsForGateway(gateway, kind, moves, sides);
  const moved = (one: Manifest | undefined) => {
    const other = one && moves.get(one);
    return other && gatewayBalancer(other, kind);
  };
  const [movedTo, movedFrom] = [after ? undefined : moved(gateway.before), before ? undefined : moved(gateway.after)];
  return {
    ...{ before, after, effects, outcome: worstOf(effects.map(({ outcome }) => outcome)) },
    ...(movedTo && { movedTo }),
    ...(movedFrom && { movedFrom }),
  };
}

function gatewayBalancer(manifest: Manifest, controller: ControllerDefinition): SideBalancer {
  const { object } = manifest;
  return {
    id: objectIdOf(object),
    title: `Gateway ${titleOf(object)}`,
    service: object,
    written: { ...manifest, madeOf: { object, path: [] } },
    owner: controller.name,
    controller,
    ownership: OwnershipState.OWNED,
  };
}

function effectsForGateway(
  gateway: BalancedGateway,
  kind: ControllerDefinition,
  moves: ReadonlyMap<Manifest, Manifest>,
  sides: Sides,
): Effect[] {
  const { before, after, wasMade } = gateway;
  if (!before || (after && !wasMade)) {
    return [createdGateway(after as Manifest, moves.get(after as Manifest), before)];
  }
  const balancer = gatewayBalancer(before, kind);
  const uninstalled = uninstalledGatewayOwner(balancer, after !== undefined, sides);
  if (!after) {
    return [...uninstalled, removedGateway(before, moves.get(before), sides)];
  }
  const edits = balancedGatewayEdits(before.object, kind, { ...sides, isLeft: isLeft(sides) });
  const effects = edits.filter((edit) => isRelevant(edit, sides)).map((edit) => editedGateway(edit, after.object));
  return [
    ...uninstalled,
    ...withFindingsAtGateway(effects, after.object, sides),
    ...installationEffects({ before: balancer, after: gatewayBalancer(after, kind) }, sides),
  ];
}

/** Whether what is in no manifest any more stays all the same. */
function isLeft({ before, options }: Sides): boolean {
  return options.prune === false || (before.isLive === true && options.prune !== true);
}

function isRelevant({ edit, path }: MakerEdit, sides: Sides): boolean {
  const isOfOthers = path[1] === 'finalizers' && leavesOthers(sides);
  return !isInPlace(edit) && !isOfOthers;
}

function editedGateway(edit: MakerEdit, gateway: Json): Effect {
  const consequence = consequenceOf(edit.edit);
  const remedy = isCommonRemedy(consequence)
    ? (sourceRemedy(consequence.outcome, gateway) ?? consequence.remedy)
    : consequence.remedy;
  return effectAt(changedField(edit), { ...consequence, ...(remedy !== undefined && { remedy }) });
}

function createdGateway(gateway: Manifest, movedFrom: Manifest | undefined, before: Manifest | undefined): Effect {
  const instead = movedFrom && `Gateway ${titleOf(movedFrom.object)}`;
  return {
    outcome: 'created',
    ...(before ? { field: 'spec.gatewayClassName', path: CLASS_NAME } : { field: 'metadata.name', path: NAME }),
    places: {
      ...(before && { before: { manifest: before, path: CLASS_NAME } }),
      after: { manifest: gateway, path: NAME },
    },
    ...(instead !== undefined && { from: instead }),
    why:
      instead === undefined
        ? 'there is a new balancer'
        : `a balancer with an address of its own is made in the place of ${instead}`,
  };
}

const CLASS_NAME = ['spec', 'gatewayClassName'];

function removedGateway(gateway: Manifest, movedTo: Manifest | undefined, sides: Sides): Effect {
  const { prune } = sides.options;
  const title = `Gateway ${titleOf(gateway.object)}`;
  const to = movedTo && `Gateway ${titleOf(movedTo.object)}`;
  const because =
    to === undefined ? `${title} is in no manifest any more` : `${to} is another one, with an address of its own`;
  const where = {
    field: 'metadata.name',
    path: NAME,
    places: { before: { manifest: gateway, path: NAME } },
    from: title,
    ...(to !== undefined && { to }),
  };
  const guard = pruneGuardOf(gateway.object);
  if (prune === false) {
    const why = `${because}; without prune ${title} stays live with its balancer, and is paid for`;
    return { outcome: 'kept', ...where, why, remedy: `delete ${title} when no client uses its address` };
  }
  if (guard) {
    const why = `${because}, and ${guard.annotation} keeps it from being pruned by ${guard.tool} alone`;
    return { outcome: 'unknown', ...where, why, source: guard.source, needs: [`whether ${guard.tool} applies it`] };
  }
  const when = prune === true ? because : `${because}; with prune it goes`;
  const protection = protectionOf(gateway.object, sides.before);
  return protection === undefined
    ? {
        outcome: to === undefined ? 'deleted' : 'replaced',
        ...where,
        why: `${when}: its balancer is taken down, and its address goes`,
        remedy: remedyToKeep(gateway.object, false),
      }
    : {
        outcome: 'stuck',
        ...where,
        why: `${when}: ${protection.attribute} of ${protection.by} keeps the balancer from being deleted, and the Gateway stays in Terminating`,
        remedy: `set ${protection.attribute} to false first`,
      };
}

/** What becomes of it where its controller is taken away in the same change: it has a finalizer that nobody removes then. */
function uninstalledGatewayOwner(before: SideBalancer, isListed: boolean, sides: Sides): Effect[] {
  const uninstalled = uninstalledOwner(before, sides);
  if (!uninstalled) {
    return [];
  }
  const { install, isByPruning } = uninstalled;
  const gone = `${before.owner} is ${isByPruning ? 'in no manifest any more and goes with prune' : 'taken away in the same change'}`;
  const until = isListed ? 'nothing changes the balancer any more, and when the Gateway is deleted it' : 'the Gateway';
  return [
    {
      outcome: 'stuck',
      field: 'controllers',
      path: [],
      ...(install && {
        places: { before: { manifest: install.manifest, path: NAME } },
        from: `${install.manifest.object.kind} ${titleOf(install.manifest.object)}`,
      }),
      why: `${gone}: ${until} stays in Terminating, because nothing removes the finalizer`,
      remedy: `delete the Gateway first, wait until it is gone, and take ${before.owner} away last`,
    },
  ];
}

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
    const edits = bindingEffects(one, other, sides);
    const effects = other ? withFindingsOfBinding(edits, other.manifest, other.edited.rules, sides) : edits;
    return effects.length === 0
      ? []
      : [
          {
            before: bindingBalancer(one),
            ...(other && { after: bindingBalancer(other) }),
            outcome: worstOf(effects.map(({ outcome }) => outcome)),
            effects,
          },
        ];
  });
}

function bindingEffects(one: Binding, other: Binding | undefined, sides: Sides): Effect[] {
  const { edited, manifest } = one;
  const gone = other ? '' : `it is in no manifest any more${sides.options.prune ? '' : ', and with prune it goes'}: `;
  return (
    objectEdits(edited, manifest.object, other?.manifest.object, undefined, sides.options.writer === 'put')
      .filter(({ edit }) => !isInPlace(edit))
      // webhooks and controllers fill in what is not written
      .filter(({ field }) => field.after !== undefined || !leavesOthers(sides))
      .map((edit) => {
        const { edit: fact } = edit;
        const changed = changedField(makerEdit(edit, { before: manifest, after: other?.manifest }));
        const consequence = { ...fact, what: `${gone}${fact.what}` };
        return effectAt(
          changed,
          consequenceOf(consequence, fact.remedy === undefined ? remedyFor(fact.outcome, manifest.object, !other) : {}),
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

function gatewaysMadeOf(maker: Json, side: Side): readonly Pick<Manifest, 'object'>[] {
  if (isGateway(maker)) {
    return [{ object: maker }];
  }
  // a Kafka has a balancer for each broker, and no Gateway
  return isKafka(maker) ? [] : gatewaysOn(side).filter(({ object }) => classOn(side, object)?.object === maker);
}

function remedyFor(outcome: Outcome, object: Json, isGone: boolean): Partial<Consequence> {
  const remedy = isGone ? 'keep it until no client needs it' : sourceRemedy(outcome, object);
  return remedy === undefined ? {} : { remedy };
}

function bindingsOn({ manifests }: Side): ReadonlyMap<string, Binding> {
  const controllers = knownKinds();
  const kinds = editedKinds(controllers)
    .filter(({ isBinding }) => isBinding)
    .map((edited) => ({ edited, controller: controllers.find((one) => one.editedKinds?.includes(edited)) }));
  return new Map(
    manifests.flatMap((manifest): [string, Binding][] => {
      const { kind } = manifest.object;
      const found = kinds.find(({ edited }) => editedKindsOf(manifest.object, [edited]).length > 0);
      return found ? [[`${kind} ${objectIdOf(manifest.object)}`, { manifest, ...found }]] : [];
    }),
  );
}

function bindingBalancer({ manifest, controller }: Binding): SideBalancer {
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
