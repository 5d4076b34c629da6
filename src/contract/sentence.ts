import type { LoadBalancerFinding } from './options';
import { printable } from './printable';

export function sentenceOf(finding: LoadBalancerFinding): string {
  return `${finding.who}: ${printable(finding.what)}; ${printable(finding.remedy)} (${finding.ruleId})`;
}

/** A text with values in place of `{{name}}`. */
export function filled(text: string, params: object): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name) => `${(params as Readonly<Record<string, unknown>>)[name]}`);
}
