/**
 * How a persistent volume of a node is claimed.
 */
export interface KafkaPersistentClaimOptions {
  /**
   * The name of the StorageClass. It cannot be changed later: the operator ignores the change, and with it all other
   * changes of the storage.
   *
   * @default - the default class of the Kubernetes cluster
   */
  readonly storageClass?: string;

  /**
   * Whether the volumes are deleted when the pool is, and when it gets fewer nodes. Where they are not, they stay with
   * their data, and on the bill, until somebody deletes the claims by hand.
   *
   * @default false
   */
  readonly deleteClaim?: boolean;

  /**
   * Labels of the volumes that may be bound, where they exist already.
   *
   * @default - any volume of the class
   */
  readonly selector?: { [key: string]: string };

  /**
   * The name of the VolumeAttributesClass, which unlike the class may be changed later. Strimzi 0.49 or newer.
   *
   * @default - that of the class
   */
  readonly volumeAttributesClass?: string;
}
