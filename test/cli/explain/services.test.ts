import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExplainedMaker, ExplainedService } from '../../../src/cli/explain/explained-service';
import { run } from '../../support/command';
import { folderWith } from '../../support/files';
import { revived, table } from '../../support/yaml-cases';

const folder = folderWith();

function written(yaml: string): string {
  const file = join(folder, 'dump.yaml');
  writeFileSync(file, yaml);
  return file;
}

function explained<T = ExplainedService>(word: string, yaml: string, ...options: string[]): T {
  const { out, error, code } = run('explain', '--format', 'json', ...options, word, written(yaml));
  expect([error, code]).toEqual(['', 0]);
  const all = JSON.parse(out) as T[];
  expect(all).toHaveLength(1);
  return all[0];
}

const service = (spec: string, metadata = '', status = '{ loadBalancer: {} }') => `
apiVersion: v1
kind: Service
metadata: { name: echo, namespace: shop, uid: 1f6a, resourceVersion: '7', ${metadata} }
spec: { type: LoadBalancer, ports: [{ port: 80 }], selector: { app: echo }, ${spec} }
status: ${status}
`;

const event = (reason: string, message: string, at = '2026-11-22T10:00:00Z', type = 'Warning') => `
---
apiVersion: v1
kind: Event
metadata: { name: echo.${reason.toLowerCase()}, namespace: shop }
involvedObject: { kind: Service, name: echo, namespace: shop, uid: 1f6a }
type: ${type}
reason: ${reason}
message: ${JSON.stringify(message)}
lastTimestamp: '${at}'
`;

const NLB = 'loadBalancerClass: service.k8s.aws/nlb';
const PUBLIC = 'annotations: { service.beta.kubernetes.io/aws-load-balancer-scheme: internet-facing }';
const OWN = 'finalizers: [service.k8s.aws/resources]';
const AWS = ['-c', 'aws-load-balancer-controller,cloud-provider-aws'];
const METALLB = ['-c', 'metallb'];
const GKE = ['-c', 'gke'];
const AZURE = ['-c', 'cloud-provider-azure'];
const HETZNER = ['-c', 'hcloud-cloud-controller-manager'];

const DELETED = "deletionTimestamp: '2026-11-22T09:00:00Z'";
const CLEANUP = 'finalizers: [service.kubernetes.io/load-balancer-cleanup]';

const SERVED = service('')
  .replace('name: echo,', 'name: other,')
  .replace('apiVersion', '---\napiVersion')
  .replace('loadBalancer: {}', 'loadBalancer: { ingress: [{ ip: 192.0.2.1 }] }');
const K3S_NODE = `---
apiVersion: v1
kind: Node
metadata: { name: a }
spec: { providerID: 'k3s://a' }
`;
const K3S = `---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: svclb-echo-1f6a, namespace: kube-system, labels: { svccontroller.k3s.cattle.io/svcname: echo } }
spec: { template: { spec: { containers: [] } } }
`;

const concat = (...texts: string[]) => texts.join('');

const ids = ({ causes }: Pick<ExplainedService, 'causes'>) => causes.map(({ id }) => id);

