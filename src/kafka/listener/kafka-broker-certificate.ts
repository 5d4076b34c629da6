/**
 * A certificate of one's own for the brokers of a listener, in a Secret in the namespace of the cluster. It has to hold the
 * names that clients connect to: those of bootstrap and of all brokers. The operator neither makes nor renews it, and rolls
 * the brokers when the Secret changes.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying#proc-installing-certs-per-listener-str
 */
export interface KafkaBrokerCertificate {
  /** The name of the Secret. */
  readonly secretName: string;

  /** The key in the Secret under which the certificate is, with the chain up to, but without, the root. */
  readonly certificate: string;

  /** The key in the Secret under which the private key is, as unencrypted PKCS#8. */
  readonly key: string;
}
