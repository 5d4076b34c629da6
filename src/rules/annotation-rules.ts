import { type AnnotationFact, schemeSetIn } from '../contract/annotation-catalogue';
import { type Json, shown } from '../contract/json';
import { Confidence } from '../contract/kubernetes.facts';
import { LoadBalancerScheme, LoadBalancerWish } from '../contract/options';
import { type Finding, unlessLive } from '../contract/rule';
import { rangeOfAllAmong } from '../contract/source-ranges';
import { eachEntry } from './api-server-rule';
import type { ControllerDefinition, ControllerVersion } from './controller-definition';
import { allKinds, claimants } from './known-kinds';
import type { Rule, RuleContext } from './rule';
import { annotationsOf, wantsLoadBalancer } from './service-json';

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

// A Service says that its balancer is internal, in a place that the owner of the balancer does not read: it is public.

/** Whether an annotation that says who can reach the balancer is not read, and it is public. */
export function isPublicWithout(key: string | undefined, kind: ControllerDefinition, service: Json): boolean {
  const fact = key === undefined ? undefined : kind.catalogue.find(key)?.fact;
  return fact?.wish === LoadBalancerWish.SCHEME && isPublic(kind, service);
}

function isPublic(kind: ControllerDefinition, service: Json): boolean {
  return wantsLoadBalancer(service) && kind.schemeOf(service).scheme === LoadBalancerScheme.INTERNET_FACING;
}

const saysInternal = (key: string, text: unknown, { catalogue }: ControllerDefinition) =>
  schemeSetIn({ [key]: text }, catalogue)?.scheme === LoadBalancerScheme.INTERNAL;

function isSurelyPublic(kind: ControllerDefinition, service: Json, context: RuleContext): boolean {
  return isPublic(kind, service) && isCertain(kind, service, context);
}

/** Whether nobody else that runs may take the Service. */
function isCertain(kind: ControllerDefinition, service: Json, { controllers, controller }: RuleContext): boolean {
  return controllers === undefined
    ? controller !== undefined
    : claimants(service, controllers).every((one) => one.kind === kind || one.claim.claimed === 'no');
}

/** Of a controller without public source, only its documentation is known. */
export const ignoresIt = ({ facts }: ControllerDefinition) =>
  facts.confidence === Confidence.DOCS ? 'does not document it' : 'ignores it';

/** An annotation of another controller says that the balancer is internal. */
export function foreignScheme(
  key: string,
  text: unknown,
  kind: ControllerDefinition,
  { service, context }: Around,
): Finding | undefined {
  const meant = kind.catalogue.find(key) ? undefined : allKinds().find((one) => saysInternal(key, text, one));
  if (!meant || !isSurelyPublic(kind, service, context)) {
    return undefined;
  }
  const own = internalOf(kind);
  const advice = own === undefined ? '' : `write ${own}, or `;
  return {
    what: `annotation ${key} is for ${meant.name}, and this balancer is owned by ${kind.name}, which ${ignoresIt(kind)}: the balancer is public`,
    remedy: unlessLive(`${advice}let ${meant.name} own the Service`),
    value: String(text),
  };
}

function internalOf({ catalogue }: ControllerDefinition): string | undefined {
  for (const entry of catalogue.annotations) {
    const { wish, deprecated, codec } = entry.fact;
    if (wish === LoadBalancerWish.SCHEME && !deprecated) {
      const texts = codec.examples.map((example: unknown) => entry.encode(example));
      const text = texts.find(
        (one) => schemeSetIn({ [entry.key()]: one }, catalogue)?.scheme === LoadBalancerScheme.INTERNAL,
      );
      if (text !== undefined) {
        return `${entry.key()} '${text}'`;
      }
    }
  }
  return undefined;
}

/** An annotation that nobody knows, and nearly the key of one of the owner, says that the balancer is internal. */
export function misspeltScheme(
  key: string,
  text: unknown,
  kind: ControllerDefinition,
  { service, context }: Around,
): Finding | undefined {
  const meant = isUnowned(kind, key) ? keyMeantBy(key, kind) : undefined;
  return meant !== undefined && saysInternal(meant, text, kind) && isSurelyPublic(kind, service, context)
    ? {
        what: `annotation ${key} is unknown and silently ignored: the balancer is public`,
        remedy: `write ${meant}`,
        value: key,
      }
    : undefined;
}

/** A label says that the balancer is internal, where only an annotation does. */
export function schemeAsLabel(
  key: string,
  text: unknown,
  kind: ControllerDefinition,
  { service, context }: Pick<Around, 'service' | 'context'>,
): Finding | undefined {
  return annotationsOf(service)[key] === undefined &&
    saysInternal(key, text, kind) &&
    isSurelyPublic(kind, service, context)
    ? {
        what: `label ${key} is ignored: ${kind.name} reads an annotation of this name, and the balancer is public`,
        remedy: 'move it to metadata.annotations',
        value: key,
        at: `/metadata/labels/${key.replaceAll('/', '~1')}`,
      }
    : undefined;
}

/** That a balancer is internal is said where its owner reads it. */
export const UNREAD_SCHEME_RULES: readonly Rule[] = [
  annotationRule(
    {
      id: 'annotation-foreign-scheme',
      severity: 'error',
      says: 'internal by an annotation for another controller: the balancer is public',
      source: 'ours',
      concerns: unknownAmong,
    },
    foreignScheme,
  ),
  annotationRule(
    {
      id: 'annotation-misspelt-scheme',
      severity: 'error',
      says: 'internal by a misspelt annotation: the balancer is public',
      source: 'ours',
      concerns: unknownAmong,
    },
    misspeltScheme,
  ),
  {
    id: 'scheme-as-label',
    severity: 'error',
    says: 'internal by a label: the balancer is public',
    source: 'ours',
    on: ['metadata.labels'],
    judge: (service, context) => {
      const { kind } = context;
      return (
        kind && eachEntry(service.metadata?.labels, (key, text) => schemeAsLabel(key, text, kind, { service, context }))
      );
    },
  },
];

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
