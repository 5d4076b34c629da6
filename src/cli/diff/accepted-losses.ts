import { firstOfEach, printable } from '../../contract/json';
import type { BalancerChange, Effect } from '../../diff/effect';
import { makerTitle, titleOf } from '../../predicted/predicted';
import { IGNORE_ANNOTATION, isOver, outcomesIgnoredBy } from '../../rules/ignored-findings';
import type { Acceptance, Place } from '../check-report';
import type { AcceptedLoss } from '../context/check-context';
import type { DiffedSide } from './sides';

export class AcceptedLosses {
  private readonly used = new Set<AcceptedLoss>();

  public constructor(
    private readonly entries: readonly AcceptedLoss[],
    private readonly today: string,
  ) {}

  public of(change: BalancerChange, cause: Effect): { readonly accepted?: Acceptance; readonly over?: string } {
    const named = this.entries.filter(({ object }) => namesOf(change).includes(object));
    const fitting = named.filter(({ outcome }) => outcome === cause.outcome);
    // what is not known may be what is accepted
    for (const entry of cause.outcome === 'unknown' ? named : fitting) {
      this.used.add(entry);
    }
    const valid = fitting.find((entry) => !isOver(entry, this.today));
    if (valid) {
      return { accepted: { reason: valid.reason, until: valid.until } };
    }
    const [past] = fitting;
    return past ? { over: `it was accepted until ${past.until} (${placeOf(past)}${past.reason})` } : {};
  }

  public get idle(): readonly AcceptedLoss[] {
    return this.entries.filter((entry) => !this.used.has(entry));
  }
}

export function noteOf(entry: AcceptedLoss): string {
  const { outcome, object, place } = entry;
  const what = `${outcome} at ${object} is accepted and does not happen`;
  return printable(place ? `${placeOf(entry)}${what}; remove the entry` : `--allow: ${what}`);
}

function placeOf({ place }: AcceptedLoss): string {
  return place ? `${place.file}:${place.line}:${place.column}: ` : '';
}

function namesOf({ before, after }: BalancerChange): string[] {
  return [before, after].flatMap((balancer) => {
    const { id, written } = balancer ?? {};
    const { madeOf } = written ?? {};
    return [
      ...(id === undefined ? [] : [id, `Service ${id}`]),
      ...(madeOf ? [titleOf(madeOf.object), makerTitle(madeOf.object)] : []),
    ];
  });
}

export function lossesIgnored(
  before: DiffedSide,
  after: DiffedSide,
  shown: (side: 'before' | 'after', place: Place) => Place,
): AcceptedLoss[] {
  const left = new Set(after.side.balancers.map(({ id }) => id));
  const all = [
    ...after.side.balancers.map((one) => ['after', one] as const),
    ...before.side.balancers.filter(({ id }) => !left.has(id)).map((one) => ['before', one] as const),
  ];
  const losses = all.flatMap(([side, { id, written }]) => {
    const { object, madeOf, file, line, source } = written;
    const ignored = [
      ...outcomesIgnoredBy(object).map((one) => ({ ...one, object: id })),
      ...(madeOf ? outcomesIgnoredBy(madeOf.object).map((one) => ({ ...one, object: makerTitle(madeOf.object) })) : []),
    ];
    // a place is found by parsing the document again
    return ignored.map((one) => {
      const at = source?.placeOf(['metadata', 'annotations', IGNORE_ANNOTATION]) ?? { line, column: 1 };
      return { ...one, place: shown(side, { file, ...at }) };
    });
  });
  return firstOfEach(losses, ({ outcome, object }) => `${outcome} ${object}`);
}
