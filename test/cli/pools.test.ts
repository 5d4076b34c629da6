import { AwsLoadBalancerController, EksAutoMode, HetznerCloud, MetalLb, NodePool, NodeTaint } from '../../src';
import { Workloads } from '../../src/rules/workload-rules';
import { checkedText, foundIn, saidBy } from '../support/checks';
import { casesIn, table, titled } from '../support/yaml-cases';
import { checkedFiles, fileOf, linesOf, type Row } from './checked';

const { pieces, rows, known, brokers, targets } = casesIn(__dirname, 'pool-taints.yaml');

const NOT_TOLERATED = 'pool-taint-not-tolerated';

test.each(titled<Row>(rows))('%s', (_, { of, count, says = '' }) => {
  const found = saidBy(NOT_TOLERATED, fileOf(pieces, of));
  expect(found).toHaveLength(count);
  expect(found.join()).toContain(says);
});

const INGEST = NodePool.labeled({ disk: 'fast', team: 'a' }, { name: 'ingest', taints: [NodeTaint.noExecute('gpu')] });

test.each(titled<Row>(known))('%s', (_, { of, count }) => {
  expect(saidBy(NOT_TOLERATED, fileOf(pieces, of), { nodePools: { ingest: INGEST } })).toHaveLength(count);
});

test.each(titled<Row>(brokers))('%s', (_, { of, expected }) => {
  expect(saidBy(NOT_TOLERATED, fileOf(pieces, of)).map((text) => text.split(':')[0])).toEqual(expected);
});

test.each(titled<Row>(targets))('the targets of a Service are tainted nodes: %s', (_, { of, said }) => {
  expect(saidBy('backend-without-pods', fileOf(pieces, of))).toEqual(said);
});

test('a pool of the same labels without the taint takes the pods', () => {
  const labels = { 'eks.amazonaws.com/nodegroup': 'ingest' };
  const tainted = NodePool.labeled(labels, { name: 'a', taints: [NodeTaint.noSchedule('gpu')] });
  const said = (nodePools: Record<string, NodePool>) =>
    saidBy('backend-without-pods', fileOf(pieces, ['workload', 'targets']), { nodePools }).length;
  expect(said({ tainted })).toBe(1);
  expect(said({ tainted, open: NodePool.labeled(labels, { name: 'b' }) })).toBe(0);
});

const service = { spec: { selector: { team: 'shop', app: 'a7' } } };

test('a label that all pods have is not what a workload is looked for by', () => {
  let looks = 0;
  const workload = (i: number) => ({
    kind: 'Deployment',
    metadata: { name: `d${i}` },
    get spec() {
      looks++;
      return { template: { metadata: { labels: { team: 'shop', app: `a${i}` } } } };
    },
  });
  const workloads = new Workloads(Array.from({ length: 500 }, (_, i) => workload(i)));
  looks = 0;
  expect(workloads.of(service).map(({ metadata }) => metadata.name)).toEqual(['d7']);
  expect(looks).toBeLessThan(10);
});

const containers = (text: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: echo, namespace: edge}
spec:
  selector: {matchLabels: {app: echo}}
  template:
    metadata: {labels: {app: echo}}
    spec:
${text}
`;

test.each<[string, string, string]>(table('cli/pools.yaml', 'places'))(
  '%s is reported at its own place',
  (_, text, at) => {
    const { findings } = checkedText(containers(text));
    expect(findings.map(({ place, ruleId }) => `${place.line}:${place.column} ${ruleId}`)).toEqual([at]);
  },
);

test('a Service of one pod of a StatefulSet selects it by the label that its controller writes', () => {
  const database = containers('      containers: [{name: a, ports: [{containerPort: 80}]}]').replace(
    'Deployment',
    'StatefulSet',
  );
  const service = (pod: string) => `---
