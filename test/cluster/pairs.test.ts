import { type Compared, comparedOf, isFalseAlarm, isFalseKept, isMissedRefusal } from '../diff/pairs/compare';
import { type Pair, pairOf } from '../diff/pairs/pair';
import { PAIR_PLATFORMS } from '../diff/pairs/platforms';
import { ControlPlane } from '../real/control-plane';
import { addNode } from '../real/objects';
import { count } from '../real/program';
import { dumpOf, type PairSeen, seenOnServer } from './harness/pairs';
import { AWS_LOAD_BALANCER_CONTROLLER, EKS_AUTO_MODE, LEFT_TO_OTHERS } from './models/owners';

// What `diff` says of generated pairs of manifests, held against the real API server with the real service controller, and models
// of the owners that have a class. PAIRS says how many; each is alike for its number.

const SEED = Number(process.env.PAIRS_SEED ?? 29);
const PAIRS = Number(process.env.PAIRS ?? 60);
const AT_A_TIME = 10;
/** What the cloud itself would do is not seen: it is a ledger. */
const OF_THE_CLOUD = 'an annotation of the owner';

const platforms = PAIR_PLATFORMS.filter(({ runs }) => runs !== undefined);

function* pairs(): Generator<Pair> {
  for (let number = 0, found = 0; found < PAIRS; number++) {
    const pair = pairOf(number, SEED, platforms);
    if (!pair.changes.includes(OF_THE_CLOUD)) {
      found++;
      yield pair;
    }
  }
}

let plane: ControlPlane;
const seen: PairSeen[] = [];
/** Pairs of which it was not seen what becomes of them. */
const broken: string[] = [];

beforeAll(async () => {
  plane = await ControlPlane.start();
  await addNode(plane.api, 'node-a');
  await plane.startCloud(LEFT_TO_OTHERS);
  await plane.startOwners([AWS_LOAD_BALANCER_CONTROLLER, EKS_AUTO_MODE]);
  const waiting = pairs();
  const worker = async () => {
    for (const pair of waiting) {
      await seenOnServer(plane, pair).then(
        (one) => seen.push(one),
        (error) => broken.push(`pair ${pair.number}: ${error.message}`),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
});

afterAll(() => plane?.stop());

/** What is compared with the newer manifests. */
const OLDER: Readonly<Record<string, (one: PairSeen) => Compared[]>> = {
  'the older manifests': ({ pair, fates }) => comparedOf(pair, fates),
  'a dump of the cluster': ({ pair, fates, live }) => comparedOf(pair, fates, dumpOf(live)),
  'a dump that shows who wrote what': ({ pair, fates, live }) => comparedOf(pair, fates, live),
};

/** Figures of the run. */
function report(older: string, compared: readonly Compared[]): void {
  const figures: Readonly<Record<string, (one: Compared) => boolean>> = {
    balancers: () => true,
    'were kept': ({ fate }) => fate === 'kept',
    'were said to be kept and were not': isFalseKept,
    'were said to be lost and were kept': isFalseAlarm,
    'were refused': ({ fate }) => fate === 'refused',
    'were said to be refused, or were refused, and not both': isMissedRefusal,
    'were not known': ({ foretold }) => foretold === 'unknown',
  };
  for (const [what, isOne] of Object.entries(figures)) {
    count(`with ${older}: ${what}`, compared.filter(isOne).length);
  }
}

describe.each(Object.entries(OLDER))('%s', (older, comparedWith) => {
  let known: Compared[] | undefined;
  const compared = () => {
    known ??= seen.flatMap(comparedWith);
    return known;
  };

  test('nothing was lost that was said to be kept', () => {
    report(older, compared());
    expect(compared().filter(isFalseKept)).toEqual([]);
  });

  test('a loss that was foretold came, in 98 of 100', () => {
    const alarms = compared().filter(isFalseAlarm);
    expect(alarms.length <= compared().length * 0.02 ? [] : alarms).toEqual([]);
  });

  test('what was said to be refused is refused, and nothing else', () => {
    expect(compared().filter(isMissedRefusal)).toEqual([]);
  });
});

test.each(Object.keys(OLDER).slice(1))('%s says what manifests say, or that it does not show who wrote it', (older) => {
  const other = seen.flatMap((one) => {
    const said = new Map(comparedOf(one.pair, one.fates).map(({ id, foretold }) => [id, foretold]));
    return OLDER[older](one).flatMap((live) =>
      live.foretold === said.get(live.id) || live.needs.some((need) => need.startsWith('who wrote'))
        ? []
        : [{ ...live, ofManifests: said.get(live.id), number: one.pair.number }],
    );
  });
  expect(other).toEqual([]);
});

test('every pair was applied', () => {
  expect(broken).toEqual([]);
  expect(seen).toHaveLength(PAIRS);
});

test('the model says the same', () => {
  count('pairs of manifests applied', seen.length);
  const other = seen.flatMap(({ pair, fates }) =>
    [...fates].flatMap(([id, fate]) =>
      pair.fates.get(id) === fate
        ? []
        : [
            {
              id,
              fate,
              byModel: pair.fates.get(id),
              changes: pair.changes,
              writer: pair.writer,
              owner: pair.platform.owner,
            },
          ],
    ),
  );
  expect(other).toEqual([]);
});
