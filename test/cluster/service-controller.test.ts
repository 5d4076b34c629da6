import { JsonPatch } from 'cdk8s';
import { AzureCloudProvider } from '../../src';
import { ControlPlane } from '../real/control-plane';
import { addNode, nodeRef } from '../real/objects';
import { pause, until } from '../real/program';
import { Cast, Story } from '../real/story';
import { ours } from './harness/strimzi';
import { AWS_RESOURCES, KEP_980 } from './models/owners';

// What Kubernetes' own service controller does about finalizers, while it runs.

const FOREIGN_CLASS = { loadBalancerClass: 'service.k8s.aws/nlb' };

let plane: ControlPlane;
const tell = (title: string, why: string, act: (story: Story) => Promise<void>) =>
  Story.tell(plane, title, why, Cast.REAL, act);

beforeAll(async () => {
  plane = await ControlPlane.start();
  await addNode(plane.api, 'plain');
  await plane.startManager();
  await plane.startCloud();
});

afterAll(() => plane?.stop());

test('a Service without a class', () =>
  tell(
    'A Service without a class',
    'Belongs to the service controller of the cloud, which marks it before it asks for a balancer.',
    async (story) => {
      const service = story.service('echo');
      await plane.api.create(service);
      await story.see('created without a finalizer', '[K]', 1, 'the service controller adds its finalizer, then asks');
      await plane.api.delete(service);
      await story.see('deleted', 'gone', 0, 'nothing is left');
    },
  ));

test('a Service without a class as the library writes it', () =>
  tell(
    'The same, with the finalizer in the manifest',
    'What the library writes: the finalizer is there from the first moment, and the controller leaves it alone.',
    async (story) => {
      const service = ours(story.namespace, 'echo', AzureCloudProvider.standard());
      expect(service.metadata.finalizers).toEqual([KEP_980]);
      await plane.api.create(service);
      await story.see('created', '[K]', 1, 'the same finalizer, once');
      await plane.api.delete(service);
      await story.see('deleted', 'gone', 0, 'nothing is left');
    },
  ));

test('a namespace with a Service in it', () =>
  tell(
    'A namespace is deleted',
    'The namespace waits for the Service, and the Service for its balancer.',
    async (story) => {
      await plane.api.create(story.service('echo'));
      await story.see('created', '[K]', 1);
      await plane.api.delete({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: story.namespace } });
      await story.see('namespace deleted', 'gone', 0, 'nothing is left');
    },
  ));

test('a wrong finalizer', () =>
  tell(
    "The AWS controller's finalizer on a Service of the cloud",
    'Nobody here removes it: the balancer goes, the object stays, and its namespace with it.',
    async (story) => {
      const service = story.service('echo', { metadata: { finalizers: [AWS_RESOURCES] } });
      await plane.api.create(service);
      await story.see('created with F', '[K,F]', 1, 'accepted by the API server, served by the cloud');
      await plane.api.delete(service);
      await story.seeForLong('deleted', '[F] Terminating', 0, 'hangs: no balancer is left, and nobody removes F');
      await story.refused(
        'the same in the library',
        async () =>
          ours(story.namespace, 'echo', AzureCloudProvider.standard(), {}, (each) =>
            each.addJsonPatch(JsonPatch.add('/metadata/finalizers/-', AWS_RESOURCES)),
          ),
        /finalizer.*service\.k8s\.aws\/resources/s,
      );
      await plane.api.merge(service, { metadata: { finalizers: null } });
      await story.see('finalizer taken away by hand', 'gone', 0, 'only by hand');
    },
  ));

test('the finalizer of KEP-980 on a foreign class', () =>
  tell(
    "KEP-980's finalizer on a Service of another controller's class",
    'The service controller never makes its balancer, and strips the finalizer on deletion all the same.',
    async (story) => {
      const service = story.service('echo', { metadata: { finalizers: [KEP_980] }, spec: FOREIGN_CLASS });
      await plane.api.create(service);
      await story.seeForLong('created with K', '[K]', 0, 'not its class: no balancer', 1);
      await plane.api.delete(service);
      await story.see('deleted', 'gone', 0, 'stripped, so it protects nothing of the other controller');
      const said = await until('an event', async () => {
        const events = await plane.api.list({ apiVersion: 'v1', kind: 'Event' }, story.namespace);
        return events.find((event) => event.reason === 'DeletedLoadBalancer');
      });
      story.say(
        'what it says of it',
        'gone',
        '0',
        `event ${said.reason}: ${said.message}, of a balancer that it never had`,
      );
    },
  ));

test('type LoadBalancer to ClusterIP and back', () =>
  tell(
    'Type LoadBalancer, ClusterIP, LoadBalancer',
    'A change of type gives the balancer back. The finalizer stays only where there is a balancer to clean up.',
    async (story) => {
      const service = story.service('echo');
      await plane.api.create(service);
      await story.see('created', '[K]', 1);
      await plane.api.merge(service, { spec: { type: 'ClusterIP' } });
      await story.see('type ClusterIP', '[]', 0, 'balancer and finalizer go, the Service stays');
      await plane.api.merge(service, { metadata: { finalizers: [KEP_980], annotations: { applied: 'again' } } });
      await until('the finalizer to be looked at', async () => {
        const events = await plane.api.list({ apiVersion: 'v1', kind: 'Event' }, story.namespace);
        const told = events.filter((event) => event.reason === 'DeletedLoadBalancer');
        return told.reduce((sum, event) => sum + event.count, 0) === 2;
      });
      await story.see(
        'K declared again',
        '[]',
        0,
        'taken off again, so a manifest that keeps it there never comes to rest',
      );
      await plane.api.merge(service, { spec: { type: 'LoadBalancer' } });
      await story.see('type LoadBalancer', '[K]', 1, 'another balancer');
      await plane.api.delete(service);
      await story.see('deleted', 'gone', 0);
    },
  ));

