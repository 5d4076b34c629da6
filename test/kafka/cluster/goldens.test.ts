import { join } from 'node:path';
import { type Chart, Duration, Size } from 'cdk8s';
import {
  AzureCloudProvider,
  IpFamily,
  KafkaAuthentication,
  KafkaAuthorization,
  KafkaAutoRebalanceMode,
  KafkaCertificateExpirationPolicy,
  KafkaEntityOperator,
  KafkaListener,
  KafkaLoadBalancedListener,
  KafkaLogging,
  KafkaMetrics,
  KafkaNodeIds,
  KafkaNodeRole,
  KafkaQuotas,
  KafkaRack,
  KafkaStorage,
  KafkaTieredStorage,
  KafkaVolume,
  NodePools,
  StrimziVersion,
} from '../../../src';
import { expectGolden, writtenBy } from '../../support/golden-files';
import { brokersOf, events } from './events';

const { BROKER, CONTROLLER } = KafkaNodeRole;
const { V0_45, V0_49, V1_2 } = StrimziVersion;
const JMX = { configMapName: 'kafka-metrics', key: 'kafka.yml' };
const GIBIBYTE = Size.gibibytes(1);
const probe = { initialDelay: Duration.seconds(20), timeout: Duration.seconds(5), failureThreshold: 5 };
const resources = { requests: { cpu: '100m', memory: GIBIBYTE }, limits: { memory: GIBIBYTE } };
const jvm = {
  initialHeap: GIBIBYTE,
  maximumHeap: GIBIBYTE,
  gcLoggingEnabled: true,
  xx: { MaxGCPauseMillis: '20' },
  javaSystemProperties: { 'javax.net.debug': 'ssl' },
};
const podTemplate = {
  labels: { team: 'streams' },
  annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' },
  priorityClassName: 'kafka',
  terminationGracePeriod: Duration.minutes(2),
  securityContext: { fsGroup: 1000 },
  imagePullSecrets: ['registry'],
};

/** Listeners of every plain type, in all their words that both old and new operators know. */
const listeners = [
  KafkaListener.internal({
    name: 'plain',
    port: 9092,
    tls: false,
    authentication: KafkaAuthentication.scramSha512(),
    useServiceDnsDomain: true,
    maxConnections: 1000,
    maxConnectionCreationRate: 50,
    networkPolicyPeers: [{ podSelector: { matchLabels: { kafka: 'client' } } }],
  }),
  KafkaListener.internal({
    name: 'tls',
    port: 9093,
    authentication: KafkaAuthentication.tls(),
    brokerCertificate: { secretName: 'brokers', certificate: 'tls.crt', key: 'tls.key' },
  }),
  KafkaListener.clusterIp({
    name: 'proxied',
    port: 9095,
    authentication: KafkaAuthentication.scramSha512(),
    advertisedHostTemplate: 'broker-{nodeId}.proxy.example.com',
    bootstrapAlternativeNames: ['proxy.example.com'],
    ipFamilies: [IpFamily.IPV4],
    publishNotReadyAddresses: true,
    bootstrapAnnotations: { team: 'streams' },
    bootstrapLabels: { team: 'streams' },
    brokers: [{ brokerId: 100, annotations: { team: 'streams' }, labels: { team: 'streams' } }],
  }),
  KafkaListener.nodePort({
    name: 'nodes',
    port: 9096,
    authentication: KafkaAuthentication.custom({
      sasl: true,
      listenerConfig: { 'sasl.enabled.mechanisms': 'OAUTHBEARER', 'oauthbearer.connections.max.reauth.ms': 3600000 },
    }),
    bootstrapNodePort: 32100,
    brokers: [{ brokerId: 100, nodePort: 32101, advertisedHost: 'one.example.com', advertisedPort: 9996 }],
  }),
];

