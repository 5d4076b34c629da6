import { DELETE_IN_BACKGROUND, DELETE_IN_FOREGROUND, NAMESPACE_DELETED, USER_DELETES } from './api-server.facts';
import { asksAfter, CHANGE_SAYS, type ChangeCase, isWritten } from './change-cases';
import { restsOf } from './checker';
import { EDIT, UNINSTALL } from './cluster.facts';
import { Machine } from './machine';
import type { Owner } from './owners';
import { firstState, machineOf, type Policy, rowsOf, type Scenario } from './scenario';
import type { PartialState } from './state';
import type { Effect, Table, Transition } from './transition';
import type { Writer } from './writers';
import { SOURCES } from './writers.facts';

// A change as rows that are taken once.

const ONCE = { object: 'live', turns: 'left' } as const;
const [DELETES] = USER_DELETES;
const LOOKS_AGAIN = EDIT.filter(({ actor }) => actor === 'owner');

/** The states of rest in which a change finds a balancer that is served. */
export function startsOf({ before: policy, change, ...one }: ChangeCase): PartialState[] {
  const scenario: Scenario = { ...one, policy, ending: 'never' };
  if (change === 'service controller upgraded' || change === 'service controller downgraded') {
    return [firstState({ ...scenario, turn: change === 'service controller upgraded' ? 'upgraded' : 'downgraded' })];
  }
  return restsOf(machineOf(scenario), firstState(scenario)).filter(
    ({ object, balancer, address }) => object === 'live' && balancer === 'made' && address === 'yes',
  );
}

/** The machine in which a change is looked at, or its trace walked. */
export function machineOfChange(one: ChangeCase, later: boolean): Machine {
  return new Machine(rowsOfChange(one, later));
}

/** The rows in which a case is looked at; with `later`, the user may delete the Service afterwards. */
function rowsOfChange(one: ChangeCase, later: boolean): Table {
  const { owner, change } = one;
  const rows = rowsOf({
    ...one,
    policy: one.before,
    ending: 'never',
    faults: change === 'status refused' ? ['status refused'] : [],
  });
  const deletion = change === 'deleted in foreground' ? DELETE_IN_FOREGROUND : DELETE_IN_BACKGROUND;
  const isDeletion = change === 'deleted' || change === 'deleted in foreground';
  const own = rows.filter(({ id }) => id !== 'recreate.deletes' && !DELETE_IN_BACKGROUND.some((row) => row.id === id));
  return [
    ...own.map((row) => withChange(row, one)).filter((row) => row !== undefined),
    ...changeRows(one),
    ...LOOKS_AGAIN,
    ...deletion,
    ...(later || isDeletion ? [DELETES] : []),
    ...(change === 'owner uninstalled' ? UNINSTALL.map((row) => uninstalls(row, owner)) : []),
    ...(change === 'namespace deleted' ? NAMESPACE_DELETED : []),
  ];
}

function uninstalls(row: Transition, { isTheBalancer }: Owner): Transition {
  return isTheBalancer ? { ...row, does: { ...row.does, balancer: 'none' } } : row;
}

/** A row of the life before, where the change is not refused and what is created again is the new Service. */
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
    return [
      {
        ...DELETES,
        id: 'change.deletes-to-create-again',
        says: 'deletes the Service, to create it again',
        when: { ...ONCE, deletion: 'unwanted' },
        does: { deletion: 'wanted', turns: 'taken', ...declares(writer, after) },
      },
    ];
  }
  if (change === 'status refused') {
    return [
      {
        ...EDIT.filter(({ actor }) => actor === 'user')[0],
        id: 'change.refuses-the-status',
        says: CHANGE_SAYS[change],
        when: ONCE,
        does: { turns: 'taken', event: 'edited' },
      },
    ];
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
      says: CHANGE_SAYS[change],
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
