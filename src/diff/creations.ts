import { groupedByAll, isSet, type Json, mapIn, objectIdOf, printable } from '../contract/json';
import { OwnershipState } from '../controllers/load-balancer-owner';
import { type Claim, claimsOf, fateOfTwo, sharedOf } from '../rules/claims';
import { type ControllerDefinition, definitionOf, unwrapped } from '../rules/controller-definition';
import { fieldEdit } from '../rules/edits-of-values';
import type { Manifest } from '../rules/manifest-objects';
import { typedService } from '../rules/service-fields';
import { isService, portsOf } from '../rules/service-json';
import { adoptedThing } from './deletions';
import { annotationOrField, type Consequence, type Effect, effectAt } from './effect';
import { firstOfEach, objectOf, pathOf, refusalOf, refusedOf, validatedSides, withEffects } from './findings';
import { NAME, NAMESPACE, type Pair } from './pairs';
import { folderOf, isShared, type Side, type SideBalancer, type Sides, serviceOn } from './side';

/** What becomes of a balancer that is on the newer side alone. */
export function creationEffects(pair: Pair, sides: Sides): Effect[] {
  const { after, movedFrom } = pair;
  if (!after) {
    return [];
  }
  const was = serviceOn(sides.before, after.id, after.written);
  const old = was && typedService(was.object).service;
  const spec = mapIn(old, 'spec');
  const type = old && String(spec.type ?? 'ClusterIP');
  const at =
    type === undefined
      ? atName(pair)
      : { field: 'spec.type', path: ['spec', 'type'], from: printable(type), to: 'LoadBalancer' };
  const before = was && { before: { manifest: was, path: at.path } };
  const base = {
    ...at,
    ...(before && {
      places: { ...before, after: { manifest: after.written, path: after.written.madeOf?.path ?? at.path } },
    }),
  };
  const refused = [
    ...clusterAddressEffects(spec, after),
    ...nodePortEffects(pair, sides),
    ...refusalsOfNew(after, was?.object, sides),
  ];
  if (refused.length > 0) {
    return refused;
  }
  if (isShared(after.service)) {
    const instead = movedFrom ? `, in the place of ${movedFrom.id}` : '';
    return [{ outcome: 'created', ...base, why: `its ports are opened on the balancer that tenants share${instead}` }];
  }
  const { state, needs } = claimOf(after);
  if (state !== 'made') {
    const why =
      state === 'pending'
        ? 'no controller that is installed claims it: it stays without a balancer and without an address'
        : 'whether and by whom a balancer is made for it is not known';
    return [{ outcome: 'unknown', ...base, why, needs: [needs ?? 'who owns it'] }];
  }
  return [
    {
      outcome: 'created',
      ...base,
      why: movedFrom
        ? adoptedThing(movedFrom, after)
          ? `it adopts the balancer of ${movedFrom.id}, which has the same name`
          : `a balancer with an address of its own is made in the place of ${movedFrom.id}`
        : type === undefined
          ? 'there is a new balancer'
          : 'a balancer is made for the Service that is there',
    },
    ...findingsOfNew(after, sides),
  ];
}

/** What is wrong with a balancer that is made all the same. */
function findingsOfNew(after: SideBalancer, sides: Sides): Effect[] {
  const { errors, warnings } = validatedSides(sides).after.judge(after);
  const idle = withEffects(warnings, after.service).filter(({ effect }) => effect === 'no-targets');
  return [...errors, ...idle].map((finding) => {
    const path = pathOf(finding, after.service);
    return { outcome: 'created', field: annotationOrField(path), path, why: finding.what, remedy: finding.remedy };
  });
}

