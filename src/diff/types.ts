import { type Edit, editFrom, editOfValue } from '../contract/edit';
import {
  groupedByAll,
  isSet,
  type Json,
  keysChanged,
  mapIn,
  objectIdOf,
  oncePer,
  ownValue,
  printable,
  sameValue,
} from '../contract/json';
import { LoadBalancerWish } from '../contract/options';
import { OwnershipState } from '../controllers/options';
import { otherOfKey } from '../controllers/other-controller';
import { type Claim, claimsOf, fateOfTwo, sharedOf } from '../rules/claims';
import type { ControllerDefinition } from '../rules/controller-definition';
import { fieldEdit } from '../rules/edits-of-values';
import { possibleClaimants } from '../rules/known-kinds';
import type { Manifest } from '../rules/manifest-objects';
import { typedService } from '../rules/service-fields';
import { annotationsOf, finalizersOf, isService, portsOf } from '../rules/service-json';
import {
  addressFate,
  annotationOrField,
  consequenceOf,
  type Effect,
  effectAt,
  effectIn,
  placesAt,
  textOf,
} from './effect';
import { DROPPED_WITH_TYPE } from './fields.facts';
import {
  firstOfEach,
  objectOf,
  pathOf,
  refusalEffect,
  refusalOf,
  refusedOf,
  validatedSides,
  withEffects,
} from './findings';
import { claimedBy } from './owner-changes';
import { type CreatedPair, type LivePair, NAME, NAMESPACE, type RemovedPair } from './pairs';
import {
  appliedTo,
  finalizersFor,
  folderOf,
  installedOf,
  isShared,
  isStripped,
  kindOf,
  queryLifecycle,
  queryRelease,
  type Side,
  type SideBalancer,
  type Sides,
  serviceOn,
} from './side';

const TYPE = { field: 'spec.type', path: ['spec', 'type'] };

export function typeRemovalEffects(pair: RemovedPair, manifest: Manifest): Effect[] {
  const { before, movedTo, sides } = pair;
  const { service } = typedService(manifest.object);
  const places = (path: Effect['path']) => ({
    before: { manifest: before.written, path: before.written.madeOf?.path ?? path },
    after: { manifest, path },
  });
  const refusals = typeRefusals(before.service, service, sides.after);
  if (refusals.length > 0) {
    return refusals.map((effect) => ({ ...effect, places: placesAt(before.written, manifest, effect.path) }));
  }
  const lost = lookupEffects(pair, annotationsOf(service)).map((effect) => ({
    ...effect,
    places: places(effect.path),
  }));
  if (lost.some((effect) => effect.outcome === 'orphaned')) {
    return lost;
  }
  const left = finalizersOf(service);
  const { foreign } = finalizersFor(before, left);
  const ask = (change: 'type away' | 'annotation away') => queryRelease(pair, { change, foreign }, left);
  const answer = ask('type away');
  // who claims Services by annotations minds the type as little as before: the annotation is away too
  const { outcome, trace } = (answer?.outcome === 'refused' ? ask('annotation away') : answer) ?? {};
  const to = printable(String(mapIn(service, 'spec').type ?? 'ClusterIP'));
  const { source } = fieldEdit('spec.type', kindOf(before));
  const at = { places: places(TYPE.path), from: 'LoadBalancer', to, source, trace };
  if (outcome === 'orphaned') {
    return [effectIn(isStripped(pair) ? 'type away from a stripped Service' : 'type away', outcome, at)];
  }
  const end = outcome === 'stuck' ? outcome : movedTo ? 'replaced' : 'deleted';
  return [effectIn('type away', end, at, { to, id: movedTo?.id, address: addressFate(before, service) }), ...lost];
}

