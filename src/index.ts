export * from './contract';
export * from './controllers';
