import * as fc from 'fast-check';
import type { SyncRequest } from '../../../programs/shared-services-hook/cluster-state';
import type { Document } from '../../../src/tenancy/engines/contract/publishing';
import { tries } from '../../support/random';
import { configOf, World } from './world';

// Whatever happens to Services in whatever order: in the end no port has two owners, none lies outside of its namespace's,
// and nothing is written any more.

const NAMESPACES = ['team-a', 'team-b', 'stranger'] as const;
const name = fc.constantFrom('db', 'cache', 'queue', 'mail');
const namespace = fc.constantFrom(...NAMESPACES);
const ports = fc.uniqueArray(fc.constantFrom(31000, 31001, 31005, 31012, 31013, 80, 5432), {
  minLength: 1,
  maxLength: 3,
});

type Event = { readonly kind: 'put' | 'remove' | 'step' | 'program'; name: string; namespace: string; ports: number[] };
const event: fc.Arbitrary<Event> = fc.record({
  kind: fc.constantFrom(
    'put' as const,
    'put' as const,
    'step' as const,
    'step' as const,
    'remove' as const,
    'program' as const,
  ),
  name,
  namespace,
  ports,
});

function happen(world: World, { kind, name, namespace, ports }: Event): void {
  const there = world.get('Service', name, namespace);
  if (kind === 'program') {
    world.program();
  } else if (kind === 'put' && there) {
    world.put({ ...there, spec: { ...there.spec, ports: ports.map((port) => ({ port, protocol: 'TCP' })) } });
  } else if (kind === 'put') {
    world.service({ name, namespace, ports });
  } else if (there && kind === 'step') {
    world.step(name, namespace);
  } else if (there) {
    world.remove('Service', name, namespace);
  }
}

function listeners(world: World): { port: number; namespace: string }[] {
  return world
    .of('ListenerSet')
    .flatMap(({ spec, metadata }) =>
      spec.listeners.map(({ port }: Document) => ({ port, namespace: metadata.namespace })),
    );
}

const TIMES = { numRuns: tries(80) };

describe.each(['FAIL', 'REMAP'] as const)('%s', (conflict) => {
  test('no port has two owners, and each is one of its namespace', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const world = new World(configOf({ conflict }));
        events.forEach((one) => void happen(world, one));
        world.settle();
        const all = listeners(world);
        expect(new Set(all.map(({ port }) => port)).size).toBe(all.length);
        for (const { port, namespace } of all) {
          const range = world.config.tenants[namespace].ports;
          expect(port >= (range?.first ?? 1) && port <= (range?.last ?? 0)).toBe(true);
        }
      }),
      TIMES,
    );
  });

  test('never has the balancer more ports than it carries, and it has as many as are wanted', () => {
    const capacity = { ports: 4, locked: [5432, 5433] };
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const world = new World(configOf({ conflict, capacity }));
        for (const one of events) {
          happen(world, one);
          expect(listeners(world).length).toBeLessThanOrEqual(2);
        }
        world.settle();
        const isFull = world
          .of('Service')
          .some(({ metadata: { name, namespace } }) => world.condition(name, namespace).reason === 'BalancerFull');
        expect(listeners(world).length).toBeLessThanOrEqual(2);
        expect(isFull && listeners(world).length < 2).toBe(false);
      }),
      TIMES,
    );
  });

  test('more ports than it carries, published at one moment, are fewer in the end', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const world = new World(configOf({ conflict }));
        events.forEach((one) => void happen(world, one));
        world.settle();
        world.config = configOf({ conflict, capacity: { ports: 2, locked: [] } });
        world.settle();
        expect(listeners(world).length).toBeLessThanOrEqual(2);
      }),
      TIMES,
    );
  });

  test('once settled, nothing is written, whoever asks again', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const world = new World(configOf({ conflict }));
        events.forEach((one) => void happen(world, one));
        world.settle();
        const before = world.writes;
        world.clock += 3_600_000;
        for (const { metadata } of world.of('Service').reverse()) {
          world.step(metadata.name, metadata.namespace);
        }
        expect(world.writes).toBe(before);
      }),
      TIMES,
    );
  });

  test('who comes later moves nobody who is served', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), name, ports, (events, late, wanted) => {
        const world = new World(configOf({ conflict }));
        events.forEach((one) => void happen(world, one));
        world.settle();
        const before = new Map(world.of('ListenerSet').map((set) => [set.metadata.uid, JSON.stringify(set.spec)]));
        world.service({ name: `late-${late}`, ports: wanted });
        world.settle();
        for (const set of world.of('ListenerSet')) {
          expect(before.get(set.metadata.uid) ?? JSON.stringify(set.spec)).toBe(JSON.stringify(set.spec));
        }
      }),
      TIMES,
    );
  });

  // clients of a port that is served keep the address while another port of the Service is refused
  test('an address without ports is reported if every port is programmed, and only if one is', () => {
    const on = (kind: Event['kind'], ports: number[]): Event => ({ kind, name: 'mail', namespace: 'team-a', ports });
    const refusedLater = [
      on('put', [31000]),
      on('step', []),
      on('program', []),
      on('step', []),
      on('put', [31000, 31013]),
    ];
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const world = new World(configOf({ conflict }));
        events.forEach((one) => void happen(world, one));
        world.settle();
        for (const service of world.of('Service')) {
          const { name, namespace } = service.metadata;
          const isReported = (world.ingress(name, namespace) ?? []).some((one) => !one.ports);
          const isServed = world.condition(name, namespace).status === 'True';
          const listeners = world.get('ListenerSet', `service-${name}`, namespace)?.status.listeners ?? [];
          expect(isReported || !isServed).toBe(true);
          expect(listeners.length > 0 || !isReported).toBe(true);
        }
      }),
      { ...TIMES, examples: [[refusedLater]] },
    );
  });
});

