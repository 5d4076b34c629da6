import type { LoadBalancerFinding } from '../contract/options';
import { CLAIMED_TWICE, CLAIMED_TWICE_IN_APP } from './app-rules';
import { type Claim, fateOfTwo, sharedOf } from './claims';

export interface Claimer {
  readonly object: object;
  /** The chart or the file that it is in: what is applied together. */
  readonly group: unknown;
  /** Where it is, for messages that are reported at another one. */
  readonly place: string;
  readonly claims: readonly Claim[];
  /** Whether nothing can be reported at it. */
  readonly isSilent?: boolean;
}

export interface Fights {
  readonly errors: LoadBalancerFinding[];
  readonly warnings: LoadBalancerFinding[];
}

interface Holder {
  readonly claimer: Claimer;
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
 * What objects fight over, reported at the later one of two: an error where they are applied together, and a warning where one
 * may be for another cluster than the other.
 *
 * @param claimers all objects, in the order of their construction
 * @param isOrdered whether that order is also the one in which they are applied; else it is reported at both
 */
export function fightsAmong(claimers: readonly Claimer[], isOrdered = true): Map<object, Fights> {
  const found = new Map<object, Fights>();
  const groups = new Map<unknown, Taken>();
  const everywhere = new Taken();
  const told = new Set<Holder>();
  for (const claimer of claimers) {
    for (const claim of claimer.claims) {
      const holder = { claimer, claim };
      const ofGroup = groups.get(claimer.group) ?? new Taken();
      groups.set(claimer.group, ofGroup);
      const near = ofGroup.take(holder);
      const far = everywhere.take(holder);
      const other = near ?? (far && far.claimer.group !== claimer.group ? far : undefined);
      if (other && !areOneObject(other, holder, isOrdered)) {
        const pair = [holder, other].filter((one) => !one.claimer.isSilent);
        for (const reported of isOrdered ? pair.slice(0, 1) : pair.filter((one) => one === holder || !told.has(one))) {
          const fights = found.get(reported.claimer.object) ?? { errors: [], warnings: [] };
          found.set(reported.claimer.object, fights);
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

function report({ errors, warnings }: Fights, reported: Holder, other: Holder): void {
  const { claim } = reported;
  const areTogether = isTogether(reported, other);
  const port = claim.sharing === undefined ? undefined : claim.ports.find((one) => other.claim.ports.includes(one));
  const thing =
    port !== undefined && claim.sharing === other.claim.sharing ? `port ${port} of ${claim.thing}` : claim.thing;
  const finding = {
    who: claim.who,
    what: `${thing} of ${claim.of} is also claimed by ${other.claim.of === claim.of ? 'another object of that name' : other.claim.of} (${other.claimer.place}): ${fateOf(reported, other)}`,
    value: claim.value,
  };
  const remedy = remedyOf(reported, other, port);
  if (areTogether && !claim.isUnsure && !other.claim.isUnsure) {
    errors.push({ ruleId: CLAIMED_TWICE.id, ...finding, remedy });
  } else {
    const unless = areTogether ? '' : ', or acknowledge it where the two are for different clusters and networks';
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
    : 'give one of the two another, or write both into one Service';
}
