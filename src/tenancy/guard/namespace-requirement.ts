/**
 * One requirement of a selector of namespaces by label.
 */
export interface NamespaceRequirement {
  /** The key of the label. */
  readonly key: string;

  /** `In` or `NotIn`; `NotIn` selects namespaces without the label too. */
  readonly operator: string;

  /** The values of the label. */
  readonly values: string[];
}
