export * from './load-balancers';
