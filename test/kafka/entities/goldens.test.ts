import { join } from 'node:path';
import { type Chart, Duration, Size } from 'cdk8s';
import { StrimziVersion } from '../../../src';
import { KafkaAcl } from '../../../src/kafka/entities/kafka-acl';
import { KafkaAclOperation } from '../../../src/kafka/entities/kafka-acl-operation';
import { KafkaAclResource } from '../../../src/kafka/entities/kafka-acl-resource';
import { KafkaTopic } from '../../../src/kafka/entities/kafka-topic';
import { KafkaUser } from '../../../src/kafka/entities/kafka-user';
import { KafkaUserAuthentication } from '../../../src/kafka/entities/kafka-user-authentication';
import { expectGolden, writtenBy } from '../../support/golden-files';
import { existing } from './fixtures';

const { V0_45, V1_2 } = StrimziVersion;
const { ALL, DESCRIBE, READ } = KafkaAclOperation;

/** A shop: who sells writes, who ships reads, and who runs it may do all. */
function shop(strimzi: StrimziVersion): Chart {
  const { chart, cluster: kafka } = existing(strimzi);
  const orders = new KafkaTopic(chart, 'Orders', {
    kafka,
    name: 'orders',
    topicName: 'Orders_v1',
    partitions: 12,
    replicas: 3,
    config: { 'min.insync.replicas': 2, 'retention.ms': 604_800_000, 'cleanup.policy': 'delete' },
  });
  new KafkaTopic(chart, 'Legacy', { kafka, name: 'legacy', managed: false });
  new KafkaUser(chart, 'Till', {
    kafka,
    name: 'till',
    authentication: KafkaUserAuthentication.scramSha512({
      passwordSecret: { secretName: 'till-password', key: 'password' },
    }),
    acls: KafkaAcl.producerOf(orders.topicName, { transactionalId: 'till' }),
    quotas: { producerRate: Size.mebibytes(1), requestPercentage: 50 },
  });
  new KafkaUser(chart, 'Warehouse', {
    kafka,
    name: 'warehouse',
    authentication:
      strimzi === V1_2
        ? KafkaUserAuthentication.tls({ validity: Duration.days(90), renewal: Duration.days(30) })
        : KafkaUserAuthentication.tls(),
    acls: [
      ...KafkaAcl.consumerOf(orders.topicName, 'warehouse'),
      KafkaAcl.deny(KafkaAclResource.topicsWithPrefix('payments.'), [ALL]),
    ],
    secretLabels: { 'example.com/copy-to': 'warehouse' },
  });
  new KafkaUser(chart, 'Auditor', {
    kafka,
    name: 'auditor',
    authentication: KafkaUserAuthentication.tlsExternal(),
    acls: [
      KafkaAcl.allow(KafkaAclResource.allTopics(), [READ, DESCRIBE], { host: '10.0.0.7' }),
      KafkaAcl.allow(KafkaAclResource.cluster(), [DESCRIBE]),
    ],
  });
  return chart;
}

const GOLDENS: Record<string, StrimziVersion> = { 'on-0.45': V0_45, 'on-1.2': V1_2 };

test.each(Object.entries(GOLDENS))('golden: topics and users %s', (name, strimzi) => {
  const { yaml, said } = writtenBy(() => shop(strimzi));
  expectGolden(join(__dirname, '..', 'goldens'), `topics-and-users-${name}`, yaml);
  expect(said).toBe('');
});
