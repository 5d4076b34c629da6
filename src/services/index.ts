export * from './adopted-service';
export * from './load-balanced-service';
export * from './nodepool-pinned-service';
export * from './options';
