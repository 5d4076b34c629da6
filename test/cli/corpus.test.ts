import { join } from 'node:path';
import { isNamed, mistakesIn } from '../../scripts/corpus/mistakes';
import {
  AwsCloudProvider,
  AzureCloudProvider,
  Cilium,
  EksAutoMode,
  type ILoadBalancerController,
  MetalLb,
} from '../../src';
import { check } from '../../src/cli/check';
import { NO_CONTEXT } from '../../src/cli/context/check-context';
import { titleOf } from '../../src/cli/formats/words';
import { readManifests } from '../../src/cli/manifests';
import { clustersOf } from '../../src/cli/sources/clusters';
import type { Json } from '../../src/contract/json';
import { readKubernetesYaml } from '../../src/contract/kubernetes-yaml';
import { InstalledOtherController } from '../../src/controllers/other-controller';
import { folderWith } from '../support/files';
import { table, tablesOf } from '../support/yaml-cases';
import { checked, checkedFiles, linesOf } from './checked';
import { Folder } from './diff/repository';

const variables = tablesOf<Record<string, never>>(join(__dirname, 'variables.yaml'));

// Mistakes that people make in manifests that are public, each shortened to what makes it one, with the line that must be named;
// and beside it what looks like it and is right.

const AWS = 'service.beta.kubernetes.io/aws-load-balancer';

interface Wanted {
  readonly annotations?: readonly string[];
  readonly spec?: readonly string[];
  readonly labels?: string;
}

/** A load balanced Service: its annotations begin in line 6, and what its spec has more in the line after its ports. */
function service({ annotations = [], spec = [], labels }: Wanted): string {
  return [
    'apiVersion: v1',
    'kind: Service',
    'metadata:',
    '  name: web',
    ...(annotations.length > 0 ? ['  annotations:', ...annotations.map((one) => `    ${one}`)] : []),
    ...(labels === undefined ? [] : [`  labels: ${labels}`]),
    'spec:',
    '  type: LoadBalancer',
    '  selector: { app: web }',
    '  ports: [{ port: 443 }]',
    ...spec.map((one) => `  ${one}`),
    '',
  ].join('\n');
}

function kafka(listeners: readonly string[], more: readonly string[] = [], apiVersion = 'v1'): string {
  return [
    `apiVersion: kafka.strimzi.io/${apiVersion}`,
    'kind: Kafka',
    'metadata:',
    '  name: events',
    'spec:',
    '  kafka:',
    '    authorization: { type: simple }',
    '    listeners:',
    ...listeners.map((one) => `      ${one}`),
    ...more.map((one) => `    ${one}`),
    '---',
    'apiVersion: kafka.strimzi.io/v1',
    'kind: KafkaNodePool',
    'metadata:',
    '  name: nodes',
    '  labels: { strimzi.io/cluster: events }',
    'spec:',
    '  replicas: 3',
    '  roles: [broker, controller]',
    '  storage: { type: ephemeral }',
    '',
  ].join('\n');
}

function binding(spec: readonly string[], metadata: readonly string[] = [], apiVersion = 'v1beta1'): string {
  return [
    `apiVersion: elbv2.k8s.aws/${apiVersion}`,
    'kind: TargetGroupBinding',
    'metadata:',
    '  name: web',
    ...metadata.map((one) => `  ${one}`),
    'spec:',
    '  serviceRef: { name: web, port: 80 }',
    '  targetGroupARN: arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/web/0123456789abcdef',
    '  targetType: ip',
    ...spec.map((one) => `  ${one}`),
    '',
  ].join('\n');
}

const NETWORKING = [
  'networking: { ingress: [{ from: [{ securityGroup: { groupID: sg-0123456789abcdef0 } }], ports: [] }] }',
];

test.each<[mistake: string, file: string, found: string[]]>(table('cli/corpus.yaml', 'is named with its line'))(
  '%s is named with its line',
  (_, file, found) => expect(linesOf(checked(file))).toEqual(found),
);

test.each<[right: string, file: string]>(table('cli/corpus.yaml', 'is right'))('%s is right', (_, file) =>
  expect(linesOf(checked(file))).toEqual([]),
);

const notesIn = (file: string) =>
  checked(file)
    .findings.filter(({ level }) => level === 'note')
    .map(({ place, ruleId }) => `${place.line} ${ruleId}`);

