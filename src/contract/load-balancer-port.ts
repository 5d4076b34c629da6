/**
 * The transport protocol of a port.
 */
export enum PortProtocol {
  /** TCP. */
  TCP = 'TCP',

  /** UDP. */
  UDP = 'UDP',

  /** SCTP. */
  SCTP = 'SCTP',
}

/**
 * One port of a load balanced Service.
 */
export interface LoadBalancerPort {
  /** The port that clients connect to, 1 to 65535. */
  readonly port: number;

  /**
   * The name of the port: at most 63 lower-case letters, digits and dashes. Kubernetes demands one as soon as a Service
   * has two ports.
   *
   * @default - none for a single port; protocol and number (`tcp-443`) where a Service has several
   */
  readonly name?: string;

  /**
   * The port of the pod, by number. Not together with `targetPortName`.
   *
   * @default - the same as `port`
   */
  readonly targetPort?: number;

  /**
   * The port of the pod, by the name that its container gives it; pods may then disagree on the number.
   *
   * @default - the number in `targetPort`
   */
  readonly targetPortName?: string;

  /**
   * The transport protocol. Not every controller serves all three, and fewer serve two in one Service.
   *
   * @default PortProtocol.TCP
   */
  readonly protocol?: PortProtocol;

  /**
   * The application protocol, as a hint for controllers and meshes (`kubernetes.io/h2c`, `https`).
   *
   * @default - none
   */
  readonly appProtocol?: string;

  /**
   * A fixed port on every node. Two Services that fix the same one cannot live in one cluster.
   *
   * @default - chosen by Kubernetes
   */
  readonly nodePort?: number;
}
