export * from './load-balancer-budget';
export * from './load-balancer-report';
export * from './options';
