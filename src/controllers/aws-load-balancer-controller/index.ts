export * from './controller';
export * from './options';
