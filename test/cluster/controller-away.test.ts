import { AwsCloudProvider, LoadBalancerScheme } from '../../src';
import type { Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { addNode } from '../real/objects';
import { until } from '../real/program';
import { Cast, Story } from '../real/story';
import { ours } from './harness/strimzi';
import { KEP_980 } from './models/owners';

// What happens to Services while no service controller runs, when it starts again, and when it is killed at work.

let plane: ControlPlane;
const tell = (title: string, why: string, act: (story: Story) => Promise<void>) =>
  Story.tell(plane, title, why, Cast.REAL, act);

beforeAll(async () => {
  plane = await ControlPlane.start();
  await addNode(plane.api, 'plain');
});

beforeEach(async () => {
  await plane.startCloud();
});

afterEach(async () => {
  plane.ledger.delay = 0;
  await plane.program('cloud').kill();
});

afterAll(() => plane?.stop());

const stopController = () => plane.program('cloud').stop();
const killController = () => plane.program('cloud').kill();
const startController = () => plane.startCloud();

/** An operator that writes whole objects: what it does not know of is gone afterwards. */
async function writeWhole(service: Ref): Promise<void> {
  await plane.api.rewrite(service, ({ metadata, spec }) => {
    const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy } = spec;
    const allocated = { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy };
    return {
      ...service,
      metadata: { ...service.metadata, resourceVersion: metadata.resourceVersion },
      spec: { ...allocated, ...service.spec },
    };
  });
}

test('Services from before', () =>
  tell('Services that were there before the controller', 'On its start it looks at all of them.', async (story) => {
    await stopController();
    for (const name of ['first', 'second']) {
      await plane.api.create(story.service(name));
    }
    await story.seeForLong('created without a controller', '[]', 0, 'nobody answers, and nobody complains', 1);
    await startController();
    await story.see('controller started', '[K]', 2, 'finalizer and balancer for each');
    for (const name of ['first', 'second']) {
      await plane.api.delete(story.service(name));
    }
    await story.see('deleted', 'gone', 0);
  }));

test('deletion while it is down', () =>
  tell(
    'Deleted while the controller is down',
    'The finalizer keeps the object, and with it the knowledge of the balancer, until the controller is back.',
    async (story) => {
      const service = story.service('echo');
      await plane.api.create(service);
      await story.see('created', '[K]', 1);
      await stopController();
      await plane.api.delete(service);
      await story.seeForLong('deleted while it is down', '[K] Terminating', 1, 'waits');
      await startController();
      await story.see('controller started', 'gone', 0, 'cleaned up');
    },
  ));

test('stripped by a writer of whole objects', () =>
  tell(
    'An operator that writes whole objects, finalizer not declared',
    'It strips what it did not write. The controller does not put the finalizer back.',
    async (story) => {
      const service = story.service('echo');
      await plane.api.create(service);
      await story.see('created', '[K]', 1);
      await writeWhole(service);
      await story.seeForLong('written as a whole', '[]', 1, 'stripped, and not put back', 1);
      await stopController();
      await plane.api.delete(service);
      await story.see('deleted while the controller is down', 'gone', 1, 'nothing holds the object');
      await startController();
      await story.seeForLong('controller started', 'gone', 1, 'an orphan: nobody knows of it any more');
    },
  ));

test('stripped, and the controller runs', () =>
  tell(
    'The same, and the controller runs all the time',
    'It does not help: since KEP-980 the controller cleans up when it sees a deletion begin, and an object without a finalizer goes without one.',
    async (story) => {
      const service = story.service('echo');
      await plane.api.create(service);
      await story.see('created', '[K]', 1);
      await writeWhole(service);
      await story.see('written as a whole', '[]', 1, 'stripped');
      await plane.api.delete(service);
      await story.seeForLong('deleted', 'gone', 1, 'an orphan, with the controller looking on');
    },
  ));

