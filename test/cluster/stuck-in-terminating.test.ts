import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AwsLoadBalancerController, LoadBalancerScheme, NlbTargetType } from '../../src';
import { ControlPlane } from '../real/control-plane';
import { addNode } from '../real/objects';
import { runShell, shellBlocks, until } from '../real/program';
import { Cast, Story } from '../real/story';
import { ours } from './harness/strimzi';

import { AWS_LOAD_BALANCER_CONTROLLER, AWS_RESOURCES, KEP_980 } from './models/owners';

// The steps of docs/stuck-in-terminating.md as they stand there, with the real kubectl.

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'stuck-in-terminating.md'), 'utf8');
const steps = shellBlocks(page);

/** What the page says of webhooks whose controller will never come back. */
const deleteWebhooks = /`(kubectl delete validatingwebhookconfiguration[^`]*)`/.exec(page)?.[1] as string;

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
  await addNode(plane.api, 'plain');
});

afterEach(() => plane.stopControllers());

afterAll(() => plane?.stop());

/** What the reader of a step types, with their own names in it. */
async function type(story: Story, step: number, wanted = 0): Promise<string> {
  const names = `NAMESPACE=${story.namespace}\nSERVICE=echo\n`;
  const commands = (steps.get(step) ?? []).filter((block) => !block.startsWith('NAMESPACE='));
  expect(commands).not.toEqual([]);
  const { output, status } = await runShell(
    plane,
    names + commands.join('\n').replace('--timeout=600s', '--timeout=5s'),
  );
  expect({ output, status }).toEqual({ output, status: wanted });
  return output;
}

test('the page has its steps in order', () => {
  expect([...steps.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('the owner comes back', () =>
  Story.tell(
    plane,
    'Stuck in Terminating: the owner was uninstalled too early',
    'Steps 1 to 4: the owner is started again and does its part.',
    Cast.MODEL,
    async (story) => {
      await plane.startOwners([AWS_LOAD_BALANCER_CONTROLLER]);
      const controller = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
      const service = ours(story.namespace, 'echo', controller, { scheme: LoadBalancerScheme.INTERNAL });
      await plane.api.create(service);
      await story.see('created', '[F]', 1);
      await plane.program('owners').stop();
      await plane.api.delete(service);
      await story.see('controller uninstalled, Service deleted', '[F] Terminating', 1, 'stuck');
      expect(await type(story, 1)).toContain(`${story.namespace}\techo\t["${AWS_RESOURCES}"]`);
      expect(await type(story, 2)).toMatch(
        /finalizers .*service\.k8s\.aws\/resources[\s\S]*class +service\.k8s\.aws\/nlb/,
      );
      await type(story, 3);
      await plane.startOwners([AWS_LOAD_BALANCER_CONTROLLER]);
      expect(await type(story, 4, 1)).toContain('NotFound');
      await story.see('step 4: controller started', 'gone', 0, 'nothing is left');
      expect(await type(story, 8)).toBe('');
    },
  ));

test('nobody will come', () =>
  Story.tell(
    plane,
    'Stuck in Terminating: a finalizer that nobody removes',
    'All steps: the balancer is gone, the finalizer is of a controller that does not run here.',
    Cast.REAL,
    async (story) => {
      await plane.startCloud();
      const other = 'other.example.com/balancer';
      const service = story.service('echo', { metadata: { finalizers: [other, AWS_RESOURCES] } });
      await plane.api.create(service);
      await story.see('created with F and another by hand', `[${other},K,F]`, 1);
      await plane.api.delete({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: story.namespace } });
      await plane.api.delete(service);
      await story.seeForLong('deleted, and its namespace with it', `[${other},F] Terminating`, 0, 'stuck', 1);
      expect(await type(story, 1)).toContain('echo');
      expect(await type(story, 2)).toMatch(/address +\n/);
      expect(await type(story, 3)).not.toContain('DeletedLoadBalancer');
      expect(await type(story, 4)).toContain('LoadBalancer');
      await story.see('step 4: nobody comes', `[${other},F] Terminating`, 0);
      await type(story, 6);
      await type(story, 7);
      await story.seeForLong('step 7: F taken away', `[${other}] Terminating`, 0, 'the other one stays', 0.5);
      await plane.api.merge(service, { metadata: { finalizers: null } });
      await story.see('the other one taken away', 'gone', 0, 'freed');
      expect(await type(story, 8)).toBe('');
    },
  ));

test('the address is gone, and the balancer is not', () =>
  Story.tell(
    plane,
    'Stuck in Terminating: an empty address proves nothing',
    "The service controller took its own finalizer off, with an event that says it deleted the balancer. It is the AWS controller's, and stands.",
    Cast.MODEL,
    async (story) => {
      await plane.startCloud();
      await plane.startOwners([AWS_LOAD_BALANCER_CONTROLLER]);
      const spec = { loadBalancerClass: 'service.k8s.aws/nlb' };
      const service = story.service('echo', { metadata: { finalizers: [KEP_980] }, spec });
      await plane.api.create(service);
      await story.see('created with K by hand', '[K,F]', 1);
      await plane.program('owners').stop();
      await plane.api.delete(service);
      await story.see(
        'AWS controller uninstalled, Service deleted',
        '[F] Terminating',
        1,
        'K is off, the balancer stands',
      );
      expect(await type(story, 2)).toMatch(/address +\n/);
      await until('the event', async () => /Deleted load balancer/.test(await type(story, 3)));
      story.say('steps 2 and 3', '[F] Terminating', '1', 'no address, and the event "Deleted load balancer"');
      await plane.startOwners([AWS_LOAD_BALANCER_CONTROLLER]);
      expect(await type(story, 4, 1)).toContain('NotFound');
      await story.see('step 4: AWS controller started', 'gone', 0, 'now it is deleted');
    },
  ));

test('a webhook whose pods are gone refuses the removal', () =>
  Story.tell(
    plane,
    'Stuck in Terminating: a webhook without pods is in the way',
    'The chart of the AWS controller left its webhooks behind; here they ask for Services.',
    Cast.REAL,
    async (story) => {
      const service = story.service('echo', { metadata: { finalizers: [AWS_RESOURCES] }, spec: { type: 'ClusterIP' } });
      await plane.api.create(service);
      const client = { service: { namespace: 'kube-system', name: 'aws-load-balancer-webhook-service', path: '/x' } };
      const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['services'], operations: ['UPDATE'] };
      const named = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': story.namespace } } };
      await plane.api.create({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'aws-load-balancer-webhook' },
        webhooks: [
          {
            ...named,
            name: 'vservice.elbv2.k8s.aws',
            clientConfig: client,
            rules: [rule],
            failurePolicy: 'Fail',
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      });
      await plane.api.create({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: 'aws-load-balancer-webhook' },
      });
      await plane.api.delete(service);
      const refused = await until('the webhook to be asked', async () => {
        const output = await type(story, 7, 1).catch(() => '');
        return /failed calling webhook/.test(output) && output;
      });
      expect(refused).toContain('vservice.elbv2.k8s.aws');
      await story.see('step 7, with the webhook there', '[F] Terminating', 0, 'refused: failed calling webhook');
      expect(await type(story, 5)).toMatch(/ValidatingWebhookConfiguration +aws-load-balancer-webhook +aws-load/);
      expect((await runShell(plane, deleteWebhooks)).status).toBe(0);
      await until('the webhook to be forgotten', () => type(story, 7).catch(() => false));
      await story.see('step 5, then step 7', 'gone', 0, 'freed');
    },
  ));
