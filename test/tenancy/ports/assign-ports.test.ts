import { assignPorts } from '../../../src/tenancy/ports/assign-ports';
import { PortConflictPolicy } from '../../../src/tenancy/ports/options';
import type { PortRules } from '../../../src/tenancy/ports/rules';
import { asks, ids, locked, places, REMAP, RULES, SHARD, sentenceOfPorts } from './port-requests';

interface Case {
  readonly rules: PortRules;
  readonly asks: string[];
  readonly locked?: string[];
  readonly assigned: string[];
  readonly faults?: string[];
}

const capped = (rules: PortRules, maxPortsPerBalancer: number): PortRules => ({ ...rules, maxPortsPerBalancer });

test.each<[string, Case]>([
  ['nobody asks', { rules: RULES, asks: [], assigned: [] }],
  [
    'FAIL gives what is wished for',
    { rules: RULES, asks: ['b/db:5432', 'a/db:5433'], assigned: ['a/db:5433 0:5433', 'b/db:5432 0:5432'] },
  ],
  [
    'FAIL tells who has the port',
    { rules: RULES, asks: ['b/db:5432', 'a/db:5432'], assigned: ['a/db:5432 0:5432'], faults: ['port-conflict'] },
  ],
  [
    'who is locked has the port, whatever their names',
    {
      rules: RULES,
      asks: ['b/db:5432', 'a/db:5432'],
      locked: ['b/db:5432 0:5432'],
      assigned: ['b/db:5432 0:5432'],
      faults: ['port-conflict'],
    },
  ],
  [
    'FAIL keeps the port of one who is gone',
    { rules: RULES, asks: ['a/db:5432'], locked: ['b/db:5432 0:5432'], assigned: [], faults: ['port-taken'] },
  ],
  ['a reserved port is nobody else', { rules: RULES, asks: ['a/db:65535'], assigned: [], faults: ['port-taken'] }],
  [
    'ports of run time are for run time, up to both ends',
    {
      rules: RULES,
      asks: ['a/x:30009', 'a/x:30010', 'a/x:30019', 'a/x:30020'],
      assigned: ['a/x:30009 0:30009', 'a/x:30020 0:30020'],
      faults: ['port-taken', 'port-taken'],
    },
  ],
  [
    'FAIL fills one balancer, and says once that it is full',
    {
      rules: capped(RULES, 2),
      asks: ['a/x:1', 'a/x:2', 'a/x:3', 'b/x:4'],
      assigned: ['a/x:1 0:1', 'a/x:2 0:2'],
      faults: ['too-many-ports'],
    },
  ],
  [
    'what is gone fills the balancer as well',
    {
      rules: capped(RULES, 2),
      asks: ['a/x:3'],
      locked: ['a/x:1 0:1', 'a/x:2 0:2'],
      assigned: [],
      faults: ['too-many-ports'],
    },
  ],
  [
    'names share a port, which counts once',
    {
      rules: capped(RULES, 1),
      asks: ['a/x:1 wants 443 as one.example', 'b/x:1 wants 443 as two.example, three.example'],
      assigned: ['a/x:1 0:443 one.example', 'b/x:1 0:443 three.example,two.example'],
    },
  ],
  [
    'a name is for one',
    {
      rules: RULES,
      asks: ['a/x:1 wants 443 as one.example', 'b/x:1 wants 443 as two.example, ONE.example'],
      assigned: ['a/x:1 0:443 one.example'],
      faults: ['port-conflict'],
    },
  ],
  [
    'a whole port and names do not go together',
    {
      rules: RULES,
      asks: ['a/x:443', 'b/x:1 wants 443 as two.example', 'c/x:1 wants 444 as three.example', 'd/x:444'],
      assigned: ['a/x:443 0:443', 'c/x:1 0:444 three.example'],
      faults: ['port-conflict', 'port-conflict'],
    },
  ],
  [
    'SHARD goes to another balancer',
    { rules: SHARD, asks: ['b/x:1', 'a/x:1', 'c/x:2'], assigned: ['a/x:1 0:1', 'b/x:1 1:1', 'c/x:2 0:2'] },
  ],
  [
    'SHARD keeps the ports of a Service together, the large ones first',
    {
      rules: SHARD,
      asks: ['a/x:1', 'b/x:1', 'b/x:2', 'c/x:2'],
      assigned: ['a/x:1 1:1', 'b/x:1 0:1', 'b/x:2 0:2', 'c/x:2 1:2'],
    },
  ],
  [
    'SHARD makes another balancer where one is full',
    { rules: capped(SHARD, 2), asks: ['a/x:1', 'a/x:2', 'b/x:3'], assigned: ['a/x:1 0:1', 'a/x:2 0:2', 'b/x:3 1:3'] },
  ],
  [
    'SHARD lets a new port go where its Service is',
    {
      rules: capped(SHARD, 2),
      asks: ['a/x:1', 'a/x:2', 'b/x:2'],
      locked: ['a/x:1 1:1', 'b/x:2 0:2'],
      assigned: ['a/x:1 1:1', 'a/x:2 1:2', 'b/x:2 0:2'],
    },
  ],
  [
    'also where only its old port is',
    { rules: SHARD, asks: ['a/x:2'], locked: ['a/x:1 1:1'], assigned: ['a/x:2 1:2'] },
  ],
  [
    'a Service that has a balancer is served before the others, however large they are',
    {
      rules: SHARD,
      asks: ['a/x:1', 'a/x:2', 'b/y:2', 'b/y:3'],
      locked: ['a/x:1 0:1'],
      assigned: ['a/x:1 0:1', 'a/x:2 0:2', 'b/y:2 1:2', 'b/y:3 1:3'],
    },
  ],
  [
    'SHARD moves no Service to get a new port in',
    {
      rules: SHARD,
      asks: ['a/x:1', 'a/x:2', 'b/x:2'],
      locked: ['a/x:1 0:1', 'b/x:2 0:2'],
      assigned: ['a/x:1 0:1', 'b/x:2 0:2'],
      faults: ['port-conflict'],
    },
  ],
  [
    'nor where its balancer is full',
    {
      rules: capped(SHARD, 1),
      asks: ['a/x:1', 'a/x:2'],
      locked: ['a/x:1 0:1'],
      assigned: ['a/x:1 0:1'],
      faults: ['too-many-ports'],
    },
  ],
  [
    'a Service with more ports than a balancer has no place',
    { rules: capped(SHARD, 2), asks: ['a/x:1', 'a/x:2', 'a/x:3'], assigned: [], faults: ['too-many-ports'] },
  ],
  [
    'SHARD ends where balancers end',
    {
      rules: { ...SHARD, maxBalancers: 2 },
      asks: ['a/x:1', 'b/x:1', 'c/x:1'],
      assigned: ['a/x:1 0:1', 'b/x:1 1:1'],
      faults: ['too-many-balancers'],
    },
  ],
  [
    'SHARD gives no port that is taken at every balancer',
    { rules: SHARD, asks: ['a/x:65535', 'b/x:30010'], assigned: [], faults: ['port-taken', 'port-taken'] },
  ],
  [
    'SHARD gives a name one balancer',
    {
      rules: SHARD,
      asks: ['a/x:1 wants 443 as one.example', 'b/x:1 wants 443 as one.example', 'c/x:443'],
      assigned: ['a/x:1 0:443 one.example', 'c/x:443 1:443'],
      faults: ['port-conflict'],
    },
  ],
  [
    'also where the second one has a balancer of its own',
    {
      rules: SHARD,
      asks: ['a/x:1 wants 443 as one.example', 'b/x:1', 'b/x:2 wants 443 as one.example'],
      locked: ['a/x:1 0:443 one.example', 'b/x:1 1:1'],
      assigned: ['a/x:1 0:443 one.example', 'b/x:1 1:1'],
      faults: ['port-conflict'],
    },
  ],
  [
    'REMAP gives the lowest free port that is not for run time',
    {
      rules: { ...REMAP, remapRange: { first: 30009, last: 30099 } },
      asks: ['a/x:1', 'b/x:1', 'c/x:1'],
      assigned: ['a/x:1 0:1', 'b/x:1 0:30009', 'c/x:1 0:30020'],
    },
  ],
  [
    'REMAP takes no wished port from somebody for one who is displaced',
    {
      rules: REMAP,
      asks: ['a/x:1', 'b/x:1', 'c/x:30000'],
      assigned: ['a/x:1 0:1', 'b/x:1 0:30001', 'c/x:30000 0:30000'],
    },
  ],
  [
    'REMAP keeps the port of one who is gone',
    { rules: REMAP, asks: ['a/x:1'], locked: ['b/x:1 0:1', 'c/x:1 0:30000'], assigned: ['a/x:1 0:30001'] },
  ],
  [
    'REMAP moves nobody back to a port that has become free',
    { rules: REMAP, asks: ['a/x:1'], locked: ['a/x:1 0:30005'], assigned: ['a/x:1 0:30005'] },
  ],
  ['REMAP replaces a port of run time', { rules: REMAP, asks: ['a/x:30010'], assigned: ['a/x:30010 0:30000'] }],
  [
    'REMAP ends with its range',
    {
      rules: { ...REMAP, remapRange: { first: 30000, last: 30000 } },
      asks: ['a/x:1', 'b/x:1', 'c/x:1'],
      assigned: ['a/x:1 0:1', 'b/x:1 0:30000'],
      faults: ['no-free-port'],
    },
  ],
  [
    'REMAP ends with its balancer',
    {
      rules: capped(REMAP, 2),
      asks: ['a/x:1', 'b/x:1', 'c/x:1', 'd/x:2'],
      assigned: ['a/x:1 0:1', 'd/x:2 0:2'],
      faults: ['too-many-ports'],
    },
  ],
  [
    'a locked port that is reserved now is kept, and told',
    {
      rules: RULES,
      asks: ['a/x:65535'],
      locked: ['a/x:65535 0:65535'],
      assigned: ['a/x:65535 0:65535'],
      faults: ['port-locked'],
    },
  ],
  [
    'a locked port that is of run time now is kept, and told',
    { rules: REMAP, asks: ['a/x:1'], locked: ['a/x:1 0:30010'], assigned: ['a/x:1 0:30010'], faults: ['port-locked'] },
  ],
  [
    'FAIL and SHARD give no other port than the wished one',
    { rules: RULES, asks: ['a/x:1'], locked: ['a/x:1 0:30005'], assigned: ['a/x:1 0:30005'], faults: ['port-locked'] },
  ],
  [
    'FAIL has no second balancer',
    { rules: RULES, asks: ['a/x:1'], locked: ['a/x:1 1:1'], assigned: ['a/x:1 1:1'], faults: ['port-locked'] },
  ],
  [
    'a Service at two balancers is told',
    {
      rules: SHARD,
      asks: ['a/x:1', 'a/x:2'],
      locked: ['a/x:1 0:1', 'a/x:2 1:2'],
      assigned: ['a/x:1 0:1', 'a/x:2 1:2'],
      faults: ['port-locked'],
    },
  ],
  [
    'a limit that sinks below what is locked is told',
    {
      rules: capped(SHARD, 1),
      asks: ['a/x:1', 'a/x:2'],
      locked: ['a/x:1 0:1', 'a/x:2 0:2'],
      assigned: ['a/x:1 0:1', 'a/x:2 0:2'],
      faults: ['too-many-ports'],
    },
  ],
  [
    'other names keep the port',
    {
      rules: RULES,
      asks: ['a/x:1 wants 443 as two.example', 'b/x:1 wants 443 as one.example'],
      locked: ['a/x:1 0:443 one.example'],
      assigned: ['a/x:1 0:443 two.example', 'b/x:1 0:443 one.example'],
    },
  ],
  [
    'other names take no name of somebody else',
    {
      rules: RULES,
      asks: ['a/x:1 wants 443 as two.example', 'b/x:1 wants 443 as two.example'],
      locked: ['a/x:1 0:443 one.example', 'b/x:1 0:443 two.example'],
      assigned: ['a/x:1 0:443 one.example', 'b/x:1 0:443 two.example'],
      faults: ['port-conflict'],
    },
  ],
  [
    'an endpoint is published once',
    { rules: RULES, asks: ['a/x:1', 'a/x:1'], assigned: ['a/x:1 0:1'], faults: ['endpoint-twice'] },
  ],
  [
    'a port that does not exist is no port',
    {
      rules: REMAP,
      asks: ['a/x:0', 'a/x:65536', 'a/x:1'],
      assigned: ['a/x:1 0:1'],
      faults: ['port-range', 'port-range'],
    },
  ],
  [
    'nothing is given where a range is none',
    { rules: { ...REMAP, remapRange: { first: 2, last: 1 } }, asks: ['a/x:1'], assigned: [], faults: ['port-range'] },
  ],
  [
    'nor where a range ends nowhere',
    {
      rules: { ...RULES, runtimeRanges: [{ first: 1, last: 70000 }] },
      asks: ['a/x:1'],
      assigned: [],
      faults: ['port-range'],
    },
  ],
  [
    'a balancer for nobody carries nobody',
    { rules: capped(SHARD, 0), asks: ['a/x:1'], assigned: [], faults: ['too-many-ports'] },
  ],
])('%s', (_, { rules, asks: texts, locked: lines = [], assigned, faults = [] }) => {
  const found = assignPorts(texts.map(asks), locked(...lines), rules);
  expect(places(found.assigned)).toEqual(assigned);
  expect(ids(found.faults)).toEqual(faults);
  const backwards = assignPorts(texts.map(asks).reverse(), locked(...[...lines].reverse()), rules);
  expect(backwards).toEqual(found);
});

