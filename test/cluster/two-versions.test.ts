import { AzureCloudProvider } from '../../src';
import type { Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { addNode } from '../real/objects';
import { count, pause, until } from '../real/program';
import { ours } from './harness/strimzi';

import { AWS_RESOURCES, KEP_980 } from './models/owners';

// Two versions of the real service controller, one after the other and both at once, over live Services: k8s.io/cloud-provider
// v0.36.3 beside the API server 1.36.3, and v0.37.2, which is newer than its API server. controllers/service and service/helpers are
// the same text in both, and read no feature gate: `New` takes the gates and looks at none (the one gate of v0.37.2 for controllers
// of clouds, CloudControllerManagerWatchBasedRoutesReconciliation, is of the route controller). What differs is what they are built
// with: client-go, whose gates for informers and encodings are tried the other way round.

type Version = '0.36' | '0.37';

const ELSEWHERE = { 'service.beta.kubernetes.io/aws-load-balancer-type': ['external'] };
const FOREIGN_CLASS = { loadBalancerClass: 'service.k8s.aws/nlb' };
const SERVICE = { apiVersion: 'v1', kind: 'Service' };

/** How many Services of each kind live through a change of version. */
const EACH = 5;

/** The gates of client-go v0.37.2 for whoever watches and writes, other than by default: features/known_features.go */
const GATES: Record<string, Record<string, boolean>> = {
  'lists in place of streams': { WatchListClient: false },
  'the older queue of its cache': {
    AtomicFIFO: false,
    UnlockWhileProcessingFIFO: false,
    InOrderInformersBatchProcess: false,
  },
  'another encoding': { ClientsAllowCBOR: true, ClientsPreferCBOR: true },
};

let plane: ControlPlane;
let stories = 0;
let namespace = '';

beforeAll(async () => {
  plane = await ControlPlane.start();
  await addNode(plane.api, 'plain');
});

beforeEach(async () => {
  namespace = `versions-${++stories}`;
  await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
});

afterEach(async () => {
  plane.ledger.delay = 0;
  await plane.stopControllers();
});

afterAll(() => plane?.stop());

const start = (version: Version, gates?: Record<string, boolean>) =>
  version === '0.36' ? plane.startCloud(ELSEWHERE) : plane.startNextCloud(gates, ELSEWHERE);
const other = (version: Version): Version => (version === '0.36' ? '0.37' : '0.36');
const programOf = (version: Version) => plane.program(version === '0.36' ? 'cloud' : 'next-cloud');
const stop = (version: Version) => programOf(version).stop();

function service(name: string, changes: { metadata?: Body; spec?: Body } = {}): Ref {
  return {
    ...SERVICE,
    metadata: { name, namespace, ...changes.metadata },
    spec: {
      type: 'LoadBalancer',
      selector: { app: name },
      ports: [{ name: 'tcp', port: 443, targetPort: 8443 }],
      ...changes.spec,
    },
  };
}

/** Services of each kind that a service controller meets, and what it makes of one. */
const KINDS: Record<string, { of: (name: string) => Ref; finalizers: string[]; served: boolean }> = {
  plain: { of: (name) => service(name), finalizers: [KEP_980], served: true },
  declared: {
    of: (name) => ours(namespace, name, AzureCloudProvider.standard()),
    finalizers: [KEP_980],
    served: true,
  },
  foreign: { of: (name) => service(name, { spec: FOREIGN_CLASS }), finalizers: [], served: false },
  marked: {
    of: (name) => service(name, { metadata: { finalizers: [AWS_RESOURCES, KEP_980] }, spec: FOREIGN_CLASS }),
    finalizers: [AWS_RESOURCES, KEP_980],
    served: false,
  },
  elsewhere: {
    of: (name) => service(name, { metadata: { annotations: { [Object.keys(ELSEWHERE)[0]]: 'external' } } }),
    finalizers: [KEP_980],
    served: false,
  },
};

const live = async (): Promise<Body[]> => plane.api.list(SERVICE, namespace);
const balancers = () => plane.ledger.of(namespace).length;
const addressOf = (one: Body) => one.status?.loadBalancer?.ingress?.[0]?.ip;

function inWords(services: Body[]): string {
  return services
    .map(({ metadata, ...rest }) =>
      [metadata.name, metadata.uid, metadata.resourceVersion, metadata.finalizers, addressOf(rest)].join(' '),
    )
    .sort()
    .join('\n');
}

/** Makes Services of all kinds, and waits until the controller has nothing more to do. */
async function populate(): Promise<Body[]> {
  for (const [kind, { of }] of Object.entries(KINDS)) {
    for (let number = 0; number < EACH; number++) {
      await plane.api.create(of(`${kind}-${number}`));
    }
  }
  const isServed = (each: Body) => {
    const { finalizers, served } = KINDS[each.metadata.name.split('-')[0]];
    const own = [...(each.metadata.finalizers ?? [])].sort();
    return JSON.stringify(own) === JSON.stringify([...finalizers].sort()) && (addressOf(each) !== undefined) === served;
  };
  return until('the Services to be as they should', async () => {
    const services = await live();
    return services.every(isServed) && services;
  });
}

/** What calls say that a controller has looked at every Service that it serves. */
async function looked(at: number, before: number): Promise<void> {
  await until('the controller to look at all', () => callsSince(before).length >= at);
  // what it would do wrong it would do by now
  await pause(1000);
}

const callsSince = (before: number) => plane.ledger.callsOf(namespace).slice(before);

const SERVED = Object.values(KINDS).filter(({ served }) => served).length * EACH;

/** Deletes all Services, and sees that nothing is left; the finalizer of the controller that is not here is taken off by hand. */
async function deleteAll(): Promise<void> {
  for (const each of await live()) {
    await plane.api.delete({ ...SERVICE, metadata: each.metadata });
  }
  const waits = ({ metadata }: Body) => metadata.finalizers.join() === AWS_RESOURCES;
  const left = await until('all but the foreign ones to go', async () => {
    const services = await live();
    return services.every(waits) && services;
  });
  expect(left.length).toBe(EACH);
  expect(balancers()).toBe(0);
  for (const { metadata } of left) {
    await plane.api.merge({ ...SERVICE, metadata }, { metadata: { finalizers: null } });
  }
  await until('the last ones to go', async () => (await live()).length === 0);
}

/** One version makes Services, another takes over: nothing is written, and nothing made anew. */
async function takesOver(from: Version, gates?: Record<string, boolean>): Promise<void> {
  await start(from);
  const before = inWords(await populate());
  expect(balancers()).toBe(SERVED);
  await stop(from);
  const calls = plane.ledger.callsOf(namespace).length;
  await start(other(from), gates);
  await looked(SERVED, calls);
  expect(callsSince(calls).every(({ call }) => call === 'ensure' || call === 'update')).toBe(true);
  expect(inWords(await live())).toBe(before);
  expect(balancers()).toBe(SERVED);
  count('Services that lived through a change of version', EACH * Object.keys(KINDS).length);
}

test.each<Version>(['0.36', '0.37'])('Services made by %s live on under the other, and go', async (from) => {
  await takesOver(from);
  await deleteAll();
});

test.each<Version>(['0.36', '0.37'])('Services made by %s live through the way there and back', async (from) => {
  await takesOver(from);
  const before = inWords(await live());
  await stop(other(from));
  const calls = plane.ledger.callsOf(namespace).length;
  await start(from);
  await looked(SERVED, calls);
  expect(inWords(await live())).toBe(before);
  await deleteAll();
});

test.each(Object.keys(GATES))('0.37 takes over with %s', async (name) => {
  await takesOver('0.36', GATES[name]);
  const { log } = programOf('0.37');
  for (const [gate, isOn] of Object.entries(GATES[name])) {
    expect(log).toContain(`"Feature gate updated state" feature="${gate}" enabled=${isOn}`);
  }
  await plane.api.create(KINDS.plain.of('plain-later'));
  await until('one more balancer', () => balancers() === SERVED + 1);
  await deleteAll();
});

test.each<Version>(['0.36', '0.37'])('deleted after %s has stopped, cleaned up by the other', async (from) => {
  await start(from);
  const services = await populate();
  await stop(from);
  for (const { metadata } of services) {
    await plane.api.delete({ ...SERVICE, metadata });
  }
  // those of a foreign class have no finalizer that keeps them
  const kept = await live();
  expect(kept.map(({ metadata }) => metadata.deletionTimestamp === undefined)).not.toContain(true);
  expect(kept.length).toBe(services.length - EACH);
  expect(balancers()).toBe(SERVED);
  await start(other(from));
  await until('nothing but what is foreign', async () => (await live()).length === EACH);
  await deleteAll();
});

test.each<Version>(['0.36', '0.37'])('%s dies while the cloud is at work, and the other ends it', async (from) => {
  await start(from);
  plane.ledger.delay = 800;
  await plane.api.create(service('echo'));
  await until('a call', () => plane.ledger.pending > 0);
  await programOf(from).kill();
  await pause(1000);
  plane.ledger.delay = 0;
  expect((await live()).map(({ metadata }) => metadata.finalizers)).toEqual([[KEP_980]]);
  await start(other(from));
  await until('an address', async () => addressOf((await live())[0]) !== undefined);
  expect(balancers()).toBe(1);
  plane.ledger.delay = 800;
  await plane.api.delete(service('echo'));
  await until('a call', () => plane.ledger.pending > 0);
  await programOf(other(from)).kill();
  await pause(1000);
  plane.ledger.delay = 0;
  await start(from);
  await until('it to be gone', async () => (await live()).length === 0);
  expect(balancers()).toBe(0);
});

test('both at once, as while one is rolled out and nobody leads', async () => {
  await start('0.36');
  await start('0.37');
  const before = await populate();
  expect(balancers()).toBe(SERVED);
  expect(new Set(plane.ledger.of(namespace).map(({ uid }) => uid)).size).toBe(SERVED);
  await plane.api.merge(service('plain-0'), { spec: { type: 'ClusterIP', loadBalancerClass: null } });
  await until('one balancer less', () => balancers() === SERVED - 1);
  const changed = await until('the finalizer to go', async () => {
    const one = await plane.api.get(service('plain-0'));
    return one.metadata.finalizers === undefined && one;
  });
  expect(before.map(({ metadata }) => metadata.uid)).toContain(changed.metadata.uid);
  await deleteAll();
});
