import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { resolvePorts } from '../../../src/tenancy/ports/assign-ports';
import { PortLock } from '../../../src/tenancy/ports/port-lock';
import type { LockedPort, PortRules } from '../../../src/tenancy/ports/rules';
import { casesIn, revived, titled } from '../../support/yaml-cases';
import { asks, ids, locked, places, REMAP, RULES, SHARD, sentenceOfPorts } from './port-requests';

const FILE = 'ports.lock.json';
const EMPTY = PortLock.parse('{ "version": 1, "shared": {} }', FILE, true);

const lock = EMPTY.with('shared', locked('team-b/web:443 0:443 b.example,a.example', 'team-a/db:5432 1:30017')).with(
  'internal',
  locked('team-a/db:5432 0:5432'),
);

const TEXT = `{
  "version": 1,
  "checksum": "sha256:CHECKSUM",
  "shared": {
    "internal": {
      "endpoints": {
        "team-a/db:5432": { "balancer": 0, "port": 5432 }
      }
    },
    "shared": {
      "endpoints": {
        "team-a/db:5432": { "balancer": 1, "port": 30017 },
        "team-b/web:443": { "balancer": 0, "port": 443, "hosts": ["a.example", "b.example"] }
      }
    }
  }
}
`;

const text = lock.toText();

test('is written sorted, an endpoint a line', () => {
  expect(text.replace(/sha256:[0-9a-f]{64}/, 'sha256:CHECKSUM')).toBe(TEXT);
});

test('says what it has', () => {
  const read = PortLock.parse(text, FILE);
  expect(read.shared).toEqual(['internal', 'shared']);
  expect(read.keys('shared')).toEqual(['team-a/db:5432', 'team-b/web:443']);
  expect(read.entry('shared', 'team-a/db:5432')).toEqual({ balancer: 1, port: 30017 });
  expect(read.entry('shared', 'team-c/db:5432')).toBeUndefined();
  expect(read.entry('other', 'team-a/db:5432')).toBeUndefined();
  expect([read.balancers('shared'), read.balancers('internal'), read.balancers('other')]).toEqual([2, 1, 0]);
});

test('nothing is left of a shared load balancer without ports', () => {
  expect(lock.with('internal', new Map()).shared).toEqual(['shared']);
  expect(PortLock.parse(EMPTY.toText(), FILE).shared).toEqual([]);
});

test('what it writes it reads, whatever it is', () => {
  const ports = fc
    .uniqueArray(fc.tuple(fc.string(), fc.nat(3), fc.integer({ min: 1, max: 65535 })), { selector: ([key]) => key })
    .chain((all) =>
      fc.constant(
        new Map<string, LockedPort>(
          all
            .filter(([, balancer, port], index) => all.findIndex(([, b, p]) => b === balancer && p === port) === index)
            .map(([key, balancer, port]) => [key, { balancer, port }]),
        ),
      ),
    );
  fc.assert(
    fc.property(fc.string(), fc.string(), ports, ports, (one, other, some, more) => {
      const written = EMPTY.with(one, some).with(other, more);
      expect(PortLock.parse(written.toText(), FILE).toText()).toBe(written.toText());
    }),
  );
});

test.each<[string, string]>([
  ['a byte order mark', `\uFEFF${text}`],
  ['the line ends of Windows', text.replace(/\n/g, '\r\n')],
  ['other spaces', JSON.stringify(JSON.parse(text))],
])('takes %s', (_, other) => {
  expect(PortLock.parse(other, FILE).toText()).toBe(text);
});

interface Case {
  readonly title: string;
  readonly from?: readonly (string | object)[];
  readonly to?: readonly string[];
  readonly text?: string;
  readonly says: string;
}

const CASES: Readonly<Record<'edited' | 'broken', readonly Case[]>> = casesIn(__dirname, 'port-lock.yaml');

test.each([
  ...titled(CASES.edited).map((row) => [...row, false] as const),
  ...titled(CASES.broken).map((row) => [...row, true] as const),
])('does not read %s', (_, { from = [], to = [], text: other = text, says }, acceptEdits) => {
  const changed = from.reduce<string>((before, one, i) => before.replace(revived(one), to[i]), other);
  expect(() => PortLock.parse(changed, FILE, acceptEdits)).toThrow(new RegExp(`^${FILE}, ${says}$`));
});

test('takes what a person changed where that is said, also a port of another balancer', () => {
  const accepted = PortLock.parse(text.replace('30017', '443'), FILE, true);
  expect(accepted.entry('shared', 'team-a/db:5432')).toEqual({ balancer: 1, port: 443 });
  expect(PortLock.parse(accepted.toText(), FILE).toText()).toBe(accepted.toText());
});

describe('on disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'port-lock-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('a file that is not there yet locks nothing', () => {
    expect(PortLock.read(join(folder, 'none.json')).shared).toEqual([]);
  });

  test('a folder is no lock file', () => {
    expect(() => PortLock.read(folder)).toThrow(/cannot be read: EISDIR.*\(port-lock-unreadable\)/);
  });

  test('errors begin with the name of the file', () => {
    const file = join(folder, 'ports.lock.json');
    writeFileSync(file, text.replace('30017', '30018'));
    expect(() => PortLock.read(file)).toThrow(`${file}, line 3: `);
    expect(PortLock.read(file, true).keys('internal')).toEqual(['team-a/db:5432']);
  });
});

test('thousands of endpoints are read at once', () => {
  const many = new Map(
    Array.from({ length: 10_000 }, (_, index) => [`team/x:${index + 1}`, { balancer: 0, port: index + 1 }]),
  );
  const large = EMPTY.with('shared', many).toText();
  const start = process.cpuUsage();
  expect(PortLock.parse(large, FILE).keys('shared')).toHaveLength(10_000);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000);
});

describe('resolve ports', () => {
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
      'ports: ports.lock.json has no port at shared for a/x:1 of App/a, b/x:2 of App/b; run `npx cdk8s-load-balancers ports`, and commit what it writes (port-not-in-lock-file)',
    ]);
  });

  test('what is locked for one shared load balancer is not locked for another', () => {
    const lock = EMPTY.with('other', locked('a/x:1 0:1'));
    expect(ids(resolvePorts('shared', [asks('a/x:1')], lock, RULES).faults)).toEqual(['port-not-in-lock-file']);
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
    expect(ids(faults)).toEqual(['port-not-in-lock-file']);
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
    [
      'a conflict of two that have no port yet',
      RULES,
      ['a/x:1', 'b/x:1'],
      [],
      ['port-conflict', 'port-not-in-lock-file'],
    ],
    ['a port that nobody gets', RULES, ['a/x:65535'], [], ['port-reserved']],
    ['a port of run time that is locked', REMAP, ['a/x:1'], ['a/x:1 0:30010'], ['locked-port-unavailable']],
    ['a reserved port that is locked', RULES, ['a/x:65535'], ['a/x:65535 0:65535'], ['locked-port-unavailable']],
    ['a balancer that is gone', RULES, ['a/x:1'], ['a/x:1 1:1'], ['locked-port-unavailable']],
    ['a wish that changed', SHARD, ['a/x:1'], ['a/x:1 0:2'], ['locked-port-unavailable']],
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
});
