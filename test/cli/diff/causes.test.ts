import { casesIn, titled } from '../../support/yaml-cases';
import { fileOf, type Row } from '../checked';
import { CONTEXT, Folder, service } from './repository';

describe('a webhook that may be on gives new Services another owner', () => {
  const context = (webhook: string) => `
controllers:
  - cloud-provider-aws
  - { name: aws-load-balancer-controller, version: 3.5.0${webhook} }
`;
  const classless = (scheme: string) => `
apiVersion: v1
kind: Service
metadata:
  name: echo
  namespace: edge
  annotations: { service.beta.kubernetes.io/aws-load-balancer-scheme: ${scheme} }
spec:
  type: LoadBalancer
  selector: { app: echo }
  ports: [{ name: tcp, port: 80 }]
`;
  const side = (name: string, scheme: string, webhook: string) => ({
    [`${name}/load-balancers.yaml`]: context(webhook),
    [`${name}/echo.yaml`]: classless(scheme),
  });

  test.each([
    ['is not spoken of', '', 'unknown'],
    ['is off', ', serviceMutatorWebhook: false', 'kept'],
    ['is on', ', serviceMutatorWebhook: true', 'replaced'],
  ])('where it %s', (_, webhook, outcome) => {
    const folder = new Folder({ ...side('old', 'internal', webhook), ...side('new', 'internet-facing', webhook) });
    expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': outcome });
  });
});

test('a Service that asks for its first balancer by an update gets no class of a webhook', () => {
  const plain = (type: string) =>
    `apiVersion: v1\nkind: Service\nmetadata: { name: echo, namespace: edge }\nspec: { type: ${type}, selector: { app: echo }, ports: [{ port: 80 }] }\n`;
  const folder = new Folder({
    'load-balancers.yaml':
      'controllers: [cloud-provider-aws, { name: aws-load-balancer-controller, serviceMutatorWebhook: true }]\n',
    'old/echo.yaml': plain('ClusterIP'),
    'new/echo.yaml': plain('LoadBalancer'),
  });
  const { out } = folder.diff(['old', 'new', '--format', 'json']);
  expect(out).toContain('"owner": "cloud-provider-aws"');
  expect(out).not.toContain('"owner": "aws-load-balancer-controller"');
  folder.write({
    'old/echo.yaml': plain('LoadBalancer').replace('name: echo,', 'name: echo, uid: "1", resourceVersion: "1",'),
  });
  expect(folder.diff(['old', 'new', '--format', 'json']).out).not.toContain('"owner": "aws-load-balancer-controller"');
});

test('a class that comes as the type annotation goes is refused, and nothing else happens', () => {
  const folder = new Folder({
    'load-balancers.yaml': CONTEXT,
    'old/echo.yaml': `apiVersion: v1\nkind: Service\nmetadata: { name: echo, namespace: edge, annotations: { service.beta.kubernetes.io/aws-load-balancer-type: external, service.beta.kubernetes.io/aws-load-balancer-nlb-target-type: ip } }\nspec: { type: LoadBalancer, selector: { app: echo }, ports: [{ port: 80 }] }\n`,
    'new/echo.yaml': `apiVersion: v1\nkind: Service\nmetadata: { name: echo, namespace: edge, annotations: { service.beta.kubernetes.io/aws-load-balancer-nlb-target-type: ip } }\nspec: { type: LoadBalancer, loadBalancerClass: service.k8s.aws/nlb, selector: { app: echo }, ports: [{ port: 80 }] }\n`,
  });
  expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': 'refused' });
});

test.each([
  ['metallb', 'keep the class: no running controller serves the new one'],
  ['metallb, aws-load-balancer-controller', 'keep the class, and create a second Service'],
])('a class for a live Service of a cluster with %s is refused', (controllers, remedy) => {
  const echo = (spec: string) =>
    `apiVersion: v1\nkind: Service\nmetadata: { name: echo, namespace: edge }\nspec: { type: LoadBalancer, selector: { app: echo }, ports: [{ port: 80 }]${spec} }\n`;
  const folder = new Folder({
    'load-balancers.yaml': `controllers: [${controllers}]\n`,
    'old/echo.yaml': echo(''),
    'new/echo.yaml': echo(', loadBalancerClass: service.k8s.aws/nlb'),
  });
  expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': 'refused' });
  expect(folder.diff(['old', 'new', '--format', 'json']).out).toContain(`"remedy": "${remedy}`);
});

