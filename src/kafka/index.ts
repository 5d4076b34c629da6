export * from './cluster/kafka-cluster';
export * from './listener/kafka-authentication';
export * from './listener/kafka-load-balanced-listener';
export * from './strimzi/strimzi-version';
