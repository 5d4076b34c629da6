import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { PortLock } from '../../../src/tenancy/ports/port-lock';
import type { LockedPort } from '../../../src/tenancy/ports/rules';
import { locked } from './port-requests';

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

const edited = (from: string | RegExp, to: string) => text.replace(from, to);

test.each<[string, string, string]>([
  [
    'a port that a person changed',
    edited('30017', '30018'),
    'line 3: the ports do not match the checksum.*\\(port-lock-edited\\)',
  ],
  [
    'a balancer that a person changed',
    edited('"balancer": 1', '"balancer": 2'),
    'line 3: .*--accept-edits.*\\(port-lock-edited\\)',
  ],
  ['a name that a person changed', edited('a.example', 'c.example'), 'line 3: .*\\(port-lock-edited\\)'],
  ['an endpoint that a person took out', edited(/ *"team-a\/db:5432": .*\n/, ''), 'line 3: .*\\(port-lock-edited\\)'],
  ['a checksum that is missing', edited(/ *"checksum.*\n/, ''), 'line 1: .*\\(port-lock-edited\\)'],
  [
    'a newer version',
    edited('"version": 1', '"version": 2'),
    'line 2: it has version 2, which a newer release wrote.*upgrade.*\\(port-lock-version\\)',
  ],
  ['no version', edited('  "version": 1,\n', ''), 'line 1: its version is not 1; .*\\(port-lock-version\\)'],
])('does not read %s', (_, other, message) => {
  expect(() => PortLock.parse(other, FILE)).toThrow(new RegExp(`^${FILE}, ${message}$`));
});

test.each<[string, string, string]>([
  ['nothing', '', 'line 1: the file is not an object in braces; .*\\(port-lock-content\\)'],
  ['a comma too many', edited('30017 },', '30017 },,'), 'line 12: .*\\(port-lock-syntax\\)'],
  [
    'merge markers',
    edited('        "team-a', '<<<<<<< ours\n        "team-a'),
    'line 7: a merge left <<<<<<<; keep the endpoints of both sides, and run .*\\(port-lock-merge\\)',
  ],
  ['the rest of a merge', edited('  }\n}\n', '  }\r\n=======\r\n}\r\n'), 'line 17: a merge left =======; .*'],
  [
    'an endpoint twice',
    edited('"team-b/web:443"', '"team-a/db:5432"'),
    'line 13: the key .* is in one map twice; .*\\(port-lock-syntax\\)',
  ],
  [
    'a port that two have',
    edited('"balancer": 0, "port": 443, "hosts": ["a.example", "b.example"]', '"balancer": 1, "port": 30017'),
    'line 13: team-b/web:443 has port 30017 of balancer 1, which team-a/db:5432 has as well; .*\\(port-lock-double\\)',
  ],
  [
    'a whole port that somebody shares by name',
    edited('"balancer": 1, "port": 30017', '"balancer": 0, "port": 443'),
    'line 13: .* which team-a/db:5432 has as well; .*\\(port-lock-double\\)',
  ],
  [
    'a port shared by name that somebody has as a whole',
    edited('"balancer": 1, "port": 30017', '"balancer": 0, "port": 443, "hosts": ["c.example"]').replace(
      ', "hosts": ["a.example", "b.example"]',
      '',
    ),
    'line 13: .* which team-a/db:5432 has as well; .*\\(port-lock-double\\)',
  ],
  [
    'a name that two have',
    edited('"balancer": 1, "port": 30017', '"balancer": 0, "port": 443, "hosts": ["b.example"]'),
    'line 13: .* which team-a/db:5432 has as well; .*\\(port-lock-double\\)',
  ],
  ['port 0', edited('30017', '0'), 'line 12: the port of team-a/db:5432 is not one of 1 to 65535; .*'],
  ['port 65536', edited('30017', '65536'), 'line 12: .*\\(port-lock-content\\)'],
  ['half a port', edited('30017', '30017.5'), 'line 12: .*\\(port-lock-content\\)'],
  ['a port in quotes', edited('30017', '"30017"'), 'line 12: .*\\(port-lock-content\\)'],
  ['no port', edited(', "port": 30017', ''), 'line 12: .*\\(port-lock-content\\)'],
  ['balancer -1', edited('"balancer": 1', '"balancer": -1'), 'line 12: the balancer of .* 0 to 999; .*'],
  ['balancer 1000', edited('"balancer": 1', '"balancer": 1000'), 'line 12: .*\\(port-lock-content\\)'],
  ['an empty list of names', edited(/\["a.*"\]/, '[]'), 'line 13: the hosts of .*\\(port-lock-content\\)'],
  ['names that are none', edited(/\["a.*"\]/, '[1]'), 'line 13: .*\\(port-lock-content\\)'],
  ['an unknown field', edited('"port": 30017', '"port": 30017, "note": 1'), 'line 12: .* unknown field "note"; .*'],
  ['an unknown field of all', edited('"version": 1', '"note": 1, "version": 1'), 'line 2: the file has .* "note"; .*'],
  ['a list', '[]', 'line 1: the file is not an object in braces; .*'],
  ['no shared load balancers', '{"version": 1}', 'line 1: "shared" is not an object in braces; .*'],
  ['no endpoints', '{"version": 1, "shared": {"x":\n{}}}', 'line 1: "endpoints" is not an object .*'],
])('does not read %s, not even if edits are accepted', (_, other, message) => {
  expect(() => PortLock.parse(other, FILE, true)).toThrow(new RegExp(`^${FILE}, ${message}$`));
});

test('takes what a person changed where that is said', () => {
  const accepted = PortLock.parse(edited('30017', '30018'), FILE, true);
  expect(accepted.entry('shared', 'team-a/db:5432')).toEqual({ balancer: 1, port: 30018 });
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
    writeFileSync(file, edited('30017', '30018'));
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
