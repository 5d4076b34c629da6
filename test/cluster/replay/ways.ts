import { walk } from '../../../scripts/lifecycle/walk';
import { explore } from '../../../src/lifecycle/checker';
import type { Machine } from '../../../src/lifecycle/machine';
import { propertiesViolatedAtRest } from '../../../src/lifecycle/outcomes';
import { OWNERS, type Owner } from '../../../src/lifecycle/owners';
import { type Case, casesOf, safetyOf } from '../../../src/lifecycle/safety';
import { ENDINGS, type Fault, firstState, machineOf, type Scenario } from '../../../src/lifecycle/scenario';
import { bytesOf, type State } from '../../../src/lifecycle/state';
import { type Random, randomOf } from '../../support/random';
import { needsOwnProcess, playingOf, whyNot } from './parts';
import { type Disagreement, type RunRecord, replay, type Way } from './replay';
import { actOf } from './rows';
import type { Scene } from './stage';

/** How many ways are walked at once: with programs that they share, and with a process of their own. */
const TOGETHER = 10;
const APART = 3;

/** What came of many ways. */
export interface Replayed {
  readonly disagreements: readonly Disagreement[];
  /** What the first of two walks of a way disagreed in, where the second did not. */
  readonly once: readonly Disagreement[];
  /** What was seen on the others. */
  readonly records: readonly RunRecord[];
}

/** Walks many ways; tells of each as it is done. */
export async function replayAll(
  scene: Scene,
  ways: readonly Way[],
  tell: (way: Way, found: Disagreement | undefined) => void = () => undefined,
): Promise<Replayed> {
  const found: Disagreement[] = [];
  const once: Disagreement[] = [];
  const records: RunRecord[] = [];
  const isApart = ({ scenario, steps }: Way) => needsOwnProcess(scenario, steps);
  const run = async (queue: Way[], lane: number) => {
    for (let way = queue.shift(); way; way = queue.shift()) {
      const first = await replay(scene, way, lane);
      // programs look again at times of their own, which a second walk does not meet
      const last = 'what' in first ? await replay(scene, way, lane) : first;
      if ('what' in last) {
        found.push(last);
        tell(way, last);
      } else {
        records.push(last);
        tell(way, undefined);
        if ('what' in first) {
          once.push(first);
        }
      }
    }
  };
  const together = ways.filter((way) => !isApart(way));
  const apart = ways.filter(isApart);
  await Promise.all([
    ...[...Array(TOGETHER).keys()].map((lane) => run(together, lane)),
    ...[...Array(APART).keys()].map((lane) => run(apart, lane)),
  ]);
  return { disagreements: found, once, records };
}

/** A disagreement in words: the way up to it, and both sides. */
export function disagreementInWords({ way, step, what }: Disagreement): string {
  const { owner, beside, policy, writer, ending, turn, faults = [] } = way.scenario;
  const steps = way.steps.map((id, index) => `${index + 1 === step ? '→ ' : '  '}${index + 1}. ${id}`);
  return [
    `${way.name}: ${owner.name} ${owner.versions}, ${beside}, ${policy}, ${writer}, ${ending}, ${turn}, ${faults.join('+')}`,
    ...steps.slice(0, step),
    `  ${step > way.steps.length ? 'at rest' : `after step ${step}`}: ${what}`,
  ].join('\n');
}

const FAULTS: readonly (readonly Fault[])[] = [
  [],
  [],
  ['crash'],
  ['lag'],
  ['lag'],
  ['lost answer'],
  ['uninstalled'],
  ['crash', 'lag', 'lost answer'],
];

/** The longest walk, and where a walk that could go on ends with which chance. */
const LONGEST = 26;
const ENDS = [true, false, false];
/** As often as a row may be on one walk: a walk that goes in a circle ends. */
const OFTEN = 3;

/** Whether a way can be arranged here; see NOT_ARRANGED. */
function canBeWalked(scenario: Scenario, steps: readonly string[], machine = machineOf(scenario)): boolean {
  if (!steps.every((id) => !whyNot(id) && actOf(id))) {
    return false;
  }
  const states = walk(machine, firstState(scenario), steps);
  return steps.every((_, index) => !isByChance(states, steps, index, scenario));
}

const isCreation = (id: string): boolean =>
  /^(create|client-apply|server-apply|put|put-class-null|recreate)\.creates$/.test(id);
const isReading = (id: string): boolean => /\.(reads|releases)/.test(id) && !id.startsWith('beside-');

