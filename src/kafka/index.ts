export * from './kafka-authentication';
export * from './kafka-cluster';
export * from './kafka-load-balanced-listener';
export * from './strimzi-version';
