import type { DescribedRule } from '../../contract/rule';
import type { CheckReport } from '../check-report';

/** What a format may ask of the command beside the report; each is the same for all formats, and none asks for all. */
export interface FormatOptions {
  readonly version?: string;
  /** The rules that were asked, for what they say; a rule that is not among them is described by its id. */
  readonly rules?: readonly DescribedRule[];
  readonly width?: number;
  readonly isVerbose?: boolean;
  readonly failOn?: FailOn;
  readonly strict?: boolean;
}

/** Prints a report; the same report is the same text, wherever and whenever it is printed. */
export type Format = (report: CheckReport, options?: FormatOptions) => string;

export const REPOSITORY = 'https://github.com/cdk8s-load-balancers/cdk8s-load-balancers';

export function pageUrl(page: string): string {
  return `${REPOSITORY}/blob/main/${page}`;
}

export const RULES_PAGE = pageUrl('docs/reference/rules.md');

export function rulePage(ruleId: string): string {
  return `${RULES_PAGE}#${encodeURIComponent(wellFormed(ruleId))}`;
}

export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

export type FailOn = 'error' | 'warning';

export interface FailureOptions {
  readonly failOn?: FailOn;
  readonly strict?: boolean;
}

export interface Verdict {
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

export function verdictOf({ findings, unknown, unreadable, isIncomplete = false }: CheckReport): Verdict {
  const open = findings.filter(({ accepted }) => !accepted);
  const worst = (['error', 'warning'] as const).find((level) => open.some((one) => one.level === level));
  return { worst, isUnknown: unknown.length > 0 || isIncomplete, isUnreadable: unreadable.length > 0 };
}

export function isFailure(level: string, failOn: FailOn = 'error'): boolean {
  return level === 'error' || (level === 'warning' && failOn === 'warning');
}
