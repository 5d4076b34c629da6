import { resolvePorts } from '../../../src/tenancy/ports/assign-ports';
import { PortLock } from '../../../src/tenancy/ports/port-lock';
import type { PortRules } from '../../../src/tenancy/ports/rules';
import { asks, ids, locked, places, REMAP, RULES, SHARD, sentenceOfPorts } from './port-requests';

const EMPTY = PortLock.parse('{ "version": 1, "shared": {} }', 'ports.lock.json', true);

const resolved = (rules: PortRules, texts: string[], lines: string[]) =>
  resolvePorts('shared', texts.map(asks), EMPTY.with('shared', locked(...lines)), rules);

test('takes every port from the lock file', () => {
  const { assigned, faults } = resolved(
    REMAP,
    ['b/x:1', 'a/x:1 wants 443 as one.example'],
    ['b/x:1 0:30000', 'a/x:1 0:443 one.example', 'gone/x:1 0:1'],
  );
  expect(places(assigned)).toEqual(['a/x:1 0:443 one.example', 'b/x:1 0:30000']);
  expect(faults).toEqual([]);
});

test('gives no port itself, and names the command that does', () => {
  const { assigned, faults } = resolved(RULES, ['b/x:2', 'a/x:1', 'c/x:3'], ['c/x:3 0:3']);
  expect(places(assigned)).toEqual(['c/x:3 0:3']);
  expect(faults.map(sentenceOfPorts)).toEqual([
    'ports: ports.lock.json has no port at shared for a/x:1 of App/a, b/x:2 of App/b; run `npx cdk8s-load-balancers ports`, and commit what it writes (port-unlocked)',
  ]);
});

test('what is locked for one shared load balancer is not locked for another', () => {
  const lock = EMPTY.with('other', locked('a/x:1 0:1'));
  expect(ids(resolvePorts('shared', [asks('a/x:1')], lock, RULES).faults)).toEqual(['port-unlocked']);
});

test('names a few of many', () => {
  const many = Array.from({ length: 20 }, (_, index) => `a/x:${100 + index}`);
  expect(resolved(RULES, many, []).faults.map(({ what }) => what)).toEqual([
    expect.stringMatching(/for a\/x:100 of App\/a, .*a\/x:107 of App\/a and 12 more$/),
  ]);
});

test('other TLS names than the locked ones are for the command as well', () => {
  const { assigned, faults } = resolved(
    RULES,
    ['a/x:1 wants 443 as two.example', 'b/x:443 wants 444'],
    ['a/x:1 0:443 one.example', 'b/x:443 0:444 three.example'],
  );
  expect(places(assigned)).toEqual([]);
  expect(ids(faults)).toEqual(['port-unlocked']);
  expect(faults[0].what).toMatch(/, or other TLS names than requested \(2\)$/);
});

test('names in another order, or another case, are the same', () => {
  const { faults } = resolved(
    RULES,
    ['a/x:1 wants 443 as Two.example, one.example'],
    ['a/x:1 0:443 one.example,two.example'],
  );
  expect(faults).toEqual([]);
});

test.each<[string, PortRules, string[], string[], string[]]>([
  ['a conflict, which the command could not settle', RULES, ['a/x:1', 'b/x:1'], ['a/x:1 0:1'], ['port-conflict']],
  ['a conflict of two that have no port yet', RULES, ['a/x:1', 'b/x:1'], [], ['port-conflict', 'port-unlocked']],
  ['a port that nobody gets', RULES, ['a/x:65535'], [], ['port-taken']],
  ['a port of run time that is locked', REMAP, ['a/x:1'], ['a/x:1 0:30010'], ['port-locked']],
  ['a reserved port that is locked', RULES, ['a/x:65535'], ['a/x:65535 0:65535'], ['port-locked']],
  ['a balancer that is gone', RULES, ['a/x:1'], ['a/x:1 1:1'], ['port-locked']],
  ['a wish that changed', SHARD, ['a/x:1'], ['a/x:1 0:2'], ['port-locked']],
  [
    'a limit that was lowered',
    { ...REMAP, maxPortsPerBalancer: 1 },
    ['a/x:1', 'a/x:2'],
    ['a/x:1 0:1', 'a/x:2 0:2'],
    ['too-many-ports'],
  ],
  [
    'a Service that waits for one of its ports, and is told once',
    { ...SHARD, maxBalancers: 1 },
    ['a/x:1', 'b/x:1', 'b/x:2'],
    ['a/x:1 0:1'],
    ['too-many-balancers'],
  ],
])('tells %s', (_, rules, texts, lines, faults) => {
  expect(ids(resolved(rules, texts, lines).faults)).toEqual(faults);
});
