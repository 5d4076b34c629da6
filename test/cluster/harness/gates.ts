import type { Body } from './api';
import { until } from './wait';

/** What a program wants to do to a Service or its balancer. */
export type Wish =
  /** Adds its finalizer, or removes it. */
  | 'mark'
  | 'unmark'
  /** Writes an address into the status, or empties it. */
  | 'publish'
  | 'clear'
  /** Deletes the Service, or all Services of its namespace. */
  | 'delete'
  /** Lets the object go that the Service belongs to. */
  | 'release the parent'
  /** Asks the cloud for a balancer, looks for it, or gives it back. */
  | 'ensure'
  | 'look'
  | 'give back'
  /** The API server is about to remove the Service. */
  | 'remove';

/** How a wish may end: it is done, it is done and its answer is lost, or it is never done. */
export type Leave = 'pass' | 'lose' | 'drop';

/** A wish that waits. */
export class Held {
  public isOver = false;
  private leave!: (leave: Leave) => void;
  private end!: (status: number) => void;
  public readonly left = new Promise<Leave>((resolve) => {
    this.leave = resolve;
  });
  private readonly answered = new Promise<number>((resolve) => {
    this.end = resolve;
  });

  public constructor(
    public readonly actor: string,
    public readonly wish: Wish,
    public readonly body: Body = {},
  ) {}

  /** Lets it be done; the status of its answer, when the program has it. */
  public go(leave: Leave = 'pass'): Promise<number> {
    this.leave(leave);
    return this.answered;
  }

  /** It is done, or nobody waits for it any more. */
  public done(status: number): void {
    this.isOver = true;
    this.leave('drop');
    this.end(status);
  }
}

/** What is held at a place: a Service by namespace and name. */
class Place {
  public readonly held: Held[] = [];
  public isOpen = false;
  /** How many went through since it is open. */
  public passed = 0;
}

/** Where programs wait with what they do to the Services of some places, until they are let through. */
export class Gates {
  private readonly places = new Map<string, Place>();

  /** From now on whatever is done to a Service waits. */
  public close(place: string): void {
    this.places.set(place, new Place());
  }

  /** Lets through what waits, and all that comes. */
  public open(place: string): void {
    const found = this.places.get(place);
    if (found) {
      found.isOpen = true;
      for (const held of found.held.splice(0)) {
        void held.go();
      }
    }
  }

  public forget(place: string): void {
    this.open(place);
    this.places.delete(place);
  }

  /** The places that are closed in a namespace. */
  public in(namespace: string): string[] {
    return [...this.places.keys()].filter((place) => place.startsWith(`${namespace}/`));
  }

  /** Waits at the gate; says how to leave it. */
  public pass(place: string, held: Held): Promise<Leave> {
    const found = this.places.get(place);
    if (!found || found.isOpen) {
      if (found) {
        found.passed++;
      }
      void held.go();
    } else {
      found.held.push(held);
    }
    return held.left;
  }

  /** How often something was done at a place since it is open. */
  public passedAt(place: string): number {
    return this.places.get(place)?.passed ?? 0;
  }

  /** What waits at a place. */
  public at(place: string): Held[] {
    const held = this.places.get(place)?.held ?? [];
    const alive = held.filter(({ isOver }) => !isOver);
    held.splice(0, held.length, ...alive);
    return alive;
  }

  /** Waits until a program wants one of some things; it is not let through yet. */
  public arrival(place: string, actor: string, wishes: readonly Wish[], seconds?: number): Promise<Held> {
    return until(
      `${actor} to ${wishes.join(' or ')} at ${place}`,
      () => this.at(place).find((held) => held.actor === actor && wishes.includes(held.wish)),
      { seconds, seen: () => this.at(place).map((held) => `${held.actor}: ${held.wish}`) },
    );
  }

  /** Takes what waits out of the gate, and lets it be done. */
  public async let(place: string, held: Held, leave: Leave = 'pass'): Promise<number> {
    const all = this.places.get(place)?.held ?? [];
    if (all.includes(held)) {
      all.splice(all.indexOf(held), 1);
    }
    return held.go(leave);
  }
}
