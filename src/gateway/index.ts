export * from './gateway';
export * from './gateway-allowed';
export * from './gateway-protocol';
export * from './i-gateway';
export * from './options';
export * from './routes';
