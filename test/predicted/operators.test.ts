import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { AwsLoadBalancerController, NlbTargetType } from '../../src';
import type { Json } from '../../src/contract/json';
import { OPERATORS } from '../../src/predicted/operators/operators.facts';
import { predictServices } from '../../src/predicted/predicted-services';
import { checked } from '../cli/checked';
import { run } from '../support/command';
import { fileWith } from '../support/files';
import { casesIn, table } from '../support/yaml-cases';

// Load balanced Services of resources as users write them, by operator and chart.

function predicted(text: string) {
  const manifests = parseAllDocuments(text).map((one) => ({ file: 'a.yaml', line: 1, object: one.toJS() as Json }));
  const { services, notes } = predictServices(manifests);
  return { services: services.map(({ object }) => briefOf(object)), notes };
}

function briefOf({ metadata, spec }: Json): string {
  const { name = `${metadata.generateName}*`, namespace, annotations = {} } = metadata;
  const ports = (spec.ports as Json[]).map(({ port }) => port).join(',');
  const kept = Object.entries<string>(annotations).map(([key, value]) => `${key.split('/').at(-1)}=${value}`);
  return [`${namespace}/${name}`, ports, ...kept].join(' ');
}

const gatewayOf = (controllerName: string, parameters = '') =>
  `{ apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: { name: own }, spec: { controllerName: ${controllerName}${parameters} } }
---
{ apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: { name: edge, namespace: web }, spec: { gatewayClassName: own, infrastructure: { annotations: { a/b: c } }, listeners: [ { name: a, port: 8443, protocol: HTTPS } ] } }`;

test.each<[string, string, ...services: string[]]>(casesIn(__dirname, 'operators.yaml')['services of a resource'])(
  '%s',
  (_, text, ...services) =>
    expect(predicted(text)).toEqual({
      services,
      // a name with an asterisk stands for Services of an unknown number
      notes: services.some((one) => one.includes('*')) ? [expect.stringContaining('each name is counted once')] : [],
    }),
);

const releaseOf = (chart: string) =>
  `{ apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: { name: ${chart}, namespace: web }, spec: { chart: { spec: { chart: ${chart} } } } }`;

test.each([
  [['shop'], 'chart shop'],
  [['shop', 'kong', 'podinfo', 'shop'], 'charts podinfo, shop'],
  [['kong'], undefined],
])('of releases of %s, a note names the charts that are not known', (charts, named) => {
  const note = `the Services of ${named} are not known from values: check what helm template writes, or a dump of the cluster`;
  expect(predicted(charts.map(releaseOf).join('\n---\n')).notes).toEqual(named ? [note] : []);
});

test('an installation of Istio without gateways has those of its profile, in a note', () => {
  const { services, notes } = predicted('{ apiVersion: install.istio.io/v1alpha1, kind: IstioOperator, spec: {} }');
  expect([services, notes]).toEqual([
    [],
    [expect.stringContaining('spec.components is not set, and its default is an ingress gateway in profile default')],
  ]);
});

test('the Service of a Gateway of Istio depends on a ConfigMap of parameters', () => {
  const { services, notes } = predicted(
    gatewayOf('istio.io/gateway-controller').replace(
      'infrastructure: {',
      'infrastructure: { parametersRef: { group: "", kind: ConfigMap, name: p },',
    ),
  );
  expect([services, notes]).toEqual([
    [],
    [expect.stringContaining('its Service depends on ConfigMap web/p, which is not read')],
  ]);
});

test.each([
  'k8ssandra.io/v1alpha1 K8ssandraCluster',
  'sailoperator.io/v1 Istio',
  'mongodbcommunity.mongodb.com/v1 MongoDBCommunity',
])('%s has no load balanced Service', (of) => {
  const [apiVersion, kind] = of.split(' ');
  expect(predicted(JSON.stringify({ apiVersion, kind, metadata: { name: 'main' }, spec: {} }))).toEqual({
    services: [],
    notes: [],
  });
});

