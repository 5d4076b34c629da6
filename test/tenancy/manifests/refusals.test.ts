import { type App, Chart, JsonPatch, Testing, Yaml } from 'cdk8s';
import { AwsLoadBalancerController, NlbTargetType } from '../../../src/controllers';
import { StrimziVersion } from '../../../src/kafka';
import { worstChangeAnswer } from '../../../src/lifecycle/changes';
import { OWNERS } from '../../../src/lifecycle/owners';
import { LoadBalancers } from '../../../src/rules';
import {
  PortConflictPolicy,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  TenancyIdentity,
} from '../../../src/tenancy';
import { HAPROXY_ANNOTATION_PREFIXES, HAPROXY_SERVICE_ANNOTATIONS } from '../../../src/tenancy/engines/haproxy/facts';
import { isOrphanedByTypeChange } from '../../../src/tenancy/manifests/shared-service';
import { TenantManifests } from '../../../src/tenancy/manifests/tenant-manifests';
import { run } from '../../support/command';
import { casesIn, titled } from '../../support/yaml-cases';
import { lockedAsWished } from '../shared/locked';
import { appWith, BY_NAME, BY_PORT, fileOf, fixture, lockedApp, quietly, type TenantApp, written } from './tenant-apps';

const service = ({ name = 'db', metadata = '', spec = '', port = 'port: 5432' } = {}) => `apiVersion: v1
kind: Service
metadata: {name: ${name}${metadata}}
spec: {type: LoadBalancer, ports: [{${port}}]${spec}}
`;
const object = (apiVersion: string, kind: string, more = '') =>
  `${service()}---\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: x${more}}\n`;

const said = (text: string, ask: Partial<TenantApp> = {}): string => saidOf({ ...ask, url: fileOf(text) });

function saidOf(ask: TenantApp): string {
  try {
    const { app } = appWith(ask, lockedAsWished('team-a/db:5432'));
    quietly(() => app.synthYaml());
    return 'nothing';
  } catch (error) {
    return (error as Error).message;
  }
}

interface Case {
  readonly title: string;
  readonly file?: string;
  readonly beside?: string;
  readonly with?: readonly string[];
  readonly says?: string;
}

const CASES: Readonly<Record<string, readonly Case[]>> = casesIn(__dirname, 'refusals.yaml');

const textOf = ({ file, beside }: Case) => file ?? `${service()}---\n${beside}`;

test.each(titled(CASES.refused))('%s', (_, one) => expect(said(textOf(one))).toMatch(new RegExp(one.says as string)));