const told = (rules: PortRules, texts: string[], lines: string[] = []) =>
  assignPorts(texts.map(asks), locked(...lines), rules).faults.map(sentenceOfPorts);

test.each<[string, string[], string]>([
  [
    'a conflict, with both paths and what the platform can do',
    told(RULES, ['b/db:5432', 'a/db:5432']),
    'ports: a/db:5432 of App/a and b/db:5432 of App/b both request port 5432; give one of the two another port, or let the shared load balancer find one: PortConflictPolicy.SHARD, .REMAP (port-conflict)',
  ],
  [
    'a conflict of names',
    told(RULES, ['a/x:1 wants 443 as one.example', 'b/x:1 wants 443 as one.example']),
    'ports: a/x:1 of App/a and b/x:1 of App/b both request the name one.example at port 443; give one of the two another name (port-conflict)',
  ],
  [
    'a port of somebody who is gone',
    told(RULES, ['a/db:5432'], ['b/db:5432 0:5432']),
    'ports: a/db:5432 of App/a requests port 5432, which the lock file keeps for b/db:5432, which is gone; prune it with `npx cdk8s-load-balancers ports --prune`, or choose another port (port-taken)',
  ],
  [
    'too many ports of one Service, which no policy puts at two balancers',
    told({ ...RULES, maxPortsPerBalancer: 1 }, ['a/x:1', 'b/x:2', 'b/x:3']),
    'ports: 3 ports are requested of one balancer, which carries 1, and b/x of App/b alone requests 2, which stay together; split it into several Services, which are placed at several balancers by PortConflictPolicy.SHARD, or publish fewer ports (too-many-ports)',
  ],
  [
    'the same where there is but one balancer',
    told({ ...SHARD, maxPortsPerBalancer: 1, maxBalancers: 1 }, ['b/x:2', 'b/x:3']),
    'ports: 2 ports are requested of one balancer, which carries 1, and b/x of App/b alone requests 2, which stay together; publish fewer ports, or use another engine (too-many-ports)',
  ],
  [
    'too many ports, with those who want most',
    told({ ...RULES, maxPortsPerBalancer: 1 }, ['a/x:1', 'b/x:2', 'b/y:3']),
    'ports: 3 ports are requested of one balancer, which carries 1 (b 2, a 1); let PortConflictPolicy.SHARD make another balancer, publish fewer ports, or prune what is gone with `npx cdk8s-load-balancers ports --prune` (too-many-ports)',
  ],
  [
    'how many ports are wanted, also of those who are displaced',
    told({ ...REMAP, maxPortsPerBalancer: 1 }, ['a/x:1', 'b/x:1', 'c/x:1', 'd/x:2']),
    'ports: 4 ports are requested of one balancer, which carries 1 (a 1, b 1, c 1, d 1); let PortConflictPolicy.SHARD make another balancer, publish fewer ports, or prune what is gone with `npx cdk8s-load-balancers ports --prune` (too-many-ports)',
  ],
  [
    'a locked port that cannot be',
    told(REMAP, ['a/x:1'], ['a/x:1 0:30010']),
    'ports: a/x:1 of App/a is locked to port 30010 of balancer 0, which is in the range 30010 to 30019 of Services that are created at run time, and synth does not move it; undo the change, or inform its clients and move it with `npx cdk8s-load-balancers ports --release a/x:1` (port-locked)',
  ],
  [
    'a wish that changed under a lock',
    told({ ...RULES, conflict: PortConflictPolicy.SHARD }, ['a/x:1'], ['a/x:1 0:2']),
    'ports: a/x:1 of App/a is locked to port 2 of balancer 0, while it requests port 1 and PortConflictPolicy.SHARD assigns no other, and synth does not move it; undo the change, or inform its clients and move it with `npx cdk8s-load-balancers ports --release a/x:1` (port-locked)',
  ],
  [
    'a Service that fits nowhere',
    told({ ...SHARD, maxBalancers: 1 }, ['a/x:1', 'b/x:1']),
    'ports: b/x:1 of App/b fits on none of 1 balancers, where ports 1 of b/x must be together; raise the number of balancers, choose other ports, or prune what is gone with `npx cdk8s-load-balancers ports --prune` (too-many-balancers)',
  ],
  [
    'ports that ended',
    told({ ...REMAP, remapRange: { first: 30010, last: 30011 } }, ['a/x:1', 'b/x:1']),
    'ports: b/x:1 of App/b cannot have port 1, and no port of 30010 to 30011 is free; widen remapPorts, or prune what is gone with `npx cdk8s-load-balancers ports --prune` (no-free-port)',
  ],
])('says %s', (_, found, expected) => {
  expect(found).toEqual([expected]);
});
