import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { until } from '../real/program';
import { answerOf, connectTo, Held, proxyHeader, SILENCE } from './harness/client';
import { Engine } from './harness/engine';
import type { Envoy } from './harness/envoy';
import { Delivery, sharedApp } from './harness/tenants';

// Who gets in, and to whom: TLS by host name, source ranges and the PROXY protocol at real Envoys.

/** A key with a certificate of this machine's own making. */
function certificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = ['key.pem', 'cert.pem'].map((each) => join(folder, each));
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=tcp.example.com'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-days', '2', '-keyout', key, '-out', cert], { stdio: 'pipe' });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

const tls = certificate();
let engine: Engine;

beforeAll(async () => {
  engine = await Engine.start({
    behaviour: ({ metadata: { namespace } }) => {
      if (namespace.startsWith('tls-')) {
        return { ports: [8443, 9443], tls };
      }
      return /^(ranged|proxied)-a$/.test(namespace) ? { ports: [5432, 5433], isSilent: true } : undefined;
    },
  });
});

afterAll(() => engine?.stop());

/** The proxies that serve an app, and listen at some ports. */
async function served(app: Parameters<typeof sharedApp>[0], ports: readonly number[]): Promise<readonly Envoy[]> {
  await new Delivery(engine).deliver(sharedApp(app));
  const envoys = await engine.envoys(app.name ?? 'shared', app.replicas ?? 2);
  await engine.listening(envoys, ports);
  return envoys;
}

/** What is answered once anybody is served at all. */
function answered(target: Parameters<typeof connectTo>[0]): Promise<string> {
  return until('an answer', async () => {
    const said = await answerOf(target);
    return said !== '' && said !== SILENCE && said;
  });
}

describe('TLS that is passed on by host name', () => {
  let envoys: readonly Envoy[];
  const at = (envoy: Envoy, serverName: string, from?: string) => ({
    ...{ host: envoy.address, port: 10_443, serverName, from },
  });

  beforeAll(async () => {
    const tenants = [
      {
        ...{ name: 'tls-a', sourceRanges: ['10.0.0.0/16'] },
        ports: [
          { port: 8443, hostnames: ['api.tls-a.tcp.example.com'] },
          { port: 9443, hostnames: ['admin.tls-a.tcp.example.com'] },
        ],
      },
      {
        ...{ name: 'tls-b', maxConnections: 40 },
        ports: [
          { port: 8443, hostnames: ['api.tls-b.tcp.example.com'] },
          { port: 9443, hostnames: ['web.tls-b.tcp.example.com'] },
        ],
      },
    ];
    envoys = await served({ name: 'by-name', tenants }, [10_443]);
  });

  test('each name leads to the port of its tenant, at every proxy', async () => {
    for (const envoy of envoys) {
      expect(await answered(at(envoy, 'api.tls-a.tcp.example.com', '10.0.0.7'))).toMatch(/^tls-a\/db-.*:8443$/);
      expect(await answered(at(envoy, 'admin.tls-a.tcp.example.com', '10.0.0.7'))).toMatch(/^tls-a\/db-.*:9443$/);
      expect(await answered(at(envoy, 'api.tls-b.tcp.example.com'))).toMatch(/^tls-b\/db-.*:8443$/);
    }
  });

  test('a name that no tenant has, and a client that names none, are closed', async () => {
    for (const envoy of envoys) {
      expect(await answerOf(at(envoy, 'other.tls-b.tcp.example.com'))).toBe('');
      expect(await answerOf(at(envoy, 'tls-b.tcp.example.com'))).toBe('');
      expect(await answerOf(at(envoy, ''))).toBe('');
      expect(await answerOf({ host: envoy.address, port: 10_443, first: Buffer.from('no TLS at all\n') })).toBe('');
    }
  });

  test('the certificate is that of the pods: the proxies end no TLS', async () => {
    const { socket } = await connectTo(at(envoys[0], 'api.tls-b.tcp.example.com'));
    const peer = (socket as TLSSocket).getPeerX509Certificate();
    socket.destroy();
    expect(peer?.subject).toBe('CN=tcp.example.com');
    expect(peer?.fingerprint256).toBe(new X509Certificate(tls.cert).fingerprint256);
  });

  test('source ranges of a tenant hold for its names, and for those of no other tenant at the same port', async () => {
    for (const envoy of envoys) {
      expect(await answerOf(at(envoy, 'api.tls-a.tcp.example.com', '192.0.2.7'))).toBe('');
      expect(await answerOf(at(envoy, 'admin.tls-a.tcp.example.com', '10.8.0.7'))).toBe('');
      expect(await answerOf(at(envoy, 'api.tls-b.tcp.example.com', '192.0.2.7'))).toMatch(/^tls-b/);
    }
  });

  test('the share of a limit holds for each name, so that names together keep to the limit', async () => {
    const policy = { apiVersion: 'gateway.envoyproxy.io/v1alpha1', kind: 'ClientTrafficPolicy' };
    const { spec } = await engine.api.get({ ...policy, metadata: { name: 'by-name', namespace: 'tls-b' } });
    const share: number = spec.connection.connectionLimit.value;
    const names = ['api', 'web'].map((each) => `${each}.tls-b.tcp.example.com`);
    const all = await Promise.all(
      envoys.flatMap((envoy) => names.map((name) => Held.open(share + 5, at(envoy, name), share + 5))),
    );
    expect(all.map(({ served, refused }) => [served, refused])).toEqual(all.map(() => [share, 5]));
    expect(all.reduce((sum, { served }) => sum + served, 0)).toBeLessThanOrEqual(40);
    for (const each of all) each.close();
  });
});

