import { rangeOfAllAmong } from '../contract/address-ranges';
import { type AnnotationFact, schemeSetIn } from '../contract/annotation-catalogue';
import { type Json, pointer, shown } from '../contract/json';
import { Confidence } from '../contract/kubernetes.facts';
import { LoadBalancerScheme, LoadBalancerWish } from '../contract/options';
import { type Found, findingOf, type Mistake, type RuleFinding } from '../contract/rule';
import type { ControllerDefinition, ControllerVersion } from './controller-definition';
import { allKinds, claimants, vendorOfKey } from './known-kinds';
import type { Rule, RuleContext } from './rule';
import { type Find, rulesOf } from './rule-set';
import { ANNOTATION_ROWS } from './rules.facts';
import { annotationsOf, eachEntry, wantsLoadBalancer } from './service-json';

type Look = (
  key: string,
  text: unknown,
  kind: ControllerDefinition,
  around: { readonly service: Json; readonly version?: ControllerVersion; readonly context: RuleContext },
) => Found | Mistake | undefined | false;

/** Looks at one annotation, or one label, at a time, of an owner that is known. */
const each =
  (look: Look, of: 'annotations' | 'labels' = 'annotations'): Find<Json, RuleContext> =>
  (metadata, service, context) => {
    const { kind, controller } = context;
    const around = { service, version: kind?.versionOf?.(controller), context };
    return (
      kind &&
      eachEntry(metadata[of], (key, text) => {
        const found = look(key, text, kind, around);
        return found ? { at: pointer(`/metadata/${of}`, key), ...found } : undefined;
      })
    );
  };

function unknownAmong(keys: readonly string[], { kind }: RuleContext): boolean {
  return keys.some((key) => !kind?.catalogue.find(key));
}

function knownToOthers(kind: ControllerDefinition, key: string): ControllerDefinition | undefined {
  return allKinds().find((other) => other !== kind && other.catalogue.find(key));
}

function isUnowned(kind: ControllerDefinition, key: string): boolean {
  return !kind.catalogue.find(key) && !knownToOthers(kind, key);
}

/** The key of the owner that was meant by one that nobody knows, where one is near. */
function keyMeantBy(key: string, { catalogue }: ControllerDefinition): string | undefined {
  if (catalogue.claims(key)) {
    return catalogue.misspelt(key) ?? catalogue.nearest(key);
  }
  return catalogue.underOwnPrefix(key) === undefined ? catalogue.misspelt(key) : undefined;
}

// A Service says that its balancer is internal, in a place that the owner of the balancer does not read: it is public.

