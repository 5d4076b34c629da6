export * from './gateway';
export * from './gateway-class';
export * from './gateway-listener';
export * from './options';
export * from './routes';
