import { JsonPatch, Lazy } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-27';
import {
  AwsLoadBalancerController,
  ClientAddress,
  CustomController,
  KubernetesVersion,
  LoadBalancedService,
  type LoadBalancedServiceProps,
  LoadBalancerRequest,
  LoadBalancers,
  NlbTargetType,
  PortProtocol,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf, newChart, synth } from '../support/apps';

const nlb = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });

const TOKEN = ['$', '{Token[TOKEN.12]}'].join('');

const rows: [string, Json, string][] = [
  ['a port out of range', { ports: [{ port: 0 }] }, '0 is not a valid port (1 to 65535)'],
  [
    'a port that is no number',
    { ports: [{ port: Number.NaN }] },
    'spec.ports[0].port is NaN, and the API server takes a whole number',
  ],
  ['a target port out of range', { ports: [{ port: 80, targetPort: 70000 }] }, '70000 is not a valid port'],
  [
    'both target ports',
    { ports: [{ port: 80, targetPort: 1, targetPortName: 'a' }] },
    'has both targetPort 1 and targetPortName',
  ],
  [
    'a pair of port and protocol twice',
    {
      ports: [
        { port: 80, name: 'a' },
        { port: 80, name: 'b' },
      ],
    },
    'port 80/TCP is listed twice',
  ],
  [
    'a port name twice',
    {
      ports: [
        { port: 80, name: 'a' },
        { port: 81, name: 'a' },
      ],
    },
    "'a' names two ports",
  ],
  ['a port name that is none', { ports: [{ port: 80, name: 'Web_1' }] }, "'Web_1' is not a valid DNS label"],
  [
    'a target port name that is none',
    { ports: [{ port: 80, targetPortName: 'UPPER' }] },
    "'UPPER' is not a valid port name",
  ],
  [
    'a node port twice',
    {
      ports: [
        { port: 80, nodePort: 30080 },
        { port: 81, nodePort: 30080 },
      ],
    },
    '30080/TCP is listed twice',
  ],
  ['no ports', { ports: [] }, 'there are no ports'],
  [
    'an unknown protocol',
    { ports: [{ port: 80, protocol: 'HTTP' }] },
    "ports[0].protocol is 'HTTP', which is not one of TCP, UDP, SCTP",
  ],
  ['an unknown application protocol', { ports: [{ port: 80, appProtocol: 'a b' }] }, "'a b' is not a qualified name"],
  ['a name over 63 characters', { name: 'a'.repeat(64) }, 'this one has 64 characters'],
  ['a name that begins with a digit', { name: '1st' }, "'1st' is not a valid name for a Service"],
  ['a namespace that is none', { namespace: 'Kafka' }, "'Kafka' is not a valid DNS label"],
  ['a bad label key', { labels: { 'a/b/c': 'd' } }, "'a/b/c' has more than one slash"],
  ['a bad label value', { labels: { team: 'platform team' } }, "'platform team' is not a valid label value"],
  ['an empty selector', { selector: {} }, 'the selector is empty, so no pod is ever behind the Service'],
  ['no selector at all', { selector: undefined }, 'the selector is empty'],
  ['a selector that is no text', { selector: { app: 1 } }, 'selector.app is 1, which is not a string'],
  ['a bad CIDR', { sourceRanges: ['10.0.0.0/33'] }, "'10.0.0.0/33' is not a valid address range"],
  ['a source range twice', { sourceRanges: ['10.0.0.0/8', '10.0.0.0/8'] }, 'has an entry twice'],
  ['empty source ranges', { sourceRanges: [] }, 'sourceRanges [] is empty'],
  ['an unknown scheme', { scheme: 'public' }, "scheme is 'public', which is not one of internal, internet-facing"],
  ['an unknown policy', { trafficPolicy: 'Locall' }, "trafficPolicy is 'Locall', which is not one of Cluster, Local"],
  ['an unknown client address', { clientAddress: 'keep' }, "clientAddress is 'keep'"],
  ['an unknown finalizer policy', { finalizerPolicy: 'none' }, "finalizerPolicy is 'none'"],
  ['an unknown IP family', { ipFamilies: ['IPv5'] }, "ipFamilies[0] is 'IPv5'"],
  ['a family twice', { ipFamilies: ['IPv4', 'IPv4'] }, 'has an entry twice'],
  ['an unknown health check', { healthCheck: { protocol: 'grpc' } }, "healthCheck.protocol is 'grpc'"],
  ['a DNS name that is none', { dnsName: 'db_1.example.com' }, "'db_1.example.com' is not a valid DNS name"],
  ['an unresolved token in a name', { name: TOKEN }, 'is an unresolved token'],
  ['an unresolved token in a range', { sourceRanges: [TOKEN] }, 'is an unresolved token'],
  ['an unresolved token in a DNS name', { dnsName: TOKEN }, 'is an unresolved token'],
  [
    'static addresses of which there cannot be as many',
    { staticAddresses: ['10.0.0.1', '10.0.0.2', '10.0.0.1'] },
    'has an entry twice',
  ],
  [
    'ranges that are no list',
    { sourceRanges: '10.0.0.0/8' },
    "sourceRanges is '10.0.0.0/8', which is not a list of strings",
  ],
  ['ranges that are null', { sourceRanges: null }, 'sourceRanges is null, which is not a list of strings'],
  ['families that are no list', { ipFamilies: 'IPv4' }, "ipFamilies is 'IPv4', which is not a list of IpFamily"],
  ['ports that are no list', { ports: { port: 80 } }, 'which is not a list of LoadBalancerPort'],
  ['a port that is none', { ports: [null] }, 'ports[0] is null, which is not a LoadBalancerPort'],
  ['a version that is a string', { kubernetes: '1.30' }, "kubernetes is '1.30', which is not a KubernetesVersion"],
  [
    'a duration that is a number',
    { sessionAffinity: { timeout: 10 } },
    'sessionAffinity.timeout is 10, which is not a Duration',
  ],
  ['a DNS name that is a number', { dnsName: 5 }, 'dnsName is 5, which is not a string'],
  ['a health check that is a string', { healthCheck: 'HTTP' }, "healthCheck is 'HTTP', which is not a HealthCheck"],
  ['a range that is not known yet', { sourceRanges: [Lazy.any({ produce: () => 'a' })] }, 'is not a list of strings'],
  [
    'a factory whose parentheses were forgotten',
    { controller: AwsLoadBalancerController.nlb },
    'controller is a function, which is not an ILoadBalancerController',
  ],
  [
    'a plan without an owner',
    { controller: { name: 'acme', bind: () => ({}) } },
    'bind returned no plan with an owner',
  ],
  ['no plan at all', { controller: { name: 'acme', bind: () => undefined } }, 'bind returned no plan with an owner'],
  [
    'an address that is replaced for UDP, where it never is',
    { clientAddress: ClientAddress.REPLACE, ports: [{ port: 53, protocol: PortProtocol.UDP }] },
    'UDP',
  ],
];

