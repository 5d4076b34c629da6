import '../../src';
import { REPLAYED } from '../../scripts/lifecycle/replayed.facts';
import { RUN_BY_HAND } from '../../scripts/lifecycle/run-by-hand';
import { walk } from '../../scripts/lifecycle/walk';
import { Confidence } from '../../src/contract/kubernetes.facts';
import { VENDOR_WRITINGS } from '../../src/controllers/vendors/writings.facts';
import { CHANGES, changeCasesOf, machineOfChange, startsOf } from '../../src/lifecycle/change-cases';
import {
  CHANGE_ANSWERS,
  type ChangeAnswer,
  type ChangeQuestion,
  changeAnswer,
  type KnownService,
  modelCaseOf,
  worstChangeAnswer,
} from '../../src/lifecycle/changes';
import type { ChangeOutcome } from '../../src/lifecycle/outcomes';
import { OWNERS, secondControllerTable } from '../../src/lifecycle/owners';
import { BESIDES } from '../../src/lifecycle/owners.facts';
import { casesOf } from '../../src/lifecycle/safety';
import {
  ENDINGS,
  FAULTS,
  firstState,
  machineOf,
  type Policy,
  rowsOf,
  type Scenario,
  WRITERS,
  type Writer,
  writerTable,
} from '../../src/lifecycle/scenario';
import { bytesOf, type Field, keyOf, NAMES, type State } from '../../src/lifecycle/state';
import { FIELDS } from '../../src/lifecycle/state.facts';
import { traceAsMermaid, wayInWords } from '../../src/lifecycle/trace-text';
import type { ControllerDefinition } from '../../src/rules/controller-definition';
import { allKinds, knownKinds } from '../../src/rules/known-kinds';
import { whyNot } from '../cluster/replay/parts';
import { casesIn, table } from '../support/yaml-cases';
import { AWS_BY_ANNOTATION, AWS_BY_CLASS, EXPERIMENTS } from './experiments';
import { check, live } from './life';

// `npm run lifecycle` searches all changes; one in 43 of them is searched here.

const ONE_IN = 43;
const cases = changeCasesOf(OWNERS).filter((_, index) => index % ONE_IN === 0);

test('a change has a result, unless no balancer comes to be served', () => {
  const without = cases.filter((one) => changeAnswer(one) === undefined);
  expect(without.filter((one) => startsOf(one).length > 0)).toEqual([]);
  expect(without.length).toBeLessThan(cases.length / 2);
  expect(new Set(cases.map(({ change }) => change)).size).toBe(CHANGES.length);
});

test('a case is searched once', () => {
  const [one] = cases.filter((each) => changeAnswer(each));
  const before = CHANGE_ANSWERS.size;
  expect(changeAnswer({ ...one })).toBe(changeAnswer(one));
  expect(CHANGE_ANSWERS.size).toBe(before);
});

const ENDS: { readonly [O in ChangeOutcome]?: (end: State) => boolean } = {
  orphaned: ({ object, balancer, leftover, asks }) =>
    leftover !== 'none' || (balancer === 'made' && (object === 'absent' || asks !== 'owner')),
  stuck: ({ object }) => object === 'dying',
  lost: ({ object, balancer }) => object === 'live' && balancer === 'none',
  replaced: ({ balancer, promised }) => balancer === 'none' && promised === 'yes',
  interrupted: ({ balancer, address }) => balancer === 'made' && address === 'no',
  'handed over': ({ balancer, asks }) => balancer === 'none' && asks === 'another',
  deleted: ({ object, balancer, asks }) => balancer === 'none' && (object === 'absent' || asks === 'nothing'),
};

test('the trace of a change can be walked, and ends in what it is named after', () => {
  const traced = cases.flatMap((one) => {
    const { outcome, trace } = changeAnswer(one) ?? {};
    return outcome && trace ? [{ one, outcome, ...trace }] : [];
  });
  expect(traced.length).toBeGreaterThan(cases.length / 20);
  for (const { one, outcome, name, start, way } of traced) {
    const ids = way.steps.map(({ id }) => id);
    const states = walk(machineOfChange(one, true), startsOf(one)[start], ids);
    expect(states).toEqual(way.states);
    expect(name.startsWith(`${outcome}-`.replaceAll(' ', '-'))).toBe(true);
    expect([name, ENDS[outcome]?.(states[states.length - 1]) ?? true]).toEqual([name, true]);
  }
});

