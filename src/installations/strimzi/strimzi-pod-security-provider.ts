/**
 * Which security contexts the operator gives to the pods that it makes.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying#assembly-security-providers-str
 */
export class StrimziPodSecurityProvider {
  /** Pods pass the baseline of Kubernetes' pod security standards. */
  public static readonly BASELINE = new StrimziPodSecurityProvider('baseline');

  /** Pods pass the restricted standard; building images of Kafka Connect with Kaniko does not work then. */
  public static readonly RESTRICTED = new StrimziPodSecurityProvider('restricted');

  /**
   * A provider of your own, which must be on the class path of the operator's image.
   *
   * @param className the full name of the Java class
   */
  public static custom(className: string): StrimziPodSecurityProvider {
    return new StrimziPodSecurityProvider(className);
  }

  private constructor(
    /** As the operator reads it. */
    public readonly provider: string,
  ) {}
}
