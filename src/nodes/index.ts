export * from './node-pools';
export * from './node-pools.options';
