import { type Json, unquoted } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';
import { type Line, textOf } from '../../report/document';

export type WordKind = 'finalizer' | 'class' | 'annotation' | 'rule' | 'controller' | 'operator' | 'chart';

export interface ExplainedPart {
  readonly who: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly source: string;
}

export interface ExplainedRule {
  readonly id: string;
  readonly severity: string;
  readonly says: string;
}

export interface RuleExample {
  readonly rule: string;
  /** Name of the file that `bad` and `good` are, or that is `context` if they are code that reads it. */
  readonly file?: string;
  readonly context?: string;
  readonly bad: string;
  readonly good: string;
  /** Language of `bad` and `good` if they are not manifests; `context` is then the code that reads them. */
  readonly language?: 'ts' | 'json' | 'yaml';
  /** Message of a program: the command does not run it. */
  readonly what?: string;
  readonly remedy?: string;
}

export interface ExplainedExample extends RuleExample {
  readonly what: string;
  readonly remedy: string;
  readonly line: number;
}

export interface Explanation {
  readonly kind: WordKind;
  readonly word: string;
  readonly says: string;
  readonly parts: readonly ExplainedPart[];
  readonly rules: readonly ExplainedRule[];
  readonly todo: readonly string[];
  /** Consequence of the mistake on a live cluster, in a sentence or two. */
  readonly happens?: string;
  readonly examples?: readonly ExplainedExample[];
  readonly readOn: readonly string[];
}

export interface EventPattern {
  /** The reason of the event, or of the condition; any where it is left out. */
  readonly reason?: RegExp;
  readonly message?: RegExp;
  readonly source: Citation;
}

interface Check {
  readonly command: string;
  readonly shows: string;
  /** The controllers where it makes sense; anywhere where it is left out. */
  readonly of?: readonly string[];
}

export interface Cause {
  readonly id: string;
  readonly title: string;
  readonly what: string;
  readonly checks: readonly Check[];
  readonly remedy: string;
  readonly signs: readonly EventPattern[];
  /** Signs that fit several causes: they count where no other cause has a sign in the same message. */
  readonly generalSigns?: readonly EventPattern[];
  /** The controllers whose Services it can hit; any where it is left out. */
  readonly of?: readonly string[];
  readonly beforeFinalizerOf?: readonly string[];
}

export interface FinalizerFact {
  readonly finalizer: string;
  /** True if names follow: `group.ingress.k8s.aws/` and the name of a group. */
  readonly isPrefix?: boolean;
  readonly on: string;
  readonly who: string;
  readonly guards: string;
  readonly added: string;
  readonly surprise?: string;
  readonly todo: string;
  readonly source: Citation;
}

export interface ClassFact {
  readonly name: string;
  readonly who: string;
  readonly says: string;
  readonly source: Citation;
}

export interface AnnotationNote {
  readonly key: string;
  readonly who: string;
  readonly value: string;
  readonly says: string;
  readonly source: Citation;
}

export const PAGES = {
  finalizers: 'docs/explanation/finalizers.md',
  handOver: 'docs/how-to/change-a-controller.md#hand-services-over',
  pending: 'docs/stuck-in-pending.md',
  permissions: 'docs/how-to/cloud-permissions.md',
  rules: 'docs/reference/rules.md',
  terminating: 'docs/stuck-in-terminating.md',
  warnings: 'docs/how-to/test-and-ci.md#deal-with-warnings',
  controllers: 'docs/reference/controllers.md',
  operators: 'docs/reference/controllers.md#operators',
  keep: 'docs/how-to/keep-load-balancers.md',
} as const;

export function known(facts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(facts).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}

// Lines for people.

export function nameOf({ metadata }: Json): string {
  const { name, generateName } = metadata ?? {};
  return name === undefined && generateName !== undefined ? `${unquoted(generateName)}*` : unquoted(name ?? '');
}

export function pathOf({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return `${namespace === undefined ? '' : `${namespace}/`}${name === '' ? '(without a name)' : name}`;
}

export function explained(sections: readonly (readonly Line[])[]): string {
  return textOf(sections, { indent: 4, label: 15 });
}

export function factLines(facts: Readonly<Record<string, string>>): Line[] {
  const width = Math.max(...Object.keys(facts).map((label) => label.length));
  return Object.entries(facts).map(([label, value]) => [4, `${label.padEnd(width)}  ${value}`]);
}

export function section(heading: string, items: readonly Line[]): Line[] {
  return items.length === 0 ? [] : [[2, heading], ...items];
}

export function items(all: readonly string[]): Line[] {
  return all.map((one) => [4, one]);
}
