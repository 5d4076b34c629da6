import { walk } from '../../../scripts/lifecycle/walk';
import { restsOf } from '../../../src/lifecycle/checker';
import { type Effect, Machine, type Step, type Table, type Transition } from '../../../src/lifecycle/machine';
import type { Property } from '../../../src/lifecycle/outcomes';
import { firstState, rowsOf, type Scenario } from '../../../src/lifecycle/scenario';
import { bytesOf, type Field, NAMES, type State, stateOf } from '../../../src/lifecycle/state';
import { FIELDS } from '../../../src/lifecycle/state.facts';
import type { Body } from '../../real/api';
import { pause } from '../../real/program';
import { needsOwnProcess, type Playing, playingOf } from './parts';
import { actOf, serve } from './rows';
import { type Scene, Stage } from './stage';

// Rows of the model are dropped, or their effects changed, and what was seen on real ways is held against what is left.

/** A row that is made wrong. */
export interface Mutant {
  readonly id: string;
  /** What is wrong with it. */
  readonly what: string;
  change(rows: Table): Table;
}

export const DROPPED = 'dropped';

/** A row is dropped, and each of its effects is left out or turned into another. */
export function mutantsOf(row: Transition): Mutant[] {
  const mutant = (what: string, rest?: Partial<Transition>): Mutant => ({
    id: row.id,
    what,
    change: (rows) => rows.flatMap((each) => (each.id !== row.id ? [each] : rest ? [{ ...each, ...rest }] : [])),
  });
  const fields = (Object.keys(row.does) as Field[]).filter((field) => !WITHIN.includes(field));
  return [
    mutant(DROPPED),
    ...fields.map((field) => {
      const { [field]: value, ...does } = row.does;
      return mutant(`without ${field}`, { does: does as Effect });
    }),
    ...fields
      .filter((field) => typeof row.does[field] === 'string')
      .map((field) => {
        const value = FIELDS[field].find((each) => each !== row.does[field]);
        return mutant(`${field} ${value}`, { does: { ...row.does, [field]: value } as Effect });
      }),
  ];
}

/** What is the model's bookkeeping alone. */
const WITHIN: readonly Field[] = ['promised', 'turns', 'edits', 'crashes', 'lags', 'losses'];

/** Why a row is held against no record: it is not seen, or what it keeps is not. */
export function isHeldAgainst({ id, source }: Transition): boolean {
  return source.repository !== 'this model' && !id.startsWith('model.');
}

/** The rows that take part in what was recorded: those of its steps, and what happens within them. */
export function rowsIn(records: readonly RunRecord[]): Map<string, { row: Transition; records: RunRecord[] }> {
  const found = new Map<string, { row: Transition; records: RunRecord[] }>();
  for (const record of [...records].sort((a, b) => a.way.steps.length - b.way.steps.length)) {
    for (const row of rowsOf(record.way.scenario).filter(isHeldAgainst)) {
      const isStep = row.kind === 'must' || row.kind === 'may';
      if (!isStep || record.way.steps.includes(row.id)) {
        const one = found.get(row.id) ?? { row, records: [] };
        one.records.push(record);
        found.set(row.id, one);
      }
    }
  }
  return found;
}

/** Whether a record contradicts a model: no way of it shows what was seen. */
export function contradicts({ way, seen, rest }: RunRecord, { id, change }: Mutant): boolean {
  const { scenario, steps } = way;
  const machine = new Machine(change(rowsOf(scenario)));
  const playing = playingOf(scenario.owner) as Playing;
  const isSeen = (state: Uint8Array, index: number) =>
    differences(expectedOf({ scenario, playing }, stateOf(state)), seen[index]).length === 0;
  const rests = (state: Uint8Array) =>
    restsOf(machine.rows, stateOf(state)).map((each) => expectedOf({ scenario, playing }, each));
  const isRest = (state: Uint8Array) => {
    const all = rests(state);
    return rest === undefined ? all.length === 0 : all.some((each) => differences(each, rest).length === 0);
  };
  const after = (state: Uint8Array, step: Step) => {
    const next = new Uint8Array(NAMES.length);
    machine.follow(state, step, next);
    return next;
  };
  const canGoOn = (state: Uint8Array, index: number): boolean => {
    if (!isSeen(state, index)) {
      return false;
    }
    if (index === steps.length) {
      return isRest(state);
    }
    return instead(machine, steps[index], id, state).some((step) => canGoOn(after(state, step), index + 1));
  };
  const first = bytesOf(firstState(scenario));
  machine.settle(first);
  return !canGoOn(first, 0);
}