describe('live Services', () => {
  const GATEWAY = casesIn(__dirname, 'operators.yaml').gateway;
  const OF_GATEWAY = `{ gateway.envoyproxy.io/owning-gateway-name: web, gateway.envoyproxy.io/owning-gateway-namespace: edge }`;
  const OF_CLASS = '{ gateway.envoyproxy.io/owning-gatewayclass: eg }';
  const OF_ANOTHER = OF_GATEWAY.replace('name: web', 'name: other');
  const MADE = 'envoy-edge-web-*';
  const LIVE = 'envoy-edge-web-3d45476e';

  const live = (name: string, labels = '{}', namespace = 'envoy-gateway-system') => `---
apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: ${namespace}, uid: a-b-c, labels: ${labels} }
spec:
  type: LoadBalancer
  selector: { app: x }
  ports: [{ port: 443, nodePort: 30443 }]
`;

  const KAFKA = casesIn(__dirname, 'operators.yaml').kafka;

  /** The Services that are explained of a Gateway or a Kafka. */
  function explained(word: string, text: string): string[] {
    const { out } = run('explain', '--format', 'json', word, fileWith(text));
    return JSON.parse(out).flatMap(({ services }: { services: { name: string }[] }) =>
      services.map(({ name }) => name),
    );
  }

  function listed(text: string): string[] {
    return JSON.parse(run('list', '--format', 'json', fileWith(text)).out).map(({ name }: { name: string }) => name);
  }

  function reported(text: string): string[] {
    const { out } = run('report', '--format', 'json', fileWith(text));
    return JSON.parse(out).balancers.map(({ name }: { name: string }) => name);
  }

  const EACH = [
    ['explain', (text: string) => explained('edge/web', text)],
    ['list', listed],
    ['report', reported],
  ] as const;

  describe.each(EACH)('%s has the Service of a Gateway once', (command, names) => {
    test.each<[string, string, string[]]>([
      ['as it will be made', GATEWAY, [MADE]],
      ['as the cluster has it', `${GATEWAY}${live(LIVE, OF_GATEWAY)}`, [LIVE]],
      ['where Gateways are merged', `${GATEWAY}${live('envoy-eg-1', OF_CLASS)}`, ['envoy-eg-1']],
    ])('%s', (_, text, expected) => expect(names(text)).toEqual(expected));

    test('and takes no other one for it', () => {
      const text = `${GATEWAY}${live(LIVE)}${live('other', OF_ANOTHER)}`;
      expect(names(text)).toEqual(command === 'explain' ? [MADE] : expect.arrayContaining([MADE, LIVE, 'other']));
    });
  });

  test('a Gateway without a class has no Service of others', () => {
    const text = `${GATEWAY.replace('  gatewayClassName: eg\n', '')}${live('other')}`;
    expect(listed(text)).toEqual(['other']);
  });

  test('the name of a Service that is generated can be explained', () => {
    const { out, code } = run('explain', `envoy-gateway-system/${MADE}`, fileWith(GATEWAY));
    expect([out.split('\n')[0], code]).toEqual([
      expect.stringMatching(/^Service envoy-gateway-system\/envoy-edge-web-\* {2}\(made by Gateway /),
      0,
    ]);
  });

  test('of Services that are alike, those that are there are not made later', () => {
    const text = `${KAFKA}${live('events-kafka-0', '{}', 'kafka')}`;
    const there = 'events-kafka-0';
    expect(reported(text).filter((name) => name === there)).toEqual([there]);
    const { out } = run('list', '--verbose', fileWith(text));
    expect(out).toMatch(/\n1 load balanced Service, 2 predicted load balancers, /);
    expect(out).toMatch(/^kafka\/events-kafka-external-bootstrap and 1 more {2}\(made by Kafka /m);
  });
});

describe('version of an operator', () => {
  const resource = (crVersion = '', type = 'LoadBalancer') => `apiVersion: psmdb.percona.com/v1
kind: PerconaServerMongoDB
metadata: { name: main, namespace: data }
spec:
${crVersion}  replsets:
    - name: rs0
      expose: { enabled: true, type: ${type}, loadBalancerClass: service.k8s.aws/nlb }
`;
  const deployment = (image: string, name = 'operator') => `---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: data }
spec: { template: { spec: { containers: [{ image: ${image} }] } } }
`;
  const IMAGE = 'docker.io/percona/percona-server-mongodb-operator';
  const NEW = '  crVersion: 1.23.0\n';

  const rows: [string, (of: string) => string, told: string | undefined, ends: string, condition?: string][] = [
    ['not known', (of) => of, ' before 1.23.0', 'orphaned', 'older than 1.23.0'],
    ['of a new image', (of) => of + deployment(`${IMAGE}:1.23.0`), undefined, 'deleted'],
    ['of an old image', (of) => of + deployment(`${IMAGE}:1.22.1@sha256:0a`), ' in version 1.22.1', 'orphaned'],
    ['at least that of the resource', (of) => of.replace('spec:\n', `spec:\n${NEW}`), undefined, 'deleted'],
    [
      'not known from an old resource',
      (of) => of.replace('spec:\n', 'spec:\n  crVersion: 1.20.0\n'),
      ' before 1.23.0',
      'orphaned',
      'older than 1.23.0',
    ],
    [
      'not known from two images',
      (of) => of + deployment(`${IMAGE}:1.23.0`) + deployment(`${IMAGE}:1.22.1`, 'old'),
      ' before 1.23.0',
      'orphaned',
      'older than 1.23.0',
    ],
    [
      'not known from the image of another program',
      (of) => of + deployment('percona/percona-server-mongodb:1.23.0'),
      ' before 1.23.0',
      'orphaned',
      'older than 1.23.0',
    ],
  ];

  test.each(rows)('%s', (_, filesOf, told, ends, ...[condition]) => {
    const config = fileWith('controllers: [aws-load-balancer-controller]\n', 'load-balancers.yaml');
    const [old, now] = [resource(), resource('', 'ClusterIP')].map((text) => fileWith(filesOf(text)));
    const { findings } = JSON.parse(run('check', '--config', config, '--format', 'json', old).out);
    const found = findings.filter(({ ruleId }: Json) => ruleId === 'operator-removes-finalizer');
    expect(found.map(({ what }: Json) => /whole Services(.*), which/.exec(what)?.[1])).toEqual(told ? [told] : []);
    const { changes } = JSON.parse(run('diff', '--config', config, '--format', 'json', old, now).out);
    const [cause] = changes.flatMap(({ causes }: Json) => causes);
    expect([cause.outcome, cause.condition?.split(' is ')[1]]).toEqual([ends, condition]);
  });
});

test.each<[string, string]>(table('predicted/operators.yaml', 'has a wrong type'))(
  '%s has a wrong type: %s',
  (text, what) => {
    const { findings } = checked(
      text.replace(/(kind: \w+)(?!.*metadata)/, '$1, metadata: { name: main, namespace: data }'),
    );
    const found = findings.filter(({ ruleId }) => ruleId === 'field-wrong-type').map((one) => one.what);
    expect(found).toEqual(what === '' ? [] : [expect.stringContaining(what)]);
  },
);

test.each<[string, string, ...faults: string[]]>(casesIn(__dirname, 'operators.yaml')['check reports'])(
  'check reports %s',
  (_, object, ...faults) => {
    const text = `{ metadata: { name: main, namespace: data }, apiVersion: ${object} }`;
    const { findings } = checked(text);
    const ids = ['operator-field-unread', 'api-version-unknown'];
    expect(findings.filter(({ ruleId }) => ids.includes(ruleId)).map(({ what }) => what)).toEqual(faults);
    expect(predicted(text).services).toHaveLength(object.includes('/v9') || object.includes('ClusterIP') ? 0 : 1);
  },
);

test('every kind of an operator has its API versions', () => {
  const kinds = OPERATORS.filter(({ crds }) => crds).flatMap(({ resources }) => resources);
  expect(kinds.filter(({ versions }) => !versions).map(({ kind }) => kind)).toEqual([]);
  expect(OPERATORS.filter(({ crds }) => !crds).map(({ id }) => id)).toEqual([
    'helm',
    'istio-gateway',
    'strimzi',
    'vcluster',
  ]);
});

test.each<[string | undefined, string, string | undefined]>(
  table('predicted/operators.yaml', 'check says that the operator removes'),
)('check says that the operator removes %s', (value, object, field) => {
  const { findings } = checked(`{ metadata: { name: main, namespace: data }, apiVersion: ${object} }`);
  const [found] = findings.filter(({ ruleId }) => ruleId === 'operator-removes-fields');
  expect(found?.value).toBe(value);
  expect(found?.remedy.match(/ at (\S+), not on the Service/)?.[1]).toBe(field);
});

describe('diff of a dump with a resource and its Service', () => {
  const UID = '11111111-2222-3333-4444-555555555555';
  const CLASS = { loadBalancerClass: 'service.k8s.aws/nlb' };
  const PLAIN = { type: 'LoadBalancer' };
  const eck = (spec: object): Json => ({
    apiVersion: 'elasticsearch.k8s.elastic.co/v1',
    kind: 'Elasticsearch',
    spec: { http: { service: { spec } } },
  });
  const pxc = (expose: object): Json => ({
    apiVersion: 'pxc.percona.com/v1',
    kind: 'PerconaXtraDBCluster',
    spec: { haproxy: { enabled: true, exposePrimary: expose } },
  });
  const mariadb = (service: object) => ({ apiVersion: 'k8s.mariadb.com/v1alpha1', kind: 'MariaDB', spec: { service } });
  const ray = (headService: object): Json => ({
    apiVersion: 'ray.io/v1',
    kind: 'RayCluster',
    spec: { headGroupSpec: { headService } },
  });
  const gateway = (spec: object): Json => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    spec: { gatewayClassName: 'eg', listeners: [{ name: 'a', protocol: 'HTTP', port: 80 }], ...spec },
  });
  const eg: Json = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    spec: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
    metadata: { name: 'eg' },
  };
  const RANGES = { loadBalancerSourceRanges: ['192.0.2.0/24'] };

  type Row = [string, string, before: Json, after: Json, name: string, outcome: string, ...fields: string[]];
  const lostClass = (operator: string, of: (spec: object) => Json, name: string): Row[] => [
    ['a class that goes', operator, of({ ...PLAIN, ...CLASS }), of(PLAIN), name, 'refused', 'spec.loadBalancerClass'],
  ];

  test.each<Row>([
    ['the same', 'ECK', eck(PLAIN), eck(PLAIN), 'main-es-http', 'kept'],
    [
      'ranges',
      'ECK',
      eck(PLAIN),
      eck({ ...PLAIN, ...RANGES }),
      'main-es-http',
      'interrupted',
      'spec.loadBalancerSourceRanges',
    ],
    ['the same', 'XtraDB', pxc(PLAIN), pxc(PLAIN), 'main-haproxy', 'kept'],
    [
      'ranges, by an operator that would take off finalizers and class',
      'XtraDB',
      pxc(PLAIN),
      pxc({ ...PLAIN, ...RANGES }),
      'main-haproxy',
      'refused',
      'spec.loadBalancerClass',
    ],
    [
      'ranges, by an operator that does not write them',
      'Ray',
      ray({ spec: PLAIN }),
      ray({ spec: { ...PLAIN, ...RANGES } }),
      'main-head-svc',
      'kept',
    ],
    ...lostClass('XtraDB', pxc, 'main-haproxy'),
    ...lostClass('MariaDB', mariadb, 'main'),
    ['the same', 'Envoy Gateway', gateway({}), gateway({}), 'envoy-data-main-1a2b', 'kept'],
  ])('%s in a resource of %s', (_, __, before, after, name, outcome, ...[field]) => {
    const metadata = { name: 'main', namespace: 'data' };
    const { apiVersion, kind } = before;
    const isGateway = kind === 'Gateway';
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name,
        namespace: isGateway ? 'envoy-gateway-system' : 'data',
        uid: UID,
        finalizers: ['service.k8s.aws/resources'],
        ...(isGateway && {
          labels: {
            'gateway.envoyproxy.io/owning-gateway-name': 'main',
            'gateway.envoyproxy.io/owning-gateway-namespace': 'data',
          },
        }),
        ...(!isGateway && { ownerReferences: [{ apiVersion, kind, name: 'main', uid: UID }] }),
      },
      spec: { ...PLAIN, ...CLASS, clusterIP: '10.0.0.9', selector: { a: 'b' }, ports: [{ port: 80, nodePort: 30000 }] },
      status: { loadBalancer: { ingress: [{ hostname: 'a.elb.eu-west-1.amazonaws.com' }] } },
    };
    const all = isGateway ? [eg] : [];
    const items = [...all, { ...before, metadata: { ...metadata, uid: UID } }, service];
    const dump = fileWith(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }), 'dump.json');
    const file = fileWith(
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...all, { ...after, metadata }] }),
      'now.json',
    );
    const { out } = run('diff', '--controllers', 'aws-load-balancer-controller', '--format', 'json', dump, file);
    const { changes } = JSON.parse(out);
    expect(changes.map((one: Json) => one.outcome)).toEqual([outcome]);
    const causes = changes.flatMap(({ causes: found }: Json) => found as Json[]);
    expect(causes.some((one: Json) => one.field === field && one.outcome !== 'kept')).toBe(field !== undefined);
    expect(field === undefined ? causes : []).toEqual([]);
  });
});

