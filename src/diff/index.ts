export * from './load-balancer-diff';
export * from './load-balancer-outcome';
export * from './load-balancer-protection';
