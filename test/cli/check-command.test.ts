import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AwsLoadBalancerController, AzureCloudProvider } from '../../src';
import type { CheckJson } from '../../src/cli/formats/json';
import type { Json } from '../../src/contract/json';
import { foundIn, saidBy } from '../support/checks';
import { run } from '../support/command';
import { folderWith } from '../support/files';
import { table } from '../support/yaml-cases';

const CLASS = 'service.k8s.aws/nlb';

const service = (spec: string, metadata = '') => `apiVersion: v1
kind: Service
metadata:
  name: echo
  namespace: edge
${metadata}spec:
  type: LoadBalancer
  selector: {app: echo}
  ports: [{port: 443}]
${spec}`;

const OWNED = `  loadBalancerClass: ${CLASS}\n`;
const WRONG_FINALIZER = '  finalizers:\n  - gke.networking.io/l4-ilb-v1\n';
const WRONG = service(OWNED, WRONG_FINALIZER);

function inFolder(files: Record<string, string>) {
  const folder = folderWith(files);
  return {
    folder,
    check: (...args: string[]) => run('check', ...args, folder),
    report: (...args: string[]): CheckJson => JSON.parse(run('check', '--format', 'json', ...args, folder).out),
  };
}

test('says what is wrong, where, why and what to do, and fails', () => {
  const { folder, check } = inFolder({ 'k8s/echo.yaml': WRONG });
  const { out, code, error } = check();
  expect(error).toBe('');
  expect(out).toContain(`${join(folder, 'k8s/echo.yaml')}:7:5  Service edge/echo\n`);
  expect(out).toMatch(/ {2}error {4}only gke may write finalizer gke\.networking\.io\/l4-ilb-v1/);
  expect(out).toMatch(/\n {2}remedy {3}\S/);
  expect(out).toContain('finalizer-reserved');
  expect(out).toMatch(/\n1 error, \d+ warnings? in 1 object\n$/);
  expect(code).toBe(1);
});

test('what is right passes', () => {
  const { out, code } = inFolder({ 'echo.yaml': service(OWNED) }).check();
  expect(out).toContain('0 errors');
  expect(code).toBe(0);
});

describe('exits', () => {
  test.each<[string, Json, string[], number]>(table('cli/check-command.yaml', 'exits with'))(
    'with %s',
    (_, files, args, code) => {
      expect(inFolder(files as Record<string, string>).check(...(args as string[])).code).toBe(code);
    },
  );
});

test('a document that cannot be read has its line, and the others of its file are checked all the same', () => {
  const { report } = inFolder({ 'echo.yaml': `${WRONG}---\na: b: c\n---\n${service(OWNED).replace('echo', 'other')}` });
  const { unreadable, findings, summary } = report();
  expect(unreadable.map(({ place }) => place.line)).toEqual([14]);
  expect(findings.map(({ ruleId }) => ruleId)).toContain('finalizer-reserved');
  expect(summary.objects).toBe(2);
});

test('the context file says which controllers run: a class that none of them serves is an error', () => {
  const { report } = inFolder({ 'echo.yaml': service(OWNED), 'load-balancers.yaml': 'controllers: [metallb]\n' });
  const { findings, context } = report();
  expect(findings.map(({ ruleId, level }) => [ruleId, level])).toContainEqual(['service-without-controller', 'error']);
  expect(context[0]).toMatchObject({ isInferred: false, what: expect.stringContaining('metallb') });
});

test('a finding that is accepted does not fail, until its day is over', () => {
  const accepted =
    'accepted:\n- {rule: finalizer-reserved, object: edge/echo, reason: moved by hand, until: 2027-06-30}\n';
  const { check, report } = inFolder({ 'echo.yaml': WRONG, 'load-balancers.yaml': accepted });
  expect(check('--date', '2027-06-30').code).toBe(0);
  expect(check('--date', '2027-07-01').code).toBe(1);
  const [finding] = report('--date', '2027-06-30').findings.filter(({ ruleId }) => ruleId === 'finalizer-reserved');
  expect(finding).toMatchObject({ accepted: { reason: 'moved by hand', until: '2027-06-30' } });
});

test('SARIF goes to stdout alone', () => {
  const { out, error } = inFolder({ 'echo.yaml': WRONG, 'b.yaml': 'a: b: c' }).check('--format', 'sarif');
  expect(error).toBe('');
  expect(JSON.parse(out)).toMatchObject({ version: '2.1.0', runs: [{ results: [{ level: 'error' }] }] });
});

