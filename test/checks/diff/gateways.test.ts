import { Folder } from './repository';

// The command about Gateways of which a balancer is made without a Service, and about targets of balancers that are made elsewhere.

const CLASS = `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: nlb }
spec: { controllerName: gateway.k8s.aws/nlb }
`;
const GATEWAY = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: shared, namespace: edge }
spec:
  gatewayClassName: nlb
  listeners: [{ name: kafka, port: 9094, protocol: TCP }]
`;
const BINDING = `apiVersion: elbv2.k8s.aws/v1beta1
kind: TargetGroupBinding
metadata: { name: echo, namespace: edge }
spec:
  targetGroupARN: arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/echo/0123456789abcdef
  serviceRef: { name: echo, port: 80 }
`;

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
