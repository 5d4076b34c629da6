export * from './load-balancers';
export * from './options';
