import { connect } from 'node:tls';
import { until } from '../real/program';
import { Balancer } from './harness/balancer';
import { Engine, gatewayRef } from './harness/engine';
import type { Envoy } from './harness/envoy';

import { Authority, Broker, type Identity, JavaClient, kafkaHome, voter } from './kafka/broker';

import {
  kafkaManifests,
  listenerOf,
  NAMESPACE,
  operatorObjects,
  SHARED_NAME,
  SHARED_NAMESPACE,
  TENANT_LABELS,
  wantedBrokers,
} from './kafka/manifests';

// Three real brokers of Kafka behind TLS routes of a shared balancer, and Kafka's own client in Java: every byte goes through a balancer
// and one of two real Envoys, which know brokers by the name that the client asks for.

const PLATFORM = 'system:serviceaccount:flux-system:kustomize-controller';
const TLS_PORT = 443;
const PARTITIONS = 12;

const manifests = kafkaManifests();
const wanted = wantedBrokers(manifests);
const listener = listenerOf(manifests);
const bootstrapHost: string = listener.configuration.bootstrap.host;
const names = [bootstrapHost, ...wanted.map(({ host }) => host)];

let engine: Engine;
let envoys: Envoy[];
let balancer: Balancer;
let brokers: Broker[] = [];
let client: JavaClient;
let authority: Authority;
let user: Identity;

beforeAll(async () => {
  const home = kafkaHome();
  engine = await Engine.start();
  const { folder } = engine.plane;
  authority = new Authority(folder);
  user = authority.issue('user');
  const startBrokers = () =>
    Promise.all(
      wanted.map(({ id, address, advertised }) =>
        Broker.start(home, {
          id,
          address,
          advertised,
          folder,
          listener: {
            name: listener.name,
            port: listener.port,
            needsCertificate: listener.authentication.type === 'tls',
          },
          config: manifests.kafka.spec.kafka.config,
          roles: manifests.pool.spec.roles,
          voters: wanted.map((each) => voter(each.id, each.address)),
          // of a broker of Strimzi's, which has the name of bootstrap too
          identity: authority.issue(`broker-${id}`, [advertised.host, bootstrapHost]),
          trusted: authority.file,
        }),
      ),
    );
  const api = engine.api.actingAs(PLATFORM, ['system:masters']);
  for (const [name, labels] of Object.entries({ [SHARED_NAMESPACE]: {}, [NAMESPACE]: TENANT_LABELS })) {
    await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  }
  for (const object of [...manifests.platform, ...manifests.tenant, ...operatorObjects(manifests)]) {
    await api.create(object);
  }
  envoys = await engine.envoys(SHARED_NAME, 2);
  brokers = await startBrokers();
  balancer = await Balancer.start({ folder, ports: [TLS_PORT], targets: envoys.map(({ address }) => address) });
  const hosts = Object.fromEntries(names.map((name) => [name, balancer.address]));
  for (const name of names) {
    let seen = '';
    const leads = async () => {
      seen = await certificateAt(name);
      return /^broker-\d+$/.test(seen);
    };
    await until(`${name} to lead to a broker`, leads, { seconds: 60, seen: () => seen });
  }
  const bootstrap = `${bootstrapHost}:${TLS_PORT}`;
  client = await JavaClient.start(home, { bootstrap, hosts, folder, identity: user, trusted: authority.file });
  await client.ask(`topic ${PARTITIONS}`);
}, 300_000);

afterAll(async () => {
  await client?.close();
  await Promise.all(brokers.map((each) => each.kill()));
  await balancer?.stop();
  await engine?.stop();
});

/** The name in the certificate of whoever answers to a name, or why there is no TLS with him. */
function certificateAt(servername: string): Promise<string> {
  return new Promise((resolve) => {
    const { key, cert } = user;
    const socket = connect({ host: balancer.address, port: TLS_PORT, servername, ca: authority.cert, key, cert });
    const end = (answer: string) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('secureConnect', () => end(String(socket.getPeerCertificate().subject.CN)));
    socket.once('error', ({ message }) => end(message)).once('close', () => end('closed'));
  });
}

