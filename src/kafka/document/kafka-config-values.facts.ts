// What values of Kafka's own configuration the operator takes: it holds them against a model that was made from Kafka's
// definitions, and does not reconcile a cluster that has another one. Keys are those that Kafka 3.8 to 4.3 all have; where
// their limits differ, the widest ones stand here, unless a version of the operator runs the narrower ones alone.
// apache/kafka 3.8.0, 4.0.0, 4.2.0 and 4.3.1: server/…/config/ServerConfigs.java, ServerLogConfigs.java, ReplicationConfigs.java,
// QuotaConfig.java and KRaftConfigs.java, storage/…/log/LogConfig.java, CleanerConfig.java and RemoteLogManagerConfig.java,
// group-coordinator/…/GroupCoordinatorConfig.java, transaction-coordinator/…/TransactionLogConfig.java,
// server/…/network/SocketServerConfigs.java
// strimzi/strimzi-kafka-operator 0.45.0 to 1.2.0: config-model/…/ConfigModel.java

/** Whole numbers as Java knows them: the highest of each, and the lowest is as far below zero. */
export const HIGHEST = { short: 32_767n, int: 2_147_483_647n, long: 9_223_372_036_854_775_807n } as const;

/** What a key takes. */
export interface ConfigValue {
  readonly type: keyof typeof HIGHEST | 'double' | 'boolean' | 'word' | 'list';
  readonly least?: number;
  readonly most?: number;
  /** The words of a word, or of a list. */
  readonly words?: readonly string[];
  /** Whether words may be written in small letters. */
  readonly anyCase?: true;
  /** From this version of the operator on it takes no less. */
  readonly narrower?: { readonly since: string; readonly least: number };
}

function keys(value: ConfigValue, text: string): [string, ConfigValue][] {
  return text.split(/\s+/).map((key) => [key, value]);
}

