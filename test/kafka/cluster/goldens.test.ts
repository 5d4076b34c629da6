import { join } from 'node:path';
import type { Chart } from 'cdk8s';
import {
  AzureCloudProvider,
  KafkaCluster,
  KafkaLoadBalancedListener,
  KafkaNodeIds,
  KafkaNodeRole,
  LoadBalancerScheme,
  NodePools,
  StrimziVersion,
} from '../../../src';
import { errorsOf, synth } from '../../support/apps';
import { expectGolden, writtenBy } from '../../support/goldens';
import { nlb } from '../clusters';
import { brokersOf, events } from './events';

const { BROKER, CONTROLLER } = KafkaNodeRole;
const { V0_45, V0_49, V1_2 } = StrimziVersion;
const jmx = (key: string) => ({
  type: 'jmxPrometheusExporter',
  valueFrom: { configMapKeyRef: { name: 'kafka-metrics', key } },
});
const probe = { initialDelaySeconds: 20, timeoutSeconds: 5, failureThreshold: 5 };
const resources = { requests: { cpu: '100m', memory: '1Gi' }, limits: { memory: '1Gi' } };
const JVM = {
  '-Xms': '1G',
  '-Xmx': '1G',
  gcLoggingEnabled: true,
  '-XX': { MaxGCPauseMillis: '20' },
  javaSystemProperties: [{ name: 'javax.net.debug', value: 'ssl' }],
};
const POD = {
  metadata: { labels: { team: 'streams' }, annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' } },
  priorityClassName: 'kafka',
  terminationGracePeriodSeconds: 120,
  securityContext: { fsGroup: 1000 },
  imagePullSecrets: [{ name: 'registry' }],
};

const TEAM = { team: 'streams' };

/** Listeners of every plain type, in all their words that both old and new operators know. */
const listeners = [
  {
    name: 'plain',
    port: 9092,
    type: 'internal',
    tls: false,
    authentication: { type: 'scram-sha-512' },
    networkPolicyPeers: [{ podSelector: { matchLabels: { kafka: 'client' } } }],
    configuration: { useServiceDnsDomain: true, maxConnections: 1000, maxConnectionCreationRate: 50 },
  },
  {
    name: 'tls',
    port: 9093,
    type: 'internal',
    tls: true,
    authentication: { type: 'tls' },
    configuration: { brokerCertChainAndKey: { secretName: 'brokers', certificate: 'tls.crt', key: 'tls.key' } },
  },
  {
    name: 'proxied',
    port: 9095,
    type: 'cluster-ip',
    tls: true,
    authentication: { type: 'scram-sha-512' },
    configuration: {
      advertisedHostTemplate: 'broker-{nodeId}.proxy.example.com',
      publishNotReadyAddresses: true,
      bootstrap: { alternativeNames: ['proxy.example.com'], annotations: TEAM, labels: TEAM },
      brokers: [{ broker: 100, annotations: TEAM, labels: TEAM }],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    },
  },
  {
    name: 'nodes',
    port: 9096,
    type: 'nodeport',
    tls: true,
    authentication: {
      type: 'custom',
      sasl: true,
      listenerConfig: { 'sasl.enabled.mechanisms': 'OAUTHBEARER', 'oauthbearer.connections.max.reauth.ms': 3600000 },
    },
    configuration: {
      bootstrap: { nodePort: 32100 },
      brokers: [{ broker: 100, nodePort: 32101, advertisedHost: 'one.example.com', advertisedPort: 9996 }],
    },
  },
];

function restOf({ defaultKafkaVersion }: StrimziVersion) {
  return {
    kafka: {
      authorization: { type: 'simple', superUsers: ['CN=admin', 'root'] },
      version: defaultKafkaVersion,
      config: {
        'default.replication.factor': 3,
        'min.insync.replicas': 2,
        'offsets.topic.replication.factor': 3,
        'transaction.state.log.replication.factor': 3,
        'transaction.state.log.min.isr': 2,
        'log.retention.hours': 48,
      },
      rack: { topologyKey: 'topology.kubernetes.io/zone' },
      metricsConfig: jmx('kafka.yml'),
      jvmOptions: JVM,
      logging: { type: 'inline', loggers: { 'kafka.root.logger.level': 'INFO' } },
      livenessProbe: probe,
      readinessProbe: probe,
      template: {
        pod: { ...POD, volumes: [{ name: 'plugins', emptyDir: { sizeLimit: '1Gi' } }] },
        kafkaContainer: {
          env: [
            { name: 'KAFKA_LOG4J_OPTS', value: '-Dlog4j2.formatMsgNoLookups=true' },
            { name: 'BUCKET', valueFrom: { configMapKeyRef: { name: 'tiered', key: 'bucket' } } },
          ],
          volumeMounts: [{ name: 'plugins', mountPath: '/mnt/plugins' }],
          securityContext: { readOnlyRootFilesystem: true },
        },
      },
      tieredStorage: {
        type: 'custom',
        remoteStorageManager: {
          className: 'com.example.kafka.tiered.RemoteStorageManager',
          classPath: '/opt/kafka/plugins/tiered/*',
          config: { 'storage.bucket.name': 'segments' },
        },
      },
      quotas: {
        type: 'strimzi',
        producerByteRate: 10_485_760,
        consumerByteRate: 20_971_520,
        minAvailableBytesPerVolume: 5_368_709_120,
        excludedPrincipals: ['User:root'],
      },
    },
    entityOperator: {
      topicOperator: { resources, reconciliationIntervalMs: 60_000, startupProbe: probe },
      userOperator: {
        resources,
        secretPrefix: 'kafka-',
        logging: { type: 'inline', loggers: { 'rootLogger.level': 'INFO' } },
      },
      template: { pod: { priorityClassName: 'low' } },
    },
    cruiseControl: {
      resources,
      config: { 'hard.goals': 'com.linkedin.kafka.cruisecontrol.analyzer.goals.RackAwareGoal' },
      brokerCapacity: {
        cpu: '2',
        inboundNetwork: '102400KiB/s',
        outboundNetwork: '102400KiB/s',
        overrides: [{ brokers: [100], cpu: '4' }],
      },
      autoRebalance: [{ mode: 'add-brokers' }, { mode: 'remove-brokers', template: { name: 'rebalance' } }],
      metricsConfig: jmx('cruise-control.yml'),
    },
    kafkaExporter: { groupRegex: '.*', topicRegex: '.*', showAllOffsets: false, resources },
    clusterCa: { validityDays: 730, renewalDays: 60 },
    clientsCa: { generateCertificateAuthority: false, certificateExpirationPolicy: 'replace-key' },
    maintenanceTimeWindows: ['* * 0-1 ? * SUN,MON *'],
  };
}

/** A cluster of three brokers and three controllers with all that its version knows. */
function inFull(strimzi: StrimziVersion): Chart {
  const isNew = strimzi.isAtLeast(V1_2);
  const { chart, kafka } = events({
    strimzi,
    labels: { team: 'streams' },
    annotations: { owner: 'streams' },
    listeners: isNew
      ? listeners
      : [
          ...listeners,
          {
            name: 'web',
            port: 9097,
            type: 'ingress',
            tls: true,
            authentication: { type: 'tls' },
            configuration: {
              class: 'nginx',
              hostTemplate: 'broker-{nodeId}.web.example.com',
              bootstrap: { host: 'bootstrap.web.example.com' },
            },
          },
        ],
    spec: restOf(strimzi),
  });
  const nodes = NodePools.aks('kafka');
  brokersOf(kafka, {
    roles: [BROKER],
    nodeIds: KafkaNodeIds.between(100, 199),
    nodePool: nodes,
    storage: undefined,
    spec: {
      resources: { requests: { cpu: '2', memory: '4Gi' }, limits: { memory: '4Gi' } },
      storage: {
        type: 'jbod',
        volumes: [
          { id: 0, type: 'persistent-claim', size: '100Gi', class: 'fast', kraftMetadata: 'shared' },
          { id: 1, type: 'persistent-claim', size: '500Gi', deleteClaim: true, selector: { disk: 'big' } },
        ],
      },
    },
  });
  brokersOf(kafka, {
    name: 'controllers',
    roles: [CONTROLLER],
    storage: { type: 'persistent-claim', size: '10Gi' },
    spec: {
      storage: { class: 'fast' },
      jvmOptions: { '-Xmx': '512M' },
      template: { pod: { priorityClassName: 'controllers' } },
    },
  });
  new KafkaLoadBalancedListener(chart, 'External', {
    kafka,
    name: 'external',
    port: 9094,
    authentication: { type: 'scram-sha-512' },
    controller: AzureCloudProvider.standard(),
    backendNodes: nodes,
    brokerCertificate: { secretName: 'brokers', certificate: 'tls.crt', key: 'tls.key' },
    networkPolicyPeers: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
    maxConnections: 5000,
    maxConnectionCreationRate: 100,
  });
  return chart;
}

function ofToday(): Chart {
  const { chart, kafka } = events({
    spec: {
      kafka: {
        metadataVersion: '4.3-IV0',
        rack: { type: 'environment-variable', envVarName: 'ZONE' },
        template: { kafkaContainer: { env: [{ name: 'ZONE', value: 'a' }] } },
        metricsConfig: { type: 'strimziMetricsReporter', values: { allowList: ['kafka_.*'] } },
        quotas: { type: 'kafka', producerByteRate: 1_048_576, requestPercentage: 50 },
      },
    },
    listeners: [
      {
        name: 'proxied',
        port: 9095,
        type: 'cluster-ip',
        tls: true,
        authentication: { type: 'scram-sha-512' },
        configuration: {
          advertisedHostTemplate: 'proxy.example.com',
          advertisedPortTemplate: '9100 + {nodeId}',
          perBrokerAnnotationsTemplate: { broker: '{nodeId}' },
          perBrokerLabelsTemplate: { broker: '{nodePodName}' },
        },
      },
    ],
  });
  brokersOf(kafka, { storage: { type: 'ephemeral' }, spec: { storage: { sizeLimit: '1Gi' } } });
  return chart;
}

/** Sent to a real API server with Strimzi's own definitions, too, by `npm run test:cluster`. */
const GOLDENS: Record<string, () => Chart> = {
  'cluster-in-full-on-0.45': () => inFull(V0_45),
  'cluster-in-full-on-0.49': () => inFull(V0_49),
  'cluster-in-full-on-1.2': () => inFull(V1_2),
  'cluster-of-today-on-1.2': ofToday,
};

test.each(Object.entries(GOLDENS))('golden: %s', (name, chartOf) => {
  expectGolden(join(__dirname, '..', 'goldens'), name, writtenBy(chartOf).yaml);
});

test.each([StrimziVersion.V0_45, StrimziVersion.V1_2])(
  'a cluster that was made here is found in its chart before it has a listener: %#',
  (strimzi) => {
    const { chart, kafka } = events({ listeners: [], strimzi });
    brokersOf(kafka);
    const found = KafkaCluster.fromManifest(chart, { strimzi });
    expect([found.clusterName, found.brokerIds, found.kafka]).toEqual(['events', [0, 1, 2], kafka.kafka]);
    expect(found.nodePoolOf(0)).toBe('brokers');
    new KafkaLoadBalancedListener(chart, 'External', {
      kafka: found,
      name: 'external',
      port: 9094,
      controller: nlb(),
      scheme: LoadBalancerScheme.INTERNAL,
    });
    expect(errorsOf(chart)).toEqual([]);
    expect(synth(chart).map(({ kind }) => kind)).toEqual(['Kafka', 'KafkaNodePool']);
  },
);
