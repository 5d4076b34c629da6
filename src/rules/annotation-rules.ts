import { type AnnotationFact, schemeSetIn } from '../contract/annotation-catalogue';
import type { Finding } from '../contract/finding';
import { unlessLive } from '../contract/hand-over';
import type { Json } from '../contract/json';
import { LoadBalancerScheme } from '../contract/load-balancer-scheme';
import { LoadBalancerWish } from '../contract/load-balancer-wish';
import { eachEntry } from './api-server-rule';
import { claimants } from './claimants';
import type { ControllerDefinition, ControllerVersion } from './controller-definition';
import type { Rule } from './rule';
import type { RuleContext } from './rule-context';
import { annotationsOf, wantsLoadBalancer } from './service-json';

// The annotations of a finished Service are those that the owner of its load balancer reads, with values that it reads.

/** What is known beside one annotation. */
interface Around {
  readonly service: Json;
  readonly version?: ControllerVersion;
  readonly context: RuleContext;
}

/** A rule about one annotation at a time, of an owner that is known. */
function annotationRule(
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

/** Whether an annotation that says who can reach the balancer is not read, and it is public. */
function isPublicWithout(key: string | undefined, kind: ControllerDefinition, service: Json): boolean {
  const fact = key === undefined ? undefined : kind.catalogue.find(key)?.annotation.fact;
  return fact?.wish === LoadBalancerWish.SCHEME && isPublic(kind, service);
}

function isPublic(kind: ControllerDefinition, service: Json): boolean {
  return wantsLoadBalancer(service) && kind.schemeOf(service).scheme === LoadBalancerScheme.INTERNET_FACING;
}

/** An annotation of another controller says that the balancer is internal, and it is certain that its owner makes it public. */
function lostScheme(
  key: string,
  text: unknown,
  kind: ControllerDefinition,
  service: Json,
  context: RuleContext,
): Finding | undefined {
  const meant = kind.catalogue.find(key)
    ? undefined
    : kind.all().find((one) => schemeSetIn({ [key]: text }, one.catalogue)?.scheme === LoadBalancerScheme.INTERNAL);
  if (!meant || !isPublic(kind, service) || !isCertain(kind, service, context)) {
    return undefined;
  }
  const own = internalOf(kind);
  const advice = own === undefined ? '' : `write ${own}, or `;
  return {
    what: `annotation ${key} is for ${meant.name}, and this balancer is owned by ${kind.name}, which ignores it: the balancer is public`,
    remedy: unlessLive(`${advice}let ${meant.name} own the Service`),
    value: String(text),
  };
}

/** Whether nobody else that runs may take the Service. */
function isCertain(kind: ControllerDefinition, service: Json, { controllers, controller }: RuleContext): boolean {
  return controllers === undefined
    ? controller !== undefined
    : claimants(service, controllers).every((one) => one.kind === kind || one.claim.claimed === 'no');
}

/** How an owner is told that a balancer is internal: `key 'value'`. */
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

function misread(
  key: string,
  text: unknown,
  { kind: { catalogue, ignores }, service }: { readonly kind: ControllerDefinition; readonly service: Json },
  concerns: (fact: AnnotationFact<unknown>) => boolean,
): Finding | undefined {
  const fact = typeof text === 'string' ? catalogue.find(key)?.annotation : undefined;
  const read = fact?.decode(text as string);
  if (!fact || !read || !('fault' in read) || !concerns(fact.fact) || ignores?.(service).includes(key)) {
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
    (key, text, kind, { service }) => misread(key, text, { kind, service }, isGrave),
  ),
  annotationRule(
    {
      id: 'annotation-misread',
      severity: 'warning',
      says: 'the value of an annotation is one that the owner reads as it is meant',
      source: 'ours',
    },
    (key, text, kind, { service }) => misread(key, text, { kind, service }, (fact) => !isGrave(fact)),
  ),
  annotationRule(
    {
      id: 'annotation-unknown',
      severity: 'warning',
      says: 'an annotation with the prefix of the owner, or nearly the key of one of its own, is one that it knows',
      source: 'ours',
      concerns: unknownAmong,
    },
    (key, _, kind, { service }) => {
      if (!isUnowned(kind, key)) {
        return undefined;
      }
      const { catalogue } = kind;
      const near = catalogue.claims(key)
        ? (catalogue.misspelt(key) ?? catalogue.nearest(key))
        : catalogue.underOwnPrefix(key) === undefined
          ? catalogue.misspelt(key)
          : undefined;
      if (near === undefined && !catalogue.claims(key)) {
        return undefined;
      }
      return {
        what: `annotation ${key} is unknown and silently ignored${isPublicWithout(near, kind, service) ? ': the balancer is public' : ''}`,
        remedy: near ? `write ${near}` : 'check its spelling, or whether this version reads it',
        value: key,
      };
    },
  ),
  {
    id: 'annotation-as-label',
    severity: 'warning',
    says: 'what the owner reads as annotations is written as annotations, and not as labels',
    source: 'ours',
    on: ['metadata.labels'],
    judge: (service, { kind }) =>
      kind &&
      eachEntry(service.metadata?.labels, (key) =>
        kind.catalogue.find(key) && annotationsOf(service)[key] === undefined
          ? {
              what: `label ${key} is ignored: ${kind.name} reads an annotation of this name${isPublicWithout(key, kind, service) ? ', and the balancer is public' : ''}`,
              remedy: 'move it to metadata.annotations',
              value: key,
              at: '/metadata/labels',
            }
          : undefined,
      ),
  },
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
    (key, _, { name, catalogue }, { version }) => {
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
    (key, _, { catalogue }, { version }) => {
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
    (key, text, kind, { service, context }) => {
      const other = kind.catalogue.find(key) ? undefined : knownToOthers(kind, key);
      return other && !lostScheme(key, text, kind, service, context)
        ? {
            what: `annotation ${key} is for ${other.name}, and this balancer is owned by ${kind.name}, which ignores it`,
            remedy: unlessLive(`remove it, or let ${other.name} own the Service`),
            value: key,
          }
        : undefined;
    },
  ),
  annotationRule(
    {
      id: 'annotation-foreign-scheme',
      severity: 'error',
      says: 'that a balancer is internal is set in an annotation that its owner reads: one of another controller leaves it public',
      source: 'ours',
      concerns: unknownAmong,
    },
    (key, text, kind, { service, context }) => lostScheme(key, text, kind, service, context),
  ),
];
