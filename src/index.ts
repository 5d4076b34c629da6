import './controllers/composition';

export * from './alerts';
export * from './checks/synth-plugin';
export * from './contract';
export * from './controllers';
export * from './diff';
export * from './gateway';
export * from './identity';
export * from './installations';
export * from './kafka';
export * from './nodes';
export * from './policies';
export * from './report';
export * from './rules';
export * from './services';
export * from './tenancy';
