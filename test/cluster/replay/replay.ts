import { walk } from '../../../scripts/lifecycle/walk';
import { restsOf } from '../../../src/lifecycle/checker';
import { Machine, type Table } from '../../../src/lifecycle/machine';
import type { Property } from '../../../src/lifecycle/outcomes';
import { firstState, rowsOf, type Scenario } from '../../../src/lifecycle/scenario';
import { bytesOf, type State } from '../../../src/lifecycle/state';
import { pause } from '../harness/wait';
import { needsOwnProcess } from './parts';
import { actOf, serve } from './rows';
import type { Scene } from './scene';
import { differences, expectedOf, type Seen, seenOf } from './seen';
import { Stage } from './stage';

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
export interface Record {
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
): Promise<Disagreement | Record> {
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
