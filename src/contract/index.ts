export * from './kubernetes-version';
export * from './load-balancer-request';
export * from './node-pool';
export * from './options';