test.each<[what: string, file: string, notes: string[]]>(table('cli/corpus.yaml', 'of a note is made'))(
  'of %s a note is made',
  (_, file, notes) => expect(notesIn(file)).toEqual(notes),
);

test.each<[mistake: string, controllers: ILoadBalancerController[], file: string, found: string[]]>([
  [
    'an annotation of a controller without rules',
    [AzureCloudProvider.standard()],
    service({ annotations: ['service.beta.kubernetes.io/osc-load-balancer-name: a'] }),
    ['6 annotation-for-unlisted-controller'],
  ],
  ['a binding that no controller serves', [EksAutoMode.nlb()], binding(NETWORKING), ['1 binding-without-controller']],
  ['a binding that may be served', [new InstalledOtherController('a', [], true)], binding(NETWORKING), []],
  [
    'type external where the controller that it is for does not run',
    [AwsCloudProvider.nlb()],
    service({ annotations: [`${AWS}-type: external`] }),
    ['8 service-without-controller'],
  ],
  [
    'TCP beside UDP, once',
    [AwsCloudProvider.classic()],
    service({}).replace('{ port: 443 }', '{ name: a, port: 443 }, { name: b, port: 443, protocol: UDP }'),
    ['8 aws-cloud-mixed-protocols'],
  ],
  [
    'Services of one sharing key and different selectors, at both',
    [MetalLb.bgp()],
    ['web', 'blog'].map((name, i) => sharing(name, 80 + i)).join('---\n'),
    ['7 exclusive-resource-conflict', '20 exclusive-resource-conflict'],
  ],
])('%s is named where it is known what runs', (_, controllers, file, found) => {
  expect(linesOf(checked(file, { controllers }))).toEqual(found);
});

function sharing(app: string, port: number): string {
  return service({
    annotations: ['metallb.io/allow-shared-ip: front', 'metallb.io/loadBalancerIPs: 192.0.2.50'],
    spec: ['externalTrafficPolicy: Local'],
  })
    .replace('name: web', `name: ${app}`)
    .replace('app: web', `app: ${app}`)
    .replace('443', String(port));
}

const route = (name: string, parentRef: string) =>
  `---\napiVersion: gateway.networking.k8s.io/v1alpha2\nkind: TCPRoute\nmetadata: { name: ${name} }\nspec:\n  parentRefs:\n    - { name: web, ${parentRef} }\n  rules: [{ backendRefs: [{ name: a, port: 80 }] }]\n`;
const TWO_PORTS =
  'apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: { name: web }\nspec:\n  gatewayClassName: web\n  listeners:\n    - { name: one, port: 9300, protocol: TCP }\n    - { name: two, port: 9301, protocol: TCP }\n';

test('a route attaches to the listener that it names by its port', () => {
  const both = TWO_PORTS + route('a', 'port: 9300');
  expect(linesOf(checked(both + route('b', 'sectionName: two')))).toEqual([]);
  expect(linesOf(checked(both + route('b', 'sectionName: one')))).toEqual(['22 gateway-tcp-route-conflict']);
  const { findings } = checked(TWO_PORTS + route('a', 'port: 9302'));
  expect(findings.map(({ what }) => what)).toEqual([
    expect.stringContaining('has no listener with port 9302, only one, two'),
  ]);
});

test.each([
  ['v1alpha2', []],
  ['v1', ['4 tls-route-hostname-invalid']],
])('a TLSRoute of %s without host names', (version, found) => {
  const text = `apiVersion: gateway.networking.k8s.io/${version}\nkind: TLSRoute\nmetadata: { name: a }\nspec: { parentRefs: [{ name: b }], rules: [{ backendRefs: [{ name: c, port: 80 }] }] }\n`;
  expect(linesOf(checked(text))).toEqual(found);
});

test('a controller may read from its node what it has no flag for', () => {
  const { findings } = checked(`\
apiVersion: apps/v1
kind: Deployment
metadata: { name: aws-load-balancer-controller }
spec:
  selector: { matchLabels: { app: a } }
  template:
    metadata: { labels: { app: a } }
    spec:
      containers:
        - { name: controller, image: "public.ecr.aws/eks/aws-load-balancer-controller:v3.5.0", args: [--cluster-name=a] }
`);
  const levelOf = (id: string) => findings.find(({ ruleId }) => ruleId === id)?.level;
  expect(['aws-region-invalid', 'vpc-id-invalid'].map(levelOf)).toEqual(['warning', 'warning']);
});