describe('source ranges', () => {
  let envoys: readonly Envoy[];
  const first = Buffer.from('hello\n');
  const at = (envoy: Envoy, port: number, from: string) => ({ host: envoy.address, port, from, first });

  beforeAll(async () => {
    const tenants = [
      { name: 'ranged-a', ports: [{ port: 5432 }, { port: 5433 }], sourceRanges: ['10.0.0.0/16', '203.0.113.7/32'] },
      { name: 'ranged-b', ports: [{ port: 6379 }] },
      { name: 'ranged-c', ports: [{ port: 3306 }], sourceRanges: ['10.0.0.0/16'], maxConnections: 20 },
    ];
    envoys = await served({ name: 'by-range', tenants }, [5432, 5433, 6379, 3306]);
  });

  test.each(['10.0.0.7', '10.0.255.254', '203.0.113.7'])(
    '%s is in one, and is let in at every port of the Service',
    async (from) => {
      for (const envoy of envoys) {
        expect(await answered(at(envoy, 5432, from))).toMatch(/^ranged-a\/db-.*:5432$/);
        expect(await answered(at(envoy, 5433, from))).toMatch(/^ranged-a\/db-.*:5433$/);
      }
    },
  );

  test.each(['10.8.0.7', '203.0.113.8', '192.0.2.7'])(
    '%s is in none, and is let in at the ports of others alone',
    async (from) => {
      for (const envoy of envoys) {
        expect(await answerOf(at(envoy, 5432, from))).toBe('');
        expect(await answerOf(at(envoy, 5433, from))).toBe('');
        expect(await answered(at(envoy, 6379, from))).toMatch(/^ranged-b/);
      }
    },
  );

  test('who is denied hears no answer: the pods were asked by those alone who were let in', async () => {
    const denied = await Held.open(50, at(envoys[0], 5432, '192.0.2.7'));
    const allowed = await Held.open(20, at(envoys[0], 5432, '10.0.0.7'));
    expect([denied.served, denied.refused, allowed.served]).toEqual([0, 50, 20]);
    for (const each of [denied, allowed]) each.close();
  });

  test('who is denied is closed at its first byte: until then it hears a server that speaks first, and has a part of the share', async () => {
    const [envoy] = envoys;
    const silent = { host: envoy.address, port: 3306, from: '192.0.2.7' };
    await answered({ ...silent, from: '10.0.0.7' });
    // those before have left a moment later
    const denied = await until('all of the share', async () => {
      const found = await Held.open(10, silent);
      return found.served === 10 ? found : void found.close();
    });
    expect((await Held.open(5, { ...silent, from: '10.0.0.7' })).served).toBe(0);
    expect(await denied.alive()).toBe(0);
    await until('room', async () => (await answerOf({ ...silent, from: '10.0.0.7' })).startsWith('ranged-c/'));
    denied.close();
  });
});