/** The step itself, or where it is dropped, what else its actor could have done. */
function instead({ steps }: Machine, id: string, mutated: string, state: Uint8Array): Step[] {
  const itself = steps.find(({ row }) => row.id === id);
  const prefix = id.slice(0, id.indexOf('.') + 1);
  const candidates = itself || id !== mutated ? [itself] : steps.filter(({ row }) => row.id.startsWith(prefix));
  return candidates.filter((step) => step?.enabled(state)) as Step[];
}

/** What can be seen of a life from outside of its programs. */
export type Seen = Readonly<Record<string, string>>;

const FOREGROUND = 'foregroundDeletion';

/** What the model says is to be seen. */
export function expectedOf({ scenario, playing }: Pick<Stage, 'scenario' | 'playing'>, state: State): Seen {
  const { object, own, other, collected, address, asks, namespace, parent, balancer, leftover } = state;
  const finalizer = (value: string) => (scenario.writer === 'server-apply' || value === 'absent' ? value : 'held');
  const left = leftover === 'none' ? 'none' : 'made';
  const isMade = balancer === 'made' || left === 'made';
  return {
    object,
    ...(object === 'absent'
      ? { balancers: isMade ? 'made' : 'none' }
      : {
          own: finalizer(own),
          other: finalizer(other),
          collected,
          address,
          asks,
          balancer,
          ...(playing.byUid ? { leftover: left } : {}),
        }),
    ...(scenario.ending === 'namespace' ? { namespace } : {}),
    ...(scenario.ending?.startsWith('parent') ? { parent } : {}),
  };
}

/** What is to be seen. */
export async function seenOf(stage: Stage): Promise<Seen> {
  const { api, scenario, playing, place, scene } = stage;
  const found = await api.find(stage.ref);
  const entries = scene.plane.ledger.all.filter(({ service }) => service === place);
  const made = (is: boolean) => (is ? 'made' : 'none');
  return {
    object: found === undefined ? 'absent' : found.metadata.deletionTimestamp ? 'dying' : 'live',
    ...(found === undefined
      ? { balancers: made(entries.length > 0) }
      : {
          own: finalizerOf(found, stage.own, stage),
          other: finalizerOf(found, stage.other, stage),
          collected: found.metadata.finalizers?.includes(FOREGROUND) ? 'yes' : 'no',
          address: found.status.loadBalancer?.ingress?.length > 0 ? 'yes' : 'no',
          asks: asksOf(found, stage),
          balancer: made(entries.some(({ uid }) => !playing.byUid || uid === found.metadata.uid)),
          ...(playing.byUid ? { leftover: made(entries.some(({ uid }) => uid !== found.metadata.uid)) } : {}),
        }),
    ...(scenario.ending === 'namespace' ? { namespace: await namespaceOf(stage) } : {}),
    ...(scenario.ending?.startsWith('parent') ? { parent: await parentOf(stage) } : {}),
  };
}

function asksOf({ spec }: Body, { playing, scenario }: Stage): string {
  if (spec.type !== 'LoadBalancer') {
    return scenario.owner.byAnnotation ? 'in vain' : 'nothing';
  }
  return spec.loadBalancerClass === playing.spec.loadBalancerClass ? 'owner' : 'another';
}

