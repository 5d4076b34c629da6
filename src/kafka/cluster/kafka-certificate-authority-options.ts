import type { Duration } from 'cdk8s';

/**
 * What happens when the certificate of a CA is about to expire.
 */
export enum KafkaCertificateExpirationPolicy {
  /** A new certificate with the old key: clients that trust the old certificate go on. */
  RENEW_CERTIFICATE = 'renew-certificate',

  /** A new key as well: all pods are rolled several times, and clients have to get the new certificate in time. */
  REPLACE_KEY = 'replace-key',
}

/**
 * One of the two CAs of a cluster: the one of its brokers, or the one of its clients.
 *
 * @see https://strimzi.io/docs/operators/latest/configuring.html#type-CertificateAuthority-reference
 */
export interface KafkaCertificateAuthorityOptions {
  /**
   * How long certificates are valid, those of the CA and those that it signs. Whole days.
   *
   * @default Duration.days(365)
   */
  readonly validity?: Duration;

  /**
   * How long before they expire they are renewed, in the next maintenance window if there are any. Whole days, fewer than
   * `validity`.
   *
   * @default Duration.days(30)
   */
  readonly renewal?: Duration;

  /**
   * Whether the operator makes and renews the CA. Otherwise its certificate and key have to be in their Secrets before the
   * cluster is made, and nobody renews them.
   *
   * @default true
   */
  readonly generateCertificateAuthority?: boolean;

  /**
   * Whether the Secrets of the CA are deleted with the Kafka resource. Kept, they let a cluster that was deleted by mistake
   * come back with clients that still trust it.
   *
   * @default true
   */
  readonly generateSecretOwnerReference?: boolean;

  /**
   * What happens when the certificate of the CA is about to expire.
   *
   * @default KafkaCertificateExpirationPolicy.RENEW_CERTIFICATE
   */
  readonly certificateExpirationPolicy?: KafkaCertificateExpirationPolicy;
}
