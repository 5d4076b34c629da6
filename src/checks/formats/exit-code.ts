import type { CheckReport } from '../check-report';

/** The weakest finding that fails a command. */
export type FailOn = 'error' | 'warning';

/** What fails a command, beside what cannot be read. */
export interface FailureOptions {
  readonly failOn?: FailOn;
  /** True if what is not known does. */
  readonly strict?: boolean;
}

/** What a command found, as far as its exit code needs it. */
export interface Verdict {
  /** The weight of the gravest finding or loss that nobody accepted. */
  readonly worst?: FailOn;
  readonly isUnknown?: boolean;
  readonly isUnreadable?: boolean;
}

/** The exit code of a command that was asked for rightly: 2 if something cannot be read, 1 for findings, losses and failures. */
export function exitCode(
  { worst, isUnknown, isUnreadable }: Verdict,
  { failOn = 'error', strict = false }: FailureOptions = {},
): 0 | 1 | 2 {
  return isUnreadable ? 2 : (worst && isFailure(worst, failOn)) || (strict && isUnknown) ? 1 : 0;
}

/** What a check found. A note is no reason to fail. */
export function verdictOf({ findings, unknown, unreadable }: CheckReport): Verdict {
  const open = findings.filter(({ accepted }) => !accepted);
  const worst = (['error', 'warning'] as const).find((level) => open.some((one) => one.level === level));
  return { worst, isUnknown: unknown.length > 0, isUnreadable: unreadable.length > 0 };
}

/** True if a finding of a level fails, unless it is accepted. */
export function isFailure(level: string, failOn: FailOn = 'error'): boolean {
  return level === 'error' || (level === 'warning' && failOn === 'warning');
}