apiVersion: v1
kind: Service
metadata: {name: one, namespace: edge}
spec: {selector: {app: echo, statefulset.kubernetes.io/pod-name: ${pod}}, ports: [{port: 80}]}
`;
  expect(checkedText(database + service('echo-0')).findings).toEqual([]);
});

describe('whether pods are behind a Service', () => {
  const pods = (labels: string, namespace = 'edge') => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: echo, namespace: ${namespace}}
spec:
  selector: {matchLabels: {${labels}}}
  template:
    metadata: {labels: {${labels}}}
    spec: {containers: [{name: echo, image: echo}]}
`;
  const selecting = (selector: string) => `apiVersion: v1
kind: Service
metadata: {name: echo, namespace: edge}
spec:
  type: LoadBalancer
  selector: {${selector}}
  ports: [{port: 443}]
`;
  test.each<[string, string, string[]]>([
    ['another value of a label', selecting('app: ecco') + pods('app: echo'), ['warning 6 selector-without-workload']],
    [
      'one of two labels',
      selecting('app: echo, tier: b') + pods('app: echo, tier: a'),
      ['warning 6 selector-without-workload'],
    ],
    ['the label of the pods', selecting('app: echo') + pods('app: echo'), []],
    ['a key that the pods do not have', selecting('name: ecco') + pods('app: echo'), []],
    ['pods of another namespace', selecting('app: ecco') + pods('app: echo', 'shop'), []],
    ['no workload among the files', selecting('app: ecco'), []],
  ])('%s', (_, file, found) => {
    expect(foundIn(file).filter((one) => one.includes('selector-without-workload'))).toEqual(found);
  });
});

describe('the port of a Service that a binding names', () => {
  const bound = (port: string, namespace = 'edge') => `apiVersion: v1
kind: Service
metadata: {name: echo, namespace: ${namespace}}
spec: {selector: {app: echo}, ports: [{name: https, port: 443}]}
---
apiVersion: elbv2.k8s.aws/v1beta1
kind: TargetGroupBinding
metadata: {name: echo, namespace: edge}
spec:
  targetGroupARN: arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/echo/0123456789abcdef
  targetType: ip
  serviceRef:
    name: echo
    port: ${port}
`;
  test.each<[string, string, string[]]>([
    ['a number that it lacks', bound('80'), ['error 14 binding-service-port-unknown']],
    ['a name that it lacks', bound('http'), ['error 14 binding-service-port-unknown']],
    ['its number', bound('443'), []],
    ['its name', bound('https'), []],
    ['a Service of another namespace', bound('80', 'shop'), []],
  ])('%s', (_, file, found) => {
    expect(foundIn(file).filter((one) => one.includes('binding-service-port-unknown'))).toEqual(found);
  });
});

test('a container that a patch of a kustomization adds has the port that a Service names', () => {
  const patch = (port: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: echo, namespace: edge}
spec: {template: {spec: {containers: [{name: proxy, ports: [{name: ${port}, containerPort: 8443}]}]}}}
`;
  const base = `${containers('      containers: [{name: echo, image: echo}]')}---
apiVersion: v1
kind: Service
metadata: {name: echo, namespace: edge}
spec: {selector: {app: echo}, ports: [{port: 8443, targetPort: https}]}
`;
  const of = (port: string) =>
    linesOf(
      checkedFiles({
        'base/echo.yaml': base,
        'default/proxy.yaml': patch(port),
        'default/kustomization.yaml': 'resources: [../base]\npatches: [{path: proxy.yaml}]\n',
      }),
    );
  expect([of('https'), of('other')]).toEqual([[], ['14 target-port-unknown']]);
});

describe('hetzner placement', () => {
  // Where the controller of Hetzner Cloud makes a balancer is in the Service, or in its own environment.

  const PREFIX = 'load-balancer.hetzner.cloud/';

  const service = (annotations = '', more = '') => `apiVersion: v1
kind: Service
metadata: {name: web, annotations: {${annotations}}}
spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 443}]}
${more}`;

  const manager = (container: string) => `
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: hcloud-cloud-controller-manager, namespace: kube-system}
spec:
  template:
    spec:
      containers:
        - image: docker.io/hetznercloud/hcloud-cloud-controller-manager:v1.35.0
          name: manager
          ${container}`;

  const BARE = manager('env: [{name: HCLOUD_TOKEN, value: a}]');
  const by = (annotation: string) => `${PREFIX}${annotation}`;
  const CONTEXT = { controllers: [HetznerCloud.loadBalancer()] };
  const said = (content: string) => saidBy('hetzner-location-missing', content, CONTEXT);

  test('a balancer is nowhere', () => {
    expect(said(service() + BARE)).toEqual([
      `error 1: no balancer is made: the Service sets neither location nor network zone, and Deployment hcloud-cloud-controller-manager has no default; set ${PREFIX}location, or HCLOUD_LOAD_BALANCERS_LOCATION of the controller`,
    ]);
  });

  test.each<[string, string, number]>([
    ['has a location', service(by('location: fsn1')) + BARE, 0],
    ['has a network zone', service(by('network-zone: eu-central')) + BARE, 0],
    ['takes a balancer that has its name', service(by('name: web')) + BARE, 0],
    ['has an address', service('', 'status: {loadBalancer: {ingress: [{ip: 192.0.2.1}]}}') + BARE, 0],
    ['has another type', service().replace('LoadBalancer', 'NodePort') + BARE, 0],
    [
      'has the location of its controller',
      service() + manager('env: [{name: HCLOUD_LOAD_BALANCERS_LOCATION, value: fsn1}]'),
      0,
    ],
    [
      'has the zone of its controller',
      service() + manager('env: [{name: HCLOUD_LOAD_BALANCERS_NETWORK_ZONE, valueFrom: {}}]'),
      0,
    ],
    [
      'may have what an environment of its controller says',
      service() + manager('envFrom: [{secretRef: {name: hcloud}}]'),
      0,
    ],
    ['may have a default of a controller that is not to be seen', service(), 0],
  ])('a Service %s', (_, content, count) => expect(said(content)).toHaveLength(count));
});

const controller = (namespace: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: controller, namespace: ${namespace}}
spec: {template: {spec: {containers: [{name: controller, image: "quay.io/metallb/controller:v0.16.1"}]}}}
---
`;

