import {
  API_SERVER,
  BOOKKEEPING,
  DELETE_BY_COLLECTOR,
  DELETE_IN_BACKGROUND,
  DELETE_IN_FOREGROUND,
  ENDING_ROWS,
  PARENT_DELETED,
} from './api-server.facts';
import { CACHES, EDIT, FAULT_ROWS, STARTS_WITH_ALL, STARTS_WITH_ITS_OWN } from './cluster.facts';
import { type Guard, Machine, type Table, type Transition } from './machine';
import { type Owner, type SecondController, secondControllerTable } from './owners';
import type { PartialState, Value } from './state';
import { KEEPER, SOURCES, TURN_ROWS, WRITER_ROWS, WRITER_SAYS } from './writers.facts';

export type Writer = keyof typeof WRITER_SAYS;
export const WRITERS = Object.keys(WRITER_SAYS) as Writer[];

export interface WriterRow extends Omit<Transition, 'id' | 'actor' | 'kind' | 'source' | 'confidence'> {
  readonly name: string;
  readonly kind?: Transition['kind'];
}

export function writerTable(writer: Writer): Transition[] {
  return WRITER_ROWS[writer].map(({ name, ...row }) => ({
    ...{ id: `${writer}.${name}`, actor: 'writer', kind: 'must', ...SOURCES[writer] },
    ...row,
  }));
}

export const TURNS = ['nothing', 'again', 'drops', 'declares', 'type', 'upgraded', 'downgraded'] as const;
export type UserAction = (typeof TURNS)[number];

function turnTable(turn: UserAction, held: 'held' | 'applied', isKeptByAnnotation: boolean): Transition[] {
  const row = TURN_ROWS[turn === 'type' && isKeptByAnnotation ? 'type of a claim by annotation' : turn];
  const { does } = row ?? {};
  return row ? [turn === 'declares' ? { ...row, does: { ...does, declaredOwn: held } } : row] : [];
}

export const POLICIES = ['declared', 'left', 'wrong'] as const;
export type Policy = (typeof POLICIES)[number];

export type DeletionMode = keyof typeof ENDING_ROWS;
export const ENDINGS = Object.keys(ENDING_ROWS) as DeletionMode[];

export type Fault = keyof typeof FAULT_ROWS;
export const FAULTS = Object.keys(FAULT_ROWS) as Fault[];

export interface Scenario {
  readonly owner: Owner;
  readonly policy: Policy;
  readonly writer: Writer;
  readonly beside?: SecondController;
  readonly ending?: DeletionMode;
  readonly turn?: UserAction;
  readonly edited?: boolean;
  readonly faults?: readonly Fault[];
  /** True if a LoadBalancerKeeper puts back what writers drop, the class among it. */
  readonly keeper?: boolean;
  readonly from?: PartialState;
}

function deletionTable(ending: DeletionMode, writer: Writer): Table {
  // where nobody but the garbage collector deletes the Service
  if (ending === 'parent' && writer !== 'recreate') {
    return [...PARENT_DELETED, ...DELETE_BY_COLLECTOR];
  }
  return [...ENDING_ROWS[ending], ...(ending.endsWith('foreground') ? DELETE_IN_FOREGROUND : DELETE_IN_BACKGROUND)];
}

/** The rows that take part, in the order in which they are tried; the API server's reactions go before those of who watches it. */
export function rowsOf(scenario: Scenario): Table {
  const { owner, writer, beside = 'alone', ending = 'background', turn = 'nothing', faults = [] } = scenario;
  const byAnnotation = owner.byAnnotation === true;
  const own = faults.includes('status refused')
    ? owner.table.filter(({ id }) => !id.endsWith('.publishes'))
    : owner.table;
  return [
    ...API_SERVER,
    ...(scenario.keeper ? KEEPER : []),
    ...CACHES,
    ...(owner.looksAtAll ? STARTS_WITH_ALL : STARTS_WITH_ITS_OWN),
    ...own,
    ...secondControllerTable(beside, byAnnotation),
    ...writerTable(asWritten(writer, scenario)),
    ...(scenario.edited ? EDIT : []),
    ...turnTable(turn, heldBy(writer), byAnnotation),
    ...deletionTable(ending, writer),
    ...faults.flatMap((fault) => FAULT_ROWS[fault]),
    ...BOOKKEEPING,
  ];
}

/** Without a class there is none to leave out. */
function asWritten(writer: Writer, { owner: { versions }, keeper }: Scenario): Writer {
  return writer === 'put-class-null' && (keeper || versions !== 'by class') ? 'put' : writer;
}

/** A Service whose balancer was made by another version of its owner, which is starting. */
const SERVED: PartialState = {
  object: 'live',
  balancer: 'made',
  address: 'yes',
  promised: 'yes',
  process: 'down',
};

export function firstState({ policy, writer, faults = [], turn, from }: Scenario): PartialState {
  const own = policy === 'declared' ? heldBy(writer) : 'absent';
  const other = policy === 'wrong' ? heldBy(writer) : 'absent';
  return {
    writer: 'works',
    declaredOwn: own,
    declaredOther: other,
    crashes: faults.includes('crash') ? 'left' : 'none',
    lags: faults.includes('lag') ? 'left' : 'none',
    losses: faults.includes('lost answer') ? 'left' : 'none',
    // all controllers start after an upgrade
    ...((turn === 'upgraded' || turn === 'downgraded') && other !== 'absent' ? { otherQueue: 'pending' } : {}),
    ...(turn === 'upgraded' ? { ...SERVED, own, other } : {}),
    ...(turn === 'downgraded' ? { ...SERVED, own: 'held', other } : {}),
    ...from,
  };
}

function heldBy(writer: Writer): 'held' | 'applied' {
  return writer === 'server-apply' ? 'applied' : 'held';
}

export function machineOf(scenario: Scenario): Machine {
  return new Machine(rowsOf(scenario));
}

export interface ChangeFact {
  readonly says: string;
  readonly declares?: Policy;
  /** Controller that the Service asks once it is written. @default - the owner */
  readonly asks?: Value<'asks'>;
  /** Evidence that the change was made. @default - the change is written to the Service */
  readonly taken?: Guard;
  readonly of?: 'byAnnotation' | 'isServiceController';
}
