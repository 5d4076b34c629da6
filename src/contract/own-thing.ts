import type { Json } from './json';

/** What becomes of two Services that name one thing. */
export interface Fate {
  readonly fate: string;
  /**
   * Whether the Service that has it is cut off by a second one.
   *
   * @default - it keeps what it has, or `needs` says what decides
   */
  readonly cutsOff?: 'always';
  /** What must be known to say whether the Service that has it is cut off. */
  readonly needs?: string;
}

/** Something that one Service has for itself: a second one that names it fights with the first. */
export interface OwnThing extends Fate {
  /** What it is, as text: `Elastic IP`. Catalogues with the same text name the same things. */
  readonly thing: string;
  /**
   * The same of one Service.
   *
   * @param service the finished object
   * @param reaches whether the installed version is the one that is given or newer; undefined if the version is not known
   */
  fateOf?(service: Json, reaches: ((since: string) => boolean) | undefined): Fate;
  /** What becomes of the later one of two whose balancers have one address, and what to do. */
  readonly atOneAddress?: { readonly fate: string; readonly remedy: string };
  /**
   * How Services share it all the same: by having different ports, or in any way, where it is only published.
   *
   * @default - not at all
   */
  readonly shared?: 'by-port' | 'freely';
  /** The fate if a new Service takes it over from one that is deleted, and the last version of which that is known. */
  readonly adopted?: { readonly until: string; readonly fate: string };
  /** The key of the annotation that says in which group the name is unique. */
  readonly within?: string;
}

export const ADDRESS: OwnThing = {
  thing: 'address',
  fate: 'an address belongs to one balancer, and the other one is not made',
};

/** An address that Services of different ports can share. */
export const SHARED_ADDRESS: OwnThing = {
  ...ADDRESS,
  fate: 'a port of an address belongs to one Service, and the other one gets no traffic',
  shared: 'by-port',
};
