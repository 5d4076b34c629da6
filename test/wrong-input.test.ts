import { ApiObject, App, Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import * as lb from '../src';
import { quietly } from './tenancy/manifests/tenant-apps';
import { lockedAsWished } from './tenancy/shared/locked';

// What callers without types may pass: each wrong input is reported in a sentence, with the path of the construct or the name of
// the factory, and none ends in words of the runtime or passes in silence.

// biome-ignore lint/suspicious/noExplicitAny: the callers that this is about have no types
type Untyped = any;
type Given = Record<string, Untyped> | ((chart: Chart) => Record<string, Untyped>);
/** What is passed, and what is said of it. */
type Row = [string, Given, RegExp];

const untyped = lb as Untyped;
const circular: Record<string, unknown> = {};
circular.self = circular;
const HUGE = 'a'.repeat(300);

/** All that an app is told: the error, or else the warnings. */
function told(make: (chart: Chart) => unknown): string {
  let text = '';
  const { told: warnings } = quietly(() => {
    try {
      const app = new App();
      make(new Chart(app, 'bad', { namespace: 'bad' }));
      app.synthYaml();
    } catch (error) {
      text = `${(error as Error).constructor.name}: ${(error as Error).message}`;
    }
  });
  return text || warnings;
}

const deployment = (chart: Chart) =>
  new kplus.Deployment(chart, 'D', { containers: [{ image: 'x', portNumber: 8080 }] });
const nlb = (options: Untyped = { targetType: 'ip' }) => lb.AwsLoadBalancerController.nlb(options);

function inputs(what: string, make: (chart: Chart, given: Record<string, Untyped>) => unknown, rows: Row[]): void {
  describe(what, () => {
    test.each(rows)('%s', (_, given, message) => {
      const text = told((chart) => make(chart, typeof given === 'function' ? given(chart) : given));
      expect(text).toMatch(message);
      expect(text).toMatch(/\bbad\/|: option |\w+\.\w+: |node pool: /);
      expect(text).not.toMatch(
        /^(Type|Range)Error|is not a function|not iterable|Cannot (read|destructure)|Maximum call/,
      );
    });
  });
}

const service = { selector: { app: 'x' }, ports: [{ port: 443, targetPort: 8080 }] };

inputs(
  'LoadBalancedService',
  (chart, given) => new untyped.LoadBalancedService(chart, 'S', { controller: nlb(), ...service, ...given }),
  [
    ['port NaN', { ports: [{ port: Number.NaN }] }, /NaN is not a valid port|NaN/],
    [
      'port as text',
      { ports: [{ port: '443' }] },
      /bad\/S: ports\[0\]\.port is '443', which is not a number; pass a number/,
    ],
    ['port 70000', { ports: [{ port: 70000 }] }, /70000/],
    ['port 1.5', { ports: [{ port: 1.5 }] }, /1\.5/],
    ['no ports', { ports: [] }, /there are no ports; name at least one/],
    ['ports missing', { ports: undefined }, /ports is missing; pass a list of LoadBalancerPort/],
    ['ports null', { ports: null }, /ports is null, which is not a list/],
    ['ports a number', { ports: 443 }, /ports is 443, which is not a list/],
    ['a port null', { ports: [null] }, /ports\[0\] is null, which is not a LoadBalancerPort/],
    ['ports numbers', { ports: [443] }, /ports\[0\] is 443, which is not a LoadBalancerPort/],
    ['controller missing', { controller: undefined }, /controller is missing; pass an ILoadBalancerController/],
    ['controller null', { controller: null }, /controller is null/],
    ['controller a text', { controller: 'aws' }, /controller is 'aws', which is not an ILoadBalancerController/],
    ['controller empty', { controller: {} }, /controller is \{\}, which is not/],
    ['controller the class', { controller: lb.AwsLoadBalancerController }, /controller is a function, which is not/],
    [
      'scheme of another word',
      { scheme: 'public' },
      /scheme is 'public', which is not one of internal, internet-facing/,
    ],
    ['scheme as its name', { scheme: 'INTERNET_FACING' }, /scheme is 'INTERNET_FACING', .*; pass 'internet-facing'/],
    ['scheme true', { scheme: true }, /scheme is true/],
    ['clientAddress', { clientAddress: 'keep' }, /clientAddress is 'keep', .*preserve, replace/],
    ['trafficPolicy', { trafficPolicy: 'local' }, /trafficPolicy is 'local', .*Cluster, Local; pass 'Local'/],
    ['protocol', { ports: [{ port: 1, protocol: 'tcp' }] }, /ports\[0\]\.protocol is 'tcp', .*TCP, UDP, SCTP/],
    ['annotations', { annotations: { a: 'b' } }, /annotations is unknown.*wrap the controller in AnnotatedController/s],
    ['annotatons', { annotatons: { a: 'b' } }, /annotatons is unknown.*AnnotatedController/s],
    ['schema', { schema: 'internal' }, /bad\/S: schema is unknown, so it has no effect; write scheme \(wrong-prop\)/],
    ['targetport', { ports: [{ port: 1, targetport: 8080 }] }, /ports\[0\]\.targetport is unknown.*write targetPort/],
    [
      'target_port',
      { ports: [{ port: 1, target_port: 8080 }] },
      /ports\[0\]\.target_port is unknown.*write targetPort/,
    ],
    ['source_ranges', { source_ranges: ['10.0.0.0/8'] }, /source_ranges is unknown, .*write sourceRanges/],
    [
      'three words with a line between them',
      { publish_not_ready_addresses: true },
      /publish_not_ready_addresses is unknown, .*write publishNotReadyAddresses/,
    ],
    ['TRAFFIC-POLICY', { 'TRAFFIC-POLICY': 'Local' }, /TRAFFIC-POLICY is unknown, .*write trafficPolicy/],
    [
      'a key of health_check',
      { health_check: { port: 80 } },
      /health_check is unknown, so it has no effect; write healthCheck/,
    ],
    [
      'sourceRanges a text',
      { sourceRanges: '10.0.0.0/8' },
      /sourceRanges is '10\.0\.0\.0\/8', which is not a list of strings/,
    ],
    ['a range that is none', { sourceRanges: ['10.0.0.0/99'] }, /10\.0\.0\.0\/99.*source-range/],
    ['a range null', { sourceRanges: [null] }, /sourceRanges\[0\] is null/],
    ['an address number', { staticAddresses: [5] }, /staticAddresses\[0\] is 5/],
    ['a label number', { labels: { a: 5 } }, /labels\.a is 5, which is not a string/],
    ['labels circular', { labels: circular }, /labels\.self is an object that contains itself, which is not a string/],
    ['selector a text', { selector: 'app=x' }, /selector is 'app=x', which is not a map/],
    ['selector empty', { selector: {} }, /the selector is empty/],
    ['a name too long', { name: HUGE }, /metadata\.name/],
    ['a name of other letters', { name: 'dienst-ü' }, /'dienst-ü'/],
    ['name a number', { name: 5 }, /name is 5, which is not a string/],
    ['name null', { name: null }, /name is null/],
    ['a namespace that is none', { namespace: 'Ü b' }, /metadata\.namespace/],
    ['workload a text', { selector: undefined, workload: 'echo' }, /workload is 'echo', which is not an IConstruct/],
    ['workload empty', { selector: undefined, workload: {} }, /workload is \{\}/],
    ['workload and selector', (chart) => ({ workload: deployment(chart) }), /workload and selector are both given/],
    ['neither', { selector: undefined }, /pass a workload, or a selector/],
    ['healthCheck a number', { healthCheck: 5 }, /healthCheck is 5, which is not a HealthCheck/],
    ['interval a number', { healthCheck: { interval: 10 } }, /healthCheck\.interval is 10, which is not a Duration/],
    ['path without a slash', { healthCheck: { protocol: 'http', path: 'healthz' } }, /'healthz' is not a path/],
    ['a threshold below 0', { healthCheck: { unhealthyThreshold: -3 } }, /'-3'/],
    ['an IP family', { ipFamilies: ['ipv4'] }, /ipFamilies\[0\] is 'ipv4', .*IPv4, IPv6/],
    ['kubernetes a text', { kubernetes: '1.30' }, /kubernetes is '1\.30', which is not a KubernetesVersion/],
    [
      'backendNodes a text',
      { controller: nlb({ targetType: 'instance' }), backendNodes: 'ingest' },
      /backendNodes is 'ingest', which is not a NodePool/,
    ],
    ['proxyProtocol a word', { proxyProtocol: 'yes' }, /proxyProtocol is 'yes', which is not true or false/],
    ['a DNS name that is none', { dnsName: 'not a name!' }, /is not a valid DNS name/],
    [
      'sessionAffinity a text',
      { sessionAffinity: 'ClientIP' },
      /sessionAffinity is 'ClientIP', which is not a SessionAffinity/,
    ],
    ['sessionAffinity true', { sessionAffinity: true }, /sessionAffinity is true/],
    ['finalizerPolicy', { finalizerPolicy: 'none' }, /finalizerPolicy is 'none'/],
    ['backendNodes a list', { backendNodes: [] }, /backendNodes is \[\]/],
    ['options of another type', { controller: () => nlb(5) }, /controller is a function/],
  ],
);

inputs('LoadBalancedService', (chart, { props }) => new untyped.LoadBalancedService(chart, 'S', props), [
  [
    'without props',
    { props: undefined },
    /bad\/S: the props are undefined, and not an object; pass an object with controller, ports/,
  ],
  ['props null', { props: null }, /the props are null/],
  ['props circular', { props: circular }, /controller is missing/],
]);

inputs(
  'options of a controller',
  (chart, { options }) => new lb.LoadBalancedService(chart, 'S', { ...service, controller: nlb(options) }),
  [
    ['annotatons', { options: { annotatons: {} } }, /AwsLoadBalancerController\.nlb: annotatons is unknown/],
    ['target_type', { options: { target_type: 'ip' } }, /nlb: target_type is unknown, .*write targetType/],
    [
      'cross_zone_load_balancing_enabled',
      { options: { cross_zone_load_balancing_enabled: true } },
      /is unknown, .*write crossZoneLoadBalancingEnabled/,
    ],
    ['targetType', { options: { targetType: 'pods' } }, /targetType.*'pods'.*instance, ip/],
    ['a certificate that is a number', { options: { sslCert: 5 } }, /sslCert/],
    ['subnets a text', { options: { subnets: 'subnet-1' } }, /subnets is 'subnet-1', which is not a list of strings/],
    [
      'a number',
      { options: 5 },
      /AwsLoadBalancerController\.nlb: the props are 5, and not an object; pass an object \(wrong-prop\)/,
    ],
    [
      'actions that are no list',
      { options: { actions: { 'tcp-443': { targetGroups: [{ serviceName: 'x', servicePort: 1, weight: -1 }] } } } },
      /AwsLoadBalancerController\.nlb: actions is .*, which is not a list of/,
    ],
  ],
);

inputs(
  'NodepoolPinnedService',
  (chart, given) =>
    new untyped.NodepoolPinnedService(chart, 'S', {
      controller: nlb({ targetType: 'instance' }),
      workload: deployment(chart),
      nodePool: lb.NodePools.aks('p'),
      ports: [{ port: 443, targetPort: 8080 }],
      ...given,
    }),
  [
    ['nodePool missing', { nodePool: undefined }, /bad\/S: nodePool is missing; pass a NodePool/],
    ['nodePool a text', { nodePool: 'p' }, /nodePool is 'p', which is not a NodePool/],
    ['workload missing', { workload: undefined }, /workload is missing; pass an IConstruct/],
    ['workload a selector', { workload: { app: 'x' } }, /workload is \{"app":"x"\}/],
    ['ports missing', { ports: undefined }, /there are no ports/],
    ['spread of another word', { spread: 'always' }, /spread is 'always', .*DoNotSchedule, ScheduleAnyway/],
    [
      'nodepool beside nodePool',
      { nodepool: 1 },
      /^(?!.*nodepool is unknown.*nodepool is unknown).*nodepool is unknown/s,
    ],
    ['nodepool in its place', { nodepool: 1, nodePool: undefined }, /nodepool is unknown, .*write nodePool/],
  ],
);

inputs(
  'node pools',
  (chart, { pool }) => new lb.LoadBalancedService(chart, 'S', { ...service, controller: nlb(), backendNodes: pool() }),
  [
    ['without a name', { pool: () => lb.NodePools.aks('') }, /node pool: AKS/],
    [
      'a name missing',
      { pool: () => untyped.NodePools.aks() },
      /node pool: AKS: the name is undefined, which is not a string/,
    ],
    ['a name of other letters', { pool: () => lb.NodePools.aks('Pool Ü') }, /node pool: AKS/],
    [
      'labels missing',
      { pool: () => untyped.NodePool.labeled() },
      /NodePool\.labeled: labels is undefined, which is not a map/,
    ],
    [
      'labels as text',
      { pool: () => untyped.NodePool.labeled('xy') },
      /NodePool\.labeled: labels is 'xy', which is not a map/,
    ],
    [
      'taints as text',
      { pool: () => untyped.NodePool.labeled({ a: 'b' }, { taints: ['a=b:NoSchedule'] }) },
      /NodePool\.labeled: taints\[0\] is 'a=b:NoSchedule', which is not a NodeTaint/,
    ],
    [
      'options of another type',
      { pool: () => untyped.NodePools.gke('p', 'zone') },
      /node pool: GKE: the props are 'zone'/,
    ],
  ],
);

const existing = (chart: Chart) =>
  new ApiObject(chart, 'E', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'x' },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
  });

