import { type Edit, editFrom } from '../contract/edit';
import { groupedByAll, isSet, type Json, mapIn, objectIdOf, printable } from '../contract/json';
import { LoadBalancerWish } from '../contract/options';
import { type Claim, claimsOf, fateOfTwo, sharedOf } from '../rules/claims';
import type { ControllerDefinition } from '../rules/controller-definition';
import { fieldEdit } from '../rules/edits-of-values';
import { annotationsOf, isService, portsOf } from '../rules/service-json';
import { type Effect, effectIn, textOf } from './effect';
import { type CreatedPair, type LivePair, NAME } from './pairs';
import { folderOf, installedOf, kindOf, oncePer, type Side, type SideBalancer, type Sides } from './side';

// Things that two Services claim: a name, an address, a port of a shared address, a node port.

/** The thing that both name, if the newer Service adopts it from the older one. */
export function adoptedThing(before: SideBalancer, after: SideBalancer) {
  const [old, now] = [before, after].map(({ service }) => annotationsOf(service));
  const kind = before.owner === after.owner ? kindOf(before) : undefined;
  const [found] = (kind?.catalogue.own ?? []).flatMap(({ fact: { key, namesOne, source } }) => {
    const thing = printable(`${namesOne?.thing} ${old[key]}`);
    const cited = kind?.annotationEdits?.get(key)?.source ?? source;
    return namesOne?.adopted && old[key] && old[key] === now[key]
      ? [{ thing, ...namesOne.adopted, source: cited }]
      : [];
  });
  return found;
}

export function sameAddress(
  before: SideBalancer,
  movedTo: SideBalancer,
): { readonly edit: Edit; readonly addresses: string } | undefined {
  const kind = kindOf(before);
  if (!kind?.sameAddress || before.owner !== movedTo.owner || movedTo.guess !== undefined) {
    return undefined;
  }
  const [old, now] = [before, movedTo].map((one) => addressesAskedBy(one.service, kind));
  const isSame = old.length > 0 && old.join() === now.join();
  return isSame
    ? { edit: editFrom(kind.sameAddress, kind.facts.source), addresses: printable(old.join(', ')) }
    : undefined;
}

/** The addresses that a Service asks for, by the field or by annotations of its owner. */
function addressesAskedBy(service: Json, { catalogue, sharing }: ControllerDefinition): string[] {
  const annotations = annotationsOf(service);
  const { loadBalancerIP } = mapIn(service, 'spec');
  const keys = catalogue.own.filter(({ fact }) => fact.wish === LoadBalancerWish.STATIC_ADDRESSES);
  const texts = keys.map((entry) => annotations[entry.key()]).filter((text) => typeof text === 'string' && text !== '');
  return [...(sharing && isSet(loadBalancerIP) ? [String(loadBalancerIP)] : []), ...texts.map(String)];
}

/** A node port that another Service has as well: the API server takes the second one that comes in no case. */
export function nodePortEffects({ before, after, sides }: CreatedPair): Effect[] {
  const old = new Set(before ? portsOf(before.service).map(({ nodePort }) => nodePort) : []);
  return (after.written.madeOf ? [] : portsOf(after.service)).flatMap(({ nodePort }, i): Effect[] => {
    if (!(nodePort > 0) || old.has(nodePort)) {
      return [];
    }
    const holders = nodePortHolders(sides).get(nodePort) ?? [];
    const holder = holders.find(({ object }) => objectIdOf(object) !== after.id);
    const other = holder && objectIdOf(holder.object);
    // what two balancers claim is told of all that they can claim
    if (!holder || sides.after.balancers.some(({ id }) => id === other)) {
      return [];
    }
    const isTogether = folderOf(holder.file) === folderOf(after.written.file) || sides.before.isLive === true;
    const at = {
      ...{ field: `spec.ports[${i}].nodePort`, path: ['spec', 'ports', i, 'nodePort'], to: String(nodePort) },
      source: fieldEdit('spec.ports[].nodePort').source,
    };
    return [effectIn('node port taken', isTogether ? 'refused' : 'unknown', at, { other, nodePort })];
  });
}