test('--init writes a context file that check reads, and never over one that is there', () => {
  const { folder } = inFolder({ 'echo.yaml': service(OWNED) });
  const file = join(folder, 'load-balancers.yaml');
  expect(run('check', '--init', '--config', file, folder)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/ is written from 1 object\n$/),
  });
  expect(existsSync(file)).toBe(true);
  expect(run('check', folder)).toMatchObject({ code: 0 });
  const written = readFileSync(file, 'utf8');
  expect(run('check', '--init', '--config', file, folder)).toMatchObject({ code: 2 });
  expect(readFileSync(file, 'utf8')).toBe(written);
});

test.each<[string, string]>(table('cli/check-command.yaml', '--init sees the controllers that check infers from a'))(
  '--init sees the controllers that check infers from a %s',
  (kind, text) => {
    const { folder, check } = inFolder({ 'a.yaml': text });
    const from = `the ${kind} in ${join(folder, 'a.yaml')}:1`;
    expect(check().out.replace(/\s+/g, ' ')).toContain(
      `controllers aws-load-balancer-controller and cloud-provider-aws: from ${from}`,
    );
    const file = join(folder, 'load-balancers.yaml');
    expect(run('check', '--init', '--config', file, folder)).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toContain(
      `\ncontrollers:\n  # ${from}\n  - aws-load-balancer-controller\n  # ${from}\n  - cloud-provider-aws\n`,
    );
    expect(check().out).not.toContain('inferred');
  },
);

test.each(['check', 'list', 'report'])('%s has a line for each mistake of the context file', (command) => {
  const { folder } = inFolder({ 'echo.yaml': WRONG, 'load-balancers.yaml': 'controlers: []\nregoin: x\n' });
  const { error, code } = run(command, folder);
  expect(code).toBe(2);
  expect(error.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/load-balancers\.yaml:1:1: controlers is unknown; write controllers$/),
    expect.stringMatching(/load-balancers\.yaml:2:1: regoin is unknown; /),
  ]);
});

test('the same files are the same report, in whatever order they are named', () => {
  const { folder } = inFolder({ 'a.yaml': WRONG, 'b.yaml': service('', WRONG_FINALIZER).replace('echo', 'other') });
  const of = (...files: string[]) => run('check', '--format', 'json', ...files.map((file) => join(folder, file))).out;
  expect(JSON.parse(of('a.yaml', 'b.yaml')).findings).toEqual(JSON.parse(of('b.yaml', 'a.yaml')).findings);
});

test('what constructs alone know is not asked for', () => {
  const controller = `apiVersion: apps/v1
kind: Deployment
metadata: {name: aws-load-balancer-controller, namespace: kube-system}
spec:
  template:
    spec:
      serviceAccountName: aws-load-balancer-controller
      containers:
      - {name: controller, image: 'public.ecr.aws/eks/aws-load-balancer-controller:v3.5.0', args: [--cluster-name=shop]}
`;
  const { unknown, summary } = inFolder({ 'controller.yaml': controller }).report();
  expect(summary.objects).toBe(1);
  // in words, and not by the names that things have in the code
  expect(unknown.flatMap(({ needs }) => needs).filter((need) => !need.includes(' '))).toEqual([]);
});

test('what is wrong with each document of a file has the line of its own', () => {
  const { report } = inFolder({ 'a.yaml': `${WRONG}---\n${WRONG.replace('name: echo', 'name: other')}` });
  const lines = report().findings.map(({ place, object }) => [object.name, place.line]);
  const length = WRONG.split('\n').length;
  expect(lines).toEqual([
    ['echo', 7],
    ['other', 7 + length],
  ]);
});

test('list knows the controllers that the context file names, and -c goes before it', () => {
  const { folder } = inFolder({ 'echo.yaml': service(''), 'load-balancers.yaml': 'controllers: [metallb]\n' });
  const ownerOf = (...args: string[]) =>
    JSON.parse(run('list', '--format', 'json', ...args, join(folder, 'echo.yaml')).out)[0].owner;
  expect(ownerOf()).toBe('metallb');
  expect(ownerOf('-c', 'cloud-provider-aws')).toBe('cloud-provider-aws');
});