test('the same targets and ranges in other words are kept', () => {
  const AWS = 'service.beta.kubernetes.io/aws-load-balancer';
  const one = (annotations: string, more: string) =>
    `apiVersion: v1\nkind: Service\nmetadata: { name: echo, namespace: edge, annotations: { ${annotations} } }\nspec: { type: LoadBalancer, selector: { app: echo }, ports: [{ port: 80 }]${more} }\n`;
  const ranges = ', loadBalancerSourceRanges: [10.0.0.0/8]';
  const after = (targets: string, range: string) =>
    one(
      `${AWS}-type: external, ${AWS}-nlb-target-type: ${targets}, service.beta.kubernetes.io/load-balancer-source-ranges: ${range}`,
      '',
    );
  const outcome = (text: string) =>
    new Folder({
      'load-balancers.yaml': CONTEXT,
      'old/echo.yaml': one(`${AWS}-type: nlb-ip`, ranges),
      'new/echo.yaml': text,
    }).outcomes('old', 'new')['edge/echo'];
  expect(outcome(after('ip', '10.0.0.0/8'))).toBe('kept');
  expect(outcome(after('ip', '10.0.0.0/9'))).toBe('interrupted');
  expect(outcome(after('instance', '10.0.0.0/8'))).toBe('interrupted');
});

test('node ports that are there stay where no more are allocated', () => {
  const one = (more: string, port: number) =>
    `apiVersion: v1\nkind: Service\nmetadata: { name: echo, namespace: edge }\nspec: { type: LoadBalancer, loadBalancerClass: service.k8s.aws/nlb, selector: { app: echo }, ports: [{ port: ${port} }]${more} }\n`;
  const outcome = (port: number) =>
    new Folder({
      'load-balancers.yaml': CONTEXT,
      'old/echo.yaml': one('', 80),
      'new/echo.yaml': one(', allocateLoadBalancerNodePorts: false', port),
    }).outcomes('old', 'new');
  expect(outcome(80)).toEqual({ 'edge/echo': 'kept' });
  expect(outcome(81)).toEqual({ 'edge/echo': 'refused' });
});

test.each([
  ['0.47.0', 'kept'],
  ['1.2.0', 'refused'],
])('a class taken from a listener of Strimzi %s is %s', (strimzi, outcome) => {
  const kafka = (configuration: string) =>
    `apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nmetadata: { name: events, namespace: kafka }\nspec: { kafka: { version: 4.0.0, listeners: [{ name: external, port: 9094, type: loadbalancer, tls: true, configuration: { finalizers: [service.k8s.aws/resources]${configuration} } }] } }\n`;
  const folder = new Folder({
    'load-balancers.yaml': `controllers: [aws-load-balancer-controller]\nstrimzi: '${strimzi}'\n`,
    'old/kafka.yaml': kafka(', class: service.k8s.aws/nlb'),
    'new/kafka.yaml': kafka(''),
  });
  expect(Object.values(folder.outcomes('old', 'new'))).toContain(outcome);
});

describe('an annotation by which a Service may get another owner', () => {
  const typed = (type: string) => `apiVersion: v1
kind: Service
metadata:
  { name: echo, namespace: edge, annotations: { service.beta.kubernetes.io/aws-load-balancer-type: ${type} } }
spec: { type: LoadBalancer, selector: { app: echo }, ports: [{ port: 443 }] }
`;
  const outcomes = (context: string, before: string, after: string) =>
    new Folder({
      'old/load-balancers.yaml': context,
      'new/load-balancers.yaml': context,
      'old/echo.yaml': typed(before),
      'new/echo.yaml': typed(after),
    }).outcomes('old', 'new');

  test.each([
    ['external', 'nlb'],
    ['nlb', 'external'],
    ['nlb', 'nlb-ip'],
  ])('from %s to %s it is unknown where a webhook may be on', (before, after) => {
    expect(outcomes(CONTEXT, before, after)).toEqual({ 'edge/echo': 'unknown' });
  });

  test('of what nobody balanced nothing is lost', () => {
    expect(outcomes('controllers: [cloud-provider-aws]\n', 'external', 'nlb')).toEqual({ 'edge/echo': 'created' });
  });
});

test.each<[string, string, string, string]>(casesIn(__dirname, 'causes.yaml')['what a value does that'])(
  'what a value does that %s',
  (_, before, after, outcome) => {
    const folder = new Folder({
      'load-balancers.yaml': CONTEXT,
      'old/echo.yaml': service('echo', { scheme: before }),
      'new/echo.yaml': service('echo', { scheme: after }),
    });
    expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': outcome });
  },
);

const kafka = (replicas: number, { ids = '[0-99]', living = '' } = {}) => `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: { name: orders, namespace: kafka${living && ', uid: 00000000-0000-0000-0000-000000000001'} }
spec:
  kafka:
    listeners:
      - name: external
        port: 9094
        type: loadbalancer
        tls: true
        configuration: { class: service.k8s.aws/nlb, finalizers: [service.k8s.aws/resources] }
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata:
  name: brokers
  namespace: kafka
  labels: { strimzi.io/cluster: orders }
  annotations: { strimzi.io/next-node-ids: "${ids}" }${living && '\n  uid: 00000000-0000-0000-0000-000000000002'}
spec: { replicas: ${replicas}, roles: [broker], storage: { type: ephemeral } }
${living && `status: { nodeIds: ${living} }\n`}`;