test('declared and written as a whole', () =>
  tell(
    'An operator that writes whole objects, with the manifest of the library',
    'The finalizer is part of what it writes, so every writing keeps it.',
    async (story) => {
      const service = ours(story.namespace, 'echo', AwsCloudProvider.nlb(), { scheme: LoadBalancerScheme.INTERNAL });
      expect(service.metadata.finalizers).toEqual([KEP_980]);
      await plane.api.create(service);
      await story.see('created', '[K]', 1);
      await writeWhole(service);
      await story.see('written as a whole', '[K]', 1, 'kept');
      await stopController();
      await plane.api.delete(service);
      await story.seeForLong('deleted while the controller is down', '[K] Terminating', 1, 'waits');
      await startController();
      await story.see('controller started', 'gone', 0, 'no orphan');
    },
  ));

test('killed between creation and deletion', () =>
  tell(
    'The controller is killed while the cloud makes the balancer',
    'The finalizer stands before the cloud is asked, so a balancer of which the controller never heard again is cleaned up too.',
    async (story) => {
      const service = ours(story.namespace, 'echo', AwsCloudProvider.nlb(), { scheme: LoadBalancerScheme.INTERNAL });
      plane.ledger.delay = 400;
      await plane.api.create(service);
      await until('the cloud to be asked', () => plane.ledger.pending > 0);
      await story.see('created, cloud at work', '[K]', 0, 'finalizer first');
      await killController();
      await story.see('controller killed', '[K]', 1, 'the cloud has made it, and nobody wrote its address down');
      plane.ledger.delay = 0;
      await plane.api.delete(service);
      await story.seeForLong('deleted', '[K] Terminating', 1, 'waits', 1);
      await startController();
      await story.see('controller started', 'gone', 0, 'no orphan');
    },
  ));

test('never there', () =>
  tell(
    'Created and deleted while there is no controller',
    'Without a finalizer in the manifest it goes at once. With one it waits for a controller, which is what a finalizer means.',
    async (story) => {
      await stopController();
      const plain = story.service('plain');
      await plane.api.create(plain);
      await plane.api.delete(plain);
      await story.see('without a finalizer, deleted', 'gone', 0, 'there was nothing to clean up');
      const declared = ours(story.namespace, 'echo', AwsCloudProvider.nlb(), { scheme: LoadBalancerScheme.INTERNAL });
      await plane.api.create(declared);
      await plane.api.delete(declared);
      await story.seeForLong('with the finalizer, deleted', '[K] Terminating', 0, 'waits: this is the price', 1);
      await startController();
      await story.see('controller started', 'gone', 0, 'goes at once');
    },
  ));

test('the quota of the account', () =>
  tell(
    "The cloud account's quota is used up",
    'Nothing refuses the Service: it stands there without an address, and the reason is an event of its own.',
    async (story) => {
      const first = story.service('first');
      const second = story.service('second');
      plane.ledger.quota = plane.ledger.all.length + 1;
      await plane.api.create(first);
      await story.see('the first created', '[K]', 1);
      await plane.api.create(second);
      await story.seeForLong('the second created', '[K]', 1, 'no address, no balancer, finalizer all the same', 1);
      const said = await until('an event', async () => {
        const events = await plane.api.list({ apiVersion: 'v1', kind: 'Event' }, story.namespace);
        return events.find((event) => event.reason === 'SyncLoadBalancerFailed');
      });
      const address = (await plane.api.get(second)).status.loadBalancer.ingress;
      expect(address).toBeUndefined();
      story.say('what the tenant sees', '[K]', '1', `event ${said.reason}: ${said.message}`);
      expect(said.message).toMatch(/TooManyLoadBalancers/);
      await plane.api.delete(second);
      await story.see('the second deleted', '[K]', 1, 'goes without a trace: the finalizer holds nothing up');
      await plane.api.create(second);
      plane.ledger.quota = Number.POSITIVE_INFINITY;
      await story.see(
        'created again, quota raised',
        '[K]',
        2,
        'served by one of its attempts, which come ever more seldom',
      );
      await plane.api.delete(first);
      await plane.api.delete(second);
      await story.see('deleted', 'gone', 0);
    },
  ));