test.each<[string, string, string, ...outcomes: string[]]>(
  casesIn(__dirname, 'operators.yaml')['diff of the number of pods of'],
)('Services for each pod of %s', (_, before, after, ...outcomes) => {
  const [old, now] = [before, after].map((text) => fileWith(text));
  const diff = ['diff', '--controllers', 'cloud-provider-aws', '--format', 'json', old, now];
  const valuesOf = ({ from, to }: Json) =>
    to === undefined || /[a-z]/.test(from ?? '') ? '' : from ? ` ${from} to ${to}` : ` is now ${to}`;
  const { changes } = JSON.parse(run(...diff).out);
  const found = changes.map(({ before: one, after: other, outcome, causes }: Json) => {
    const [name, [cause]] = [(other ?? one).id.split('/')[1], causes];
    const isLost = !['kept', 'created'].includes(outcome);
    return `${outcome} ${name}${isLost ? ` at ${cause.field}${valuesOf(cause)}` : ''}`;
  });
  expect(found.sort()).toEqual([...outcomes].sort());
});

test('a Service of another type, which its operator does not write, costs what it did', () => {
  const [old, now] = ['LoadBalancer', 'ClusterIP'].map((serviceType) =>
    fileWith(
      `{ apiVersion: ray.io/v1, kind: RayCluster, metadata: { name: main }, spec: { headGroupSpec: { serviceType: ${serviceType} } } }`,
    ),
  );
  const { out } = run('diff', '--verbose', '--controllers', 'cloud-provider-aws', old, now);
  expect(out).toContain('per month, by list price: no difference');
});

