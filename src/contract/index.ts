export * from './kubernetes-version';
export * from './load-balancer-controller';
export * from './load-balancer-request';
export * from './node-pool';
export * from './node-taint';
export * from './options';