/** Whether what a step needs comes about by chance alone; the reasons are those of NOT_ARRANGED. */
function isByChance(states: readonly State[], steps: readonly string[], index: number, scenario: Scenario): boolean {
  const { object, parent, queue, owner, own, watch, leftover, asks, address } = states[index];
  const id = steps[index];
  const before = steps.slice(0, index);
  const part = playingOf(scenario.owner)?.part;
  const isReal = part === 'service-controller';
  const backwards = [...before].reverse();
  const last = backwards.find((each) => /^[\w-]+\.(marks|unmarks|publishes|creates|deletes|reads|releases)/.test(each));
  const sinceRead = backwards.findIndex(isReading);
  const hadAddress = sinceRead >= 0 && states[index - 1 - sinceRead].address === 'yes';
  const sinceCreation = backwards.slice(0, backwards.findIndex(isCreation));
  const publishes = id.includes('.publishes');
  return (
    (parent === 'leaving' && object === 'absent' && isCreation(id)) ||
    (object === 'absent' && queue === 'pending' && leftover === 'remembered' && !last?.endsWith('-nothing')) ||
    (id === 'user.changes-the-type' && queue === 'pending' && owner === 'idle') ||
    (id.endsWith('releases-the-removed') && !sinceCreation.some((each) => each.endsWith('.reads'))) ||
    (publishes && hadAddress && address === 'no') ||
    (publishes && asks === 'nothing') ||
    (publishes && asks === 'in vain' && before.includes('watch.stalls')) ||
    (isReal && id === 'user.edits' && asks === 'nothing' && own === 'absent') ||
    (isReal && id.endsWith('releases-by-type') && own === 'absent' && last?.endsWith('.unmarks') === true) ||
    (!isReal && id.includes('.unmarks') && watch !== 'current') ||
    (!isReal && before.at(-1)?.startsWith('cloud.loses') === true && !isReading(id)) ||
    (part === 'metallb' && isCreation(id) && before.some(isCreation)) ||
    (part === 'metallb' && needsOwnProcess(scenario, steps))
  );
}

/** The owners that run here, each kind of program once. */
export function ownersHere(): Owner[] {
  const parts = new Set<string>();
  return OWNERS.filter((owner) => {
    const playing = playingOf(owner);
    const key = playing && `${playing.part} ${owner.byAnnotation === true}`;
    const isNew = key !== undefined && !parts.has(key);
    parts.add(key ?? '');
    return isNew;
  });
}

/** The shortest ways to what breaks, of all owners that can be played here, each once. */
export function knownWays(): Way[] {
  const ways = new Map<string, Way>();
  for (const one of casesOf(OWNERS.filter((owner) => playingOf(owner)))) {
    const { found } = one.turn === 'downgraded' ? {} : safetyOf(one);
    if (found) {
      const { name, scenario, trace } = found;
      const steps = trace.steps.map(({ id }) => id);
      const key = [name, scenario.ending, ...(scenario.faults ?? []), ...steps].join(' ');
      if (!ways.has(key) && canBeWalked(scenario, steps)) {
        ways.set(key, { name, scenario, steps });
      }
    }
  }
  return [...ways.values()];
}

/** Ways that are chosen anew for every seed: the shortest to whatever breaks, and walks that end wherever they end. */
export class Chooser {
  private readonly random: Random;
  private readonly cases: readonly Case[];
  private readonly walked = new Set<string>();

  public constructor(
    seed: number,
    private readonly keeper = false,
  ) {
    this.random = randomOf(seed);
    const cases = casesOf(ownersHere()).filter(({ turn }) => turn !== 'downgraded');
    this.cases = keeper ? cases.filter(({ writer }) => writer !== 'create' && writer !== 'recreate') : cases;
  }

  /** The shortest ways to all that breaks in a scenario by chance. */
  public shortest(): Way[] {
    const scenario = this.scenario();
    const { broken } = explore(machineOf(scenario), firstState(scenario));
    return [...broken.values()]
      .map(({ property, steps }) => ({ name: property, scenario, steps: steps.map(({ id }) => id), property }))
      .filter(({ steps }) => canBeWalked(scenario, steps));
  }

  /** A walk in a scenario by chance, which goes where no other one went if it can. */
  public walk(): Way | undefined {
    const scenario = this.scenario();
    const machine = machineOf(scenario);
    const state = bytesOf(firstState(scenario));
    machine.settle(state);
    const steps: string[] = [];
    for (;;) {
      const next = this.next(machine, state, steps.length);
      if (!next || steps.filter((id) => id === next.id).length >= OFTEN) {
        break;
      }
      steps.push(next.id);
      state.set(next.after);
    }
    if (!canBeWalked(scenario, steps, machine)) {
      return undefined;
    }
    for (const id of steps) {
      this.walked.add(id);
    }
    const [broken = 'safe'] = propertiesViolatedAtRest(state);
    return { name: `walk to ${broken}`, scenario, steps };
  }

