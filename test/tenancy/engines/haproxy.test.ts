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
import type { AttachedService, Attachment, Document } from '../../../src/tenancy/engines/contract/publishing';
import { type HaproxySettings, haproxyDocuments, haproxyTable } from '../../../src/tenancy/engines/haproxy/documents';
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
const written = (story: Story = {}): any[] => made(story).charts.flatMap((chart) => chart.toJson());

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
      'more ports than the balancer in front has, which are 50 unless something else is said',
      { attachments: [{ ...DB, ports: Array.from({ length: 51 }, (_, i) => ({ port: 5000 + i })) }] },
      /51 ports .* carries 50\b.*\(too-many-ports\)/,
    ],
    [
      'more ports than were said',
      { engine: { maxPorts: 2 }, attachments: [{ ...DB, ports: [{ port: 1 }, { port: 2 }, { port: 3 }] }] },
      /3 ports .* carries 2\b.*\(too-many-ports\)/,
    ],
  ];

  test.each(CASES)('%s', (_, story, expected) => expect(() => synth(story)).toThrow(expected));

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
      /platform-1\/Shared: HAProxy with ingress class shared-haproxy serves platform-0\/Shared already.*\(haproxy-installation-duplicate\)/,
    ],
    [
      'one object twice',
      () => two(edge, edge),
      /ingress class edge serves platform-0\/Shared.*\(haproxy-installation-duplicate\)/,
    ],
    [
      'one class of two releases',
      () => two(edge, new HaproxyIngress({ release: 'other', ingressClass: 'edge' })),
      /platform-1\/Shared: .*ingress class edge serves platform-0\/Shared.*\(haproxy-installation-duplicate\)/,
    ],
    [
      'one release with two classes',
      () => two(edge, new HaproxyIngress({ release: 'edge', ingressClass: 'other' }), ['infra', 'infra']),
      /platform-1\/Shared: .*release infra\/edge serves platform-0\/Shared.*\(haproxy-installation-duplicate\)/,
    ],
  ])('%s is refused, with both paths', (_, synth, expected) => expect(synth).toThrow(expected));

  test.each<[string, () => unknown]>([
    ['two of them serve two', () => two(undefined, edge)],
    [
      'releases of one name in two namespaces are two',
      () => two(edge, new HaproxyIngress({ release: 'edge', ingressClass: 'other' })),
    ],
  ])('%s', (_, synth) => expect(synth).not.toThrow());
});