describe('what a change does', () => {
  const AWS = { owner: 'aws-load-balancer-controller', versions: 'by class', beside: 'alone' } as const;
  const said = (found: ChangeAnswer | undefined) => found && `${found.outcome} ${found.when}`;

  test.each<[ChangeQuestion, string | undefined]>(casesIn(__dirname, 'model.yaml')['what a change does'])(
    '%j: %s',
    (question, expected) => expect(said(worstChangeAnswer(question))).toBe(expected),
  );

  test('what a deletion does anyway is no fault of the change', () => {
    const found = worstChangeAnswer({ ...AWS, writer: 'put', change: 'nothing', before: 'left' });
    expect(found).toMatchObject({ outcome: 'kept', when: 'now', anyway: 'orphaned' });
  });

  test('by annotation there is no class to leave out', () => {
    const question = { ...AWS, versions: 'by annotation', change: 'type away', before: 'declared' } as const;
    expect(worstChangeAnswer({ ...question, writer: 'put-class-null' })).toEqual(
      worstChangeAnswer({ ...question, writer: 'put' }),
    );
  });
});

const RACE: Scenario = { owner: AWS_BY_CLASS, policy: 'left', writer: 'create' };
const NAMED = { own: 'F', other: 'K' };

test('every value of every field has a key of its own', () => {
  const keys = new Set<number>();
  for (const field of NAMES) {
    for (const value of FIELDS[field as Field]) {
      const state = bytesOf({
        ...Object.fromEntries(NAMES.map((name) => [name, FIELDS[name].at(-1)])),
        [field]: value,
      });
      expect(Number.isSafeInteger(keyOf(state))).toBe(true);
      keys.add(keyOf(state));
    }
  }
  expect(keys.size).toBe(NAMES.reduce((sum, name) => sum + FIELDS[name].length - 1, 1));
});

test('two explorations find the same, in the same order', () => {
  const scenario: Scenario = { ...RACE, edited: true, faults: ['crash', 'lag'] };
  const [one, other] = [check(scenario), check(scenario)];
  expect(other).toEqual(one);
});

test('a row that cannot be taken is refused by name', () => {
  expect(() => walk(machineOf(RACE), firstState(RACE), ['delete.removes'])).toThrow(
    /^delete\.removes cannot be taken in/,
  );
});

test('the shortest trace in words', () => {
  const trace = check(RACE).broken.get('orphan');
  expect(trace && wayInWords(trace, NAMED)).toEqual(casesIn(__dirname, 'model.yaml')['the shortest trace in words']);
});

test('the same with the names of what is in it', () => {
  const trace = check(RACE).broken.get('orphan');
  const names = { own: 'example.com/f', other: 'K', service: 'shop/echo', owner: 'my-controller', writer: 'kubectl' };
  expect(trace && wayInWords(trace, names).slice(0, 5)).toEqual([
    '1. kubectl creates Service shop/echo with what it declares: Service live with no finalizer, no balancer',
    '2. my-controller reads Service shop/echo that it owns, without finalizer example.com/f',
    '3. the user deletes Service shop/echo',
    '4. the API server reads Service shop/echo without finalizers and decides to remove it at once',
    '5. my-controller adds finalizer example.com/f: Service live with example.com/f, no balancer',
  ]);
  expect(trace && traceAsMermaid(trace, names, 'orphan').split('\n')).toContain('  participant Owner as my-controller');
});

