import { AwsCloudProvider, AwsLoadBalancerController } from '../../src';
import { Alternatives } from '../../src/rules/manifest-objects';
import { checkedText, foundIn, saidBy } from '../support/checks';
import { casesIn, revived, table, titled } from '../support/yaml-cases';
import { checkedFiles, fileOf, type Part, type Row } from './checked';

const { pieces, rows } = casesIn(__dirname, 'written-services.yaml');

const IDS = casesIn(__dirname, 'objects.yaml').ids;

test.each(titled<Row>(rows))('%s', (_, { of, found, context = {} }) => {
  const { findings, unreadable } = checkedText(fileOf(pieces, of), revived(context));
  expect(unreadable).toEqual([]);
  expect(
    findings.filter(({ ruleId }) => IDS.includes(ruleId)).map(({ level, ruleId }) => `${level} ${ruleId}`),
  ).toEqual(found);
});

describe('written gateways', () => {
  const { pieces, rows, fields } = casesIn(__dirname, 'written-gateways.yaml');

  const IDS =
    /^\S+ \d+ (binding-target-group-shared|route-without-node-ports|nlb-passthrough-unsupported-version|nlb-passthrough-tls-target-group|target-group-without-node-ports|target-group-configuration-unused|nlb-configuration-unused|binding-without-node-ports)$/;

  const contextOf = (version?: string) =>
    version === undefined ? {} : { controllers: [AwsLoadBalancerController._installedNlb({}, version)] };

  test.each(titled<Row>(rows))('%s', (_, { of, found, version }) => {
    expect(foundIn(fileOf(pieces, of), contextOf(version)).filter((one) => IDS.test(one))).toEqual(found);
  });

  test.each(titled<Row>(fields))('%s', (_, { of, found, version }) => {
    const all = foundIn(fileOf(pieces, of), contextOf(version));
    expect(all.filter((one) => !/-unused$|unserved$|-networking$/.test(one))).toEqual(found);
  });

  test.each<[string, string, string, string[]]>(casesIn(__dirname, 'objects.yaml')['gateway k8s aws under version'])(
    'gateway.k8s.aws/%s under version %s, %s',
    (api, version, kind, found) => {
      const yaml = `apiVersion: gateway.k8s.aws/${api}\nkind: ${kind}\nmetadata: {name: a, namespace: shop}\nspec: {}\n`;
      expect(
        foundIn(yaml, contextOf(version)).filter((line) => line.endsWith('gateway-api-unsupported-version')),
      ).toEqual(found);
    },
  );

  test('a port that a listener has wrong is reported once, at the listener', () => {
    const controller = 'gateway.envoyproxy.io/gatewayclass-controller';
    const tls = '{mode: Terminate, certificateRefs: [{name: db}]}';
    const wrong = fileOf(pieces, [{ class: { controller } }, { gateway: { tls, port: '70000' } }]);
    expect(foundIn(wrong).filter((line) => line.startsWith('error'))).toEqual([
      'error 11 gateway-listener-port-invalid',
    ]);
    const kafka = `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: my, namespace: k}
spec: {kafka: {listeners: [{name: external, port: 90940, type: loadbalancer, tls: true}]}}
`;
    expect(foundIn(kafka).filter((line) => line.startsWith('error'))).toEqual(['error 4 listener-port-invalid']);
  });

  test('notes of one text are one note, with the first place and a count', () => {
    const gateways = ['edge', 'edge-1', 'edge-2'].map((name) => ({ gateway: { name } }));
    expect(checkedText(fileOf(pieces, gateways)).notes).toEqual([
      expect.stringMatching(/:1: Gateway shop\/edge and 2 more: its class 'nlb' is not among these files/),
    ]);
  });

  test('what rests on an inferred version is a warning', () => {
    const targets = fileOf(pieces, [{ targets: { properties: 'healthCheckConfig: {healthCheckProtocol: TCP}' } }]);
    expect(foundIn(targets, { ...contextOf('2.14.1'), areControllersInferred: true })).toEqual([
      'warning 6 target-group-health-check-unsupported-version',
    ]);
  });
});

