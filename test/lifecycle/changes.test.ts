import { walk } from '../../scripts/lifecycle/walk';
import { CHANGES, changeCasesOf, machineOfChange, startsOf } from '../../src/lifecycle/change-cases';
import {
  CHANGE_ANSWERS,
  type ChangeAnswer,
  type ChangeQuestion,
  changeAnswer,
  worstChangeAnswer,
} from '../../src/lifecycle/changes';
import type { ChangeOutcome } from '../../src/lifecycle/outcomes';
import { OWNERS } from '../../src/lifecycle/owners';
import type { State } from '../../src/lifecycle/state';

// `npm run lifecycle` searches all changes; one in ten of them is searched here.

const ONE_IN = 10;
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
  expect(traced.length).toBeGreaterThan(100);
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
  const CLOUD = { owner: 'cloud-provider-azure' } as const;
  const said = (found: ChangeAnswer | undefined) => found && `${found.outcome} ${found.when}`;

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
    expect(said(worstChangeAnswer(question))).toBe(expected);
  });

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
