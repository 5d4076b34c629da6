import {
  type AnyAnnotation,
  type ExclusiveResource,
  type Fate,
  SHARED_ADDRESS,
} from '../contract/annotation-catalogue';
import type { DecodeResult } from '../contract/annotation-codec';
import { identifierIn, keyOfName, namesOf } from '../contract/external-dns';
import { cachedIn, type Json, objectTitleOf } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/options';
import type { ControllerDefinition, ControllerVersion } from './controller-definition';
import { CLAIMED_TWICE, CLAIMED_TWICE_IN_APP } from './rules.facts';
import { annotationAt, annotationsOf, portAt, portsOf, wantsLoadBalancer } from './service-json';

/** Exclusive claim of an object in its cluster or cloud. */
export interface Claim extends Fate, Pick<ExclusiveResource, 'atOneAddress'> {
  /** Kind, namespace and name of the object, as messages have them. */
  readonly of: string;
  /** The claimed thing, as text: `Elastic IP eipalloc-1`. */
  readonly thing: string;
  readonly value: string;
  readonly key?: string;
  /** The place in the object that claims it; empty if the claim is of what the object makes. */
  readonly at: string;
  readonly who: string;
  /** Key of those that share it; undefined if it is not shared. */
  readonly sharing?: string;
  /** In what those that share it must differ. */
  readonly ports: readonly string[];
  /** True if two clusters can have one each. */
  readonly isOfCluster?: boolean;
  /** True if the owner that would read it is a guess. */
  readonly isUnsure?: boolean;
  /** The document within which another rule reports it. */
  readonly document?: object;
}

/** Things that a value names, each once; an unreadable one is reported by a rule of its own. */
export function namedBy({ fact }: AnyAnnotation, read: DecodeResult<unknown>): readonly string[] {
  const values = 'value' in read ? [...new Set([read.value].flat().map(String))] : [];
  // a value for what the controller does anyway claims nothing
  return values.filter((value) => value !== '' && value !== fact.default);
}

const NONE: readonly Claim[] = [];
const NO_PORTS: readonly string[] = [];

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
  return [...new Set(numbers)].map((number) => ({
    ...nodePortClaim(String(number)),
    at: portsOf(service).some(({ nodePort }) => nodePort === number)
      ? portAt(service, 'nodePort', ({ nodePort }) => nodePort === number)
      : '/spec/healthCheckNodePort',
  }));
}

export function nodePortClaim(value: string): Untitled {
  const fate = 'a node port belongs to one Service, whatever the protocol, and the other one is refused';
  return { thing: `node port ${value}`, value, at: '', who: 'kubernetes', fate, ports: NO_PORTS, isOfCluster: true };
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
    yield {
      ...ownClaim(service, SHARED_ADDRESS, String(field), { who, sharing, version }),
      at: '/spec/loadBalancerIP',
    };
  }
  if (!kind) {
    return;
  }
  const annotations = annotationsOf(service);
  const withAddress: [ExclusiveResource, string, string][] = [];
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
        const key = entry.key();
        yield { ...ownClaim(service, thing, value, { who, sharing, version }), key, at: annotationAt(key) };
      }
    }
  }
  for (const [thing, value, key] of withAddress) {
    const shared = addresses.length > 0 ? addresses.join() : undefined;
    yield { ...ownClaim(service, thing, value, { who, sharing: shared, version }), key, at: annotationAt(key) };
  }
}

function ownClaim(
  service: Json,
  own: ExclusiveResource,
  value: string,
  { who, sharing, version }: Pick<Claim, 'who' | 'sharing'> & { readonly version: ControllerVersion | undefined },
): Omit<Untitled, 'at'> {
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

/** Effect on the later one of two if both balancers have one address; undefined if they do not. */
export function sharedOf(one: Claim, other: Claim): Claim['atOneAddress'] {
  return one.sharing !== undefined && one.sharing === other.sharing ? one.atOneAddress : undefined;
}

/** Result for two claims that agree about themselves: one that is refused cuts nobody off. */
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
    at: annotationAt(keyOfName(annotations, value)),
    who: 'external-dns',
    fate: 'it leads clients to one of the two balancers, or to both in turns',
    sharing: shared.length > 0 ? shared.map(({ thing }) => thing).join() : undefined,
    ports: NO_PORTS,
  }));
}

export interface ClaimSource {
  readonly object: object;
  /** The chart or the file that it is in: what is applied together. */
  readonly group: unknown;
  readonly place: string;
  readonly claims: readonly Claim[];
  /** True if nothing can be reported at it. */
  readonly isSilent?: boolean;
}

export interface ClaimFindings {
  readonly errors: LoadBalancerFinding[];
  readonly warnings: LoadBalancerFinding[];
}

interface Holder {
  readonly claimer: ClaimSource;
  readonly claim: Claim;
}

class Taken {
  private readonly first = new Map<string, Holder>();
  private readonly ports = new Map<string, Holder>();

