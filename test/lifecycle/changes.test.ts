import { CHANGES, type ChangeCase, changeCasesOf } from '../../src/lifecycle/change-cases';
import type { ChangeOutcome } from '../../src/lifecycle/change-outcomes';
import { startsOf } from '../../src/lifecycle/change-rows';
import { wayOf } from '../../src/lifecycle/change-ways';
import { ChangeSearch } from '../../src/lifecycle/changes';
import {
  type ChangeQuestion,
  cellsOf,
  changeVerdictFor,
  type KnownChange,
  knownChanges,
  knownChangeTraces,
} from '../../src/lifecycle/known-changes';
import { OWNERS } from '../../src/lifecycle/owners.facts';

// The generated table of changes; one case in twenty is asked of the checker again, and `npm run lifecycle -- --check` asks all.

const ONE_IN = 20;
const cases = changeCasesOf(OWNERS);
const keyOf = (one: Pick<ChangeCase, 'beside' | 'change' | 'before' | 'after' | 'writer'>, owner: string) =>
  [owner, one.beside, one.change, one.before, one.after, one.writer].join(' | ');
const known = new Map(knownChanges().map((one) => [keyOf(one, `${one.owner} ${one.versions}`), one]));
const of = (one: ChangeCase) => known.get(keyOf(one, `${one.owner.name} ${one.owner.versions}`));

test('every case has its line, but where no balancer comes to be served', () => {
  expect(knownChanges()).toHaveLength(known.size);
  const without = cases.filter((one) => of(one) === undefined);
  expect(known.size).toBe(cases.length - without.length);
  expect(without.filter((one) => startsOf(one, []).length > 0)).toEqual([]);
  expect(new Set(knownChanges().map(({ change }) => change)).size).toBe(CHANGES.length);
});

test('the checker finds what the table says', () => {
  const search = new ChangeSearch();
  for (const one of cases.filter((_, index) => index % ONE_IN === 0)) {
    const found = of(one);
    const numbers = found ? [found.trace, ...found.unless.map(({ trace }) => trace)].map((trace) => trace?.number) : [];
    const result = search.resultOf(one);
    const lines: string[] = [];
    const cells = result && cellsOf(result, (line) => lines.push(line));
    expect(cells?.split(' | ').slice(0, 3)).toEqual(found && [found.outcome, found.when, found.anyway ?? '-']);
    expect(result?.unless.map(({ fault, outcome }) => ({ fault, outcome }))).toEqual(
      found?.unless.map(({ fault, outcome }) => ({ fault, outcome })),
    );
    const named = numbers.flatMap((number) => (number ? [knownChangeTraces()[number - 1]] : []));
    const expected = named.map(({ name, start, faults, steps }) =>
      [name, start, faults.join('+') || '-', steps.join(' ')].join(' | '),
    );
    expect(lines.sort()).toEqual(expected.sort());
  }
});

const ENDS: { readonly [O in ChangeOutcome]?: (end: ReturnType<typeof wayOf>['states'][number]) => boolean } = {
  orphaned: ({ object, balancer, leftover, asks }) =>
    leftover !== 'none' || (balancer === 'made' && (object === 'absent' || asks !== 'owner')),
  stuck: ({ object }) => object === 'dying',
  lost: ({ object, balancer }) => object === 'live' && balancer === 'none',
  replaced: ({ balancer, promised }) => balancer === 'none' && promised === 'yes',
  interrupted: ({ balancer, address }) => balancer === 'made' && address === 'no',
  'handed over': ({ balancer, asks }) => balancer === 'none' && asks === 'another',
  deleted: ({ object, balancer, asks }) => balancer === 'none' && (object === 'absent' || asks === 'nothing'),
};

test('every trace can be walked by each of its writers, and ends in what it is named after', () => {
  const walked = new Set<string>();
  for (const found of knownChanges()) {
    for (const { outcome, trace } of [found, ...found.unless]) {
      const key = `${trace?.number} ${found.writer} ${found.owner}`;
      if (trace && !walked.has(key)) {
        walked.add(key);
        const { states } = wayOf(found, trace);
        const end = states[states.length - 1];
        expect(states).toHaveLength(trace.steps.length + 1);
        expect(trace.name.startsWith(`${outcome}-`.replaceAll(' ', '-'))).toBe(true);
        expect([trace.name, ENDS[outcome]?.(end) ?? true]).toEqual([trace.name, true]);
      }
    }
  }
  expect(new Set([...walked].map((key) => key.split(' ')[0])).size).toBe(knownChangeTraces().length);
});