export function lookupEffects(pair: RemovedPair, now: Readonly<Record<string, string>>): Effect[] {
  const { service, unowned } = pair.before;
  const old = annotationsOf(service);
  const applied = appliedTo(pair);
  const own = kindOf(pair.before);
  const missed = lostBalancerEffect(pair);
  if (missed) {
    return [missed];
  }
  const kinds = own ? [own] : possibleClaimants(service).map(({ kind }) => kind);
  return keysChanged(old, now).flatMap((key): Effect[] => {
    const isStanding = ownValue(now, key) === undefined && applied?.hasAnnotation(key) === false;
    const edited = { before: ownValue(old, key), after: ownValue(now, key), around: { before: old, after: now } };
    const objects = { before: service, after: { ...service, metadata: { ...service.metadata, annotations: now } } };
    const [edit] = kinds
      .flatMap((kind) => kind.foundBy?.get(key) ?? [])
      .map((fact) => editOfValue(fact, { ...edited, objects }))
      .filter(({ outcome }) => outcome === 'orphaned' || outcome === 'unknown');
    const other = own ? undefined : otherOfKey(key);
    if (isStanding || (edit === undefined && other === undefined)) {
      return [];
    }
    const changed = { field: key, path: ['metadata', 'annotations', key], from: edited.before, to: edited.after };
    const remedy = `keep ${key} until the type has changed and the balancer is gone`;
    if (own && edit?.outcome === 'orphaned') {
      return [effectAt(changed, { ...consequenceOf(edit), remedy })];
    }
    const why =
      edit?.what ??
      `the type changes in the same write, and whether ${other?.name} finds the balancer by it is not known`;
    const needs = [own ? why : printable(unowned ?? 'who owns the balancer')];
    return [effectAt(changed, { outcome: 'unknown', why, remedy, needs, ...(edit && { source: edit.source }) })];
  });
}

export function lostBalancerEffect({ before, sides }: RemovedPair): Effect | undefined {
  const edit = sides.before.isLive ? kindOf(before)?.misses?.(before.service) : undefined;
  const remedy = 'write the annotation back first, and change or delete the Service after that';
  return edit && effectAt({ ...TYPE }, consequenceOf(edit, { remedy }));
}

export function typeEffects(pair: LivePair): Effect[] {
  const { before, after } = pair;
  const { owner } = before;
  const [from, to] = [before, after].map(({ service }) =>
    printable(String(mapIn(service, 'spec').type ?? 'ClusterIP')),
  );
  if (from === to) {
    return [];
  }
  const isKept = owner !== undefined && owner === after.owner;
  const answer = isKept && from === 'LoadBalancer' ? queryLifecycle(pair, { change: 'type away' }) : undefined;
  if (answer?.outcome === 'refused') {
    const keys = claimedBy(after).join(' and ');
    return [effectIn('type without meaning', 'kept', { from, to, trace: answer.trace }, { owner, to, keys })];
  }
  return [effectIn('type changed', isKept ? 'kept' : 'unknown', { from, to }, { owner })];
}

function typeRefusals(before: Json, after: Json, side: Side): Effect[] {
  const [old, now] = [mapIn(before, 'spec'), mapIn(after, 'spec')];
  const spec = Object.entries(now).filter(
    ([field, value]) => !DROPPED_WITH_TYPE.includes(field) || !sameValue(value, old[field]),
  );
  return refusedOf({ ...after, spec: withoutNodePorts(old, Object.fromEntries(spec)) }, side).map((finding) =>
    refusalEffect(
      finding,
      `the API server refuses it with the other type, and the live Service stays as it is: ${finding.what}`,
    ),
  );
}

/** Node ports go with the type as well, where all of them are as they were. */
function withoutNodePorts(old: Json, now: Json): Json {
  const numbers = ({ ports }: Json) => (Array.isArray(ports) ? ports.map((port) => port?.nodePort) : []);
  return sameValue(numbers(old), numbers(now)) && Array.isArray(now.ports)
    ? { ...now, ports: now.ports.map(({ nodePort: _, ...port }) => port) }
    : now;
}

