export * from './controller';
export * from './options';
export * from './version';
