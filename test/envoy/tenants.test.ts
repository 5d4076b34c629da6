import type { Body, Ref } from '../real/api';
import { runExample } from '../real/objects';
import { until } from '../real/program';
import { answerOf, Held, Stream } from './harness/client';
import { Engine, gatewayRef } from './harness/engine';
import type { Envoy } from './harness/envoy';
import { Delivery, sharedApp } from './harness/tenants';

// Tenants on one balancer, served by two real Envoys that the real Envoy Gateway configures.

let engine: Engine;

beforeAll(async () => {
  engine = await Engine.start({
    behaviour: ({ metadata }) =>
      ({
        // its manifest names no ports
        'team-c': { ports: [1883, 8883] },
        'team-b': { ports: [5671, 5672], isSilent: true },
      })[metadata.namespace as string],
  });
});

afterAll(() => engine?.stop());

describe('the three tenants of the example', () => {
  let envoys: readonly Envoy[];
  /** The ports of its lock file, who is there, and how many connections each proxy lets in at each. */
  const PORTS = [
    { port: 5432, pods: /^team-a\/db-.*:5432$/, share: 100 },
    { port: 5671, pods: /^team-b\/queue-\d:5671$/, share: 50 },
    { port: 5672, pods: /^team-b\/queue-\d:5672$/, share: 50 },
    { port: 1883, pods: /^team-c\/mosquitto-.*:1883$/, share: 50 },
    { port: 8883, pods: /^team-c\/mosquitto-.*:8883$/, share: 50 },
  ];
  /** Of the source ranges that the queue has. */
  const FROM = '10.8.0.7';
  /** Clients of a queue speak first. */
  const first = Buffer.from('hello\n');
  const balancer: Ref = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'envoy-infra-shared', namespace: 'envoy-gateway-system' },
  };

  beforeAll(async () => {
    const { files } = runExample('tenants');
    await new Delivery(engine).deliver(Object.values(files).flat());
    envoys = await engine.envoys('shared', 2);
    await engine.listening(
      envoys,
      PORTS.map(({ port }) => port),
    );
  });

  test.each(PORTS)('port $port leads to the pods of its tenant, at both proxies', async ({ port, pods }) => {
    for (const { address: host } of envoys) {
      const said = await until(
        'an answer',
        async () => (await answerOf({ host, port, from: FROM, first })) || undefined,
      );
      expect(said).toMatch(pods);
    }
  });

  test('the source ranges of one Service are those of its ports alone', async () => {
    const from = '192.0.2.7';
    for (const { address: host } of envoys) {
      const answers = await Promise.all(PORTS.map(({ port }) => answerOf({ host, port, from, first })));
      expect(answers.map((each) => each.split('/')[0])).toEqual(['team-a', '', '', 'team-c', 'team-c']);
    }
  });

  test('maxConnections is divided exactly: all ports of all tenants full at once, at both proxies', async () => {
    const more = 20;
    const held = await Promise.all(
      envoys.flatMap(({ address: host }) =>
        PORTS.map(({ port, share }) => Held.open(share + more, { host, port, from: FROM, first })),
      ),
    );
    const shares = [...PORTS, ...PORTS].map(({ share }) => [share, more]);
    expect(held.map(({ served, refused }) => [served, refused])).toEqual(shares);
    const ofTenant = (name: string) =>
      [...engine.kubelet.apps.values()]
        .filter((pod) => pod.name.startsWith(`${name}/`))
        .reduce((sum, pod) => sum + pod.served.size, 0);
    expect(['team-a', 'team-b', 'team-c'].map(ofTenant)).toEqual([200, 200, 200]);
    // who goes makes room for as many
    held[0].close(3);
    const { address: host } = envoys[0];
    await until('room', () => ofTenant('team-a') === 197);
    const again = await until('three more', async () => {
      const next = await Held.open(5, { host, port: 5432 });
      if (next.served === 3) {
        return next;
      }
      next.close();
      return undefined;
    });
    expect([again.served, again.refused]).toEqual([3, 2]);
    for (const each of [...held, again]) each.close();
  });

  test('Envoy Gateway makes the Service of the balancer as it is planned, and the Gateway is Programmed when that has an address', async () => {
    const { metadata, spec } = await engine.api.get(balancer);
    expect(spec).toMatchObject({
      type: 'LoadBalancer',
      loadBalancerClass: 'service.k8s.aws/nlb',
      allocateLoadBalancerNodePorts: false,
    });
    expect(metadata.annotations).toMatchObject({
      'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip',
      'external-dns.alpha.kubernetes.io/hostname': 'tcp.example.com',
    });
    expect(spec.ports.map(({ port }: Body) => port).sort((a: number, b: number) => a - b)).toEqual([
      1883, 5432, 5671, 5672, 8883, 65535,
    ]);
    const gateway = gatewayRef('Gateway', 'infra', 'shared');
    expect((await engine.conditions(gateway)).Programmed).toBe('False AddressNotAssigned');
    await engine.publish(balancer, 'shared.elb.example.com');
    // its proxies count once they have been ready for as long as the balancer needs to find them
    await until('Programmed', async () => (await engine.conditions(gateway)).Programmed === 'True Programmed', {
      seconds: 180,
      seen: () => engine.conditions(gateway),
    });
    expect((await engine.api.get(gateway)).status.addresses).toEqual([
      { type: 'Hostname', value: 'shared.elb.example.com' },
    ]);
    for (const tenant of ['team-a', 'team-b', 'team-c']) {
      const set = gatewayRef('ListenerSet', tenant, 'shared');
      expect(await engine.conditions(set)).toMatchObject({ Accepted: 'True Accepted', Programmed: 'True Programmed' });
    }
  }, 200_000);
});

