import type { CheckReport } from '../check-report';

/** The weakest finding that fails a check. */
export type FailOn = 'error' | 'warning';

/** What else fails a check. */
export interface FailureOptions {
  readonly failOn?: FailOn;
  /** Whether a rule without an answer does. */
  readonly strict?: boolean;
}

/**
 * The exit code of a check that was asked for rightly. Errors fail it, warnings where that is asked for, and documents that
 * cannot be read always; a source that is declared and cannot be rendered is one of usage, so that the code is 2. A finding that was accepted and a note never do.
 */
export function exitCode(report: CheckReport, { failOn = 'error', strict = false }: FailureOptions = {}): 0 | 1 | 2 {
  if (report.unreadable.some(({ isSource }) => isSource)) {
    return 2;
  }
  const fails =
    report.unreadable.length > 0 ||
    (strict && report.unknown.length > 0) ||
    report.findings.some(({ level, accepted }) => !accepted && isFailure(level, failOn));
  return fails ? 1 : 0;
}

/** Whether a finding of that level fails a check, unless it is accepted. */
export function isFailure(level: string, failOn: FailOn = 'error'): boolean {
  return level === 'error' || (level === 'warning' && failOn === 'warning');
}
