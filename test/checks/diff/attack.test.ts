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

test.each([
  ['is filled in later', 'internal', '$(SCHEME)', 'unknown'],
  ['was filled in', '$(SCHEME)', 'internal', 'unknown'],
  ['is another variable', '$SCHEME', '$(SCHEME)', 'unknown'],
  ['is the same variable', '$(SCHEME)', '$(SCHEME)', 'kept'],
  ['is written on both sides', 'internal', 'internet-facing', 'replaced'],
])('what a value does that %s', (_, before, after, outcome) => {
  const folder = new Folder({
    'load-balancers.yaml': CONTEXT,
    'old/echo.yaml': service('echo', { scheme: before }),
    'new/echo.yaml': service('echo', { scheme: after }),
  });
  expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': outcome });
});
