import { join, relative } from 'node:path';
import * as PACKAGE from '../package.json';
import type { CheckReport } from '../src/cli/check-report';
import type { ServiceReport } from '../src/cli/service-report';
import { knownKinds } from '../src/rules/known-kinds';
import { run } from './support/command';
import { fileWith } from './support/files';
import { casesIn, table } from './support/yaml-cases';

const manifests = relative(process.cwd(), join(__dirname, 'manifests'));
const AWS = 'aws-load-balancer-controller,cloud-provider-aws';

const reports = (...args: string[]): ServiceReport[] => JSON.parse(run('list', '--format', 'json', ...args).out);

const report = (name: string, ...args: string[]) => reports(...args, manifests).find((each) => each.name === name);

describe('list', () => {
  test('counts and checks the Services that an operator makes later', () => {
    const file = relative(process.cwd(), join(__dirname, 'kafka', 'manifests', 'first-story.yaml'));
    const { out, error, code } = run('list', '--verbose', file);
    expect(error).toBe('');
    expect(out).toContain(
      `events-brokers-0 and 2 more  (made by Kafka events, listener 'external', ${file}:1)\n  owner           aws-load-balancer-controller: `,
    );
    expect(out).toMatch(
      /\(finalizer-of-other-controller\)[\s\S]*\n0 load balanced Services, 4 predicted load balancers, 0 errors, 2 warn/,
    );
    expect(code).toBe(0);
  });

  test('counts and checks the Services that proxies get later', () => {
    const file = relative(process.cwd(), join(__dirname, 'tenancy', 'goldens', 'envoy-gateway-on-nlb.yaml'));
    const { out, error, code } = run('list', '--verbose', '-c', AWS, file);
    expect(error).toBe('');
    expect(out).toMatch(
      /^envoy-gateway-system\/envoy-infra-shared {2}\(made by Gateway infra\/shared.*\n {2}owner {11}aws-/,
    );
    expect(out).toContain('\n0 load balanced Services, 1 predicted load balancer, 0 errors');
    expect(code).toBe(0);
  });

  test('tells of every Service of type LoadBalancer below a folder, in the order of the files', () => {
    const { out, code } = run('list', '--verbose', join(manifests, 'shop'));
    expect(out.match(/^\S.*\)$/gm)).toEqual([
      `shop/till  (${join(manifests, 'shop', 'classless.yaml')}:2)`,
      `window  (${join(manifests, 'shop', 'list.json')}:5)`,
      `back-door  (${join(manifests, 'shop', 'mistaken.yaml')}:2)`,
    ]);
    expect(out).toMatch(
      /\n\n3 load balanced Services, 1 error, 0 warnings; not known: the owner of shop\/till, since .*\n$/,
    );
    expect(code).toBe(1);
  });

  test.each<[apiVersion: string, services: [string, string[]][], note: string]>(
    table('cli.yaml', 'a Kafka without node pools'),
  )('a Kafka of %s without node pools', (apiVersion, services, note) => {
    const kafka = { listeners: [{ name: 'external', port: 9094, type: 'loadbalancer', tls: true }] };
    const object = {
      apiVersion: `kafka.strimzi.io/${apiVersion}`,
      kind: 'Kafka',
      metadata: { name: 'my' },
      spec: { kafka },
    };
    const file = fileWith(JSON.stringify(object), 'kafka.yaml');
    const found = reports('-c', AWS, file);
    expect(found.map(({ name, warnings }) => [name, warnings.map(({ ruleId }) => ruleId)])).toEqual(services);
    expect(run('list', file).error).toContain(note);
  });

  test.each([
    join(manifests, 'shop'),
    join(manifests, 'fight'),
    join('examples', 'yaml'),
    ...['cleanup', 'traffic-policy'].map((story) => join('examples', 'stories', story, 'before.yaml')),
  ])('has the findings of check: %s', (path) => {
    const { findings } = JSON.parse(run('check', '--format', 'json', path).out) as CheckReport;
    const of = (name: string) =>
      findings
        .filter(({ object, accepted }) => object.kind === 'Service' && object.name === name && !accepted)
        .map(({ ruleId, level }) => `${level} ${ruleId}`);
    const all = reports(path).filter(({ madeBy }) => madeBy === undefined);
    expect(all).not.toEqual([]);
    for (const { name, errors, warnings, notes } of all) {
      const levels = { error: errors, warning: warnings, note: notes };
      const listed = Object.entries(levels).flatMap(([level, some]) => some.map(({ ruleId }) => `${level} ${ruleId}`));
      expect(listed.sort()).toEqual(of(name).sort());
    }
  });

  test('says what decides a balancer, at a glance', () => {
    expect(run('list', '--verbose', '-c', AWS, join(manifests, 'shop', 'classless.yaml')).out).toContain(
      [
        '  owner           cloud-provider-aws: a guess, unless the webhook of aws-load-balancer-controller gives it its class: the Service has no class, and its annotations ask for an internal Network Load Balancer',
        '  finalizer       service.kubernetes.io/load-balancer-cleanup: cloud-provider-aws removes it once the balancer is gone',
        '  class           none',
        "  scheme          internal: aws-load-balancer-internal is 'true'",
        '  policy          Local: a node that gets traffic forwards it to its own pods only, and fails the health check without one',
        '  client address  kept',
        '  source ranges   none: any client',
        '  nodes           pods of Deployment till only on kubernetes.io/arch=arm64 and pool In [edge]',
      ].join('\n'),
    );
  });

  test('tells what Services fight over, and which of their actions lead nowhere', () => {
    const told = reports('-c', AWS, join(manifests, 'fight')).map(({ name, errors, warnings }) => [
      name,
      [...errors, ...warnings].map(({ ruleId, what }) => `${ruleId}: ${what.split(':')[0]}`),
    ]);
    const [one, other] = ['one', 'other'].map((name) => join(manifests, 'fight', `${name}.yaml`));
    expect(told).toEqual([
      [
        'web',
        [
          `exclusive-resource-conflict: node port 30443 of Service web is also claimed by Service admin (${one})`,
          `exclusive-resource-conflict-across-charts: Network Load Balancer edge of Service web is also claimed by Service mail (${other})`,
        ],
      ],
      [
        'mail',
        [
          "action-target-invalid: an action forwards to port '25' of Service web, which only has 443",
          `exclusive-resource-conflict-across-charts: Network Load Balancer edge of Service mail is also claimed by Service web (${one})`,
        ],
      ],
    ]);
  });

  test('says what is wrong, and the way out', () => {
    const { out } = run('list', '--verbose', join(manifests, 'shop', 'mistaken.yaml'));
    expect(out).toMatch(
      /^ {2}error {11}deletion leaves the balancer behind .* finalizer service.kubernetes.io\/load-balancer-cleanup .*\(finalizer-of-other-controller\)\n {4}remedy {8}if the Service is live .* change nothing .*; otherwise remove it from the manifest and declare/m,
    );
  });

  test.each([
    ['are harmless where the cloud controller runs too', ['cloud-provider-aws', 'aws-load-balancer-controller'], 0],
    ['hang where it does not', ['aws-load-balancer-controller'], 1],
  ])('both finalizers of a live Service of EKS %s', (_, controllers, errors) => {
    const { out } = run('list', '--verbose', join(manifests, 'live'), '-c', controllers.join(','));
    expect(out).toContain(`1 load balanced Service, ${errors} error`);
    expect(out.includes('(finalizer-of-other-controller)')).toBe(errors > 0);
    expect(out).toContain(errors > 0 ? ': see below' : ': each controller that runs removes its own');
    expect(out).not.toContain('(finalizer-of-service-controller)');
  });

  test('a policy that means nothing to the owner is said to mean nothing', () => {
    const [window] = reports(join(manifests, 'shop')).filter(({ name }) => name === 'window');
    expect(window.policyMeans).toContain('pods are the targets');
  });

  test('what nobody makes, or two make, is an error', () => {
    const file = join(manifests, 'shop', 'classless.yaml');
    const mistaken = reports('-c', 'cloud-provider-azure', join(manifests, 'shop', 'mistaken.yaml'));
    expect(mistaken.flatMap(({ errors }) => errors.map(({ ruleId }) => ruleId))).toContain(
      'service-without-controller',
    );
    const [contested] = reports('-c', 'metallb,cloud-provider-aws', file);
    expect(contested.errors.map(({ ruleId }) => ruleId)).toEqual(['owner-ambiguous']);
  });

  test('has one block for every report that it writes for programs', () => {
    const [till, window, backDoor] = reports(join(manifests, 'shop'));
    expect(till).toMatchObject({ namespace: 'shop', name: 'till', state: 'unknown', policy: 'Local' });
    expect(window).toMatchObject({ state: 'owned', loadBalancerClass: 'service.k8s.aws/nlb', errors: [] });
    expect(backDoor.errors).toEqual([
      expect.objectContaining({ ruleId: 'finalizer-of-other-controller', who: 'aws-load-balancer-controller' }),
    ]);
  });

  test('writes an empty list where there is nothing to tell', () => {
    expect(reports(join(manifests, 'unreadable'))).toEqual([]);
    expect(run('list', '--verbose', join(manifests, 'shop', 'none')).out).toBe(
      '0 load balanced Services, 0 errors, 0 warnings\n',
    );
  });
});

