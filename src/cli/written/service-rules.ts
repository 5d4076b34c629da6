import { BlockList, isIP } from 'node:net';
import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { isMap, type Json, list, ownValue, shown } from '../../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../contract/kubernetes.facts';
import { placeholderIn } from '../../contract/kubernetes-syntax';
import { LoadBalancerScheme, LoadBalancerWish } from '../../contract/options';
import { AWS_CLOUD, AWS_CLOUD_CONTROLLER } from '../../controllers/aws-cloud-provider/annotations';
import { NLB_TYPE } from '../../controllers/aws-cloud-provider/facts';
import { AWS_LBC, AWS_LBC_CLASS } from '../../controllers/aws-load-balancer-controller/annotations';
import { AwsLoadBalancerType, NlbTargetType } from '../../controllers/aws-load-balancer-controller/options';
import { GKE, GKE_CONTROLLER } from '../../controllers/gke/annotations';
import { OwnershipState } from '../../controllers/options';
import { otherNamed, otherOfKey } from '../../controllers/other-controller';
import { KAFKA_KIND } from '../../kafka/strimzi/strimzi.facts';
import { ignoresIt } from '../../rules/annotation-rules';
import {
  type ControllerDefinition,
  type ControllerVersion,
  definitionOf,
  isRemovedBy,
  unwrapped,
} from '../../rules/controller-definition';
import { allKinds } from '../../rules/known-kinds';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import {
  annotationAt,
  annotationsOf,
  classOf,
  finalizersOf,
  portsOf,
  rangeAt,
  type SchemeReading,
  wantsLoadBalancer,
} from '../../rules/service-json';
import { classLike, remover } from '../owners-in-words';
import { kindOf, likelyKinds, variableIn, type WrittenContext } from '../service-judgement';
import { PROXY_HEADER_RULES } from './proxy-header-rules';
import { SERVICE_ROWS } from './rules.facts';
import { OLD_SPELLINGS, SERVERS } from './written.facts';

function isListWithGaps(service: Json, text: string, key: string, context: WrittenContext): boolean {
  const items = text.split(',').map((item) => item.trim());
  const whole = items.filter((item) => item !== '');
  if (whole.length === items.length || whole.length === 0) {
    return false;
  }
  const likely = likelyKinds(service, context);
  const readers = likely.length > 0 || context.owner.controller ? likely : allKinds();
  return readers.some(({ catalogue }) => {
    const entry = catalogue.find(key);
    const read = entry?.decode(whole.join(','));
    return read && 'value' in read && Array.isArray(read.value) && !('fault' in (entry?.decode(text) ?? {}));
  });
}

function isKnown(key: string): boolean {
  return allKinds().some(({ catalogue }) => catalogue.find(key) !== undefined || catalogue.claims(key));
}

function hasRuleOnIp({ rules }: ControllerDefinition): boolean {
  return rules.some(({ supersedes }) => supersedes?.includes('load-balancer-ip-deprecated'));
}

function addressRemedy(kinds: readonly ControllerDefinition[], { owner }: WrittenContext): string {
  const [kind, ...others] = kinds;
  const version = owner.controller && kind?.versionOf?.(unwrapped(owner.controller));
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

const domainOf = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1);

/** The known class that the one of a pending Service is like, in the same domain or in another one. */
function classMeant(service: Json, { owner }: WrittenContext, isSameDomain: boolean) {
  const value = classOf(service);
  const isPending = wantsLoadBalancer(service) && owner.state !== OwnershipState.OWNED;
  const near = typeof value === 'string' && isPending ? classLike(value) : undefined;
  return near !== undefined && (domainOf(near) === domainOf(String(value))) === isSameDomain && { near, value };
}

const isOfBalancers = (finalizer: string): boolean =>
  finalizer === LOAD_BALANCER_CLEANUP_FINALIZER || allKinds().some((kind) => isRemovedBy(finalizer, kind));

