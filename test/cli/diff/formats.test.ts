import { type DiffReport, diffJson, type ReportedCause, type ReportedChange } from '../../../src/cli/diff/diff-report';
import { diffGithub, diffMarkdown, diffText, MARK } from '../../../src/cli/diff/formats';
import { resultOfDiff, stepsOf } from '../../../src/cli/diff/make-diff';
import { exitCode } from '../../../src/cli/formats/words';
import type { Outcome } from '../../../src/contract/edit';
import { casesIn } from '../../support/yaml-cases';

const place = (file: string, line: number) => ({ file, line, column: 5, shown: `${file}:${line}` });

const SCHEME: ReportedCause = casesIn(__dirname, 'formats.yaml').scheme;

function change(title: string, outcome: Outcome, causes: readonly ReportedCause[] = []): ReportedChange {
  const balancer = { id: title, place: place('k8s/edge.yaml', 1) };
  return { outcome, title, before: balancer, after: balancer, causes };
}

function report(changes: readonly ReportedChange[], more: Partial<DiffReport> = {}): DiffReport {
  const side = { isLive: false, objects: 3, balancers: changes.length };
  return {
    before: { ...side, name: 'main' },
    after: { ...side, name: 'k8s' },
    context: [],
    changes,
    steps: stepsOf(changes),
    unreadable: [],
    notes: [],
    idleForAll: [],
    ...more,
  };
}

const KEPT = ['a', 'b'].map((name) => change(`shop/${name}`, 'kept'));
const LOST = report([change('edge/echo', 'replaced', [SCHEME]), ...KEPT], {
  money: {
    brief: '-$136.87 a month',
    text: 'USD 164.25 -> USD 27.38: - 5 × 27.38',
    isKnown: true,
    unknown: ['1 balancer of main not counted'],
  },
});

test('titles with commas are told from each other', () => {
  const cause: ReportedCause = { outcome: 'kept', field: 'f', why: 'w' };
  const titles = ["kafka/events, listener 'a', broker 0", "kafka/events, listener 'a', broker 1"];
  const out = diffText(report(titles.map((title) => change(title, 'kept', [cause]))));
  expect(out).toContain(`(with changes: ${titles[0]}; kafka/events,`);
});

test('a line says why a balancer is unknown or half made, and which edit is not applied to one that is kept', () => {
  const plain: ReportedCause = { outcome: 'kept', field: 'ports', why: 'added in place' };
  const ignored: ReportedCause = { outcome: 'kept', field: 'name', why: 'read at creation only', notApplied: true };
  const open: ReportedCause = { outcome: 'unknown', field: 'spec', why: 'its pools are not there' };
  const fresh: ReportedCause = { outcome: 'created', field: 'type', why: 'a balancer is made' };
  const odd: ReportedCause = { ...fresh, field: 'port', why: 'it gets no listener', remedy: 'use two numbers' };
  const changes = [
    change('a/b', 'kept', [plain, ignored]),
    change('a/c', 'unknown', [open]),
    change('a/d', 'created', [fresh, odd]),
    change('a/e', 'created', [fresh]),
  ];
  const out = diffText(report(changes), { isBrief: true });
  expect(out).toMatch(/^KEPT {9}a\/b: name: read at creation only$/m);
  expect(out).toMatch(/^UNKNOWN {6}a\/c: spec: its pools are not there$/m);
  expect(out).toMatch(/^CREATED {6}a\/d: port: it gets no listener$/m);
  expect(out).toMatch(/^CREATED {6}a\/e: type$/m);
});

test.each([diffText, diffGithub])('what is unknown is counted where the rest is: case %#', (write) => {
  const cause: ReportedCause = { outcome: 'unknown', field: 'f', why: 'w', needs: ['n'] };
  const accepted: ReportedCause = { ...cause, accepted: { reason: 'r' } };
  const [one, two] = [change('edge/echo', 'unknown', [cause]), change('edge/web', 'replaced', [SCHEME, cause])];
  const says = (n: string) => `what becomes of ${n} is not known, and only --strict fails on that`;
  const summary = (...changes: readonly ReportedChange[]) => write(report([...changes, ...KEPT])).replaceAll('\\', '');
  expect(summary(one)).toContain(`1 unknown, 2 kept; ${says('1 balancer')}`);
  expect(summary(one, one)).toContain(`2 unknown, 2 kept; ${says('2 balancers')}`);
  expect(summary(one, two)).toContain(`1 replaced, 1 unknown, 2 kept; ${says('1 balancer')}`);
  expect(summary(change('edge/echo', 'unknown', [accepted]))).not.toContain('--strict');
  const unreadable: DiffReport['unreadable'] = [
    { side: 'after', place: { file: 'a', line: 1, column: 1 }, what: 'x', remedy: 'y' },
  ];
  expect(write(report([one], { unreadable }))).not.toContain('--strict');
});

