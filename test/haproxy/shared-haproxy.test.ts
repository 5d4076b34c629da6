import { join } from 'node:path';
import { Chart, Size, Testing } from 'cdk8s';
import { AwsLoadBalancerController } from '../../src/controllers';
import { SharedLoadBalancer, SharedLoadBalancerEngine, TenancyIdentity } from '../../src/tenancy';
import { freePorts, until } from '../real/program';

import { lockFile } from '../tenancy/shared/locked';
import { type Answer, checked, echoed, newScene, objects, refusal, rendered, type Tenant } from './harness/scene';

// What a real HAProxy does with the objects of tenants, on the loopback interface; rendered by the library of the controller.

const HAPROXY = process.env.HAPROXY ?? 'haproxy';

const scene = newScene();

/** Serves tenants by their name. */
async function serve(tenants: readonly Tenant[], proxyProtocol: boolean): Promise<void> {
  const services: Record<string, string> = { 'infra/shared-tenants': '' };
  for (const { name } of tenants) {
    const at = await scene.named(name);
    Object.assign(services, {
      [`${name}/db`]: '',
      [`${name}/db:5432`]: at,
      [`${name}/db:5433`]: at,
    });
  }
  const { configuration, leftOut } = rendered(objects(tenants, proxyProtocol), services);
  expect(leftOut).toEqual([]);
  await scene.start(
    HAPROXY,
    configuration,
    tenants.map(({ port }) => port),
  );
}

async function ask(port: number, from?: string, first?: string): Promise<string> {
  return (await scene.ask(port, from, first)).said;
}

const header = (source: string) => `PROXY TCP4 ${source} 127.0.0.1 40000 5432\r\n`;

test('each tenant is reached at its own port', async () => {
  const [a, b] = await freePorts(2);
  await serve(
    [
      { name: 'team-a', port: a },
      { name: 'team-b', port: b },
    ],
    false,
  );
  expect([await ask(a), await ask(b)]).toEqual(['team-a', 'team-b']);
});

test('source ranges let in those that they name, by the address of the connection', async () => {
  const [a, b] = await freePorts(2);
  const sourceRanges = ['127.0.0.2/32', '10.0.0.0/8'];
  await serve(
    [
      { name: 'team-a', port: a, sourceRanges },
      { name: 'team-b', port: b },
    ],
    false,
  );
  expect(await ask(a, '127.0.0.2')).toBe('team-a');
  expect(await ask(a, '127.0.0.1')).toBe('');
  expect(await ask(b, '127.0.0.1')).toBe('team-b');
});

test('source ranges are about clients, not about the balancer, where it speaks the PROXY protocol', async () => {
  const [a] = await freePorts(1);
  await serve([{ name: 'team-a', port: a, sourceRanges: ['203.0.113.0/24'], maxConnections: 50 }], true);
  expect(await ask(a, '127.0.0.1', header('203.0.113.7'))).toBe('team-a');
  expect(await ask(a, '127.0.0.1', header('198.51.100.7'))).toBe('');
});

test('many ranges are no line that HAProxy refuses', async () => {
  const [a] = await freePorts(1);
  const sourceRanges = Array.from({ length: 300 }, (_, i) => `203.0.${i % 256}.${i >> 8}/32`);
  await serve([{ name: 'team-a', port: a, sourceRanges }], true);
  expect(await ask(a, '127.0.0.1', header(sourceRanges[299].split('/')[0]))).toBe('team-a');
});

test('connections of a tenant are capped over both of its ports, at once, and those of others are not', async () => {
  const [a, more, b] = await freePorts(3);
  await serve(
    [
      { name: 'team-a', port: a, more, maxConnections: 8 },
      { name: 'team-b', port: b, maxConnections: 100 },
    ],
    false,
  );
  const said: string[] = [];
  for (let i = 0; i < 12; i++) {
    said.push(await ask(i % 2 === 0 ? a : more));
  }
  expect(said.filter((each) => each === 'team-a')).toHaveLength(8);
  expect(said.filter((each) => each === '')).toHaveLength(4);
  expect(await ask(b)).toBe('team-b');
  // whoever goes makes room
  scene.answers.find((each) => each.said === 'team-a')?.socket.destroy();
  expect(await until('room for one more', async () => (await ask(more)) === 'team-a')).toBe(true);
});