/** Whether the finalizer is there, and for a writer that applies on the server, who has it. */
function finalizerOf({ metadata }: Body, finalizer: string, { scenario }: Stage): string {
  if (!metadata.finalizers?.includes(finalizer)) {
    return 'absent';
  }
  if (scenario.writer !== 'server-apply') {
    return 'held';
  }
  const holds = (operation: string) =>
    metadata.managedFields?.some(
      (each: Body) =>
        each.operation === operation && each.fieldsV1?.['f:metadata']?.['f:finalizers']?.[`v:"${finalizer}"`],
    );
  const [applied, held] = [holds('Apply'), holds('Update')];
  return applied && held ? 'both' : applied ? 'applied' : 'held';
}

async function namespaceOf({ api, namespace }: Stage): Promise<string> {
  const found = await api.find({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  return found && !found.metadata.deletionTimestamp ? 'live' : 'dying';
}

async function parentOf({ api, parent }: Stage): Promise<string> {
  const found = await api.find(parent);
  return found === undefined ? 'gone' : found.metadata.deletionTimestamp ? 'leaving' : 'live';
}

/** Where two views differ. */
export function differences(expected: Seen, seen: Seen): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(seen)])];
  return names
    .filter((name) => expected[name] !== seen[name])
    .map((name) => `${name}: the model says ${expected[name]}, and it is ${seen[name]}`);
}

/** A way through the model. */
export interface Way {
  readonly name: string;
  readonly scenario: Scenario;
  /** The rows, by their ids. */
  readonly steps: readonly string[];
  /** What is broken at its end. */
  readonly property?: Property;
}

/** Where the model and what runs went different ways. */
export interface Disagreement {
  readonly way: Way;
  /** The step after which they did, counted from 1; 0 where it was before the first, and one more than there are at rest. */
  readonly step: number;
  readonly what: string;
}

/** What was seen on a way that agreed with the model. */
export interface RunRecord {
  readonly way: Way;
  /** Before the first step, and after each. */
  readonly seen: readonly Seen[];
  /** Where all came to rest, if they did. */
  readonly rest?: Seen;
}

type Change = (rows: Table) => Table;

/** How long what was done may take to be seen, in ms, and how long it has to stay so. */
const UNTIL_SEEN = 4000;
const STILL = 15;
const UNTIL_REST = 45_000;
const RESTING = 500;
/** As many versions of a Service, or as many things that programs do, show that it does not come to rest. */
const RESTLESS = 8;
const RESTLESS_ACTS = 4;

/** Walks a way on what runs; says where it did not follow, or else what was seen. */
export async function replay(
  scene: Scene,
  way: Way,
  lane?: number,
  change: Change = (rows) => rows,
): Promise<Disagreement | RunRecord> {
  const { scenario, steps } = way;
  const machine = new Machine(change(rowsOf(scenario)));
  const states = walk(machine, firstState(scenario), steps);
  const stage = await Stage.set(scene, scenario, needsOwnProcess(scenario, steps) ? lane : undefined);
  const seen: Seen[] = [];
  let step = 0;
  try {
    if (scenario.turn === 'upgraded') {
      await serve(stage, states[0]);
    }
    for (; ; step++) {
      if (step > 0) {
        await actOf(steps[step - 1])?.(stage, states[step], states[step - 1]);
      }
      seen.push(await agree(stage, states[step], machine));
      if (step === steps.length) {
        break;
      }
    }
    step++;
    return { way, seen, rest: await rest(stage, states[steps.length], machine) };
  } catch (error) {
    const refusals = stage.refusals.length > 0 ? `; refused: ${[...new Set(stage.refusals)].join('; ')}` : '';
    return { way, step, what: `${(error as Error).message}${refusals}` };
  } finally {
    await stage.strike();
  }
}

/** @throws where what is seen is not what the model says, or a program wants what the model does not have it do */
async function agree(stage: Stage, state: State, machine: Machine): Promise<Seen> {
  const expected = expectedOf(stage, state);
  const end = Date.now() + UNTIL_SEEN;
  let seen = await seenOf(stage);
  for (let wait = 2; differences(expected, seen).length > 0 && Date.now() < end; wait = Math.min(wait * 2, 100)) {
    await pause(wait);
    seen = await seenOf(stage);
  }
  let found = differences(expected, seen);
  await watched(stage);
  hear(stage, state, machine);
  await pause(STILL);
  found = found.length > 0 ? found : differences(expected, await seenOf(stage));
  const wished = unexpected(stage, state, machine);
  if (found.length + wished.length > 0) {
    throw new Error([...found, ...wished].join('; '));
  }
  return seen;
}