test.each([diffText, diffMarkdown])('what must be known is not said twice: case %#', (write) => {
  const cause: ReportedCause = { outcome: 'unknown', field: 'f', why: 'depends on it: what it does', needs: [] };
  const of = (...needs: string[]) => write(report([change('edge/echo', 'unknown', [{ ...cause, needs }])]));
  expect(of('what it does')).not.toContain('needs');
  expect(of('what it does', 'who it is')).toMatch(/needs:? +who it is\n/);
});

const WICKED = '`x` | <img src=x> @team ](http://evil) **b** ::error::x\n# head &amp; ##[group]';

test('text has the worst first, with its place, why and remedy, and what stays in one line', () => {
  expect(diffText(LOST)).toBe(casesIn(__dirname, 'formats.yaml').lost.join('\n'));
});

describe('what has to be done first', () => {
  const upgrade: ReportedCause = {
    ...{ outcome: 'kept', field: 'strimzi', from: '0.49.1', to: '1.2.0', why: 'it stays', first: 'convert @all first' },
  };
  const all = report([
    change('edge/a', 'kept', [upgrade]),
    change('edge/b', 'kept', [upgrade, { ...upgrade, first: 'remove the gate' }]),
    change('edge/c', 'refused', [{ ...upgrade, outcome: 'refused' }]),
  ]);

  test('is the last section of the text, each step once, although the balancers are kept', () => {
    expect(diffText(all)).toContain(
      [
        'Before it:',
        '  strimzi 0.49.1 -> 1.2.0 (edge/a and 2 more):',
        '    - convert @all first',
        '  strimzi 0.49.1 -> 1.2.0 (edge/b):',
        '    - remove the gate',
        '',
        '1 refused, 2 kept',
        '',
      ].join('\n'),
    );
  });

  test('is a list of tasks in Markdown, and has its balancers in JSON', () => {
    expect(diffMarkdown(all)).toContain(
      '**Before it is applied:**\n\n- [ ] convert &#64;all first (strimzi 0.49.1 -&#62; 1.2.0: edge/a and 2 more)\n- [ ] remove the gate (',
    );
    const { steps, changes } = JSON.parse(diffJson(all));
    expect(steps[0]).toEqual({
      step: 'convert @all first',
      of: 'strimzi 0.49.1 -> 1.2.0',
      balancers: ['edge/a', 'edge/b', 'edge/c'],
    });
    expect(changes[0].causes[0].first).toBe('convert @all first');
  });

  test('is no section where there is nothing', () => {
    for (const printed of [diffText(LOST), diffMarkdown(LOST)]) {
      expect(printed).not.toContain('Before it');
    }
  });
});

test.each([200])('text of %i columns has no line that is longer than a terminal of 60 or more', (width) => {
  const long = { ...SCHEME, why: 'many words '.repeat(40), from: 'x'.repeat(300) };
  const lines = diffText(report([change(`edge/${'y'.repeat(50)}`, 'replaced', [long])]), { width }).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(Math.max(width, 60));
});

test('balancers of one maker with one story are one block, in text and in Markdown', () => {
  const made = ['0', '1', '2'].map((broker) => {
    const { before, ...one } = change(`kafka/events, broker ${broker}`, 'orphaned', [
      { ...SCHEME, outcome: 'orphaned' },
    ]);
    return { ...one, after: { ...before, id: broker, madeBy: 'Kafka kafka/events', place: place('kafka.yaml', 3) } };
  });
  expect(diffText(report(made))).toContain('kafka/events, broker 0 and 2 more');
  expect(diffMarkdown(report(made)).match(/\*\*orphaned\*\* \|/g)).toHaveLength(1);
  expect(JSON.parse(diffJson(report(made))).changes).toHaveLength(3);
});

test('JSON has every member by name, in one order', () => {
  const read = JSON.parse(diffJson(LOST));
  expect(Object.keys(read)).toEqual(casesIn(__dirname, 'formats.yaml')['JSON has every member by name in one order']);
  expect(read.summary).toMatchObject({ replaced: 1, kept: 2, orphaned: 0, accepted: 0, unreadable: 0 });
  expect(read.changes[0].causes[0]).toEqual(SCHEME);
});

