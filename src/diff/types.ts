import { editOfValue } from '../contract/edit';
import { type Json, keysChanged, mapIn, ownValue, printable, sameValue } from '../contract/json';
import { HAND_OVER_PAGE } from '../contract/rule';
import { otherOfKey } from '../controllers/other-controller';
import { fieldEdit } from '../rules/edits-of-values';
import { possibleClaimants } from '../rules/known-kinds';
import type { Manifest } from '../rules/manifest-objects';
import { typedService } from '../rules/service-fields';
import { annotationsOf, finalizersOf } from '../rules/service-json';
import { consequenceOf, type Effect, effectAt } from './effect';
import { refusalEffect, refusedOf } from './findings';
import { claimedBy } from './owner-changes';
import {
  appliedTo,
  declaredFinalizers,
  finalizersFor,
  isStripped,
  kindOf,
  policyFor,
  queryCleanup,
  queryLifecycle,
} from './owners';
import type { Pair } from './pairs';
import type { RemovedPair } from './removals';
import type { Side, SideBalancer, Sides } from './side';

const TYPE = { field: 'spec.type', path: ['spec', 'type'] };

/** What the owner does not see, and what to do instead. */
const AT_ONCE = {
  why: 'type and finalizer go in one change: the controller does not see that it has to clean up, and the balancer stays in the cloud',
  remedy: `change the type first, wait until the balancer is gone, then take the finalizer out; for another owner see ${HAND_OVER_PAGE}`,
};
const OF_STRIPPED = {
  why: 'the live Service has lost the finalizer of its controller, which does not see that it has to clean up: the balancer stays in the cloud',
  remedy: `declare the controller's finalizer and apply that first, then change the type; for another owner see ${HAND_OVER_PAGE}`,
};

/** What becomes of a balancer whose Service is of another type on the newer side. */
export function typeRemovalEffects(
  { before, movedTo }: RemovedPair,
  { object, ...place }: Manifest,
  sides: Sides,
): Effect[] {
  const { service } = typedService(object);
  const type = String(mapIn(service, 'spec').type ?? 'ClusterIP');
  const manifest = { object, ...place };
  const places = {
    before: { manifest: before.written, path: before.written.madeOf?.path ?? TYPE.path },
    after: { manifest, path: TYPE.path },
  };
  const refusals = typeRefusals(before.service, service, sides.after).map((effect) => ({
    ...effect,
    places: { before: { manifest: before.written, path: effect.path }, after: { manifest, path: effect.path } },
  }));
  if (refusals.length > 0) {
    return refusals;
  }
  const finalizers = finalizersFor(before, finalizersOf(service));
  const after = policyFor(before, finalizersOf(service));
  const declared = declaredFinalizers(before, sides.before);
  const policy = declared === undefined ? after : policyFor(before, declared);
  const ask = (change: 'type away' | 'annotation away') =>
    queryCleanup(before, { change, before: policy, after, foreign: finalizers.foreign }, sides);
  const answer = ask('type away');
  // who claims Services by annotations minds the type as little as before: the annotation is away too
  const { outcome = 'deleted', trace: name } = (answer?.outcome === 'refused' ? ask('annotation away') : answer) ?? {};
  const base = {
    ...TYPE,
    places,
    from: 'LoadBalancer',
    to: printable(type),
    source: fieldEdit('spec.type', kindOf(before)).source,
  };
  const trace = name ? { trace: name } : {};
  const lost = lookupEffects(before, annotationsOf(service), sides).map((effect) => ({
    ...effect,
    places: {
      before: { manifest: before.written, path: before.written.madeOf?.path ?? effect.path },
      after: { manifest, path: effect.path },
    },
  }));
  if (lost.some((effect) => effect.outcome === 'orphaned')) {
    return lost;
  }
  switch (outcome) {
    case 'orphaned':
      return [
        {
          ...base,
          ...trace,
          outcome,
          ...(isStripped(before, sides.before) ? OF_STRIPPED : AT_ONCE),
        },
      ];
    case 'stuck':
      return [
        {
          ...base,
          ...trace,
          outcome,
          why: 'the balancer is deleted with its address, and the Service stays in Terminating when it is deleted',
          remedy: `take the finalizer out that is not the owner's, as ${HAND_OVER_PAGE} says`,
        },
        ...lost,
      ];
    default:
      return [
        {
          ...base,
          ...trace,
          outcome: movedTo ? 'replaced' : 'deleted',
          why: movedTo
            ? `with type ${printable(type)} its balancer is deleted with its address, and Service ${movedTo.id} has another one`
            : `with type ${printable(type)} its balancer is deleted with its address`,
          remedy: movedTo
            ? `keep the type until clients and DNS have moved to ${movedTo.id}`
            : `keep the type until no client uses the address; for another balancer see ${HAND_OVER_PAGE}`,
        },
        ...lost,
      ];
  }
}

/**
 * Edits in the write that changes the type, of annotations that the owner needs to find the balancer.
 *
 * @param now the annotations after the write
 */
export function lookupEffects(before: SideBalancer, now: Readonly<Record<string, string>>, sides: Sides): Effect[] {
  const { service, unowned } = before;
  const old = annotationsOf(service);
  const applied = appliedTo(before, sides);
  const own = kindOf(before);
  const missed = lostBalancerEffect(before, sides);
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
export function lostBalancerEffect(balancer: SideBalancer, { before }: Sides): Effect | undefined {
  const edit = before.isLive ? kindOf(balancer)?.misses?.(balancer.service) : undefined;
  const remedy = 'write the annotation back first, and change or delete the Service after that';
  return edit && effectAt({ ...TYPE }, consequenceOf(edit, { remedy }));
}

/** A type that is another one while somebody makes a balancer all the same, by an annotation. */
export function typeEffects({ before, after }: Pair, sides: Sides): Effect[] {
  if (!before || !after) {
    return [];
  }
  const [from, to] = [typeOf(before), typeOf(after)];
  if (from === to) {
    return [];
  }
  const isKept = before.owner !== undefined && before.owner === after.owner;
  const answer = isKept && from === 'LoadBalancer' ? queryLifecycle(before, { change: 'type away' }, sides) : undefined;
  if (answer?.outcome === 'refused') {
    return [
      {
        outcome: 'kept',
        ...TYPE,
        from,
        to: printable(to),
        ...(answer.trace ? { trace: answer.trace } : {}),
        why: `${before.owner} does not look at the type: the balancer goes on and is paid, and the API server refuses its address in the status of type ${printable(to)}`,
        remedy: `take ${claimedBy(after).join(' and ')} out to have the balancer deleted, or keep type LoadBalancer`,
      },
    ];
  }
  return [
    {
      outcome: isKept ? 'kept' : 'unknown',
      ...TYPE,
      from: printable(from),
      to: printable(to),
      why: isKept
        ? `${before.owner} claims it by an annotation and does not look at the type`
        : 'whether its owner makes its balancer for both types is not known',
      ...(isKept ? {} : { needs: ['who owns it on both sides'] }),
    },
  ];
}

function typeOf({ service }: SideBalancer): string {
  return String(mapIn(service, 'spec').type ?? 'ClusterIP');
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
