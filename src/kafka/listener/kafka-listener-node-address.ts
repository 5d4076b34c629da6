/**
 * Which of the addresses of its node a broker advertises, on a listener of type `nodeport`.
 *
 * @see https://kubernetes.io/docs/reference/node/node-status/#addresses
 */
export enum KafkaListenerNodeAddress {
  /** An address that can be reached from outside the cluster. */
  EXTERNAL_IP = 'ExternalIP',

  /** A name of that address. */
  EXTERNAL_DNS = 'ExternalDNS',

  /** An address that can be reached within the cluster only. */
  INTERNAL_IP = 'InternalIP',

  /** A name of that address. */
  INTERNAL_DNS = 'InternalDNS',

  /** The name that the node has given itself. */
  HOSTNAME = 'Hostname',
}