test('Markdown has losses in a table and folds the rest', () => {
  const text = diffMarkdown(LOST);
  expect(text.startsWith(`${MARK}\n### Load balancers: 1 replaced, 2 kept\n`)).toBe(true);
  expect(text).toContain(
    '\n| **replaced** | edge/echo | scheme internal -&#62; internet-facing (k8s/edge.yaml:9): its address',
  );
  expect(text).toContain(
    '<details><summary>How, and what to do</summary>\n\n- **replaced** edge/echo, k8s/edge.yaml:1\n',
  );
  expect(text).toContain('\n2 stay as they are.\n');
  expect(text).toContain('Per month, by list price: USD 164.25 -&#62; USD 27.38: - 5 × 27.38<br>not known: 1 balancer');
});

describe('texts of files', () => {
  const wicked = { ...SCHEME, field: WICKED, from: WICKED, to: WICKED, why: WICKED, remedy: WICKED };
  const all = report([{ ...change('x', 'replaced', [wicked]), title: WICKED }], {
    before: { name: WICKED, isLive: false, objects: 1, balancers: 1 },
    notes: [WICKED],
    context: [{ what: WICKED, from: WICKED, isInferred: true }],
    unreadable: [{ side: 'after', place: { file: WICKED, line: 1, column: 1 }, what: WICKED, remedy: WICKED }],
  });

  test('are no commands of a runner, in any format', () => {
    for (const printed of [diffText(all), diffJson(all), diffMarkdown(all)]) {
      expect(printed).not.toMatch(/^\s*::|##\[/m);
    }
    const lines = diffGithub(all).trimEnd().split('\n');
    expect(lines.slice(0, -1).every((line) => /^::(error|warning|notice) /.test(line))).toBe(true);
    expect(lines).toHaveLength(4);
  });
});

test('a comment is never longer than a forge takes, and says what it leaves out', () => {
  const many = Array.from({ length: 3000 }, (_, i) => change(`edge/echo-${i}`, 'replaced', [SCHEME]));
  const text = diffMarkdown(report(many));
  expect(text.length).toBeLessThan(65_000);
  expect(text).toMatch(/more rows are left out/);
  expect(text).toContain('| **replaced** | edge/echo-0 |');
});

test('annotations are at the newer line, and what is only interrupted is a warning', () => {
  const cut = change('edge/web', 'interrupted', [{ ...SCHEME, outcome: 'interrupted' }]);
  const [first, second, last] = diffGithub(report([LOST.changes[0], cut, ...KEPT])).split('\n');
  expect(first).toBe(
    '::error file=k8s/edge.yaml,line=9,col=5,title=load balancer replaced::edge/echo%0Ascheme internal -> internet-facing (k8s/edge.yaml:9): its address changes; every client%0Aremedy: make a second Service first',
  );
  expect(second).toMatch(/^::warning file=k8s\/edge\.yaml,line=9,col=5,title=load balancer interrupted::/);
  expect(last).toBe('1 replaced, 1 interrupted, 2 kept');
});

describe('exits', () => {
  const accepted = { reason: 'announced' };
  test.each<[string, DiffReport, boolean, 0 | 1 | 2]>([
    ['0 where all stays', report(KEPT), true, 0],
    ['1 where something is lost', LOST, false, 1],
    [
      '1 where one of two losses is accepted',
      report([
        change('a', 'replaced', [
          { ...SCHEME, accepted },
          { ...SCHEME, outcome: 'interrupted' },
        ]),
      ]),
      false,
      1,
    ],
    ['0 where all losses are accepted', report([change('a', 'replaced', [{ ...SCHEME, accepted }])]), true, 0],
    ['0 where something is unknown', report([change('a', 'unknown', [{ ...SCHEME, outcome: 'unknown' }])]), false, 0],
    [
      '1 where something is unknown and shall fail',
      report([change('a', 'unknown', [{ ...SCHEME, outcome: 'unknown' }])]),
      true,
      1,
    ],
    [
      '2 where a side cannot be read',
      report([], { unreadable: [{ side: 'before', place: place('a', 1), what: 'x', remedy: 'y' }] }),
      false,
      2,
    ],
  ])('%s', (_, found, strict, code) => {
    expect(exitCode(resultOfDiff([found]), { strict })).toBe(code);
  });
});
