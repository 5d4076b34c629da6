export * from './cluster/kafka-cluster';
export * from './cluster/kafka-node-pool';
export * from './cluster/options';
export * from './listener/kafka-load-balanced-listener';
export * from './operator/i-kafka-cluster';
export * from './options';
export * from './routes/kafka-tls-route-listener';
export * from './strimzi/strimzi-version';
