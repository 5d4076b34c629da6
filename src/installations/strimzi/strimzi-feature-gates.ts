/**
 * Feature gates of the Strimzi operator. Each exists in some versions only, and an operator that is told of a gate that it
 * does not know does not start: such a gate is an error.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying#ref-operator-cluster-feature-gates-str
 */
export interface StrimziFeatureGates {
  /**
   * `ContinueReconciliationOnManualRollingUpdateFailure`, of 0.45 only: a manual rolling update that fails does not end the
   * reconciliation.
   *
   * @default - as the version has it: on
   */
  readonly continueReconciliationOnManualRollingUpdateFailure?: boolean;

  /**
   * `ServerSideApplyPhase1`, from 0.48 and before 1.2: Services are written with server-side apply, so finalizers,
   * annotations and labels of others survive. It decides what listeners must declare, and becomes part of `version`.
   *
   * @default - as `version` says; else off before 0.51, and on from there
   */
  readonly serverSideApplyPhase1?: boolean;

  /**
   * `UseConnectBuildWithBuildah`, from 0.49: images of Kafka Connect are built with Buildah, not with Kaniko.
   *
   * @default - as the version has it: off before 1.0, and on from there
   */
  readonly useConnectBuildWithBuildah?: boolean;

  /**
   * `UseBackgroundPodDeletion`, from 1.1: pods that roll are deleted in the background.
   *
   * @default - as the version has it: off
   */
  readonly useBackgroundPodDeletion?: boolean;

  /**
   * Gates by name that are not known here, of versions newer than all that are.
   *
   * @default - none
   */
  readonly others?: { [gate: string]: boolean };
}
