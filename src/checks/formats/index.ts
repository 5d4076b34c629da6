export * from './exit-code';
export type { Format, FormatOptions } from './format';
export * from './formats';
