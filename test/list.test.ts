import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MetalLb } from '../src';
import { checkObjects } from '../src/checks/check';
import { NO_CONTEXT } from '../src/checks/context/check-context';
import { reportServices } from '../src/checks/service-report';
import type { Json } from '../src/contract/json';
import { service } from './support/cases';
import { run } from './support/command';

const AWS = 'aws-load-balancer-controller,cloud-provider-aws';
const TYPE = 'service.beta.kubernetes.io/aws-load-balancer-type';
const TCP_UDP = 'service.beta.kubernetes.io/aws-load-balancer-enable-tcp-udp-listener';
const DNS = { ports: ['TCP', 'UDP'].map((protocol) => ({ name: protocol.toLowerCase(), port: 53, protocol })) };
const TARGET = 'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type';
const SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';
const ATTRIBUTES = 'service.beta.kubernetes.io/aws-load-balancer-target-group-attributes';

/** What is listed of a file with this content; its name is `file` in what is said. */
function listed(content: string | Buffer, ...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'list-'));
  const file = join(folder, 'a.yaml');
  writeFileSync(file, content);
  const { out, error, code } = run('list', '--verbose', ...args, file);
  return { out: out.replaceAll(file, 'file'), error: error.replaceAll(file, 'file'), code };
}

const objects = (...all: Json[]) => all.map((object) => JSON.stringify(object)).join('\n---\n');
const yaml = (metadata: string, spec = 'ports: [{port: 80}], selector: {app: x}') =>
  `apiVersion: v1\nkind: Service\nmetadata: {${metadata}}\nspec: {type: LoadBalancer, ${spec}}\n`;

const lines = (text: string) => text.replace(/\n +remedy.*/g, '');

