/**
 * One requirement of a selector of namespaces by label.
 */
export interface NamespaceRequirement {
  /** The key of the label. */
  readonly key: string;

  /** What Kubernetes calls the operator: `In`, or `NotIn`, which selects namespaces without the label too. */
  readonly relation: string;

  /** The values of the label. */
  readonly values: string[];
}
