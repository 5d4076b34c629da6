import type { Outcome } from '../contract/edit';
import { isSet, type Json, mapIn, printable } from '../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER, STANDARD_FINALIZERS } from '../contract/kubernetes.facts';
import { labelKeyFault } from '../contract/kubernetes-syntax';
import { unlessLive } from '../contract/rule';
import { fieldEdit } from '../rules/edits-of-values';
import { annotationsOf, finalizersOf, isLocal, portsOf } from '../rules/service-json';
import type { Effect } from './effect';
import {
  declaredFinalizers,
  type Finalizers,
  finalizersFor,
  isKept,
  isOfController,
  kindOf,
  queryLifecycle,
  uninstalledOwner,
  writersOf,
} from './owners';
import type { Pair } from './pairs';
import type { SideBalancer, Sides } from './side';

const AT = { field: 'metadata.finalizers', path: ['metadata', 'finalizers'] };

/** What becomes of a balancer whose finalizers are declared, or no longer declared. */
export function finalizerEffects({ before, after }: Pair, sides: Sides): Effect[] {
  if (!before || !after) {
    return [];
  }
  const now = finalizersOf(after.service);
  const live = finalizersOf(before.service);
  const isReplaced = !isGenerated(after) && writersOf(after, sides).some((writer) => writer.startsWith('put'));
  const known = isReplaced ? live : declaredFinalizers(before, sides.before);
  const declared = known ?? live;
  const dropped = declared.filter((one) => !now.includes(one));
  const added = now.filter((one) => !declared.includes(one) && !live.includes(one));
  return [
    ...(known === undefined && !isGenerated(after)
      ? unknownFinalizerWriter(before, dropped, sides)
      : droppedEffects(before, after, dropped, sides)),
    ...addedEffects(before, added, declared, sides),
  ];
}

function isGenerated({ written }: SideBalancer): boolean {
  return written.madeOf !== undefined;
}

/** What is live and not in the manifest: apply leaves what it did not set. */
function unknownFinalizerWriter(before: SideBalancer, dropped: readonly string[], sides: Sides): Effect[] {
  const { untouchableFinalizers = [] } = kindOf(before) ?? {};
  // those that mark an owner are in no manifest
  const own = finalizersFor(before, dropped).own.filter((one) => !untouchableFinalizers.includes(one));
  if (own.length === 0 || queryLifecycle(before, dropping([]), sides)?.outcome === 'kept') {
    return [];
  }
  return [
    {
      outcome: 'unknown',
      ...AT,
      from: own.join(', '),
      why: 'the manifest does not declare a finalizer of the live Service: apply leaves what it did not set, and takes off what it did',
      remedy: 'dump the Services with kubectl get --show-managed-fields, or declare the finalizer',
      needs: ['who wrote the finalizer'],
    },
  ];
}

const dropping = (foreign: readonly string[]) =>
  ({ change: 'finalizer dropped', before: 'declared', after: 'left', foreign }) as const;

function droppedEffects(before: SideBalancer, after: SideBalancer, dropped: readonly string[], sides: Sides): Effect[] {
  const { own } = finalizersFor(before, dropped);
  const [unsure] = before.owner === undefined || before.guess !== undefined ? dropped.filter(isOfController) : [];
  if (own.length === 0 && unsure !== undefined) {
    return [withoutModel(before, { ...AT, from: printable(unsure) })];
  }
  if (own.length === 0) {
    return [];
  }
  if (isKept(after, sides)) {
    return [{ outcome: 'kept', ...AT, from: own.map(printable).join(', '), why: 'the keeper puts the finalizer back' }];
  }
  const left = finalizersFor(before, finalizersOf(after.service));
  const source = fieldEdit('metadata.finalizers', kindOf(before)).source;
  const base = { ...AT, from: own.map(printable).join(', '), source };
  if (uninstalledOwner(before, sides)) {
    return [
      {
        outcome: 'orphaned',
        ...base,
        why: `its finalizer and ${before.owner} go in one change: nothing is left that deletes the balancer with the Service`,
        remedy: `delete or hand over the Service while ${before.owner} runs`,
      },
    ];
  }
  if (left.own.length > 0) {
    return [];
  }
  const isOpen = !isGenerated(after) && sides.options.writer === undefined;
  const answer = queryLifecycle(before, dropping(left.foreign), sides);
  if (answer === undefined) {
    return [withoutModel(before, base)];
  }
  if (answer.outcome === 'kept') {
    return [{ outcome: 'kept', ...base, why: LEFT }];
  }
  if (answer.outcome === 'orphaned' && isReconciledByEdit(before, after, sides)) {
    return [
      {
        outcome: 'kept',
        ...base,
        why: `who stops declaring it takes it off the live Service, and ${before.owner} puts it back at once, since the same change edits what it looks at`,
        remedy: `declare ${own.map(printable).join(', ')}, the finalizer of ${before.owner}`,
      },
    ];
  }
  return [
    {
      outcome: answer.outcome,
      ...base,
      why:
        answer.outcome === 'orphaned'
          ? `who stops declaring it takes it off the live Service, and ${before.owner} does not put it back before its next look: deletion until then leaves the balancer behind`
          : 'who stops declaring it takes it off the live Service',
      ...(isOpen && { condition: BY_WRITER }),
      remedy: `declare ${own.map(printable).join(', ')}, the finalizer of ${before.owner}${isOpen ? OR_WRITER : ''}`,
      ...(answer.trace && { trace: answer.trace }),
    },
  ];
}

const BY_WRITER = 'applied with --server-side or replace';

const OR_WRITER = '; where all of it is applied without --server-side, write --writer client-apply';

