import { DELETE_IN_BACKGROUND, DELETE_IN_FOREGROUND, NAMESPACE_DELETED, USER_DELETES } from './api-server.facts';
import { CHANGE_FACTS, CHANGES as CHANGES_BY_NAME } from './changes.facts';
import { restsOf } from './checker';
import { DELETED_TO_CREATE_AGAIN, EDIT, STATUS_REFUSED_ROWS, UNINSTALL } from './cluster.facts';
import { type Effect, Machine, type Table, type Transition } from './machine';
import type { Owner, SecondController } from './owners';
import { firstState, POLICIES, type Policy, rowsOf, type Scenario, WRITERS, type Writer } from './scenario';
import type { PartialState, State, Value } from './state';
import { SOURCES } from './writers.facts';

// Transitions that change a live balancer; each is taken once.

export type Change = keyof typeof CHANGES_BY_NAME;
export const CHANGES = Object.keys(CHANGES_BY_NAME) as Change[];

export interface ChangeCase {
  readonly owner: Owner;
  readonly beside: SecondController;
  readonly writer: Writer;
  readonly change: Change;
  readonly before: Policy;
  readonly after: Policy;
  /** True if a LoadBalancerKeeper puts back what the writer drops. */
  readonly keeper?: boolean;
}

export function changeCasesOf(owners: readonly Owner[]): ChangeCase[] {
  return owners
    .flatMap((owner) => owner.beside.map((beside) => ({ owner, beside })))
    .flatMap((one) => CHANGES.map((change) => ({ ...one, change })))
    .flatMap((one) => POLICIES.map((before) => ({ ...one, before })))
    .flatMap((one) => POLICIES.map((after) => ({ ...one, after })))
    .flatMap((one) => WRITERS.map((writer) => ({ ...one, writer })))
    .filter(isPossible);
}

export function isPossible({ owner, writer, change, before, after }: ChangeCase): boolean {
  const { declares, of } = CHANGE_FACTS[change];
  const isDeclared = before === 'declared' || after === 'declared';
  return (
    (!isDeclared || owner.finalizer !== undefined) &&
    isWrittenBy(owner, writer, change) &&
    (of === undefined || owner[of] === true) &&
    (declares ? before !== declares && after === declares : before === after || declaresAnew(change, writer))
  );
}

/** Returns whether the writer makes the change; `caseOf` in changes.ts maps the changes that it does not make to those that it does. */
function isWrittenBy(owner: Owner, writer: Writer, change: Change): boolean {
  switch (writer) {
    case 'create':
      return !isWritten(change);
    case 'recreate':
      return !CHANGE_FACTS[change].declares && change !== 'nothing';
    case 'put-class-null':
      return !owner.byAnnotation;
    default:
      return true;
  }
}

export function declaresAnew(change: Change, writer: Writer): boolean {
  return change === 'class changed'
    ? writer === 'recreate'
    : isWritten(change) || change === 'deleted and created again';
}

function asksAfter({ change, owner }: ChangeCase): Value<'asks'> {
  const { asks = 'owner' } = CHANGE_FACTS[change];
  return asks === 'nothing' && owner.byAnnotation ? 'in vain' : asks;
}

export function isWritten(change: Change): boolean {
  return CHANGE_FACTS[change].taken === undefined;
}

export function refuses({ change, writer }: ChangeCase): boolean {
  const isLeftOut = writer === 'put-class-null' && isWritten(change) && change !== 'type away';
  return (change === 'class changed' && writer !== 'recreate') || isLeftOut;
}

export function isForTheOwner(one: ChangeCase): boolean {
  return asksAfter(one) === 'owner' || refuses(one);
}

export function isApplied({ change }: ChangeCase, state: State): boolean {
  const { taken = { turns: 'taken' } } = CHANGE_FACTS[change];
  return Object.entries(taken).every(([field, values]) => [values].flat().includes(state[field as keyof State]));
}

const ONCE = { object: 'live', turns: 'left' } as const;
const [DELETES] = USER_DELETES;

export function startsOf({ before: policy, change, ...one }: ChangeCase): PartialState[] {
  const scenario: Scenario = { ...one, policy, ending: 'never' };
  if (change === 'service controller upgraded' || change === 'service controller downgraded') {
    return [firstState({ ...scenario, turn: change === 'service controller upgraded' ? 'upgraded' : 'downgraded' })];
  }
  return restsOf(rowsOf(scenario), firstState(scenario)).filter(
    ({ object, balancer, address }) => object === 'live' && balancer === 'made' && address === 'yes',
  );
}

