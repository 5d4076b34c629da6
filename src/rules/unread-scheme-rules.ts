import { schemeSetIn } from '../contract/annotation-catalogue';
import type { Json } from '../contract/json';
import { Confidence } from '../contract/kubernetes.facts';
import { LoadBalancerScheme, LoadBalancerWish } from '../contract/options';
import type { Finding } from '../contract/rule';
import { unlessLive } from '../contract/rule';
import { type Around, annotationRule, isUnowned, keyMeantBy, unknownAmong } from './annotation-rule';
import { eachEntry } from './api-server-rule';
import { claimants } from './claimants';
import type { ControllerDefinition } from './controller-definition';
import { allKinds } from './known-kinds';
import type { Rule } from './rule';
import type { RuleContext } from './rule-context';
import { annotationsOf, wantsLoadBalancer } from './service-json';

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
