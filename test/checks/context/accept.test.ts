import type { CheckedObject, CheckFinding, UnknownAnswer } from '../../../src/checks/check-report';
import { accept } from '../../../src/checks/context/check-context';
import { readContext } from '../../../src/checks/context/context-file';

const FILE = 'load-balancers.yaml';
const ECHO: CheckedObject = { apiVersion: 'v1', kind: 'Service', namespace: 'edge', name: 'echo' };
const EVENTS: CheckedObject = { apiVersion: 'kafka.strimzi.io/v1', kind: 'Kafka', namespace: 'kafka', name: 'events' };

function finding(ruleId: string, object: CheckedObject): CheckFinding {
  const place = { file: 'k8s/all.yaml', line: 3, column: 5 };
  return { ruleId, object, place, level: 'error', who: 'us', what: 'it is wrong', remedy: 'mend it' };
}

function acceptedIn(...entries: string[]) {
  const { context, mistakes } = readContext(
    FILE,
    `accepted:\n${entries.map((entry) => `  - { ${entry} }\n`).join('')}`,
  );
  expect(mistakes).toEqual([]);
  return context as NonNullable<typeof context>;
}

const RULE = 'annotation-unknown';
const OTHER = 'annotation-deprecated';

describe('what an entry accepts', () => {
  it.each<[string, CheckedObject, boolean]>([
    ['', ECHO, true],
    [', object: edge/echo', ECHO, true],
    [', object: Service edge/echo', ECHO, true],
    [', object: Gateway edge/echo', ECHO, false],
    [', object: echo', ECHO, false],
    [', object: edge/other', ECHO, false],
    [', object: echo', { ...ECHO, namespace: undefined }, true],
    [', object: kafka/events', EVENTS, true],
    [', object: Kafka kafka/events', { ...ECHO, madeBy: "Kafka kafka/events, listener 'external'" }, true],
    [', object: kafka/events', { ...ECHO, madeBy: "Kafka kafka/events, listener 'external'" }, true],
    [', object: kafka/other', { ...ECHO, madeBy: "Kafka kafka/events, listener 'external'" }, false],
  ])('entry %j at %j: %s', (object, found, isAccepted) => {
    const { findings, notes } = accept(
      [finding(RULE, found), finding(OTHER, found)],
      acceptedIn(`rule: ${RULE}, reason: so be it${object}`),
    );
    expect(findings.map(({ accepted }) => accepted)).toEqual([
      isAccepted ? { reason: 'so be it' } : undefined,
      undefined,
    ]);
    expect(notes).toHaveLength(isAccepted ? 0 : 1);
  });
});

describe('the last day', () => {
  const context = acceptedIn(`rule: ${RULE}, object: edge/echo, reason: so be it, until: 2027-06-30`);
  it.each<[string | undefined, boolean]>([
    [undefined, true],
    ['2026-12-31', true],
    ['2027-06-30', true],
    ['2027-07-01', false],
    ['2028-01-01', false],
  ])('on %s accepts %s', (today, isAccepted) => {
    const { findings, notes } = accept([finding(RULE, ECHO)], context, today);
    expect(findings).toEqual([
      isAccepted
        ? { ...finding(RULE, ECHO), accepted: { reason: 'so be it', until: '2027-06-30' } }
        : { ...finding(RULE, ECHO), remedy: `mend it; it was accepted until 2027-06-30 (${FILE}:2: so be it)` },
    ]);
    expect(notes).toEqual([]);
  });

  it('does not matter where another entry accepts the same', () => {
    const both = acceptedIn(`rule: ${RULE}, reason: old, until: 2026-01-01`, `rule: ${RULE}, reason: new`);
    expect(accept([finding(RULE, ECHO)], both, '2026-11-22').findings[0].accepted).toEqual({ reason: 'new' });
  });
});

describe('an entry that no finding fits', () => {
  const context = acceptedIn(`rule: ${RULE}, object: edge/echo, reason: x`, `rule: ${OTHER}, reason: x`);
  const unknown: UnknownAnswer = {
    ruleId: OTHER,
    object: ECHO,
    place: { file: 'a', line: 1, column: 1 },
    needs: ['controllers'],
  };

  it('is told with its place', () => {
    expect(accept([], context).notes).toEqual([
      `${FILE}:2:5: ${RULE} at edge/echo is accepted and no longer found; take the entry out`,
      `${FILE}:3:5: ${OTHER} is accepted and no longer found; take the entry out`,
    ]);
  });

  it('is not told where the rule has no answer', () => {
    expect(accept([finding(RULE, ECHO)], context, undefined, [unknown]).notes).toEqual([]);
  });
});