describe('a tenant that comes and goes', () => {
  const A = { name: 'life-a', ports: [{ port: 5432 }], maxConnections: 400 };
  const B = { name: 'life-b', ports: [{ port: 6379 }] };
  const C = { name: 'life-c', ports: [{ port: 7000 }, { port: 7001 }], maxConnections: 80 };
  const name = 'life';
  let delivery: Delivery;
  let envoys: readonly Envoy[];
  let held: readonly Held[];

  const deliver = (...tenants: Parameters<typeof sharedApp>[0]['tenants']) =>
    delivery.deliver(sharedApp({ name, tenants }));
  const at = ({ address: host }: Envoy, port: number) => ({ host, port });
  const alive = async () => (await Promise.all(held.map((each) => each.alive()))).reduce((sum, each) => sum + each, 0);
  const closed = (port: number) =>
    until(`port ${port} to close`, async () => {
      const said = await Promise.all(envoys.map((envoy) => answerOf(at(envoy, port))));
      return said.every((each) => each === '');
    });

  beforeAll(async () => {
    delivery = new Delivery(engine);
    await deliver(A, B);
    envoys = await engine.envoys(name, 2);
    await engine.listening(envoys, [5432, 6379]);
    await until('pods', async () => (await answerOf(at(envoys[0], 5432))) && (await answerOf(at(envoys[0], 6379))));
    held = await Promise.all(envoys.flatMap((envoy) => [5432, 6379].map((port) => Held.open(50, at(envoy, port)))));
    expect(await alive()).toBe(200);
  });

  afterAll(() => {
    for (const each of held ?? []) each.close();
  });

  test('added, it is served, and no connection of the others is lost', async () => {
    await deliver(A, B, C);
    await engine.listening(envoys, [7000, 7001]);
    for (const envoy of envoys) {
      await until('its pod', async () => (await answerOf(at(envoy, 7001))).startsWith('life-c/'));
      const full = await Held.open(25, at(envoy, 7000));
      expect([full.served, full.refused]).toEqual([20, 5]);
      full.close();
    }
    expect(await alive()).toBe(200);
  });

  test('suspended, it is reached no more, and no connection of the others is lost', async () => {
    await deliver(A, B, { ...C, suspended: true });
    await closed(7000);
    await closed(7001);
    expect(await alive()).toBe(200);
  });

  test('resumed, it is served at its ports', async () => {
    await deliver(A, B, C);
    await engine.listening(envoys, [7000, 7001]);
    await until('its pod', async () => (await answerOf(at(envoys[1], 7001))).startsWith('life-c/'));
    expect(await alive()).toBe(200);
  });

  test('with a port more it has smaller shares, and no connection of the others is lost', async () => {
    await deliver(A, B, { ...C, ports: [...C.ports, { port: 7002 }] });
    await engine.listening(envoys, [7002]);
    for (const envoy of envoys) {
      const target = at(envoy, 7000);
      let served = 0;
      // connections that were closed count until Envoy has noticed
      await until(
        'its share of 13',
        async () => {
          const full = await Held.open(25, target);
          served = full.served;
          full.close();
          return served === 13;
        },
        { seen: () => served },
      );
    }
    expect(await alive()).toBe(200);
  });

  test('removed, it is gone with its listeners, and no connection of the others is lost', async () => {
    await deliver(A, B);
    await closed(7000);
    await until('its listeners to go', async () => {
      const ports = await Promise.all(envoys.map((envoy) => envoy.ports()));
      return ports.every((each) => !each.some((port) => port >= 7000 && port < 7010));
    });
    expect(await alive()).toBe(200);
  });

  test('its Service asks for pods that are near, and nobody is refused; who comes at that time is served soon', async () => {
    const streams = [5432, 6379].map((port) => new Stream(at(envoys[0], port), (said) => said.startsWith('life-')));
    const service: Ref = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'db', namespace: B.name } };
    const modified = async () =>
      (await envoys[0].statistics('cluster_manager.cluster_modified'))['cluster_manager.cluster_modified'];
    const before = await modified();
    await engine.api.merge(service, { spec: { trafficDistribution: 'PreferClose' } });
    const begin = performance.now();
    await deliver(A, B, C);
    await engine.listening(envoys, [7000, 7001]);
    await until('its pod', async () => (await answerOf(at(envoys[1], 7001))).startsWith('life-c/'));
    const seconds = (performance.now() - begin) / 1000;
    const streamed = await Promise.all(streams.map((stream) => stream.end(500)));
    expect(await modified()).toBeGreaterThan(before);
    process.stdout.write(`  served ${seconds.toFixed(1)} s after it was delivered beside a changed Service\n`);
    expect(streamed.map(({ refused }) => refused)).toEqual([0, 0]);
    // a cluster that waits for them keeps all others waiting for 15 s
    expect(seconds).toBeLessThan(10);
    expect(await alive()).toBe(200);
    await engine.api.merge(service, { spec: { trafficDistribution: null } });
    await deliver(A, B);
    await closed(7000);
  });

  test('its pods are replaced, and the others notice nothing', async () => {
    const pod = [...engine.kubelet.apps.values()].find(({ name: each }) => each.startsWith('life-b/'));
    const [, podName] = (pod?.name ?? '').split('/');
    await engine.api.delete({ apiVersion: 'v1', kind: 'Pod', metadata: { name: podName, namespace: 'life-b' } });
    await until('another pod', async () => {
      const said = await answerOf(at(envoys[0], 6379));
      return said.startsWith('life-b/') && !said.includes(podName);
    });
    expect(held[0].count + held[2].count).toBe(100);
    expect((await held[0].alive()) + (await held[2].alive())).toBe(100);
  });
});
