import type { AnyAnnotation } from '../contract/annotation-catalogue';
import type { Decoded } from '../contract/annotation-codec';
import { identifierIn, namesOf } from '../contract/external-dns';
import { type Json, objectTitleOf } from '../contract/json';
import { type Fate, type OwnThing, SHARED_ADDRESS } from '../contract/own-thing';
import type { ControllerDefinition, ControllerVersion } from './controller-definition';
import { annotationsOf, portsOf, wantsLoadBalancer } from './service-json';

/** What an object has for itself in its cluster, or in its cloud, and others cannot have as well. */
export interface Claim extends Fate, Pick<OwnThing, 'atOneAddress'> {
  /** Kind, namespace and name of the object, as messages have them. */
  readonly of: string;
  /** What is claimed, as text: `Elastic IP eipalloc-1`. */
  readonly thing: string;
  readonly value: string;
  readonly key?: string;
  readonly who: string;
  /** What those that share it have in common; nothing where it is not shared. */
  readonly sharing?: string;
  /** In what those that share it must differ. */
  readonly ports: readonly string[];
  /** Whether two clusters can have one each. */
  readonly isOfCluster?: boolean;
  /** Whether the owner that would read it is a guess. */
  readonly isUnsure?: boolean;
  /** The document within which another rule reports it. */
  readonly document?: object;
}

/** What a value names, each once; an unreadable one is reported by a rule of its own. */
export function namedBy({ fact }: AnyAnnotation, read: Decoded<unknown>): readonly string[] {
  const values = 'value' in read ? [...new Set([read.value].flat().map(String))] : [];
  // a value for what the controller does anyway claims nothing
  return values.filter((value) => value !== '' && value !== fact.default);
}

const NONE: readonly Claim[] = [];
const NO_PORTS: readonly string[] = [];

/**
 * What a finished Service claims.
 *
 * @param kind who owns its balancer; nothing where that is unknown
 * @param version the installed version of the owner; nothing where that is unknown
 */
export function claimsOf(
  service: Json,
  kind: ControllerDefinition | undefined,
  version?: ControllerVersion,
): readonly Claim[] {
  const found = ofNodePorts(service);
  if (wantsLoadBalancer(service)) {
    const owned = [...ofOwner(service, kind, version)];
    found.push(...owned, ...ofNames(service, owned));
  }
  return found.length === 0 ? NONE : found.map((claim) => ({ of: objectTitleOf(service), ...claim }));
}

type Untitled = Omit<Claim, 'of'>;

/** Across Services a number is allocated once, whatever the protocol. pkg/registry/core/service/storage/alloc.go */
function ofNodePorts(service: Json): Untitled[] {
  const { type, healthCheckNodePort } = service.spec ?? {};
  if (type !== 'NodePort' && type !== 'LoadBalancer') {
    return [];
  }
  const numbers = [...portsOf(service).map(({ nodePort }) => nodePort), healthCheckNodePort].filter(Boolean);
  return [...new Set(numbers)].map((number) => nodePortClaim(String(number)));
}

export function nodePortClaim(value: string): Untitled {
  const fate = 'a node port belongs to one Service, whatever the protocol, and the other one is refused';
  return { thing: `node port ${value}`, value, who: 'kubernetes', fate, ports: NO_PORTS, isOfCluster: true };
}

function* ofOwner(
  service: Json,
  kind: ControllerDefinition | undefined,
  version: ControllerVersion | undefined,
): Generator<Untitled> {
  const field: unknown = service.spec?.loadBalancerIP;
  const who = kind?.name ?? 'kubernetes';
  const sharing = kind?.sharing ? kind.sharing(service) : kind ? undefined : '';
  if (field && (kind === undefined || kind.sharing)) {
    yield ownClaim(service, SHARED_ADDRESS, String(field), { who, sharing, version });
  }
  if (!kind) {
    return;
  }
  const annotations = annotationsOf(service);
  const withAddress: [OwnThing, string, string][] = [];
  const addresses: string[] = field ? [String(field)] : [];
  for (const entry of kind.catalogue.own) {
    const text = annotations[entry.key()];
    const thing = entry.fact.namesOne;
    if (
      typeof text !== 'string' ||
      !thing ||
      thing.shared === 'freely' ||
      kind.ignores?.(service).includes(entry.key())
    ) {
      continue;
    }
    for (const value of namedBy(entry, entry.decode(text))) {
      if (thing.atOneAddress) {
        withAddress.push([thing, value, entry.key()]);
      } else {
        addresses.push(...(thing.shared === 'by-port' ? [value] : []));
        yield { ...ownClaim(service, thing, value, { who, sharing, version }), key: entry.key() };
      }
    }
  }
  for (const [thing, value, key] of withAddress) {
    const shared = addresses.length > 0 ? addresses.join() : undefined;
    yield { ...ownClaim(service, thing, value, { who, sharing: shared, version }), key };
  }
}

function ownClaim(
  service: Json,
  own: OwnThing,
  value: string,
  { who, sharing, version }: Pick<Claim, 'who' | 'sharing'> & { readonly version: ControllerVersion | undefined },
): Untitled {
  const { thing, shared, within, atOneAddress } = own;
  const { fate, cutsOff, needs } = own.fateOf?.(service, version && ((since) => version.reaches(since))) ?? own;
  const group = within && annotationsOf(service)[within];
  return {
    thing: `${thing} ${value}${group ? ` of group ${group}` : ''}`,
    value,
    who,
    fate,
    ...(cutsOff && { cutsOff }),
    ...(needs !== undefined && { needs }),
    ...(atOneAddress && { atOneAddress }),
    sharing: shared || atOneAddress ? sharing : undefined,
    ports:
      shared === 'by-port' ? portsOf(service).map(({ port, protocol = 'TCP' }) => `${port}/${protocol}`) : NO_PORTS,
  };
}

/** What becomes of the later one of two where both balancers have one address; undefined if they do not. */
export function sharedOf(one: Claim, other: Claim): Claim['atOneAddress'] {
  return one.sharing !== undefined && one.sharing === other.sharing ? one.atOneAddress : undefined;
}

/** What becomes of two, as far as both say the same of themselves: one that is refused cuts nobody off. */
export function fateOfTwo(later: Claim, first: Claim): Fate {
  const atOne = sharedOf(later, first);
  if (atOne) {
    return { fate: atOne.fate };
  }
  const isRefused = ({ cutsOff, needs }: Claim) => cutsOff === undefined && needs === undefined;
  const { fate, cutsOff, needs } = isRefused(first) ? first : later;
  return { fate, ...(cutsOff && { cutsOff }), ...(needs !== undefined && { needs }) };
}

function ofNames(service: Json, owned: readonly Untitled[]): Untitled[] {
  const annotations = annotationsOf(service);
  const shared = owned.filter(({ sharing, ports }) => sharing !== undefined && ports.length > 0);
  const identifier = identifierIn(annotations);
  return namesOf(annotations).map((value) => ({
    thing: `DNS name ${value}${identifier && ` with set-identifier ${identifier}`}`,
    value,
    who: 'external-dns',
    fate: 'it leads clients to one of the two balancers, or to both in turns',
    sharing: shared.length > 0 ? shared.map(({ thing }) => thing).join() : undefined,
    ports: NO_PORTS,
  }));
}