/** Waits until the watches of the programs have what is there. */
async function watched({ api, ref, place, players }: Stage): Promise<void> {
  const version: string | undefined = (await api.find(ref))?.metadata.resourceVersion;
  const end = Date.now() + UNTIL_SEEN;
  for (const player of players.filter(({ isUp }) => isUp)) {
    while (player.way.versionOf(place) !== version && Date.now() < end) {
      await pause(2);
    }
  }
}

/** Programs that have nothing in their queues hear what there is, and should not mind. */
function hear(stage: Stage, state: State, machine: Machine): void {
  const { place, owner, beside } = stage;
  if (state.owner === 'idle' && state.queue === 'empty' && state.process === 'runs') {
    owner.way.deliver(place);
  }
  if (isBesideAtRest(state, machine)) {
    beside?.way.deliver(place);
  }
}

function isBesideAtRest(state: State, machine: Machine): boolean {
  const bytes = bytesOf(state);
  const may = machine.steps.some((step) => step.row.actor === 'other controller' && step.enabled(bytes));
  return state.otherQueue === 'empty' && !may;
}

/** What programs want although the model has them at rest. */
function unexpected(stage: Stage, state: State, machine: Machine): string[] {
  const isBusy = state.owner !== 'idle' || state.queue === 'pending' || state.watch !== 'current';
  const wanted = stage.scene.gates.at(stage.place);
  return wanted
    .filter(({ actor }) => {
      if (actor === stage.owner.name) {
        // a Service that is gone is nobody's in the model, and a program may ask about it in vain
        return !isBusy && state.object !== 'absent';
      }
      return actor === stage.beside?.name && isBesideAtRest(state, machine);
    })
    .map(({ actor, wish }) => `the model has ${actor} at rest, and it wants to ${wish}`);
}

/** Lets everybody go, and looks at where they come to rest; nothing where they do not, as the model says. */
async function rest(stage: Stage, state: State, machine: Machine): Promise<Seen | undefined> {
  const rests = restsOf(machine.rows, state).map((each) => expectedOf(stage, each));
  const { hook, gates } = stage.scene;
  hook.disarm(stage.place);
  for (const player of stage.players) {
    player.way.release(stage.place);
  }
  gates.open(stage.place);
  if (state.process === 'down') {
    await stage.owner.start();
  }
  if (state.deletion === 'wanted' && state.decided === 'no' && stage.deleter === 'user' && state.object === 'live') {
    await stage.delete();
  }
  const is = (seen: Seen) => rests.some((each) => differences(each, seen).length === 0);
  const versions = new Set<string | undefined>();
  const end = Date.now() + UNTIL_REST;
  let seen: Seen = {};
  let since = Date.now();
  while (Date.now() < end) {
    await write(stage, state);
    seen = await seenOf(stage);
    versions.add(await stage.version());
    if (rests.length === 0 && (versions.size > RESTLESS || gates.passedAt(stage.place) > RESTLESS_ACTS)) {
      return undefined;
    }
    if (!is(seen)) {
      since = Date.now();
    } else if (Date.now() - since > RESTING) {
      return seen;
    }
    await pause(50);
  }
  const said = rests.length === 0 ? ['no rest'] : [...new Set(rests.map((each) => JSON.stringify(each)))];
  throw new Error(`at rest the model says ${said.join(' or ')}, and it is ${JSON.stringify(seen)}`);
}

/** The writer goes on with what it does. */
async function write(stage: Stage, state: State): Promise<void> {
  const isDone = state.parent === 'leaving' && (await stage.api.find(stage.parent)) === undefined;
  if (state.writer !== 'works' || isDone) {
    return;
  }
  if ((await stage.api.find(stage.ref)) === undefined) {
    await stage.create(state);
  } else if (stage.scenario.writer !== 'create' && stage.scenario.writer !== 'recreate') {
    await stage.write(stage.declared(state));
  }
}