describe('the installation', () => {
  test.each([
    ['no pods', { replicas: 0 }, /replicas is 0.*\(haproxy-replicas-invalid\)/],
    ['half a pod', { replicas: 1.5 }, /replicas is 1\.5.*\(haproxy-replicas-invalid\)/],
  ])('%s is refused', (_, props, expected) => expect(() => new HaproxyIngress(props)).toThrow(expected));

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

describe('haproxy documents', () => {
  const DB: AttachedService = { name: 'db', ports: [{ port: 30017, servicePort: 5432 }] };
  const CACHE: AttachedService = { name: 'cache', ports: [{ port: 6379, servicePort: 6379 }] };
  const BALANCER = { name: 'shared', namespace: 'infra' };

  function documents(more: Partial<Attachment> = {}, settings: Partial<HaproxySettings> = {}): Document[] {
    const attachment = { name: 'shared', namespace: 'team-a', balancer: BALANCER, services: [DB], ...more };
    return haproxyDocuments(attachment, { ingressClass: 'lb', ...settings });
  }

  function frontend(more: Partial<Attachment> = {}, settings: Partial<HaproxySettings> = {}): Document {
    return documents(more, settings)[0].spec[0].frontend;
  }

  const suspension = (type: string) => ({
    type,
    action: 'reject',
    cond: 'if',
    cond_test: '{ str(team-a) -m str -f opt@patterns/suspended }',
  });

  const withRanges = (...sourceRanges: string[]) => ({ services: [{ ...DB, sourceRanges }] });

  test('one object for a tenant, with a frontend for each port and the class of the installation', () => {
    const [object, ...others] = documents({ services: [DB, CACHE] });
    expect(others).toEqual([]);
    expect(object.metadata).toEqual({ name: 'shared', namespace: 'team-a', annotations: { 'ingress.class': 'lb' } });
    expect(object.spec.map(({ service }: Document) => service)).toEqual([
      { name: 'db', port: 5432 },
      { name: 'cache', port: 6379 },
    ]);
  });

  test('nothing attached is nothing written', () => expect(documents({ services: [] })).toEqual([]));

  test('a port without wishes is bound, closed to a suspended tenant, and no more', () => {
    expect(frontend()).toEqual({
      name: 'team-a.db.5432',
      mode: 'tcp',
      binds: { v4: { name: 'v4', port: 30017 } },
      tcp_request_rule_list: [suspension('connection')],
    });
  });

  test('two tenants with a Service of one name have frontends of different names, which the controller compares without namespaces', () => {
    expect(frontend().name).not.toBe(frontend({ namespace: 'team-b' }).name);
    // nor can one tenant be another by dashes
    const [one, other] = [
      documents({ namespace: 'a-b', services: [{ ...DB, name: 'c' }] }),
      documents({ namespace: 'a', services: [{ ...DB, name: 'b-c' }] }),
    ];
    expect(one[0].spec[0].name).not.toBe(other[0].spec[0].name);
  });

  describe('clients', () => {
    test.each([
      ['without the PROXY protocol, when the connection comes', undefined, 'connection'],
      ['with it, once its header was read', true, 'session'],
    ])('%s', (_, proxyProtocol, type) => {
      const made = frontend(withRanges('10.0.0.0/8'), { proxyProtocol });
      expect(made.tcp_request_rule_list).toEqual([
        suspension(type),
        { type, action: 'reject', cond: 'unless', cond_test: 'clients' },
      ]);
      expect(made.binds.v4.accept_proxy).toBe(proxyProtocol);
    });

    test('many ranges are several lines, since one that is too long takes all tenants down', () => {
      const ranges = Array.from({ length: 45 }, (_, i) => `10.${i}.0.0/16`);
      const lists: Document[] = frontend(withRanges(...ranges, ranges[0])).acl_list;
      expect(lists.map(({ value }) => value.split(' ').length)).toEqual([20, 20, 5]);
      expect(new Set(lists.flatMap(({ value }) => value.split(' ')))).toEqual(new Set(ranges));
      expect(lists.every(({ acl_name, criterion }) => acl_name === 'clients' && criterion === 'src')).toBe(true);
    });

    test('the order of ranges makes no difference', () => {
      expect(frontend(withRanges('10.1.0.0/16', '10.0.0.0/16'))).toEqual(
        frontend(withRanges('10.0.0.0/16', '10.1.0.0/16')),
      );
    });
  });

  describe('limits', () => {
    const TABLE = 'tcpcr_infra_infra.shared.tenants';

    test('connections of a tenant are counted over all its ports, and refused before a port is full', () => {
      const [object] = documents({ services: [DB, CACHE], connections: 8 });
      for (const { frontend: made } of object.spec) {
        expect(made.tcp_request_rule_list).toEqual([
          suspension('connection'),
          {
            type: 'connection',
            action: 'track-sc',
            track_stick_counter: 0,
            track_key: 'str(team-a)',
            track_table: TABLE,
          },
          { type: 'connection', action: 'reject', cond: 'if', cond_test: '{ sc0_conn_cur gt 8 }' },
        ]);
        expect(made.maxconn).toBeGreaterThan(8);
      }
    });

    test('clients that may not connect are not counted', () => {
      const rules: Document[] = frontend({ ...withRanges('10.0.0.0/8'), connections: 8 }).tcp_request_rule_list;
      expect(rules.map(({ action }) => action)).toEqual(['reject', 'reject', 'track-sc', 'reject']);
    });

    test('bandwidth of a tenant is shared by all its connections, in each direction', () => {
      const made = frontend({ bytesPerSecond: 5_242_880 });
      expect(made.filter_list).toEqual(
        ['in', 'out'].map((way) => ({
          type: `bwlim-${way}`,
          bandwidth_limit_name: `tenant-${way}`,
          limit: 5_242_880,
          key: 'str(team-a)',
          table: TABLE,
        })),
      );
      expect(made.tcp_request_rule_list.map(({ type, action }: Document) => [type, action])).toEqual([
        ['connection', 'reject'],
        ['content', 'set-bandwidth-limit'],
        ['content', 'set-bandwidth-limit'],
      ]);
    });

    test('the table that is named is the one of the platform', () => {
      const [service, table] = haproxyTable(BALANCER, { ingressClass: 'lb' });
      const [{ frontend: made, service: behind }] = table.spec;
      expect(`tcpcr_${table.metadata.namespace}_${made.name}`).toBe(TABLE);
      expect(made.binds).toBeUndefined();
      expect(behind).toEqual({ name: service.metadata.name, port: service.spec.ports[0].port });
      expect(service.spec.selector).toBeUndefined();
    });
  });

  test.each([
    ['IPv4 alone unless something is said', undefined, ['v4']],
    ['IPv4', { ipv4: true, ipv6: false }, ['v4']],
    ['IPv6', { ipv4: false, ipv6: true }, ['v6']],
    ['both', { ipv4: true, ipv6: true }, ['v4', 'v6']],
  ])('families: %s', (_, families, binds) => expect(Object.keys(frontend({}, { families }).binds)).toEqual(binds));
});
