import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { MetalLb, SharedLoadBalancer, SharedLoadBalancerEngine, SharedServicesAtRunTime } from '../../src';
import { SHARED_CLASS, SHARED_CONDITION } from '../../src/tenancy/tenancy.facts';
import { type Running, RunTime } from '../cluster/harness/run-time';
import type { Body, Ref } from '../real/api';
import { definitionsFromFiles, install } from '../real/objects';
import { untilPoliciesHold } from '../real/policies';
import { pause, until } from '../real/program';
import { lockedAsWished } from '../tenancy/shared/locked';
import { answerOf, Held, SILENCE } from './harness/client';
import { Engine } from './harness/engine';
import type { Envoy } from './harness/envoy';
import { Delivery, TENANT_LABELS, workload } from './harness/tenants';

// Services that are created while Envoy runs: by port and by host name, with the hook as it is shipped; the controller that calls it
// is Metacontroller where METACONTROLLER names its program, and a stand-in else.

let engine: Engine;
let envoys: readonly Envoy[];
const running: Running[] = [];

function certificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=tcp.example.com'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-days', '2', '-keyout', key, '-out', cert], { stdio: 'pipe' });
  const made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}

const TENANTS = ['team-a', 'team-b'];

beforeAll(async () => {
  const tls = certificate();
  engine = await Engine.start({
    behaviour: ({ metadata }) => (metadata.labels?.app?.startsWith('tls') ? { ports: [8443], tls } : undefined),
  });
  const { api, plane } = engine;
  const platform = new Chart(new App(), 'platform', { namespace: 'infra' });
  const shared = new SharedLoadBalancer(platform, 'Shared', {
    engine: SharedLoadBalancerEngine.envoyGateway({ controller: MetalLb.bgp(), replicas: 2 }),
    namespaceLabels: TENANT_LABELS,
    hostname: 'tcp.example.com',
    portLock: lockedAsWished(),
  });
  for (const [i, name] of TENANTS.entries()) {
    const first = 31_000 + 100 * i;
    shared.addTenant(name, { runtimePorts: { first, last: first + 9 }, maxConnections: 400 });
  }
  const construct = new SharedServicesAtRunTime(platform, 'RunTime', { shared });
  const documents: Body[] = platform.toJson();
  await install(api, definitionsFromFiles('metacontroller.k8s.io'));
  await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'metacontroller' } });
  // the hook runs beside the tests
  const others = documents.filter(({ kind }) => kind !== 'DecoratorController' && kind !== 'Deployment') as Ref[];
  await new Delivery(engine).deliver([...TENANTS.flatMap((name) => workload(name, [1], 'unused')), ...others]);
  await untilPoliciesHold(api);
  envoys = await engine.envoys('shared', 2);
  const metadata = { name: 'envoy-infra-shared', namespace: 'envoy-gateway-system' };
  await engine.publish({ apiVersion: 'v1', kind: 'Service', metadata }, 'shared.elb.example.com');
  const runTime = await RunTime.of(plane);
  const made = { documents, construct };
  running.push(await runTime.startHook(made), await runTime.startController(made));
});

afterAll(async () => {
  for (const one of running.reverse()) {
    await one.stop();
  }
  await engine?.stop();
});

/** A Service as a chart of a tenant has it, and its pods. */
async function create(name: string, namespace: string, port: number, annotations: Body = {}): Promise<Ref> {
  const [deployment, service] = workload(namespace, [port], name);
  const made: Ref = {
    ...service,
    metadata: { ...service.metadata, labels: { [SHARED_CLASS]: 'true' }, annotations },
    spec: {
      ...(service as Body).spec,
      type: 'LoadBalancer',
      loadBalancerClass: SHARED_CLASS,
      allocateLoadBalancerNodePorts: false,
    },
  };
  await engine.api.create(deployment);
  await engine.api.create(made);
  return made;
}

async function conditionOf(ref: Ref): Promise<Body | undefined> {
  const { status } = await engine.api.get(ref);
  return (status.conditions ?? []).find(({ type }: Body) => type === SHARED_CONDITION);
}

const reasoned = (ref: Ref, reason: string) =>
  until(`${ref.metadata.name} to be ${reason}`, async () => (await conditionOf(ref))?.reason === reason, {
    seen: () => conditionOf(ref),
  });

function answered(port: number, envoy: Envoy, serverName?: string): Promise<string> {
  return until('an answer', async () => {
    const said = await answerOf({ host: envoy.address, port, serverName, patience: 2000 });
    return said !== '' && said !== SILENCE && said;
  });
}

const gone = (ref: Ref) => until(`${ref.metadata.name} to be gone`, async () => !(await engine.api.find(ref)));

