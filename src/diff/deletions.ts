import { compareVersions } from '../contract/compare-versions';
import { type Edit, editFrom } from '../contract/edit';
import { isSet, type Json, mapIn, printable } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import { LoadBalancerWish } from '../contract/options';
import { HAND_OVER_PAGE } from '../contract/rule';
import { operatorOf } from '../predicted/operator-services';
import { titleOf } from '../predicted/predicted';
import type { ControllerDefinition } from '../rules/controller-definition';
import { annotationsOf } from '../rules/service-json';
import { consequenceOf, type Effect } from './effect';
import { PRUNE_GUARDS } from './marks.facts';
import { finalizersFor, kindOf, type LifecycleResult, queryLifecycle } from './owners';
import type { Pair } from './pairs';
import { isShared, type SideBalancer, type Sides } from './side';
import { type DecidingField, remedyToKeep } from './sources';
import { lookupEffects } from './types';

export interface Deletion {
  /** Who deletes it, as the beginning of a sentence. */
  readonly because: string;
  /** Whether that is sure, and does not depend on pruning. */
  readonly isCertain: boolean;
  /** What makes the Service; nothing where it is written itself. */
  readonly maker?: Json;
  readonly isMakerOn: boolean;
  /** What to do about it, where that is known of the field by which it goes. */
  readonly remedy?: string;
}

/** What a deletion comes to: what the model says, where that is worse than a balancer that goes. */
export function deletionEffect(
  { before, movedTo, renamed }: Pair & { readonly before: SideBalancer },
  answer: LifecycleResult | undefined,
  deletion: Deletion,
  { after: { versions } }: Sides,
): Pick<Effect, 'outcome' | 'why' | 'remedy' | 'source' | 'needs' | 'condition'> {
  const { because, isCertain, maker } = deletion;
  const when = isCertain ? '' : 'with prune ';
  const without = isCertain ? '' : ', and without it both stay and are paid for';
  const then = maker ? 'make the change' : 'remove the Service';
  switch (answer?.outcome) {
    case 'orphaned':
      return {
        outcome: 'orphaned',
        why: `${because}: ${when}the Service is deleted, and its balancer stays in the cloud with no object that leads to it`,
        remedy: `declare the controller's finalizer${maker ? ` in ${calledAs(maker)}` : ''} and apply that first, then ${then}`,
        ...byOperator(maker, then),
      };
    case 'stuck':
      return {
        outcome: 'stuck',
        why: `${because}: ${when}it stays in Terminating, because nothing that runs removes its finalizer`,
        remedy: `take the finalizer off that is not the owner's, as ${HAND_OVER_PAGE} says, and apply that first, then ${then}`,
      };
    default:
  }
  if (movedTo && isShared(before.service) && isShared(movedTo.service)) {
    return {
      outcome: 'interrupted',
      why: `${because}: ${when}its own ports are closed, and its clients are cut off until those of ${movedTo.id} are open`,
      remedy: 'make the change when clients can reconnect',
    };
  }
  const adopted = movedTo && renamed === 'name' ? adoptedThing(before, movedTo) : undefined;
  if (movedTo && adopted) {
    const { thing, until, fate, source } = adopted;
    const version = versions?.[before.owner ?? ''];
    const isRead = version === undefined || compareVersions(version, until) <= 0;
    return {
      ...(isRead
        ? { outcome: 'replaced' }
        : { outcome: 'unknown', needs: [printable(`the label that ${version} gives it`)] }),
      why: `${movedTo.id} names ${thing} as well and adopts it: up to ${until} ${fate}${without && '; without prune the two remove the ports of each other'}`,
      remedy: `leave the name as it is, or protect ${thing} against deletion and give it the label of ${movedTo.id} afterwards`,
      source,
    };
  }
  const same = movedTo && renamed === 'name' ? sameAddress(before, movedTo) : undefined;
  if (same) {
    const unless = isCertain ? '' : '; without it the other one waits';
    return {
      ...consequenceOf(same.edit, { remedy: 'leave the name as it is, or make the change when clients can reconnect' }),
      why: `${movedTo?.id} asks for ${same.addresses} as well: ${when}this one is deleted, and ${same.edit.what}${unless}`,
    };
  }
  if (movedTo) {
    return {
      outcome: 'replaced',
      why: `${because}; ${isCertain ? 'this one is deleted with its address' : `with prune this one is deleted with its address${without}`}`,
      remedy:
        deletion.remedy ??
        `keep ${maker ? calledAs(maker) : 'it'}${deletion.isMakerOn ? ' as it is' : ''} until clients and DNS have moved to ${movedTo.id}, then ${deletion.isMakerOn ? 'make the change' : 'remove it'}`,
    };
  }
  if (isShared(before.service)) {
    return {
      outcome: 'deleted',
      why: `${because}: ${when}its ports of the balancer that tenants share are closed, and its clients are cut off`,
      remedy: 'keep the Service until no client uses its ports',
    };
  }
  return {
    outcome: 'deleted',
    why: `${because}: ${when}its balancer is deleted with its address${without}`,
    remedy:
      deletion.remedy ??
      (maker ? remedyToKeep(maker, deletion.isMakerOn) : 'keep the Service until no client uses its address'),
  };
}

