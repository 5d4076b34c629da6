export * from './exit-code';
export * from './format';
export * from './formats';
