export * from './contract';
export * from './controllers';
export * from './gateway';
export * from './kafka';
export * from './nodes';
export * from './rules';
export * from './services';
