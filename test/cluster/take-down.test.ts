import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  LoadBalancedService,
  LoadBalancerScheme,
  NlbTargetType,
} from '../../src';
import { AwsCloudControllerManagerInstallation } from '../../src/installations/aws-cloud-controller-manager/installation';
import {
  CCM_CLUSTER_RULES,
  CCM_LEASE,
  CCM_NAMES,
  CCM_NAMESPACE,
} from '../../src/installations/aws-cloud-controller-manager/installation.facts';
import { InstallationOrder } from '../../src/installations/order/installation-order';
import type { Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { addNode } from '../real/objects';
import { runShell, shellBlocks } from '../real/program';
import { Cast, Story } from '../real/story';
import { endWith } from './harness/run-time';
import { ours } from './harness/strimzi';
import { AWS_LOAD_BALANCER_CONTROLLER, AWS_RESOURCES, KEP_980, LEFT_TO_OTHERS } from './models/owners';

// The steps of docs/how-to/take-a-cluster-down.md and docs/how-to/change-a-controller.md as they stand there, with the real kubectl
// and the real service controller.

const page = (name: string) =>
  shellBlocks(readFileSync(join(__dirname, '..', '..', 'docs', 'how-to', `${name}.md`), 'utf8'));
const TAKE_DOWN = page('take-a-cluster-down');
const HAND_OVER = page('change-a-controller');

const WORKLOAD: Ref = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'aws-cloud-controller-manager', namespace: 'kube-system' },
};

/** The controller of these stories has no other permissions than its installation gives it. */
const SERVICE_ACCOUNT = `system:serviceaccount:${CCM_NAMESPACE}:${CCM_NAMES.serviceAccount}`;

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
  await addNode(plane.api, 'plain');
});

afterEach(() => plane.stopControllers());

afterAll(() => plane?.stop());

async function shell(commands: string, wanted = 0): Promise<string> {
  const { output, status } = await runShell(plane, commands.replace(/--timeout=600s/g, '--timeout=5s'));
  expect({ output, status }).toEqual({ output, status: wanted });
  return output;
}

/** What the reader of a step types, with their own names in it. */
function type(steps: Map<number, string[]>, step: number, names = '', wanted = 0): Promise<string> {
  const blocks = steps.get(step) ?? [];
  const commands = names === '' ? blocks : blocks.filter((block) => !block.startsWith('NAMESPACE='));
  expect(commands).not.toEqual([]);
  return shell(names + commands.join('\n'), wanted);
}

/** An app with a controller and what it serves, in files that are called like their charts, or numbered. */
function writeFiles(namespace: string, numbered = false): void {
  const outdir = join(plane.folder, 'dist');
  rmSync(outdir, { recursive: true, force: true });
  const app = new App({ outdir });
  const shop = new Chart(app, 'shop', { namespace });
  const system = new Chart(app, 'system');
  const controller = new AwsCloudControllerManagerInstallation(system, 'CloudController', { clusterName: 'prod' });
  new LoadBalancedService(shop, 'Echo', {
    name: 'echo',
    controller: controller.nlb(),
    scheme: LoadBalancerScheme.INTERNAL,
    selector: { app: 'echo' },
    ports: [{ name: 'tcp', port: 443, targetPort: 8443 }],
  });
  if (numbered) {
    InstallationOrder.cdk8sDependencies().stage(system).stage(shop);
  }
  app.synth();
}

/** The app applied, and what a kubelet would start. */
async function install(story: Story): Promise<void> {
  writeFiles(story.namespace);
  await shell('kubectl apply -f dist/ --validate=strict');
  await plane.api.get(WORKLOAD);
  await plane.startCloud({}, SERVICE_ACCOUNT);
  await story.see('controller and Service applied', '[K]', 1);
}

test('the pages have their steps in order', () => {
  expect([...TAKE_DOWN.keys()]).toEqual([1, 2, 3, 4, 5, 6]);
  expect([...HAND_OVER.keys()]).toEqual([1, 2, 3, 4, 5, 6]);
});

test('in two phases', () =>
  Story.tell(
    plane,
    'A cluster taken down in two phases',
    'All steps of the page: Services first, and the controller when their balancers are gone.',
    Cast.REAL,
    async (story) => {
      await install(story);
      expect(await type(TAKE_DOWN, 1)).toContain(`${story.namespace}\techo\t\t["${KEP_980}"]`);
      expect(await type(TAKE_DOWN, 2)).toBe('');
      await type(TAKE_DOWN, 3);
      expect((await type(TAKE_DOWN, 4)).split('\n').filter((line) => line.includes('\t'))).toEqual([]);
      await story.see('phase one: the Service deleted', 'gone', 0, 'the controller did its part');
      await type(TAKE_DOWN, 6);
      await endWith(plane, WORKLOAD, 'cloud');
      await story.see('phase two: the controller deleted', 'gone', 0, 'nothing is left');
    },
  ));