test('a page shows what is listed of an example', () => {
  const page = readFileSync(join(__dirname, '..', 'docs', 'how-to', 'list-balancers.md'), 'utf8');
  const [, controllers, shown] = /list \S+ dist\/ --controllers (\S+)\n(.*?)```/s.exec(page) ?? [];
  const example = readFileSync(join(__dirname, 'goldens', 'examples', 'eks-ingest.k8s.yaml'));
  const { out } = listed(example, '--controllers', controllers);
  expect(out.replace('(file:', '(dist/ingest.k8s.yaml:').trim()).toBe(shown.trim());
});

test('what pods of namesakes demand alike of their nodes stands once', () => {
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'x' },
    spec: { template: { metadata: { labels: { app: 'x' } }, spec: { nodeSelector: { 'kubernetes.io/os': 'linux' } } } },
  };
  const { out } = listed(`${objects(deployment, deployment)}\n---\n${yaml('name: x')}`);
  expect(out).toMatch(/^ +nodes +pods of Deployment x only on kubernetes\.io\/os=linux$/m);
});

describe('a line tells who can reach the balancer, whatever its controller', () => {
  test.each<[string, Json, string, string]>([
    [
      'a class of the AWS controller',
      { loadBalancerClass: 'service.k8s.aws/nlb' },
      AWS,
      'internal: the default, since aws-load-balancer-scheme is not written',
    ],
    [
      'a class of GKE',
      { loadBalancerClass: 'networking.gke.io/l4-regional-external' },
      'gke',
      "internet-facing: class 'networking.gke.io/l4-regional-external' makes it so",
    ],
    ['nothing, on GKE', {}, 'gke', 'internet-facing: the default, since load-balancer-type is not written'],
    [
      'nothing, on AKS',
      {},
      'cloud-provider-azure',
      'internet-facing: the default, since azure-load-balancer-internal is not written',
    ],
    [
      'nothing, under the cloud provider of AWS',
      {},
      AWS,
      'internet-facing: the default, since aws-load-balancer-internal is not written',
    ],
    [
      'nothing, on Auto Mode',
      {},
      'eks-auto-mode',
      'internal: the default, since aws-load-balancer-scheme is not written',
    ],
    [
      'nothing, on Hetzner',
      {},
      'hcloud-cloud-controller-manager',
      'internet-facing: the default, since disable-public-network is not written, unless the controller is configured otherwise',
    ],
    ['nothing, under MetalLB', {}, 'metallb', 'unknown: the addresses of its pool decide who can reach it'],
  ])('%s', (_, spec, controllers, scheme) => {
    expect(listed(objects(service(spec)), '-c', controllers).out).toContain(`\n  scheme          ${scheme}\n`);
  });

  test('where the owner is unknown, so is what it decides', () => {
    expect(listed(objects(service())).out).toContain('\n  scheme          unknown: its owner decides\n');
  });
});

describe('a line tells what pods see of clients', () => {
  const nlb = (annotations: Record<string, string>, spec: Json = {}) =>
    service({ loadBalancerClass: 'service.k8s.aws/nlb', ...spec }, annotations);
  test.each<[string, Json, string, string]>([
    ['pods as targets', nlb({ [TARGET]: 'ip' }), AWS, 'replaced by the balancer'],
    [
      'pods as targets that are to see them',
      nlb({ [TARGET]: 'ip', [ATTRIBUTES]: 'preserve_client_ip.enabled=true' }),
      AWS,
      'kept',
    ],
    ['nodes as targets', nlb({}), AWS, 'kept by the balancer, and replaced by a node with policy Cluster'],
    ['nodes that run a pod as targets', nlb({}, { externalTrafficPolicy: 'Local' }), AWS, 'kept'],
    [
      'UDP to pods',
      nlb(
        { [TARGET]: 'ip' },
        {
          ports: [
            { name: 'a', port: 53, protocol: 'UDP' },
            { name: 'b', port: 54 },
          ],
        },
      ),
      AWS,
      'kept for port 53; replaced by the balancer for others',
    ],
    ['TCP and UDP of one listener to pods', nlb({ [TARGET]: 'ip', [TCP_UDP]: 'true' }, DNS), AWS, 'kept'],
    [
      'TCP and UDP of two listeners to pods',
      nlb({ [TARGET]: 'ip' }, DNS),
      AWS,
      'kept for port 53; replaced by the balancer for others',
    ],
    [
      'a Classic Load Balancer',
      service({ externalTrafficPolicy: 'Local' }),
      AWS,
      'replaced by the balancer, which makes connections of its own',
    ],
    [
      'the header of the PROXY protocol',
      service({}, { 'load-balancer.hetzner.cloud/uses-proxyprotocol': 'true' }),
      'hcloud-cloud-controller-manager',
      'written before the first byte by the PROXY protocol, which every pod must understand',
    ],
    ['policy Cluster', service(), 'gke', 'replaced by a node, where it forwards to a pod of another one'],
    ['policy Local', service({ externalTrafficPolicy: 'Local' }), 'metallb', 'kept'],
  ])('%s', (_, object, controllers, seen) => {
    expect(listed(objects(object), '-c', controllers).out).toContain(`\n  client address  ${seen}\n`);
  });
});

test.each<[string, Json, string]>([
  ['the field', service({ loadBalancerSourceRanges: ['10.0.0.0/8', '192.0.2.0/24'] }), '10.0.0.0/8, 192.0.2.0/24'],
  [
    'an annotation',
    service({}, { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8' }),
    'load-balancer-source-ranges 10.0.0.0/8',
  ],
  ['nothing', service(), 'none: any client'],
])('a line tells the source ranges: those of %s', (_, object, ranges) => {
  expect(listed(objects(object), '-c', 'gke').out).toContain(`\n  source ranges   ${ranges}\n`);
});

describe('what is made later', () => {
  const gateway = (className: string, more: Json = {}) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'g', namespace: 'infra' },
    spec: { gatewayClassName: className, listeners: [{ name: 'a', port: 443, protocol: 'TCP' }], ...more },
  });
  const gatewayClass = (controllerName: string) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name: 'c' },
    spec: { controllerName },
  });
  const proxy = (envoyService: Json) => ({
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyProxy',
    metadata: { name: 'p', namespace: 'infra' },
    spec: { provider: { type: 'Kubernetes', kubernetes: { envoyService } } },
  });
  const withProxy = gateway('c', {
    infrastructure: { parametersRef: { group: 'gateway.envoyproxy.io', kind: 'EnvoyProxy', name: 'p' } },
  });
  const kafka = (listeners: unknown, more: Json = {}) => ({
    apiVersion: 'kafka.strimzi.io/v1beta2',
    kind: 'Kafka',
    metadata: { name: 'k' },
    spec: { kafka: { replicas: 2, listeners, ...more } },
  });

  test.each<[string, string, RegExp]>([
    [
      'a Gateway of Envoy Gateway',
      objects(gatewayClass('gateway.envoyproxy.io/gatewayclass-controller'), gateway('c')),
      /^envoy-gateway-system\/envoy-infra-g-\* {2}\(made later of Gateway infra\/g, [\s\S]*, 1 load balancer made later, 0 errors/,
    ],
    ['an EnvoyProxy that says no type', objects(proxy({}), withProxy), /, 1 load balancer made later/],
    [
      'an EnvoyProxy that says it in a patch',
      objects(proxy({ type: 'ClusterIP', patch: { value: { spec: { type: 'LoadBalancer' } } } }), withProxy),
      /, 1 load balancer made later/,
    ],
    [
      'an EnvoyProxy of another type',
      objects(proxy({ type: 'ClusterIP' }), withProxy),
      /^0 load balanced Services, 0 errors/,
    ],
    [
      'a Gateway of the AWS controller',
      objects(gatewayClass('gateway.k8s.aws/nlb'), gateway('c')),
      /^0 load balanced Services, 1 load balancer made later, 0 errors/,
    ],
    [
      'a Kafka whose listeners are a map',
      objects(kafka({ external: { type: 'loadbalancer' } })),
      /^k-kafka-external-bootstrap and 2 more .*listener 'external'[\s\S]*, 3 load balancers made later/,
    ],
    [
      'a Kafka whose brokers stand elsewhere',
      objects({
        ...kafka([{ name: 'a', port: 9094, type: 'loadbalancer', tls: true }]),
        apiVersion: 'kafka.strimzi.io/v1',
      }),
      /^k-kafka-a-bootstrap {2}\(made later of Kafka k, listener 'a'[\s\S]*, 1 load balancer made later/,
    ],
    [
      'a Kafka with two kinds of Services',
      objects(
        kafka([
          {
            name: 'a',
            port: 9094,
            type: 'loadbalancer',
            tls: true,
            configuration: { brokers: [{ broker: 1, annotations: { x: 'y' } }] },
          },
        ]),
      ),
      /^k-kafka-a-bootstrap and 1 more [\s\S]*\nk-kafka-a-1 {2}\(made[\s\S]*, 3 load balancers made later/,
    ],
  ])('%s', (_, content, out) => {
    expect(listed(content).out).toMatch(out);
  });

  test.each<[string, string, string]>([
    [
      'a Gateway of the AWS controller',
      objects(gatewayClass('gateway.k8s.aws/nlb'), gateway('c')),
      'file:3: Gateway infra/g: aws-load-balancer-controller makes 1 Network Load Balancer of it, internal\n',
    ],
    [
      'a Gateway of an unknown class',
      objects(gateway('x')),
      "file:1: Gateway infra/g: its class 'x' is not among these files (kubectl get gatewayclass x -o yaml has it), so whether a load balancer is made of it is not known\n",
    ],
    [
      'a Gateway without a class',
      objects({ ...gateway('x'), spec: null }),
      'file:1: Gateway infra/g: it names no class in spec.gatewayClassName, so whether a load balancer is made of it is not known\n',
    ],
    [
      'an EnvoyProxy alone',
      objects(proxy({})),
      'file:1: EnvoyProxy infra/p: Envoy Gateway makes a load balancer for each Gateway with these parameters, and none of these files holds one\n',
    ],
    [
      'a Kafka whose brokers stand elsewhere',
      objects({
        ...kafka([{ name: 'a', port: 9094, type: 'loadbalancer', tls: true }]),
        apiVersion: 'kafka.strimzi.io/v1',
      }),
      "file:1: Kafka k: the operator makes a load balancer for each broker and one for all of listener 'a'; how many brokers there are is not known: ",
    ],
    [
      'a template in another object',
      objects({
        apiVersion: 'example.com/v1',
        kind: 'Database',
        metadata: { name: 'd' },
        spec: { front: [{ service: { type: 'LoadBalancer' } }] },
      }),
      'file:1: Database d: spec.front.0.service.type is LoadBalancer, so its controller may make a load balancer; it is not listed\n',
    ],
    ...(
      [
        [
          'acid.zalan.do/v1',
          'OperatorConfiguration',
          { load_balancer: { enable_master_load_balancer: true, enable_replica_load_balancer: true } },
          'configuration.load_balancer.enable_master_load_balancer is true, configuration.load_balancer.enable_replica_load_balancer is true',
        ],
        [
          'cloud.crate.io/v1',
          'CrateDB',
          { cluster: { name: 'a' } },
          'spec.cluster.exposure is not set, and its default is loadbalancer',
        ],
        [
          'cloud.crate.io/v1',
          'CrateDB',
          { cluster: { exposure: 'loadbalancer' } },
          'spec.cluster.exposure is loadbalancer',
        ],
        [
          'mysql.oracle.com/v1',
          'NdbCluster',
          { mysqlNode: { enableLoadBalancer: true } },
          'spec.mysqlNode.enableLoadBalancer is true',
        ],
        [
          'yugabyte.com/v1alpha1',
          'YBCluster',
          { master: { enableLoadBalancer: true } },
          'spec.master.enableLoadBalancer is true',
        ],
        [
          'minio.min.io/v2',
          'Tenant',
          { exposeServices: { minio: true, console: false } },
          'spec.exposeServices.minio is true',
        ],
        [
          'kafka.banzaicloud.io/v1beta1',
          'KafkaCluster',
          { listenersConfig: { externalListeners: [{ accessMethod: 'NodePort' }, { name: 'b' }] } },
          'spec.listenersConfig.externalListeners.1.accessMethod is not set, and its default is LoadBalancer',
        ],
        [
          'operator.openshift.io/v1',
          'IngressController',
          { endpointPublishingStrategy: { type: 'LoadBalancerService' } },
          'spec.endpointPublishingStrategy.type is LoadBalancerService',
        ],
        [
          'redis.example.com/v1beta2',
          'Redis',
          { kubernetesConfig: { service: { serviceType: 'LoadBalancer' } } },
          'spec.kubernetesConfig.service.serviceType is LoadBalancer',
        ],
      ] as const
    ).map(([apiVersion, kind, spec, why]): [string, string, string] => [
      `${kind}: ${why}`,
      objects({
        apiVersion,
        kind,
        metadata: { name: 'd' },
        [kind === 'OperatorConfiguration' ? 'configuration' : 'spec']: spec,
      }),
      `file:1: ${kind} d: ${why}, so its controller may make a load balancer; it is not listed\n`,
    ]),
    ['a document of another kind', 'replicas: 3\n', 'skipped file:1, which is not a Kubernetes manifest\n'],
  ])('%s is told', (_, content, note) => {
    expect(listed(content).error).toContain(note);
  });

  test.each<[string, string, object]>([
    ['acid.zalan.do/v1', 'postgresql', { enableMasterLoadBalancer: false }],
    ['acid.zalan.do/v1', 'postgresql', {}],
    ['cloud.crate.io/v1', 'CrateDB', { cluster: { exposure: 'traefik' } }],
    ['minio.min.io/v2', 'Tenant', {}],
    ['example.com/v1', 'postgresql', { enableMasterLoadBalancer: true }],
    [
      'kafka.banzaicloud.io/v1beta1',
      'KafkaCluster',
      { listenersConfig: { externalListeners: [{ accessMethod: 'ClusterIP' }] } },
    ],
  ])('nothing is told of a %s %s without one: %j', (apiVersion, kind, spec) => {
    expect(listed(objects({ apiVersion, kind, metadata: { name: 'd' }, spec })).error).not.toContain('load balancer;');
  });

  test('a Service that is published at a shared balancer makes none of its own', () => {
    const { out, code } = listed(objects(service({ loadBalancerClass: 'cdk8s-load-balancers/shared' })), '-c', AWS);
    expect(out).toContain('\n  owner           a shared load balancer: ');
    expect([out, code]).toEqual([expect.not.stringContaining('(unclaimed)'), 0]);
  });
});

describe('findings', () => {
  const pods = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'echo' },
    spec: {
      template: {
        metadata: { labels: service().spec.selector },
        spec: { containers: [{ ports: [{ containerPort: 8080 }] }] },
      },
    },
  };
  test.each<[string, string, string[], string]>([
    [
      'another type',
      objects(service({ type: 'ClusterIP' }, { [TYPE]: 'external', [TARGET]: 'ip', [SCHEME]: 'internet-facing' })),
      ['-c', AWS],
      '(aws-other-type)',
    ],
    [
      'another type where nobody says what runs',
      objects(service({ type: 'ClusterIP' }, { [TYPE]: 'nlb-ip' })),
      [],
      '(aws-other-type)',
    ],
    [
      'a mode that a Standard balancer ignores',
      objects(service({}, { 'service.beta.kubernetes.io/azure-load-balancer-mode': '__auto__' })),
      ['-c', 'cloud-provider-azure'],
      '(azure-ignored-by-sku)',
    ],
    [
      'a target port that no container declares',
      objects(service({ ports: [{ port: 443, targetPort: 9999 }] }), pods),
      ['-c', AWS],
      'port 443 leads to port 9999 of the pods, and the containers of Deployment echo declare 8080 (target-port-undeclared)',
    ],
    [
      'a name of a port that no container has',
      objects(service({ ports: [{ port: 443, targetPort: 'https' }] }), pods),
      [],
      '(target-port-exists)',
    ],
    [
      'a port without a number',
      yaml('name: a', 'ports: [{name: x}], selector: {app: x}'),
      [],
      'spec.ports[0].port is missing, and the API server takes a whole number (field-type)',
    ],
    [
      'a word that kubectl takes for true',
      yaml('name: a, annotations: {example.com/on: on}'),
      [],
      "metadata.annotations['example.com/on'] is true, and the API server takes a string (field-type)",
    ],
    [
      'a selector that kubectl takes for true',
      yaml('name: a', 'ports: [{port: 80}], selector: {app: yes}'),
      [],
      "spec.selector['app'] is true, and the API server takes a string (field-type)",
    ],
    [
      'node ports that kubectl takes for off',
      yaml('name: a', 'allocateLoadBalancerNodePorts: no, ports: [{port: 0120}], selector: {app: x}'),
      ['-c', 'cloud-provider-aws'],
      '(aws-cloud-no-node-ports)',
    ],
    [
      'a map where a number belongs',
      yaml('name: a', 'ports: [{port: {toString: x}}], selector: {app: x}'),
      [],
      'spec.ports[0].port is {"toString":"x"}, and the API server takes a whole number (field-type)',
    ],
    [
      'a name that is made',
      yaml('generateName: web-'),
      [],
      "the Service has generateName 'web-', so each time it is created makes another balancer, and kubectl apply refuses it (generated-name)",
    ],
  ])('%s', (_, content, args, finding) => {
    expect(lines(listed(content, ...args).out)).toContain(finding);
  });

  test('a Service that is being deleted waits for its finalizers', () => {
    const deleted = {
      deletionTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['service.k8s.aws/resources', 'example.com/x'],
    };
    expect(listed(objects(service({ loadBalancerClass: 'service.k8s.aws/nlb' }, {}, deleted))).out).toContain(
      '\n  being deleted   since 2026-01-01T00:00:00Z: it waits for aws-load-balancer-controller to remove service.k8s.aws/resources, and for a controller not known here to remove example.com/x\n',
    );
  });
});

test.each<[string, string | Buffer, number]>([
  ['an error of a Service', yaml('name: A'), 1],
  ['a file that is no text', Buffer.from('\ufeffkind: Service\n', 'utf16le'), 2],
  ['a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 0, 0]), 2],
  ['an anchor that holds itself', 'annotations: &a {x: *a}\n', 2],
  ['a warning', yaml('name: a', 'ports: [{port: 80}]'), 0],
  ['nothing to say', yaml('name: a'), 0],
  ['a file without documents', '# nothing\n', 0],
])('%s ends the program with its code', (_, content, code) => {
  expect(listed(content).code).toBe(code);
});

test('a folder without manifests cannot be read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'list-'));
  const reason = 'no file that ends with .yaml, .yml or .json is there';
  const error = `${folder}:1: cannot be read: ${reason}; pass a file or a folder that can be read\n`;
  expect(run('list', '--verbose', folder)).toMatchObject({ error, code: 2 });
});

test.each([
  ['metallb', 'metallb.io/address-pool is read from metallb 0.14.9 on, and 0.14.8 ignores it silently'],
  ['metallb:bgp', 'metallb.io/address-pool is read from metallb 0.14.9 on, and 0.14.8 ignores it silently'],
])('controller %s that is named runs in the version of its image', (controllers, said) => {
  const workload = `apiVersion: apps/v1
kind: Deployment
metadata: {name: controller, namespace: metallb-system}
spec: {template: {spec: {containers: [{name: controller, image: quay.io/metallb/controller:v0.14.8}]}}}
`;
  const content = `${workload}---\n${yaml('name: x, annotations: {metallb.io/address-pool: a}')}`;
  expect(listed(content, '-c', controllers).out).toContain(said);
});

test('a Service without a namespace is listed as one of the default namespace', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'list-')), 'a.yaml');
  writeFileSync(file, yaml('name: dns'));
  expect(run('list', 'default/dns', file)).toMatchObject({ error: '', out: expect.stringContaining('dns  (') });
});

test('a finding has the level of a check', () => {
  const local = yaml('name: x', 'externalTrafficPolicy: Local, ports: [{port: 80}], selector: {app: x}');
  const { out } = listed(local, '-c', 'cloud-provider-aws');
  expect(out).toContain('\n  note            with policy Local only nodes with a ready pod');
  expect(out).toMatch(/0 errors, 0 warnings\n$/);
  const [report] = JSON.parse(listed(local, '-c', 'cloud-provider-aws', '--format', 'json').out);
  expect(report).toMatchObject({ errors: [], warnings: [], notes: [{ ruleId: 'local-without-pool' }] });
});

test('a listener lends its findings to the Services that it makes, and they count once', () => {
  const { out } = listed(
    'apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: { name: k }\nspec: { kafka: { listeners: [{ name: external, port: 9094, type: loadbalancer, tls: true, configuration: { bootstrap: { annotations: { a: b } } } }] } }\n',
  );
  expect(out).toMatch(/^ {2}warning +listener 'external': a listener of type loadbalancer has no authentication/m);
  expect(out).toMatch(/ made later, 0 errors, 2 warnings/);
});

test('what programs get has no text of files', () => {
  const [report] = JSON.parse(listed(yaml('name: x'), '--format', 'json').out);
  expect(Object.keys(report)).not.toContain('source');
});

test('an owner that a webhook may replace is marked as a guess', () => {
  const folder = mkdtempSync(join(tmpdir(), 'list-'));
  const file = join(folder, 'a.yaml');
  writeFileSync(file, `${yaml('name: open')}---\n${yaml('name: classed', 'loadBalancerClass: service.k8s.aws/nlb')}`);
  const { out } = run('list', '-c', AWS, file);
  expect(out).toMatch(/^open +cloud-provider-aws \(a guess\) /m);
  expect(out).toMatch(/^classed +aws-load-balancer-controller {2}/m);
});

test('names begin no line of their own, and hide nothing', () => {
  const forged = String.raw`"x\n  owner           metallb\e[2J\u202e"`;
  const { out } = listed(
    yaml(`name: ${forged}, namespace: ${forged}`, `loadBalancerClass: ${forged}, ports: [{port: 80}]`),
  );
  expect(out).not.toMatch(/^ {2}owner {11}metallb/m);
  expect(out).toContain('x\\u000a  owner           metallb\\u001b[2J\\u202e');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them is printed
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('what stands beside Services is looked through once, however many there are', () => {
  let looks = 0;
  const beside = (kind: string, apiVersion: string) => ({
    apiVersion,
    kind,
    metadata: { name: 'x' },
    get spec() {
      looks++;
      return {};
    },
  });
  const objects = Array.from({ length: 200 }, (_, i) => service({ selector: { app: `a${i}` } }, {}, { name: `s${i}` }));
  const all = [...objects, beside('Deployment', 'apps/v1'), beside('ConfigMap', 'v1')];
  const manifests = all.map((object, line) => ({ file: 'a.yaml', line, object }));
  const read = { manifests, unreadable: [], strange: [] };
  const checked = checkObjects(read, { ...NO_CONTEXT, controllers: [MetalLb.layer2()] });
  looks = 0;
  expect(reportServices(checked, manifests.slice(0, objects.length))).toHaveLength(objects.length);
  expect(looks).toBeLessThan(10);
});