const pool = (namespace: string, kind = 'IPAddressPool') => `apiVersion: metallb.io/v1beta1
kind: ${kind}
metadata: {name: edge${namespace && `, namespace: ${namespace}`}}
spec: {${kind === 'IPAddressPool' ? 'addresses: [192.0.2.0/28]' : ''}}
`;

const said = (content: string, context: Parameters<typeof saidBy>[2] = {}) =>
  saidBy('metallb-namespace-mismatch', content, context);

test('a pool is read in the namespace of MetalLB alone', () => {
  expect(said(controller('metallb-system') + pool('default'))).toEqual([
    'warning 8: MetalLB runs in namespace metallb-system, and ignores objects of its kinds in namespace default; put it into namespace metallb-system, or list metallb-namespace-mismatch under accepted in load-balancers.yaml if it is for another cluster',
  ]);
});

test.each<[string, string, Parameters<typeof saidBy>[2], number]>(table('cli/pools.yaml', 'a pool'))(
  'a pool %s',
  (_, content, context, count) => expect(said(content, context)).toHaveLength(count),
);

test.each<[string, string, string, string]>(table('cli/pools.yaml', 'Services that share a port and an address'))(
  'two Services of one port and one address of MetalLB %s',
  (_, key, policy, why) => {
    const one = (name: string, more = '') =>
      `apiVersion: v1\nkind: Service\nmetadata: { name: ${name}, namespace: x, annotations: { ${key}metallb.io/loadBalancerIPs: 10.0.0.5 } }\nspec: { type: LoadBalancer, selector: { a: b }, ports: [{ port: 80 }]${more} }\n`;
    const [found] = saidBy('exclusive-resource-conflict', `${one('a')}---\n${one('b', policy)}`, {
      controllers: [MetalLb.layer2()],
    });
    expect(found).toContain(`${why}, so the later one gets no address`);
  },
);

test.each([
  ['eks.amazonaws.com/nlb', EksAutoMode.nlb(), 'does not document it'],
  ['service.k8s.aws/nlb', AwsLoadBalancerController.nlb(), 'ignores it'],
])('of class %s, what its controller does with a foreign annotation is as far as it is known', (name, owner, fate) => {
  const yaml = `apiVersion: v1\nkind: Service\nmetadata: { name: a, annotations: { service.beta.kubernetes.io/aws-load-balancer-connection-idle-timeout: '60' } }\nspec: { type: LoadBalancer, loadBalancerClass: ${name}, ports: [{ port: 80 }] }\n`;
  expect(saidBy('annotation-for-other-controller', yaml, { controllers: [owner] })).toEqual([
    expect.stringContaining(`which owns this balancer, ${fate};`),
  ]);
});
