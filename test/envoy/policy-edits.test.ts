import { Duration } from 'cdk8s';
import type { Api, Body, Ref } from '../real/api';
import { until } from '../real/program';
import { answerOf, Held, SILENCE } from './harness/client';
import { Engine } from './harness/engine';
import { GROUP as GATEWAY_GROUP, IsolationScene, TLS_PORT } from './harness/isolation-scene';
import { DRAIN_TIME, PLATFORM, watchedTenants } from './harness/tenants';

// What an edit of a policy of Envoy Gateway does to connections that clients hold: the table of such edits says what is seen here.

const CLIENT = 'ClientTrafficPolicy';
const SECURITY = 'SecurityPolicy';
const BACKEND = 'BackendTrafficPolicy';
const GROUP = 'gateway.envoyproxy.io';
const HELD = 20;

/** The objects of one tenant. */
interface Named {
  readonly namespace: string;
  readonly find: (kind: string) => Ref;
}

interface Edit {
  readonly maxConnections?: number;
  /** What is there before. */
  readonly before?: (objects: Named) => Ref;
  readonly edit?: (objects: Named, api: Api) => Promise<unknown>;
  /** How many of the connections are left when the listener has drained. */
  readonly left: number;
  /** Whether new ones are served then. */
  readonly isServed?: false;
}

function policy(kind: string, namespace: string, target: Body, spec: Body): Ref {
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind,
    metadata: { name: 'edited', namespace },
    spec: { targetRefs: [{ group: GATEWAY_GROUP, ...target }], ...spec },
  };
}

const admitting = (range: string) => ({
  authorization: {
    defaultAction: 'Deny',
    rules: [{ name: 'clients', action: 'Allow', principal: { clientCIDRs: [range] } }],
  },
});

function admitted({ namespace, find }: Named, range: string): Ref {
  return policy(SECURITY, namespace, { kind: 'TCPRoute', name: find('TCPRoute').metadata.name }, admitting(range));
}

function breaker({ namespace, find }: Named): Ref {
  const target = { kind: 'ListenerSet', name: find('ListenerSet').metadata.name };
  return policy(BACKEND, namespace, target, { circuitBreaker: { maxConnections: 2000 } });
}

const merge = (kind: string, spec: Body) => (named: Named, api: Api) => api.merge(named.find(kind), { spec });
const readmit = (range: string) => (named: Named, api: Api) =>
  api.merge(admitted(named, range), { spec: admitting(range) });

const EDITS: Readonly<Record<string, Edit>> = {
  untouched: { left: HELD },
  'higher-limit': {
    maxConnections: 80,
    edit: merge(CLIENT, { connection: { connectionLimit: { value: 60 } } }),
    left: 0,
  },
  'lower-limit': {
    maxConnections: 80,
    edit: merge(CLIENT, { connection: { connectionLimit: { value: 5 } } }),
    left: 0,
  },
  'no-limit': { maxConnections: 80, edit: (named, api) => api.delete(named.find(CLIENT)), left: 0 },
  'proxy-header': {
    maxConnections: 80,
    edit: merge(CLIENT, { proxyProtocol: { optional: false } }),
    left: 0,
    isServed: false,
  },
  'ranges-added': { edit: (named, api) => api.create(admitted(named, '127.0.0.0/8')), left: 0 },
  'ranges-widened': { before: (named) => admitted(named, '127.0.0.0/8'), edit: readmit('0.0.0.0/0'), left: 0 },
  breaker: { edit: (named, api) => api.create(breaker(named)), left: HELD },
};

const drained = (time: Duration) => new Promise((resolve) => setTimeout(resolve, (time.toSeconds() + 5) * 1000));

describe('at ports of their own', () => {
  const names = Object.keys(EDITS);
  const portOf = (name: string) => 6000 + names.indexOf(name);
  const left: Record<string, number> = {};
  const answers: Record<string, string> = {};
  let engine: Engine;

  beforeAll(async () => {
    engine = await Engine.start();
    const { objects } = watchedTenants(
      Object.fromEntries(
        names.map((name) => [name, { port: portOf(name), maxConnections: EDITS[name].maxConnections }] as const),
      ),
    );
    const api = engine.api.actingAs(PLATFORM.username, ['system:masters']);
    const of = (namespace: string): Named => ({
      namespace,
      find: (kind) => {
        const found = objects.find((one) => one.kind === kind && one.metadata.namespace === namespace);
        if (!found) {
          throw new Error(`${namespace} has no ${kind}`);
        }
        return found;
      },
    });
    for (const object of [...objects, ...names.flatMap((name) => EDITS[name].before?.(of(name)) ?? [])]) {
      await api.create(object);
    }
    const envoys = await engine.envoys('shared', 2);
    const [{ address: host }] = envoys;
    await engine.listening(envoys, names.map(portOf));
    const answer = (name: string) => answerOf({ host, port: portOf(name), patience: 2000 });
    for (const name of names) {
      await until('an answer', async () => (await answer(name)) !== '');
    }
    const held = await Promise.all(names.map((name) => Held.open(HELD, { host, port: portOf(name) })));
    expect(held.map(({ served }) => served)).toEqual(names.map(() => HELD));
    await Promise.all(names.map((name) => EDITS[name].edit?.(of(name), api)));
    await drained(DRAIN_TIME);
    for (const [i, name] of names.entries()) {
      left[name] = await held[i].alive(2000);
      answers[name] = await answer(name);
      held[i].close();
    }
  }, 180_000);

  afterAll(() => engine?.stop());

  test.each(Object.entries(EDITS))('%s', (name, { left: expected, isServed = true }) => {
    expect(left[name]).toBe(expected);
    expect(answers[name] !== '' && answers[name] !== SILENCE).toBe(isServed);
  });
});

test('at the port that tenants share, those of others stay', async () => {
  // not less than the health check of the balancer needs
  const drainTime = Duration.seconds(30);
  const scene = await IsolationScene.start({ minDrainTime: drainTime, drainTime });
  try {
    const { platform, engine } = scene;
    await engine.listening([scene.envoy], [TLS_PORT]);
    const [own, others] = [await scene.held(10, 'api.team-a'), await scene.held(HELD, 'api.team-b')];
    expect([own.served, others.served]).toEqual([10, HELD]);
    const set = { apiVersion: `${GROUP}/v1alpha1`, kind: CLIENT, metadata: { name: 'shared', namespace: 'team-a' } };
    await platform.merge(set, { spec: { connection: { connectionLimit: { value: 15 } } } });
    const sectionName = 'tls-443';
    await platform.create(
      policy(SECURITY, 'team-a', { kind: 'ListenerSet', name: 'shared', sectionName }, admitting('0.0.0.0/0')),
    );
    await drained(drainTime);
    expect([await own.alive(2000), await others.alive(2000)]).toEqual([0, HELD]);
    own.close();
    others.close();
  } finally {
    await scene.engine.stop();
  }
}, 180_000);