  private next(machine: Machine, state: Uint8Array, length: number): { id: string; after: Uint8Array } | undefined {
    const after = new Uint8Array(state.length);
    const possible = machine.steps.flatMap((step) => {
      if (whyNot(step.row.id) || !actOf(step.row.id) || !step.enabled(state)) {
        return [];
      }
      machine.follow(state, step, after);
      return after.every((value, place) => value === state[place])
        ? []
        : [{ id: step.row.id, kind: step.row.kind, after: after.slice() }];
    });
    const must = possible.filter(({ kind }) => kind === 'must');
    if (must.length === 0 && (possible.length === 0 || length > LONGEST || this.random(ENDS))) {
      return undefined;
    }
    const open = length > LONGEST ? must : possible;
    if (length > 2 * LONGEST) {
      return undefined;
    }
    const fresh = open.filter(({ id }) => !this.walked.has(id));
    return this.random(fresh.length > 0 ? fresh : [...open, ...must]);
  }

  private scenario(): Scenario {
    const owners = [...new Set(this.cases.map(({ owner }) => owner))];
    const owner = this.random(owners);
    const one = this.random(this.cases.filter((each) => each.owner === owner));
    const fate = { ending: this.random(ENDINGS), faults: this.random(FAULTS), edited: this.random([true, false]) };
    return { ...one, ...fate, ...(this.keeper && { keeper: true }) };
  }
}

/** As many ways as are asked for: the generated traces, and others by a seed. */
export function chosenWays(seed: number, number: number): Way[] {
  const chooser = new Chooser(seed);
  const ways = new Map<string, Way>(knownWays().map((way) => [keyOf(way), way]));
  for (let turn = 0; ways.size < number; turn++) {
    for (const way of turn % 4 === 0 ? chooser.shortest() : [chooser.walk()]) {
      if (way) {
        ways.set(keyOf(way), way);
      }
    }
  }
  return [...ways.values()].slice(0, number);
}

/** As many walks under a keeper that puts something back. */
export function keptWays(seed: number, number: number): Way[] {
  const chooser = new Chooser(seed, true);
  const ways = new Map<string, Way>();
  while (ways.size < number) {
    const way = chooser.walk();
    if (way && putsBack(way) && !isRefusedOnce(way.steps)) {
      ways.set(keyOf(way), way);
    }
  }
  return [...ways.values()];
}

/** Whether a write comes before an owner that insists on a version removes its finalizer: it is refused, and tries again by itself. */
function isRefusedOnce(steps: readonly string[]): boolean {
  const acts = steps.filter((id) => /^(put|client-apply|server-apply)\.|\.(reads|releases|marks|unmarks)/.test(id));
  return acts.some(
    (id, i) =>
      /(?<!^service-controller)\.unmarks/.test(id) && /^(put|client-apply|server-apply)\./.test(acts[i - 1] ?? ''),
  );
}

/** Whether a walk goes elsewhere without the keeper. */
function putsBack({ scenario, steps }: Way): boolean {
  const writer = scenario.writer === 'put-class-null' ? 'put' : scenario.writer;
  const [kept, free] = [true, false].map((keeper) => {
    try {
      return JSON.stringify(walk(machineOf({ ...scenario, writer, keeper }), firstState(scenario), steps));
    } catch {
      return undefined;
    }
  });
  return kept !== free;
}

/** Some of many ways on which every row is that is on any of them: the short ones first. */
export function coverOf(ways: readonly Way[]): Way[] {
  const left = new Set(ways.flatMap(({ steps }) => steps));
  const chosen: Way[] = [];
  while (left.size > 0) {
    const worth = ({ steps }: Way) => new Set(steps.filter((id) => left.has(id))).size / (steps.length + 4);
    const best = ways.reduce((a, b) => (worth(b) > worth(a) ? b : a));
    chosen.push(best);
    for (const id of best.steps) {
      left.delete(id);
    }
  }
  return chosen;
}

/** What tells one way from another. */
export function keyOf({ name, scenario, steps }: Way): string {
  const { owner, beside, policy, ending, turn, keeper } = scenario;
  return [name, owner.name, owner.versions, beside, policy, ending, turn, keeper, ...steps].join(' ');
}