test('the shortest trace as a sequence diagram', () => {
  const trace = check(RACE).broken.get('orphan');
  const lines = trace ? traceAsMermaid(trace, NAMED, trace.property).split('\n') : [];
  expect(lines[0]).toBe('sequenceDiagram');
  expect(lines).toContain('  participant Writer as writer');
  expect(lines).toContain('  Owner->>Cloud: makes the balancer, or finds it made');
  expect(lines.at(-1)).toMatch(/^ {2}Note over \w+,\w+: orphan$/);
  expect(
    lines
      .slice(1)
      .filter((line) => !/^ {2}(participant \w+ as [\w ]+|Note over [\w,]+: [^;#%]+|\w+->>\w+: [^;#%]+)$/.test(line)),
  ).toEqual([]);
});

const OWN = 'service.k8s.aws/resources';
const AWS: KnownService = {
  ...{ owner: 'aws-load-balancer-controller', hasClass: true, finalizers: [OWN], own: [OWN] },
  writer: 'files',
};

function said(known: KnownService): string | undefined {
  const found = modelCaseOf(known);
  return found && [found.owner.versions, found.besides.join('+'), found.policy, found.writers.join('+')].join(' | ');
}

test.each<[title: string, known: KnownService, expected: string | undefined]>([
  ...table<[string, KnownService, string | undefined]>('lifecycle/model.yaml', 'assumptions', { AWS }),
  ['an owner that the model does not have', { ...AWS, owner: 'my-controller' }, undefined],
])('%s', (_, known, expected) => expect(said(known)).toBe(expected));

const kindOf = (name: string): ControllerDefinition | undefined => allKinds().find((kind) => kind.name === name);
const owners = OWNERS.filter(({ name }) => name !== 'service-controller');

test('the model has every controller that the library writes for', () => {
  const written = [...knownKinds().map(({ name }) => name), ...Object.keys(VENDOR_WRITINGS)];
  expect([...new Set(owners.map(({ name }) => name))].sort()).toEqual(written.sort());
});

test.each(owners.map((owner) => [`${owner.name} ${owner.versions}`, owner] as const))(
  '%s has the finalizer of its kind',
  (_, owner) => {
    const kind = kindOf(owner.name);
    const known = [...(kind?.finalizers ?? []), ...(kind?.untouchableFinalizers ?? [])];
    expect(owner.finalizer === undefined ? known : known.includes(owner.finalizer)).toEqual(
      owner.finalizer === undefined ? [] : true,
    );
    expect(owner.declares === 'on request').toBe(kind?.finalizerOption !== undefined);
  },
);

test('no two rows of one table have one id, and every row has its source', () => {
  for (const table of [...OWNERS.map(({ table }) => table), ...WRITERS.map((writer) => writerTable(writer))]) {
    expect(new Set(table.map(({ id }) => id)).size).toBe(table.length);
    expect(table.filter(({ source }) => !source.repository || !source.version || !source.file)).toEqual([]);
  }
});

describe('experiments', () => {
  // What was seen when the real programs ran, asked of the model: finalizers and balancers at each point of rest, or all that
  // can go wrong.

  describe.each(Object.entries(EXPERIMENTS))('%s', (_, experiments) => {
    test.each(experiments.map((experiment) => [experiment.title, experiment] as const))('%s', (_title, experiment) => {
      expect(experiment.run()).toBe(experiment.expected);
    });
  });

  // The rows of the first story, which was seen with the real programs: Strimzi 0.49.1 and 1.2.0, the AWS Load Balancer
  // Controller 3.5.0 and the service controller on one API server. F is the finalizer of the AWS controller, K of the other.

  const aws = (by: 'class' | 'annotation', policy: Policy, writer: Writer): Scenario => ({
    owner: by === 'class' ? AWS_BY_CLASS : AWS_BY_ANNOTATION,
    beside: 'service controller',
    policy,
    writer,
  });

  describe('Strimzi 0.49.1, which writes whole objects', () => {
    test.each<[string, 'class' | 'annotation', Policy, string, string, number]>(
      casesIn(__dirname, 'model.yaml')['Strimzi 0 49 1 which writes whole objects'],
    )('%s', (_, by, policy, created, reconciled, left) => {
      expect(live(aws(by, policy, 'put'))).toEqual({
        created: [`${created}, 1`],
        reconciled: [`${reconciled}, 1`],
        deleted: [`gone, ${left}`],
      });
    });
  });

  describe('Strimzi 1.2.0, which applies on the server', () => {
    test.each<['class' | 'annotation', Policy, string]>(
      casesIn(__dirname, 'model.yaml')['by finalizer nothing is stripped and nothing left'],
    )('by %s, finalizer %s: nothing is stripped and nothing left', (by, policy, finalizers) => {
      expect(live(aws(by, policy, 'server-apply'))).toEqual({
        created: [`${finalizers}, 1`],
        reconciled: [`${finalizers}, 1`],
        deleted: ['gone, 0'],
      });
    });
  });

  const FAULTS_BUT_REFUSALS = FAULTS.filter((fault) => fault !== 'status refused');
  const steps = new Set(
    casesOf(OWNERS).flatMap((one) =>
      ENDINGS.flatMap((ending) => rowsOf({ ...one, ending, edited: true, faults: FAULTS_BUT_REFUSALS }))
        .filter(({ kind }) => kind === 'must' || kind === 'may')
        .map(({ id }) => id),
    ),
  );

  test.each(REPLAYED.rows)('%s is a step of the model that can be replayed', (id) => {
    expect(steps).toContain(id);
    expect(whyNot(id)).toBeUndefined();
  });

  test('what was seen contradicts nearly every row that is made wrong', () => {
    expect(REPLAYED.rows.length).toBeGreaterThan(steps.size / 3);
    expect(REPLAYED.unseen).toBeLessThan(REPLAYED.mutants / 4);
    expect(REPLAYED.rows.filter((id) => REPLAYED.unnoticed.includes(id))).toEqual([]);
  });

  const rows = new Map(
    [...OWNERS.flatMap(({ table }) => table), ...BESIDES.flatMap((beside) => secondControllerTable(beside, true))].map(
      (row) => [row.id, row],
    ),
  );

  test.each(RUN_BY_HAND.rows)('%s is a row that is known as seen, of the version that was run', (id) => {
    expect(rows.get(id)).toMatchObject({
      confidence: Confidence.SEEN,
      source: { repository: RUN_BY_HAND.program.repository, version: RUN_BY_HAND.program.version },
    });
  });
});