test('a Service is served at both proxies, its connections are counted, and its port is closed when it goes', async () => {
  const db = await create('db', 'team-a', 31_001);
  const other = await create('db', 'team-b', 31_101);
  await reasoned(db, 'Programmed');
  await reasoned(other, 'Programmed');
  for (const envoy of envoys) {
    expect(await answered(31_001, envoy)).toMatch(/^team-a\/db-.*:31001$/);
    expect(await answered(31_101, envoy)).toMatch(/^team-b\/db-.*:31101$/);
  }
  // 400 of a tenant, over two proxies and its ten ports
  const held = await Held.open(30, { host: envoys[0].address, port: 31_001 });
  expect([held.served, held.refused]).toEqual([20, 10]);
  const stays = await Held.open(10, { host: envoys[0].address, port: 31_101 });
  held.close();

  await engine.api.delete(db);
  await gone(db);
  await until('its port to be closed', async () => (await answerOf({ host: envoys[0].address, port: 31_001 })) === '');
  expect(await stays.alive()).toBe(10);
  stays.close();
});

test('Services share the TLS port by name, and each name leads to its own pods alone', async () => {
  const hostnames = 'cdk8s-load-balancers/hostnames';
  const [one, two, strange] = [
    await create('tls-one', 'team-a', 8443, { [hostnames]: 'one.team-a.tcp.example.com,eins.team-a.tcp.example.com' }),
    await create('tls-two', 'team-b', 8443, { [hostnames]: 'two.team-b.tcp.example.com' }),
    await create('tls-bad', 'team-b', 8443, { [hostnames]: 'one.team-a.tcp.example.com' }),
  ];
  await reasoned(one, 'Programmed');
  await reasoned(two, 'Programmed');
  await reasoned(strange, 'HostNameNotAllowed');
  // ports below 1024 are others at the proxies
  for (const envoy of envoys) {
    expect(await answered(10_443, envoy, 'one.team-a.tcp.example.com')).toMatch(/^team-a\/tls-one-/);
    expect(await answered(10_443, envoy, 'eins.team-a.tcp.example.com')).toMatch(/^team-a\/tls-one-/);
    expect(await answered(10_443, envoy, 'two.team-b.tcp.example.com')).toMatch(/^team-b\/tls-two-/);
    expect(await answerOf({ host: envoy.address, port: 10_443, serverName: 'bad.team-b.tcp.example.com' })).toBe('');
  }
  expect((await engine.api.get(one)).status.loadBalancer.ingress).toEqual([
    { hostname: 'eins.team-a.tcp.example.com' },
    { hostname: 'one.team-a.tcp.example.com' },
  ]);
  await engine.api.delete(one);
  await gone(one);
  const [{ address: host }] = envoys;
  await until(
    'its names to lead nowhere',
    async () => (await answerOf({ host, port: 10_443, serverName: 'one.team-a.tcp.example.com' })) === '',
  );
  expect(await answered(10_443, envoys[0], 'two.team-b.tcp.example.com')).toMatch(/^team-b\/tls-two-/);
});

test('of Services that ask for one name at once one is served, and names and connections of others stay and come', async () => {
  const hostnames = 'cdk8s-load-balancers/hostnames';
  const name = 'same.team-a.tcp.example.com';
  const neighbour = 'stays.team-b.tcp.example.com';
  const at = (host: string, serverName: string) => ({ host, port: 10_443, serverName });
  const stays = await create('tls-stays', 'team-b', 8443, { [hostnames]: neighbour });
  await reasoned(stays, 'Programmed');
  for (const envoy of envoys) {
    await answered(10_443, envoy, neighbour);
  }
  // of its share of 20 at each proxy
  const held = await Held.open(5, at(envoys[0].address, neighbour));
  let tried = 0;
  let lost = 0;
  let isOver = false;
  const neighbours = envoys.map(async ({ address }) => {
    while (!isOver) {
      tried++;
      lost += (await answerOf(at(address, neighbour))).startsWith('team-b/tls-stays-') ? 0 : 1;
      await pause(20);
    }
  });
  try {
    const all = await Promise.all([
      ...Array.from({ length: 6 }, (_, i) => create(`tls-same-${i}`, 'team-a', 8443, { [hostnames]: name })),
      create('tls-more', 'team-b', 8443, { [hostnames]: 'more.team-b.tcp.example.com' }),
    ]);
    const more = all.pop() as Ref;
    await reasoned(more, 'Programmed');
    expect(await answered(10_443, envoys[0], 'more.team-b.tcp.example.com')).toMatch(/^team-b\/tls-more-/);
    const holder = await until('one of them to be served, and the others to be told', async () => {
      const reasons = await Promise.all(all.map(async (one) => (await conditionOf(one))?.reason));
      const served = all.filter((_, i) => reasons[i] === 'Programmed');
      return reasons.filter((reason) => reason === 'HostNameTaken').length === 5 && served.length === 1 && served[0];
    });
    for (const { address } of envoys) {
      const whose = async () => {
        const said = await Promise.all(Array.from({ length: 5 }, () => answerOf(at(address, name))));
        return said.filter((one) => one.startsWith(`team-a/${holder.metadata.name}-`)).length;
      };
      await until('what the others had to be withdrawn', async () => (await whose()) === 5);
      expect(await whose()).toBe(5);
    }
  } finally {
    isOver = true;
    await Promise.all(neighbours);
  }
  expect(tried).toBeGreaterThan(20);
  expect(lost).toBe(0);
  expect(await held.alive()).toBe(5);
  held.close();
});
