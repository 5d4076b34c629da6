export * from './load-balancer-budget';
export * from './load-balancer-figures';
export * from './load-balancer-report';
