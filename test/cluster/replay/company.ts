import { needsOwnProcess } from './parts';
import { type Disagreement, type Record, replay, type Way } from './replay';
import type { Scene } from './scene';

/** How many ways are walked at once: with programs that they share, and with a process of their own. */
const TOGETHER = 10;
const APART = 3;

/** What came of many ways. */
export interface Replayed {
  readonly disagreements: readonly Disagreement[];
  /** What the first of two walks of a way disagreed in, where the second did not. */
  readonly once: readonly Disagreement[];
  /** What was seen on the others. */
  readonly records: readonly Record[];
}

/** Walks many ways; tells of each as it is done. */
export async function replayAll(
  scene: Scene,
  ways: readonly Way[],
  tell: (way: Way, found: Disagreement | undefined) => void = () => undefined,
): Promise<Replayed> {
  const found: Disagreement[] = [];
  const once: Disagreement[] = [];
  const records: Record[] = [];
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
