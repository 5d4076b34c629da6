import { Duration, Size } from 'cdk8s';
import { StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { sentenceOf } from '../../src/contract/sentence';
import { certificateAuthorityJson } from '../../src/kafka/cluster/certificate-authority-json';
import { cruiseControlJson } from '../../src/kafka/cluster/cruise-control-json';
import { KafkaAuthorization } from '../../src/kafka/cluster/kafka-authorization';
import { KafkaCertificateExpirationPolicy } from '../../src/kafka/cluster/kafka-certificate-authority-options';
import { KafkaAutoRebalanceMode } from '../../src/kafka/cluster/kafka-cruise-control-options';
import { KafkaEntityOperator } from '../../src/kafka/cluster/kafka-entity-operator';
import { kafkaExporterJson } from '../../src/kafka/cluster/kafka-exporter-json';
import { KafkaLogging } from '../../src/kafka/cluster/kafka-logging';
import { KafkaMetrics } from '../../src/kafka/cluster/kafka-metrics';
import { KafkaQuotas } from '../../src/kafka/cluster/kafka-quotas';
import { KafkaRack } from '../../src/kafka/cluster/kafka-rack';
import { probeJson } from '../../src/kafka/cluster/probe-json';
import { FIELD_RULES } from '../../src/kafka/document/field-rules';
import { TYPED_FIELD_RULES } from '../../src/kafka/document/typed-field-rules';
import { judgementOf } from '../../src/rules/judgement-of';
import { kafka } from './document-mistakes';

const { V0_45, V0_48, V0_49, V1_2 } = StrimziVersion;
const AT = { configMapName: 'settings', key: 'text' };
const AT_JSON = { valueFrom: { configMapKeyRef: { name: 'settings', key: 'text' } } };
const PROBE = { initialDelay: Duration.minutes(1), failureThreshold: 5 };
const PROBE_JSON = { initialDelaySeconds: 60, failureThreshold: 5 };
const COMPONENT = {
  image: 'example.com/image:1',
  resources: { limits: { cpu: '1', memory: Size.gibibytes(1) } },
  livenessProbe: PROBE,
  readinessProbe: PROBE,
};
const COMPONENT_JSON = {
  image: 'example.com/image:1',
  resources: { limits: { cpu: '1', memory: '1Gi' } },
  livenessProbe: PROBE_JSON,
  readinessProbe: PROBE_JSON,
};
const JVM = { jvm: { maximumHeap: Size.mebibytes(512) } };
const JVM_JSON = { jvmOptions: { '-Xmx': '512M' } };
const POD = { podTemplate: { priorityClassName: 'high' } };
const POD_JSON = { template: { pod: { priorityClassName: 'high' } } };
const INLINE = { type: 'inline', loggers: { 'rootLogger.level': 'INFO' } };
const PART = {
  ...COMPONENT,
  ...JVM,
  watchedNamespace: 'topics',
  reconciliationInterval: Duration.seconds(90),
  logging: KafkaLogging.inline(INLINE.loggers),
};
const PART_JSON = {
  ...COMPONENT_JSON,
  ...JVM_JSON,
  watchedNamespace: 'topics',
  reconciliationIntervalMs: 90_000,
  logging: INLINE,
};

const inKafka = (field: string) => (json: unknown) => kafka({ [field]: json });
const inSpec = (field: string) => (json: unknown) => kafka({}, { spec: { [field]: json } });

type Place = (json: unknown) => Json;

/** What it is, what is written, where it stands, what is expected, and the oldest version that has all of it. */
const VALUES: [string, Json | undefined, Place, Json | undefined, StrimziVersion][] = [
  ['authorization', KafkaAuthorization.simple()._toJson(), inKafka('authorization'), { type: 'simple' }, V0_45],
  [
    'authorization with super users',
    KafkaAuthorization.simple({ superUsers: ['CN=root'] })._toJson(),
    inKafka('authorization'),
    { type: 'simple', superUsers: ['CN=root'] },
    V0_45,
  ],
  [
    'an authorizer',
    KafkaAuthorization.custom({ authorizerClass: 'a.B', supportsAdminApi: true, superUsers: ['root'] })._toJson(),
    inKafka('authorization'),
    { type: 'custom', authorizerClass: 'a.B', supportsAdminApi: true, superUsers: ['root'] },
    V0_45,
  ],
  [
    'a rack by label',
    KafkaRack.topologyLabel('example.com/zone')._toJson(),
    inKafka('rack'),
    { topologyKey: 'example.com/zone' },
    V0_45,
  ],
  [
    'a rack by variable',
    KafkaRack.environmentVariable('ZONE')._toJson(),
    inKafka('rack'),
    { type: 'environment-variable', envVarName: 'ZONE' },
    StrimziVersion.V1_0,
  ],
  [
    'metrics by JMX',
    KafkaMetrics.jmxPrometheusExporter(AT)._toJson(),
    inKafka('metricsConfig'),
    { type: 'jmxPrometheusExporter', ...AT_JSON },
    V0_45,
  ],
  [
    'metrics by the reporter',
    KafkaMetrics.strimziMetricsReporter()._toJson(),
    inKafka('metricsConfig'),
    { type: 'strimziMetricsReporter' },
    StrimziVersion.V0_47,
  ],
  [
    'some metrics by the reporter',
    KafkaMetrics.strimziMetricsReporter({ allowList: ['kafka_log.*'] })._toJson(),
    inKafka('metricsConfig'),
    { type: 'strimziMetricsReporter', values: { allowList: ['kafka_log.*'] } },
    StrimziVersion.V0_47,
  ],
  ['loggers', KafkaLogging.inline(INLINE.loggers)._toJson(), inKafka('logging'), INLINE, V0_45],
  [
    'logging elsewhere',
    KafkaLogging.external(AT)._toJson(),
    inKafka('logging'),
    { type: 'external', ...AT_JSON },
    V0_45,
  ],
  [
    'quotas of Kafka',
    KafkaQuotas.kafka({
      producerRate: Size.mebibytes(1),
      consumerRate: Size.kibibytes(0.5),
      requestPercentage: 200,
      controllerMutationRate: 0.5,
    })._toJson(),
    inKafka('quotas'),
    {
      type: 'kafka',
      producerByteRate: 1_048_576,
      consumerByteRate: 512,
      requestPercentage: 200,
      controllerMutationRate: 0.5,
    },
    V0_45,
  ],
  [
    'quotas by size',
    KafkaQuotas.strimzi({
      producerRate: Size.mebibytes(2),
      minAvailablePerVolume: Size.gibibytes(5),
      excludedPrincipals: ['User:a'],
    })._toJson(),
    inKafka('quotas'),
    {
      type: 'strimzi',
      producerByteRate: 2_097_152,
      minAvailableBytesPerVolume: 5_368_709_120,
      excludedPrincipals: ['User:a'],
    },
    V0_45,
  ],
  [
    'quotas by part',
    KafkaQuotas.strimzi({ minAvailableRatioPerVolume: 0 })._toJson(),
    inKafka('quotas'),
    { type: 'strimzi', minAvailableRatioPerVolume: 0 },
    V0_45,
  ],
  [
    'both operators',
    KafkaEntityOperator.both()._toJson(),
    inSpec('entityOperator'),
    { topicOperator: {}, userOperator: {} },
    V0_45,
  ],
  [
    'both operators with all options',
    KafkaEntityOperator.both({
      topicOperator: { ...PART, startupProbe: PROBE },
      userOperator: { ...PART, secretPrefix: 'kafka-' },
      ...POD,
    })._toJson(),
    inSpec('entityOperator'),
    {
      topicOperator: { ...PART_JSON, startupProbe: PROBE_JSON },
      userOperator: { ...PART_JSON, secretPrefix: 'kafka-' },
      ...POD_JSON,
    },
    V0_45,
  ],
  [
    'both operators, one of them with its defaults in so many words',
    KafkaEntityOperator.both({ topicOperator: undefined, userOperator: { secretPrefix: 'a' } })._toJson(),
    inSpec('entityOperator'),
    { topicOperator: {}, userOperator: { secretPrefix: 'a' } },
    V0_45,
  ],
  [
    'one operator',
    KafkaEntityOperator.of({ userOperator: {}, ...POD })._toJson(),
    inSpec('entityOperator'),
    { userOperator: {}, ...POD_JSON },
    V0_45,
  ],
  ['no operator', KafkaEntityOperator.none()._toJson(), inSpec('entityOperator'), undefined, V0_45],
  ['Cruise Control', cruiseControlJson({}), inSpec('cruiseControl'), {}, V0_45],
  [
    'Cruise Control with all options',
    cruiseControlJson({
      ...COMPONENT,
      ...JVM,
      ...POD,
      config: { goals: 'a' },
      brokerCapacity: {
        cpu: '2',
        inboundNetwork: Size.mebibytes(1),
        outboundNetwork: Size.kibibytes(500),
        overrides: [{ brokerIds: [0, 1], cpu: '500m' }],
      },
      autoRebalance: [
        { mode: KafkaAutoRebalanceMode.ADD_BROKERS, template: 'goals' },
        { mode: KafkaAutoRebalanceMode.REMOVE_BROKERS },
      ],
      metrics: KafkaMetrics.jmxPrometheusExporter(AT),
      apiUsers: { secretName: 'users', key: 'list' },
      logging: KafkaLogging.external(AT),
    }),
    inSpec('cruiseControl'),
    {
      ...COMPONENT_JSON,
      ...JVM_JSON,
      ...POD_JSON,
      config: { goals: 'a' },
      brokerCapacity: {
        cpu: '2',
        inboundNetwork: '1024KiB/s',
        outboundNetwork: '500KiB/s',
        overrides: [{ brokers: [0, 1], cpu: '500m' }],
      },
      autoRebalance: [{ mode: 'add-brokers', template: { name: 'goals' } }, { mode: 'remove-brokers' }],
      metricsConfig: { type: 'jmxPrometheusExporter', ...AT_JSON },
      apiUsers: { type: 'hashLoginService', valueFrom: { secretKeyRef: { name: 'users', key: 'list' } } },
      logging: { type: 'external', ...AT_JSON },
    },
    V0_45,
  ],
  ['the exporter', kafkaExporterJson({}), inSpec('kafkaExporter'), {}, V0_45],
  [
    'the exporter with all options',
    kafkaExporterJson({
      ...COMPONENT,
      ...POD,
      groupRegex: 'a.*',
      topicRegex: 'b.*',
      groupExcludeRegex: 'c',
      topicExcludeRegex: 'd',
      logLevel: 'debug',
      enableSaramaLogging: true,
      showAllOffsets: false,
    }),
    inSpec('kafkaExporter'),
    {
      ...COMPONENT_JSON,
      ...POD_JSON,
      groupRegex: 'a.*',
      topicRegex: 'b.*',
      groupExcludeRegex: 'c',
      topicExcludeRegex: 'd',
      logging: 'debug',
      enableSaramaLogging: true,
      showAllOffsets: false,
    },
    V0_45,
  ],
  ['a CA', certificateAuthorityJson({}), inSpec('clusterCa'), {}, V0_45],
  [
    'a CA with all options',
    certificateAuthorityJson({
      validity: Duration.days(730),
      renewal: Duration.hours(48),
      generateCertificateAuthority: false,
      generateSecretOwnerReference: false,
      certificateExpirationPolicy: KafkaCertificateExpirationPolicy.REPLACE_KEY,
    }),
    inSpec('clientsCa'),
    {
      validityDays: 730,
      renewalDays: 2,
      generateCertificateAuthority: false,
      generateSecretOwnerReference: false,
      certificateExpirationPolicy: 'replace-key',
    },
    V0_45,
  ],
  [
    'a probe',
    probeJson({
      initialDelay: Duration.seconds(0),
      timeout: Duration.seconds(5),
      period: Duration.minutes(1),
      successThreshold: 1,
      failureThreshold: 3,
    }),
    inKafka('livenessProbe'),
    { initialDelaySeconds: 0, timeoutSeconds: 5, periodSeconds: 60, successThreshold: 1, failureThreshold: 3 },
    V0_45,
  ],
];

test.each(VALUES)('%s is written as the Kafka resource has it', (...[, json, , expected]) => {
  expect(json).toEqual(expected);
});

test.each(VALUES)('%s fits the schema of every version that has it', (...[, json, place, , oldest]) => {
  for (const strimzi of [V0_45, StrimziVersion.V0_47, V0_48, V0_49, StrimziVersion.V1_0, V1_2]) {
    const document = { ...place(json), apiVersion: strimzi.apiVersion };
    const { errors, warnings } = judgementOf([...FIELD_RULES, ...TYPED_FIELD_RULES], 'strimzi', (rule) =>
      rule.judge(document, { strimzi }),
    );
    const said = [...errors, ...warnings];
    if (strimzi.isAtLeast(oldest)) {
      expect(said.map(sentenceOf)).toEqual([]);
    } else {
      expect(said.map(({ ruleId }) => ruleId)).toContain('kafka-field-since');
    }
  }
});

test.each<[string, KafkaAuthorization, Json]>([
  [
    'keycloak',
    KafkaAuthorization.keycloak({ tokenEndpointUri: 'https://sso.example.com', superUsers: ['a'] }),
    { type: 'keycloak', tokenEndpointUri: 'https://sso.example.com', superUsers: ['a'] },
  ],
  ['opa', KafkaAuthorization.opa({ type: 'opa', url: 'http://opa' }), { type: 'opa', url: 'http://opa' }],
])('authorization %s is what the API version v1beta2 alone takes', (type, authorization, expected) => {
  expect([authorization.type, authorization._toJson()]).toEqual([type, expected]);
  const said = (apiVersion: string, strimzi: StrimziVersion) =>
    judgementOf(FIELD_RULES, 'strimzi', (rule) =>
      rule.judge({ ...kafka({ authorization: authorization._toJson() }), apiVersion }, { strimzi }),
    ).errors;
  expect(said(V0_48.apiVersion, V0_48)).toEqual([]);
});

test('what is written can be changed without harm to the next rendering', () => {
  const rack = KafkaRack.topologyLabel('zone');
  rack._toJson().topologyKey = 'other';
  const logging = KafkaLogging.inline({ a: 'INFO' });
  logging._toJson().loggers.a = 'DEBUG';
  const metrics = KafkaMetrics.strimziMetricsReporter({ allowList: ['a'] });
  metrics._toJson().values.allowList.push('b');
  const operator = KafkaEntityOperator.both();
  Object.assign(operator._toJson() as Json, { topicOperator: undefined });
  expect([rack._toJson(), logging._toJson(), metrics._toJson(), operator._toJson()]).toEqual([
    { topologyKey: 'zone' },
    { type: 'inline', loggers: { a: 'INFO' } },
    { type: 'strimziMetricsReporter', values: { allowList: ['a'] } },
    { topicOperator: {}, userOperator: {} },
  ]);
});

test.each<[string, () => unknown, string]>([
  [
    'another type of authorization',
    () => KafkaAuthorization.opa({ type: 'keycloak' }),
    'strimzi: authorization opa cannot be of type "keycloak"; leave type out, or use another method of KafkaAuthorization',
  ],
  [
    'an empty list of metrics',
    () => KafkaMetrics.strimziMetricsReporter({ allowList: [] }),
    'strimzi: strimziMetricsReporter cannot have an empty allowList; leave it out for the list of the operator',
  ],
  [
    'a size and a part of a volume',
    () => KafkaQuotas.strimzi({ minAvailablePerVolume: Size.gibibytes(1), minAvailableRatioPerVolume: 0.1 }),
    'strimzi: quotas cannot have both minAvailablePerVolume 1Gi and minAvailableRatioPerVolume 0.1; say one of them',
  ],
  [
    'a part of a byte',
    () => KafkaQuotas.kafka({ producerRate: Size.kibibytes(0.0001) }),
    'strimzi: producerRate is 0.0001Ki, which are no whole bytes; use a larger or smaller unit',
  ],
  [
    'no operator of two',
    () => KafkaEntityOperator.of({ podTemplate: {} }),
    'strimzi: an entity operator cannot have neither topicOperator nor userOperator; name one of them, or use KafkaEntityOperator.none()',
  ],
  [
    'no mode',
    () => cruiseControlJson({ autoRebalance: [] }),
    'strimzi: cruiseControl cannot have an empty autoRebalance; name a mode, or leave it out',
  ],
  [
    'a part of a kibibyte',
    () => cruiseControlJson({ brokerCapacity: { inboundNetwork: Size.kibibytes(1.5) } }),
    'strimzi: inboundNetwork is 1.5Ki, which are no whole kibibytes; use a smaller unit',
  ],
  [
    'a part of a day',
    () => certificateAuthorityJson({ validity: Duration.hours(36) }),
    'strimzi: validity of a CA is 1 day 12 hours, and the operator counts whole days; use a multiple of one of them',
  ],
  [
    'a part of a second',
    () => probeJson({ timeout: Duration.millis(1500) }),
    'strimzi: timeout of a probe is 1 second 500 millis, and the operator counts whole seconds; use a multiple of one of them',
  ],
])('%s is refused', (_, make, message) => {
  expect(make).toThrow(new Error(message));
});