  /** The other one that has what is claimed; else it is taken now. */
  public take(holder: Holder): Holder | undefined {
    const { thing, ports } = holder.claim;
    const first = this.first.get(thing);
    if (!first) {
      this.first.set(thing, holder);
    } else if (fight(first, holder)) {
      return first;
    }
    let other: Holder | undefined;
    for (const port of ports) {
      const key = `${thing}\n${port}`;
      const has = this.ports.get(key);
      if (has === undefined) {
        this.ports.set(key, holder);
      } else if (has.claimer !== holder.claimer) {
        other ??= has;
      }
    }
    return other;
  }
}

function fight(one: Holder, other: Holder): boolean {
  const [a, b] = [one.claim, other.claim];
  const areOne = one.claimer === other.claimer || (a.document !== undefined && a.document === b.document);
  return !areOne && (a.sharing === undefined || a.sharing !== b.sharing || sharedOf(a, b) !== undefined);
}

/**
 * Conflicting claims of objects, reported at the later one of two: an error where they are applied together, and a warning
 * where one may be for another cluster than the other.
 * @param claimers all objects, in the order of their construction
 * @param isOrdered whether that order is also the one in which they are applied; else it is reported at both
 */
export function claimFindings(claimers: readonly ClaimSource[], isOrdered = true): Map<object, ClaimFindings> {
  const found = new Map<object, ClaimFindings>();
  const groups = new Map<unknown, Taken>();
  const everywhere = new Taken();
  const told = new Set<Holder>();
  for (const claimer of claimers) {
    for (const claim of claimer.claims) {
      const holder = { claimer, claim };
      const near = cachedIn(groups, claimer.group, () => new Taken()).take(holder);
      const far = everywhere.take(holder);
      const other = near ?? (far && far.claimer.group !== claimer.group ? far : undefined);
      if (other && !areOneObject(other, holder, isOrdered)) {
        const pair = [holder, other].filter((one) => !one.claimer.isSilent);
        for (const reported of isOrdered ? pair.slice(0, 1) : pair.filter((one) => one === holder || !told.has(one))) {
          const fights = cachedIn(found, reported.claimer.object, () => ({ errors: [], warnings: [] }));
          report(fights, reported, reported === holder ? other : holder);
          told.add(reported);
        }
      }
    }
  }
  return found;
}

/** Objects of one name are one object of a cluster. Charts of an app may be for several clusters of one account; files are not. */
function areOneObject(one: Holder, other: Holder, isApp: boolean): boolean {
  return one.claim.of === other.claim.of && (!isApp || (one.claim.isOfCluster === true && !isTogether(one, other)));
}

const isTogether = (one: Holder, other: Holder) => one.claimer.group === other.claimer.group;

function report({ errors, warnings }: ClaimFindings, reported: Holder, other: Holder): void {
  const { claim } = reported;
  const areTogether = isTogether(reported, other);
  const port = claim.sharing === undefined ? undefined : claim.ports.find((one) => other.claim.ports.includes(one));
  const thing =
    port !== undefined && claim.sharing === other.claim.sharing ? `port ${port} of ${claim.thing}` : claim.thing;
  const finding = {
    who: claim.who,
    what: `${thing} of ${claim.of} is also claimed by ${other.claim.of === claim.of ? 'another object of that name' : other.claim.of} (${other.claimer.place}): ${fateOf(reported, other)}`,
    value: claim.value,
    at: claim.at,
  };
  const remedy = remedyOf(reported, other, port);
  if (areTogether && !claim.isUnsure && !other.claim.isUnsure) {
    errors.push({ ruleId: CLAIMED_TWICE.id, ...finding, remedy });
  } else {
    const unless = areTogether ? '' : ', or acknowledge it if the two are for different clusters and networks';
    warnings.push({ ruleId: CLAIMED_TWICE_IN_APP.id, ...finding, remedy: `${remedy}${unless}` });
  }
}

/** Of two that need one sharing key for an address, the later one gets none. metallb/metallb v0.16.2, internal/allocator/allocator.go */
function fateOf({ claim }: Holder, { claim: other }: Holder): string {
  const [one, its] = [claim.sharing, other.sharing];
  if (claim.ports.length === 0 || (one === '' && its === '')) {
    return fateOfTwo(claim, other).fate;
  }
  const why = one === its ? 'a port belongs to one Service' : 'they share it under different conditions';
  return `${one === undefined || its === undefined ? 'they do not share it by one key' : why}, so the later one gets no address`;
}

function remedyOf({ claim }: Holder, { claim: other }: Holder, port: string | undefined): string {
  const shared = sharedOf(claim, other);
  if (shared) {
    return shared.remedy;
  }
  if (claim.sharing === other.sharing && port !== undefined) {
    return 'give one of the two another port or another address, or write both into one Service';
  }
  return claim.ports.length > 0
    ? 'give one of the two another address, or let both share it: one sharing key, different ports, and policy Cluster in both, or Local with one selector'
    : `use ${claim.thing} in one of the two only, or write both into one Service`;
}