test('in the wrong order', () =>
  Story.tell(
    plane,
    'A cluster taken down in the wrong order',
    'Phase two of the page before phase one.',
    Cast.REAL,
    async (story) => {
      await install(story);
      await type(TAKE_DOWN, 1);
      await type(TAKE_DOWN, 6);
      await endWith(plane, WORKLOAD, 'cloud');
      await story.see('the controller deleted', '[K]', 1, 'nothing seems wrong');
      await type(TAKE_DOWN, 3);
      await story.seeForLong('the Service deleted', '[K] Terminating', 1, 'stuck', 1);
      expect(await type(TAKE_DOWN, 4, '', 0)).toContain(`${story.namespace}\techo`);
      await plane.api.merge(story.service('echo'), { metadata: { finalizers: null } });
      await story.see('finalizer taken away by hand', 'gone', 1, 'an orphan');
      await plane.startCloud();
      await story.seeForLong('controller installed again', 'gone', 1, 'nobody knows of it any more', 1);
    },
  ));

test('in the wrong order, and mended', () =>
  Story.tell(
    plane,
    'The wrong order, mended',
    'The controller is installed again instead, and the page is begun anew.',
    Cast.REAL,
    async (story) => {
      await install(story);
      await type(TAKE_DOWN, 1);
      await type(TAKE_DOWN, 6);
      await endWith(plane, WORKLOAD, 'cloud');
      await type(TAKE_DOWN, 3);
      await story.see('the controller deleted, and then the Service', '[K] Terminating', 1, 'stuck');
      await shell('kubectl apply -f dist/system.k8s.yaml');
      await plane.startCloud();
      await type(TAKE_DOWN, 4);
      await story.see('the controller installed again', 'gone', 0, 'it does its part');
      await type(TAKE_DOWN, 6);
    },
  ));

test('all files at once', async () => {
  await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'all-at-once' } });
  writeFiles('all-at-once', true);
  await shell('kubectl apply -f dist/');
  const lines = (await shell('kubectl delete -f dist/ --wait=false')).split('\n');
  const place = (text: string) => lines.findIndex((line) => line.includes(text) && line.includes('deleted'));
  expect(place('daemonset')).toBeGreaterThanOrEqual(0);
  expect(place('service "echo"')).toBeGreaterThan(place('daemonset'));
  await plane.startCloud();
  await shell('kubectl wait --for=delete service/echo -n all-at-once --timeout=600s');
});

test('a finalizer is missing', () =>
  Story.tell(
    plane,
    'A finalizer that is missing is put back before the deletion',
    'Step 2 of the page, after an operator has written the Service as a whole.',
    Cast.REAL,
    async (story) => {
      await install(story);
      await plane.api.merge(story.service('echo'), { metadata: { finalizers: null } });
      await story.see('stripped by somebody', '[]', 1, 'deleted now, the balancer would stay');
      await type(TAKE_DOWN, 1);
      expect(await type(TAKE_DOWN, 2)).toContain(`${story.namespace}\techo`);
      await story.see('step 2: an annotation changed', '[K]', 1, 'the controller puts it back');
      await type(TAKE_DOWN, 1);
      expect(await type(TAKE_DOWN, 2)).toBe('');
      await type(TAKE_DOWN, 3);
      await type(TAKE_DOWN, 4);
      await story.see('steps 3 and 4: deleted', 'gone', 0, 'nothing is left');
      await type(TAKE_DOWN, 6);
    },
  ));