describe('what was read of a cluster', () => {
  const dump = (uid: string) => `\
apiVersion: apps/v1
kind: Deployment
metadata: { name: aws-load-balancer-controller, namespace: kube-system${uid} }
spec:
  selector: { matchLabels: { app: a } }
  template:
    metadata: { labels: { app: a } }
    spec:
      containers:
        - { name: controller, image: "public.ecr.aws/eks/aws-load-balancer-controller:v2.11.0", args: [--cluster-name=a] }
---
${service({ spec: ['loadBalancerClass: service.k8s.aws/nlb'] })}`;
  const told = (uid: string) => linesOf(checked(dump(uid))).map((line) => line.split(' ')[1]);

  test('is in one file without being deleted together, and has from elsewhere what its manifest lacks', () => {
    const ids = ['controller-in-chart-of-services', 'aws-region-invalid', 'vpc-id-invalid'];
    expect(told('')).toEqual(expect.arrayContaining(ids));
    expect(told(', uid: u').filter((id) => ids.includes(id))).toEqual([]);
  });

  test('asks for nothing that constructs alone know, and names what it asks for', () => {
    const needs = checked(dump(', uid: u')).unknown.flatMap((one) => one.needs);
    expect([...new Set(needs)]).toEqual(['a version of the controller that is known here']);
  });

  test('has the Service kubernetes, whose endpoints the API server writes', () => {
    const of = (name: string) =>
      `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}, namespace: default}\nspec: {ports: [{port: 443}]}\n`;
    expect(linesOf(checked(of('kubernetes')))).toEqual([]);
    expect(linesOf(checked(of('other')))).toEqual(['4 selector-missing']);
    const wrong = of('other').replace('{ports', '{selector: {app: 1}, ports');
    expect(linesOf(checked(wrong))).toEqual(['4 field-wrong-type']);
  });

  test.each<[string, string, string[]]>(table('cli/corpus.yaml', 'without a selector has its endpoints by hand'))(
    'without a selector has its endpoints by hand: %s',
    (_, endpoints, expected) => {
      const text = `apiVersion: v1\nkind: Service\nmetadata: {name: db}\nspec: {ports: [{port: 5432}]}\n---\n${endpoints}`;
      expect(linesOf(checked(text))).toEqual(expected);
    },
  );
});

test.each([
  ['service.cilium.io/global', 'true', []],
  ['io.cilium/global-service', 'True', []],
  ['service.cilium.io/global', 'false', ['4 selector-missing']],
])('a Service with %s %j', (key, value, expected) => {
  const text = `apiVersion: v1\nkind: Service\nmetadata: {name: db, annotations: {${key}: '${value}'}}\nspec: {ports: [{port: 5432}]}\n`;
  expect(linesOf(checked(text))).toEqual(expected);
});

test.each([
  ['lb-ipam-pool', 'check its spelling'],
  ['lb-ipam-ip', 'write io.cilium/lb-ipam-ips'],
  ['lbipam-ips', 'write io.cilium/lb-ipam-ips'],
])('annotation io.cilium/%s has the remedy: %s', (key, remedy) => {
  const text = `apiVersion: v1\nkind: Service\nmetadata: {name: db, annotations: {io.cilium/${key}: a}}\nspec: {type: LoadBalancer, selector: {app: db}, ports: [{port: 5432}]}\n`;
  const [found] = checked(text, { controllers: [Cilium.layer2()] }).findings.filter(
    ({ ruleId }) => ruleId === 'annotation-unknown',
  );
  expect(found.remedy).toContain(remedy);
});

test.each([
  ['pool: edge', ['cilium-layer2-local-policy']],
  ['pool: public', []],
])('policy Local of a Service with label %s, beside a policy of layer 2 for pool edge', (label, expected) => {
  const policy =
    'apiVersion: cilium.io/v2alpha1\nkind: CiliumL2AnnouncementPolicy\nmetadata: {name: p}\nspec: {loadBalancerIPs: true, serviceSelector: {matchLabels: {pool: edge}}}\n';
  const { findings } = checked(
    `${service({ labels: `{ ${label} }`, spec: ['externalTrafficPolicy: Local'] })}---\n${policy}`,
    {
      controllers: [Cilium.layer2()],
    },
  );
  expect(findings.map(({ ruleId }) => ruleId).filter((id) => id.startsWith('cilium-layer2'))).toEqual(expected);
});

