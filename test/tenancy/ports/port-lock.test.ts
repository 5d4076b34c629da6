import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { PortLock } from '../../../src/tenancy/ports/port-lock';
import type { LockedPort } from '../../../src/tenancy/ports/rules';
import { casesIn, revived, titled } from '../../support/yaml-cases';
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
