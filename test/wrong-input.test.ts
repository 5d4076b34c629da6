import { join } from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import * as lb from '../src';
import { tablesOf } from './support/yaml-cases';
import { quietly } from './tenancy/manifests/tenant-apps';
import { lockedAsWished } from './tenancy/shared/locked';

// What callers without types may pass: each wrong input is reported in a sentence, with the path of the construct or the name of
// the factory, and none ends in words of the runtime or passes in silence.

// biome-ignore lint/suspicious/noExplicitAny: the callers that this is about have no types
type Untyped = any;
type Given = Record<string, Untyped>;

const untyped = lb as Untyped;
const circular: Record<string, unknown> = {};
circular.self = circular;

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

const names = {
  circular,
  huge: 'a'.repeat(300),
  class: lb.AwsLoadBalancerController,
  function: () => nlb(),
  instanceNlb: nlb({ targetType: 'instance' }),
  deployment,
};
const tables = tablesOf<Record<string, [title: string, given: Given, message: string][]>>(
  join(__dirname, 'wrong-input.yaml'),
  names,
);

const made = (value: Untyped, chart: Chart) => (value === deployment ? deployment(chart) : value);

function inputs(what: string, make: (chart: Chart, given: Given) => unknown): void {
  describe(what, () => {
    test.each(tables[what])('%s', (_, given, message) => {
      const text = told((chart) =>
        make(chart, Object.fromEntries(Object.entries(given).map(([name, value]) => [name, made(value, chart)]))),
      );
      expect(text).toMatch(new RegExp(message, 's'));
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
);

inputs('no props', (chart, { props }) => new untyped.LoadBalancedService(chart, 'S', props));

inputs(
  'options of a controller',
  (chart, { options }) => new lb.LoadBalancedService(chart, 'S', { ...service, controller: nlb(options) }),
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
);

inputs(
  'node pools',
  (chart, { of, call, with: options }) =>
    new lb.LoadBalancedService(chart, 'S', {
      ...service,
      controller: nlb(),
      backendNodes: untyped[of][call](...options),
    }),
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
);

inputs('Kafka', (chart, { cluster = {}, pool = {}, listener = {} }) => {
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
});

inputs('SharedLoadBalancer', (chart, { props = {}, tenant = {}, attachment = {}, name = 'team-a' }) => {
  const shared = new untyped.SharedLoadBalancer(chart, 'S', {
    engine: lb.SharedLoadBalancerEngine.envoyGateway({ controller: nlb() }),
    hostname: 'tcp.example.com',
    namespaceLabels: { t: 'x' },
    portLock: lockedAsWished('team-a/db:5432'),
    ...props,
  });
  shared.addTenant(name, tenant);
  shared.attach(chart, { tenant: 'team-a', service: 'db', ports: [{ port: 5432 }], ...attachment });
});

inputs('TenantManifests', (chart, given) => new untyped.TenantManifests(chart, 'T', given));

inputs(
  'TenantLoadBalancerGuard',
  (chart, given) =>
    new untyped.TenantLoadBalancerGuard(chart, 'G', {
      namespaceLabels: { t: 'x' },
      kubernetes: lb.KubernetesVersion.V1_36,
      ...given,
    }),
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
);

inputs('LoadBalancers', (_, { scope }) => untyped.LoadBalancers.of(scope).count);

test.each<[string, (balancers: Untyped) => void, RegExp]>([
  [
    'without a reason',
    (balancers) => balancers.acknowledge('local-policy-without-pool'),
    /acknowledge.*without a reason/,
  ],
  [
    'of no rule',
    (balancers) => balancers.acknowledge('local-policy-without-pol', 'three pods'),
    /'local-policy-without-pol' is not a rule.*local-policy-without-pool/s,
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
      lb.LoadBalancers.of(chart).acknowledge('prop-unknown', 'props of our own');
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