describe('the handing over', () => {
  const typed = (story: Story, step: number) =>
    type(HAND_OVER, step, `NAMESPACE=${story.namespace}\nOLD=echo\nNEW=echo-nlb\n`);
  const old = (story: Story) =>
    ours(story.namespace, 'echo', AwsCloudProvider.nlb(), { scheme: LoadBalancerScheme.INTERNAL });
  const next = (story: Story) =>
    ours(story.namespace, 'echo-nlb', AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }), {
      scheme: LoadBalancerScheme.INTERNAL,
    });

  test('step by step', () =>
    Story.tell(
      plane,
      'A Service handed over to a controller with a class',
      'All steps of the page; the service controller is switched off at the end.',
      Cast.MODEL,
      async (story) => {
        await plane.startCloud(LEFT_TO_OTHERS);
        await plane.startOwners([AWS_LOAD_BALANCER_CONTROLLER]);
        await plane.api.create(old(story));
        await story.see('the old Service', '[K]', 1);
        expect(await typed(story, 1)).toContain(`${story.namespace}\techo\t\t["${KEP_980}"]`);
        await story.refused(
          'a class for the old Service',
          () => plane.api.merge(old(story), { spec: { loadBalancerClass: 'service.k8s.aws/nlb' } }),
          /may not change once set/,
        );
        await plane.api.create(next(story));
        await typed(story, 2);
        await story.see('step 2: the new Service beside it', '[F] / [K]', 2, 'both serve');
        await typed(story, 3);
        await typed(story, 4);
        await story.see('step 4: the old Service deleted', '[F]', 1, 'its balancer is gone, the other one serves');
        expect(await typed(story, 5)).toBe('');
        await plane.program('cloud').stop();
        await plane.api.delete(next(story));
        await story.see('service controller off, new Service deleted', 'gone', 0, 'nobody misses it');
      },
    ));

  test('switched off too early', () =>
    Story.tell(
      plane,
      'The service controller switched off too early',
      'What is left of its Services, and what becomes of new ones.',
      Cast.REAL,
      async (story) => {
        await plane.startCloud();
        await plane.api.create(old(story));
        await story.see('created', '[K]', 1);
        await plane.program('cloud').stop();
        expect(await typed(story, 5)).toContain(`${story.namespace}\techo\t["${KEP_980}"]`);
        await plane.api.delete(old(story));
        await story.seeForLong('switched off, Service deleted', '[K] Terminating', 1, 'stuck, the balancer stands', 1);
        const late = story.service('late');
        await plane.api.create(late);
        await story.seeForLong('another Service without a class', '[K] Terminating / []', 1, 'nobody answers', 1);
        await plane.api.delete(late);
        await plane.startCloud();
        await story.see('switched on again', 'gone', 0, 'cleaned up');
      },
    ));

  test('by annotation', () =>
    Story.tell(
      plane,
      'A Service handed over by annotation',
      'The API server takes it, and so do both controllers.',
      Cast.MODEL,
      async (story) => {
        await plane.startCloud(LEFT_TO_OTHERS);
        await plane.startOwners([AWS_LOAD_BALANCER_CONTROLLER]);
        const service = story.service('echo');
        await plane.api.create(service);
        await story.see('created without a class', '[K]', 1);
        const prefix = 'service.beta.kubernetes.io/aws-load-balancer';
        await plane.api.merge(service, {
          metadata: { annotations: { [`${prefix}-type`]: 'external', [`${prefix}-nlb-target-type`]: 'ip' } },
        });
        await story.seeForLong(
          'annotated as external',
          '[K,F]',
          2,
          'a second balancer, and nobody cares for the first',
          1,
        );
        expect((await plane.api.get(service)).metadata.finalizers).toEqual([KEP_980, AWS_RESOURCES]);
      },
    ));
});

describe('what the installation may do', () => {
  const ASKED = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

  async function may(group: string, resource: string, verb: string, namespace = '', name = ''): Promise<boolean> {
    const [kind, subresource = ''] = resource.split('/');
    const { status } = await plane.api.call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: {
        user: SERVICE_ACCOUNT,
        resourceAttributes: { group, resource: kind, subresource, verb, namespace, name },
      },
    });
    return status.allowed;
  }

  beforeAll(async () => {
    writeFiles('default');
    await shell('kubectl apply -f dist/system.k8s.yaml --validate=strict');
  });

  test.each([...new Set(CCM_CLUSTER_RULES.map(({ group, resource }) => `${group}/${resource}`))])(
    '%s: what its table says, and no more',
    async (text) => {
      const [group, ...rest] = text.split('/');
      const rules = CCM_CLUSTER_RULES.filter((rule) => rule.group === group && rule.resource === rest.join('/'));
      const allowed = rules.flatMap(({ verbs }) => verbs);
      const answers = await Promise.all(ASKED.map((verb) => may(group, rest.join('/'), verb, '', '')));
      expect(ASKED.filter((_, i) => answers[i])).toEqual(ASKED.filter((verb) => allowed.includes(verb)));
    },
  );

  test.each([
    ['its own lease', 'coordination.k8s.io', 'leases', 'update', CCM_NAMESPACE, CCM_LEASE, true],
    ['the lease of others', 'coordination.k8s.io', 'leases', 'update', CCM_NAMESPACE, 'kube-scheduler', false],
    ['secrets', '', 'secrets', 'get', CCM_NAMESPACE, 'any', false],
    ['tokens of service accounts', '', 'serviceaccounts/token', 'create', CCM_NAMESPACE, 'any', false],
    ['the kubelets', '', 'nodes/proxy', 'get', '', 'plain', false],
    [
      'how the API server proves who asks',
      '',
      'configmaps',
      'get',
      CCM_NAMESPACE,
      'extension-apiserver-authentication',
      true,
    ],
  ])('%s', async (_, group, resource, verb, namespace, name, allowed) => {
    expect(await may(group, resource, verb, namespace, name)).toBe(allowed);
  });
});
