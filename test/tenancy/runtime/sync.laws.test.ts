import * as fc from 'fast-check';
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

  test('an address is told only where every port that has no error is programmed', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const world = new World(configOf({ conflict }));
        events.forEach((one) => void happen(world, one));
        world.settle();
        for (const service of world.of('Service')) {
          const { name, namespace } = service.metadata;
          const isServed = world.condition(name, namespace).status === 'True';
          expect(world.get('ListenerSet', `service-${name}`, namespace) !== undefined || !isServed).toBe(true);
          expect((world.ingress(name, namespace) ?? []).some((one) => !one.ports)).toBe(isServed);
        }
      }),
      TIMES,
    );
  });
});
