import type { Document } from '../../../src/tenancy/engines/contract/publishing';
import { CONDITION, configOf, World } from './world';

function published(): World {
  const world = new World(configOf());
  world.service({ name: 'db' });
  world.settle();
  return world;
}

test('a Service goes when its ports are closed, and was looked at once more a second later', () => {
  const world = published();
  const answers = world.withdraw('db');
  expect(answers.map(({ finalized, resyncAfterSeconds }) => [finalized, resyncAfterSeconds])).toEqual([
    [false, 1],
    [true, undefined],
  ]);
  expect([...world.of('ListenerSet'), ...world.of('TCPRoute')]).toEqual([]);
  expect(answers[0].status).toMatchObject({
    loadBalancer: {},
    conditions: [{ type: CONDITION, status: 'Unknown', reason: 'Withdrawing' }],
  });
  expect(answers[1].status?.conditions).toEqual([]);
});

test('a Service that was never served goes at once, with the status of others', () => {
  const world = new World();
  const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
  const service = world.service({ name: 'web', spec: { loadBalancerClass: 'other.example/class' } });
  world.put({ ...service, status });
  const answers = world.withdraw('web');
  expect(answers).toEqual([expect.objectContaining({ finalized: true, status: null, attachments: [] })]);
});

test('what lost its owner is named until the platform has deleted it', () => {
  const world = published();
  const set = world.get('ListenerSet', 'service-db') as Document;
  const annotations = { 'metacontroller.k8s.io/decorator-controller': 'services' };
  world.put({ ...set, metadata: { ...set.metadata, annotations, ownerReferences: undefined } });
  const answers = world.withdraw('db');
  expect(answers.every(({ finalized }) => finalized === false)).toBe(true);
  expect(answers.at(-1)?.status?.conditions[0]).toMatchObject({
    reason: 'LeftBehind',
    message: expect.stringMatching(/^ListenerSet service-db has lost its owner .*ask the platform to delete it$/),
  });
});

test('what other controllers made, or nobody, is not waited for', () => {
  const world = published();
  const set = world.get('ListenerSet', 'service-db') as Document;
  const annotations = { 'metacontroller.k8s.io/decorator-controller': 'others' };
  world.put({ ...set, metadata: { ...set.metadata, annotations, ownerReferences: undefined } });
  expect(world.withdraw('db').at(-1)?.finalized).toBe(true);
});
