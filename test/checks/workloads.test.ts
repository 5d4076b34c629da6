import { Workloads } from '../../src/rules/workload-rules';
import { checkedText, foundIn } from '../support/checked';
import { checkedFiles, linesOf } from './checked';

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

test.each([
  [
    'a port that a probe names as well',
    '      containers: [{name: a, readinessProbe: {tcpSocket: {port: 99999}},\n        ports: [{containerPort: 99999}]}]',
    '10:18 container-port',
  ],
  [
    'a name of a port of the second container',
    '      containers: [{name: a, ports: [{containerPort: 80}]},\n        {name: b, ports: [{containerPort: 80, name: Http}]}]',
    '10:47 container-port',
  ],
  [
    'the second toleration',
    '      tolerations: [{key: a, operator: Exists},\n        {key: b, operator: Is}]\n      containers: [{name: a}]',
    '10:9 toleration',
  ],
  [
    'the second expression of the node affinity',
    '      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [\n        {key: a, operator: Exists}, {key: b}]}]}}}\n      containers: [{name: a}]',
    '10:37 node-affinity',
  ],
])('%s is reported at its own place', (_, text, at) => {
  const { findings } = checkedText(containers(text));
  expect(findings.map(({ place, ruleId }) => `${place.line}:${place.column} ${ruleId}`)).toEqual([at]);
});

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
    ['another value of a label', selecting('app: ecco') + pods('app: echo'), ['warning 6 selects-no-workload']],
    [
      'one of two labels',
      selecting('app: echo, tier: b') + pods('app: echo, tier: a'),
      ['warning 6 selects-no-workload'],
    ],
    ['the label of the pods', selecting('app: echo') + pods('app: echo'), []],
    ['a key that the pods do not have', selecting('name: ecco') + pods('app: echo'), []],
    ['pods of another namespace', selecting('app: ecco') + pods('app: echo', 'shop'), []],
    ['no workload among the files', selecting('app: ecco'), []],
  ])('%s', (_, file, found) => {
    expect(foundIn(file).filter((one) => one.includes('selects-no-workload'))).toEqual(found);
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
    ['a number that it lacks', bound('80'), ['error 14 binding-service-port']],
    ['a name that it lacks', bound('http'), ['error 14 binding-service-port']],
    ['its number', bound('443'), []],
    ['its name', bound('https'), []],
    ['a Service of another namespace', bound('80', 'shop'), []],
  ])('%s', (_, file, found) => {
    expect(foundIn(file).filter((one) => one.includes('binding-service-port'))).toEqual(found);
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
  expect([of('https'), of('other')]).toEqual([[], ['14 target-port-exists']]);
});
