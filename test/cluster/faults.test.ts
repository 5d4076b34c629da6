import { AwsLoadBalancerController, AzureCloudProvider, LoadBalancerScheme, NlbTargetType } from '../../src';
import type { Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { addNode } from '../real/objects';
import { until } from '../real/program';
import { Cast, Story } from '../real/story';
import { ours } from './harness/strimzi';
import { AWS_LOAD_BALANCER_CONTROLLER } from './models/owners';

// Programs that are killed at work, with manifests of the library: no orphan, and nothing that hangs.

const SERVICES = 24;

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
  await addNode(plane.api, 'plain');
  await plane.startCloud();
  await plane.startOwners([AWS_LOAD_BALANCER_CONTROLLER]);
});

afterEach(() => {
  plane.ledger.quota = Number.POSITIVE_INFINITY;
  plane.ledger.delay = 0;
});

afterAll(() => plane?.stop());

const scheme = LoadBalancerScheme.INTERNAL;

async function applyAll(services: Ref[], onFirst: () => void = () => undefined): Promise<number> {
  let done = 0;
  const apply = async (service: Ref) => {
    await plane.api.apply(service);
    if (++done === SERVICES / 4) {
      onFirst();
    }
  };
  const results = await Promise.allSettled(services.map(apply));
  return results.filter(({ status }) => status === 'fulfilled').length;
}

test('the API server is killed while manifests are applied', () =>
  Story.tell(
    plane,
    'The API server is killed while manifests are applied',
    'Apply them again: what got through stays as it is, what did not is created, and nothing is made twice.',
    Cast.REAL,
    async (story) => {
      const services = [...Array(SERVICES).keys()].map((index) =>
        ours(story.namespace, `echo-${index}`, AzureCloudProvider.standard(), { scheme }),
      );
      let killed: Promise<void> | undefined;
      const done = await applyAll(services, () => {
        killed = plane.program('apiserver').kill();
      });
      await killed;
      expect(done).toBeGreaterThan(0);
      expect(done).toBeLessThan(SERVICES);
      await plane.startApiServer();
      story.say('killed', '', `${done} of ${SERVICES}`, 'some were applied', 'some');
      expect(await applyAll(services)).toBe(SERVICES);
      await until('all balancers', () => plane.ledger.of(story.namespace).length === SERVICES);
      await story.see('started and applied again', '[K]', SERVICES, 'one balancer each');
      await Promise.all(services.map((service) => plane.api.delete(service)));
      await story.see('deleted', 'gone', 0, 'no orphan');
    },
  ));

test('the API server is killed while Services are deleted', () =>
  Story.tell(
    plane,
    'The API server is killed while Services are deleted',
    'A deletion that has begun is in the store, and the owner goes on when the API server is back.',
    Cast.MODEL,
    async (story) => {
      const controller = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
      const services = [...Array(4).keys()].map((index) =>
        ours(story.namespace, `echo-${index}`, controller, { scheme }),
      );
      await applyAll(services);
      await story.see('applied', '[F]', 4);
      plane.ledger.delay = 400;
      await Promise.all(services.map((service) => plane.api.delete(service)));
      await plane.program('apiserver').kill();
      plane.ledger.delay = 0;
      await plane.startApiServer();
      await until('the owner to go on', async () => (await story.state()) === 'gone');
      await story.see('killed in deletion, started again', 'gone', 0, 'no orphan');
    },
  ));

test('the owner of a class is killed between creation and deletion', () =>
  Story.tell(
    plane,
    'The owner of a class is killed between creation and deletion',
    'The declared finalizer waits for it.',
    Cast.MODEL,
    async (story) => {
      const controller = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
      const service = ours(story.namespace, 'echo', controller, { scheme });
      await plane.api.create(service);
      await story.see('created', '[F]', 1);
      await plane.program('owners').kill();
      await plane.api.delete(service);
      await story.seeForLong('killed, deleted', '[F] Terminating', 1, 'waits', 1);
      await plane.startOwners([AWS_LOAD_BALANCER_CONTROLLER]);
      await story.see('started again', 'gone', 0, 'no orphan');
    },
  ));

test('the quota of the account, with an owner of a class', () =>
  Story.tell(
    plane,
    "The account's quota is used up for the owner of a class",
    'The Service keeps the finalizer and has no address; deleting it works.',
    Cast.MODEL,
    async (story) => {
      const controller = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
      const service = ours(story.namespace, 'echo', controller, { scheme });
      plane.ledger.quota = 0;
      await plane.api.create(service);
      await story.seeForLong('created', '[F]', 0, 'no balancer', 1);
      expect((await plane.api.get(service)).status.loadBalancer).toEqual({});
      await plane.api.delete(service);
      await story.see('deleted', 'gone', 0);
    },
  ));
