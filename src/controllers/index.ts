export * from './hetzner-cloud';
