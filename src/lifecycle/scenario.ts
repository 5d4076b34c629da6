import {
  API_SERVER,
  BOOKKEEPING,
  DELETE_BY_COLLECTOR,
  DELETE_IN_BACKGROUND,
  DELETE_IN_FOREGROUND,
  NAMESPACE_DELETED,
  PARENT_DELETED,
  PARENT_DELETED_IN_FOREGROUND,
  PARENT_ORPHANS,
  USER_DELETES,
} from './api-server.facts';
import {
  CACHES,
  CRASH,
  EDIT,
  LAG,
  LOST_ANSWER,
  STARTS_WITH_ALL,
  STARTS_WITH_ITS_OWN,
  UNINSTALL,
} from './cluster.facts';
import { Machine } from './machine';
import { type Beside, besideTable, type Owner } from './owners';
import { STATUS_REFUSED } from './owners.facts';
import type { PartialState } from './state';
import type { Table } from './transition';
import { type Turn, turnTable, type Writer, writerTable } from './writers';
import { KEEPER } from './writers.facts';

export const POLICIES = ['declared', 'left', 'wrong'] as const;
export type Policy = (typeof POLICIES)[number];

export const ENDINGS = [
  'background',
  'foreground',
  'namespace',
  'parent',
  'parent in foreground',
  'parent alone',
  'never',
] as const;
export type Ending = (typeof ENDINGS)[number];

export const FAULTS = ['crash', 'lag', 'lost answer', 'uninstalled', 'status refused'] as const;
export type Fault = (typeof FAULTS)[number];

export interface Scenario {
  readonly owner: Owner;
  readonly policy: Policy;
  readonly writer: Writer;
  readonly beside?: Beside;
  readonly ending?: Ending;
  readonly turn?: Turn;
  /** Whether the user edits an annotation. */
  readonly edited?: boolean;
  readonly faults?: readonly Fault[];
  /** Whether a LoadBalancerKeeper puts back what writers drop, the class among it. */
  readonly keeper?: boolean;
  /** Where the Service begins. */
  readonly from?: PartialState;
}

const USER_IN_FOREGROUND: Table = [...USER_DELETES, ...DELETE_IN_FOREGROUND];
const ENDS: Readonly<Record<Ending, Table>> = {
  background: [...USER_DELETES, ...DELETE_IN_BACKGROUND],
  foreground: USER_IN_FOREGROUND,
  namespace: [...NAMESPACE_DELETED, ...DELETE_IN_BACKGROUND],
  parent: [...PARENT_DELETED, ...DELETE_IN_BACKGROUND],
  'parent in foreground': [...PARENT_DELETED_IN_FOREGROUND, ...DELETE_IN_FOREGROUND],
  'parent alone': [...PARENT_ORPHANS, ...DELETE_IN_BACKGROUND],
  never: DELETE_IN_BACKGROUND,
};

/** Where nobody but the garbage collector deletes the Service. */
const BY_COLLECTOR: Table = [...PARENT_DELETED, ...DELETE_BY_COLLECTOR];

const FAULT_TABLES: Readonly<Record<Fault, Table>> = {
  crash: CRASH,
  lag: LAG,
  'lost answer': LOST_ANSWER,
  uninstalled: UNINSTALL,
  'status refused': [STATUS_REFUSED],
};

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
    ...besideTable(beside, byAnnotation),
    ...writerTable(asWritten(writer, scenario)),
    ...(scenario.edited ? EDIT : []),
    ...turnTable(turn, heldBy(writer), byAnnotation),
    ...(ending === 'parent' && writer !== 'recreate' ? BY_COLLECTOR : ENDS[ending]),
    ...faults.flatMap((fault) => FAULT_TABLES[fault]),
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

/** The state that a scenario begins with. */
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

/** By which kind of field manager a writer holds what it declares. */
function heldBy(writer: Writer): 'held' | 'applied' {
  return writer === 'server-apply' ? 'applied' : 'held';
}

export function machineOf(scenario: Scenario, change: (rows: Table) => Table = (rows) => rows): Machine {
  return new Machine(change(rowsOf(scenario)));
}
