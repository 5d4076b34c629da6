export * from './controller';
export * from './options';
export * from './target-group-binding';