test('a Service with a few fields is for server-side apply to one that is there', () => {
  const of = (spec: string) => `apiVersion: v1\nkind: Service\nmetadata: {name: db}\nspec: {${spec}}\n`;
  expect(linesOf(checked(of('ipFamilyPolicy: PreferDualStack')))).toEqual([]);
  expect(linesOf(checked(of('ipFamilyPolicy: PreferDualStack, type: LoadBalancer')))).toEqual(
    expect.arrayContaining(['4 selector-missing', '4 service-ports-invalid']),
  );
});

describe('a class', () => {
  const classed = (name: string) => linesOf(checked(service({ spec: [`loadBalancerClass: ${name}`] })));

  test.each([
    ['service.k8s.aws/nbl', 'class-misspelt'],
    ['nlb', 'class-maybe-misspelt'],
    ['eks.amazonaws.com/nbl', 'class-misspelt'],
  ])('%s is nearly one that is known', (name, id) => expect(classed(name)).toEqual([`9 ${id}`]));

  test.each(['service.k8s.aws/nlb', 'networking.gke.io/l4-regional-external', 'example.com/own'])(
    '%s is not',
    (name) => {
      const elsewhere = { controllers: [MetalLb.layer2()] };
      const text = service({ spec: [`loadBalancerClass: ${name}`] });
      expect([linesOf(checked(text)), linesOf(checked(text, elsewhere))].join()).not.toMatch(
        /class-(misspelt|nearly-known)/,
      );
    },
  );
});

test('a finding about a listener begins with its name', () => {
  const { findings } = checked(kafka(['- { name: external, port: 9094, type: loadbalancer, tls: false }']));
  expect(findings.map(({ ruleId, what }) => [ruleId, what.split(':')[0]])).toContainEqual([
    'listener-unencrypted',
    "listener 'external'",
  ]);
});

test('standard input is named in words', () => {
  const claimed = ['a', 'b'].map((name) =>
    service({ spec: [] })
      .replace('name: web', `name: ${name}`)
      .replace('{ port: 443 }', '{ port: 443, nodePort: 31000 }'),
  );
  const values = claimed.flatMap((text) => readKubernetesYaml(text).values);
  const manifests = values.map(({ value, line }) => ({ file: '-', line, object: value as Json }));
  const { findings } = check({ manifests, unreadable: [], strange: [] }, NO_CONTEXT);
  expect(findings.find(({ ruleId }) => ruleId === 'exclusive-resource-conflict')?.what).toContain('(standard input)');
});

test.each<[string, string, string]>(variables.open)(
  '%s has no answer yet for what is filled in later: %s',
  (ruleId, field, gap) => {
    const written = `apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec:\n  selector: { app: web }\n  ${field}\n`;
    const report = checked(
      /ports|External/.test(field) ? written : `${written}  type: LoadBalancer\n  ports: [{ port: 443 }]\n`,
    );
    expect(linesOf(report)).toEqual([]);
    expect(report.unknown).toContainEqual(expect.objectContaining({ ruleId, needs: [`the value of ${gap}`] }));
  },
);

test.each<[string, Json | undefined, Json, Json]>(variables.defaults)(
  'defaults of Flux: %s',
  (_, postBuild, spec, filled) => {
    const flux = { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', spec: { postBuild } };
    const objects = [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { address: 'None' } },
      ...(postBuild ? [flux] : []),
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec },
    ];
    const { path } = new Folder({ 'a.yaml': objects.map((object) => JSON.stringify(object)).join('\n---\n') });
    expect(clustersOf([path])[0].read.manifests.at(-1)?.object.spec).toEqual(filled);
  },
);

test.each(['LOCAL', 'IP_HASH', 'local'])('%s is no placeholder', (policy) => {
  expect(linesOf(checked(service({ spec: [`externalTrafficPolicy: ${policy}`] })))[0]).toBe('9 traffic-policy-unknown');
});

test('two Services with one placeholder claim nothing twice', () => {
  const named = (name: string, balancer: string) =>
    service({ annotations: [`${AWS}-name: ${balancer}`, `${AWS}-type: nlb-ip`] }).replace('name: web', `name: ${name}`);
  const of = (balancer: string) =>
    linesOf(checked(`${named('a', balancer)}---\n${named('b', balancer)}`)).filter((line) =>
      line.includes('exclusive-resource'),
    );
  expect(['shop', 'your-balancer', `\${BALANCER}`].map(of)).toEqual([
    ['6 exclusive-resource-conflict', '18 exclusive-resource-conflict'],
    [],
    [],
  ]);
});