describe('a Service that is Pending', () => {
  test.each<[title: string, yaml: string, options: string[], first: string[]]>([
    ...revived(table('cli/explain/services.yaml', 'a pending Service'), { service, event, concat }),
    ['a port that another Service has on the nodes of k3s', service('', CLEANUP) + SERVED + K3S, [], ['host-port']],
  ])('%s', (_, yaml, options, first) => {
    const found = explained('shop/echo', yaml, ...options);
    expect(found.state).toBe('pending');
    expect(ids(found).slice(0, first.length)).toEqual(first);
  });

  test('every cause says why it is first', () => {
    const yaml =
      service(NLB, PUBLIC) +
      event('FailedBuildModel', 'Failed build model due to unable to resolve at least one subnet');
    const [{ evidence, isReported }, ...others] = explained('shop/echo', yaml, ...AWS).causes;
    expect(evidence[0]).toBe(
      'event FailedBuildModel at 2026-11-22T10:00:00Z: Failed build model due to unable to resolve at least one subnet',
    );
    expect([isReported, others.some((cause) => cause.isReported)]).toEqual([true, false]);
    // what nothing speaks for is left out after a report that fits exactly
    expect(others).toEqual([]);
    // who reports something runs
    const general = service(NLB, PUBLIC) + event('FailedBuildModel', 'Failed build model due to a cause of its own');
    expect(ids(explained('shop/echo', general, ...AWS)).at(-1)).toBe('no-controller');
  });

  test.each<[title: string, metadata: string, beside: string]>([
    ['a controller without rules here', 'annotations: { service.beta.kubernetes.io/do-loadbalancer-name: a }', ''],
    ['Nodes of k3s', CLEANUP, K3S_NODE],
    ['Nodes of Linode', CLEANUP, K3S_NODE.replace('k3s://', 'linode://')],
  ])('only commands that fit the cluster are told: %s', (_, metadata, beside) => {
    for (const state of ['', DELETED]) {
      const { causes } = explained('shop/echo', service('', [metadata, state].filter(Boolean).join(', ')) + beside);
      const commands = causes.flatMap(({ checks }) => checks.map(({ command }) => command));
      expect(commands.filter((command) => !command.startsWith('kubectl '))).toEqual([]);
      expect(ids({ causes })).not.toContain('protected-in-aws');
    }
  });

  test('where nothing is reported, causes that its fields rule out are left out, and the best are told with all they need', () => {
    const plain = explained('shop/echo', service(''));
    expect(ids(plain)).not.toContain('manifest-refused');
    expect(ids(plain)).not.toContain('class-typo');
    const ofCloud = service('', 'annotations: { service.beta.kubernetes.io/aws-load-balancer-type: nlb }');
    expect(ids(explained('shop/echo', ofCloud))).not.toContain('address-pool');
    const { out } = run('explain', 'shop/echo', written(ofCloud));
    const count = out.split('\n').filter((line) => /^ {2}\d\. /.test(line)).length;
    expect([count, out]).toEqual([4, expect.stringContaining('Less likely: ')]);
  });

  test('its place on standard input is told in words', () => {
    const fs = jest.requireActual<typeof import('node:fs')>('node:fs');
    const { readFileSync: original } = fs;
    const read = jest
      .spyOn(fs, 'readFileSync')
      .mockImplementation((...args) => (args[0] === 0 ? Buffer.from(service('')) : original(...args)));
    const { out } = run('explain', 'shop/echo', '-');
    read.mockRestore();
    expect(out).toContain('Service shop/echo  (standard input, line 2): Pending');
  });

  test('pools without a free address speak for themselves', () => {
    const pool = (free: number) => `---
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: edge, namespace: metallb-system }
spec: { addresses: [10.0.0.0/32] }
status: { availableIPv4: ${free}, availableIPv6: 0, assignedIPv4: 1, assignedIPv6: 0 }
`;
    const [first] = explained('shop/echo', service('') + pool(0), ...METALLB).causes;
    expect([first.id, first.evidence]).toEqual(['address-pool', ['no pool of these files has a free address: edge']]);
    expect(ids(explained('shop/echo', service('') + pool(1), ...METALLB))[0]).toBe('no-controller');
  });

  test('events of others are not of it', () => {
    const other = event('AllocationFailed', 'no available IPs').replaceAll('name: echo,', 'name: till,');
    const dead = event('AllocationFailed', 'no available IPs').replace('uid: 1f6a', 'uid: 0000');
    expect(explained('shop/echo', service('') + other + dead, ...METALLB).reported).toEqual([]);
  });

  test('events of the newer kind are read', () => {
    const yaml = `${service('')}---
apiVersion: events.k8s.io/v1
kind: Event
metadata: { name: e, namespace: shop }
regarding: { kind: Service, name: echo, namespace: shop }
type: Warning
reason: AllocationFailed
note: no available IPs in pool edge
eventTime: '2026-11-22T10:00:00.000000Z'
`;
    expect(ids(explained('shop/echo', yaml, ...METALLB))[0]).toBe('address-pool');
  });

  test('commands of other clouds are left out, and those that are left have the names filled in', () => {
    const { causes } = explained('shop/echo', service(''), ...METALLB);
    const commands = causes.flatMap(({ checks }) => checks.map(({ command }) => command));
    expect(commands.filter((command) => !command.startsWith('kubectl '))).toEqual([]);
    expect(run('explain', ...METALLB, 'shop/echo', written(service(''))).out).toContain(
      '$ kubectl get resourcequotas -n shop -o custom-columns=',
    );
  });

  test('a name that is a command is not written into one', () => {
    const yaml = service('')
      .replaceAll('name: echo', "name: 'x; rm -rf ~'")
      .replace('namespace: shop', "namespace: '$(id)'");
    const { out } = run('explain', ...METALLB, '$(id)/x;', written(yaml.replace("'x; rm -rf ~'", "'x;'")));
    expect(out).toContain('$ kubectl get service "$SERVICE" -n "$NAMESPACE"');
  });
});

