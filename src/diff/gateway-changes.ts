import type { Json } from '../contract/json';
import { objectIdOf } from '../contract/object-title';
import { sameValue } from '../contract/same-value';
import { OwnershipState } from '../controllers/load-balancer-owner';
import {
  type BalancedGateway,
  balancedGatewayEdits,
  balancedGateways,
  ownerOfBalanced,
  protectionOf,
} from '../later/balanced-gateways';
import { titleOf } from '../later/later';
import type { MakerEdit } from '../later/maker-edit';
import { type ControllerDefinition, knownKinds } from '../rules/controller-definition';
import type { Manifest } from '../rules/manifest-objects';
import { withFindingsAtGateway } from './backend-causes';
import type { BalancerChange, Cause } from './balancer-change';
import { installCauses } from './install-causes';
import { leavesOthers } from './live-object';
import { madeRemedy, remedyToKeep } from './made-remedies';
import { changedBy } from './maker-causes';
import { NAME } from './match';
import { worstOf } from './outcome';
import { uninstalledOwner } from './owners';
import { pruneGuardOf } from './pruning';
import { causeOf, isCommonRemedy, saidBy } from './said';
import type { SideBalancer, Sides } from './side';

/** What becomes of the balancers that are made of Gateways without a Service. */
export function gatewayChanges(sides: Sides): BalancerChange[] {
  const kind = ownerOfBalanced(knownKinds());
  const found = kind ? balancedGateways(sides.before, sides.after).filter((one) => isCompared(one, sides)) : [];
  const moves = movesIn(found);
  return found.map((one) => changeOf(one, kind as ControllerDefinition, moves, sides));
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

function changeOf(
  gateway: BalancedGateway,
  kind: ControllerDefinition,
  moves: ReadonlyMap<Manifest, Manifest>,
  sides: Sides,
): BalancerChange {
  const [before, after] = [gateway.before, gateway.after].map((one) => one && balancerOf(one, kind));
  const causes = causesFor(gateway, kind, moves, sides);
  const moved = (one: Manifest | undefined) => {
    const other = one && moves.get(one);
    return other && balancerOf(other, kind);
  };
  const [movedTo, movedFrom] = [after ? undefined : moved(gateway.before), before ? undefined : moved(gateway.after)];
  return {
    ...{ before, after, causes, outcome: worstOf(causes.map(({ outcome }) => outcome)) },
    ...(movedTo && { movedTo }),
    ...(movedFrom && { movedFrom }),
  };
}

/** A Gateway in the place of the Service that it does not have. */
function balancerOf(manifest: Manifest, controller: ControllerDefinition): SideBalancer {
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

function causesFor(
  gateway: BalancedGateway,
  kind: ControllerDefinition,
  moves: ReadonlyMap<Manifest, Manifest>,
  sides: Sides,
): Cause[] {
  const { before, after, wasMade } = gateway;
  if (!before || (after && !wasMade)) {
    return [createdCause(after as Manifest, moves.get(after as Manifest), before)];
  }
  const balancer = balancerOf(before, kind);
  const uninstalled = uninstalledCause(balancer, after !== undefined, sides);
  if (!after) {
    return [...uninstalled, goneCause(before, moves.get(before), sides)];
  }
  const edits = balancedGatewayEdits(before.object, kind, { ...sides, isLeft: isLeft(sides) });
  const causes = edits.filter((edit) => isToTell(edit, sides)).map((edit) => editedCause(edit, after.object));
  return [
    ...uninstalled,
    ...withFindingsAtGateway(causes, after.object, sides),
    ...installCauses({ before: balancer, after: balancerOf(after, kind) }, sides),
  ];
}

/** Whether what is in no manifest any more stays all the same. */
function isLeft({ before, options }: Sides): boolean {
  return options.prune === false || (before.isLive === true && options.prune !== true);
}

function isToTell({ edit: { onEdit }, path }: MakerEdit, sides: Sides): boolean {
  const isOfOthers = path[1] === 'finalizers' && leavesOthers(sides);
  return onEdit !== 'kept' && !isOfOthers;
}

function editedCause(edit: MakerEdit, gateway: Json): Cause {
  const said = saidBy(edit.edit);
  const remedy = isCommonRemedy(said) ? (madeRemedy(said.outcome, gateway) ?? said.remedy) : said.remedy;
  return causeOf(changedBy(edit), { ...said, ...(remedy !== undefined && { remedy }) });
}

function createdCause(gateway: Manifest, movedFrom: Manifest | undefined, before: Manifest | undefined): Cause {
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

function goneCause(gateway: Manifest, movedTo: Manifest | undefined, sides: Sides): Cause {
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
function uninstalledCause(before: SideBalancer, isListed: boolean, sides: Sides): Cause[] {
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
