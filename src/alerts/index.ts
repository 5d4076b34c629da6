export * from './controllers/options';
export * from './controllers/watched-controller';
export * from './load-balancer-alerts';
export * from './options';
export * from './proxies/options';
export * from './proxies/watched-shared-load-balancer';
