export * from './gateway';
export * from './gateway-allowed-routes';
export * from './gateway-class';
export * from './gateway-listener';
export * from './gateway-protocol';
export * from './gateway-tls-mode';
export * from './i-gateway';
export * from './tls-route';
