import { freePorts, until } from '../real/program';

import { echoed, newScene, objects, rendered, suspend } from './harness/scene';

// A tenant that is suspended while HAProxy runs: the controller writes the list of them, and reloads.

const { HAPROXY = 'haproxy', HAPROXY_WITH_BANDWIDTH: NEWER = HAPROXY } = process.env;
const HAPROXIES: [string, string][] = [
  ['the one that is installed', HAPROXY],
  ...(NEWER === HAPROXY ? [] : [['a newer one', NEWER] as [string, string]]),
];

const scene = newScene();

/** How many of some connections are served. */
async function served(port: number, first?: string, count = 20): Promise<number> {
  const said = await Promise.all(Array.from({ length: count }, () => scene.ask(port, undefined, first)));
  return said.filter((one) => one.said !== '').length;
}

/**
 * Lets HAProxy read the list anew, and waits until a tenant fares as it should. The process of before takes
 * connections beside the new one until it has heard that it is replaced: one connection tells nothing, twenty do.
 */
async function afterSuspending(tenants: string[], tenant: { port: number; first?: string; isServed: boolean }) {
  suspend(scene.folder, tenants);
  await scene.reload();
  await until('the reload', async () => {
    const before = scene.answers.length;
    const count = await served(tenant.port, tenant.first);
    scene.hangUp(before);
    return count === (tenant.isServed ? 20 : 0);
  });
}

describe.each(HAPROXIES)('%s', (_name, haproxy) => {
  test.each([
    ['without the PROXY protocol', false, undefined],
    ['behind the PROXY protocol', true, 'PROXY TCP4 10.0.0.1 127.0.0.1 40000 5432\r\n'],
  ])(
    '%s a suspended tenant gets no new connection at any port, others lose none, and it comes back',
    async (_, proxyProtocol, first) => {
      const [a, more, b] = await freePorts(3);
      const services: Record<string, string> = { 'infra/shared-tenants': '' };
      for (const name of ['team-a', 'team-b']) {
        const at = await scene.named(name);
        Object.assign(services, { [`${name}/db`]: '', [`${name}/db:5432`]: at, [`${name}/db:5433`]: at });
      }
      const tenants = [
        { name: 'team-a', port: a, more, maxConnections: 100 },
        { name: 'team-b', port: b },
      ];
      const { configuration } = rendered(objects(tenants, proxyProtocol), services);
      await scene.start(haproxy, configuration, [a, more, b]);
      const [heldByA, heldByB] = [await scene.ask(a, undefined, first), await scene.ask(b, undefined, first)];
      expect([heldByA.said, heldByB.said]).toEqual(['team-a', 'team-b']);

      await afterSuspending(['team-a'], { port: a, first, isServed: false });
      expect([await served(a, first), await served(more, first), await served(b, first)]).toEqual([0, 0, 20]);
      // what is held goes on, of others and of the tenant itself
      expect([await echoed(heldByA, 'a'), await echoed(heldByB, 'b')]).toEqual(['a', 'b']);

      await afterSuspending([], { port: a, first, isServed: true });
      expect([await served(a, first), await served(more, first), await served(b, first)]).toEqual([20, 20, 20]);
      expect(await echoed(heldByB, 'b')).toBe('b');
    },
  );
});
