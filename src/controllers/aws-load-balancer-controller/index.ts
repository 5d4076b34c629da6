export * from './controller';
export * from './options';
export * from './target-group-binding';
export * from './target-group-binding.options';