/** By key. */
export const CONFIG_VALUES: ReadonlyMap<string, ConfigValue> = new Map([
  ...keys(
    { type: 'boolean' },
    `auto.create.topics.enable auto.leader.rebalance.enable controlled.shutdown.enable delete.topic.enable
    log.cleaner.enable log.preallocate remote.log.storage.system.enable transaction.partition.verification.enable
    unclean.leader.election.enable`,
  ),
  ...keys({ type: 'double' }, 'log.cleaner.io.buffer.load.factor log.cleaner.io.max.bytes.per.second'),
  ...keys({ type: 'double', least: 0, most: 1 }, 'log.cleaner.min.cleanable.ratio'),
  ...keys({ type: 'short', least: 1 }, 'offsets.topic.replication.factor transaction.state.log.replication.factor'),
  ...keys(
    { type: 'int' },
    `broker.heartbeat.interval.ms broker.session.timeout.ms controller.quorum.election.backoff.max.ms
    controller.quorum.election.timeout.ms controller.quorum.fetch.timeout.ms controller.socket.timeout.ms
    default.replication.factor delete.records.purgatory.purge.interval.requests fetch.purgatory.purge.interval.requests
    group.initial.rebalance.delay.ms group.max.session.timeout.ms group.min.session.timeout.ms
    initial.broker.registration.timeout.ms log.retention.hours log.retention.minutes num.replica.alter.log.dirs.threads
    offset.metadata.max.bytes offsets.topic.compression.codec producer.purgatory.purge.interval.requests
    replica.fetch.min.bytes replica.fetch.wait.max.ms replica.socket.receive.buffer.bytes replica.socket.timeout.ms
    request.timeout.ms socket.receive.buffer.bytes socket.send.buffer.bytes`,
  ),
  ...keys(
    { type: 'int', least: 0 },
    `connection.failed.authentication.delay.ms log.cleaner.io.buffer.size log.cleaner.threads
    log.flush.offset.checkpoint.interval.ms log.flush.start.offset.checkpoint.interval.ms log.index.interval.bytes
    log.roll.jitter.hours max.connection.creation.rate max.connections max.connections.per.ip
    max.incremental.fetch.session.cache.slots message.max.bytes metadata.max.idle.interval.ms replica.fetch.backoff.ms
    replica.fetch.max.bytes replica.fetch.response.max.bytes`,
  ),
  ...keys(
    { type: 'int', least: 1 },
    `alter.log.dirs.replication.quota.window.num alter.log.dirs.replication.quota.window.size.seconds background.threads
    group.consumer.heartbeat.interval.ms group.consumer.max.heartbeat.interval.ms group.consumer.max.session.timeout.ms
    group.consumer.max.size group.consumer.min.heartbeat.interval.ms group.consumer.min.session.timeout.ms
    group.consumer.session.timeout.ms group.coordinator.threads group.max.size kafka.metrics.polling.interval.secs
    log.roll.hours max.request.partition.size.limit metrics.num.samples min.insync.replicas num.io.threads
    num.network.threads num.partitions num.recovery.threads.per.data.dir offsets.commit.timeout.ms
    offsets.load.buffer.size offsets.retention.minutes offsets.topic.num.partitions offsets.topic.segment.bytes
    producer.id.expiration.ms queued.max.requests quota.window.num quota.window.size.seconds
    replication.quota.window.num replication.quota.window.size.seconds socket.listen.backlog.size
    socket.request.max.bytes transaction.abort.timed.out.transaction.cleanup.interval.ms transaction.max.timeout.ms
    transaction.remove.expired.transaction.cleanup.interval.ms transaction.state.log.load.buffer.size
    transaction.state.log.min.isr transaction.state.log.num.partitions transaction.state.log.segment.bytes
    transactional.id.expiration.ms`,
  ),
  ...keys({ type: 'int', least: 4 }, 'log.index.size.max.bytes'),
  ...keys({ type: 'int', least: 1024 }, 'fetch.max.bytes'),
  ...keys({ type: 'int', least: 14, narrower: { since: '0.48.0', least: 1_048_576 } }, 'log.segment.bytes'),
  ...keys({ type: 'int', narrower: { since: '1.1.0', least: 1 } }, 'num.replica.fetchers'),
  ...keys({ type: 'int', least: -1, most: 9 }, 'compression.gzip.level'),
  ...keys({ type: 'int', least: 1, most: 17 }, 'compression.lz4.level'),
  ...keys({ type: 'int', least: -131_072, most: 22 }, 'compression.zstd.level'),
  ...keys(
    { type: 'long' },
    `connections.max.idle.ms connections.max.reauth.ms log.cleaner.dedupe.buffer.size log.flush.interval.ms
    log.flush.scheduler.interval.ms log.retention.bytes log.retention.ms log.roll.jitter.ms log.roll.ms
    metadata.max.retention.bytes metadata.max.retention.ms queued.max.request.bytes
    replica.high.watermark.checkpoint.interval.ms replica.lag.time.max.ms socket.connection.setup.timeout.max.ms
    socket.connection.setup.timeout.ms`,
  ),
  ...keys({ type: 'long', least: -2 }, 'log.local.retention.bytes log.local.retention.ms'),
  ...keys(
    { type: 'long', least: 0 },
    `log.cleaner.backoff.ms log.cleaner.delete.retention.ms log.cleaner.min.compaction.lag.ms
    log.message.timestamp.after.max.ms log.message.timestamp.before.max.ms log.segment.delete.delay.ms`,
  ),
  ...keys(
    { type: 'long', least: 1 },
    `leader.imbalance.check.interval.seconds log.cleaner.max.compaction.lag.ms log.flush.interval.messages
    log.retention.check.interval.ms metrics.sample.window.ms offsets.retention.check.interval.ms
    remote.log.index.file.cache.total.size.bytes remote.log.manager.task.interval.ms`,
  ),
  ...keys({ type: 'list', words: ['compact', 'delete'] }, 'log.cleanup.policy'),
  ...keys({ type: 'word', words: ['CreateTime', 'LogAppendTime'] }, 'log.message.timestamp.type'),
  ...keys({ type: 'word', words: ['uncompressed', 'zstd', 'lz4', 'snappy', 'gzip', 'producer'] }, 'compression.type'),
  ...keys(
    { type: 'word', words: ['DISABLED', 'DOWNGRADE', 'UPGRADE', 'BIDIRECTIONAL'], anyCase: true },
    'group.consumer.migration.policy',
  ),
]);

/** Limits of a listener that Kafka takes for numbers of connections: with less, nobody connects. SocketServer.scala */
export const LISTENER_LIMITS: readonly string[] = ['maxConnections', 'maxConnectionCreationRate'];
