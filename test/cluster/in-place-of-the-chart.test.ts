import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Yaml } from 'cdk8s';
import { WEBHOOKS } from '../../src/installations/aws-load-balancer-controller/installation.facts';
import type { Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { isWebhookConfiguration, objectsIn, removeAll } from '../real/objects';

import { count, runShell } from '../real/program';

// docs/how-to/change-a-controller.md: the webhooks of the chart, then ours, with the real kubectl.

const REPOSITORY = join(__dirname, '..', '..');
const GOLDEN = join(REPOSITORY, 'test', 'installations', 'goldens', 'aws-load-balancer-controller.yaml');
const [, PAGE] = readFileSync(join(REPOSITORY, 'docs', 'how-to', 'change-a-controller.md'), 'utf8').split(
  '\n## Replace the Helm chart',
);

const ours = objectsIn(readFileSync(GOLDEN, 'utf8')).filter(isWebhookConfiguration);
const namesOf = (configuration?: Body): string[] => configuration?.webhooks.map(({ name }: Body) => name).sort();

/** What the chart has beside what we write, unless its values say otherwise: kubernetes-sigs/aws-load-balancer-controller v3.5.0, helm/aws-load-balancer-controller/templates/webhook.yaml. */
const OF_THE_CHART = ['mservice.elbv2.k8s.aws', 'alb-target-control.namespace', 'alb-target-control.object'];

/** The configurations as the chart has them: all webhooks, with Fail, a certificate of its own and no conditions. */
const ofTheChart: Ref[] = ours.map((configuration) => ({
  ...configuration,
  webhooks: WEBHOOKS.filter(
    ({ type, part }) => configuration.kind.toLowerCase().startsWith(type) && part !== 'global-accelerator',
  ).map(({ name, path, group, version, resource, operations, failurePolicy, upstreamFailurePolicy }) => ({
    name,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: upstreamFailurePolicy ?? failurePolicy,
    clientConfig: { service: { name: 'aws-load-balancer-webhook-service', namespace: 'kube-system', path } },
    rules: [{ apiGroups: [group], apiVersions: [version], operations: [...operations], resources: [resource] }],
  })),
}));

const isOfTheChart = (name: string) => OF_THE_CHART.some((its) => name.startsWith(its));

const SERVICE: Ref = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'echo', namespace: 'default' },
  spec: { selector: { app: 'echo' }, ports: [{ port: 443 }] },
};

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
  writeFileSync(join(plane.folder, 'webhooks.yaml'), Yaml.stringify(...ours));
});

afterAll(() => plane?.stop());

beforeEach(async () => {
  for (const configuration of ofTheChart) {
    await plane.api.create(configuration, { as: 'helm' });
  }
});

afterEach(() => removeAll(plane.api, ours));

async function shell(commands: string): Promise<string> {
  const { output, status } = await runShell(plane, commands);
  expect({ output, status }).toEqual({ output, status: 0 });
  return output;
}

/** The webhooks that are there, and none of which we write. */
async function strangers(): Promise<string[]> {
  const live = await Promise.all(ours.map((configuration) => plane.api.find(configuration)));
  return live.flatMap((each, i) => namesOf(each).filter((name) => !namesOf(ours[i]).includes(name)));
}

const serviceIsRefused = () =>
  plane.api.create(SERVICE, { dryRun: true }).then(
    () => '',
    (error: Error) => error.message,
  );

/** The API server reads its webhooks a moment after they are written. */
async function eventually(want: (said: string) => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (let said = await serviceIsRefused(); !want(said); said = await serviceIsRefused()) {
    if (Date.now() > deadline) {
      throw new Error(`the API server still says: ${said || 'yes'}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test('the chart has webhooks that we do not write', async () => {
  const left = await Promise.all(ofTheChart.map(namesOf));
  expect(left.flat().filter((name) => !ours.flatMap(namesOf).includes(name))).toHaveLength(OF_THE_CHART.length);
});

test.each([
  ['kubectl apply', 'kubectl apply -f webhooks.yaml'],
  ['server-side apply', 'kubectl apply --server-side --force-conflicts -f webhooks.yaml'],
])('after %s alone those of the chart are still asked, also about Services that want no balancer', async (_, apply) => {
  await shell(apply);
  const left = await strangers();
  expect(left).toHaveLength(OF_THE_CHART.length);
  expect(left.every(isOfTheChart)).toBe(true);
  await eventually((said) => said.includes('failed calling webhook "mservice.elbv2.k8s.aws"'));
  count('writes that wait for the controller');
});

test.each([
  ['kubectl apply', 'kubectl apply --validate=strict -f webhooks.yaml'],
  ['server-side apply', 'kubectl apply --server-side --validate=strict -f webhooks.yaml'],
])('with the commands of the page before %s ours alone are left', async (_, apply) => {
  const [, commands] = /^```sh\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];
  expect(commands).toMatch(/webhookconfiguration/i);
  await shell(commands ?? '');
  await shell(apply);
  expect(await strangers()).toEqual([]);
  await eventually((said) => said === '');
  count('writes that went on without the controller');
});