const isTakenForTrue = (text: string) =>
  'value' in AWS_CLOUD.internal.decode(text) && 'fault' in AWS_LBC.internal.decode(text);

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

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const PRIVATE = new BlockList();
for (const range of '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 fc00::/7'.split(
  ' ',
)) {
  const [address, bits] = range.split('/');
  PRIVATE.addSubnet(address, Number(bits), familyOf(address));
}

const isPrivate = (address: string) => PRIVATE.check(address, familyOf(address));

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

function addressesOf(service: Json, { index }: IndexedObject): string[] {
  const given = list<Json>(service.status?.loadBalancer?.ingress).filter(isMap);
  const texts = [...given.map(({ ip }) => ip), service.spec?.loadBalancerIP, ...Object.values(annotationsOf(service))];
  return [...texts.flatMap(addressesIn), ...pooledIn(index)];
}

/** Path of clients to the balancer; undefined if it is not known to be reachable from the internet. */
function reach(service: Json, kinds: readonly ControllerDefinition[], among: IndexedObject): string | undefined {
  const schemes = kinds.map((kind) => kind.schemeOf(service));
  const addresses = addressesOf(service, among);
  // a scheme that is set and not known is refused: there is no balancer
  const isClosed = ({ scheme, isSet }: SchemeReading) =>
    scheme === LoadBalancerScheme.INTERNAL || (isSet === true && scheme === undefined);
  if ((kinds.length > 0 && schemes.every(isClosed)) || (addresses.length > 0 && addresses.every(isPrivate))) {
    return undefined;
  }
  return kinds.length > 0 && schemes.every(({ scheme }) => scheme === LoadBalancerScheme.INTERNET_FACING)
    ? 'every client of the internet'
    : 'every client that reaches the address';
}

