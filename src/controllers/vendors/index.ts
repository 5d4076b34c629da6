export * from './options';
export * from './writers';