/** A cluster of three brokers and three controllers with all that its version knows. */
function inFull(strimzi: StrimziVersion): Chart {
  const isNew = strimzi.isAtLeast(V1_2);
  const { chart, kafka } = events({
    strimzi,
    kafkaVersion: strimzi.defaultKafkaVersion,
    labels: { team: 'streams' },
    annotations: { owner: 'streams' },
    listeners: isNew
      ? listeners
      : [
          ...listeners,
          KafkaListener.ingress({
            name: 'web',
            port: 9097,
            authentication: KafkaAuthentication.tls(),
            ingressClassName: 'nginx',
            bootstrapHost: 'bootstrap.web.example.com',
            hostTemplate: 'broker-{nodeId}.web.example.com',
          }),
        ],
    config: {
      'default.replication.factor': 3,
      'min.insync.replicas': 2,
      'offsets.topic.replication.factor': 3,
      'transaction.state.log.replication.factor': 3,
      'transaction.state.log.min.isr': 2,
      'log.retention.hours': 48,
    },
    authorization: KafkaAuthorization.simple({ superUsers: ['CN=admin', 'root'] }),
    rack: KafkaRack.topologyLabel('topology.kubernetes.io/zone'),
    metrics: KafkaMetrics.jmxPrometheusExporter(JMX),
    jvm,
    logging: KafkaLogging.inline({ 'kafka.root.logger.level': 'INFO' }),
    livenessProbe: probe,
    readinessProbe: probe,
    podTemplate: { ...podTemplate, volumes: [{ name: 'plugins', emptyDir: { sizeLimit: '1Gi' } }] },
    kafkaContainer: {
      env: { KAFKA_LOG4J_OPTS: '-Dlog4j2.formatMsgNoLookups=true' },
      envFrom: [{ name: 'BUCKET', valueFrom: { configMapKeyRef: { name: 'tiered', key: 'bucket' } } }],
      volumeMounts: [{ name: 'plugins', mountPath: '/mnt/plugins' }],
      securityContext: { readOnlyRootFilesystem: true },
    },
    tieredStorage: KafkaTieredStorage.custom({
      className: 'com.example.kafka.tiered.RemoteStorageManager',
      classPath: '/opt/kafka/plugins/tiered/*',
      config: { 'storage.bucket.name': 'segments' },
    }),
    quotas: KafkaQuotas.strimzi({
      producerRate: Size.mebibytes(10),
      consumerRate: Size.mebibytes(20),
      minAvailablePerVolume: Size.gibibytes(5),
      excludedPrincipals: ['User:root'],
    }),
    entityOperator: KafkaEntityOperator.both({
      topicOperator: { resources, reconciliationInterval: Duration.minutes(1), startupProbe: probe },
      userOperator: { resources, secretPrefix: 'kafka-', logging: KafkaLogging.inline({ 'rootLogger.level': 'INFO' }) },
      podTemplate: { priorityClassName: 'low' },
    }),
    cruiseControl: {
      resources,
      config: { 'hard.goals': 'com.linkedin.kafka.cruisecontrol.analyzer.goals.RackAwareGoal' },
      brokerCapacity: {
        cpu: '2',
        inboundNetwork: Size.mebibytes(100),
        outboundNetwork: Size.mebibytes(100),
        overrides: [{ brokerIds: [100], cpu: '4' }],
      },
      autoRebalance: [
        { mode: KafkaAutoRebalanceMode.ADD_BROKERS },
        { mode: KafkaAutoRebalanceMode.REMOVE_BROKERS, template: 'rebalance' },
      ],
      metrics: KafkaMetrics.jmxPrometheusExporter({ configMapName: 'kafka-metrics', key: 'cruise-control.yml' }),
    },
    kafkaExporter: { groupRegex: '.*', topicRegex: '.*', showAllOffsets: false, resources },
    clusterCa: { validity: Duration.days(730), renewal: Duration.days(60) },
    clientsCa: {
      generateCertificateAuthority: false,
      certificateExpirationPolicy: KafkaCertificateExpirationPolicy.REPLACE_KEY,
    },
    maintenanceTimeWindows: ['* * 0-1 ? * SUN,MON *'],
  });
  const nodes = NodePools.aks('kafka');
  brokersOf(kafka, {
    roles: [BROKER],
    nodeIds: KafkaNodeIds.between(100, 199),
    nodePool: nodes,
    resources: { requests: { cpu: '2', memory: Size.gibibytes(4) }, limits: { memory: Size.gibibytes(4) } },
    storage: KafkaStorage.jbod([
      KafkaVolume.persistentClaim(0, Size.gibibytes(100), { storageClass: 'fast', holdsKraftMetadata: true }),
      KafkaVolume.persistentClaim(1, Size.gibibytes(500), { deleteClaim: true, selector: { disk: 'big' } }),
    ]),
  });
  brokersOf(kafka, {
    name: 'controllers',
    roles: [CONTROLLER],
    storage: KafkaStorage.persistentClaim(Size.gibibytes(10), { storageClass: 'fast' }),
    jvm: { maximumHeap: Size.mebibytes(512) },
    podTemplate: { priorityClassName: 'controllers' },
  });
  new KafkaLoadBalancedListener(chart, 'External', {
    kafka,
    name: 'external',
    port: 9094,
    authentication: KafkaAuthentication.scramSha512(),
    controller: AzureCloudProvider.standard(),
    backendNodes: nodes,
    brokerCertificate: { secretName: 'brokers', certificate: 'tls.crt', key: 'tls.key' },
    networkPolicyPeers: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
    maxConnections: 5000,
    maxConnectionCreationRate: 100,
  });
  return chart;
}

/** What only new operators know. */
function ofToday(): Chart {
  const { chart, kafka } = events({
    metadataVersion: '4.3-IV0',
    rack: KafkaRack.environmentVariable('ZONE'),
    kafkaContainer: { env: { ZONE: 'a' } },
    metrics: KafkaMetrics.strimziMetricsReporter({ allowList: ['kafka_.*'] }),
    quotas: KafkaQuotas.kafka({ producerRate: Size.mebibytes(1), requestPercentage: 50 }),
    listeners: [
      KafkaListener.clusterIp({
        name: 'proxied',
        port: 9095,
        authentication: KafkaAuthentication.scramSha512(),
        advertisedHostTemplate: 'proxy.example.com',
        advertisedPortTemplate: '9100 + {nodeId}',
        perBrokerAnnotationsTemplate: { broker: '{nodeId}' },
        perBrokerLabelsTemplate: { broker: '{nodePodName}' },
      }),
    ],
  });
  brokersOf(kafka, { storage: KafkaStorage.ephemeral({ sizeLimit: Size.gibibytes(1) }) });
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
