import { isIP } from 'node:net';
import { isInAny, rangesIn } from '../contract/address-ranges';
import type { AnyAnnotation } from '../contract/annotation-catalogue';
import { isMap, type Json, list, ownValue, shown } from '../contract/json';
import { placeholderIn, variableIn } from '../contract/kubernetes-syntax';
import { LoadBalancerScheme, LoadBalancerWish } from '../contract/options';
import { type ControllerDefinition, type ControllerVersion, unwrapped } from './controller-definition';
import { allKinds, knownKinds, likelyClaimants } from './known-kinds';
import { MANIFEST_ROWS, OLD_SPELLINGS, SERVERS } from './manifest-rules.facts';
import type { IndexedObject, ObjectIndex } from './objects';
import type { Rule, RuleContext } from './rule';
import { rulesOf } from './rule-set';
import {
  annotationAt,
  annotationsOf,
  classOf,
  portsOf,
  rangeAt,
  type SchemeReading,
  wantsLoadBalancer,
} from './service-json';

type ManifestContext = Pick<RuleContext, 'kind' | 'controller' | 'among'>;

/** The owner, or else the controllers that may be the owner. */
export function possibleKinds(service: Json, { kind, controller }: ManifestContext): readonly ControllerDefinition[] {
  return kind ? [kind] : controller ? [] : likelyClaimants(service).map((claimant) => claimant.kind);
}

function isListWithGaps(service: Json, text: string, key: string, context: ManifestContext): boolean {
  const items = text.split(',').map((item) => item.trim());
  const whole = items.filter((item) => item !== '');
  if (whole.length === items.length || whole.length === 0) {
    return false;
  }
  const likely = possibleKinds(service, context);
  const readers = likely.length > 0 || context.controller ? likely : allKinds();
  return readers.some(({ catalogue }) => {
    const entry = catalogue.find(key);
    const read = entry?.decode(whole.join(','));
    return read && 'value' in read && Array.isArray(read.value) && !('fault' in (entry?.decode(text) ?? {}));
  });
}

export function isKnownAnnotation(key: string): boolean {
  return allKinds().some(({ catalogue }) => catalogue.find(key) !== undefined || catalogue.claims(key));
}

function hasRuleOnIp({ rules }: ControllerDefinition): boolean {
  return rules.some(({ supersedes }) => supersedes?.includes('load-balancer-ip-deprecated'));
}

function addressRemedy(kinds: readonly ControllerDefinition[], { controller }: ManifestContext): string {
  const [kind, ...others] = kinds;
  const version = controller && kind?.versionOf?.(unwrapped(controller));
  const entry = others.length > 0 ? undefined : kind?.catalogue.annotations.find((one) => isForAddress(one, version));
  return entry === undefined
    ? 'set the address by the annotation of the controller that owns the balancer'
    : `write ${entry.key()}, ${entry.fact.codec.says}`;
}

function isForAddress({ fact }: AnyAnnotation, version: ControllerVersion | undefined): boolean {
  const { wish, since, deprecated, deprecatedSince } = fact;
  const isRead = since === undefined || version?.reaches(since) !== false;
  const isObsolete = deprecated && (deprecatedSince === undefined || version?.reaches(deprecatedSince) !== false);
  return wish === LoadBalancerWish.STATIC_ADDRESSES && isRead && !isObsolete;
}

function serverAt({ port, name, targetPort }: Json): string | undefined {
  const texts = [name, targetPort].flatMap((text) =>
    typeof text === 'string' ? text.toLowerCase().replace(/^(tcp|tls)-/, '') : [],
  );
  const byName = texts.length > 0 && SERVERS.find(({ names }) => texts.some((text) => names.includes(text)));
  return (byName || SERVERS.find(({ ports }) => ports.includes(port) || ports.includes(targetPort)))?.server;
}

const KEEPS_OUT = /internal|intranet|private|source-?ranges|allow|white-?list|acl|security-?group|firewall|access/i;