export function creationEffects(pair: CreatedPair): Effect[] {
  const { after, movedFrom, renamed, sides } = pair;
  const was = serviceOn(sides.before, after.id, after.written);
  const spec = mapIn(was && typedService(was.object).service, 'spec');
  const refused = [
    ...clusterAddressEffects(spec, after),
    ...nodePortEffects(pair),
    ...refusalsOfNew(pair, was?.object),
  ];
  if (refused.length > 0) {
    return refused;
  }
  const madeAt = after.written.madeOf?.path;
  const at = was
    ? {
        ...{ ...TYPE, from: printable(String(spec.type ?? 'ClusterIP')), to: 'LoadBalancer' },
        places: {
          before: { manifest: was, path: TYPE.path },
          after: { manifest: after.written, path: madeAt ?? TYPE.path },
        },
      }
    : renamed === 'namespace'
      ? { field: 'metadata.namespace', path: NAMESPACE, from: movedFrom?.id, to: movedFrom && after.id }
      : { field: 'metadata.name', path: madeAt ?? NAME, from: movedFrom?.id, to: movedFrom && after.id };
  if (isShared(after.service)) {
    const instead = movedFrom ? `, in the place of ${movedFrom.id}` : '';
    return [effectIn('created on a shared balancer', 'created', at, { instead })];
  }
  const { owner, ownership, unowned } = after;
  const isUnclaimed = ownership === OwnershipState.UNCLAIMED;
  if (isUnclaimed || owner === undefined) {
    const known = { ...at, needs: unowned === undefined ? unowned : [unowned] };
    return [effectIn(isUnclaimed ? 'created without a claim' : 'created', 'unknown', known)];
  }
  const created = movedFrom
    ? effectIn(
        adoptedThing(movedFrom, after) ? 'created by adoption' : 'created in the place of another',
        ...(['created', at, { id: movedFrom.id }] as const),
      )
    : effectIn(was ? 'created for a Service that is there' : 'created', 'created', at);
  return [created, ...findingsOfNew(pair)];
}

function findingsOfNew({ after, sides }: CreatedPair): Effect[] {
  const { errors, warnings } = validatedSides(sides).after.check(after);
  const idle = withEffects(warnings).filter(({ effect }) => effect === 'no-targets');
  return [...errors, ...idle].map((finding) => {
    const path = pathOf(finding);
    return { outcome: 'created', field: annotationOrField(path), path, why: finding.what, remedy: finding.remedy };
  });
}

function refusalsOfNew({ after, sides }: CreatedPair, was: Json | undefined): Effect[] {
  const had = was ? refusedOf(was, sides.after) : [];
  const byServer = withEffects(refusedOf(objectOf(after), sides.after)).filter(
    ({ ruleId }) => !had.some((one) => one.ruleId === ruleId),
  );
  const refused = was ? 'it, and the Service stays as it is' : 'the Service';
  if (byServer.length > 0) {
    return firstOfEach(byServer).map((finding) => {
      const effect = refusalOf(finding, after, `the API server refuses ${refused}: ${finding.what}`);
      return { ...effect, outcome: 'refused' };
    });
  }
  const findings = validatedSides(sides).after.ofBalancer(after);
  return firstOfEach(findings.filter(({ effect, who }) => effect === 'refused' && who !== 'kubernetes')).map(
    (finding) => {
      const stays = 'refuses the Service, which stays without a balancer that it can use';
      return refusalOf(finding, after, `${finding.who} ${stays}: ${finding.what}`);
    },
  );
}

/** A cluster address is given once: a Service without one gets none with another type. kubernetes/kubernetes v1.36.3, pkg/registry/core/service/storage/storage.go */
function clusterAddressEffects(old: Readonly<Record<string, unknown>>, { service }: SideBalancer): Effect[] {
  const [from, to] = [old.clusterIP, mapIn(service, 'spec').clusterIP];
  const isHeadless = from === 'None';
  const isOther = isSet(from) && isSet(to) && from !== '' && to !== '' && from !== to;
  const values = { from: printable(String(from)), ...(isSet(to) && { to: printable(String(to)) }) };
  return isHeadless || (isOther && old.type !== 'ExternalName')
    ? [effectIn(isHeadless ? 'headless Service' : 'cluster address changed', 'refused', values)]
    : [];
}

// Things that two Services claim: a name, an address, a port of a shared address, a node port.

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

/** Effect of another Service's new claim on a balancer that has a thing on both sides. */
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

const claimantsOn = oncePer(({ balancers }: Side) => {
  const all = balancers.flatMap((balancer) =>
    claimsIn(balancer).map((claim) => ({ id: balancer.id, written: balancer.written, claim })),
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

/** Subject of a claim: a thing, and each port of one that is shared. */
function resourcesOf({ thing, sharing, ports }: Claim): string[] {
  return sharing === undefined ? [thing] : [thing, ...ports.map((port) => `${thing}\n${port}`)];
}

/** Those that share a thing in the same way fight for its ports alone. */
function conflicts(one: Claim, other: Claim): boolean {
  const isShared = one.sharing !== undefined && one.sharing === other.sharing;
  return !isShared || sharedOf(one, other) !== undefined || one.ports.some((port) => other.ports.includes(port));
}