/** Who has a node port once all is applied; what a cluster has given it keeps. */
const nodePortHolders = oncePer(({ before, after }: Sides) => {
  const services = after.manifests.filter(({ object }) => isService(object));
  const ids = new Set(services.map(({ object }) => objectIdOf(object)));
  const live = (before.isLive ? before.manifests : []).filter(
    ({ object }) => isService(object) && !ids.has(objectIdOf(object)),
  );
  return groupedByAll([...services, ...live], ({ object }) =>
    portsOf(object).flatMap(({ nodePort }): number[] => (nodePort > 0 ? [nodePort] : [])),
  );
});

/** What a Service comes to claim that another one of the newer side has: a port of a shared address, a node port, a name. */
export function claimEffects({ before, after, sides }: CreatedPair): Effect[] {
  const had = new Set(before ? claimsIn(before).flatMap(resourcesOf) : []);
  return claimsIn(after).flatMap((claim): Effect[] => {
    const [other] = resourcesOf(claim)
      .filter((thing) => !had.has(thing))
      .flatMap((thing) => claimantsOn(sides.after).get(thing) ?? [])
      .filter((holder) => holder.id !== after.id && conflicts(holder.claim, claim));
    if (!other) {
      return [];
    }
    const { key, thing, value } = claim;
    const { fate, cutsOff, needs } = fateOfTwo(claim, other.claim);
    const outcome = needs !== undefined ? 'unknown' : cutsOff ? 'interrupted' : 'refused';
    const path = key === undefined ? ['spec'] : ['metadata', 'annotations', key];
    const { remedy } = sharedOf(claim, other.claim) ?? {};
    const at = { field: key ?? 'spec', path, to: textOf(value), remedy, needs: needs === undefined ? needs : [needs] };
    return [effectIn('thing claimed twice', outcome, at, { thing, other: other.id, fate })];
  });
}

/** What another Service that comes to claim it does to a balancer that has a thing on both sides. */
export function conflictEffects({ before, after, sides }: LivePair): Effect[] {
  const had = new Set(claimsIn(before).flatMap(resourcesOf));
  return claimsIn(after).flatMap((claim): Effect[] => {
    const { thing } = claim;
    const claimants = (side: Side) => claimantsOn(side).get(thing) ?? [];
    const known = new Set(had.has(thing) ? claimants(sides.before).map(({ id }) => id) : []);
    const rival =
      known.size > 0 && claimants(sides.after).find((one) => !known.has(one.id) && conflicts(one.claim, claim));
    const { fate, cutsOff, needs } = rival ? fateOfTwo(rival.claim, claim) : { fate: '' };
    if (!rival || (!cutsOff && needs === undefined)) {
      return [];
    }
    const { written, id } = rival;
    const path = written.madeOf?.path ?? NAME;
    const at = { field: `Service ${id}`, path, places: { after: { manifest: written, path } } };
    const missing = needs === undefined ? {} : { needs: [needs] };
    const outcome = needs === undefined ? 'interrupted' : 'unknown';
    return [effectIn('thing claimed by another', outcome, { ...at, ...missing }, { thing, fate })];
  });
}

interface Claimant {
  readonly id: string;
  readonly written: SideBalancer['written'];
  readonly claim: Claim;
}

/** Who has what on a side. */
const claimantsOn = oncePer(({ balancers }: Side) => {
  const all = balancers.flatMap((balancer) =>
    claimsIn(balancer).map((claim): Claimant => ({ id: balancer.id, written: balancer.written, claim })),
  );
  return groupedByAll(all, ({ claim }) => resourcesOf(claim));
});

function claimsIn(balancer: SideBalancer): readonly Claim[] {
  const [kind, installed] = [kindOf(balancer), installedOf(balancer)];
  const version = installed && kind?.versionOf?.(installed);
  return claimsOf(balancer.service, kind, version).filter(({ who }) => who !== OF_NAMES);
}

/** Two Services can have one name for a while: what becomes of the old one is told at the Service that loses it. */
const OF_NAMES = 'external-dns';

/** What a claim is about: a thing, and each port of one that is shared. */
function resourcesOf({ thing, sharing, ports }: Claim): string[] {
  return sharing === undefined ? [thing] : [thing, ...ports.map((port) => `${thing}\n${port}`)];
}

/** Those that share a thing in the same way fight for its ports alone. */
function conflicts(one: Claim, other: Claim): boolean {
  const isShared = one.sharing !== undefined && one.sharing === other.sharing;
  return !isShared || sharedOf(one, other) !== undefined || one.ports.some((port) => other.ports.includes(port));
}