/** Remedy to keep clients out if no owner that is likely reads the ranges of the Service; otherwise undefined. */
function meansBesideRanges(service: Json, kinds: readonly ControllerDefinition[]): string | undefined {
  const unread = kinds.filter(({ name, fieldEdits }) => {
    const edit = otherNamed(name) && fieldEdits?.['spec.loadBalancerSourceRanges'];
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

function wrongWord(
  service: Json,
  context: WrittenContext,
  owner: string,
  key: string,
  isWrong: (text: string) => boolean,
) {
  const text: unknown = annotationsOf(service)[key];
  const isLikely = () => likelyKinds(service, context).some(({ name }) => name === owner);
  return typeof text === 'string' && text !== '' && isWrong(text) && isLikely() && { key, value: text };
}

export const WRITTEN_SERVICE_RULES: readonly Rule<WrittenContext>[] = [
  ...rulesOf({
    rows: SERVICE_ROWS,
    catalogue: {
      type: AWS_LBC.type,
      scheme: AWS_LBC.scheme,
      internal: AWS_CLOUD.internal,
      oldType: GKE.oldLoadBalancerType,
    },
    read: (service: Json, _: WrittenContext) => ({
      annotations: annotationsOf(service),
      entries: Object.entries<unknown>(annotationsOf(service)),
      isClassless: classOf(service) === undefined,
      type: annotationsOf(service)[AWS_LBC.type.key()],
    }),
    finds: {
      'annotation-obsolete-name': ({ entries }) =>
        entries.map(([key]) => {
          const spelling = ownValue(OLD_SPELLINGS, key);
          return spelling === undefined ? undefined : { spelling, value: key, at: annotationAt(key) };
        }),
      'annotation-for-unlisted-controller': ({ entries }, _, context) => {
        const kind = kindOf(context);
        return (
          kind &&
          entries.map(([key]) => {
            // a key that a descriptor has is judged by the rule on annotations of others
            const other = allKinds().some(({ catalogue }) => catalogue.find(key)) ? undefined : otherOfKey(key);
            return other && other.id !== kind.name
              ? { other: other.name, owner: kind.name, fate: ignoresIt(kind), value: key, at: annotationAt(key) }
              : undefined;
          })
        );
      },
      'annotation-prefix-incomplete': ({ entries }, _, { owner }) =>
        !owner.controller &&
        entries.map(([key]) => {
          const all = isKnown(key) ? [] : allKinds().map(({ catalogue }) => catalogue.underOwnPrefix(key));
          const meant = all.find((known) => known !== undefined);
          return meant === undefined ? undefined : { meant, value: key, at: annotationAt(key) };
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
          isKnown(key)
            ? { key, text: shown(text), value: text }
            : undefined,
        ),
      'load-balancer-ip-deprecated': (_, service, context) => {
        const value: unknown = service.spec?.loadBalancerIP;
        const kinds = likelyKinds(service, context);
        if (typeof value !== 'string' || value === '' || !wantsLoadBalancer(service) || kinds.some(hasRuleOnIp)) {
          return undefined;
        }
        return { ...(isIP(value) === 0 && { case: 'wrong' }), remedy: addressRemedy(kinds, context), value };
      },
      'class-misspelt': (_, service, context) => classMeant(service, context, true),
      'class-maybe-misspelt': (_, service, context) => classMeant(service, context, false),
      'finalizer-without-controller': (_, service, { controllers = [] }) => {
        const kinds = wantsLoadBalancer(service) ? [] : controllers.flatMap((one) => definitionOf(one) ?? []);
        return (
          kinds.length > 0 &&
          kinds.length === controllers.length &&
          !service.metadata?.deletionTimestamp &&
          finalizersOf(service).map((finalizer, i) =>
            isOfBalancers(finalizer) && !kinds.some((kind) => isRemovedBy(finalizer, kind))
              ? { remover: remover(finalizer), value: finalizer, at: `/metadata/finalizers/${i}` }
              : undefined,
          )
        );
      },
      'aws-type-without-target-type': ({ annotations, type, isClassless }, service, context) => {
        const targetType = annotations[AWS_LBC.targetType.key()];
        return (
          type === AwsLoadBalancerType.EXTERNAL &&
          isClassless &&
          wantsLoadBalancer(service) &&
          context.owner.state === OwnershipState.UNKNOWN &&
          targetType !== NlbTargetType.IP &&
          targetType !== NlbTargetType.INSTANCE && { value: type }
        );
      },
      'aws-type-nlb-ip-deprecated': ({ type, isClassless }) =>
        type === AwsLoadBalancerType.NLB_IP && isClassless && { value: type },
      'aws-scheme-ignored': ({ annotations, type, isClassless }, service, { owner, controllers }) => {
        const [scheme, internal] = [AWS_LBC.scheme.key(), AWS_CLOUD.internal.key()];
        return (
          AWS_LBC.scheme.on(annotations) === LoadBalancerScheme.INTERNAL &&
          isClassless &&
          wantsLoadBalancer(service) &&
          (type === undefined || type === NLB_TYPE) &&
          annotations[internal] === undefined &&
          owner.controller === undefined &&
          controllers?.some(({ name }) => name === AWS_CLOUD_CONTROLLER) !== false && {
            ...{ scheme, internal, class: AWS_LBC_CLASS },
            value: annotations[scheme],
          }
        );
      },
      'aws-internal-value-unknown': (_, service, context) =>
        wrongWord(service, context, AWS_CLOUD_CONTROLLER, AWS_CLOUD.internal.key(), isTakenForTrue),
      'gke-type-value-unknown': ({ annotations }, service, context) =>
        GKE.oldLoadBalancerType.on(annotations) !== true &&
        wrongWord(service, context, GKE_CONTROLLER, GKE.oldLoadBalancerType.key(), () => true),
      'sensitive-port-public': ({ isClassless }, service, context) => {
        const kinds = likelyKinds(service, context);
        const isUnknownClass = !isClassless && kinds.length === 0;
        const { spec } = service;
        if (!wantsLoadBalancer(service) || isUnknownClass || list(spec?.loadBalancerSourceRanges).length > 0) {
          return undefined;
        }
        const found = portsOf(service)
          .map((port) => ({ port: port.port, server: context.among.madeOf === KAFKA_KIND ? 'Kafka' : serverAt(port) }))
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
      'source-ranges-ignored': (_, service, context) => {
        const kind = kindOf(context);
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
  }),
  ...PROXY_HEADER_RULES,
];