const LEFT =
  'after client-side apply the running owner adds it again; after --server-side or replace it does not, and a deletion can leave the load balancer behind';

/** Whether a write that takes the finalizer off also edits what every owner looks at, by a writer that leaves it when it is back. */
function isReconciledByEdit(before: SideBalancer, after: SideBalancer, sides: Sides): boolean {
  const [old, now] = [before, after].map(({ service }) => reconciledFields(service));
  // what the newer side does not have may be of others on a live Service, and stays
  const keys = Object.keys(sides.before.isLive ? now : { ...old, ...now });
  const isEdited = keys.some((key) => old[key] !== now[key]);
  return isEdited && writersOf(after, sides).every((writer) => writer.endsWith('apply'));
}

function reconciledFields(service: Json): Record<string, unknown> {
  const { loadBalancerSourceRanges: ranges } = mapIn(service, 'spec');
  return {
    ...annotationsOf(service),
    'spec.ports': portsOf(service)
      .map(({ port }) => port)
      .join(),
    'spec.externalTrafficPolicy': isLocal(service),
    ...(isSet(ranges) && { 'spec.loadBalancerSourceRanges': JSON.stringify(ranges) }),
  };
}

function withoutModel(before: SideBalancer, base: Pick<Effect, 'field' | 'path' | 'from'>): Effect {
  return {
    outcome: 'unknown',
    ...base,
    why: 'who stops declaring it takes it off the live Service; whether the controller puts it back is not known',
    needs: [before.unowned ?? before.guess ?? `what ${before.owner} does with its finalizer`],
  };
}

function addedEffects(
  before: SideBalancer,
  added: readonly string[],
  declared: readonly string[],
  sides: Sides,
): Effect[] {
  const { own, foreign, strange } = finalizersFor(before, added);
  return [
    ...refused(added),
    ...ownAdded(before, own, sides),
    ...foreignAdded(before, foreign, finalizersFor(before, declared), sides),
    ...strangeAdded(before, strange.filter(isValid)),
  ];
}

function isValid(finalizer: string): boolean {
  return STANDARD_FINALIZERS.includes(finalizer) || (finalizer.includes('/') && labelKeyFault(finalizer) === undefined);
}

function refused(added: readonly string[]): Effect[] {
  const wrong = added.filter((one) => !isValid(one));
  return wrong.length === 0
    ? []
    : [
        {
          outcome: 'refused',
          ...AT,
          to: wrong.map(printable).join(', '),
          why: 'a finalizer is a qualified name such as domain/name: the API server refuses the update',
          remedy: 'take it out of the manifest',
          source: fieldEdit('metadata.finalizers').source,
        },
      ];
}

function ownAdded(before: SideBalancer, own: readonly string[], sides: Sides): Effect[] {
  const answer =
    own.length > 0 ? queryLifecycle(before, { change: 'finalizer added', after: 'declared' }, sides) : undefined;
  return answer === undefined || answer.outcome === 'kept' || answer.outcome === 'refused'
    ? []
    : [
        {
          outcome: answer.outcome,
          ...AT,
          to: own.map(printable).join(', '),
          why: 'what is declared from now on is put on the live Service',
          ...(answer.trace && { trace: answer.trace }),
        },
      ];
}

function foreignAdded(before: SideBalancer, foreign: readonly string[], declared: Finalizers, sides: Sides): Effect[] {
  if (foreign.length === 0) {
    return [];
  }
  const base = { ...AT, to: foreign.map(printable).join(', ') };
  const remedy = unlessLive("take it out of the manifest, and declare the owner's own");
  const answer = queryLifecycle(
    before,
    { change: 'finalizer wrong', before: declared.own.length > 0 ? 'declared' : 'left', after: 'wrong', foreign },
    sides,
  );
  const isOfServiceController = foreign.every((one) => one === LOAD_BALANCER_CLEANUP_FINALIZER);
  const isOpen = isOfServiceController && sides.after.controllers === undefined;
  if (answer?.outcome === 'kept') {
    return [];
  }
  if (isOpen) {
    return [
      {
        outcome: 'unknown',
        ...base,
        why: 'a service controller removes it, and where none runs the Service stays in Terminating when it is deleted',
        remedy,
        needs: ['controllers in load-balancers.yaml'],
      },
    ];
  }
  return [
    {
      outcome: answer?.outcome ?? 'stuck',
      ...base,
      why: foreignMeans(before.owner, answer?.outcome),
      remedy,
      ...(answer?.trace && { trace: answer.trace }),
    },
  ];
}

function foreignMeans(owner: string | undefined, outcome: Outcome | undefined): string {
  switch (outcome) {
    case 'orphaned':
      return `${owner} does not wait for it: when the Service is deleted its balancer stays in the cloud`;
    case 'interrupted':
      return `its controller removes it from a Service that it does not own, and empties the status: what reads the address there, such as DNS, loses it until ${owner} writes it again`;
    default:
      return `${owner} does not remove it: when the Service is deleted it stays in Terminating`;
  }
}

function strangeAdded({ owner }: SideBalancer, strange: readonly string[]): Effect[] {
  const removed = strange.filter((one) => !STANDARD_FINALIZERS.includes(one));
  return removed.length === 0
    ? []
    : [
        {
          outcome: 'unknown',
          ...AT,
          to: removed.map(printable).join(', '),
          why:
            owner === undefined
              ? 'whether the owner of the balancer removes it is not known; else the Service stays in Terminating when it is deleted'
              : 'no controller that is known here removes it; until it is removed, deletion of the Service hangs',
          needs: [
            owner === undefined
              ? 'who owns the balancer'
              : `a controller that removes ${removed.map(printable).join(', ')}`,
          ],
        },
      ];
}
