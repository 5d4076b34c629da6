import { count } from '../real/program';
import { contradicts, mutantsOf, type RunRecord, replay, rowsIn } from './replay/replay';
import { wayThatNotices, without } from './replay/rows';
import { Scene } from './replay/stage';
import { chosenWays, coverOf, disagreementInWords, keptWays, replayAll } from './replay/ways';

// Traces of the model of src/lifecycle on a real API server, with the real service controller, garbage collector and namespace
// controller, and programs that play other owners: after every step what the model says is there must be there, and nobody may
// want what the model does not have them do. At the end all are let go, and come to rest where the model says.
// `npm run replay` walks many more.

/** What the ways here are chosen among, and how many there are at least. */
const POOL = 500;
const WAYS = 60;
const SEED = 1;
const KEPT_WAYS = 50;
/** As many rows are steps of them at least. */
const MOST_ROWS = 80;

const pool = chosenWays(SEED, POOL);
const cover = coverOf(pool);
const ways = [...cover, ...pool.filter((way) => !cover.includes(way))].slice(0, Math.max(WAYS, cover.length));

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open();
});

afterAll(() => scene?.close());

let records: readonly RunRecord[] = [];

test('every row that can be walked is walked, and what runs goes the ways of the model', async () => {
  const replayed = await replayAll(scene, ways);
  expect(replayed.disagreements.map(disagreementInWords)).toEqual([]);
  records = replayed.records;
  count('traces of the model replayed', ways.length);
  count(
    'steps of traces replayed',
    ways.reduce((sum, { steps }) => sum + steps.length, 0),
  );
});

test('under a keeper what runs goes the ways of the model with it, which a model without it contradicts', async () => {
  const kept = keptWays(SEED, KEPT_WAYS);
  const replayed = await replayAll(scene, kept);
  expect(replayed.disagreements.map(disagreementInWords)).toEqual([]);
  const rows = rowsIn(replayed.records);
  for (const id of ['keeper.puts-back-own', 'keeper.puts-back-other']) {
    const { row, records: those } = rows.get(id) as NonNullable<ReturnType<typeof rows.get>>;
    const [dropped] = mutantsOf(row);
    expect(those.some((record) => contradicts(record, dropped))).toBe(true);
  }
  count('traces of the model with a keeper replayed', kept.length);
});

test('a row that was walked and is dropped from the model is contradicted by what was seen', () => {
  const rows = [...rowsIn(records).values()].filter(({ row }) => row.kind === 'must' || row.kind === 'may');
  expect(rows.length).toBeGreaterThan(MOST_ROWS);
  const unnoticed = rows.filter(({ row, records: those }) => {
    const [dropped] = mutantsOf(row);
    return !those.some((record) => contradicts(record, dropped));
  });
  expect(unnoticed.map(({ row }) => row.id)).toEqual([]);
});

test.each(['service-controller.marks', 'put.writes', 'beside-service-controller.removes'])(
  'a model without %s is contradicted while it is walked',
  async (id) => {
    const way = wayThatNotices(id, pool);
    expect(way).toBeDefined();
    expect(way && (await replay(scene, way, 0, without(id)))).toMatchObject({
      what: expect.stringContaining('the model'),
    });
  },
);