test.each(rows)('%s is an error with the path of its construct, and nothing is written', (_, props, message) => {
  const chart = newChart();
  const good = { controller: nlb, selector: { app: 'echo' }, ports: [{ port: 443 }] };
  const errors: string[] = [];
  try {
    new LoadBalancedService(chart, 'Bad', { ...good, ...props } as LoadBalancedServiceProps);
    errors.push(...errorsOf(chart));
  } catch (error) {
    errors.push(...(error as Error).message.split('\n'));
  }
  expect(errors).toContainEqual(expect.stringContaining(message));
  for (const error of errors) {
    expect(error).toMatch(/^(\[echo\/Bad\] [\w-]+|echo\/Bad): .+; .+ \([\w-]+\)$/);
  }
});

test('all problems of an app stand in one error', () => {
  const chart = newChart();
  for (const id of ['First', 'Second']) {
    new LoadBalancedService(chart, id, { controller: nlb, selector: {}, ports: [{ port: 70000 }] });
  }
  expect(errorsOf(chart).map((error) => error.split(' ')[0])).toEqual([
    '[echo/First]',
    '[echo/First]',
    '[echo/Second]',
    '[echo/Second]',
  ]);
});

test('a patch is judged like everything else', () => {
  const chart = newChart();
  const service = new LoadBalancedService(chart, 'Echo', {
    controller: nlb,
    selector: { app: 'echo' },
    ports: [{ port: 443 }],
  });
  service.service.addJsonPatch(
    JsonPatch.add('/metadata/annotations/service.beta.kubernetes.io~1aws-load-balancer-scheme', 'public'),
    JsonPatch.add('/metadata/finalizers/-', 'service.kubernetes.io/load-balancer-cleanup'),
  );
  expect(errorsOf(chart)).toEqual([
    expect.stringContaining(
      "'public' is not one of internal, internet-facing, which aws-load-balancer-controller refuses",
    ),
  ]);
  expect(LoadBalancers.of(chart).warnings.map(({ finding }) => finding.ruleId)).toEqual([
    'finalizer-of-service-controller',
  ]);
});