describe('gateway references', () => {
  const { pieces, rows, ports } = casesIn(__dirname, 'gateway-references.yaml');

  const GRANTED = 'gateway-reference-not-granted';
  const said = (ruleId: string, ...parts: readonly Part[]) => saidBy(ruleId, fileOf(pieces, parts));
  const found = (word: string, ...parts: readonly Part[]) =>
    foundIn(fileOf(pieces, parts)).filter((one) => one.includes(word));

  test.each(titled<Row>(rows))('%s', (_, { of, found: expected }) => {
    expect(found('gateway-reference-', ...of)).toEqual(expected);
  });

  test('a route leads to a Service of another namespace that nothing lets it refer to', () => {
    expect(said(GRANTED, 'route', 'backend')).toEqual([
      "error 9: backend Service data/db is in another namespace, and no ReferenceGrant there lets TCPRoutes of namespace 'shop' refer to it: no connection is sent to it; write a ReferenceGrant in namespace data from TCPRoute in namespace shop to Service, or name a Service of namespace shop",
    ]);
  });

  test('a Service that is not among the files may have its grant where it is itself', () => {
    expect(said('gateway-reference-unknown', 'route')).toEqual([
      "warning 9: backend Service data/db is in another namespace, and no ReferenceGrant here lets TCPRoutes of namespace 'shop' refer to it: without a grant, no connection is sent to it; write a ReferenceGrant in namespace data from TCPRoute in namespace shop to Service, or list gateway-reference-unknown under accepted in load-balancers.yaml if the grant is applied from elsewhere",
    ]);
  });

  test('a certificate of another namespace is not given to a listener that nothing lets refer to it', () => {
    expect(said(GRANTED, 'gateway', 'secret')).toEqual([
      "error 12: certificate of listener 'web' Secret data/web is in another namespace, and no ReferenceGrant there lets Gateways of namespace 'infra' refer to it: the listener does not get it; write a ReferenceGrant in namespace data from Gateway in namespace infra to Secret, or name a Secret of namespace infra",
    ]);
  });

  const listening = (listener: string, gatewayClassName = 'acme') => `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: infra}
spec:
  gatewayClassName: ${gatewayClassName}
  listeners: [{${listener}}]
`;
  const ALL = 'allowedRoutes: {namespaces: {from: All}}';

  test('VPC Lattice asks for no grant', () => {
    const gateway = (className: string) => listening(`name: db, port: 5432, protocol: TCP, ${ALL}`, className);
    const of = (className: string) => found('gateway-reference-', 'route', 'backend', gateway(className));
    expect([of('amazon-vpc-lattice'), of('acme')]).toEqual([[], [`error 9 ${GRANTED}`]]);
  });

  const web = (more = '', protocol = 'HTTP') => listening(`name: web, port: 80, protocol: ${protocol}${more}`);
  const routed = (kind: string, hostnames = '') => ({ route: { kind, backend: 'weight: 1', hostnames } });

  test.each<[string, string, string, string[]]>([
    ['a listener that takes routes of its namespace alone', 'HTTPRoute', web(), ['error 5 gateway-route-not-attached']],
    ['a listener that takes all', 'HTTPRoute', web(`, ${ALL}`), []],
    ['a listener that takes gRPC as well', 'GRPCRoute', web(`, ${ALL}`), []],
    ['a listener of TCP', 'HTTPRoute', web(`, ${ALL}`, 'TCP'), ['error 5 gateway-route-not-attached']],
    ['a protocol of its implementation', 'HTTPRoute', web(`, ${ALL}`, 'acme.example/h3'), []],
  ])('routes attach to %s', (_, kind, listener, expected) => {
    expect(found('route', routed(kind), listener)).toEqual(expected);
  });

  const named = (hostname: string) => web(`, hostname: "${hostname}", ${ALL}`);
  const hosts = (...names: string[]) => routed('HTTPRoute', `  hostnames: ["${names.join('","')}"]\n`);

  test.each<[string, string[], boolean]>(casesIn(__dirname, 'objects.yaml')['routes have'])(
    'routes have %s',
    (_, names, isTaken) => {
      const listener = named(names.length > 1 ? 'a.example.com' : '*.example.com');
      expect(found('route', hosts(...names), listener)).toEqual(isTaken ? [] : ['error 5 gateway-route-not-attached']);
    },
  );

  test('a route says which names the listener serves', () => {
    expect(said('gateway-route-not-attached', hosts('b.example.com'), named('a.example.com'))).toEqual([
      expect.stringContaining("'web' serves 'a.example.com' and none of b.example.com; attach it to a listener"),
    ]);
  });

  test('the port of a backend is one of its Service, and not one of its pods', () => {
    const service = { service: { ports: '{port: 80, targetPort: 5432}, {port: 81, name: b}' } };
    expect(said('gateway-backend-port-unknown', routed('TCPRoute'), service)).toEqual([
      'error 10: no connection is sent to backend Service shop/db: it has no port 5432, only 80, 81; write the port of the Service, not that of its pods',
    ]);
  });

  test.each(titled<Row>(ports))('%s', (_, { of, count }) => {
    expect(said('gateway-backend-port-unknown', ...of)).toHaveLength(count);
  });
});

