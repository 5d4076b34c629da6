import type { DescribedRule } from '../../contract/rule';
import type { CheckReport } from '../check-report';
import type { FailOn } from './exit-code';

/** What a format may ask of the command beside the report; each is the same for all formats, and none asks for all. */
export interface FormatOptions {
  /** The version of this package, without which a format names none. */
  readonly version?: string;
  /** The rules that were asked, for what they say; a rule that is not among them is described by its id. */
  readonly rules?: readonly DescribedRule[];
  readonly width?: number;
  /** Whether all objects of a note or an unknown answer are named, and the sources of rules. */
  readonly isVerbose?: boolean;
  readonly failOn?: FailOn;
  /** Whether a rule without an answer fails the check. */
  readonly strict?: boolean;
}

/** Prints a report; the same report is the same text, wherever and whenever it is printed. */
export type Format = (report: CheckReport, options?: FormatOptions) => string;

/** This package, where its users find it. */
export const REPOSITORY = 'https://github.com/cdk8s-load-balancers/cdk8s-load-balancers';

export const RULES_PAGE = `${REPOSITORY}/blob/main/docs/reference/rules.md`;

/** Where to read on about a rule. */
export function rulePage(ruleId: string): string {
  return `${RULES_PAGE}#${encodeURIComponent(wellFormed(ruleId))}`;
}

/** Without the halves of characters, which no address can hold. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
