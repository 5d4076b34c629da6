import { BlockList, isIP } from 'node:net';
import { isMap, type Json, list } from '../../contract/json';
import { LoadBalancerScheme, LoadBalancerWish } from '../../contract/options';
import { otherNamed } from '../../controllers/other-controller';
import { KAFKA_KIND } from '../../kafka/strimzi/strimzi.facts';
import type { ControllerDefinition } from '../../rules/controller-definition';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import { annotationsOf, classOf, portsOf, wantsLoadBalancer } from '../../rules/service-json';
import { ruleOf } from './messages';
import { RULES } from './rules.facts';
import { kindOf, likelyKinds, type WrittenRule } from './service-notes';
import { SERVERS } from './written.facts';

// Databases, brokers, DNS and dashboards that every client of the internet can reach.

function serverAt({ port, name, targetPort }: Json): string | undefined {
  const texts = [name, targetPort].filter((text) => typeof text === 'string').map((text) => text.toLowerCase());
  const byName = SERVERS.find(({ names }) => texts.some((text) => names.includes(text.replace(/^(tcp|tls)-/, ''))));
  return (byName ?? SERVERS.find(({ ports }) => ports.includes(port) || ports.includes(targetPort)))?.server;
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

const PRIVATE = new BlockList();
for (const [address, length] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
] as const) {
  PRIVATE.addSubnet(address, length);
}
PRIVATE.addSubnet('fc00::', 7, 'ipv6');

const isPrivate = (address: string) => PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

const POOL = /Pool$|^ServiceGroup$/;

function addressesIn(text: string): string[] {
  return text.split(/[^\da-f.:]+/i).filter((word) => isIP(word) !== 0);
}

function pooledIn(index: ObjectIndex): readonly string[] {
  const isPool = ({ kind, group }: IndexedObject) => group !== '' && POOL.test(kind);
  return index.once(pooledIn, ({ all }) =>
    all.filter(isPool).flatMap(({ json }) => addressesIn(JSON.stringify(json.spec ?? ''))),
  );
}

function addressesOf(service: Json, among: IndexedObject | undefined): string[] {
  const given = list<Json>(service.status?.loadBalancer?.ingress).filter(isMap);
  const texts: unknown[] = [
    ...given.map(({ ip }) => ip),
    service.spec?.loadBalancerIP,
    ...Object.values(annotationsOf(service)),
  ];
  return [...texts.flatMap((text) => addressesIn(String(text ?? ''))), ...(among ? pooledIn(among.index) : [])];
}

/** How clients reach the balancer; undefined if they cannot from the internet, for all that is known. */
function reach(service: Json, kinds: readonly ControllerDefinition[], among?: IndexedObject): string | undefined {
  const schemes = kinds.map((kind) => kind.schemeOf(service).scheme);
  const addresses = addressesOf(service, among);
  const isInternal = schemes.length > 0 && schemes.every((scheme) => scheme === LoadBalancerScheme.INTERNAL);
  if (isInternal || (addresses.length > 0 && addresses.every(isPrivate))) {
    return undefined;
  }
  const isPublic = schemes.length > 0 && schemes.every((scheme) => scheme === LoadBalancerScheme.INTERNET_FACING);
  return isPublic ? 'every client of the internet' : 'every client that reaches the address';
}

/** How to keep clients out if no owner that is likely reads the ranges of the Service; otherwise undefined. */
function meansBesideRanges(service: Json, kinds: readonly ControllerDefinition[]): string | undefined {
  const unread = kinds.filter(({ name, fieldEdits }) => {
    const edit = otherNamed(name) && fieldEdits?.['spec.loadBalancerSourceRanges'];
    return edit?.notApplied && !edit.staysAsMade && (classOf(service) === undefined || edit.unless === undefined);
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

export const SOURCE_RANGES_UNREAD: WrittenRule = ruleOf(RULES['source-ranges-unread'], (service, context) => {
  const kind = kindOf(context);
  const ranges = list(service.spec?.loadBalancerSourceRanges);
  if (kind === undefined || !wantsLoadBalancer(service) || ranges.length === 0 || isKeptByAnnotation(service, [kind])) {
    return undefined;
  }
  const means = meansBesideRanges(service, [kind]);
  return means === undefined ? undefined : { means, owner: kind.name, value: ranges.join(', ') };
});

export const EXPOSED_PORT: WrittenRule = ruleOf(RULES['exposed-port'], (service, context) => {
  const kinds = likelyKinds(service, context);
  const isUnknownClass = classOf(service) !== undefined && kindOf(context) === undefined && kinds.length === 0;
  const { spec } = service;
  if (!wantsLoadBalancer(service) || isUnknownClass || list(spec?.loadBalancerSourceRanges).length > 0) {
    return undefined;
  }
  const found = portsOf(service)
    .map((port) => ({ port: port.port, server: context.among?.madeOf === KAFKA_KIND ? 'Kafka' : serverAt(port) }))
    .filter(({ server }) => server !== undefined);
  const who = found.length > 0 ? reach(service, kinds, context.among) : undefined;
  const ports = [...new Set(found.map(({ port, server }) => `port ${port} (${server})`))].join(', ');
  return (
    who !== undefined &&
    !isKeptByAnnotation(service, kinds) && {
      who,
      ports,
      means: meansBesideRanges(service, kinds) ?? 'write loadBalancerSourceRanges',
      value: found.map(({ port }) => port).join(', '),
      at: '/spec/ports',
    }
  );
});
