import type { Ref } from '../real/api';
import { ControlPlane, type Owner } from '../real/control-plane';
import { pause, until } from '../real/program';
import { Cast, Story } from '../real/story';
import { AWS_LOAD_BALANCER_CONTROLLER, AWS_RESOURCES } from './models/owners';

// Controllers that serve a class, played by the model: its rules one by one, two owners beside each other, and the race
// between creation and deletion. No service controller runs here.

const CLASS = { loadBalancerClass: 'service.k8s.aws/nlb' };
const OTHER: Owner = { name: 'other', finalizer: 'other.example.com/balancer', classes: ['other.example.com/nlb'] };

let plane: ControlPlane;
const tell = (title: string, why: string, act: (story: Story) => Promise<void>) =>
  Story.tell(plane, title, why, Cast.MODEL, act);

beforeAll(async () => {
  plane = await ControlPlane.start();
});

beforeEach(async () => {
  await plane.startOwners([AWS_LOAD_BALANCER_CONTROLLER, OTHER]);
});

afterEach(async () => {
  plane.ledger.delay = 0;
  await plane.program('owners').kill();
});

afterAll(() => plane?.stop());

const strip = (service: Ref) => plane.api.merge(service, { metadata: { finalizers: null } });

test('served and cleaned up', () =>
  tell(
    'The class of the AWS controller',
    'Finalizer, balancer, address; and all of it back on deletion.',
    async (story) => {
      const service = story.service('echo', { spec: CLASS });
      plane.ledger.delay = 400;
      await plane.api.create(service);
      await until('the cloud to be asked', () => plane.ledger.pending > 0);
      await story.see('created, cloud at work', '[F]', 0, 'finalizer first');
      plane.ledger.delay = 0;
      await story.see('cloud done', '[F]', 1);
      await until('an address', async () => (await plane.api.get(service)).status.loadBalancer.ingress?.length === 1);
      await plane.api.delete(service);
      await story.see('deleted', 'gone', 0);
    },
  ));

test('what brings the finalizer back', () =>
  tell(
    'A stripped finalizer comes back',
    'Not by itself: labels do not count; annotations, the spec and a restart do.',
    async (story) => {
      const service = story.service('echo', { spec: CLASS });
      await plane.api.create(service);
      await story.see('created', '[F]', 1);
      await strip(service);
      await story.seeForLong('stripped', '[]', 1, 'nobody looks', 0.5);
      await plane.api.merge(service, { metadata: { labels: { edited: 'yes' } } });
      await story.seeForLong('label edited', '[]', 1, 'nobody looks', 0.5);
      await plane.api.merge(service, { metadata: { annotations: { edited: 'yes' } } });
      await story.see('annotation edited', '[F]', 1, 'put back');
      await strip(service);
      await story.see('stripped', '[]', 1);
      await plane.api.merge(service, { spec: { externalTrafficPolicy: 'Local' } });
      await story.see('spec edited', '[F]', 1, 'put back');
      await strip(service);
      await story.see('stripped', '[]', 1);
      await plane.program('owners').stop();
      await plane.startOwners([AWS_LOAD_BALANCER_CONTROLLER, OTHER]);
      await story.see('controller restarted', '[F]', 1, 'put back');
      await plane.api.delete(service);
      await story.see('deleted', 'gone', 0);
    },
  ));

test('its finalizer where it owns nothing', () =>
  tell(
    'F on a Service that the AWS controller does not own',
    'It cleans up what it finds its mark on.',
    async (story) => {
      const metadata = { finalizers: [AWS_RESOURCES] };
      const plain = story.service('plain', { metadata, spec: { type: 'ClusterIP' } });
      const foreign = story.service('foreign', { metadata, spec: { loadBalancerClass: 'nobody.example.com/nlb' } });
      const address = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } } };
      await plane.program('owners').stop();
      await plane.api.create(plain);
      await plane.api.create(foreign);
      await plane.api.merge(foreign, address, { subresource: 'status' });
      await story.see('created while it is down', '[F]', 0);
      await plane.startOwners([AWS_LOAD_BALANCER_CONTROLLER, OTHER]);
      await story.see('controller started', '[]', 0, 'taken off, and the address with it, whoever wrote that');
      expect((await plane.api.get(foreign)).status.loadBalancer).toEqual({});
    },
  ));

test('type LoadBalancer to ClusterIP', () =>
  tell(
    'Type ClusterIP for a Service of the AWS controller',
    'The balancer is given back, and the class goes with the type.',
    async (story) => {
      const service = story.service('echo', { spec: CLASS });
      await plane.api.create(service);
      await story.see('created', '[F]', 1);
      await plane.api.merge(service, { spec: { type: 'ClusterIP', loadBalancerClass: null } });
      await story.see('type ClusterIP', '[]', 0, 'balancer and finalizer go, the Service stays');
      await plane.api.delete(service);
      await story.see('deleted', 'gone', 0);
    },
  ));