describe('proxy headers', () => {
  const { pieces, rows, remedies } = casesIn(__dirname, 'proxy-headers.yaml');

  test.each(titled<Row>(rows))('%s', (_, { of, controllers, found }) => {
    const rules = foundIn(fileOf(pieces, of), { controllers: revived(controllers) })
      .filter((one) => one.includes('proxy-header'))
      .map((one) => one.replace(/^warning \d+ /, ''));
    expect(rules).toEqual(found);
  });

  test.each<Row>(remedies)(
    'the remedy is the annotation that the owner reads: $remedy',
    ({ controller, of, remedy }) => {
      const said = saidBy('proxy-header-missing', fileOf(pieces, of), { controllers: [revived(controller)] });
      expect(said.join()).toContain(remedy);
    },
  );

  test('the annotation of the other kind of balancer is replaced by the one that works', () => {
    const aws = 'service.beta.kubernetes.io/aws-load-balancer';
    const annotations = `${aws}-type: nlb, ${aws}-proxy-protocol: "*"`;
    const controllers = [revived({ '$AwsCloudProvider.nlb': [] })];
    const [said] = saidBy('aws-cloud-annotation-ignored', fileOf(pieces, [{ service: { annotations } }]), {
      controllers,
    });
    expect(said).toContain(`write ${aws}-target-group-attributes: proxy_protocol_v2.enabled=true instead`);
  });
});

const ELSEWHERE = 'certificate-region-mismatch';
const APART = 'certificates-in-several-regions';

const arn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/a`;
const IAM = 'arn:aws:iam::123456789012:server-certificate/old';

const service = (certificates: string, more = '') => `apiVersion: v1
kind: Service
metadata:
  name: web
  annotations:
    service.beta.kubernetes.io/aws-load-balancer-scheme: internal
    service.beta.kubernetes.io/aws-load-balancer-ssl-cert: ${certificates}
spec:
  type: LoadBalancer
  ${more}
  selector: {app: web}
  ports: [{port: 443}]`;

const OF_LBC = 'loadBalancerClass: service.k8s.aws/nlb';

const node = (region: string) => `
---
apiVersion: v1
kind: Node
metadata: {name: a, labels: {topology.kubernetes.io/region: ${region}}}
spec: {providerID: "aws:///${region}a/i-1"}`;

const IN_DUBLIN = { region: 'eu-west-1' };
const LBC = [AwsLoadBalancerController.nlb()];
const CLOUD = [AwsCloudProvider.nlb()];

test('a certificate is of another region than the cluster', () => {
  expect(saidBy(ELSEWHERE, service(arn('us-east-1'), OF_LBC), IN_DUBLIN)).toEqual([
    `error 7: certificate ${arn('us-east-1')} is of region us-east-1, and the cluster is in eu-west-1: AWS does not find it there, and makes no listener with it; name a certificate of eu-west-1`,
  ]);
});

test.each<[string, string, Parameters<typeof saidBy>[2], string[]]>([
  ['of the region of the cluster', service(arn('eu-west-1'), OF_LBC), IN_DUBLIN, []],
  ['of IAM, which has no region', service(IAM, OF_LBC), IN_DUBLIN, []],
  ['of another region, one of two', service(`${arn('eu-west-1')},${arn('us-east-1')}`, OF_LBC), IN_DUBLIN, ['error 7']],
  ['of a region where that of the cluster is not known', service(arn('us-east-1'), OF_LBC), {}, []],
  ['of another region than a Node', service(arn('us-east-1'), OF_LBC) + node('eu-west-1'), {}, ['warning 7']],
  ['of the region of a Node', service(arn('eu-west-1'), OF_LBC) + node('eu-west-1'), {}, []],
  [
    'of another region, for the cloud provider',
    service(arn('us-east-1')),
    { ...IN_DUBLIN, controllers: CLOUD },
    ['error 7'],
  ],
  [
    'of another region, for EKS Auto Mode',
    service(arn('us-east-1'), 'loadBalancerClass: eks.amazonaws.com/nlb'),
    IN_DUBLIN,
    ['error 7'],
  ],
  ['that is filled in later', service('$(CERTIFICATE)', OF_LBC), IN_DUBLIN, []],
  ['that is no ARN', service('web', OF_LBC), IN_DUBLIN, []],
])('a certificate %s', (_, content, context, expected) => {
  expect(saidBy(ELSEWHERE, content, context).map((text) => text.split(':')[0])).toEqual(expected);
});

test.each<[string, string, string[]]>(table('cli/objects.yaml', 'certificates'))(
  'certificates %s',
  (_, certificates, expected) => {
    expect(saidBy(APART, service(certificates, OF_LBC), { controllers: LBC })).toEqual(expected);
  },
);

describe('duplicates', () => {
  const service = (policy = 'Cluster', namespace = 'namespace: shop, ') => `apiVersion: v1