describe('a Service that is Terminating', () => {
  test.each<[title: string, yaml: string, options: string[], first: string[]]>(
    revived(table('cli/explain/services.yaml', 'a terminating Service'), { service, event, concat }),
  )('%s', (_, yaml, options, first) => {
    const found = explained('shop/echo', yaml, ...options);
    expect(found.state).toBe('terminating');
    expect(ids(found).slice(0, first.length)).toEqual(first);
  });

  test.each<[string[], string, string, string[]]>(
    table('cli/explain/services.yaml', 'what protects a balancer is told of those controllers alone'),
  )('what protects a balancer is told of those controllers alone that know it: %j', (options, spec, own, wanted) => {
    const found = ids(explained('shop/echo', service(spec, `${own}, ${DELETED}`), ...options));
    const protections = ['deletion-protection', 'protected-in-aws', 'resource-lock'];
    expect(found.filter((id) => protections.includes(id))).toEqual(wanted);
  });

  test('a protected balancer of Hetzner Cloud stays, and no event says so', () => {
    const { onDelete } = explained('shop/echo', service('', `${CLEANUP}, ${DELETED}`), ...HETZNER);
    expect(onDelete.join('\n')).toContain('a balancer that is protected against deletion in Hetzner Cloud stays');
    const others = explained('shop/echo', service('', `${CLEANUP}, ${DELETED}`), ...AZURE);
    expect(others.onDelete.join('\n')).not.toContain('Hetzner');
  });

  test('of the annotations that cannot be read only the one for attributes keeps it', () => {
    const prefix = 'service.beta.kubernetes.io/aws-load-balancer';
    const about = (annotations: string) =>
      explained('shop/echo', service(NLB, `${OWN}, ${DELETED}, annotations: { ${annotations} }`), ...AWS).causes;
    const [scheme, ...others] = about(`${prefix}-scheme: internt-facing`);
    expect(scheme.id).toBe('owner-away');
    expect(others.flatMap(({ evidence }) => evidence)).toEqual([]);
    const [attributes] = about(
      `${prefix}-scheme: internt-facing, ${prefix}-attributes: deletion_protection.enabled=perhaps`,
    );
    expect([attributes.id, attributes.evidence]).toEqual([
      'manifest-refused',
      [expect.stringContaining(`annotation ${prefix}-attributes: deletion_protection.enabled: 'perhaps'`)],
    ]);
  });

  test('a Service of GKE waits for GKE, which runs', () => {
    const internal = 'loadBalancerClass: networking.gke.io/l4-regional-internal';
    const yaml = service(internal, `finalizers: [gke.networking.io/l4-ilb-v2], ${DELETED}`);
    const found = explained('shop/echo', yaml, ...GKE);
    expect(found.onDelete.join('\n')).toContain('its balancer is deleted by gke first');
    const { out } = run('explain', ...GKE, 'shop/echo', written(yaml));
    expect(out).not.toContain('none of the controllers that run does');
    expect(out).not.toContain('a controller not known here');
  });

  test.each([
    ['external', 'gke.networking.io/l4-netlb-v2'],
    ['internal', 'gke.networking.io/l4-ilb-v2'],
  ])('a class of GKE has the finalizers of that class: %s', (scheme, finalizer) => {
    const newer = `loadBalancerClass: networking.gke.io/l4-regional-${scheme}`;
    const fate = (spec: string, metadata = '') =>
      explained('shop/echo', service(spec, metadata), ...GKE).onDelete.at(-1);
    expect(fate(newer)).toMatch(new RegExp(`before gke adds .*${finalizer}`));
    expect(fate(newer)).not.toContain('load-balancer-cleanup');
    expect(fate(newer, CLEANUP)).toContain('no finalizer of gke is on it');
    expect(fate(`${newer}-legacy`)).toMatch(/before gke adds service\.kubernetes\.io\/load-balancer-cleanup, or/);
    expect(fate(`${newer}-legacy`, CLEANUP)).toContain('its balancer is deleted by gke first');
  });

  test('without a finalizer nothing keeps it', () => {
    const found = explained('shop/echo', service(NLB, `${PUBLIC}, ${DELETED}`), ...AWS);
    expect([found.state, found.causes]).toEqual(['terminating', []]);
  });
});