test('a pattern that no shell has read names files', () => {
  const { folder } = inFolder({
    'a/echo.yaml': WRONG,
    'a/b/echo.yml': service(OWNED),
    'a/c/values.yaml': 'replicas: 3',
  });
  const of = (pattern: string) => JSON.parse(run('check', '--format', 'json', join(folder, pattern)).out);
  expect(of('**/echo.{yaml,yml}').summary.objects).toBe(2);
  expect(of('a/*.yaml').summary.objects).toBe(1);
  expect(of('**/none-*.yaml').unreadable).toEqual([
    expect.objectContaining({ what: expect.stringContaining('no such file') }),
  ]);
});

test.each<[string, string, string]>(table('cli/check-command.yaml', 'YAML for is left out and fails nothing'))(
  'YAML for %s is left out, and fails nothing',
  (_, name, text) => {
    const { report, check } = inFolder({ [name]: text });
    expect(report().unreadable).toEqual([]);
    expect(report().notes).toEqual([expect.stringContaining(`${name}:`)]);
    expect(check().code).toBe(0);
  },
);

test.each([
  ['empty', '# nothing\n', 'standard input is empty'],
  ['a text', 'No resources found\n', 'standard input is a text and no object of Kubernetes'],
])('standard input that is %s fails: the command before it did', (_, input, what) => {
  const fs = jest.requireActual<typeof import('node:fs')>('node:fs');
  const { readFileSync: original } = fs;
  const read = jest
    .spyOn(fs, 'readFileSync')
    .mockImplementation((...args) => (args[0] === 0 ? Buffer.from(input) : original(...args)));
  const { out, code } = run('check', '-');
  read.mockRestore();
  expect([out, code]).toEqual([expect.stringContaining(what), 2]);
});

test('an object with a tag that kubectl does not read cannot be read', () => {
  const { report } = inFolder({ 'a.yaml': `${WRONG}  externalName: !Sub x\n` });
  expect(report().unreadable.map(({ place }) => place.line)).toEqual([13]);
});

test('what Helm rendered names its template', () => {
  const { report } = inFolder({ 'all.yaml': `---\n# Source: shop/templates/service.yaml\n${WRONG}` });
  expect(report().findings[0].object).toMatchObject({ template: 'shop/templates/service.yaml' });
});

test('report counts by the quotas of the file, and says why it cannot answer what if', () => {
  const context = 'controllers: [aws-load-balancer-controller]\nbudget: {quotas: {aws-nlbs: 4}}\n';
  const { folder } = inFolder({ 'k8s/echo.yaml': service(OWNED), 'load-balancers.yaml': context });
  const { out } = run('report', '--what-if', 'local', folder);
  expect(out).toContain('25 % of Network Load Balancers per Region (1 of 4)');
  expect(out).toContain('what if   Local: unknown: needs the nodes of the cluster, and its pods');
  expect(run('report', '--quota', 'aws-nlbs=10', folder).out).toContain('(1 of 10)');
});

const MODE = 'service.beta.kubernetes.io/azure-load-balancer-mode';

const echo = (set: string, spec: string) => `apiVersion: v1
kind: Service
metadata:
  name: echo
  annotations:
    ${MODE}: ${set}-availabilitySet-7
spec:
  externalTrafficPolicy: Local
  selector: {app: echo}
  ports: [{port: 80, targetPort: 8080}]
  ${spec}
`;

const pods = (pool: string, key = 'nodepool.example.com/name') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: echo}
spec:
  replicas: 3
  selector: {matchLabels: {app: echo}}
  template:
    metadata: {labels: {app: echo}}
    spec:
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms: [{matchExpressions: [{key: ${key}, operator: In, values: [${pool}]}]}]
      containers: [{name: echo, image: e, ports: [{containerPort: 8080}]}]
---
`;

const BALANCED = 'type: LoadBalancer';

describe('a Service that names neither owner nor scheme', () => {
  const nginx = (spec = '', metadata = '') => `apiVersion: v1
kind: Service
metadata: {name: nginx${metadata}}
spec:
  type: LoadBalancer
  ports: [{port: 80}]
  selector: {app: nginx}
  ${spec}
