export * from './load-balancer-keeper';
export * from './load-balancer-lock';
export * from './load-balancer-warnings';
export * from './policy-options';