test('after a reload a tenant is counted anew: what it has goes on and does not count', async () => {
  const [a] = await freePorts(1);
  await serve([{ name: 'team-a', port: a, maxConnections: 8 }], false);
  const before: Answer[] = [];
  for (let i = 0; i < 8; i++) {
    before.push(await scene.ask(a));
  }
  expect(before.map(({ said }) => said)).toEqual(Array.from({ length: 8 }, () => 'team-a'));
  expect(await ask(a)).toBe('');
  await scene.reload();
  expect(await until('the process that counts anew', async () => (await ask(a)) === 'team-a')).toBe(true);
  // the process of before may take some until it has heard that it is replaced, and refuses them
  let more = 1;
  for (let i = 0; i < 30; i++) {
    more += (await ask(a)) === 'team-a' ? 1 : 0;
  }
  expect(more).toBe(8);
  const echoes = before.map(async (one) => echoed(one, 'still'));
  expect(await Promise.all(echoes)).toEqual(Array.from({ length: 8 }, () => 'still'));
});

test('a Service that is not there takes its own port down, and nothing else', async () => {
  const [a, b] = await freePorts(2);
  const at = await scene.named('team-b');
  const made = objects(
    [
      { name: 'team-a', port: a, maxConnections: 5 },
      { name: 'team-b', port: b, maxConnections: 5 },
    ],
    false,
  );
  const { configuration, leftOut } = rendered(made, {
    'infra/shared-tenants': '',
    'team-b/db': '',
    'team-b/db:5432': at,
  });
  expect(leftOut).toEqual(['team-a/team-a.db.5432: service not found']);
  await scene.start(HAPROXY, configuration, [b]);
  expect(await ask(b)).toBe('team-b');
});

test('without the table of the platform HAProxy takes nothing: it is nothing that a tenant could remove', () => {
  const made = objects([{ name: 'team-a', port: 15432, maxConnections: 5 }]);
  const ofTenants = made.filter(({ metadata }) => metadata.namespace === 'team-a');
  const { configuration } = rendered(ofTenants, { 'team-a/db': '' });
  const { isValid, said } = checked(HAPROXY, join(scene.folder, 'without.cfg'), configuration);
  expect(isValid).toBe(false);
  expect(said).toContain('tcpcr_infra_infra.shared.tenants');
  expect(made.find(({ kind, metadata }) => kind === 'TCP' && metadata.namespace === 'infra')).toBeDefined();
});

test('the rule that limits bandwidth has nothing behind the name of its filter, which HAProxy would refuse', () => {
  const made = objects([{ name: 'team-a', port: 15432, bandwidth: Size.mebibytes(1) }]);
  const { configuration } = rendered(made, { 'infra/shared-tenants': '', 'team-a/db': '' });
  const rules = configuration.split('\n').filter((line) => line.includes('set-bandwidth-limit'));
  expect(rules.map((line) => line.split('#')[0].trim())).toEqual([
    'tcp-request content set-bandwidth-limit tenant-in',
    'tcp-request content set-bandwidth-limit tenant-out',
  ]);
});

describe('two tenants on one port', () => {
  test('never reach HAProxy', () => {
    expect(() => {
      const app = Testing.app();
      const platform = [TenancyIdentity.user('delivery')];
      const shared = new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
        engine: SharedLoadBalancerEngine.haproxy({ controller: AwsLoadBalancerController.nlb() }),
        platform,
        portLock: lockFile({ 'team-a/db:5432': { balancer: 0, port: 5432 } }),
      });
      for (const tenant of ['team-a', 'team-b']) {
        shared.addTenant(tenant);
        shared.attach(new Chart(app, tenant, { namespace: tenant }), {
          tenant,
          service: 'db',
          ports: [{ port: 5432 }],
        });
      }
      app.synthYaml();
    }).toThrow(/team-a.*team-b.*\(port-conflict\)/s);
  });

  test('would be one of them alone, with a line in a log', () => {
    const one = objects([{ name: 'team-a', port: 15432 }]);
    const other = objects([{ name: 'team-b', port: 15432 }]).filter(({ metadata }) => metadata.namespace === 'team-b');
    const { leftOut } = rendered([...one, ...other], { 'infra/shared-tenants': '', 'team-a/db': '', 'team-b/db': '' });
    expect(leftOut).toEqual(['team-b/team-b.db.5432: collision on :15432 with team-a.db.5432']);
  });
});

test('what the library of the controller does not know is refused by it, so that it is worth something that it takes the rest', () => {
  const [tcp] = objects([{ name: 'team-a', port: 15432 }]).filter(({ kind }) => kind === 'TCP');
  const unknown = JSON.parse(JSON.stringify(tcp).replace('"mode":"tcp"', '"mode":"tcp","maxcon":5'));
  expect(refusal([unknown])).toContain('maxcon');
  expect(refusal([tcp])).toBe('');
});