test('a controller that throws is a problem with a path, not a stack trace', () => {
  const chart = newChart();
  const controller = {
    name: 'acme',
    bind() {
      throw new Error('no idea');
    },
  };
  new LoadBalancedService(chart, 'Echo', { controller, selector: { app: 'echo' }, ports: [{ port: 443 }] });
  expect(errorsOf(chart)).toEqual(['[echo/Echo] acme: bind failed: no idea; mend the controller (controller-failed)']);
});

test('a wish that a plan passes over is a problem that names it', () => {
  const chart = newChart();
  const controller = { name: 'acme', bind: () => ({ owner: 'acme' }) };
  new LoadBalancedService(chart, 'Echo', {
    controller,
    selector: { app: 'echo' },
    ports: [{ port: 443 }],
    sourceRanges: ['10.0.0.0/8'],
  });
  expect(errorsOf(chart)).toEqual([
    expect.stringContaining('the plan does not answer sourceRanges, with value ["10.0.0.0/8"]'),
  ]);
});

test('the version of the API server is that of each Service', () => {
  const chart = newChart();
  const props = { controller: nlb, selector: { app: 'echo' }, ports: [{ port: 443 }] };
  new LoadBalancedService(chart, 'New', props);
  new LoadBalancedService(chart, 'Old', { ...props, kubernetes: KubernetesVersion.of('1.21') });
  expect(errorsOf(chart)).toContainEqual(
    expect.stringMatching(/^\[echo\/Old\].*Kubernetes 1.21 drops loadBalancerClass/),
  );
});

test('a copy of a request keeps what is not overridden', () => {
  const request = new LoadBalancerRequest({
    ports: [{ port: 443 }],
    dnsName: 'a.example.com',
    sourceRanges: ['10.0.0.0/8'],
  });
  const copy = request.with({ dnsName: 'b.example.com', sourceRanges: undefined });
  expect(copy).toMatchObject({ dnsName: 'b.example.com', sourceRanges: ['10.0.0.0/8'], ports: [{ port: 443 }] });
});

test('two Services of one name in one chart are an error that names both', () => {
  const chart = newChart();
  const props = { controller: nlb, name: 'echo', selector: { app: 'echo' }, ports: [{ port: 443 }] };
  new LoadBalancedService(chart, 'First', props);
  new LoadBalancedService(chart, 'Second', props);
  expect(errorsOf(chart)).toEqual([
    '[echo/Second] kubernetes: Service echo/echo is made by echo/First as well; give one of the two another name (name-twice)',
  ]);
});

test('workload and selector exclude each other', () => {
  const chart = newChart();
  const workload = new Deployment(chart, 'Echo', { containers: [{ image: 'echo' }] });
  new LoadBalancedService(chart, 'Service', {
    controller: nlb,
    workload,
    selector: { app: 'a' },
    ports: [{ port: 1 }],
  });
  expect(errorsOf(chart)).toContainEqual(expect.stringContaining('workload and selector are both given; keep one'));
});

test('a literal plan is rendered whole', () => {
  const chart = newChart();
  const controller = CustomController.of({
    owner: 'acme',
    loadBalancerClass: 'acme.example.com/lb',
    finalizers: ['acme.example.com/cleanup'],
    labels: { tier: 'edge' },
    annotations: { 'acme.example.com/size': 'big' },
    loadBalancerIp: '10.0.0.1',
  });
  new LoadBalancedService(chart, 'Echo', {
    controller,
    name: 'echo',
    selector: { app: 'echo' },
    ports: [
      { port: 53, protocol: PortProtocol.TCP },
      { port: 54, targetPort: 55, nodePort: 30054, appProtocol: 'https' },
    ],
  });
  expect(synth(chart)).toEqual([
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'echo',
        namespace: 'echo',
        labels: { tier: 'edge' },
        annotations: { 'acme.example.com/size': 'big' },
        finalizers: ['acme.example.com/cleanup'],
      },
      spec: {
        type: 'LoadBalancer',
        loadBalancerClass: 'acme.example.com/lb',
        loadBalancerIP: '10.0.0.1',
        selector: { app: 'echo' },
        ports: [
          { name: 'tcp-53', port: 53, protocol: 'TCP' },
          { name: 'tcp-54', port: 54, targetPort: 55, nodePort: 30054, appProtocol: 'https', protocol: 'TCP' },
        ],
      },
    },
  ]);
});

test.each(['1', '1.x', 'latest', ''])("'%s' is no version of Kubernetes", (version) => {
  expect(() => KubernetesVersion.of(version)).toThrow('write it like 1.34');
});
