import { type Claim, claimsOf, fateOfTwo, sharedOf } from '../rules/claims';
import { type ControllerDefinition, definitionOf, unwrapped } from '../rules/controller-definition';
import type { Cause } from './balancer-change';
import { NAME } from './match';
import { causeOf, type Said } from './said';
import type { Side, SideBalancer, Sides } from './side';

/** What a Service comes to claim that another one of the newer side has: a port of a shared address, a node port, a name. */
export function claimCauses(before: SideBalancer | undefined, after: SideBalancer, side: Side): Cause[] {
  const had = new Set(before ? claimsIn(before).flatMap(thingsOf) : []);
  const causes: Cause[] = [];
  for (const claim of claimsIn(after)) {
    const other = thingsOf(claim)
      .filter((thing) => !had.has(thing))
      .map((thing) =>
        holdersIn(side)
          .get(thing)
          ?.find((holder) => holder.id !== after.id && fights(holder.claim, claim)),
      )
      .find((holder) => holder !== undefined);
    if (other) {
      const { key, thing } = claim;
      const { fate, cutsOff, needs } = fateOfTwo(claim, other.claim);
      const shared = sharedOf(claim, other.claim);
      const said: Said = {
        outcome: needs !== undefined ? 'unknown' : cutsOff ? 'interrupted' : 'refused',
        why: `${thing} is that of ${other.id} as well: ${fate}`,
        remedy: shared?.remedy ?? 'give one of the two another one, or take it from the other one first',
        ...(needs !== undefined && { needs: [needs] }),
      };
      const path = key === undefined ? ['spec'] : ['metadata', 'annotations', key];
      causes.push(causeOf({ field: key ?? 'spec', path, to: claim.value }, said));
    }
  }
  return causes;
}

/** What another Service that comes to claim it does to a balancer that has a thing on both sides. */
export function rivalCauses(before: SideBalancer, after: SideBalancer, sides: Sides): Cause[] {
  const had = new Set(claimsIn(before).flatMap(thingsOf));
  return claimsIn(after).flatMap((claim): Cause[] => {
    const { thing } = claim;
    const claimants = (side: Side) => holdersIn(side).get(thing) ?? [];
    const known = new Set(had.has(thing) ? claimants(sides.before).map(({ id }) => id) : []);
    const rival =
      known.size > 0 && claimants(sides.after).find((one) => !known.has(one.id) && fights(one.claim, claim));
    const { fate, cutsOff, needs } = rival ? fateOfTwo(rival.claim, claim) : { fate: '' };
    if (!rival || (!cutsOff && needs === undefined)) {
      return [];
    }
    const { written, id } = rival;
    const path = written.madeOf?.path ?? NAME;
    const where = { field: `Service ${id}`, path, places: { after: { manifest: written, path } } };
    const why = `it comes to claim ${thing}: ${fate}`;
    const remedy = 'give the other Service another one';
    return [
      causeOf(
        where,
        needs === undefined
          ? { outcome: 'interrupted', why, remedy }
          : { outcome: 'unknown', why, remedy, needs: [needs] },
      ),
    ];
  });
}

/** A claim of a Service. */
interface Holder {
  readonly id: string;
  readonly written: SideBalancer['written'];
  readonly claim: Claim;
}

const HOLDERS = new WeakMap<Side, ReadonlyMap<string, readonly Holder[]>>();

/** Who has what on a side: it is looked for once, where something is claimed anew. */
function holdersIn(side: Side): ReadonlyMap<string, readonly Holder[]> {
  const known = HOLDERS.get(side);
  if (known) {
    return known;
  }
  const holders = new Map<string, Holder[]>();
  for (const balancer of side.balancers) {
    for (const claim of claimsIn(balancer)) {
      for (const thing of thingsOf(claim)) {
        const found = holders.get(thing);
        if (found) {
          found.push({ id: balancer.id, written: balancer.written, claim });
        } else {
          holders.set(thing, [{ id: balancer.id, written: balancer.written, claim }]);
        }
      }
    }
  }
  HOLDERS.set(side, holders);
  return holders;
}

function claimsIn({ service, controller }: SideBalancer): readonly Claim[] {
  const kind: ControllerDefinition | undefined =
    controller && ('bind' in controller ? definitionOf(controller) : controller);
  const version = controller && 'bind' in controller ? kind?.versionOf?.(unwrapped(controller)) : undefined;
  return claimsOf(service, kind, version).filter(({ who }) => who !== OF_NAMES);
}

/** Two Services can have one name for a while: what becomes of the old one is told at the Service that loses it. */
const OF_NAMES = 'external-dns';

/** What a claim is about: a thing, and each port of one that is shared. */
function thingsOf({ thing, sharing, ports }: Claim): string[] {
  return sharing === undefined ? [thing] : [thing, ...ports.map((port) => `${thing}\n${port}`)];
}

/** Those that share a thing in the same way fight for its ports alone. */
function fights(one: Claim, other: Claim): boolean {
  const isShared = one.sharing !== undefined && one.sharing === other.sharing;
  return !isShared || sharedOf(one, other) !== undefined || one.ports.some((port) => other.ports.includes(port));
}