/** The machine in which a change is looked at, or its trace walked; with `later`, the user may delete the Service afterwards. */
export function machineOfChange(one: ChangeCase, later: boolean): Machine {
  const { owner, change } = one;
  const rows = rowsOf({
    ...one,
    policy: one.before,
    ending: 'never',
    faults: change === 'status refused' ? [change] : [],
  });
  const deletion = change === 'deleted in foreground' ? DELETE_IN_FOREGROUND : DELETE_IN_BACKGROUND;
  const isDeletion = change === 'deleted' || change === 'deleted in foreground';
  const own = rows.filter(({ id }) => id !== 'recreate.deletes' && !DELETE_IN_BACKGROUND.some((row) => row.id === id));
  return new Machine([
    ...own.flatMap((row) => withChange(row, one) ?? []),
    ...changeRows(one),
    ...EDIT.filter(({ actor }) => actor === 'owner'),
    ...deletion,
    ...(later || isDeletion ? [DELETES] : []),
    ...(change === 'owner uninstalled' ? UNINSTALL.map((row) => uninstalls(row, owner)) : []),
    ...(change === 'namespace deleted' ? NAMESPACE_DELETED : []),
  ]);
}

function uninstalls(row: Transition, { isTheBalancer }: Owner): Transition {
  return isTheBalancer ? { ...row, does: { ...row.does, balancer: 'none' } } : row;
}

function withChange(row: Transition, one: ChangeCase): Transition | undefined {
  if (one.change === 'annotation away' && row.id === 'api-server.refuses-another-class') {
    return undefined;
  }
  if (one.change === 'type away' && row.id === 'put-class-null.writes') {
    // a Service of another type has no class to leave out
    const { asks, ...does } = row.does;
    return { ...row, does };
  }
  return row.id === 'recreate.creates' ? { ...row, does: { ...row.does, asks: asksAfter(one) } } : row;
}

function changeRows(one: ChangeCase): Table {
  const { writer, change, before, after } = one;
  if (change === 'deleted and created again' || (writer === 'recreate' && isWritten(change))) {
    const [row] = DELETED_TO_CREATE_AGAIN;
    return [{ ...row, does: { ...row.does, ...declares(writer, after) } }];
  }
  if (change === 'status refused') {
    return STATUS_REFUSED_ROWS;
  }
  if (!isWritten(change)) {
    return [];
  }
  const asks = writer === 'put-class-null' && change !== 'type away' ? 'another' : asksAfter(one);
  return [
    {
      id: `change.${change.replaceAll(' ', '-')}`,
      actor: 'writer',
      kind: 'may',
      says: CHANGE_FACTS[change].says,
      when: ONCE,
      does: {
        ...(asks === 'owner' ? {} : { asks }),
        // the API server empties the status of a Service whose type has no address
        ...(change === 'type away' ? { address: 'no' } : {}),
        ...written(writer, before, after),
        ...declares(writer, after),
        turns: 'taken',
        // kubectl notes down in an annotation what it applied
        event: change.startsWith('finalizer') && writer !== 'client-apply' ? 'metadata' : 'edited',
      },
      refused: { turns: 'taken' },
      ...SOURCES[writer],
    },
  ];
}

function declares(writer: Writer, after: Policy): Effect {
  const held = writer === 'server-apply' ? 'applied' : 'held';
  return {
    declaredOwn: after === 'declared' ? held : 'absent',
    declaredOther: after === 'wrong' ? held : 'absent',
    ...(writer === 'client-apply' ? { lastOwn: after === 'declared' ? 'yes' : 'no' } : {}),
  };
}

function written(writer: Writer, before: Policy, after: Policy): Effect {
  const [own, other] = (['declared', 'wrong'] as const).map((policy) =>
    finalizerWritten(writer, before === policy, after === policy),
  );
  return { ...(own ? { own } : {}), ...(other ? { other } : {}) };
}

function finalizerWritten(writer: Writer, had: boolean, wants: boolean): Effect['own'] | undefined {
  if (writer === 'server-apply') {
    const dropped = had ? ({ map: { applied: 'absent', both: 'held' } } as const) : undefined;
    return wants ? { map: { absent: 'applied', held: 'both' } } : dropped;
  }
  if (wants) {
    return { map: { absent: 'held' } };
  }
  return had || writer !== 'client-apply' ? 'absent' : undefined;
}
