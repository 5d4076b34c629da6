/**
 * How far the clusters of one account are kept apart by the policy of a controller. What AWS cannot check by tag stays open in
 * all of them: every read, and the rules of security groups unless a VPC is given.
 */
export enum AwsClusterIsolation {
  /** As the vendor has it: the cluster tag must be there, whatever its value. A controller may change and delete what belongs to another cluster. */
  ANY_CLUSTER = 'any-cluster',

  /**
   * Wherever the vendor asks for the cluster tag, it must have the name of the cluster. A controller that is started with
   * another `--cluster-name` loses what it made before. Listeners and targets stay open, as they are with the vendor.
   */
  OWN_CLUSTER = 'own-cluster',

  /**
   * Listeners, their rules, targets and new security groups too. Listeners must be tagged (the gate `ListenerRulesTagging` is
   * on, and was when they were made), and target groups that others made for a TargetGroupBinding need the tag
   * `elbv2.k8s.aws/cluster` with the name of the cluster. Derived from what AWS documents, and not tried in an account.
   */
  OWN_RESOURCES = 'own-resources',
}