/** What the API server or the owner refuses in a Service that comes, or that becomes one with a balancer. */
function refusalsOfNew(after: SideBalancer, was: Json | undefined, sides: Sides): Effect[] {
  const had = was ? refusedOf(was, sides.after) : [];
  const byServer = withEffects(refusedOf(objectOf(after), sides.after), after.service).filter(
    ({ ruleId }) => !had.some((one) => one.ruleId === ruleId),
  );
  if (byServer.length > 0) {
    const why = (what: string) =>
      `the API server refuses ${was ? 'it, and the Service stays as it is' : 'the Service'}: ${what}`;
    return firstOfEach(byServer).map((finding) => ({
      ...refusalOf(finding, after, why(finding.what)),
      outcome: 'refused',
    }));
  }
  const byOwner = validatedSides(sides)
    .after.ofBalancer(after)
    .filter(({ effect, who }) => effect === 'refused' && who !== 'kubernetes');
  return firstOfEach(byOwner).map((finding) =>
    refusalOf(
      finding,
      after,
      `${finding.who} refuses the Service, which stays without a balancer that it can use: ${finding.what}`,
    ),
  );
}

function atName({ after, movedFrom, renamed }: Pair): Pick<Effect, 'field' | 'path' | 'from'> {
  const madeOf = after?.written.madeOf;
  if (renamed === 'namespace') {
    return { field: 'metadata.namespace', path: NAMESPACE, ...(movedFrom && { from: movedFrom.id }) };
  }
  return { field: 'metadata.name', path: madeOf?.path ?? NAME, ...(movedFrom && { from: movedFrom.id }) };
}

function claimOf({ owner, ownership, unowned }: SideBalancer): {
  readonly state: 'made' | 'pending' | 'unknown';
  readonly needs?: string;
} {
  if (ownership === OwnershipState.UNCLAIMED) {
    return { state: 'pending', needs: unowned ?? 'a controller that claims it' };
  }
  return owner === undefined ? { state: 'unknown', needs: unowned } : { state: 'made' };
}

/** A cluster address is given once: a Service without one gets none with another type. kubernetes/kubernetes v1.36.3, pkg/registry/core/service/storage/storage.go */
function clusterAddressEffects(old: Readonly<Record<string, unknown>>, { service }: SideBalancer): Effect[] {
  const [from, to] = [old.clusterIP, mapIn(service, 'spec').clusterIP];
  const isHeadless = from === 'None';
  const isOther = isSet(from) && isSet(to) && from !== '' && to !== '' && from !== to;
  return isHeadless || (isOther && old.type !== 'ExternalName')
    ? [
        {
          outcome: 'refused',
          field: 'spec.clusterIP',
          path: ['spec', 'clusterIP'],
          from: printable(String(from)),
          ...(isSet(to) && { to: printable(String(to)) }),
          why: isHeadless
            ? 'a headless Service stays headless, and the API server refuses type LoadBalancer for it'
            : 'the cluster address of a Service cannot be changed: the API server refuses the update',
          remedy: isHeadless ? 'make a second Service for the balancer' : 'leave clusterIP out',
        },
      ]
    : [];
}

/** A node port that another Service has as well: the API server takes the second one that comes in no case. */
export function nodePortEffects({ before, after }: Pair, sides: Sides): Effect[] {
  if (!after || after.written.madeOf) {
    return [];
  }
  const old = new Set(before ? portsOf(before.service).map(({ nodePort }) => nodePort) : []);
  return portsOf(after.service).flatMap(({ nodePort }, i): Effect[] => {
    if (!(nodePort > 0) || old.has(nodePort)) {
      return [];
    }
    const other = nodePortHolders(sides)
      .get(nodePort)
      ?.find((each) => objectIdOf(each.object) !== after.id);
    // what two balancers claim is told of all that they can claim
    if (!other || sides.after.balancers.some(({ id }) => id === objectIdOf(other.object))) {
      return [];
    }
    const isTogether = folderOf(other.file) === folderOf(after.written.file) || sides.before.isLive === true;
    const path = ['spec', 'ports', i, 'nodePort'];
    return [
      {
        outcome: isTogether ? 'refused' : 'unknown',
        field: `spec.ports[${i}].nodePort`,
        path,
        to: String(nodePort),
        why: `Service ${printable(objectIdOf(other.object))} has node port ${nodePort} as well, and the API server gives it once`,
        remedy: 'leave it out, and the API server chooses one',
        source: fieldEdit('spec.ports[].nodePort').source,
        ...(isTogether ? {} : { needs: ['whether both are applied to one cluster'] }),
      },
    ];
  });
}

const NODE_PORT_HOLDERS = new WeakMap<Side, ReadonlyMap<number, readonly Manifest[]>>();

