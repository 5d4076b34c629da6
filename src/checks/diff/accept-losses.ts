import { printable } from '../../contract/printable';
import type { BalancerChange, Cause } from '../../diff/balancer-change';
import type { SideBalancer } from '../../diff/side';
import { type MadeOf, titleOf } from '../../later/later';
import type { Acceptance } from '../check-report';
import type { AcceptedLoss } from '../context/check-context';

/** Which causes of changes somebody accepted. */
export class AcceptedLosses {
  private readonly used = new Set<AcceptedLoss>();

  /**
   * @param entries what is accepted, in the context file or on the command line
   * @param today the date as `2027-06-30`
   */
  public constructor(
    private readonly entries: readonly AcceptedLoss[],
    private readonly today: string,
  ) {}

  /** Why a cause is no reason to fail, and what to say where its entry is over. */
  public of(change: BalancerChange, cause: Cause): { readonly accepted?: Acceptance; readonly over?: string } {
    const named = this.entries.filter(({ object }) => namesOf(change).includes(object));
    const fitting = named.filter(({ outcome }) => outcome === cause.outcome);
    // what is not known may be what is accepted
    for (const entry of cause.outcome === 'unknown' ? named : fitting) {
      this.used.add(entry);
    }
    const valid = fitting.find(({ until }) => until === undefined || until >= this.today);
    if (valid) {
      const { reason, until } = valid;
      return { accepted: { reason: printable(reason), ...(until !== undefined && { until }) } };
    }
    const [past] = fitting;
    return past ? { over: printable(`it was accepted until ${past.until} (${placeOf(past)}${past.reason})`) } : {};
  }

  /** What to do about entries that no change fits, a sentence each. */
  public get notes(): readonly string[] {
    return this.entries.filter((entry) => !this.used.has(entry)).map(noteOf);
  }

  /** Those of them that hold only if they hold in all clusters. */
  public get idleForAll(): readonly string[] {
    return this.entries.filter((entry) => (entry.isForAll || !entry.place) && !this.used.has(entry)).map(noteOf);
  }
}

function noteOf(entry: AcceptedLoss): string {
  const { outcome, object, place } = entry;
  const what = `${outcome} at ${object} is accepted and does not happen`;
  return printable(place ? `${placeOf(entry)}${what}; take the entry out` : `--allow: ${what}`);
}

function placeOf({ place }: AcceptedLoss): string {
  return place ? `${place.file}:${place.line}:${place.column}: ` : '';
}

/** How a balancer may be called: as its Service, or as what that is made of, with or without a kind. */
function namesOf({ before, after }: BalancerChange): string[] {
  return [before, after].flatMap((balancer) => (balancer ? namesOfBalancer(balancer) : []));
}

function namesOfBalancer({ id, written: { madeOf } }: SideBalancer): string[] {
  return [id, `Service ${id}`, ...(madeOf ? [titleOf(madeOf.object), makerOf(madeOf)] : [])];
}

/** How what a balancer is made of is accepted, with all balancers of it: `Kafka kafka/events`. */
export function makerOf({ object }: MadeOf): string {
  return `${object.kind} ${titleOf(object)}`;
}