const INTERNAL = /^(internal|intranet|private)$/i;

const GROUPS = /security-groups$/;

function isKeptByAnnotation(service: Json, kinds: readonly ControllerDefinition[]): boolean {
  return Object.entries(annotationsOf(service)).some(([key, text]) => {
    const facts = kinds.flatMap(({ catalogue }) => catalogue.find(key)?.fact ?? []);
    return facts.length > 0
      ? facts.some(({ wish, restrictsClients }) => wish === LoadBalancerWish.SOURCE_RANGES || restrictsClients) ||
          GROUPS.test(key)
      : kinds.length === 0 && (KEEPS_OUT.test(key) || INTERNAL.test(text)) && text !== 'false' && text !== '';
  });
}

const PRIVATE = rangesIn('10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 fc00::/7');

const POOL = /Pool$|^ServiceGroup$/;

function addressesIn(value: unknown): string[] {
  return String(value ?? '')
    .split(/[^\da-f.:]+/i)
    .filter((word) => isIP(word) !== 0);
}

function pooledIn(index: ObjectIndex): readonly string[] {
  const isPool = ({ kind, group }: IndexedObject) => group !== '' && POOL.test(kind);
  return index.once(pooledIn, ({ all }) =>
    all.filter(isPool).flatMap(({ json }) => addressesIn(JSON.stringify(json.spec))),
  );
}

function addressesOf(service: Json, among: IndexedObject | undefined): string[] {
  const given = list<Json>(service.status?.loadBalancer?.ingress).filter(isMap);
  const texts = [...given.map(({ ip }) => ip), service.spec?.loadBalancerIP, ...Object.values(annotationsOf(service))];
  return [...texts.flatMap(addressesIn), ...(among ? pooledIn(among.index) : [])];
}

/** Path of clients to the balancer; undefined if it is not known to be reachable from the internet. */
function reach(
  service: Json,
  kinds: readonly ControllerDefinition[],
  among: IndexedObject | undefined,
): string | undefined {
  const schemes = kinds.map((kind) => kind.schemeOf(service));
  const addresses = addressesOf(service, among);
  // a scheme that is set and not known is refused: there is no balancer
  const isClosed = ({ scheme, isSet }: SchemeReading) =>
    scheme === LoadBalancerScheme.INTERNAL || (isSet === true && scheme === undefined);
  if (
    (kinds.length > 0 && schemes.every(isClosed)) ||
    (addresses.length > 0 && addresses.every((address) => isInAny(address, PRIVATE)))
  ) {
    return undefined;
  }
  return kinds.length > 0 && schemes.every(({ scheme }) => scheme === LoadBalancerScheme.INTERNET_FACING)
    ? 'every client of the internet'
    : 'every client that reaches the address';
}

/** Remedy to keep clients out if no owner that is likely reads the ranges of the Service; otherwise undefined. */
function meansBesideRanges(service: Json, kinds: readonly ControllerDefinition[]): string | undefined {
  const own = knownKinds().map(({ name }) => name);
  const unread = kinds.filter(({ name, fieldEdits }) => {
    const edit = own.includes(name) ? undefined : fieldEdits?.['spec.loadBalancerSourceRanges'];
    return (
      edit?.ignored !== undefined && !edit.staysAsMade && (classOf(service) === undefined || edit.unless === undefined)
    );
  });
  const keys = unread.flatMap(({ catalogue }) =>
    catalogue.annotations.flatMap(({ fact }) => (fact.restrictsClients && !fact.deprecated ? fact.key : [])),
  );
  return unread.length === 0 || unread.length < kinds.length
    ? undefined
    : keys.length > 0
      ? `write ${keys.join(' or ')}`
      : 'filter in the pods';
}