inputs(
  'AdoptedService',
  (chart, given) =>
    new untyped.AdoptedService(chart, 'S', {
      service: existing(chart),
      controller: nlb(),
      scheme: lb.LoadBalancerScheme.INTERNET_FACING,
      ...given,
    }),
  [
    ['service missing', { service: undefined }, /bad\/S: service is missing/],
    ['service a path', { service: 'someone.yaml' }, /service is 'someone\.yaml', which is not/],
    [
      'service a manifest',
      { service: { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' } } },
      /service is \{"apiVersion"/,
    ],
    ['service a Deployment', (chart) => ({ service: deployment(chart) }), /bad\/D: there is no Service/],
    ['annotatons', { annotatons: {} }, /annotatons is unknown/],
    ['scheme', { scheme: 'public' }, /scheme is 'public'/],
  ],
);

type OfKafka = { cluster?: Untyped; pool?: Untyped; listener?: Untyped };
const kafka = (given: OfKafka) => given as Record<string, Untyped>;

inputs(
  'Kafka',
  (chart, { cluster = {}, pool = {}, listener = {} }) => {
    const made = new untyped.KafkaCluster(chart, 'K', { name: 'events', strimzi: lb.StrimziVersion.V1_2, ...cluster });
    new untyped.KafkaNodePool(chart, 'P', {
      kafka: made,
      name: 'brokers',
      replicas: 3,
      roles: [lb.KafkaNodeRole.BROKER, lb.KafkaNodeRole.CONTROLLER],
      storage: { type: 'persistent-claim', size: '1Gi' },
      ...pool,
    });
    new untyped.KafkaLoadBalancedListener(chart, 'L', {
      kafka: made,
      name: 'external',
      port: 9094,
      controller: nlb(),
      authentication: { type: 'tls' },
      ...listener,
    });
  },
  [
    [
      'strimzi a text',
      kafka({ cluster: { strimzi: '1.2' } }),
      /bad\/K: strimzi is '1\.2', which is not a StrimziVersion/,
    ],
    ['strimzi missing', kafka({ cluster: { strimzi: undefined } }), /strimzi is missing; pass a StrimziVersion/],
    ['name missing', kafka({ cluster: { name: undefined } }), /bad\/K: name is missing; pass a string/],
    ['a name that is none', kafka({ cluster: { name: 'ü'.repeat(100) } }), /bad\/K/],
    [
      'config circular',
      kafka({ cluster: { spec: { kafka: { config: circular } } } }),
      /bad\/K: spec\.kafka contains itself/,
    ],
    [
      'config NaN',
      kafka({ cluster: { spec: { kafka: { config: { 'num.partitions': Number.NaN } } } } }),
      /num\.partitions/,
    ],
    ['a prop that is gone', kafka({ cluster: { config: {} } }), /bad\/K\] props: config is unknown/],
    ['listners', kafka({ cluster: { listners: [] } }), /listners is unknown, .*write listeners/],
    ['an empty listener', kafka({ cluster: { listeners: [{}] } }), /listener.*name is missing/],
    ['replicas a text', kafka({ pool: { replicas: '3' } }), /bad\/P: replicas is '3', which is not a number/],
    ['replicas NaN', kafka({ pool: { replicas: Number.NaN } }), /replica/],
    ['replicas -1', kafka({ pool: { replicas: -1 } }), /replica/],
    ['roles a text', kafka({ pool: { roles: 'broker' } }), /roles is 'broker', which is not a list of KafkaNodeRole/],
    [
      'a role that is none',
      kafka({ pool: { roles: ['leader'] } }),
      /roles\[0\] is 'leader', .*controller, broker|broker, controller/,
    ],
    ['storage missing', kafka({ pool: { storage: undefined } }), /bad\/P.* spec\.storage is missing/],
    ['kafka missing in a pool', kafka({ pool: { kafka: undefined } }), /bad\/P: kafka is missing/],
    ['kafka missing in a listener', kafka({ listener: { kafka: undefined } }), /bad\/L: kafka is missing/],
    ['port NaN', kafka({ listener: { port: Number.NaN } }), /bad\/L.*(NaN|null)/],
    ['port a text', kafka({ listener: { port: '9094' } }), /port is '9094'/],
    ['a name of other letters', kafka({ listener: { name: 'External!' } }), /'External!'/],
    ['authentication a text', kafka({ listener: { authentication: 'tls' } }), /authentication is 'tls'/],
    ['advertisedHostTemplte', kafka({ listener: { advertisedHostTemplte: 'x' } }), /write advertisedHostTemplate/],
    ['hosts that are one', kafka({ listener: { advertisedHostTemplate: 'kafka.example.com' } }), /\{nodeId\}/],
    ['brokers null', kafka({ listener: { brokers: null } }), /bad\/L: brokers is null/],
    ['a broker id as text', kafka({ listener: { brokers: [{ broker: '0' }] } }), /brokers\[0\]/],
  ],
);

const LOCK = lockedAsWished('team-a/db:5432');

inputs(
  'SharedLoadBalancer',
  (chart, { props = {}, tenant = {}, attachment = {}, name = 'team-a' }) => {
    const shared = new untyped.SharedLoadBalancer(chart, 'S', {
      engine: lb.SharedLoadBalancerEngine.envoyGateway({ controller: nlb() }),
      hostname: 'tcp.example.com',
      namespaceLabels: { t: 'x' },
      portLock: LOCK,
      ...props,
    });
    shared.addTenant(name, tenant);
    shared.attach(chart, { tenant: 'team-a', service: 'db', ports: [{ port: 5432 }], ...attachment });
  },
  [
    ['engine missing', { props: { engine: undefined } }, /bad\/S: engine is missing/],
    ['engine a text', { props: { engine: 'envoy' } }, /engine is 'envoy', which is not a SharedLoadBalancerEngine/],
    ['portConflict', { props: { portConflict: 'bogus' } }, /portConflict is 'bogus'/],
    ['a host name that is none', { props: { hostname: 'bad host!' } }, /bad host!/],
    ['hostname a number', { props: { hostname: 5 } }, /hostname is 5/],
    ['namespaceLabels a text', { props: { namespaceLabels: 'x' } }, /namespaceLabels is 'x', which is not a map/],
    ['platform a text', { props: { platform: 'flux' } }, /platform is 'flux', which is not a list of TenancyIdentity/],
    ['portLock a number', { props: { portLock: 5 } }, /portLock is 5/],
    ['tlsPort a text', { props: { tlsPort: '443' } }, /tlsPort is '443'/],
    ['oneTeam a word', { props: { oneTeam: 'no' } }, /oneTeam is 'no'/],
    [
      'maxConnections a text',
      { tenant: { maxConnections: '200' } },
      /bad\/S: maxConnections is '200', which is not a number/,
    ],
    ['maxConections', { tenant: { maxConections: 200 } }, /maxConections is unknown, .*write maxConnections/],
    ['a bandwidth that is none', { tenant: { bandwidth: 5 } }, /bandwidth is 5, which is not a Size/],
    ['portconflict', { props: { portconflict: 'REMAP' } }, /portconflict is unknown, .*write portConflict/],
    ['sourceRange', { attachment: { sourceRange: ['10.0.0.0/8'] } }, /sourceRange is unknown, .*write sourceRanges/],
    ['sourceRanges a text', { attachment: { sourceRanges: '10.0.0.0/8' } }, /sourceRanges is '10/],
    ['port NaN', { attachment: { ports: [{ port: Number.NaN }] } }, /NaN/],
    ['ports a text', { attachment: { ports: '5432' } }, /ports is '5432'/],
    ['service null', { attachment: { service: null } }, /service is null, which is not a string/],
    ['service missing', { attachment: { service: undefined } }, /service is missing/],
    ['a tenant that is none', { attachment: { tenant: 'nobody' } }, /tenant-unknown/],
    ['a tenant null', { name: null }, /bad\/S: tenant null is not a valid DNS label; pass the name of a namespace/],
  ],
);

inputs('TenantManifests', (chart, given) => new untyped.TenantManifests(chart, 'T', given), [
  ['shared missing', { url: 'tenants/team-a.yaml' }, /bad\/T: shared is missing; pass a SharedLoadBalancer/],
  ['url missing', {}, /bad\/T: url is missing/],
]);

inputs(
  'TenantLoadBalancerGuard',
  (chart, given) =>
    new untyped.TenantLoadBalancerGuard(chart, 'G', {
      namespaceLabels: { t: 'x' },
      kubernetes: lb.KubernetesVersion.V1_36,
      ...given,
    }),
  [
    ['maxPorts a text', { maxPorts: '3' }, /bad\/G: maxPorts is '3', which is not a number/],
    ['maxPorts -1', { maxPorts: -1 }, /maxPorts is -1/],
    ['a prefix of 99', { minSourceRangePrefix: 99 }, /minSourceRangePrefix is 99/],
    ['no labels', { namespaceLabels: {} }, /namespaceLabels is empty/],
    ['tenants a text', { tenants: 'team-a' }, /tenants is 'team-a', which is not a list of/],
    ['annotations', { annotations: {} }, /annotations is unknown(?!.*AnnotatedController)/s],
    ['maxPort', { maxPort: 3 }, /maxPort is unknown, .*write maxPorts/],
  ],
);

inputs(
  'AwsLoadBalancerControllerInstallation',
  (chart, given) =>
    new untyped.AwsLoadBalancerControllerInstallation(chart, 'I', {
      clusterName: 'prod',
      region: 'eu-west-1',
      vpcId: 'vpc-0123456789abcdef0',
      identity: lb.AwsIdentity.podIdentity(),
      certificate: lb.WebhookCertificate.certManager(),
      ...given,
    }),
  [
    ['clusterName missing', { clusterName: undefined }, /clusterName is missing/],
    ['a VPC that is none', { vpcId: 'myvpc' }, /'myvpc'/],
    ['a region that is none', { region: 'europe' }, /'europe'/],
    ['identity missing', { identity: undefined }, /identity is missing; pass an AwsIdentity/],
    ['identity a text', { identity: 'arn:aws:iam::1:role/x' }, /identity is 'arn.*not an AwsIdentity/],
    ['replicas a word', { replicas: 'two' }, /replicas is 'two', which is not a number/],
    ['nlb_only', { nlb_only: true }, /nlb_only is unknown, .*write nlbOnly/],
    ['nlbonly', { nlbonly: true }, /nlbonly is unknown, .*write nlbOnly/],
    ['a gate that is none', { featureGates: { nope: true } }, /nope/],
  ],
);

inputs('LoadBalancers', (_, { scope }) => untyped.LoadBalancers.of(scope).count, [
  ['of a text', { scope: 'x' }, /the scope is 'x', which is not an IConstruct/],
  ['of nothing', {}, /the scope is undefined/],
]);

test.each<[string, (balancers: Untyped) => void, RegExp]>([
  ['without a reason', (balancers) => balancers.acknowledge('local-without-pool'), /acknowledge.*without a reason/],
  [
    'of no rule',
    (balancers) => balancers.acknowledge('local-without-pol', 'three pods'),
    /'local-without-pol' is not a rule.*local-without-pool/s,
  ],
  ['of a number', (balancers) => balancers.acknowledge(5, 'five'), /acknowledge/],
])('an acknowledgement %s', (_, acknowledge, message) => {
  const text = told((chart) => {
    new lb.LoadBalancedService(chart, 'S', { ...service, controller: nlb() });
    acknowledge(lb.LoadBalancers.of(chart));
  });
  expect(text).toMatch(message);
});

test('props of a construct of ones own may be passed along: what is unknown is a warning that can be acknowledged', () => {
  const make = (chart: Chart) =>
    new untyped.LoadBalancedService(chart, 'S', { controller: nlb(), ...service, team: 'a' });
  expect(told(make)).toMatch(/\[bad\/S\] props: team is unknown, so it has no effect/);
  expect(
    told((chart) => {
      make(chart);
      lb.LoadBalancers.of(chart).acknowledge('unknown-prop', 'props of our own');
    }),
  ).toBe('');
  expect(
    told((chart) => {
      make(chart);
      lb.LoadBalancers.of(chart).failOnWarnings();
    }),
  ).toMatch(/team is unknown.*a warning that was made to fail/);
});

describe('a class of ones own', () => {
  class TeamService extends lb.LoadBalancedService {
    public constructor(scope: Chart, props: Untyped) {
      super(scope, 'S', { controller: nlb(), ...service, ...props });
    }
  }
  class Props {
    public readonly controller = nlb();
    public readonly selector = service.selector;
    public readonly ports = service.ports;
    public constructor(more: object) {
      Object.assign(this, more);
    }
  }

  test('has props of its own', () => {
    expect(told((chart) => new TeamService(chart, { team: 'a' }))).toBe('');
    expect(told((chart) => new lb.LoadBalancedService(chart, 'S', new Props({ team: 'a' })))).toBe('');
  });

  test('has no slips of the hand', () => {
    expect(told((chart) => new TeamService(chart, { source_ranges: [] }))).toMatch(/bad\/S: source_ranges is unknown/);
    expect(told((chart) => new lb.LoadBalancedService(chart, 'S', new Props({ schema: 'internal' })))).toMatch(
      /bad\/S: schema is unknown, so it has no effect; write scheme/,
    );
  });
});