kind: Service
metadata: {${namespace}name: web}
spec:
  type: LoadBalancer
  loadBalancerClass: service.k8s.aws/nlb
  externalTrafficPolicy: ${policy}
  selector: {app: web}
  ports: [{port: 80}]
`;

  function foundIn(files: Readonly<Record<string, string>>): string[] {
    return checkedFiles(files)
      .findings.filter(({ ruleId }) => ruleId === 'object-duplicate-in-files')
      .map(
        ({ level, place, what }) => `${level} ${place.file.split('/').slice(-1)}:${place.line}:${place.column} ${what}`,
      );
  }

  test('a Service that two files of one folder have, and not alike, is reported at the second one', () => {
    const [said, ...others] = foundIn({ 'a.yaml': service(), 'b.yaml': `---\n${service('Local')}` });
    expect(others).toEqual([]);
    expect(said).toMatch(
      /^warning b\.yaml:4:\d+ Service shop\/web is also in \S+a\.yaml:1, with other fields: if both are applied, the last one wins$/,
    );
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['alike', { 'a.yaml': service(), 'b.yaml': service() }],
    ['in folders of their own', { 'base/a.yaml': service(), 'overlays/a.yaml': service('Local') }],
    ['for different clusters', { 'web-prod.yaml': service(), 'web-staging.yaml': service('Local') }],
    ['without a namespace', { 'a.yaml': service('Cluster', ''), 'b.yaml': service('Local', '') }],
    ['in different namespaces', { 'a.yaml': service(), 'b.yaml': service('Local', 'namespace: other, ') }],
    ['from a cluster', { 'a.yaml': service(), 'b.yaml': `${service('Local')}status: {loadBalancer: {}}\n` }],
    ['patches', { 'a.yaml': service(), 'a-patch.yaml': service('Local') }],
    [
      'named later',
      { 'a.yaml': service().replace('web}', '$(NAME)}'), 'b.yaml': service('Local').replace('web}', '$(NAME)}') },
    ],
  ])('Services that are %s are no mistake', (_, files) => expect(foundIn(files)).toEqual([]));

  test('objects that decide no load balancer have one finding together', () => {
    const map = (name: string, value: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: shop, name: ${name}}\ndata: {a: ${value}}\n---\n`;
    const files = {
      'a.yaml': map('one', 'x') + map('two', 'x') + service(),
      'b.yaml': map('one', 'y') + map('two', 'y'),
    };
    const [said, ...others] = foundIn({ ...files, 'c.yaml': service('Local') });
    expect(others).toHaveLength(1);
    expect([said, ...others].join('\n')).toMatch(
      /ConfigMap shop\/one, which is also in \S+a\.yaml:1, and 1 more object are in several files, with other fields/,
    );
  });

  test('the files of two folders with the same objects, one in each file, are looked at from two places', () => {
    const views = jest.spyOn(Alternatives.prototype, 'besides');
    const names = Array.from({ length: 30 }, (_, i) => `s${i}`);
    const files = names.flatMap((name) =>
      ['prod', 'staging'].map((folder) => [`${folder}/${name}.yaml`, service().replaceAll('web', name)] as const),
    );
    expect(checkedFiles(Object.fromEntries(files)).findings).toEqual([]);
    expect(views).toHaveBeenCalledTimes(2);
    const map = (value: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, namespace: shop}\ndata: {a: ${value}}\n`;
    expect(checkedFiles({ 'a.yaml': map('x'), 'b.yaml': map('y') }).findings).toHaveLength(1);
    expect(views).toHaveBeenCalledTimes(2);
    views.mockRestore();
  });

  test('copies of a Service in folders of their own claim nothing from each other', () => {
    const named = service().replace(
      'name: web}',
      'name: web, annotations: {service.beta.kubernetes.io/aws-load-balancer-name: edge}}',
    );
    const { findings } = checkedFiles({ 'base/a.yaml': named, 'overlays/a.yaml': named.replace('Cluster', 'Local') });
    expect(findings.filter(({ ruleId }) => ruleId.startsWith('exclusive-resource-conflict'))).toEqual([]);
    const other = checkedFiles({
      'base/a.yaml': named,
      'overlays/a.yaml': named.replace('name: web,', 'name: other,'),
    });
    expect(other.findings.filter(({ ruleId }) => ruleId.startsWith('exclusive-resource-conflict'))).toHaveLength(2);
  });

  const object = (apiVersion: string, kind: string, metadata: string, spec: string) =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {${metadata}}\nspec: ${spec}\n`;

  test.each<[string, string, string, string]>(
    casesIn(__dirname, 'objects.yaml')['a in three files is reported once with the files'],
  )('a %s %s in three files is reported once, with the files', (api, kind, metadata, title) => {
    const files = { 'a.yaml': object(api, kind, metadata, '{a: 1}'), 'b.yaml': object(api, kind, metadata, '{a: 1}') };
    const [said, ...others] = foundIn({ ...files, 'c.yaml': object(api, kind, metadata, '{a: 2}') });
    expect(others).toEqual([]);
    expect(said).toMatch(
      new RegExp(`^warning c\\.yaml:3:\\d+ ${title} is also in \\S+a\\.yaml:1 and \\S+b\\.yaml:1, with`),
    );
    expect(foundIn(files)).toEqual([]);
  });
});

