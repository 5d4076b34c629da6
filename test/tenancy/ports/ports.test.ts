import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { portCapacity } from '../../../src/tenancy/engines/aws-network-load-balancer/engine';
import { NLB_LISTENERS } from '../../../src/tenancy/engines/aws-network-load-balancer/facts';
import { assignPorts, resolvePorts } from '../../../src/tenancy/ports/assign-ports';
import { PortConflictPolicy } from '../../../src/tenancy/ports/options';
import { PortLock } from '../../../src/tenancy/ports/port-lock';
import type { LockedPort, PortRequest, PortRules } from '../../../src/tenancy/ports/rules';
import { folderWith } from '../../support/files';
import { tries } from '../../support/random';
import { casesIn, revived, table, titled } from '../../support/yaml-cases';
import { asks, ids, locked, places, REMAP, RULES, SHARD, sentenceOfPorts } from './port-requests';

const FILE = 'ports.lock.json';
const EMPTY = PortLock.parse('{ "version": 1, "shared": {} }', FILE, true);

const lock = EMPTY.with('shared', locked('team-b/web:443 0:443 b.example,a.example', 'team-a/db:5432 1:30017')).with(
  'internal',
  locked('team-a/db:5432 0:5432'),
);

const TEXT = casesIn(__dirname, 'ports.yaml').text;

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
])('takes %s', (_, other) => expect(PortLock.parse(other, FILE).toText()).toBe(text));

interface Case {
  readonly title: string;
  readonly from?: readonly (string | object)[];
  readonly to?: readonly string[];
  readonly text?: string;
  readonly says: string;
}

const CASES: Readonly<Record<'edited' | 'broken', readonly Case[]>> = casesIn(__dirname, 'ports.yaml');

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
  const folder = folderWith();

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

  test.each<[string, PortRules, string[], string[], string[]]>(
    table('tenancy/ports/ports.yaml', 'conflicts', { RULES, REMAP, SHARD }),
  )('tells %s', (_, rules, texts, lines, faults) => expect(ids(resolved(rules, texts, lines).faults)).toEqual(faults));
});