describe('the owner of a Service without a class', () => {
  test.each([
    ['is unknown as long as nobody says what runs in the cluster', [], 'unknown'],
    ['is the one that runs', ['--controllers', AWS], 'cloud-provider-aws'],
    ['is nobody where only others run', ['--controllers', 'aws-load-balancer-controller'], 'unclaimed'],
    ['is contested where two would take it', ['--controllers', 'metallb,hcloud-cloud-controller-manager'], 'contested'],
  ])('%s', (_, args, owner) => expect(report('till', ...args)?.owner).toBe(owner));

  test.each(
    knownKinds().flatMap(({ name, variants }) => [
      name,
      ...Object.keys(variants ?? {}).map((each) => `${name}:${each}`),
    ]),
  )('can be asked of %s', (name) => expect(report('till', '--controllers', name)).toHaveProperty('because'));
});

describe('manifests', () => {
  test('a List is taken apart', () => {
    expect(reports(join(manifests, 'shop', 'list.json')).map(({ name }) => name)).toEqual(['window']);
  });

  test('merged keys are merged', () => {
    expect(report('back-door')?.errors.map(({ ruleId }) => ruleId)).toEqual(['finalizer-of-other-controller']);
  });

  test('whatever stands where it should not is told, and nothing is thrown', () => {
    expect(reports(join(manifests, 'odd.yaml'))).toMatchObject([{ name: '', nodes: 'any' }]);
  });

  test.each<[string, string, string]>(casesIn(__dirname, 'cli.yaml')['is told with its file and the rest is read'])(
    '%s is told with its file, and the rest is read',
    (_, name, reason) => {
      const file = join(manifests, 'unreadable', name);
      const { out, error, code } = run('list', '--verbose', file, join(manifests, 'shop'));
      expect(error).toContain(`${file}${reason}`);
      expect(out).toContain('3 load balanced Services');
      expect(code).toBe(2);
    },
  );
});

test.each<[string, string[], string]>(casesIn(__dirname, 'cli.yaml')['is bad usage'])(
  '%s is bad usage',
  (_, args, message) => {
    const { out, error, code } = run(...args);
    expect(error).toContain(message);
    expect([out, code]).toEqual(['', 2]);
  },
);

test('the version is that of the package, and 0.0.0 is no release', () => {
  const version = PACKAGE.version === '0.0.0' ? '0.0.0 (development build)' : PACKAGE.version;
  expect(run('--version')).toEqual({ code: 0, out: `${version}\n`, error: '' });
});

test('help is no mistake', () => {
  expect(run('list', '--verbose', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('--controllers') });
});