`;

  test('what it becomes under each owner', () => {
    expect(foundIn(nginx())).toEqual(['note 5 owner-unspecified']);
    const [said] = saidBy('owner-unspecified', nginx());
    for (const part of [
      'internal with aws-load-balancer-controller',
      'internet-facing with cloud-provider-aws, cloud-provider-azure',
      'as its address pool decides with metallb',
    ]) {
      expect(said).toContain(part);
    }
    expect(said.length).toBeLessThan(400);
  });

  test.each([
    ['a class', nginx('loadBalancerClass: service.k8s.aws/nlb')],
    ['an annotation of a controller', nginx('', ', annotations: {metallb.io/address-pool: a}')],
    ['a finalizer', nginx('', ', finalizers: [service.k8s.aws/resources]')],
  ])('%s says who owns it', (_, yaml) => expect(saidBy('owner-unspecified', yaml)).toEqual([]));

  test('the controllers that are known decide it', () => {
    const controllers = [AwsLoadBalancerController.nlb({ serviceMutatorWebhook: true })];
    expect(foundIn(nginx(), { controllers })).toEqual([]);
  });
});

describe('a Service of another type with annotations of balancers', () => {
  test('its annotation does nothing', () => {
    expect(foundIn(echo('pool-1', ''))).toEqual([
      'warning 6 annotation-on-wrong-type',
      'error 8 traffic-policy-on-wrong-type',
    ]);
    expect(saidBy('annotation-on-wrong-type', echo('pool-1', 'type: NodePort'))).toEqual([
      `warning 6: ${MODE} has no effect: cloud-provider-azure makes no load balancer for a Service of type NodePort; set type: LoadBalancer if a balancer is intended, or remove the annotation`,
    ]);
  });

  const clusterIp = (annotation: string) => `apiVersion: v1
kind: Service
metadata: {name: web, annotations: {${annotation}}}
spec: {selector: {app: web}, ports: [{port: 80}]}
`;

  test.each([
    ['cloud.google.com/neg', `cloud.google.com/neg: '{"ingress": true}'`],
    ['cloud.google.com/backend-config', `cloud.google.com/backend-config: '{"default": "a"}'`],
    ['the type by which the AWS controller takes it', 'service.beta.kubernetes.io/aws-load-balancer-type: nlb-ip'],
    ['what nobody knows', 'example.com/color: blue'],
  ])('%s is read there', (_, annotation) => {
    expect(saidBy('annotation-on-wrong-type', clusterIp(annotation))).toEqual([]);
  });
});

describe('the VM set of a Service and the pool of its pods', () => {
  test('the mode annotation works on Basic balancers alone', () => {
    expect(foundIn(echo('pool-1', BALANCED))).toEqual([
      'warning 6 azure-annotation-ignored-by-sku',
      'note 8 local-policy-without-pool',
    ]);
  });

  test('no node of the backend has a pod', () => {
    expect(foundIn(pods('pool-1') + echo('system', BALANCED))).toContain('warning 21 azure-vm-set-pool-mismatch');
    expect(saidBy('azure-vm-set-pool-mismatch', pods('pool-1') + echo('system', BALANCED))).toEqual([
      "warning 21: the pods run on node pool pool-1 alone, and the backend of a Basic balancer is VM set 'system-availabilitySet-7': with policy Local no node of the backend has a pod, and no connection is answered; name the VM set of the pool of the pods: <pool>-availabilitySet-<number>, or aks-<pool>-<number>-vmss",
    ]);
  });

  test.each([
    ['pods of that pool', pods('system') + echo('system', BALANCED), undefined],
    ['pods that demand something else', pods('a', 'example.com/disk') + echo('system', BALANCED), undefined],
    ['no pods that are known', echo('system', BALANCED), undefined],
    ['Standard balancers, which ignore it', pods('pool-1') + echo('system', BALANCED), AzureCloudProvider.standard()],
  ])('%s', (_, yaml, controller) => {
    expect(saidBy('azure-vm-set-pool-mismatch', yaml, controller && { controllers: [controller] })).toEqual([]);
  });
});

test('externalIPs are deprecated, and give a load balancer no address', () => {
  const yaml = (field: string) => `apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  ${field}
  selector: {app: web}
  ports: [{port: 80}]
`;
  expect(foundIn(yaml('externalIPs: [190.170.20.238]'))).toEqual(['warning 5 external-ips-deprecated']);
  expect(foundIn(yaml('externalIPs: []'))).toEqual([]);
});
