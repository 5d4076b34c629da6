/** Something that one Service has for itself: a second one that names it fights with the first. */
export interface OwnThing {
  /** What it is, as text: `Elastic IP`. Catalogues with the same text name the same things. */
  readonly thing: string;
  /** What becomes of two Services that name it, in one clause. */
  readonly fate: string;
  /**
   * Whether the Service that has it is cut off by a second one, for sure or by some versions.
   *
   * @default - it keeps what it has
   */
  readonly cutsOff?: 'always' | 'by version';
  /**
   * How Services share it all the same: by having different ports, together with the address of their balancer, or in any
   * way, where it is only published.
   *
   * @default - not at all
   */
  readonly shared?: 'by-port' | 'with-address' | 'freely';
  /** The key of the annotation that says in which group the name is unique. */
  readonly within?: string;
}

/** An address of one balancer alone. */
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