/** Rules for Services that people wrote, in files and in apps that adopt them. */
export const MANIFEST_RULES: readonly Rule<ManifestContext>[] = rulesOf({
  rows: MANIFEST_ROWS,
  read: (service: Json, _: ManifestContext) => ({
    entries: Object.entries<unknown>(annotationsOf(service)),
    isClassless: classOf(service) === undefined,
  }),
  finds: {
    'annotation-obsolete-name': ({ entries }) =>
      entries.map(([key]) => {
        const spelling = ownValue(OLD_SPELLINGS, key);
        return spelling === undefined ? undefined : { spelling, value: key, at: annotationAt(key) };
      }),
    'annotation-empty-item': ({ entries }, service, context) =>
      entries.map(([key, text]) =>
        typeof text === 'string' && text.includes(',') && isListWithGaps(service, text, key, context)
          ? { key, text: shown(text), value: text }
          : undefined,
      ),
    'annotation-value-placeholder': ({ entries }) =>
      entries.map(([key, text]) =>
        typeof text === 'string' &&
        placeholderIn(text) !== undefined &&
        variableIn(text) === undefined &&
        isKnownAnnotation(key)
          ? { key, text: shown(text), value: text }
          : undefined,
      ),
    'load-balancer-ip-deprecated': (_, service, context) => {
      const value: unknown = service.spec?.loadBalancerIP;
      const kinds = possibleKinds(service, context);
      if (typeof value !== 'string' || value === '' || !wantsLoadBalancer(service) || kinds.some(hasRuleOnIp)) {
        return undefined;
      }
      return { ...(isIP(value) === 0 && { case: 'wrong' }), remedy: addressRemedy(kinds, context), value };
    },
    'sensitive-port-public': ({ isClassless }, service, context) => {
      const kinds = possibleKinds(service, context);
      const isUnknownClass = !isClassless && kinds.length === 0;
      const { spec } = service;
      if (!wantsLoadBalancer(service) || isUnknownClass || list(spec?.loadBalancerSourceRanges).length > 0) {
        return undefined;
      }
      const made = SERVERS.find(({ server }) => server === context.among?.madeOf);
      const found = portsOf(service)
        .map((port) => ({ port: port.port, server: made?.server ?? serverAt(port) }))
        .filter(({ server }) => server !== undefined);
      const who = found.length > 0 ? reach(service, kinds, context.among) : undefined;
      return (
        who !== undefined &&
        !isKeptByAnnotation(service, kinds) && {
          who,
          ports: [...new Set(found.map(({ port, server }) => `port ${port} (${server})`))].join(', '),
          means: meansBesideRanges(service, kinds) ?? 'write loadBalancerSourceRanges',
          value: found.map(({ port }) => port).join(', '),
        }
      );
    },
    'second-ip-family-ignored': (_, service, { kind }) => {
      const { ipFamilies, ipFamilyPolicy } = service.spec ?? {};
      const asksForBoth = ipFamilyPolicy === 'RequireDualStack' || list(ipFamilies).length > 1;
      const { gives = undefined, unless = [] } = kind?.oneFamily ?? {};
      const isAsked = unless.some((key) => annotationsOf(service)[key] !== undefined);
      return gives === undefined || !asksForBoth || isAsked || !wantsLoadBalancer(service)
        ? undefined
        : {
            owner: kind?.name,
            gives,
            means: unless.length > 0 ? `write ${unless.join(' or ')}` : 'set ipFamilyPolicy to SingleStack',
            value: ipFamilyPolicy ?? list(ipFamilies).join(', '),
            at: `/spec/${ipFamilyPolicy === undefined ? 'ipFamilies' : 'ipFamilyPolicy'}`,
          };
    },
    'source-ranges-ignored': (_, service, { kind }) => {
      const ranges = list(service.spec?.loadBalancerSourceRanges);
      const isKept = !kind || !wantsLoadBalancer(service) || isKeptByAnnotation(service, [kind]);
      const means = isKept || ranges.length === 0 ? undefined : meansBesideRanges(service, [kind]);
      return (
        means !== undefined && {
          means,
          owner: kind?.name,
          value: ranges.join(', '),
          at: rangeAt(service, String(ranges[0])),
        }
      );
    },
  },
});