test('a name alone is for kubectl delete', () => {
  const name = 'apiVersion: v1\nkind: Service\nmetadata: { name: web }\n';
  expect([name, `${name}spec: {}\n`].map((text) => linesOf(checked(text)))).toEqual([
    [],
    ['4 selector-missing', '4 service-ports-invalid'],
  ]);
});

test('an object whose Service a controller makes is named once', () => {
  const made = { apiVersion: 'v1', kind: 'Gateway', namespace: 'edge', name: 'eg', madeBy: 'Gateway edge/eg' };
  expect(titleOf(made)).toBe('Service of Gateway edge/eg');
});

test('metadata without a name are part of an object', () => {
  const part = 'apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: { annotations: { a: b } }\n';
  expect(checked(part)).toMatchObject({ findings: [], notes: [expect.stringContaining('skipped')] });
  expect(linesOf(checked(`${part}spec: {}\n`))).toContain('3 gateway-name-invalid');
});

const gateway = (protocol: string) =>
  `apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata:\n  name: web\nspec:\n  gatewayClassName: web\n  listeners:\n    - name: a\n      port: 3478\n      protocol: ${protocol}\n`;

test.each([
  ['TURN-UDP', 'warning'],
  ['tcp', 'error'],
  ['HTTSP', 'error'],
  ['a b', 'error'],
])('protocol %s of a Gateway is a %s', (protocol, level) => {
  const { findings } = checked(gateway(protocol));
  expect(findings.map((one) => `${one.level} ${one.place.line} ${one.ruleId}`)).toEqual([
    `${level} 10 gateway-listener-protocol-unknown`,
  ]);
});

test.each<[string, string, number]>(
  table('cli/corpus.yaml', 'a document of a test in that is no object yet is skipped'),
)('a document of a test in %s that is no object yet is skipped', (file, content, skipped) => {
  const { manifests, strange, unreadable } = readManifests([folderWith({ [file]: content })]);
  expect([strange.length, manifests.length, unreadable]).toEqual([skipped, 1 - skipped, []]);
});

const OPERATOR =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: strimzi-cluster-operator, namespace: kafka}\nspec:\n  selector: {matchLabels: {name: o}}\n  template:\n    metadata: {labels: {name: o}}\n    spec: {containers: [{name: o, image: "quay.io/strimzi/operator:1.0.0"}]}\n';

test('definitions of other operators of Strimzi are not those of the cluster operator', () => {
  const access =
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: kafkaaccesses.access.strimzi.io}\nspec: {group: access.strimzi.io}\n';
  const { findings } = checkedFiles({ 'a/access.yaml': access, 'b/operator.yaml': OPERATOR });
  expect(findings.map(({ ruleId }) => ruleId)).not.toContain('strimzi-crds-version-mismatch');
});

test('definitions in the folder of an operator are its own, and those of another folder are not', () => {
  const definition = (group: string) =>
    `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: kafkas.${group}}\nspec: {group: ${group}, scope: Namespaced, names: {kind: Kafka, plural: kafkas}, versions: []}\n`;
  const { findings } = checkedFiles({
    'a/test.yaml': definition('examples.strimzi.io'),
    'b/crd.yaml': definition('kafka.strimzi.io'),
    'b/operator.yaml': OPERATOR,
  });
  const [found] = findings.filter(({ ruleId }) => ruleId === 'strimzi-crds-version-mismatch');
  expect(found?.what).toContain('/b/crd.yaml:1');
  expect(found?.what).not.toContain('examples.strimzi.io');
});

test('rows of a table of mistakes are named by the rules of their word, or by their own', () => {
  const table =
    'nnn\tseverity\trule\twhat\twhy\trules\n1\terror\twrong-prefix\ta\tb\t\n2\twarning\tnew\tc\td\tsome-rule,other\n';
  const [first, second] = mistakesIn(table);
  expect(isNamed(first, new Set(['annotation-prefix-incomplete']))).toBe(true);
  expect(isNamed(first, new Set(['other']))).toBe(false);
  expect(isNamed(second, new Set(['other']))).toBe(true);
  expect(isNamed(second, new Set(['annotation-prefix-incomplete']))).toBe(false);
});