describe('writers of one Service', () => {
  const SERVICE = 'edge/web-ingress-nginx-controller';
  const [namespace, name] = SERVICE.split('/');
  const dragonfly = `apiVersion: dragonflydb.io/v1alpha1
kind: Dragonfly
metadata: {namespace: edge, name: cache}
spec: {serviceSpec: {type: LoadBalancer, name: ${name}}}
`;
  const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {namespace: edge, name: web}
spec: {chart: {spec: {chart: ingress-nginx}}, values: {}}
`;
  const service = (more = '', type = 'ClusterIP', of = namespace) => `apiVersion: v1
kind: Service
metadata: {namespace: ${of}, name: ${name}${more}}
spec: {type: ${type}, selector: {app: web}, ports: [{port: 80}]}
`;

  const foundIn = (files: Readonly<Record<string, string>>) =>
    checkedFiles(files)
      .findings.filter(({ ruleId }) => ruleId === 'service-writers-conflict')
      .map(({ level, place, what }) => `${level} ${place.file.split('/').at(-1)}:${place.line} ${what}`);

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      'an operator and a chart',
      { 'a.yaml': release, 'b.yaml': dragonfly },
      /^warning b\.yaml:4 Service edge\/web-ingress-nginx-controller has .* others: HelmRelease edge\/web \(\S+a\.yaml:1\) and Dragonfly edge\/cache \(\S+b\.yaml:1\)$/,
    ],
    [
      'an operator and a file',
      { 'a.yaml': `${dragonfly}---\n${service()}` },
      /^warning a\.yaml:4 .* others: the manifest \(\S+a\.yaml:6\) and Dragonfly /,
    ],
    [
      'a chart and a file with a load balanced Service',
      { 'a.yaml': service('', 'LoadBalancer'), 'b.yaml': release },
      /^warning b\.yaml:4 .* others: the manifest \(\S+a\.yaml:1\) and HelmRelease /,
    ],
  ])('%s are reported once, at the resource that makes it', (_, files, expected) => {
    const [found, ...others] = foundIn(files);
    expect(found).toMatch(expected);
    expect(others).toEqual([]);
  });

  test('all writers are named', () => {
    const [found] = foundIn({ 'a.yaml': [service(), release, dragonfly].join('---\n') });
    expect(found).toMatch(
      / others: the manifest \(\S+:1\) and HelmRelease edge\/web \(\S+:6\) and Dragonfly edge\/cache \(\S+:11\)$/,
    );
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['copies of one resource', { 'a.yaml': dragonfly, 'b.yaml': dragonfly }],
    ['for different clusters', { 'web-prod.yaml': dragonfly, 'web-staging.yaml': service() }],
    ['in different namespaces', { 'a.yaml': dragonfly, 'b.yaml': service('', 'ClusterIP', 'shop') }],
    ['live', { 'a.yaml': dragonfly, 'b.yaml': `${service()}status: {loadBalancer: {}}\n` }],
    ['exported from a cluster', { 'a.yaml': dragonfly, 'b.yaml': service(', ownerReferences: [{kind: Dragonfly}]') }],
    ['written twice', { 'a.yaml': service(), 'b.yaml': service() }],
    ['named later', { 'a.yaml': dragonfly.replace(name, '$(NAME)'), 'b.yaml': service().replace(name, '$(NAME)') }],
  ])('Services that are %s are no mistake', (_, files) => expect(foundIn(files)).toEqual([]));
});