/** Connections that Envoys made so far to what each route leads to, by the name of the route. */
async function connectionsByRoute(): Promise<Record<string, number>> {
  const sums = Object.fromEntries(manifests.serviceNames.map((name) => [name, 0]));
  for (const envoy of envoys) {
    const statistics = await envoy.statistics(`tlsroute/${NAMESPACE}/.*upstream_cx_total$`);
    for (const [statistic, value] of Object.entries(statistics)) {
      const route = manifests.serviceNames.find((name) => statistic.includes(`/${NAMESPACE}/${name}/`));
      if (route !== undefined) {
        sums[route] += value;
      }
    }
  }
  return sums;
}

test('the listeners that Kafka has in a ListenerSet of its own are programmed, and so are its routes', async () => {
  const [{ metadata }] = manifests.tenant;
  const set = await engine.conditions(gatewayRef('ListenerSet', NAMESPACE, metadata.name));
  expect(set).toMatchObject({ Accepted: 'True Accepted', Programmed: 'True Programmed' });
  for (const name of manifests.serviceNames) {
    const { status } = await engine.api.get(gatewayRef('TLSRoute', NAMESPACE, name));
    const reasons = status.parents.flatMap((parent: { conditions: { type: string; reason: string }[] }) =>
      parent.conditions.map(({ type, reason }) => `${type} ${reason}`),
    );
    expect(reasons.sort()).toEqual(['Accepted Accepted', 'ResolvedRefs ResolvedRefs']);
  }
});

test('TLS ends at the broker whose name the client asks for', async () => {
  for (const { id, host } of wanted) {
    expect(await certificateAt(host)).toBe(`broker-${id}`);
  }
  expect(await certificateAt(bootstrapHost)).toMatch(/^broker-[012]$/);
});

test('brokers tell the client the names and the port of the Kafka resource', async () => {
  expect(await client.ask('brokers')).toEqual({
    brokers: wanted.map(({ id, advertised }) => `${id}=${advertised.host}:${advertised.port}`),
  });
});

test('records are produced to all brokers and consumed again, each broker over connections of its own', async () => {
  const before = await connectionsByRoute();
  expect(await client.ask('produce 3000')).toEqual({ sent: 3000, acknowledged: 3000, failed: 0 });
  expect(await client.ask('read')).toEqual({ total: 3000, distinct: 3000, missing: 0 });
  const after = await connectionsByRoute();
  for (const { service } of wanted) {
    expect(after[service]).toBeGreaterThan(before[service]);
  }
});

test('a broker is restarted while records are produced: none that was acknowledged is lost, and none comes twice', async () => {
  const [restarted] = brokers;
  const { service } = wanted[0];
  const all = { inSync: 3 * PARTITIONS };
  await until('all replicas to be in sync', async () => (await client.ask('in-sync')).inSync === all.inSync);
  const before = await connectionsByRoute();
  const { acknowledged: first } = await client.ask('sums');
  await client.ask('begin');
  await until('records to flow', async () => Number((await client.ask('sums')).acknowledged) > Number(first) + 200);
  await restarted.stop();
  const { acknowledged: withoutIt } = await client.ask('sums');
  await until('records to flow without it', async () => {
    const { acknowledged } = await client.ask('sums');
    return Number(acknowledged) > Number(withoutIt) + 400;
  });
  const others = wanted.slice(1).map(({ id, advertised }) => `${id}=${advertised.host}:${advertised.port}`);
  expect(await client.ask('brokers')).toEqual({ brokers: others });
  await restarted.run();
  await until('all replicas to be in sync again', async () => (await client.ask('in-sync')).inSync === all.inSync);
  // it leads again what it led before, which it would in some minutes by itself
  await client.ask('rebalance');
  await until('connections to the broker that is back', async () => {
    return (await connectionsByRoute())[service] > before[service];
  });
  const sums = await client.ask('end');
  expect(sums).toMatchObject({ acknowledged: sums.sent, failed: 0 });
  expect(await client.ask('read')).toEqual({ total: sums.sent, distinct: sums.sent, missing: 0 });
});