describe('seats', () => {
  // Ports of a balancer that carries few: hooks are called at once, with what they saw some time ago. Never is a port more published
  // than there are, nor one port twice, and no Service is refused for which there is room.

  const SEATS = { name: 'services', namespace: 'infra' };
  const ROOM = 3;
  const capacity = { ports: ROOM + 2, locked: [5432, 5433] };

  const name = fc.constantFrom('db', 'cache', 'queue', 'mail', 'log');
  const namespace = fc.constantFrom('team-a', 'team-b');
  const ports = fc.uniqueArray(fc.constantFrom(31000, 31001, 31005, 31012, 31013, 5000), {
    minLength: 1,
    maxLength: 2,
  });
  const kind = fc.constantFrom('put', 'put', 'look', 'look', 'answer', 'answer', 'table', 'write', 'go', 'seconds');
  const event = fc.record({ kind, name, namespace, ports });

  class Race {
    public readonly world: World;
    private readonly asked = new Map<string, SyncRequest>();
    private table: SyncRequest | undefined;

    public constructor(conflict: 'FAIL' | 'REMAP') {
      this.world = new World(configOf({ conflict, capacity, seats: SEATS }));
    }

    public happen({
      kind,
      name,
      namespace,
      ports,
    }: {
      kind: string;
      name: string;
      namespace: string;
      ports: number[];
    }) {
      const { world } = this;
      const key = `${namespace}/${name}`;
      const there = world.get('Service', name, namespace);
      switch (kind) {
        case 'put':
          if (!there) {
            world.service({ name, namespace, ports });
          } else {
            world.put({ ...there, spec: { ...there.spec, ports: ports.map((port) => ({ port, protocol: 'TCP' })) } });
          }
          break;
        case 'look':
          if (there && !this.asked.has(key)) this.asked.set(key, world.request(there));
          break;
        case 'answer': {
          // one turn after the other for each Service, and for each what it saw last
          const request = this.asked.get(key);
          if (there && request) world.step(name, namespace, { ...request, object: there });
          this.asked.delete(key);
          break;
        }
        case 'table':
          this.table = world.seatsRequest();
          break;
        case 'write':
          world.assignSeats(this.table);
          this.table = undefined;
          break;
        case 'go':
          if (there && !this.asked.has(key)) world.withdraw(name, namespace);
          break;
        default:
          world.clock += 4000;
          // what was asked is answered within seconds
          this.asked.clear();
          this.table = undefined;
      }
    }
  }

  function published(world: World): number[] {
    return world.of('ListenerSet').flatMap(({ spec }) => spec.listeners.map(({ port }: Document) => port));
  }

  describe.each(['FAIL', 'REMAP'] as const)('%s', (conflict) => {
    test('never are more ports published than there are, nor one twice', () => {
      fc.assert(
        fc.property(fc.array(event, { maxLength: 60 }), (events) => {
          const race = new Race(conflict);
          for (const one of events) {
            race.happen(one);
            const all = published(race.world);
            expect(all.length).toBeLessThanOrEqual(ROOM);
            expect(new Set(all).size).toBe(all.length);
          }
        }),
        { numRuns: tries(400) },
      );
    });

    test('in the end no Service is refused for which there is room, and nothing is written any more', () => {
      fc.assert(
        fc.property(fc.array(event, { maxLength: 40 }), (events) => {
          const race = new Race(conflict);
          events.forEach((one) => void race.happen(one));
          race.world.settle();
          const { world } = race;
          const reasons = world
            .of('Service')
            .filter(({ spec }) => spec.type === 'LoadBalancer')
            .map(({ metadata }) => world.condition(metadata.name, metadata.namespace)?.reason);
          expect(published(world).length).toBeLessThanOrEqual(ROOM);
          expect(reasons.includes('BalancerFull') && published(world).length < ROOM).toBe(false);
          expect(reasons).not.toContain('Pending');
          const before = world.writes;
          world.settle();
          expect(world.writes).toBe(before);
        }),
        { numRuns: tries(200) },
      );
    });
  });

  test('a table that was lost begins with what is published', () => {
    const world = new World(configOf({ capacity, seats: SEATS }));
    for (const [i, name] of ['one', 'two', 'three', 'four'].entries()) {
      world.service({ name, ports: [31000 + i] });
    }
    world.settle();
    const before = published(world);
    expect(before).toEqual([31000, 31001, 31002]);
    const table = world.get('Service', SEATS.name, SEATS.namespace) as Document;
    world.put({ ...table, metadata: { ...table.metadata, annotations: undefined } });
    world.settle();
    expect(published(world)).toEqual(before);
    expect(world.condition('four').reason).toBe('BalancerFull');
  });

  test('of two Services that come at once for the last port one has it, and the other is told', () => {
    const world = new World(configOf({ capacity: { ports: 1, locked: [] }, seats: SEATS }));
    world.service({ name: 'one', ports: [31000] });
    world.service({ name: 'two', namespace: 'team-b', ports: [31010] });
    // both hooks see an empty balancer
    const services = [world.get('Service', 'one'), world.get('Service', 'two', 'team-b')] as Document[];
    const requests = services.map((service) => world.request(service));
    services.forEach(({ metadata }, i) => void world.step(metadata.name, metadata.namespace, requests[i]));
    expect(published(world)).toEqual([]);
    expect(world.condition('one')).toMatchObject({ reason: 'Pending', message: expect.stringContaining('set aside') });
    world.settle();
    expect(published(world)).toEqual([31000]);
    expect([world.condition('one').reason, world.condition('two', 'team-b').reason]).toEqual([
      'Programmed',
      'BalancerFull',
    ]);
  });
});
