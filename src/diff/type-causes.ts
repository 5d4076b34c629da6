import { editOfValue } from '../contract/edit';
import { HAND_OVER_PAGE } from '../contract/hand-over';
import { mapIn } from '../contract/json';
import { ownValue } from '../contract/own-value';
import { printable } from '../contract/printable';
import { keysChanged } from '../contract/same-value';
import { otherOfKey } from '../controllers/other-controller';
import { possibleClaimants } from '../rules/claimants';
import type { Manifest } from '../rules/manifest-objects';
import { fieldEdit } from '../rules/service-edits.facts';
import { typedService } from '../rules/service-fields';
import { annotationsOf, finalizersOf } from '../rules/service-json';
import { askCleanup, askModel, policyFor } from './ask-model';
import type { Cause } from './balancer-change';
import { claimedBy } from './claiming-annotations';
import type { Gone } from './gone-causes';
import { appliedTo, declaredFinalizers, isStripped } from './live-object';
import type { Matched } from './match';
import { finalizersFor, kindOf } from './owners';
import { causeOf, saidBy } from './said';
import type { SideBalancer, Sides } from './side';
import { typeRefusals } from './type-refusals';

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
export function typeAwayCauses({ before, movedTo }: Gone, { object, ...place }: Manifest, sides: Sides): Cause[] {
  const { service } = typedService(object);
  const type = String(mapIn(service, 'spec').type ?? 'ClusterIP');
  const manifest = { object, ...place };
  const places = {
    before: { manifest: before.written, path: before.written.madeOf?.path ?? TYPE.path },
    after: { manifest, path: TYPE.path },
  };
  const refusals = typeRefusals(before.service, service, sides.after).map((cause) => ({
    ...cause,
    places: { before: { manifest: before.written, path: cause.path }, after: { manifest, path: cause.path } },
  }));
  if (refusals.length > 0) {
    return refusals;
  }
  const finalizers = finalizersFor(before, finalizersOf(service));
  const after = policyFor(before, finalizersOf(service));
  const declared = declaredFinalizers(before, sides.before);
  const policy = declared === undefined ? after : policyFor(before, declared);
  const ask = (change: 'type away' | 'annotation away') =>
    askCleanup(before, { change, before: policy, after, foreign: finalizers.foreign }, sides);
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
  const lost = lookupCauses(before, annotationsOf(service), sides).map((cause) => ({
    ...cause,
    places: {
      before: { manifest: before.written, path: before.written.madeOf?.path ?? cause.path },
      after: { manifest, path: cause.path },
    },
  }));
  if (lost.some((cause) => cause.outcome === 'orphaned')) {
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
export function lookupCauses(before: SideBalancer, now: Readonly<Record<string, string>>, sides: Sides): Cause[] {
  const { service, unowned } = before;
  const old = annotationsOf(service);
  const applied = appliedTo(before, sides);
  const own = kindOf(before);
  const missed = missedCause(before, sides);
  if (missed) {
    return [missed];
  }
  const kinds = own ? [own] : possibleClaimants(service).map(({ kind }) => kind);
  return keysChanged(old, now).flatMap((key): Cause[] => {
    const isStanding = ownValue(now, key) === undefined && applied?.hasAnnotation(key) === false;
    const edited = { before: ownValue(old, key), after: ownValue(now, key), around: { before: old, after: now } };
    const objects = { before: service, after: { ...service, metadata: { ...service.metadata, annotations: now } } };
    const [edit] = kinds
      .flatMap((kind) => kind.foundBy?.get(key) ?? [])
      .map((fact) => editOfValue(fact, { ...edited, objects }))
      .filter(({ onEdit }) => onEdit === 'orphans' || onEdit === 'unknown');
    const other = own ? undefined : otherOfKey(key);
    if (isStanding || (edit === undefined && other === undefined)) {
      return [];
    }
    const changed = { field: key, path: ['metadata', 'annotations', key], from: edited.before, to: edited.after };
    const remedy = `keep ${key} until the type has changed and the balancer is gone`;
    if (own && edit?.onEdit === 'orphans') {
      return [causeOf(changed, { ...saidBy(edit), remedy })];
    }
    const why =
      edit?.what ??
      `the type changes in the same write, and whether ${other?.name} finds the balancer by it is not known`;
    const needs = [own ? why : printable(unowned ?? 'who owns the balancer')];
    return [causeOf(changed, { outcome: 'unknown', why, remedy, needs, ...(edit && { source: edit.source }) })];
  });
}

/** A live balancer that its owner does not find any more, whatever changes now. */
export function missedCause(balancer: SideBalancer, { before }: Sides): Cause | undefined {
  const edit = before.isLive ? kindOf(balancer)?.misses?.(balancer.service) : undefined;
  const remedy = 'write the annotation back first, and change or delete the Service after that';
  return edit && causeOf({ ...TYPE }, saidBy(edit, { remedy }));
}

/** A type that is another one while somebody makes a balancer all the same, by an annotation. */
export function typeCauses({ before, after }: Matched, sides: Sides): Cause[] {
  if (!before || !after) {
    return [];
  }
  const [from, to] = [typeOf(before), typeOf(after)];
  if (from === to) {
    return [];
  }
  const isKept = before.owner !== undefined && before.owner === after.owner;
  const answer = isKept && from === 'LoadBalancer' ? askModel(before, { change: 'type away' }, sides) : undefined;
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
