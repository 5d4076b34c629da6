// One sample in a process of its own: prints the milliseconds that it took to read Kafka manifests, and to write them.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { App, Chart, Include, Yaml } = require('cdk8s');

const [, , contestant, count, work] = process.argv;

// each contestant loads its own library only, before the clock starts
const { AwsLoadBalancerController, KafkaCluster, KafkaLoadBalancedListener, StrimziVersion, ...ours } =
  contestant === 'adopted' ? require('./whole-library') : {};

const CLASS = 'service.k8s.aws/nlb';
const PREFIX = 'service.beta.kubernetes.io/aws-load-balancer';
const annotations = { [`${PREFIX}-nlb-target-type`]: 'ip', [`${PREFIX}-scheme`]: 'internal' };

/** A cluster of production size, with all that the plan for its listener says: whoever adopts it adds nothing. */
function cluster(i) {
  const name = `events-${i}`;
  const kafka = {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'Kafka',
    metadata: { name, namespace: name, labels: { team: 'streams', 'app.kubernetes.io/part-of': 'platform' } },
    spec: {
      kafka: {
        version: '4.2.0',
        metadataVersion: '4.2-IV1',
        authorization: { type: 'simple', superUsers: ['CN=root', 'admin'] },
        config: {
          'default.replication.factor': 3,
          'min.insync.replicas': 2,
          'offsets.topic.replication.factor': 3,
          'transaction.state.log.min.isr': 2,
          'transaction.state.log.replication.factor': 3,
          'auto.create.topics.enable': false,
          'log.retention.hours': 168,
        },
        listeners: [
          { name: 'plain', port: 9092, type: 'internal', tls: false },
          { name: 'tls', port: 9093, type: 'internal', tls: true, authentication: { type: 'tls' } },
          {
            name: 'external',
            port: 9094,
            type: 'loadbalancer',
            tls: true,
            authentication: { type: 'scram-sha-512' },
            configuration: {
              allocateLoadBalancerNodePorts: false,
              class: CLASS,
              finalizers: ['service.k8s.aws/resources'],
              externalTrafficPolicy: 'Cluster',
              bootstrap: { annotations, alternativeNames: [`${name}.example.com`] },
              perBrokerAnnotationsTemplate: annotations,
            },
          },
        ],
        metricsConfig: {
          type: 'jmxPrometheusExporter',
          valueFrom: { configMapKeyRef: { name: 'kafka-metrics', key: 'kafka.yml' } },
        },
        rack: { topologyKey: 'topology.kubernetes.io/zone' },
      },
      entityOperator: { topicOperator: {}, userOperator: {} },
      cruiseControl: {},
    },
  };
  return [kafka, pool(name, 'brokers', '[0-99]', 'broker'), pool(name, 'controllers', '[900-999]', 'controller')];
}

function pool(cluster, role, ids, ofRole) {
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaNodePool',
    metadata: {
      name: role,
      namespace: cluster,
      labels: { 'strimzi.io/cluster': cluster },
      annotations: { 'strimzi.io/next-node-ids': ids },
    },
    spec: {
      replicas: 3,
      roles: [ofRole],
      storage: {
        type: 'jbod',
        volumes: [{ id: 0, type: 'persistent-claim', size: '500Gi', class: 'gp3', kraftMetadata: 'shared' }],
      },
      template: {
        pod: {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'topology.kubernetes.io/zone',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: { matchLabels: { 'strimzi.io/cluster': cluster, 'strimzi.io/pool-name': role } },
            },
          ],
        },
      },
      resources: { requests: { cpu: '2', memory: '8Gi' }, limits: { memory: '8Gi' } },
      jvmOptions: { '-Xms': '4g', '-Xmx': '4g' },
    },
  };
}

const adopters = {
  /** cdk8s alone. */
  alone() {},
  /** This library: each listener is adopted, decided and checked. */
  adopted(chart, include, i) {
    const kafka = KafkaCluster.fromManifest(include, { name: `events-${i}`, strimzi: StrimziVersion.V1_2 });
    new KafkaLoadBalancedListener(chart, `External${i}`, {
      kafka,
      name: 'external',
      controller: AwsLoadBalancerController.nlb({ targetType: ours.NlbTargetType.IP }),
      scheme: ours.LoadBalancerScheme.INTERNAL,
    });
  },
};

const folder = path.join(work, `kafka-${contestant}`);
fs.mkdirSync(folder, { recursive: true });
const clusters = Array.from({ length: Number(count) }, (_, i) => cluster(i));
const url = path.join(folder, 'manifests.yaml');
Yaml.save(url, clusters.flat());

const start = process.hrtime.bigint();
const app = new App({ outdir: path.join(folder, 'out') });
const chart = new Chart(app, 'chart');
const include = new Include(chart, 'Existing', { url });
for (const i of clusters.keys()) {
  adopters[contestant](chart, include, i);
}
app.synth();
process.stdout.write(`${Number(process.hrtime.bigint() - start) / 1e6}\n`);