test('an orphan recovered', () =>
  tell(
    'An orphan is deleted by a ClusterIP Service of its name',
    'The cheapest recovery: the controller finds its mark and deletes the balancer of that name.',
    async (story) => {
      const service = story.service('echo', { spec: CLASS });
      await plane.api.create(service);
      await story.see('created', '[F]', 1);
      await strip(service);
      await plane.api.delete(service);
      await story.see('stripped and deleted', 'gone', 1, 'an orphan');
      const finalizers = { finalizers: [AWS_RESOURCES] };
      await plane.api.create(story.service('echo', { metadata: finalizers, spec: { type: 'ClusterIP' } }));
      await story.see('ClusterIP Service with F', '[]', 0, 'balancer deleted, finalizer taken off');
    },
  ));

test('two owners', () =>
  tell(
    'Two owners beside each other',
    'Each serves its class, and leaves the finalizer of the other alone.',
    async (story) => {
      const aws = story.service('aws', { spec: CLASS });
      const other = story.service('other', { spec: { loadBalancerClass: 'other.example.com/nlb' } });
      const nobodys = story.service('nobodys', { spec: { loadBalancerClass: 'nobody.example.com/nlb' } });
      for (const service of [aws, other, nobodys]) {
        await plane.api.create(service);
      }
      await story.see('one of each class, one of none', '[F] / [] / [other.example.com/balancer]', 2, 'each its own');
      expect(
        plane.ledger
          .of(story.namespace)
          .map(({ owner, service }) => `${owner} ${service}`)
          .sort(),
      ).toEqual([`${AWS_LOAD_BALANCER_CONTROLLER.name} ${story.namespace}/aws`, `other ${story.namespace}/other`]);
      await plane.api.delete(aws);
      await story.see('the first deleted', '[] / [other.example.com/balancer]', 1, "the other's stays");
      const both = { metadata: { finalizers: [AWS_RESOURCES, OTHER.finalizer] } };
      await plane.api.merge(other, both);
      await story.see('F added to the second', '[] / [other.example.com/balancer,F]', 1, 'nobody looks at finalizers');
      await plane.api.delete(other);
      await story.see('the second deleted', '[]', 0, 'each takes off its own');
      await plane.api.delete(nobodys);
      await story.see('the third deleted', 'gone', 0);
    },
  ));

const ROUND = 60;
const ROUNDS = 5;
/** Rounds without an orphan, after which the race is said not to have been seen. */
const PATIENCE = 25;
/** Between creation and deletion, in ms: as long as the controller may take to put its finalizer. */
const APART = 30;

/** Creates and deletes Services, and returns how many balancers are left when everybody has come to rest. */
async function race(story: Story, name: string, finalizers: string[]): Promise<number> {
  const { api, ledger } = plane;
  const lives = [...Array(ROUND).keys()].map(async (index) => {
    const service = story.service(`${name}-${index}`, { metadata: { finalizers }, spec: CLASS });
    await api.create(service);
    await pause(index % APART);
    await api.delete(service);
  });
  await Promise.all(lives);
  await until('all to be gone', async () => (await story.state()) === 'gone');
  let calls = -1;
  await until('the ledger to be quiet', async () => {
    const quiet = calls === ledger.calls.length;
    calls = ledger.calls.length;
    await pause(200);
    return quiet;
  });
  return ledger.of(story.namespace).filter((entry) => entry.service.includes(`/${name}-`)).length;
}

test('created and deleted at once', () =>
  tell(
    'Created and deleted within milliseconds',
    'The API server may have decided to delete at once before the finalizer of the controller lands. A declared one is there from the first moment.',
    async (story) => {
      let declared = 0;
      for (let round = 0; round < ROUNDS; round++) {
        declared += await race(story, `declared-${round}`, [AWS_RESOURCES]);
      }
      story.say('with F declared', 'gone', `${declared} of ${ROUNDS * ROUND}`, 'no orphan', '0');
      expect(declared).toBe(0);
      let undeclared = 0;
      let rounds = 0;
      while (undeclared === 0 && rounds < PATIENCE) {
        undeclared += await race(story, `undeclared-${rounds++}`, []);
      }
      const verdict = 'orphans without any strip: a few in a thousand, differing from run to run, and not asserted';
      story.say('with nothing declared', 'gone', `${undeclared} of ${rounds * ROUND}`, verdict, 'some, in most runs');
    },
  ));