test.each<[string, number, boolean]>([
  ['size: 3', 3, false],
  ['size: 1', 1, false],
  ['size: "3"', 1, true],
  ['port: 1', 1, true],
])('report counts the Services for each pod of { %s }', (size, count, isUnknown) => {
  const file = fileWith(`apiVersion: psmdb.percona.com/v1
kind: PerconaServerMongoDB
metadata: { name: main, namespace: data }
spec: { replsets: [{ name: rs0, ${size}, expose: { enabled: true, type: LoadBalancer } }] }
`);
  const { balancers } = JSON.parse(run('report', '--format', 'json', file).out);
  expect(balancers).toHaveLength(count);
  const { out } = run('list', '--verbose', file);
  expect(out).toContain(`, ${count} predicted load balancer${count === 1 ? '' : 's'}, `);
  const { notes } = predictServices([
    { file: 'a.yaml', line: 1, object: parseAllDocuments(readFileSync(file, 'utf8'))[0].toJS() },
  ]);
  const note = 'main-rs0-* is not known, since it has no number at spec.replsets.0.size, so each name is counted once';
  expect(notes).toEqual(isUnknown ? [expect.stringContaining(note)] : []);
});

const [MISSPELT, KEY] = ['service.beta.kubernetes.io/aws-load-balancer-shceme', 'metallb.io/adress-pool'];

