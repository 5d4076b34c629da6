// Walks traces of the model of src/lifecycle on a real API server with the real service controller: all generated ones of
// owners that run here, and more by a seed, as many as the argument says. With --mutate every row that took part is then made
// wrong in every way that there is, and what was seen has to contradict it. With --write the page of the model says what was walked.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { NOT_ARRANGED, NOT_REPLAYED } from '../test/cluster/replay/parts';
import { contradicts, DROPPED, mutantsOf, type RunRecord, rowsIn, type Way } from '../test/cluster/replay/replay';
import { Scene } from '../test/cluster/replay/stage';
import { chosenWays, disagreementInWords, keyOf, replayAll } from '../test/cluster/replay/ways';

import { ROOT } from './docs/files';
import { builtBinary } from './go/binary';
import { REPLAYED_FILE, replayedFile } from './lifecycle/replayed-file';
import { CONTROL_PLANE, mustHaveGo } from './suites/programs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    number: { type: 'string', default: '500' },
    only: { type: 'string' },
    mutate: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

const say = (line: string) => process.stdout.write(`${line}\n`);
const begin = Date.now();
const seconds = () => `${Math.round((Date.now() - begin) / 1000)} s`;

function chosen(): Way[] {
  const all = chosenWays(Number(values.seed), Number(values.number));
  return values.only ? all.filter((way) => keyOf(way).includes(values.only as string)) : all;
}

async function run(): Promise<void> {
  if (!process.env.CONTROL_PLANE) {
    mustHaveGo('replay', [CONTROL_PLANE.folder]);
    process.env.CONTROL_PLANE = await builtBinary(CONTROL_PLANE);
  }
  const ways = chosen();
  say(`${ways.length} ways`);
  const scene = await Scene.open();
  try {
    let done = 0;
    const { disagreements, once, records } = await replayAll(scene, ways, (way, disagreement) => {
      done++;
      if (disagreement) {
        say(disagreementInWords(disagreement));
      } else if (values.verbose) {
        say(`ok ${way.name} ${way.steps.length}`);
      }
      if (done % 50 === 0) {
        say(`${done} of ${ways.length}, ${seconds()}`);
      }
    });
    const steps = ways.reduce((sum, way) => sum + way.steps.length, 0);
    const rows = new Set(ways.flatMap((way) => way.steps));
    say(
      `${ways.length} ways, ${steps} steps, ${rows.size} rows, ${disagreements.length} disagreements, ` +
        `${once.length} walked twice, ${seconds()}, seed ${values.seed}`,
    );
    for (const each of once) {
      say(`walked twice: ${disagreementInWords(each)}`);
    }
    for (const [pattern, why] of NOT_REPLAYED) {
      say(`not replayed: ${pattern.source}: ${why}`);
    }
    for (const why of NOT_ARRANGED) {
      say(`left out: ${why}`);
    }
    const noticed = values.mutate ? mutate(records) : undefined;
    if (values.write && noticed) {
      writeFileSync(
        join(ROOT, REPLAYED_FILE),
        replayedFile({ ...noticed, ways: records.length, steps, rows: [...rows].sort() }),
      );
    }
    process.exitCode = disagreements.length === 0 ? 0 : 1;
  } finally {
    await scene.close();
  }
}

/** Makes every row wrong that took part, and asks the records. */
function mutate(records: readonly RunRecord[]): { mutants: number; unseen: number; unnoticed: string[] } {
  const unnoticed: string[] = [];
  let mutants = 0;
  let unseen = 0;
  const found = rowsIn(records);
  for (const { row, records: those } of found.values()) {
    for (const mutant of mutantsOf(row)) {
      mutants++;
      if (!those.some((record) => contradicts(record, mutant))) {
        unseen++;
        if (mutant.what === DROPPED) {
          unnoticed.push(mutant.id);
        }
        say(`unnoticed: ${mutant.id} ${mutant.what}, on ${those.length} ways`);
      }
    }
  }
  say(`${found.size} rows, ${mutants} mutants, ${unseen} unnoticed, ${seconds()}`);
  return { mutants, unseen, unnoticed };
}

void run();
