export * from './load-balancer-change';
export * from './load-balancer-diff';
export * from './load-balancer-diff.options';
export * from './load-balancer-outcome';
export * from './load-balancer-protection';
export * from './load-balancer-protection.options';