describe('what a change does', () => {
  const AWS = { owner: 'aws-load-balancer-controller', versions: 'by class', beside: 'alone' } as const;
  const CLOUD = { owner: 'cloud-provider-azure' } as const;
  const said = (found: KnownChange | undefined) => found && `${found.outcome} ${found.when}`;

  test.each<[ChangeQuestion, string | undefined]>([
    [{ ...AWS, writer: 'client-apply', change: 'nothing', before: 'declared' }, 'kept now'],
    [{ ...AWS, writer: 'server-apply', change: 'finalizer dropped', before: 'declared' }, 'orphaned when deleted'],
    // kubectl's own annotation is an edit that the owner looks at
    [{ ...AWS, writer: 'client-apply', change: 'finalizer dropped', before: 'declared' }, 'kept now'],
    [{ ...AWS, writer: 'create', change: 'finalizer dropped', before: 'declared' }, 'kept now'],
    [{ ...AWS, writer: 'recreate', change: 'finalizer dropped', before: 'declared' }, 'replaced now'],
    [{ ...AWS, writer: 'client-apply', change: 'finalizer added', before: 'left' }, 'kept now'],
    [{ ...AWS, writer: 'client-apply', change: 'finalizer added', before: 'declared' }, 'kept now'],
    [{ ...AWS, writer: 'client-apply', change: 'finalizer wrong', before: 'declared' }, 'stuck when deleted'],
    [{ ...AWS, writer: 'client-apply', change: 'type away', before: 'declared' }, 'deleted now'],
    // the type and the finalizer go in one write: the controller finds nothing that would tell it to clean up
    [{ ...AWS, writer: 'client-apply', change: 'type away', before: 'declared', after: 'left' }, 'orphaned now'],
    [{ ...CLOUD, writer: 'client-apply', change: 'type away', before: 'declared', after: 'left' }, 'deleted now'],
    [{ ...AWS, writer: 'client-apply', change: 'class changed', before: 'declared', after: 'left' }, 'refused now'],
    [{ ...AWS, writer: 'recreate', change: 'class changed', before: 'declared' }, 'handed over now'],
    [{ ...AWS, writer: 'client-apply', change: 'deleted', before: 'declared' }, 'deleted now'],
    [{ ...AWS, writer: 'put', change: 'deleted', before: 'left' }, 'orphaned now'],
    [{ ...AWS, writer: ['client-apply', 'put'], change: 'deleted', before: 'left' }, 'orphaned now'],
    [{ ...AWS, writer: 'put', change: 'namespace deleted', before: 'left' }, 'orphaned now'],
    [{ ...AWS, writer: 'put', change: 'deleted in foreground', before: 'declared' }, 'deleted now'],
    [{ ...AWS, writer: 'client-apply', change: 'deleted and created again', before: 'declared' }, 'replaced now'],
    [{ ...AWS, writer: 'client-apply', change: 'owner uninstalled', before: 'declared' }, 'stuck when deleted'],
    [{ ...AWS, writer: 'client-apply', change: 'status refused', before: 'declared' }, 'unfinished now'],
    [{ owner: 'metallb', writer: 'client-apply', change: 'owner uninstalled', before: 'left' }, 'lost now'],
    [{ owner: 'metallb', writer: 'client-apply', change: 'deleted', before: 'declared' }, undefined],
    [
      { ...AWS, versions: 'by annotation', writer: 'client-apply', change: 'annotation away', before: 'declared' },
      'handed over now',
    ],
    [{ ...AWS, versions: 'by annotation', writer: 'put', change: 'annotation away', before: 'left' }, 'orphaned now'],
    [{ ...AWS, writer: 'put', change: 'annotation away', before: 'left' }, undefined],
    // two controllers of one cluster name delete each other's balancers: the worst of all that may be beside it counts
    [
      {
        owner: AWS.owner,
        versions: AWS.versions,
        writer: 'client-apply',
        change: 'deleted and created again',
        before: 'declared',
      },
      'lost now',
    ],
    [{ ...CLOUD, writer: 'client-apply', change: 'service controller upgraded', before: 'left' }, 'kept now'],
  ])('%j: %s', (question, expected) => {
    expect(said(changeVerdictFor(question))).toBe(expected);
  });

  test('what a deletion does anyway is no fault of the change', () => {
    const found = changeVerdictFor({ ...AWS, writer: 'put', change: 'nothing', before: 'left' });
    expect(found).toMatchObject({ outcome: 'kept', when: 'now', anyway: 'orphaned' });
  });

  test('by annotation there is no class to leave out', () => {
    const question = { ...AWS, versions: 'by annotation', change: 'type away', before: 'declared' } as const;
    expect(changeVerdictFor({ ...question, writer: 'put-class-null' })).toEqual(
      changeVerdictFor({ ...question, writer: 'put' }),
    );
  });
});
