import type { AnnotationFact } from '../contract/annotation-catalogue';
import { type Json, shown } from '../contract/json';
import { LoadBalancerWish } from '../contract/options';
import type { Finding } from '../contract/rule';
import { unlessLive } from '../contract/rule';
import { rangeOfAllAmong } from '../contract/source-ranges';
import { annotationRule, isUnowned, keyMeantBy, knownToOthers, unknownAmong } from './annotation-rule';
import { eachEntry } from './api-server-rule';
import type { ControllerDefinition } from './controller-definition';
import { allKinds } from './known-kinds';
import type { Rule } from './rule';
import { annotationsOf } from './service-json';
import {
  foreignScheme,
  ignoresIt,
  isPublicWithout,
  misspeltScheme,
  schemeAsLabel,
  UNREAD_SCHEME_RULES,
} from './unread-scheme-rules';

// The annotations of a finished Service are those that the owner of its load balancer reads, with values that it reads.

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
  { kind, service }: { readonly kind: ControllerDefinition; readonly service: Json },
  concerns: (fact: AnnotationFact<unknown>) => boolean,
): Finding | undefined {
  const fact = typeof text === 'string' ? kind.catalogue.find(key) : undefined;
  const read = fact?.decode(text as string);
  if (!fact || !read || !('fault' in read) || !concerns(fact.fact) || kind.ignores?.(service).includes(key)) {
    return undefined;
  }
  const { badValue, codec } = fact.fact;
  const what =
    badValue === 'refused'
      ? `no load balancer is made: annotation ${key}: ${read.fault}, which ${kind.name} refuses`
      : isPublicWithout(key, kind, service)
        ? `the load balancer becomes public: annotation ${key} is ${shown(text)}, and ${kind.name} only takes ${codec.says.replace(/^only /, '')}`
        : `annotation ${key}: ${read.fault}, which ${kind.name} silently takes for something else`;
  return {
    what,
    remedy: `write ${codec.says}`,
    value: text as string,
    ...(badValue === 'refused' && { effect: 'refused' as const }),
  };
}

/** Whether every controller that reads an annotation refuses its value, or opens the balancer by it. */
export function isGraveForAllReaders(service: Json, key: string): boolean {
  const readers = allKinds().filter(({ catalogue }) => catalogue.find(key));
  const text: unknown = annotationsOf(service)[key];
  return readers.length > 0 && readers.every((kind) => misread(key, text, { kind, service }, isGrave) !== undefined);
}

export const ANNOTATION_RULES: readonly Rule[] = [
  annotationRule(
    {
      id: 'annotation-value',
      severity: 'error',
      says: 'annotation value that the owner refuses, or that exposes the balancer',
      source: 'ours',
    },
    (key, text, kind, { service }) => misread(key, text, { kind, service }, isGrave),
  ),
  annotationRule(
    {
      id: 'annotation-misread',
      severity: 'warning',
      says: 'annotation value that the owner misreads',
      source: 'ours',
    },
    (key, text, kind, { service }) => misread(key, text, { kind, service }, (fact) => !isGrave(fact)),
  ),
  annotationRule(
    {
      id: 'annotation-ignored',
      severity: 'warning',
      says: 'annotation that the type of this load balancer does not read',
      source: 'ours',
      concerns: (_, { kind }) => kind?.readBy !== undefined,
    },
    (key, _, kind, { service }) => {
      const { readBy, ignores } = kind;
      if (readBy === undefined || !ignores?.(service).includes(key)) {
        return undefined;
      }
      const type: unknown = annotationsOf(service)[readBy];
      return {
        what: `annotation ${key} is ignored: ${readBy} is ${type === undefined ? 'not set' : shown(type)}${isPublicWithout(key, kind, service) ? ', and the balancer is public' : ''}`,
        remedy: `remove it, or make a Service with the ${readBy.replace(/^.*\//, '')} that reads it`,
        value: key,
      };
    },
  ),
  annotationRule(
    {
      id: 'annotation-range-of-all',
      severity: 'warning',
      says: 'source range of all addresses beside narrower ones in an annotation',
      source: 'ours',
    },
    (key, text, { catalogue, ignores }, { service }) => {
      const fact = typeof text === 'string' ? catalogue.find(key) : undefined;
      const isRead = fact?.fact.wish === LoadBalancerWish.SOURCE_RANGES && !ignores?.(service).includes(key);
      const read = isRead ? fact.decode(text as string) : undefined;
      return read && 'value' in read && Array.isArray(read.value) ? rangeOfAllAmong(read.value, key) : undefined;
    },
  ),
  annotationRule(
    {
      id: 'annotation-unknown',
      severity: 'warning',
      says: 'annotation that its controller does not know',
      source: 'ours',
      concerns: unknownAmong,
    },
    (key, text, kind, around) => {
      if (!isUnowned(kind, key)) {
        return undefined;
      }
      const near = keyMeantBy(key, kind);
      if ((near === undefined && !kind.catalogue.claims(key)) || misspeltScheme(key, text, kind, around)) {
        return undefined;
      }
      return {
        what: `annotation ${key} is unknown and silently ignored${isPublicWithout(near, kind, around.service) ? ': the balancer is public' : ''}`,
        remedy: near ? `write ${near}` : 'check its spelling, or whether this version reads it',
        value: key,
      };
    },
  ),
  {
    id: 'annotation-as-label',
    severity: 'warning',
    says: 'annotation written as a label',
    source: 'ours',
    on: ['metadata.labels'],
    judge: (service, context) => {
      const { kind } = context;
      return (
        kind &&
        eachEntry(service.metadata?.labels, (key, text) =>
          kind.catalogue.find(key) &&
          annotationsOf(service)[key] === undefined &&
          !schemeAsLabel(key, text, kind, { service, context })
            ? {
                what: `label ${key} is ignored: ${kind.name} reads an annotation of this name${isPublicWithout(key, kind, service) ? ', and the balancer is public' : ''}`,
                remedy: 'move it to metadata.annotations',
                value: key,
                at: `/metadata/labels/${key.replaceAll('/', '~1')}`,
              }
            : undefined,
        )
      );
    },
  },
  annotationRule(
    {
      id: 'annotation-prefix',
      severity: 'warning',
      says: 'annotation without the prefix of its controller',
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
      says: 'annotation that the installed version does not read',
      source: 'ours',
      concerns: (keys, { kind }) =>
        kind?.versionOf !== undefined && keys.some((key) => kind.catalogue.find(key)?.fact.since),
    },
    (key, _, { name, catalogue }, { version }) => {
      const since = catalogue.find(key)?.fact.since;
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
      says: 'obsolete annotation',
      source: 'ours',
      concerns: (keys, { kind }) => keys.some((key) => kind?.catalogue.find(key)?.fact.deprecated),
    },
    (key, _, { catalogue }, { version }) => {
      const fact = catalogue.find(key)?.fact;
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
      says: 'annotation for a controller that does not own the balancer',
      source: 'ours',
      concerns: unknownAmong,
    },
    (key, text, kind, around) => {
      const other = kind.catalogue.find(key) ? undefined : knownToOthers(kind, key);
      return other?.catalogue.owns(key) && !foreignScheme(key, text, kind, around)
        ? {
            what: `annotation ${key} is for ${other.name}, and this balancer is owned by ${kind.name}, which ${ignoresIt(kind)}`,
            remedy: unlessLive(`remove it, or let ${other.name} own the Service`),
            value: key,
          }
        : undefined;
    },
  ),
  ...UNREAD_SCHEME_RULES,
];