/** Who has a node port once all is applied; what a cluster has given it keeps. */
function nodePortHolders({ before, after }: Sides): ReadonlyMap<number, readonly Manifest[]> {
  const known = NODE_PORT_HOLDERS.get(after);
  if (known) {
    return known;
  }
  const services = after.manifests.filter(({ object }) => isService(object));
  const ids = new Set(services.map(({ object }) => objectIdOf(object)));
  const live = before.isLive
    ? before.manifests.filter(({ object }) => isService(object) && !ids.has(objectIdOf(object)))
    : [];
  const found = groupedByAll([...services, ...live], ({ object }) =>
    portsOf(object).flatMap(({ nodePort }): number[] => (nodePort > 0 ? [nodePort] : [])),
  );
  NODE_PORT_HOLDERS.set(after, found);
  return found;
}

/** What a Service comes to claim that another one of the newer side has: a port of a shared address, a node port, a name. */
export function claimEffects(before: SideBalancer | undefined, after: SideBalancer, side: Side): Effect[] {
  const had = new Set(before ? claimsIn(before).flatMap(resourcesOf) : []);
  const effects: Effect[] = [];
  for (const claim of claimsIn(after)) {
    const other = resourcesOf(claim)
      .filter((thing) => !had.has(thing))
      .map((thing) =>
        claimantsOn(side)
          .get(thing)
          ?.find((holder) => holder.id !== after.id && conflicts(holder.claim, claim)),
      )
      .find((holder) => holder !== undefined);
    if (other) {
      const { key, thing } = claim;
      const { fate, cutsOff, needs } = fateOfTwo(claim, other.claim);
      const shared = sharedOf(claim, other.claim);
      const consequence: Consequence = {
        outcome: needs !== undefined ? 'unknown' : cutsOff ? 'interrupted' : 'refused',
        why: `${thing} is that of ${other.id} as well: ${fate}`,
        remedy: shared?.remedy ?? 'give one of the two another one, or take it from the other one first',
        ...(needs !== undefined && { needs: [needs] }),
      };
      const path = key === undefined ? ['spec'] : ['metadata', 'annotations', key];
      effects.push(effectAt({ field: key ?? 'spec', path, to: claim.value }, consequence));
    }
  }
  return effects;
}

/** What another Service that comes to claim it does to a balancer that has a thing on both sides. */
export function conflictEffects(before: SideBalancer, after: SideBalancer, sides: Sides): Effect[] {
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
    const where = { field: `Service ${id}`, path, places: { after: { manifest: written, path } } };
    const why = `it comes to claim ${thing}: ${fate}`;
    const remedy = 'give the other Service another one';
    return [
      effectAt(
        where,
        needs === undefined
          ? { outcome: 'interrupted', why, remedy }
          : { outcome: 'unknown', why, remedy, needs: [needs] },
      ),
    ];
  });
}

interface Claimant {
  readonly id: string;
  readonly written: SideBalancer['written'];
  readonly claim: Claim;
}

const CLAIMANTS = new WeakMap<Side, ReadonlyMap<string, readonly Claimant[]>>();

/** Who has what on a side: it is looked for once, where something is claimed anew. */
function claimantsOn(side: Side): ReadonlyMap<string, readonly Claimant[]> {
  const known = CLAIMANTS.get(side);
  if (known) {
    return known;
  }
  const all = side.balancers.flatMap((balancer) =>
    claimsIn(balancer).map((claim): Claimant => ({ id: balancer.id, written: balancer.written, claim })),
  );
  const holders = groupedByAll(all, ({ claim }) => resourcesOf(claim));
  CLAIMANTS.set(side, holders);
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
function resourcesOf({ thing, sharing, ports }: Claim): string[] {
  return sharing === undefined ? [thing] : [thing, ...ports.map((port) => `${thing}\n${port}`)];
}

/** Those that share a thing in the same way fight for its ports alone. */
function conflicts(one: Claim, other: Claim): boolean {
  const isShared = one.sharing !== undefined && one.sharing === other.sharing;
  return !isShared || sharedOf(one, other) !== undefined || one.ports.some((port) => other.ports.includes(port));
}