describe('who makes the balancer of a Service', () => {
  test('says of every controller of the cluster whether it takes it, and why', () => {
    const found = explained('shop/echo', service(NLB, `${PUBLIC}, ${OWN}`), ...AWS);
    expect(found.owner).toBe('aws-load-balancer-controller');
    expect(found.claims).toEqual([
      { controller: 'aws-load-balancer-controller', claimed: 'yes', because: 'it serves class service.k8s.aws/nlb' },
      {
        controller: 'cloud-provider-aws',
        claimed: 'no',
        because: "it serves Services without a class only, and this one has 'service.k8s.aws/nlb'",
      },
    ]);
    expect(found.report?.scheme).toContain('internet-facing');
    expect(found.onDelete).toEqual([
      expect.stringContaining('waits for aws-load-balancer-controller to remove service.k8s.aws/resources'),
      expect.stringContaining('where aws-load-balancer-controller does not run, deletion hangs'),
    ]);
  });

  test('shows who wrote its finalizers, class and address', () => {
    const managed = `managedFields: [
      { manager: helm, operation: Update, time: '2026-11-22T09:00:00Z', fieldsV1: { f:spec: { f:loadBalancerClass: {} } } },
      { manager: controller, operation: Update, fieldsV1: { f:metadata: { f:finalizers: { .: {}, 'v:"service.k8s.aws/resources"': {} } } } },
      { manager: strange, operation: 7, fieldsV1: [] }, null ]`;
    const yaml = service(NLB, `${PUBLIC}, ${OWN}, ${managed}`);
    expect(explained('shop/echo', yaml, ...AWS).writers).toEqual({
      'service.k8s.aws/resources': "'controller' (Update)",
      class: "'helm' (Update, 2026-11-22T09:00:00Z)",
    });
    expect(run('explain', 'shop/echo', written(yaml)).out).toMatch(/\n {2}Who wrote it\n.*'controller' \(Update\)\n/);
  });

  test('says how long an address takes with its owner', () => {
    const { waits } = explained('shop/echo', service(NLB, `creationTimestamp: '2026-11-22T09:59:00Z'`), ...AWS);
    expect(waits).toBe(
      'it has no address, was created at 2026-11-22T09:59:00Z, and one comes after about 15 s as a rule',
    );
    expect(explained('shop/echo', service('')).waits).toBe('it has no address');
  });

  test('knows the controllers that the context file names, and those whose Deployments are in the files', () => {
    const file = join(folder, 'load-balancers.yaml');
    writeFileSync(file, 'controllers: [cloud-provider-aws]\n');
    const { claims, areControllersKnown, causes } = explained('shop/echo', service(NLB, PUBLIC));
    rmSync(file);
    expect([claims.map(({ controller }) => controller), areControllersKnown]).toEqual([['cloud-provider-aws'], true]);
    expect(causes[0].id).toBe('no-controller');

    const running = `---
apiVersion: apps/v1
kind: Deployment
metadata: { name: aws-load-balancer-controller, namespace: kube-system }
spec:
  selector: { matchLabels: { app: lbc } }
  template:
    metadata: { labels: { app: lbc } }
    spec:
      containers:
        - name: controller
          image: public.ecr.aws/eks/aws-load-balancer-controller:v3.5.0
          args: ['--cluster-name=prod']
`;
    const seen = explained('shop/echo', service(NLB, PUBLIC) + running);
    expect([seen.claims.map(({ controller }) => controller), seen.areControllersKnown]).toEqual([
      ['aws-load-balancer-controller', 'cloud-provider-aws'],
      false,
    ]);
    expect(seen.context.join()).toContain('controllers aws-load-balancer-controller');
  });

  test('a service controller may run that the files do not show', () => {
    const both = 'finalizers: [service.k8s.aws/resources, service.kubernetes.io/load-balancer-cleanup]';
    expect(ids(explained('shop/echo', service(NLB, `${both}, ${DELETED}`)))).not.toContain('foreign-finalizer');
    expect(
      ids(explained('shop/echo', service(NLB, `${both}, ${DELETED}`), '-c', 'aws-load-balancer-controller'))[0],
    ).toBe('foreign-finalizer');
  });

  test('asks all known controllers where none is named', () => {
    const found = explained('shop/echo', service(''));
    expect(found.areControllersKnown).toBe(false);
    expect(found.claims.length).toBeGreaterThan(5);
    expect(run('explain', 'shop/echo', written(service(''))).out).toMatch(
      /\n {4}would take it +cloud-provider-azure: /,
    );
  });

  test('without its finalizer the balancer may stay', () => {
    const found = explained('shop/echo', service(NLB, PUBLIC), ...AWS);
    expect(found.onDelete).toEqual([expect.stringContaining('its balancer stays')]);
  });

  test.each<[string, string, string]>(table('cli/explain/services.yaml', 'with it is not stuck'))(
    'with %s it is not stuck',
    (_, yaml, state) => {
      const found = explained('shop/echo', yaml, ...AWS);
      expect([found.state, found.causes]).toEqual([state, []]);
    },
  );

  test.each(['shop/echo', 'svc/echo', 'service/echo', 'Service shop/echo', 'echo'])('%s is found', (word) => {
    expect(explained(word, service(NLB, PUBLIC)).name).toBe('echo');
  });

  test('the words may be two arguments', () => {
    const { out, code } = run('explain', 'svc', 'shop/echo', written(service(NLB, PUBLIC)));
    expect(code).toBe(0);
    expect(out).toMatch(/^Service shop\/echo {2}\(/);
  });

  test('a Service that is not there is an error, and a known word beside files is explained', () => {
    const file = written(service(NLB));
    expect(run('explain', 'shop/till', file)).toMatchObject({
      code: 2,
      error: expect.stringContaining('nor a Service of these files'),
    });
    expect(run('explain', 'service.k8s.aws/nlb', file).out).toMatch(/^class service/);
  });

  test('a file that cannot be read is told, and the others are explained', () => {
    const { error, out, code } = run('explain', 'shop/echo', written(`${service(NLB)}---\n{ a: [\n`));
    expect(error).toContain('cannot be read');
    expect(out).toMatch(/^Service shop\/echo/);
    expect(code).toBe(2);
  });
});

describe('Services of a Kafka', () => {
  const kafka = (metadata = '', status = '{}') => `
apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: { name: events, namespace: kafka, ${metadata} }
spec:
  kafka:
    version: 4.1.0
    listeners:
      - { name: outside, port: 9094, type: loadbalancer, tls: true, configuration: { class: service.k8s.aws/nlb } }
status: ${status}
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: { name: brokers, namespace: kafka, labels: { strimzi.io/cluster: events } }
spec: { replicas: 2, roles: [broker, controller], storage: { type: ephemeral } }
`;
  const live = (name: string) => `---
apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: kafka, uid: ${name} }
spec: { type: LoadBalancer, loadBalancerClass: service.k8s.aws/nlb, ports: [{ port: 9094 }] }
status: { loadBalancer: {} }
`;

  test('as they will be', () => {
    const found = explained<ExplainedMaker>('Kafka kafka/events', kafka(), ...AWS);
    expect(found.services.map(({ name, state, owner }) => [name, state, owner])).toEqual(
      ['events-kafka-outside-bootstrap', 'events-brokers-outside-0', 'events-brokers-outside-1'].map((name) => [
        name,
        'manifest',
        'aws-load-balancer-controller',
      ]),
    );
    expect(found.causes).toEqual([]);
    expect(explained('kafka/events-brokers-outside-1', kafka()).madeBy).toContain('Kafka kafka/events');
  });

  test('as the cluster has them, and those that the API server refused', () => {
    const status =
      "{ conditions: [{ type: NotReady, status: 'True', reason: KubernetesClientException, message: 'services \"events-brokers-outside-1\" is forbidden: exceeded quota: balancers, requested: services.loadbalancers=1, used: 2, limited: 2' }] }";
    const yaml = kafka('uid: k', status) + live('events-kafka-outside-bootstrap') + live('events-brokers-outside-0');
    const found = explained<ExplainedMaker>('kafka/events', yaml, ...AWS);
    expect(found.missing).toEqual(['events-brokers-outside-1']);
    expect(ids(found)[0]).toBe('denied');
    expect(found.causes[0].evidence[0]).toContain('condition KubernetesClientException: services');
    expect(found.services.map(({ state }) => state)).toEqual(['pending', 'pending', 'manifest']);
    expect(run('explain', 'kafka/events', written(yaml)).out).toContain('\n  missing    events-brokers-outside-1\n');
  });

  test('a quota that is used up speaks for itself', () => {
    const quota = `---
apiVersion: v1
kind: ResourceQuota
metadata: { name: balancers, namespace: kafka }
status: { hard: { services.loadbalancers: '1' }, used: { services.loadbalancers: '1' } }
`;
    const yaml = kafka('uid: k') + live('events-kafka-outside-bootstrap');
    const [denied] = explained<ExplainedMaker>('kafka/events', yaml + quota).causes;
    expect([denied.id, denied.evidence]).toEqual([
      'denied',
      ['quota balancers allows 1 services.loadbalancers, and as many are used'],
    ]);
    const free = explained<ExplainedMaker>(
      'kafka/events',
      yaml + quota.replace("used: { services.loadbalancers: '1'", "used: { services.loadbalancers: '0'"),
    );
    expect(free.causes[0].evidence).toEqual([expect.stringContaining('is not in these files')]);
  });

  test('in text those that differ by their names alone are shown once', () => {
    const { out } = run('explain', 'Kafka', 'kafka/events', written(kafka()));
    expect(out.match(/^Service \S+/gm)).toEqual(['Service kafka/events-kafka-outside-bootstrap']);
    expect(out).toContain('\n  The same holds of events-brokers-outside-0, events-brokers-outside-1\n');
  });
});
