import { cluster, type Mistake, topic } from './entities';

/** What is wrong with topics. */
export const TOPIC_MISTAKES: Mistake[] = [
  [
    topic({ partition: 3 }),
    [
      'strimzi: spec.partition does not exist, and is dropped without a word unless fields are checked strictly; use one of topicName, partitions, replicas, config; options of Kafka stand in config (topic-field)',
    ],
  ],
  [
    topic({ topicName: 'orders!' }),
    [
      "strimzi: the name of the topic is 'orders!', which is no name of a topic (letters, digits, dots, underscores, dashes); write another topicName (topic-name)",
    ],
  ],
  [
    topic({ topicName: '..' }),
    [
      "strimzi: the name of the topic is '..', which is one that Kafka keeps for itself; write another topicName (topic-name)",
    ],
  ],
  [
    topic({ topicName: '' }),
    [
      "strimzi: the name of the topic is '', which is no name of a topic (letters, digits, dots, underscores, dashes); write another topicName (topic-name)",
    ],
  ],
  [
    topic({ topicName: 7 }),
    ['strimzi: the name of the topic is 7, which is no text; write another topicName (topic-name)'],
  ],
  [
    topic({}, { metadata: { name: 'a'.repeat(250) } }),
    [
      `strimzi: the name of the topic is '${'a'.repeat(250)}', which has 250 characters, more than 249; say topicName (topic-name)`,
    ],
  ],
  [
    topic({ partitions: 0 }),
    [
      'strimzi: spec.partitions is 0, no whole number from 1 to 2147483647; write such a number, or remove it for the default of the cluster (topic-count)',
    ],
  ],
  [
    topic({ partitions: 2_147_483_648, replicas: 40_000 }),
    [
      'strimzi: spec.partitions is 2147483648, no whole number from 1 to 2147483647; write such a number, or remove it for the default of the cluster (topic-count)',
      'strimzi: spec.replicas is 40000, no whole number from 1 to 32767; write such a number, or remove it for the default of the cluster (topic-count)',
    ],
    { brokerIds: undefined },
  ],
  [
    topic({ replicas: '3' }),
    [
      "strimzi: spec.replicas is '3', no whole number from 1 to 32767; write such a number, or remove it for the default of the cluster (topic-count)",
    ],
  ],
  [
    topic({ config: { 'retention.ms': { hours: 1 } } }),
    [
      'strimzi: spec.config has retention.ms: {"hours":1}, a map; write a text, a number, a boolean, or a list of these (topic-config)',
    ],
  ],
  [
    topic({ config: { 'cleanup.policy': ['compact', { and: 'delete' }] } }),
    [
      'strimzi: spec.config has cleanup.policy: ["compact",{"and":"delete"}], a map; write a text, a number, a boolean, or a list of these (topic-config)',
    ],
  ],
  [
    topic({ config: ['retention.ms=1'] }),
    ['strimzi: spec.config is ["retention.ms=1"], no map; write options by name (topic-config)'],
  ],
  [
    topic({ replicas: 4 }),
    ['strimzi: spec.replicas is 4, and there are 3 brokers; write a number that the brokers can hold (topic-replicas)'],
  ],
  [
    topic({ replicas: 2, config: { 'min.insync.replicas': '3' } }),
    [
      '(strimzi): min.insync.replicas is 3, and replicas is 2, which is what Kafka counts it as: with the first broker that is lost, whoever writes with acks=all is refused; write more replicas, or a smaller number in config (topic-min-insync)',
    ],
  ],
  [
    topic({ replicas: 1 }),
    [
      "(strimzi): min.insync.replicas is 2 (the cluster's min.insync.replicas), and replicas is 1, which is what Kafka counts it as: with the first broker that is lost, whoever writes with acks=all is refused; write more replicas, or a smaller number in config (topic-min-insync)",
    ],
    { kafka: cluster({ kafka: { config: { 'min.insync.replicas': 2 } } }) },
  ],
  [
    topic({ config: { 'min.insync.replicas': 2 } }),
    [
      "(strimzi): min.insync.replicas is 2, and replicas is 1 (Kafka's default), which is what Kafka counts it as: with the first broker that is lost, whoever writes with acks=all is refused; write more replicas, or a smaller number in config (topic-min-insync)",
    ],
  ],
  [
    topic({ config: { 'min.insync.replicas': 4 } }),
    [
      "(strimzi): min.insync.replicas is 4, and replicas is 3 (the cluster's default.replication.factor), which is what Kafka counts it as: with the first broker that is lost, whoever writes with acks=all is refused; write more replicas, or a smaller number in config (topic-min-insync)",
    ],
    { kafka: cluster({ kafka: { config: { 'default.replication.factor': '3' } } }) },
  ],
];
