import { Chart, Size, Testing } from 'cdk8s';
import { ClientAddress } from '../../../src';
import { AwsLoadBalancerController } from '../../../src/controllers';
import { LoadBalancers } from '../../../src/rules';
import {
  PortConflictPolicy,
  type SharedAttachment,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  type SharedLoadBalancerProps,
  type SharedTenantOptions,
  TenancyIdentity,
} from '../../../src/tenancy';
import { HaproxyIngress } from '../../../src/tenancy/engines/haproxy/ingress';
import type { HaproxyEngineOptions } from '../../../src/tenancy/engines/haproxy/options';
import { lockedAsWished, lockFile } from '../shared/locked';

const FLUX = [TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller')];
const DB: SharedAttachment = { tenant: 'team-a', service: 'db', ports: [{ port: 5432 }] };

interface Story {
  readonly engine?: Partial<HaproxyEngineOptions>;
  readonly props?: Partial<SharedLoadBalancerProps>;
  readonly tenant?: SharedTenantOptions;
  readonly attachments?: readonly SharedAttachment[];
}

function made({ engine, props, tenant, attachments = [DB] }: Story = {}) {
  const app = Testing.app();
  const shared = new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
    engine: SharedLoadBalancerEngine.haproxy({ controller: AwsLoadBalancerController.nlb(), ...engine }),
    platform: FLUX,
    portLock: lockedAsWished(
      ...attachments.flatMap(({ tenant, service, ports }) => ports.map(({ port }) => `${tenant}/${service}:${port}`)),
    ),
    ...props,
  });
  for (const name of new Set(attachments.map((one) => one.tenant))) {
    shared.addTenant(name, tenant);
    const chart = new Chart(app, name, { namespace: name });
    for (const attachment of attachments.filter((one) => one.tenant === name)) {
      shared.attach(chart, attachment);
    }
  }
  return app;
}

// biome-ignore lint/suspicious/noExplicitAny: manifests
function written(story: Story = {}): any[] {
  return made(story).charts.flatMap((chart) => chart.toJson());
}

const synth = (story: Story) => made(story).synthYaml();

describe('the balancer', () => {
  test('is one Service in front of the pods of the release, with the ports of the lock file and a plan like any other', () => {
    const installation = new HaproxyIngress({ release: 'edge' });
    const attachments = [DB, { tenant: 'team-b', service: 'queue', ports: [{ port: 5672 }] }];
    const app = made({ engine: { installation, proxyProtocol: true }, attachments });
    const service = app.charts
      .flatMap((chart) => chart.toJson())
      .find(({ kind, spec }) => kind === 'Service' && spec.type === 'LoadBalancer');
    expect(service.metadata).toMatchObject({ name: 'shared', namespace: 'infra' });
    expect(service.spec.loadBalancerClass).toBe('service.k8s.aws/nlb');
    expect(service.spec.selector).toEqual({
      'app.kubernetes.io/name': 'kubernetes-ingress',
      'app.kubernetes.io/instance': 'edge',
    });
    expect(service.spec.ports.map(({ port }: { port: number }) => port)).toEqual([5432, 5672]);
    expect(JSON.stringify(service.metadata.annotations)).toContain('proxy-protocol');
    expect(LoadBalancers.of(app).count).toBe(1);
  });

  test('has a port before anything is published', () => {
    const service = written({ attachments: [] }).find(({ spec }) => spec?.type === 'LoadBalancer');
    expect(service.spec.ports).toHaveLength(1);
  });

  test('stands for objects of the tenants, and no Gateway', () => {
    const objects = written({ tenant: { maxConnections: 100, bandwidth: Size.mebibytes(10) } });
    expect(objects.some(({ kind }) => kind === 'Gateway' || kind === 'ListenerSet')).toBe(false);
    const tcp = objects.find(({ kind, metadata }) => kind === 'TCP' && metadata.namespace === 'team-a');
    const [{ frontend }] = tcp.spec;
    // over two pods
    expect(frontend.tcp_request_rule_list[2].cond_test).toBe('{ sc0_conn_cur gt 50 }');
    expect(frontend.filter_list[0].limit).toBe(5 * 1024 * 1024);
  });

  test('is not divided by the ports of a tenant, which are counted together', () => {
    const attachments = [DB, { ...DB, service: 'more', ports: [{ port: 5433 }, { port: 5434 }] }];
    const tcp = written({ attachments, tenant: { maxConnections: 100 } }).find(
      ({ kind, metadata }) => kind === 'TCP' && metadata.namespace === 'team-a',
    );
    expect(tcp.spec).toHaveLength(3);
    expect(tcp.spec[0].frontend.tcp_request_rule_list[2].cond_test).toBe('{ sc0_conn_cur gt 50 }');
  });
});

