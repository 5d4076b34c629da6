import type { Size } from 'cdk8s';

/**
 * What the operator's pod may use.
 */
export interface StrimziOperatorResources {
  /**
   * Processors that the scheduler keeps free, such as `200m`.
   *
   * @default 200m
   */
  readonly cpuRequest?: string;

  /**
   * Processors at most.
   *
   * @default 1
   */
  readonly cpuLimit?: string;

  /**
   * Memory, kept free and at most: beyond it the operator is killed. A few dozen clusters need more than the default.
   *
   * @default Size.mebibytes(384)
   */
  readonly memory?: Size;
}