const folder = (old: string, now: string) =>
  new Folder({ 'old/kafka.yaml': old, 'new/kafka.yaml': now, 'load-balancers.yaml': CONTEXT });

test('how one broker is accepted is printed, and what is printed accepts it', () => {
  const one = folder(kafka(3), kafka(2));
  const { out, code } = one.diff(['old', 'new']);
  expect(code).toBe(1);
  const [, object] = /accept {3}--allow deleted=(\S+), or object: \1/.exec(out) ?? [];
  expect(object).toBe('kafka/orders-brokers-2');
  expect(one.diff(['old', 'new', '--allow', `deleted=${object}`]).code).toBe(0);
  expect(one.diff(['old', 'new', '--allow', 'deleted=Kafka kafka/orders']).code).toBe(0);
  expect(one.diff(['old', 'new', '--allow', 'deleted=Kafka kafka/orders']).out).not.toContain('--allow');
  expect(one.diff(['old', 'new', '--format', 'markdown']).out).toContain('accept: ');
});

test('how several are accepted names all of them, and what they are made of', () => {
  const { out } = folder(kafka(3), kafka(1)).diff(['old', 'new']);
  expect(out.replace(/\s+/g, ' ')).toContain(
    "accept --allow 'deleted=Kafka kafka/orders' for all balancers of Kafka kafka/orders, or each as object in load-balancers.yaml: kafka/orders-brokers-1, kafka/orders-brokers-2",
  );
});

test('a live pool keeps the ids of its nodes', () => {
  const outcomes = folder(kafka(2, { living: '[5, 6]' }), kafka(2, { ids: '[10-99]' })).outcomes('old', 'new');
  expect(Object.values(outcomes)).toEqual(['kept', 'kept', 'kept']);
  expect(Object.keys(outcomes)).toContain("kafka/orders, listener 'external', broker 6");
});

