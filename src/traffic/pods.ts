/** A pod behind a Service, as far as packets depend on it. */
export interface TrafficPod {
  readonly name: string;
  /** The node that it runs on. */
  readonly node: string;
  /** Its condition Ready: whether it answers, terminating or not. */
  readonly ready: boolean;
  readonly terminating: boolean;
}
