/**
 * How much the operator says in its log.
 */
export enum StrimziLogLevel {
  /** Errors alone. */
  ERROR = 'ERROR',

  /** Warnings too. */
  WARN = 'WARN',

  /** What it does. */
  INFO = 'INFO',

  /** What helps to find a fault. */
  DEBUG = 'DEBUG',

  /** Everything. */
  TRACE = 'TRACE',
}