describe('gateways', () => {
  // The command about Gateways of which a balancer is made without a Service, and about targets of balancers that are made elsewhere.

  const CLASS = `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: nlb }
spec: { controllerName: gateway.k8s.aws/nlb }
`;
  const GATEWAY = casesIn(__dirname, 'causes.yaml').gateway;
  const BINDING = casesIn(__dirname, 'causes.yaml').binding;

  function folder(before: string, after: string): Folder {
    return new Folder({ 'old/a.yaml': before, 'new/a.yaml': after, 'load-balancers.yaml': 'region: us-east-1\n' });
  }

  const ALL = `${CLASS}---\n${GATEWAY}`;
  const EMPTY = `${CLASS}---\n`;

  test('one that goes is a loss with its price, and is accepted by its name', () => {
    const gone = folder(ALL, EMPTY);
    const { out, code } = gone.diff(['old', 'new', '--prune']);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^DELETED {6}Gateway edge\/shared\n {2}metadata\.name Gateway edge\/shared removed \(old\/a\.yaml:8\): /m,
    );
    expect(out).toContain('per month, by list price: USD 16.43 -> 0.00');
    // neither how it is accepted, which its title says, nor that a balancer is made of it, which it is compared for
    expect(out).not.toMatch(/accept|note/);
    for (const name of ['edge/shared', 'Gateway edge/shared']) {
      expect(gone.diff(['old', 'new', '--prune', '--allow', `deleted=${name}`]).code).toBe(0);
    }
  });

  test('one whose class is on no side says what shows it', () => {
    const { out, code } = folder(GATEWAY, GATEWAY.replace('9094', '9095')).diff(['old', 'new']);
    expect(code).toBe(0);
    expect(out).toMatch(/^UNKNOWN {6}Gateway edge\/shared\n/m);
    expect(out.replace(/\s+/g, ' ')).toContain('kubectl get gatewayclass nlb -o yaml');
    // what both sides have alike is said once
    expect(out.match(/^note: /gm)).toHaveLength(1);
  });

  test('one that a dump lacks is created, unless the dump has no Gateways', () => {
    const live = (text: string) => text.replace('namespace: edge }', 'namespace: edge, uid: u, resourceVersion: "1" }');
    const other = live(GATEWAY.replace('name: shared', 'name: other'));
    expect(folder(`${CLASS}---\n${other}`, ALL).outcomes('old', 'new')['Gateway edge/shared']).toBe('created');
    const service = live(
      `apiVersion: v1\nkind: Service\nmetadata: { name: echo, namespace: edge }\nspec: { ports: [{ port: 1 }] }\n`,
    );
    const { out } = folder(service, ALL).diff(['old', 'new']);
    expect(out).toMatch(/^UNKNOWN {6}Gateway edge\/shared\n/m);
    expect(out).toContain('the Gateways of the cluster in the dump');
  });

  test('targets of a balancer that is made elsewhere have no price', () => {
    const { out, code } = folder(`${ALL}---\n${BINDING}`, ALL).diff(['old', 'new', '--prune']);
    expect(code).toBe(1);
    expect(out).toMatch(/^INTERRUPTED {2}TargetGroupBinding edge\/echo\n/m);
    expect(out).toContain('per month, by list price: no difference');
    expect(out).not.toContain('not known');
  });

  describe('parameters without a namespace, which a kustomization gives them', () => {
    const texts = (type: string, namespace = '') => `apiVersion: gateway.envoyproxy.io/v1alpha1
kind: EnvoyProxy
metadata: { name: proxy${namespace} }
spec: { provider: { type: Kubernetes, kubernetes: { envoyService: { type: ${type} } } } }
---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: proxy }
spec:
  controllerName: gateway.envoyproxy.io/gatewayclass-controller
  parametersRef: { group: gateway.envoyproxy.io, kind: EnvoyProxy, name: proxy, namespace: network }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: outside }
spec: { gatewayClassName: proxy, listeners: [{ name: https, port: 443, protocol: HTTPS }] }
`;

    test.each([
      ['none', '', 'deleted'],
      ['the one that is named', ', namespace: network', 'deleted'],
      ['another one', ', namespace: other', 'kept'],
    ])('%s', (_, namespace, outcome) => {
      const { changes, notes } = folder(texts('LoadBalancer', namespace), texts('ClusterIP', namespace)).json(
        'old',
        'new',
      );
      expect(changes.find(({ title }) => title === 'Gateway outside')?.outcome).toBe(outcome);
      expect(notes.some((note) => note.includes('none of these files holds one'))).toBe(outcome === 'kept');
    });
  });

  test('what may be made of objects that are not compared is no sign that nothing is there', () => {
    const cluster = `apiVersion: data.example.com/v1
kind: Database
metadata: { name: db, namespace: edge }
spec: { managed: { services: { additional: [{ selectorType: rw, serviceTemplate: { spec: { type: LoadBalancer } } }] } } }
`;
    const some = folder(cluster, cluster);
    expect(some.diff(['old', 'new']).out).toContain('no load balancer can be compared');
    expect([some.diff(['old', 'new']).code, some.diff(['old', 'new', '--strict']).code]).toEqual([0, 1]);
    const none = folder(CLASS, CLASS);
    expect(none.diff(['old', 'new', '--strict'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('no load balancers'),
    });
  });
});

const { pieces, rows, edits } = casesIn(__dirname, 'unknown-owners.yaml');

const OPEN = "kubernetes: '1.36'\n";

test.each(titled<Row>(rows))(
  '%s',
  (_, { before, after, field, outcome = 'unknown', service = 'service', context = OPEN }) => {
    const web = fileOf(pieces, [service]);
    const folder = new Folder({
      'load-balancers.yaml': context,
      'old/web.yaml': web,
      'new/web.yaml': web,
      ...(before.length > 0 && { 'old/beside.yaml': fileOf(pieces, before) }),
      ...(after.length > 0 && { 'new/beside.yaml': fileOf(pieces, after) }),
    });
    const { changes } = folder.json('old', 'new');
    const change = changes.find(({ title }) => title === 'edge/web');
    const causes = (change?.causes ?? []).filter(({ outcome }) => outcome !== 'kept');
    expect([change?.outcome, ...causes.map((one) => one.field)]).toEqual(
      field === undefined ? ['kept'] : [outcome, field],
    );
    for (const cause of causes) {
      expect((cause.after ?? cause.before)?.file).toMatch(/beside\.yaml$/);
      expect(cause.needs?.length).toBe(outcome === 'unknown' ? 1 : undefined);
    }
    expect(folder.diff(['old', 'new', '--strict']).code).toBe(field === undefined ? 0 : 1);
  },
);

test.each(titled<Row>(edits))('an edit says nothing of controllers that do not run: %s', (_, edit) => {
  const { metadata, context = OPEN, said } = edit;
  const at = (address: string) => fileOf(pieces, [{ service: { metadata, spec: `loadBalancerIP: ${address}, ` } }]);
  const folder = new Folder({
    'load-balancers.yaml': context,
    'old/web.yaml': at('192.0.2.9'),
    'new/web.yaml': at('192.0.2.10'),
  });
  const [{ causes }] = folder.json('old', 'new').changes;
  expect(causes.map(({ outcome, why }) => `${outcome}: ${why}`)).toEqual([said]);
});