/** True if an annotation that says who can reach the balancer is not read, and it is public. */
function isPublicWithout(key: string | undefined, kind: ControllerDefinition, service: Json): boolean {
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

/** True if nobody else that runs may take the Service. */
function isCertain(kind: ControllerDefinition, service: Json, { controllers, controller }: RuleContext): boolean {
  return controllers === undefined
    ? controller !== undefined
    : claimants(service, controllers).every((one) => one.kind === kind || one.claim.claimed === 'no');
}

/** Of a controller without public source, only its documentation is known. */
export const ignoresIt = ({ facts }: ControllerDefinition) =>
  facts.confidence === Confidence.DOCS ? 'does not document it' : 'ignores it';

/** An annotation of another controller says that the balancer is internal. */
const foreignScheme: Look = (key, text, kind, { service, context }) => {
  const meant = kind.catalogue.find(key) ? undefined : allKinds().find((one) => saysInternal(key, text, one));
  if (!meant || !isSurelyPublic(kind, service, context)) {
    return undefined;
  }
  const own = internalOf(kind);
  return {
    key,
    other: meant.name,
    owner: kind.name,
    ignores: ignoresIt(kind),
    own: own === undefined ? '' : `write ${own}, or `,
    value: String(text),
  };
};

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
const misspeltScheme: Look = (key, text, kind, { service, context }) => {
  const meant = isUnowned(kind, key) ? keyMeantBy(key, kind) : undefined;
  return meant !== undefined && saysInternal(meant, text, kind) && isSurelyPublic(kind, service, context)
    ? { meant, value: key }
    : undefined;
};

/** A label says that the balancer is internal, where only an annotation does. */
const schemeAsLabel: Look = (key, text, kind, { service, context }) => {
  return annotationsOf(service)[key] === undefined &&
    saysInternal(key, text, kind) &&
    isSurelyPublic(kind, service, context)
    ? { owner: kind.name, value: key, at: pointer('/metadata/labels', key) }
    : undefined;
};

// The annotations of a finished Service are those that the owner of its load balancer reads, with values that it reads.

/** True if a value that cannot be read costs the balancer, or opens it to others than was meant. */
export function isGrave({ badValue, wish, restrictsClients }: AnnotationFact<unknown>): boolean {
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
): Mistake | undefined {
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
        ? `the load balancer becomes public: annotation ${key} is ${shown(text)}, and ${kind.name} only takes ${codec.says}`
        : `${kind.name} silently misreads annotation ${key}: ${read.fault}`;
  return {
    what,
    remedy: `write ${codec.says}`,
    value: text as string,
    ...(badValue === 'refused' && { effect: 'refused' as const }),
  };
}

/** True if every controller that reads an annotation refuses its value, or opens the balancer by it. */
export function isGraveForAllReaders(service: Json, key: string): boolean {
  const readers = allKinds().filter(({ catalogue }) => catalogue.find(key));
  const text: unknown = annotationsOf(service)[key];
  return readers.length > 0 && readers.every((kind) => misread(key, text, { kind, service }, isGrave) !== undefined);
}

/** Addition to a message if the balancer is public because an annotation is not read. */
const publicIn = (before: string, ...asked: Parameters<typeof isPublicWithout>) =>
  isPublicWithout(...asked) ? `${before} the balancer is public` : '';

/** Keys with the prefix of a controller that no controller knows, whoever owns the Service; each with the known key it is like. */
export function misspeltKeys(service: Json): RuleFinding[] {
  const kinds = allKinds();
  return Object.keys(annotationsOf(service)).flatMap((key) => {
    const claiming = kinds.filter(({ catalogue }) => catalogue.claims(key));
    if (claiming.length === 0 || kinds.some(({ catalogue }) => catalogue.find(key))) {
      return [];
    }
    const near = claiming.flatMap((kind) => keyMeantBy(key, kind) ?? [])[0];
    const who = claiming.length === 1 ? claiming[0].name : 'check';
    const found = {
      ...(near ? { near } : { case: 'far' }),
      public: '',
      value: key,
      at: pointer('/metadata/annotations', key),
    };
    return [findingOf({ ...ANNOTATION_ROWS['annotation-unknown'], id: 'annotation-unknown' }, found, who)];
  });
}

const ofKind =
  (is: (fact: AnnotationFact<unknown>, kind: ControllerDefinition) => unknown): Rule['concerns'] =>
  (keys, { kind }) =>
    kind !== undefined &&
    keys.some((key) => {
      const fact = kind.catalogue.find(key)?.fact;
      return fact && is(fact, kind);
    });

const asksForSomething = (value: unknown) =>
  value !== undefined && !['', 'false'].includes(String(value)) && !(Array.isArray(value) && value.length === 0);

export const ANNOTATION_RULES: readonly Rule[] = rulesOf<typeof ANNOTATION_ROWS, Json>({
  rows: ANNOTATION_ROWS,
  read: ({ metadata }) => metadata ?? {},
  concerns: {
    'annotation-ignored': (_, { kind }) => kind?.readBy !== undefined,
    'annotation-combination-refused': ofKind(({ refusedBeside }) => refusedBeside),
    'annotation-unknown': unknownAmong,
    'annotation-prefix-missing': unknownAmong,
    'annotation-unsupported-version': ofKind(({ since }, kind) => since && kind.versionOf),
    'annotation-deprecated': ofKind(({ deprecated }) => deprecated),
    'annotation-for-other-controller': unknownAmong,
    'annotation-for-unlisted-controller': unknownAmong,
    'public-by-foreign-annotation': unknownAmong,
    'public-by-misspelt-annotation': unknownAmong,
  },
  finds: {
    'annotation-value-invalid': each((key, text, kind, { service }) => misread(key, text, { kind, service }, isGrave)),
    'annotation-value-misinterpreted': each((key, text, kind, { service }) =>
      misread(key, text, { kind, service }, (fact) => !isGrave(fact)),
    ),
    'annotation-ignored': each((key, _, kind, { service }) => {
      const { readBy = '', ignores } = kind;
      const type: unknown = annotationsOf(service)[readBy];
      return (
        ignores?.(service).includes(key) && {
          readBy,
          type: type === undefined ? 'not set' : shown(type),
          name: readBy.replace(/^.*\//, ''),
          public: publicIn(', and', key, kind, service),
          value: key,
        }
      );
    }),
    'annotation-combination-refused': each((key, text, kind, { service }) => {
      const annotations = annotationsOf(service);
      const asks = (one: string) => asksForSomething(kind.catalogue.find(one)?.on(annotations));
      const other = asks(key) ? kind.catalogue.find(key)?.fact.refusedBeside?.find(asks) : undefined;
      return other !== undefined && { owner: kind.name, key, other, value: String(text) };
    }),
    'annotation-source-range-all': each((key, text, { catalogue, ignores }, { service }) => {
      const fact = typeof text === 'string' ? catalogue.find(key) : undefined;
      const isRead = fact?.fact.wish === LoadBalancerWish.SOURCE_RANGES && !ignores?.(service).includes(key);
      const read = isRead ? fact.decode(text as string) : undefined;
      return read && 'value' in read && Array.isArray(read.value) && rangeOfAllAmong(read.value, key);
    }),
    'annotation-unknown': each((key, text, kind, around) => {
      const near = isUnowned(kind, key) ? keyMeantBy(key, kind) : undefined;
      const isMeant = near !== undefined || (isUnowned(kind, key) && kind.catalogue.claims(key));
      return (
        isMeant &&
        !misspeltScheme(key, text, kind, around) && {
          ...(near ? { near } : { case: 'far' }),
          public: publicIn(':', near, kind, around.service),
          value: key,
        }
      );
    }),
    'annotation-as-label': each((key, text, kind, around) => {
      const { service } = around;
      const isRead = kind.catalogue.find(key) && annotationsOf(service)[key] === undefined;
      return (
        isRead &&
        !schemeAsLabel(key, text, kind, around) && {
          owner: kind.name,
          public: publicIn(', and', key, kind, service),
          value: key,
        }
      );
    }, 'labels'),
    'annotation-prefix-missing': each((key, _, kind) => {
      const meant = kind.catalogue.claims(key) ? undefined : kind.catalogue.underOwnPrefix(key);
      return meant !== undefined && isUnowned(kind, key) && { meant, value: key };
    }),
    'annotation-unsupported-version': each((key, _, { name, catalogue }, { version }) => {
      const since = catalogue.find(key)?.fact.since;
      return (
        since !== undefined &&
        version !== undefined &&
        !version.reaches(since) && { owner: name, since, version: version.version, value: key }
      );
    }),
    'annotation-deprecated': each((key, _, { catalogue }, { version }) => {
      const fact = catalogue.find(key)?.fact;
      const isObsolete = fact?.deprecated && version?.reaches(fact.deprecatedSince ?? version.version) !== false;
      return isObsolete && { successor: fact.remark ?? 'use its successor', value: key };
    }),
    'annotation-for-other-controller': each((key, text, kind, around) => {
      const other = kind.catalogue.find(key) ? undefined : knownToOthers(kind, key);
      return (
        other?.catalogue.owns(key) &&
        !foreignScheme(key, text, kind, around) && {
          other: other.name,
          owner: kind.name,
          ignores: ignoresIt(kind),
          value: key,
        }
      );
    }),
    'annotation-for-unlisted-controller': each((key, _, kind) => {
      // a key that a descriptor has is judged by the rule above
      const other = allKinds().some(({ catalogue }) => catalogue.find(key)) ? undefined : vendorOfKey(key);
      return (
        other && other.id !== kind.name && { other: other.name, owner: kind.name, ignores: ignoresIt(kind), value: key }
      );
    }),
    'public-by-foreign-annotation': each(foreignScheme),
    'public-by-misspelt-annotation': each(misspeltScheme),
    'public-by-label': each(schemeAsLabel, 'labels'),
  },
});
