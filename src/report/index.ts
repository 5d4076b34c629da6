export * from './load-balancer-report';