describe('annotations of Services of any type', () => {
  const platform = [TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller')];
  const controller = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
  const engine = SharedLoadBalancerEngine.haproxy({ controller });
  const balancer = { engine, platform, portConflict: PortConflictPolicy.FAIL };
  const READ = [
    ...HAPROXY_SERVICE_ANNOTATIONS,
    ...HAPROXY_ANNOTATION_PREFIXES.map((prefix) => `${prefix}check`),
    'server-ssl-verify',
  ];
  const headless = (keys: readonly string[]) => {
    const annotations = keys.map((key) => `${key}: "1"`).join(', ');
    return `${service()}---\n${service({ name: 'x', metadata: `, annotations: {${annotations}}` }).replace('LoadBalancer', 'ClusterIP')}`;
  };

  test('that HAProxy reads are refused as by the API server', () => {
    expect(
      said(headless([...READ, 'checksum', 'example.com/check', 'ingress.kubernetes.io/affinity']), { balancer }),
    ).toContain(
      `yaml:6: Service x has annotations that reach the configuration of all tenants: ${READ.join(', ')}; remove them; the API server would refuse the Service (tenant-annotation-affects-others)`,
    );
  });

  test.each<[string, string, Partial<TenantApp>]>([
    ['that only look like it', 'checksum', { balancer }],
    ['that HAProxy reads, beside another engine', 'haproxy.org/check', {}],
  ])('%s are the own of a tenant', (_, key, ask) => expect(said(headless([key]), ask)).toBe('nothing'));
});

test.each([
  ...titled(CASES.fields).map((row) => [...row, 'tenant-field-wrong-type'] as const),
  ...titled(CASES.rights).map((row) => [...row, 'tenant-object-reserved'] as const),
])('%s are refused by the rule of their kind', (_, one, rule) => {
  const told = said(textOf(one));
  expect(told).toMatch(new RegExp(one.says as string));
  expect(told).toContain(`(${rule})`);
});

test.each(CASES.allowed.map((one) => [textOf(one)]))('allowed: %s', (text) => expect(said(text)).toBe('nothing'));

const role = (rule: string) => `${object('rbac.authorization.k8s.io/v1', 'Role')}rules: [${rule}]\n`;

test('a role of another kind than the API server takes', () => {
  expect(said(role('{apiGroups: "*", resources: "*", verbs: "*"}'))).toMatch(
    /rules\[0\].apiGroups '\*'.*tenant-field-wrong-type/,
  );
});

test.each(['Service', 'ConfigMap'])('an object twice, once with its namespace: %s', (kind) => {
  const other = kind === 'Service' ? service() : `${service({ name: 'a' })}---\n${object('v1', kind)}`;
  const again =
    kind === 'Service' ? service({ metadata: ', namespace: team-a' }) : object('v1', kind, ', namespace: team-a');
  expect(said(`${other}---\n${again}`)).toMatch(/is in .*yaml:\d+ as well.*\(tenant-object-duplicate\)/);
});

test.each<[string, Partial<TenantApp> & { readonly url: string }, RegExp]>([
  ['an address', { url: 'https://example.com/a.yaml' }, /reads no network.*\(tenant-file-url\)/],
  [
    'a file that is not there',
    { url: 'nowhere.yaml' },
    /nowhere.yaml: it cannot be read: ENOENT.*\(tenant-file-missing\)/,
  ],
  ['a folder', { url: __dirname }, /EISDIR.*\(tenant-file-missing\)/],
  ['a namespace that nobody says', { url: fileOf(service()), bare: true }, /no object has a namespace.*pass tenant/],
  [
    'several namespaces',
    {
      url: fileOf(`${service({ metadata: ', namespace: a' })}---\n${service({ metadata: ', namespace: b' })}`),
      bare: true,
    },
    /the objects are of several namespaces: a, b/,
  ],
  [
    'a namespace that is no tenant',
    { url: fileOf(service()), tenant: 'team-z' },
    /'team-z' is not a tenant.*\(tenant-unknown\)/,
  ],
])('%s', (_, ask, message) => expect(saidOf(ask)).toMatch(message));

test('all that is wrong with a file is told at once', () => {
  const message = said(
    `${service({ port: 'port: 53, protocol: UDP' })}---\n${service({ metadata: ', namespace: b' })}`,
  );
  expect(message.split('\n')).toHaveLength(2);
});

const ports51 = Array.from({ length: 51 }, (_, i) => `{name: p${i}, port: ${4000 + i}}`).join(', ');

test.each([
  [PortConflictPolicy.FAIL, /split it into several Services.* by PortConflictPolicy.SHARD/],
  [PortConflictPolicy.SHARD, /split it into several Services, which are placed at several balancers \(/],
])('51 ports are too many for one NLB: %s', (portConflict, remedy) => {
  const told = said(service().replace('{port: 5432}', ports51), { balancer: { portConflict } });
  expect(told).toMatch(/yaml:1: Service db has 51 ports, which stay together.* carries 50; .*\(too-many-ports\)/);
  expect(told).toMatch(remedy);
  expect(told).not.toContain('port-not-in-lock-file');
});

test('50 ports are not too many', () => {
  const text = service().replace('{port: 5432}', ports51.replace(/, [^,]*, [^,]*$/, ''));
  expect(said(text)).not.toContain('which stay together');
});

describe('two files of a tenant', () => {
  const first = fileOf(`# words\n${service()}`);

  test.each([
    [
      'with one Service',
      fileOf(service()),
      /\d+.yaml:1: Service db is in .*\d+.yaml:2 as well, which .* one of the two files/,
    ],
    [
      'with one, once with its namespace',
      fileOf(service({ metadata: ', namespace: team-a' })),
      /tenant-object-duplicate/,
    ],
    ['that are one', first, /Service db is read by tenant\/Manifests already; read the file once/],
  ])('%s', (_, url, message) => {
    const { chart, shared } = appWith({ url: first }, lockedAsWished('team-a/db:5432'));
    expect(() => new TenantManifests(chart, 'Other', { url, shared })).toThrow(message);
  });

  test('with different Services', () => {
    const { app, chart, shared } = appWith({ url: first }, lockedAsWished('team-a/db:5432', 'team-a/web:80'));
    new TenantManifests(chart, 'Other', { url: fileOf(service({ name: 'web', port: 'port: 80' })), shared });
    expect(() => quietly(() => app.synthYaml())).not.toThrow();
  });
});

test('a patch that changes the ports of a shared Service comes too late', () => {
  const { app, manifests } = appWith({ url: fileOf(service()) }, lockedAsWished('team-a/db:5432'));
  manifests.apiObjects[0].addJsonPatch(JsonPatch.replace('/spec/ports/0/port', 5433));
  expect(() => quietly(() => app.synthYaml())).toThrow(
    /other ports or source ranges than its file.*shared-service-patch-conflict/,
  );
});

const strimzi = { kafka: { strimzi: StrimziVersion.V1_2 } };

const ASKS: Readonly<Record<string, Partial<TenantApp>>> = {
  strimzi,
  brokers: { kafka: { strimzi: StrimziVersion.V1_2, nodePools: [{ name: 'p', brokerIds: [0] }] } },
  byName: { balancer: { engine: BY_NAME } },
  nameless: { balancer: { hostname: undefined } },
  asRequested: { balancer: { portConflict: PortConflictPolicy.FAIL } },
};

test.each(titled(CASES.kafka))('a Kafka %s', (_, one) => {
  const asks = (one.with ?? []).map((name) => ASKS[name]);
  expect(said(textOf(one), Object.assign({}, ...asks))).toMatch(new RegExp(one.says as string));
});

test('a port that is not locked is told alone, not what follows from it', () => {
  const message = saidOf({ url: fixture('kafka.yaml'), ...strimzi });
  expect(message).toMatch(/team-a\/events-brokers-outside-0:9094.*\(port-not-in-lock-file\)/);
  expect(message).not.toContain('listener-advertised-address-duplicate');
});

test.each(titled(CASES.surprising))('%s is no fault, and is told where it may surprise', (_, one) => {
  const { documents, told } = written({ url: fileOf(textOf(one)) });
  expect(told).toMatch(one.says === undefined ? /^$/ : new RegExp(one.says, 's'));
  expect(documents.at(-1)?.metadata.name ?? '').not.toBe('');
});

test('the flag of tcp-services is no fault of another ingress controller', () => {
  const text = `${object('apps/v1', 'Deployment')}spec: {args: [--tcp-services-configmap=a/b], image: other}\n`;
  expect(said(text)).not.toContain('ingress-nginx');
});

test('an engine of another kind has kinds of its own that tenants cannot have', () => {
  const engine = SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'] });
  const text = object('elbv2.k8s.aws/v1beta1', 'TargetGroupBinding');
  expect(said(text, { balancer: { engine } })).toContain('tenant-object-reserved');
  expect(said(text, { balancer: { engine: BY_NAME } })).not.toContain('tenant-object-reserved');
});

describe('orphaned balancers', () => {
  // A declared finalizer goes together with the type: what becomes of a balancer that lives.

  const AWS = 'service.k8s.aws/resources';
  const CLOUD = 'service.kubernetes.io/load-balancer-cleanup';

  interface Declared {
    readonly annotations?: { readonly [key: string]: string };
    readonly type?: string;
    readonly loadBalancerClass?: string;
    readonly finalizers?: readonly string[];
  }

  function serviceFile({ type = 'LoadBalancer', loadBalancerClass, finalizers, annotations }: Declared): string {
    return fileOf(
      Yaml.stringify({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'db', namespace: 'team-a', annotations, finalizers },
        spec: { type, loadBalancerClass, selector: { app: 'db' }, ports: [{ port: 5432 }] },
      }),
    );
  }

  const OF_AWS = { loadBalancerClass: 'service.k8s.aws/nlb', finalizers: [AWS] };

  function findings(ask: TenantApp, rule: string): string[] {
    return written(ask)
      .told.split(/^ {2}(?=\[)/m)
      .filter((finding) => finding.includes(`(${rule})`));
  }

  const ofOrphans = (ask: TenantApp) => findings(ask, 'sharing-orphans-balancer');
  const ofLostFinalizers = (ask: TenantApp) =>
    findings(ask, 'sharing-drops-settings').filter((finding) => finding.includes('finalizers'));

  test.each([AWS, 'service.eks.amazonaws.com/resources', 'gke.networking.io/l4-netlb-v3'])(
    '%s goes with the type: a balancer that lives stays, and the message says so with a way out',
    (finalizer) => {
      const url = serviceFile({ ...OF_AWS, finalizers: [finalizer] });
      const [finding, ...more] = ofOrphans({ url });
      expect(more).toEqual([]);
      expect(finding).toContain(`Service team-a/db (${url}:1) has metadata.finalizers '${finalizer}'`);
      expect(finding).toContain('a balancer that lives stays in the cloud');
      expect(finding).toMatch(/type to ClusterIP with the finalizer kept.*docs\/how-to\/tenant-services\.md/);
      expect(ofLostFinalizers({ url })).toEqual([]);
    },
  );

  describe('a Service that an annotation claims', () => {
    const annotations = {
      'service.beta.kubernetes.io/aws-load-balancer-type': 'external',
      'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip',
    };
    const url = serviceFile({ annotations, finalizers: [AWS] });

    test('is claimed with any type, so the annotation goes with it', () => {
      const [finding] = ofOrphans({ url });
      expect(finding).toContain('change its type to ClusterIP without the annotation that claims it');
      expect(ofOrphans({ url: serviceFile(OF_AWS) })[0]).not.toContain('annotation');
    });

    test('keeps its balancer where it alone changes its type, as diff says', () => {
      const typed = serviceFile({ annotations, finalizers: [AWS], type: 'ClusterIP' });
      expect(run('diff', url, typed).out).toMatch(/^KEPT +team-a\/db/m);
      const given = serviceFile({ finalizers: [AWS], type: 'ClusterIP' });
      expect(run('diff', url, given).out).toMatch(/^DELETED +team-a\/db/m);
    });
  });

  test('a controller that looks at the type gives the balancer back, and nothing is left', () => {
    const url = serviceFile({ finalizers: [CLOUD] });
    expect(ofOrphans({ url })).toEqual([]);
    expect(ofLostFinalizers({ url })).toEqual([
      expect.stringContaining('deletes a live balancer when it sees the new type'),
    ]);
  });

  test('a Service that declares no finalizer keeps that of its controller on the live one, and nothing is said', () => {
    const url = serviceFile({ loadBalancerClass: 'service.k8s.aws/nlb' });
    expect(ofOrphans({ url })).toEqual([]);
    expect(ofLostFinalizers({ url })).toEqual([]);
  });

  test('a Service that stays a LoadBalancer is refused by the API server where it is live, and leaves nothing', () => {
    const ask = { url: serviceFile(OF_AWS), keepType: true };
    expect(ofOrphans(ask)).toEqual([]);
    expect(ofLostFinalizers(ask)).toEqual([expect.stringContaining('the API server refuses another class')]);
  });

  test('it is acknowledged by itself: who acknowledges lost words has not seen it', () => {
    const told = (...rules: string[]) => {
      const { app } = lockedApp({ url: serviceFile(OF_AWS) });
      for (const rule of rules) {
        LoadBalancers.of(app).acknowledge(rule, 'the Service was never live');
      }
      return quietly(() => (app as App).synthYaml()).told;
    };
    expect(told('sharing-drops-settings')).toContain('(sharing-orphans-balancer)');
    expect(told('sharing-orphans-balancer')).not.toContain('(sharing-orphans-balancer)');
  });

  describe('diff says the same', () => {
    const diffOf = (before: string, after: string) => run('diff', before, after).out;
    const adopted = (url: string) => fileOf(Yaml.stringify(...written({ url }).documents));

    test('of the adoption of a live Service in one change', () => {
      const url = serviceFile(OF_AWS);
      expect(diffOf(url, adopted(url))).toMatch(/^ORPHANED +team-a\/db/m);
    });

    test('of the way out: first the balancer goes, then nothing is lost', () => {
      const url = serviceFile(OF_AWS);
      const given = serviceFile({ finalizers: [AWS], type: 'ClusterIP' });
      expect(diffOf(url, given)).toMatch(/^DELETED +team-a\/db/m);
      expect(diffOf(given, adopted(url))).not.toMatch(/ORPHANED|DELETED|STUCK/);
    });

    test('of a controller that looks at the type', () => {
      const url = serviceFile({ finalizers: [CLOUD] });
      expect(diffOf(url, adopted(url))).toMatch(/^DELETED +team-a\/db/m);
    });
  });

  test('a Service that is published beside its own balancer keeps its port when its file is adopted', () => {
    const portLock = lockedAsWished('team-a/db:5432');
    const app = Testing.app();
    const shared = new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
      engine: BY_PORT,
      oneTeam: true,
      portLock,
    });
    shared.addTenant('team-a');
    const chart = new Chart(app, 'team-a', { namespace: 'team-a' });
    const beside = shared.attach(chart, { tenant: 'team-a', service: 'db', ports: [{ port: 5432 }] });
    quietly(() => app.synthYaml());
    const adopted = appWith({ url: serviceFile(OF_AWS), balancer: { hostname: undefined } }, portLock);
    quietly(() => adopted.app.synthYaml());
    expect(adopted.manifests.endpoints).toEqual(beside);
  });

  test.each(OWNERS.filter(({ finalizer, versions }) => finalizer !== undefined && versions !== 'by annotation'))(
    'the model agrees on $name, $versions',
    ({ name: owner, versions, finalizer = '' }) => {
      const question = { owner, versions, change: 'type away', before: 'declared', after: 'left' } as const;
      const found = worstChangeAnswer({ ...question, writer: ['client-apply', 'server-apply'] });
      expect(found?.outcome).toBe(isOrphanedByTypeChange(finalizer) ? 'orphaned' : 'deleted');
    },
  );

  describe('a listener of a Kafka', () => {
    const kafka = (finalizers: string[]) =>
      fileOf(
        Yaml.stringify(
          {
            apiVersion: 'kafka.strimzi.io/v1',
            kind: 'Kafka',
            metadata: { name: 'events', namespace: 'team-a' },
            spec: {
              kafka: {
                listeners: [
                  { name: 'outside', port: 9094, type: 'loadbalancer', tls: true, configuration: { finalizers } },
                ],
              },
            },
          },
          {
            apiVersion: 'kafka.strimzi.io/v1',
            kind: 'KafkaNodePool',
            metadata: {
              name: 'brokers',
              labels: { 'strimzi.io/cluster': 'events' },
              annotations: { 'strimzi.io/next-node-ids': '[0]' },
            },
            spec: { replicas: 1, roles: ['broker'], storage: { type: 'ephemeral' } },
          },
        ),
      );
    const ask = (finalizers: string[]) => ({ url: kafka(finalizers), kafka: { strimzi: StrimziVersion.V1_2 } });

    test('leaves its balancers behind in the same way', () => {
      const [finding, ...more] = ofOrphans(ask([AWS]));
      expect(more).toEqual([]);
      expect(finding).toContain(`listener 'outside' of Kafka events has finalizers '${AWS}'`);
      expect(finding).toContain('give the listener another name');
      expect(ofLostFinalizers(ask([AWS]))).toEqual([]);
    });

    test('of a controller that looks at the type leaves none', () => {
      expect(ofOrphans(ask([CLOUD]))).toEqual([]);
      expect(ofLostFinalizers(ask([CLOUD]))).toHaveLength(1);
    });
  });
});
