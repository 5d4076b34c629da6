/**
 * Whom the pods of a node pool ask for addresses.
 *
 * @see https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/#pod-s-dns-policy
 */
export enum KafkaDnsPolicy {
  /** The DNS of the Kubernetes cluster first. */
  CLUSTER_FIRST = 'ClusterFirst',

  /** The same for pods in the network of their node. */
  CLUSTER_FIRST_WITH_HOST_NET = 'ClusterFirstWithHostNet',

  /** What the node asks. Names of Services are unknown there, so brokers do not find each other. */
  NODE = 'Default',

  /** Nobody but those whom the DNS configuration of the template names. */
  NONE = 'None',
}
