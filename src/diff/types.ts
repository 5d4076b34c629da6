import { editOfValue } from '../contract/edit';
import { isSet, type Json, keysChanged, mapIn, ownValue, printable, sameValue } from '../contract/json';
import { OwnershipState } from '../controllers/load-balancer-owner';
import { otherOfKey } from '../controllers/other-controller';
import { fieldEdit } from '../rules/edits-of-values';
import { possibleClaimants } from '../rules/known-kinds';
import type { Manifest } from '../rules/manifest-objects';
import { typedService } from '../rules/service-fields';
import { annotationsOf, finalizersOf } from '../rules/service-json';
import { adoptedThing, nodePortEffects } from './claims';
import { annotationOrField, consequenceOf, type Effect, effectAt, effectIn, placesAt } from './effect';
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
import { appliedTo, finalizersFor, isStripped, queryLifecycle, queryRelease } from './owners';
import { type CreatedPair, type LivePair, NAME, NAMESPACE, type RemovedPair } from './pairs';
import { isShared, kindOf, type Side, type SideBalancer, serviceOn } from './side';

const TYPE = { field: 'spec.type', path: ['spec', 'type'] };

/** What becomes of a balancer whose Service is of another type on the newer side. */
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
  const at = { ...TYPE, places: places(TYPE.path), from: 'LoadBalancer', to, source, trace };
  if (outcome === 'orphaned') {
    return [effectIn(isStripped(pair) ? 'type away from a stripped Service' : 'type away', outcome, at)];
  }
  const end = outcome === 'stuck' ? outcome : movedTo ? 'replaced' : 'deleted';
  return [effectIn('type away', end, at, { to, id: movedTo?.id }), ...lost];
}

/**
 * Edits in the write that changes the type, of annotations that the owner needs to find the balancer.
 *
 * @param now the annotations after the write
 */
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

/** A live balancer that its owner does not find any more, whatever changes now. */
export function lostBalancerEffect({ before, sides }: RemovedPair): Effect | undefined {
  const edit = sides.before.isLive ? kindOf(before)?.misses?.(before.service) : undefined;
  const remedy = 'write the annotation back first, and change or delete the Service after that';
  return edit && effectAt({ ...TYPE }, consequenceOf(edit, { remedy }));
}

/** A type that is another one while somebody makes a balancer all the same, by an annotation. */
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
    return [effectIn('type without meaning', 'kept', { ...TYPE, from, to, trace: answer.trace }, { owner, to, keys })];
  }
  return [effectIn('type changed', isKept ? 'kept' : 'unknown', { ...TYPE, from, to }, { owner })];
}

/**
 * Fields of a balanced Service that the API server drops with the type where the update leaves them as they were.
 * kubernetes/kubernetes v1.36.3, pkg/registry/core/service/strategy.go
 */
const DROPPED: readonly string[] = [
  'loadBalancerClass',
  'allocateLoadBalancerNodePorts',
  'externalTrafficPolicy',
  'healthCheckNodePort',
];

/** What the API server refuses in a Service that is to be of another type, and has taken before. */
function typeRefusals(before: Json, after: Json, side: Side): Effect[] {
  const [old, now] = [mapIn(before, 'spec'), mapIn(after, 'spec')];
  const spec = Object.entries(now).filter(
    ([field, value]) => !DROPPED.includes(field) || !sameValue(value, old[field]),
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

/** What becomes of a balancer that is on the newer side alone. */
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
      ? { field: 'metadata.namespace', path: NAMESPACE, from: movedFrom?.id }
      : { field: 'metadata.name', path: madeAt ?? NAME, from: movedFrom?.id };
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

/** What is wrong with a balancer that is made all the same. */
function findingsOfNew({ after, sides }: CreatedPair): Effect[] {
  const { errors, warnings } = validatedSides(sides).after.judge(after);
  const idle = withEffects(warnings, after.service).filter(({ effect }) => effect === 'no-targets');
  return [...errors, ...idle].map((finding) => {
    const path = pathOf(finding, after.service);
    return { outcome: 'created', field: annotationOrField(path), path, why: finding.what, remedy: finding.remedy };
  });
}

/** What the API server or the owner refuses in a Service that comes, or that becomes one with a balancer. */
function refusalsOfNew({ after, sides }: CreatedPair, was: Json | undefined): Effect[] {
  const had = was ? refusedOf(was, sides.after) : [];
  const byServer = withEffects(refusedOf(objectOf(after), sides.after), after.service).filter(
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
    ? [
        effectIn(isHeadless ? 'headless Service' : 'cluster address changed', 'refused', {
          ...{ field: 'spec.clusterIP', path: ['spec', 'clusterIP'] },
          ...values,
        }),
      ]
    : [];
}