test('class added to a live Service', () =>
  tell(
    'A class for a Service that lives',
    'The class is decided at creation. Whoever wants another owner makes another Service.',
    async (story) => {
      const service = story.service('echo');
      await plane.api.create(service);
      await story.see('created without a class', '[K]', 1);
      await story.refused('class added', () => plane.api.merge(service, { spec: FOREIGN_CLASS }), /loadBalancerClass/);
      await plane.api.merge(service, { spec: { type: 'ClusterIP' } });
      await story.see('type ClusterIP first', '[]', 0, 'the address is lost');
      await plane.api.merge(service, { spec: { type: 'LoadBalancer', ...FOREIGN_CLASS } });
      await story.seeForLong(
        'then LoadBalancer with a class',
        '[]',
        0,
        'accepted; the service controller keeps out',
        1,
      );
      await plane.api.delete(service);
      await story.see('deleted', 'gone', 0);
    },
  ));

test('finalizer and deletion', () =>
  tell(
    'A finalizer for a Service in Terminating',
    'It is too late then: an operator that declares one afterwards fails in every reconciliation.',
    async (story) => {
      const service = story.service('echo', { metadata: { finalizers: [AWS_RESOURCES] } });
      await plane.api.create(service);
      await story.see('created with F', '[K,F]', 1);
      await plane.api.delete(service);
      await story.see('deleted', '[F] Terminating', 0);
      const late = { metadata: { finalizers: [AWS_RESOURCES, KEP_980] } };
      await story.refused('K added', () => plane.api.merge(service, late), /no new finalizers can be added/);
      await plane.api.merge(service, { metadata: { finalizers: null } });
      await story.see('finalizer taken away by hand', 'gone', 0);
    },
  ));

test('a quota of load balancers', () =>
  tell(
    'services.loadbalancers: 2',
    'A quota in the namespace answers at once, in words; the quota of a cloud account leaves a Service without an address.',
    async (story) => {
      const { namespace } = story;
      const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'balancers', namespace } };
      await plane.api.create({ ...quota, spec: { hard: { 'services.loadbalancers': '2' } } });
      const used = (number: number) => async () =>
        (await plane.api.get(quota)).status.used?.['services.loadbalancers'] === String(number);
      await until('the quota to be counted', used(0));
      for (const name of ['first', 'second']) {
        await plane.api.create(story.service(name));
      }
      await story.see('two created', '[K]', 2);
      await until('the quota to be counted', used(2));
      await story.refused('a third', () => plane.api.create(story.service('third')), /exceeded quota: balancers/);
      const quiet = story.service('quiet', { spec: { type: 'ClusterIP' } });
      await plane.api.create(quiet);
      const widened = () => plane.api.merge(quiet, { spec: { type: 'LoadBalancer' } });
      await story.refused('a ClusterIP Service becomes one', widened, /exceeded quota: balancers/);
      await plane.api.delete(quiet);
      await plane.api.delete(story.service('first'));
      await story.see('the first deleted', '[K]', 1);
      await story.retried('a third again', () => plane.api.create(story.service('third')));
      await story.see('created', '[K]', 2, 'as soon as the quota is counted again');
    },
  ));

test('nodes behind a balancer', () =>
  tell(
    'Nodes behind a balancer',
    'Labels decide at once. A taint decides when something else makes the controller look. Readiness does not decide: that is what health checks are for.',
    async (story) => {
      const { api } = plane;
      const exclude = 'node.kubernetes.io/exclude-from-external-load-balancers';
      const doomed = { key: 'ToBeDeletedByClusterAutoscaler', effect: 'NoSchedule' };
      await addNode(api, 'excluded', { labels: { [exclude]: '' } });
      await addNode(api, 'not-excluded', { labels: { [exclude]: 'false' } });
      await addNode(api, 'doomed', { taints: [doomed] });
      await addNode(api, 'tainted', { taints: [{ key: 'dedicated', value: 'kafka', effect: 'NoSchedule' }] });
      await addNode(api, 'not-ready', { ready: false });
      await api.create(story.service('echo'));
      const all = ['not-excluded', 'not-ready', 'plain', 'tainted'];
      await story.seeNodes('created', all, 'all but the excluded and the one that the autoscaler takes away');
      await api.merge(nodeRef('plain'), { spec: { taints: [doomed] } });
      await pause(1000);
      await story.seeNodes('plain is doomed', all, 'not looked at yet');
      await api.merge(nodeRef('tainted'), { metadata: { labels: { [exclude]: 'true' } } });
      await story.seeNodes('tainted is excluded', ['not-excluded', 'not-ready'], 'now for both reasons');
      await api.merge(nodeRef('plain'), { spec: { taints: null } });
      await api.merge(nodeRef('excluded'), { metadata: { labels: { [exclude]: null } } });
      await story.seeNodes('labels and taints undone', ['excluded', 'not-excluded', 'not-ready', 'plain']);
      expect(plane.ledger.callsOf(story.namespace).filter(({ call }) => call === 'update').length).toBe(2);
      await api.delete(story.service('echo'));
      await story.see('deleted', 'gone', 0);
    },
  ));