describe('the PROXY protocol', () => {
  let envoys: readonly Envoy[];
  const at = (envoy: Envoy, port: number, client?: string, words = '') => ({
    ...{ host: envoy.address, port },
    first: Buffer.concat([...(client === undefined ? [] : [proxyHeader(client)]), Buffer.from(words)]),
  });

  beforeAll(async () => {
    const tenants = [
      { name: 'proxied-a', ports: [{ port: 5432 }], sourceRanges: ['203.0.113.0/24'], maxConnections: 40 },
      { name: 'proxied-b', ports: [{ port: 6379 }] },
      {
        ...{ name: 'tls-c', sourceRanges: ['203.0.113.0/24'] },
        ports: [{ port: 8443, hostnames: ['x.tls-c.tcp.example.com'] }],
      },
    ];
    envoys = await served({ name: 'by-header', proxyProtocol: true, tenants }, [5432, 6379, 10_443]);
  });

  test('source ranges are compared with the client that the header names, not with the balancer that sends it', async () => {
    for (const envoy of envoys) {
      expect(await answered(at(envoy, 5432, '203.0.113.9', 'hello\n'))).toMatch(/^proxied-a/);
      expect(await answerOf(at(envoy, 5432, '198.51.100.9', 'hello\n'))).toBe('');
      expect(await answered(at(envoy, 6379, '198.51.100.9'))).toMatch(/^proxied-b/);
    }
  });

  test('so are those of a TLS name', async () => {
    const named = (client: string) => ({ ...at(envoys[0], 10_443, client), serverName: 'x.tls-c.tcp.example.com' });
    expect(await answered(named('203.0.113.9'))).toMatch(/^tls-c/);
    expect(await answerOf(named('198.51.100.9'))).toBe('');
  });

  test('a client that speaks without a header is refused, at ports with a limit or without one', async () => {
    for (const envoy of envoys) {
      expect(await answerOf(at(envoy, 5432, undefined, 'a client without a header\n'))).toBe('');
      expect(await answerOf(at(envoy, 6379, undefined, 'a client without a header\n'))).toBe('');
    }
  });

  test('a client that sends no header and waits is served by nobody, and closed in the end', async () => {
    const { said, socket, milliseconds } = await connectTo({ ...at(envoys[0], 6379, undefined), patience: 30_000 });
    socket.destroy();
    expect(said).toBe('');
    expect(milliseconds).toBeGreaterThan(5000);
  });

  test('the limit holds over all clients behind the balancer, as they have one header each', async () => {
    const held = await Promise.all(
      envoys.map((envoy) => Held.open(30, (index) => at(envoy, 5432, `203.0.113.${index + 1}`, 'hello\n'), 30)),
    );
    expect(held.map(({ served, refused }) => [served, refused])).toEqual([
      [20, 10],
      [20, 10],
    ]);
    for (const each of held) each.close();
  });

  test('pods see the proxies, not the clients', async () => {
    const held = await Held.open(1, at(envoys[0], 6379, '198.51.100.9'));
    const [app] = [...engine.kubelet.apps.values()].filter(({ name }) => name.startsWith('proxied-b/'));
    await until('nobody but it', () => app.served.size === 1);
    const seen = [...app.served].map(({ from }) => from);
    held.close();
    expect(seen).toEqual([envoys[0].address]);
  });
});

describe('many connections', () => {
  test('a limit is no more than the tenant gets: it gets all of it', async () => {
    const tenants = [{ name: 'many-a', ports: [{ port: 5432 }], maxConnections: 1500 }];
    const [envoy] = await served({ name: 'many', replicas: 1, tenants }, [5432]);
    await answered({ host: envoy.address, port: 5432 });
    const held = await Held.open(1550, { host: envoy.address, port: 5432 }, 100);
    expect([held.served, held.refused]).toEqual([1500, 50]);
    held.close();
  });

  test('a tenant without a limit has 1,024 for each route in each proxy, of 50,000 for all', async () => {
    const tenants = [{ name: 'free-a', ports: [{ port: 5432 }, { port: 5433 }] }];
    const [envoy] = await served({ name: 'free', replicas: 1, tenants }, [5432, 5433]);
    const { address: host } = envoy;
    await answered({ host, port: 5432 });
    await answered({ host, port: 5433 });
    const held = await Held.open(1074, { host, port: 5432 }, 100);
    const other = await Held.open(100, { host, port: 5433 });
    expect([held.served, held.refused, other.served]).toEqual([1024, 50, 100]);
    held.close();
    other.close();
    expect(await envoy.admin('/config_dump')).toMatch(/"max_active_downstream_connections": "?50000"?/);
  });
});