/** What a change comes to, and what the model says of it. */
/** Resources of operators have no field for finalizers: what to do instead, and which versions lose the balancer. */
function byOperator(maker: Json | undefined, then: string): Pick<Effect, 'remedy' | 'condition'> {
  const operator = maker && operatorOf(maker);
  return operator
    ? {
        remedy: `keep the finalizer by admission policies, as docs/how-to/keep-load-balancers.md says, then ${then}`,
        ...(operator.fixedIn && { condition: `the ${operator.name} is older than ${operator.fixedIn}` }),
      }
    : {};
}

export interface DeletionResult {
  readonly answer?: LifecycleResult;
  readonly end: ReturnType<typeof deletionEffect>;
}

/** Who makes it deletes it, or writes it with another type, and can have taken its finalizer off before. */
export function resultBySource(
  pair: Pair & { readonly before: SideBalancer },
  { isOtherType, annotations, dropped }: DecidingField,
  deletion: Deletion,
  sides: Sides,
): DeletionResult {
  const { before, movedTo } = pair;
  const { because } = deletion;
  if (isOtherType) {
    const lost = lookupEffects(before, annotations, sides).find((effect) => effect.outcome === 'orphaned');
    if (lost) {
      const { outcome, why, remedy, source } = lost;
      return {
        end: { outcome, why: `${because}, and ${lost.field} changes in the same write: ${why}`, remedy, source },
      };
    }
    const answer = queryLifecycle(before, { change: 'type away', after: 'left', foreign: [] }, sides);
    return answer?.outcome === 'orphaned'
      ? {
          answer,
          end: {
            outcome: 'orphaned',
            why: `${because}: the Service gets another type and loses its finalizer in one write, and its balancer stays in the cloud`,
            remedy: 'take the listener out, wait until its Services are gone, then add the one of the other type',
            ...byOperator(deletion.maker, 'change the type'),
          },
        }
      : { answer, end: deletionEffect(pair, answer, deletion, sides) };
  }
  const answer = queryLifecycle(before, { change: 'deleted' }, sides);
  const own = finalizersFor(before, dropped).own;
  const stripped =
    own.length > 0 && answer?.outcome !== 'orphaned' ? queryLifecycle(before, DROPPED, sides) : undefined;
  if (stripped?.outcome !== 'orphaned') {
    return { answer, end: deletionEffect(pair, answer, deletion, sides) };
  }
  const goes = movedTo ? `the Service that ${movedTo.id} replaces` : 'the Service';
  return {
    answer: stripped,
    end: {
      outcome: 'orphaned',
      why: `${because}; ${own.map(printable).join(', ')} is no longer declared in the same change: where it is taken off before ${goes} is deleted, its balancer stays in the cloud`,
      remedy: 'declare the finalizer until the Service is gone, then take it out',
    },
  };
}

const DROPPED = { change: 'finalizer dropped', before: 'declared', after: 'left', foreign: [] } as const;

/** The thing that both name, if the newer Service adopts it from the older one. */
export function adoptedThing(before: SideBalancer, after: SideBalancer) {
  const [old, now] = [before, after].map(({ service }) => annotationsOf(service));
  const kind = before.owner === after.owner ? kindOf(before) : undefined;
  const [found] = (kind?.catalogue.own ?? []).flatMap(({ fact: { key, namesOne, source } }) =>
    namesOne?.adopted && old[key] && old[key] === now[key]
      ? [
          {
            thing: printable(`${namesOne.thing} ${old[key]}`),
            ...namesOne.adopted,
            source: kind?.annotationEdits?.get(key)?.source ?? source,
          },
        ]
      : [],
  );
  return found;
}

function sameAddress(
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

function calledAs(maker: Json): string {
  return printable(`${maker.kind} ${titleOf(maker)}`);
}

/** An annotation by which a tool treats an object in its own way. */
export interface ToolMark {
  readonly annotation: string;
  /** These values, all in a list with commas, or one alone. */
  readonly values: readonly string[];
  readonly tool: string;
  readonly source: Citation;
}

/** What keeps an object from being pruned by one tool, where its manifest has such. */
export function pruneGuardOf(object: Json): ToolMark | undefined {
  return markOf(object, PRUNE_GUARDS);
}

/** The first of some marks that an object has. */
export function markOf(object: Json, marks: readonly ToolMark[]): ToolMark | undefined {
  const annotations = annotationsOf(object);
  return marks.find(({ annotation, values }) => {
    const found = String(annotations[annotation] ?? '')
      .split(',')
      .map((one) => one.trim().toLowerCase());
    return values.every((value) => found.includes(value.toLowerCase()));
  });
}
