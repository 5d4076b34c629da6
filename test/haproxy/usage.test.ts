import { samplesOf } from '../../programs/tenant-watch/metrics-text';
import { HAPROXY_READER } from '../../src/tenancy/engines/haproxy/statistics';
import { freePorts, until } from '../real/program';

import { newScene, objects, rendered } from './harness/scene';

// What a real HAProxy counts of tenants, as it is read at run time.

const HAPROXY = process.env.HAPROXY ?? 'haproxy';
const LIMIT = 5;

const scene = newScene();

/** As the controller configures it: pkg/haproxy/config, the frontend of statistics. */
const statistics = (port: number) => `
frontend stats
  mode http
  bind 127.0.0.1:${port}
  http-request use-service prometheus-exporter if { path /metrics }
`;

test.each([
  ['without the PROXY protocol', false, undefined],
  ['behind the PROXY protocol', true, 'PROXY TCP4 10.0.0.1 127.0.0.1 40000 5432\r\n'],
])(
  '%s connections, bytes and what is refused are those of the tenant and the Service',
  async (_, proxyProtocol, first) => {
    const [a, b, metrics] = await freePorts(3);
    const services: Record<string, string> = { 'infra/shared-tenants': '' };
    for (const name of ['team-a', 'team-b']) {
      Object.assign(services, { [`${name}/db`]: '', [`${name}/db:5432`]: await scene.named(name) });
    }
    const tenants = [
      { name: 'team-a', port: a, maxConnections: LIMIT },
      { name: 'team-b', port: b },
    ];
    const { configuration } = rendered(objects(tenants, proxyProtocol), services);
    await scene.start(HAPROXY, configuration + statistics(metrics), [a, b, metrics]);
    const read = async () => {
      const { url } = { url: `http://127.0.0.1:${metrics}${HAPROXY_READER.path}` };
      const text = await (await fetch(url, { headers: { connection: 'close' } })).text();
      return HAPROXY_READER.read(samplesOf(text), {
        isTenant: (namespace) => ['team-a', 'team-b'].includes(namespace),
        isLimitedAlone: (namespace) => namespace === 'team-a',
        ownerOf: () => undefined,
      });
    };
    const sum = async (tenant: string, counted: string) =>
      (await read())
        .filter((one) => one.tenant === tenant && one.counted === counted && one.service === 'db')
        .reduce((total, { value }) => total + value, 0);

    const ended = () => until('the ends', async () => (await sum('team-a', 'connections')) === 0);
    await ended(); // the start looked whether it listens
    const before = await sum('team-a', 'bytesOut');
    for (let i = 0; i < LIMIT + 4; i++) {
      await scene.ask(a, undefined, first);
    }
    await scene.ask(b, undefined, first);
    expect(scene.answers.filter(({ said }) => said === 'team-a')).toHaveLength(LIMIT);
    expect([await sum('team-a', 'connections'), await sum('team-b', 'connections')]).toEqual([LIMIT, 1]);
    expect([await sum('team-a', 'limited'), await sum('team-b', 'limited')]).toEqual([4, 0]);
    scene.hangUp();
    // bytes are counted when a session ends
    await ended();
    expect((await sum('team-a', 'bytesOut')) - before).toBe(LIMIT * 'team-a\n'.length);
  },
);
