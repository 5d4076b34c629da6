import type { Json } from '../contract/json';
import type { Finding } from '../contract/rule';
import { eachEntry } from './api-server-rule';
import type { ControllerDefinition, ControllerVersion } from './controller-definition';
import { allKinds } from './known-kinds';
import type { Rule } from './rule';
import type { RuleContext } from './rule-context';

export interface Around {
  readonly service: Json;
  readonly version?: ControllerVersion;
  readonly context: RuleContext;
}

/** A rule about one annotation at a time, of an owner that is known. */
export function annotationRule(
  rule: Omit<Rule, 'judge'>,
  look: (key: string, text: unknown, kind: ControllerDefinition, around: Around) => Finding | undefined,
): Rule {
  const judge = (service: Json, context: RuleContext) => {
    const { kind, controller } = context;
    const around = { service, version: kind?.versionOf?.(controller), context };
    return kind && eachEntry(service.metadata?.annotations, (key, text) => look(key, text, kind, around));
  };
  return { ...rule, judge };
}

export function unknownAmong(keys: readonly string[], { kind }: RuleContext): boolean {
  return keys.some((key) => !kind?.catalogue.find(key));
}

export function knownToOthers(kind: ControllerDefinition, key: string): ControllerDefinition | undefined {
  return allKinds().find((other) => other !== kind && other.catalogue.find(key));
}

export function isUnowned(kind: ControllerDefinition, key: string): boolean {
  return !kind.catalogue.find(key) && !knownToOthers(kind, key);
}

/** The key of the owner that was meant by one that nobody knows, where one is near. */
export function keyMeantBy(key: string, { catalogue }: ControllerDefinition): string | undefined {
  if (catalogue.claims(key)) {
    return catalogue.misspelt(key) ?? catalogue.nearest(key);
  }
  return catalogue.underOwnPrefix(key) === undefined ? catalogue.misspelt(key) : undefined;
}
