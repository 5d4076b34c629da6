import type { AnnotationCatalogue, AnnotationFact } from '../contract/annotation-catalogue';
import type { Finding } from '../contract/finding';
import { unlessLive } from '../contract/hand-over';
import type { Json } from '../contract/json';
import { LoadBalancerWish } from '../contract/load-balancer-wish';
import { eachEntry } from './api-server-rule';
import type { ControllerDefinition, ControllerVersion } from './controller-definition';
import type { Rule } from './rule';
import type { RuleContext } from './rule-context';

// The annotations of a finished Service are those that the owner of its load balancer reads, with values that it reads.

/** A rule about one annotation at a time, of an owner that is known. */
function annotationRule(
  rule: Omit<Rule, 'judge'>,
  look: (key: string, text: unknown, kind: ControllerDefinition, version?: ControllerVersion) => Finding | undefined,
): Rule {
  const judge = (service: Json, { kind, controller }: RuleContext) => {
    const version = kind?.versionOf?.(controller);
    return kind && eachEntry(service.metadata?.annotations, (key, text) => look(key, text, kind, version));
  };
  return { ...rule, judge };
}

/** Whether the owner does not know one of these keys. */
function unknownAmong(keys: readonly string[], { kind }: RuleContext): boolean {
  return keys.some((key) => !kind?.catalogue.find(key));
}

function knownToOthers(kind: ControllerDefinition, key: string): ControllerDefinition | undefined {
  return kind.all().find((other) => other !== kind && other.catalogue.find(key));
}

function isUnowned(kind: ControllerDefinition, key: string): boolean {
  return !kind.catalogue.find(key) && !knownToOthers(kind, key);
}

/** Whether a value that cannot be read costs the balancer, or opens it to others than was meant. */
function isGrave({ badValue, wish, restrictsClients }: AnnotationFact<unknown>): boolean {
  return (
    badValue === 'refused' ||
    restrictsClients === true ||
    wish === LoadBalancerWish.SCHEME ||
    wish === LoadBalancerWish.SOURCE_RANGES
  );
}

function misread(
  key: string,
  text: unknown,
  catalogue: AnnotationCatalogue,
  concerns: (fact: AnnotationFact<unknown>) => boolean,
): Finding | undefined {
  const fact = typeof text === 'string' ? catalogue.find(key)?.annotation : undefined;
  const read = fact?.decode(text as string);
  if (!fact || !read || !('fault' in read) || !concerns(fact.fact)) {
    return undefined;
  }
  const fate =
    fact.fact.badValue === 'refused'
      ? 'which it refuses: an event at best, and no balancer'
      : 'which it silently takes for something else';
  return {
    what: `annotation ${key}: ${read.fault}, ${fate}`,
    remedy: `write ${fact.fact.codec.says}`,
    value: text as string,
  };
}

/** The rules about annotations, for any owner. */
export const ANNOTATION_RULES: readonly Rule[] = [
  annotationRule(
    {
      id: 'annotation-value',
      severity: 'error',
      says: 'the value of an annotation is one that the owner reads, where it refuses others or the balancer would be open to others than was meant',
      source: 'ours',
    },
    (key, text, { catalogue }) => misread(key, text, catalogue, isGrave),
  ),
  annotationRule(
    {
      id: 'annotation-misread',
      severity: 'warning',
      says: 'the value of an annotation is one that the owner reads as it is meant',
      source: 'ours',
    },
    (key, text, { catalogue }) => misread(key, text, catalogue, (fact) => !isGrave(fact)),
  ),
  annotationRule(
    {
      id: 'annotation-unknown',
      severity: 'warning',
      says: 'an annotation with the prefix of the owner is one that it knows',
      source: 'ours',
      concerns: unknownAmong,
    },
    (key, _, kind) => {
      if (!kind.catalogue.claims(key) || !isUnowned(kind, key)) {
        return undefined;
      }
      const near = kind.catalogue.nearest(key);
      return {
        what: `annotation ${key} is unknown and silently ignored`,
        remedy: near ? `write ${near}` : 'check its spelling, or whether this version reads it',
        value: key,
      };
    },
  ),
  annotationRule(
    {
      id: 'annotation-prefix',
      severity: 'warning',
      says: 'an annotation that has the name of one of the owner has its prefix as well',
      source: 'ours',
      concerns: unknownAmong,
    },
    (key, _, kind) => {
      const meant = kind.catalogue.claims(key) ? undefined : kind.catalogue.underOwnPrefix(key);
      return meant && isUnowned(kind, key)
        ? { what: `annotation ${key} is read by no controller`, remedy: `write ${meant}`, value: key }
        : undefined;
    },
  ),
  annotationRule(
    {
      id: 'annotation-too-new',
      severity: 'error',
      says: 'an annotation is one that the installed version of the owner reads',
      source: 'ours',
      concerns: (keys, { kind }) =>
        kind?.versionOf !== undefined && keys.some((key) => kind.catalogue.find(key)?.annotation.fact.since),
    },
    (key, _, { name, catalogue }, version) => {
      const since = catalogue.find(key)?.annotation.fact.since;
      return since === undefined || version === undefined || version.reaches(since)
        ? undefined
        : {
            what: `annotation ${key} is read from ${name} ${since} on, and ${version.version} ignores it silently`,
            remedy: `leave it out, or upgrade the controller to ${since} or newer`,
            value: key,
          };
    },
  ),
  annotationRule(
    {
      id: 'annotation-deprecated',
      severity: 'warning',
      says: 'no annotation is one that its controller calls obsolete',
      source: 'ours',
      concerns: (keys, { kind }) => keys.some((key) => kind?.catalogue.find(key)?.annotation.fact.deprecated),
    },
    (key, _, { catalogue }, version) => {
      const fact = catalogue.find(key)?.annotation.fact;
      const isObsolete = fact?.deprecated && version?.reaches(fact.deprecatedSince ?? version.version) !== false;
      return isObsolete
        ? { what: `annotation ${key} is obsolete`, remedy: fact.remark ?? 'use its successor', value: key }
        : undefined;
    },
  ),
  annotationRule(
    {
      id: 'annotation-foreign',
      severity: 'warning',
      says: 'no annotation is meant for a controller that does not own the balancer',
      source: 'ours',
      concerns: unknownAmong,
    },
    (key, _, kind) => {
      const other = kind.catalogue.find(key) ? undefined : knownToOthers(kind, key);
      return other
        ? {
            what: `annotation ${key} is for ${other.name}, and this balancer is owned by ${kind.name}, which ignores it`,
            remedy: unlessLive(`remove it, or let ${other.name} own the Service`),
            value: key,
          }
        : undefined;
    },
  ),
];
