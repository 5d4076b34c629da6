export * from './load-balancer-diff';
export * from './load-balancer-protection';
export * from './options';
