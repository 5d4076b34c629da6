export * from './contract';
export * from './controllers';
export * from './nodes';
export * from './rules';
export * from './services';
