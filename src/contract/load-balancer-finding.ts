/**
 * Something a reader of the manifest should know: as a problem it stops the synth, as a warning it is reported once.
 */
export interface LoadBalancerFinding {
  /** The stable name of the rule behind it, in kebab-case; warnings are acknowledged by it. */
  readonly ruleId: string;

  /** Who says so: the controller, or `kubernetes` for the API server. */
  readonly who: string;

  /** What cannot be done, or what will surprise, in one clause without a full stop. */
  readonly what: string;

  /** What to do instead, in one clause without a full stop. */
  readonly remedy: string;

  /**
   * The offending value, as text.
   *
   * @default - the finding is about something that is missing
   */
  readonly value?: string;

  /**
   * The place in the finished object, as a JSON pointer such as `/spec/ports/0/nodePort`.
   *
   * @default - the finding is about the object as a whole, or about what the rule reads
   */
  readonly at?: string;

  /**
   * The wish that it answers: the field of the request (`trafficPolicy`), or the name of the member of `LoadBalancerWish`
   * (`TRAFFIC_POLICY`).
   *
   * @default - it answers no wish
   */
  readonly wish?: string;
}
