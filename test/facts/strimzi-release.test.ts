import { run } from '../../scripts/facts/run';
import { type Files, folderWith } from './files';

interface SmallRelease {
  readonly version: string;
  readonly kafka: readonly string[];
  readonly gates: string;
  readonly variables: readonly string[];
  readonly resources: readonly string[];
  readonly apis: readonly string[];
  readonly types: readonly string[];
}

const INSTALL = 'packaging/install/cluster-operator';
const COMMON = 'operator-common/src/main/java/io/strimzi/operator/common';

/** The files of a small release in the shape of Strimzi, written for these tests. */
const strimziRelease = ({ version, kafka, gates, variables, resources, apis, types }: SmallRelease): Files => ({
  'release.version': `${version}\n`,
  'bridge.version': '1.1.0',
  'kafka-versions.yaml': [
    '- { version: 3.0.0, supported: false, default: false }',
    ...kafka.map((each, i) => `- { version: ${each}, supported: true, default: ${i === kafka.length - 1} }`),
  ].join('\n'),
  [`${COMMON}/featuregates/FeatureGates.java`]: `class FeatureGates {
    private static final String PREFIX = "Use";
    ${gates}
}
`,
  [`${COMMON}/Annotations.java`]: 'class Annotations { public static final String ANNO_A = DOMAIN + "a"; }\n',
  'api/src/main/java/io/strimzi/api/ResourceLabels.java':
    'class L { public static final String DOMAIN = "strimzi.io/"; }\n',
  'api/src/main/java/io/strimzi/api/ResourceAnnotations.java': 'class R { }\n',
  'cluster-operator/src/main/java/io/strimzi/operator/cluster/ClusterOperatorConfig.java': `class ClusterOperatorConfig {
    ${variables.map((name, i) => `static final ConfigParameter<Long> V${i} = new ConfigParameter<>("${name}", LONG, "10", VALUES);`).join('\n    ')}
}
`,
  [`${INSTALL}/020-ClusterRole-operator.yaml`]: `kind: ClusterRole
metadata: { name: strimzi-cluster-operator-namespaced }
rules:
  - { apiGroups: [apps], resources: [${resources.join(', ')}], verbs: [get, list] }
`,
  [`${INSTALL}/040-Crd-kafka.yaml`]: `kind: CustomResourceDefinition
spec:
  group: kafka.strimzi.io
  scope: Namespaced
  names: { kind: Kafka, plural: kafkas }
  versions:
${apis
  .map(
    (api) => `    - name: ${api}
      served: true
      storage: ${api === 'v1'}
      schema:
        openAPIV3Schema:
          properties:
            spec:
              type: object
              properties:
                kafka:
                  type: object
                  properties:
                    listeners:
                      type: array
                      items:
                        type: object
                        properties: { type: { type: string, enum: [${types.join(', ')}] } }`,
  )
  .join('\n')}
`,
  [`${INSTALL}/060-Deployment-operator.yaml`]: `kind: Deployment
spec:
  template:
    spec:
      containers:
        - name: strimzi-cluster-operator
          image: registry.example/operator:${version}
          env:
            - { name: STRIMZI_DEFAULT_TOPIC_OPERATOR_IMAGE, value: 'registry.example/operator:${version}' }
`,
});

const gate = (name: string, text: string, on: boolean): string =>
  `private final FeatureGate ${name} = new FeatureGate(${text}, ${on});`;

const OLDER: SmallRelease = {
  version: '1.2.0',
  kafka: ['4.2.0', '4.2.1', '4.3.0', '4.3.1'],
  gates: gate('one', 'PREFIX + "BackgroundPodDeletion"', false),
  variables: ['STRIMZI_FULL_RECONCILIATION_INTERVAL_MS'],
  resources: ['deployments'],
  apis: ['v1'],
  types: ['internal', 'route', 'tlsroute', 'loadbalancer', 'nodeport', 'ingress', 'cluster-ip'],
};

const NEWER: SmallRelease = {
  version: '1.3.0',
  kafka: ['4.3.1', '4.10.0'],
  gates: gate('one', 'PREFIX + "BackgroundPodDeletion"', true) + gate('two', '"SlowRolls"', false),
  variables: ['STRIMZI_COFFEE'],
  resources: ['deployments', 'daemonsets'],
  apis: ['v1', 'v2'],
  types: ['internal', 'loadbalancer', 'quic'],
};

test('two releases of Strimzi: every kind of fact, and nothing else', async () => {
  const [checkout, against] = [NEWER, OLDER].map((release) => folderWith(strimziRelease(release)));
  const { comparison } = await run({ product: 'strimzi', checkout, against, folder: folderWith({}) });
  const hash = /^[0-9a-f]{64}$/;
  const edits = comparison.proposals.map(({ what, row, fact }) => [
    what,
    row,
    hash.test(fact.value) ? 'a hash' : fact.value,
  ]);
  expect(edits).toEqual([
    ['changed', 'kafka', '4.3.1 4.10.0'],
    ['changed', 'kafka by default', '4.10.0'],
    ['changed', 'definitions', 'a hash'],
    ['changed', 'release', '1.3.0'],
    ['changed', 'UseBackgroundPodDeletion', 'true'],
    ['added', 'SlowRolls', 'false'],
    ['added', 'STRIMZI_COFFEE', 'LONG 10'],
    ['removed', 'STRIMZI_FULL_RECONCILIATION_INTERVAL_MS', 'LONG 10'],
    ['added', 'strimzi-cluster-operator-namespaced: apps daemonsets', 'get list'],
    ['added', 'kafkas.kafka.strimzi.io/v2', 'served Namespaced'],
    ['changed', 'kafkas.kafka.strimzi.io/v1 spec.kafka.listeners.type', 'string (internal loadbalancer quic)'],
  ]);
  // the version of the release in an image is no change of the image
  expect(comparison.unheld).toEqual([]);
});
