export * from './node-pools.factories';
export * from './node-pools.options';