describe('what is refused', () => {
  const RANGES: SharedAttachment = { ...DB, sourceRanges: ['10.0.0.0/8'] };
  const CASES: [string, Story, RegExp][] = [
    [
      'source ranges where HAProxy sees nodes',
      { attachments: [RANGES] },
      /it cannot enforce source ranges 10\.0\.0\.0\/8 for Service team-a\/db .* set proxyProtocol .*\(engine-cannot-enforce\)/,
    ],
    [
      'host names',
      {
        props: { hostname: 'tcp.example.com' },
        attachments: [{ ...DB, ports: [{ port: 5432, hostnames: ['db.team-a.tcp.example.com'] }] }],
      },
      /use an engine that routes by SNI \(engine-cannot-enforce\)/,
    ],
    [
      'two tenants on one port, with both paths',
      {
        props: { portLock: lockedAsWished('team-a/db:5432') },
        attachments: [DB, { ...DB, tenant: 'team-b' }],
      },
      /team-a.*team-b.*\(port-conflict\)/s,
    ],
    [
      'a second balancer, since one HAProxy has each port once',
      {
        props: {
          portConflict: PortConflictPolicy.SHARD,
          portLock: lockFile({
            'team-a/db:5432': { balancer: 0, port: 5432 },
            'team-b/db:5432': { balancer: 1, port: 5432 },
          }),
        },
        attachments: [DB, { ...DB, tenant: 'team-b' }],
      },
      /team-b.*\([a-z]+-[a-z-]+\)/s,
    ],
    [
      'a port that the pods use themselves',
      { attachments: [{ ...DB, ports: [{ port: 1024 }] }] },
      /1024.*\([a-z]+-[a-z-]+\)/s,
    ],
    [
      'no platform',
      { props: { platform: [] } },
      /a tenant that writes tcps.* reaches the others.*pass platform, the identities that apply these manifests.*\(isolation-platform\)/s,
    ],
    [
      'more ports than the balancer in front has, which are 50 unless something else is said',
      { attachments: [{ ...DB, ports: Array.from({ length: 51 }, (_, i) => ({ port: 5000 + i })) }] },
      /51 ports .* carries 50\b.*\(too-many-ports\)/,
    ],
    [
      'more ports than were said',
      { engine: { maxPorts: 2 }, attachments: [{ ...DB, ports: [{ port: 1 }, { port: 2 }, { port: 3 }] }] },
      /3 ports .* carries 2\b.*\(too-many-ports\)/,
    ],
    [
      'a limit that is nothing for each pod',
      { tenant: { maxConnections: 1 } },
      /0 when divided by 2 replicas.*\(limit-too-small\)/s,
    ],
  ];

  test.each(CASES)('%s', (_, story, expected) => {
    expect(() => synth(story)).toThrow(expected);
  });

  test('50 ports are as many as the balancer in front has', () => {
    const ports = Array.from({ length: 50 }, (_, i) => ({ port: 5000 + i }));
    expect(() => synth({ attachments: [{ ...DB, ports }] })).not.toThrow();
  });

  test.each([
    ['the PROXY protocol', { proxyProtocol: true }],
    ['a balancer that keeps addresses', { clientAddress: ClientAddress.PRESERVE }],
  ])('source ranges are kept with %s', (_, engine) => {
    expect(synth({ engine, attachments: [RANGES] })).toContain('acl_name: clients');
  });

  test('one team needs no platform', () => {
    expect(() => synth({ props: { platform: [], oneTeam: true } })).not.toThrow();
  });
});

describe('an installation serves one shared load balancer', () => {
  /** Two of them, of one team, in namespaces of the platform. */
  function two(one: HaproxyIngress | undefined, other: HaproxyIngress | undefined, namespaces = ['infra', 'edge']) {
    const app = Testing.app();
    [one, other].forEach((installation, i) => {
      new SharedLoadBalancer(new Chart(app, `platform-${i}`, { namespace: namespaces[i] }), 'Shared', {
        engine: SharedLoadBalancerEngine.haproxy({ controller: AwsLoadBalancerController.nlb(), installation }),
        platform: FLUX,
        name: `shared-${i}`,
        portLock: lockedAsWished(),
      });
    });
    return app.synthYaml();
  }
  const edge = new HaproxyIngress({ release: 'edge' });

  test.each<[string, () => unknown, RegExp]>([
    [
      'the default one twice',
      () => two(undefined, undefined),
      /platform-1\/Shared: HAProxy with ingress class shared-haproxy serves platform-0\/Shared already.*\(haproxy-twice\)/,
    ],
    ['one object twice', () => two(edge, edge), /ingress class edge serves platform-0\/Shared.*\(haproxy-twice\)/],
    [
      'one class of two releases',
      () => two(edge, new HaproxyIngress({ release: 'other', ingressClass: 'edge' })),
      /platform-1\/Shared: .*ingress class edge serves platform-0\/Shared.*\(haproxy-twice\)/,
    ],
    [
      'one release with two classes',
      () => two(edge, new HaproxyIngress({ release: 'edge', ingressClass: 'other' }), ['infra', 'infra']),
      /platform-1\/Shared: .*release infra\/edge serves platform-0\/Shared.*\(haproxy-twice\)/,
    ],
  ])('%s is refused, with both paths', (_, synth, expected) => {
    expect(synth).toThrow(expected);
  });

  test.each<[string, () => unknown]>([
    ['two of them serve two', () => two(undefined, edge)],
    [
      'releases of one name in two namespaces are two',
      () => two(edge, new HaproxyIngress({ release: 'edge', ingressClass: 'other' })),
    ],
  ])('%s', (_, synth) => {
    expect(synth).not.toThrow();
  });
});

describe('the installation', () => {
  test.each([
    ['no pods', { replicas: 0 }, /replicas is 0.*\(haproxy-replicas\)/],
    ['half a pod', { replicas: 1.5 }, /replicas is 1\.5.*\(haproxy-replicas\)/],
  ])('%s is refused', (_, props, expected) => {
    expect(() => new HaproxyIngress(props)).toThrow(expected);
  });

  test('its values keep tenants out of the configuration, and make no Service', () => {
    const { controller } = new HaproxyIngress({ release: 'edge', replicas: 3 }).helmValues;
    expect(controller).toMatchObject({
      replicaCount: 3,
      ingressClass: 'edge',
      ingressClassResource: { name: 'edge', default: false },
      service: { enabled: false },
      autoscaling: { enabled: false },
    });
    expect(controller.extraArgs).toContain('--disable-config-snippets=backend,frontend');
    expect(controller.extraArgs).toContain('--disable-service-external-name');
    expect(controller.config['hard-stop-after']).toBe('24h');
  });
});