test.each<[string, string, string, ...keys: string[]]>(
  casesIn(__dirname, 'operators.yaml')['a misspelt key is reported of a Service whose owner is'],
)('a misspelt key is reported of a Service whose owner is %s', (_, object, controllers, ...keys) => {
  const file = fileWith(
    `{ metadata: { name: main, namespace: data, annotations: { ${MISSPELT}: a, ${KEY}: a, a.b/c: d } }, apiVersion: ${object} }`,
  );
  const config = fileWith(controllers === '' ? '' : `controllers: ${controllers}\n`, 'load-balancers.yaml');
  const { findings } = JSON.parse(run('check', '--config', config, '--format', 'json', file).out);
  const found = findings.filter(({ ruleId }: Json) => ruleId === 'annotation-unknown');
  expect(found.map(({ value }: Json) => value)).toEqual(keys);
  const owner = findings.find(({ ruleId }: Json) => ruleId === 'owner-ambiguous');
  expect(owner?.remedy.startsWith('set the type in the Dragonfly')).toBe(owner && object.includes('Dragonfly'));
});

test('a webhook that sets a class has the operator of a Gateway make its Service again', () => {
  const { findings } = checked(gatewayOf('gateway.nginx.org/nginx-gateway-controller'), {
    controllers: [AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP })],
  });
  expect(findings.find(({ ruleId }) => ruleId === 'operator-recreates-service')?.what).toContain(
    'if its loadBalancerClass differs from that of the NginxProxy, even if a webhook set it: the NGINX Gateway Fabric',
  );
});