describe('assigned ports', () => {
  interface Case {
    readonly title: string;
    readonly rules?: Partial<PortRules>;
    readonly asks?: string[];
    readonly locked?: string[];
    readonly assigned?: string[];
    readonly faults?: string[];
    readonly says?: string;
  }

  const CASES: Readonly<Record<string, readonly Case[]>> = casesIn(__dirname, 'ports.yaml');

  const found = ({ rules, asks: texts = [], locked: lines = [] }: Case, order = <T>(list: T[]) => list) =>
    assignPorts(order(texts.map(asks)), locked(...order([...lines])), { ...RULES, ...rules });

  test.each(titled(CASES.assigned))('%s', (_, one) => {
    const { assigned, faults } = found(one);
    expect(places(assigned)).toEqual(one.assigned ?? []);
    expect(ids(faults)).toEqual(one.faults ?? []);
    expect(found(one, (list) => list.reverse())).toEqual({ assigned, faults });
  });

  test.each(titled(CASES.sentences))('says %s', (_, one) => {
    expect(found(one).faults.map(sentenceOfPorts)).toEqual([one.says]);
  });

  // Few ports for many, so that everybody is in somebody's way.

  const wish = fc.integer({ min: 29998, max: 30012 });
  const hosts = fc.subarray(['one.example', 'two.example', 'three.example', 'four.example'], { minLength: 1 });

  const request: fc.Arbitrary<PortRequest> = fc
    .record({
      tenant: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      service: fc.constantFrom('x', 'y', 'z'),
      port: wish,
      names: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: hosts }),
    })
    .map(({ tenant, service, port, names }) =>
      asks(names ? `${tenant}/${service}:${port} wants 443 as ${names.join(', ')}` : `${tenant}/${service}:${port}`),
    );

  const requests = fc.uniqueArray(request, { maxLength: 30, selector: ({ key }) => key });

  const ruleset: fc.Arbitrary<PortRules> = fc.record({
    conflict: fc.constantFrom(PortConflictPolicy.FAIL, PortConflictPolicy.SHARD, PortConflictPolicy.REMAP),
    maxPortsPerBalancer: fc.integer({ min: 1, max: 12 }),
    reserved: fc.subarray([30001, 443]),
    remapRange: fc.constant({ first: 30000, last: 30040 }),
    runtimeRanges: fc.subarray([
      { first: 30003, last: 30004 },
      { first: 30020, last: 30022 },
    ]),
    maxBalancers: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  });

  const story = fc.record({ rules: ruleset, before: requests, now: requests });

  function lockedBy(all: readonly PortRequest[], locked: ReadonlyMap<string, LockedPort>, rules: PortRules) {
    return new Map([...locked, ...assignPorts(all, locked, rules).assigned]);
  }

  function holds(law: (story: { rules: PortRules; before: PortRequest[]; now: PortRequest[] }) => void): void {
    fc.assert(fc.property(story, law), { numRuns: tries(400) });
  }

  function bookings(locked: ReadonlyMap<string, LockedPort>): string[] {
    return [...locked.values()].flatMap(({ balancer, port, hosts: names = ['whole'] }) =>
      names.map((name) => `${balancer}:${port} ${name}`),
    );
  }

  function portsOf(locked: ReadonlyMap<string, LockedPort>): Map<number, Set<number>> {
    const found = new Map<number, Set<number>>();
    for (const { balancer, port } of locked.values()) {
      found.set(balancer, (found.get(balancer) ?? new Set()).add(port));
    }
    return found;
  }

  test('nothing is booked twice', () => {
    holds(({ rules, before, now }) => {
      const locked = lockedBy(now, lockedBy(before, new Map(), rules), rules);
      const booked = bookings(locked);
      expect(new Set(booked).size).toBe(booked.length);
      const whole = new Set(booked.filter((each) => each.endsWith('whole')).map((each) => each.split(' ')[0]));
      expect(booked.filter((each) => !each.endsWith('whole') && whole.has(each.split(' ')[0]))).toEqual([]);
    });
  });

  test('who cannot have other names keeps the old ones, and nobody else gets them', () => {
    const rules = { ...RULES, conflict: PortConflictPolicy.FAIL };
    const before = ['e/y:30001 wants 443 as two.example', 'a/x:29998 wants 443 as four.example'].map(asks);
    const now = ['e/y:30001', 'a/x:29998 wants 443 as two.example, three.example'].map(asks);
    const locked = lockedBy(now, lockedBy(before, new Map(), rules), rules);
    expect(bookings(locked).sort()).toEqual(['0:443 four.example', '0:443 two.example']);
  });

  test('no balancer carries more than it can, and there are no more than there may be', () => {
    holds(({ rules, before, now }) => {
      const locked = lockedBy(now, lockedBy(before, new Map(), rules), rules);
      const counts = [...portsOf(locked).values()].map(({ size }) => size);
      expect(Math.max(0, ...counts)).toBeLessThanOrEqual(rules.maxPortsPerBalancer);
      const most = rules.conflict === PortConflictPolicy.SHARD ? (rules.maxBalancers ?? 100) : 1;
      expect(Math.max(-1, ...portsOf(locked).keys())).toBeLessThan(most);
    });
  });

  test('the order of those who ask does not matter', () => {
    fc.assert(
      fc.property(
        story.chain(({ rules, before, now }) =>
          fc.record({
            rules: fc.constant(rules),
            before: fc.constant(before),
            now: fc.constant(now),
            mixed: fc.shuffledSubarray(now, { minLength: now.length }),
          }),
        ),
        ({ rules, before, now, mixed }) => {
          const locked = lockedBy(before, new Map(), rules);
          const backwards = new Map([...locked].reverse());
          expect(assignPorts(mixed, backwards, rules)).toEqual(assignPorts(now, locked, rules));
        },
      ),
      { numRuns: tries(400) },
    );
  });

  test('whoever comes or goes, nobody else is moved', () => {
    holds(({ rules, before, now }) => {
      const first = lockedBy(before, new Map(), rules);
      const second = lockedBy(now, first, rules);
      for (const [key, { balancer, port }] of first) {
        expect(second.get(key)).toMatchObject({ balancer, port });
      }
    });
  });

  test('a port of the reserved ones, or of run time, is given to nobody', () => {
    holds(({ rules, before }) => {
      const given = [...assignPorts(before, new Map(), rules).assigned.values()].map(({ port }) => port);
      const isForbidden = (port: number) =>
        rules.reserved.includes(port) || rules.runtimeRanges.some(({ first, last }) => port >= first && port <= last);
      expect(given.filter(isForbidden)).toEqual([]);
    });
  });

  test('FAIL and SHARD give the port that is wished for, REMAP that or one of its range', () => {
    holds(({ rules, before }) => {
      const { assigned } = assignPorts(before, new Map(), rules);
      for (const { key, port } of before.filter((each) => assigned.has(each.key))) {
        const given = assigned.get(key)?.port as number;
        const isRemapped = given >= rules.remapRange.first && given <= rules.remapRange.last;
        expect(given === port || (rules.conflict === PortConflictPolicy.REMAP && isRemapped)).toBe(true);
      }
    });
  });

  test('everybody gets a port or a reason', () => {
    holds(({ rules, before, now }) => {
      const locked = lockedBy(before, new Map(), rules);
      const { assigned, faults } = assignPorts(now, locked, rules);
      const told = new Set(faults.flatMap(({ keys }) => keys));
      expect(now.filter(({ key }) => !assigned.has(key) && !told.has(key))).toEqual([]);
    });
  });

  test('what was assigned is assigned again, without a word', () => {
    holds(({ rules, before }) => {
      const { assigned } = assignPorts(before, new Map(), rules);
      const placed = before.filter(({ key }) => assigned.has(key));
      const again = assignPorts(placed, assigned, rules);
      expect(again.faults).toEqual([]);
      expect(new Map([...again.assigned].sort())).toEqual(new Map([...assigned].sort()));
    });
  });

  test('all ports of a Service are at one balancer', () => {
    holds(({ rules, before, now }) => {
      const locked = lockedBy(now, lockedBy(before, new Map(), rules), rules);
      const homes = new Map<string, number>();
      for (const [key, { balancer }] of locked) {
        const group = key.split(':')[0];
        expect(homes.get(group) ?? balancer).toBe(balancer);
        homes.set(group, balancer);
      }
    });
  });

  describe('SHARD makes no balancer too many:', () => {
    const sharding = story.map(({ rules, before }) => ({
      rules: { ...rules, conflict: PortConflictPolicy.SHARD, maxBalancers: undefined },
      before,
    }));

    test('a Service that is not at the first ones would not have fitted there', () => {
      fc.assert(
        fc.property(sharding, ({ rules, before }) => {
          const { assigned } = assignPorts(before, new Map(), rules);
          for (const group of new Set([...assigned.keys()].map((key) => key.split(':')[0]))) {
            const members = before.filter((each) => each.group === group && assigned.has(each.key));
            const others = new Map([...assigned].filter(([key]) => key.split(':')[0] !== group));
            const home = assigned.get(members[0].key)?.balancer as number;
            for (let lower = 0; lower < home; lower++) {
              const moved = new Map([
                ...others,
                ...members.map(({ key }) => [key, { ...(assigned.get(key) as LockedPort), balancer: lower }] as const),
              ]);
              const booked = bookings(moved);
              const whole = new Set(booked.filter((each) => each.endsWith('whole')).map((each) => each.split(' ')[0]));
              const fits =
                new Set(booked).size === booked.length &&
                !booked.some((each) => !each.endsWith('whole') && whole.has(each.split(' ')[0])) &&
                (portsOf(moved).get(lower)?.size ?? 0) <= rules.maxPortsPerBalancer;
              expect(fits).toBe(false);
            }
          }
        }),
        { numRuns: tries(400) },
      );
    });

    test.each<[string, number, (index: number) => string, number]>([
      ['ports that differ need as many as they fill', 50, (index) => `t${index}/x:${1000 + index}`, 3],
      ['one port needs as many as there are Services', 50, (index) => `t${index}/x:5432`, 120],
      [
        'Services of ten ports fill balancers of fifty',
        50,
        (index) => `t${Math.floor(index / 10)}/x:${1000 + index}`,
        3,
      ],
      ['two ports in turn share balancers', 50, (index) => `t${index}/x:${5432 + (index % 2)}`, 60],
    ])('%s', (_, maxPortsPerBalancer, text, balancers) => {
      const all = Array.from({ length: 120 }, (_each, index) => asks(text(index)));
      const { assigned, faults } = assignPorts(all, new Map(), {
        conflict: PortConflictPolicy.SHARD,
        maxPortsPerBalancer,
        reserved: [],
        remapRange: { first: 1, last: 1 },
        runtimeRanges: [],
      });
      expect(faults).toEqual([]);
      expect(portsOf(assigned).size).toBe(balancers);
    });
  });

  test.each<[string, Parameters<typeof portCapacity>[0], number]>(
    table('tenancy/ports/ports.yaml', 'limits of a balancer'),
  )('a balancer is limited by %s', (_, limits, ports) => expect(portCapacity(limits)).toBe(ports));

  test('51 ports on a Network Load Balancer are refused by name', () => {
    const rules: PortRules = {
      conflict: PortConflictPolicy.FAIL,
      maxPortsPerBalancer: portCapacity({ listeners: NLB_LISTENERS }),
      reserved: [],
      remapRange: { first: 1, last: 1 },
      runtimeRanges: [],
    };
    const all = Array.from({ length: 51 }, (_, index) => asks(`a/x:${1000 + index}`));
    const { assigned, faults } = assignPorts(all, new Map(), rules);
    expect(assigned.size).toBe(50);
    expect(ids(faults)).toEqual(['too-many-ports']);
    expect(faults[0].value).toBe('51');
    // nor is it told to lock the others, which stay with it
    expect([...faults[0].keys].sort()).toEqual(all.map(({ key }) => key));
  });

  test.each([PortConflictPolicy.FAIL, PortConflictPolicy.SHARD, PortConflictPolicy.REMAP])(
    '%s decides about thousands of ports at once',
    (conflict) => {
      const rules: PortRules = {
        conflict,
        maxPortsPerBalancer: conflict === PortConflictPolicy.SHARD ? 50 : 5000,
        reserved: [],
        remapRange: { first: 30000, last: 39999 },
        runtimeRanges: [{ first: 32000, last: 33000 }],
      };
      const all = Array.from({ length: 2000 }, (_, index) =>
        asks(`t${index % 200}/x:${5000 + Math.floor(index / 200)}`),
      );
      const start = process.cpuUsage();
      const { assigned } = assignPorts(all, new Map(), rules);
      const again = assignPorts(all, assigned, rules);
      expect(again.assigned.size).toBe(conflict === PortConflictPolicy.FAIL ? 10 : 2000);
      // of this process: the machine may do other things
      expect(process.cpuUsage(start).user / 1000).toBeLessThan(3000);
    },
  );
});
