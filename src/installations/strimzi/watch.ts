/**
 * The namespaces whose Kafka resources an operator serves.
 */
export class StrimziWatch {
  /** The namespace of the operator alone. */
  public static ownNamespace(): StrimziWatch {
    return new StrimziWatch(false);
  }

  /**
   * Some namespaces. They must exist before the manifests are applied: the operator's rights are bound in each of them.
   * Its own namespace is not among them unless it is named.
   *
   * @param namespaces at least one
   * @throws when they are no list of strings
   */
  public static namespaces(namespaces: string[]): StrimziWatch {
    if (!Array.isArray(namespaces) || namespaces.some((namespace) => typeof namespace !== 'string')) {
      throw new Error(
        `strimzi: namespaces to watch are ${JSON.stringify(namespaces) ?? 'not set'}, which is not a list of strings; pass their names in a list`,
      );
    }
    return new StrimziWatch(false, [...namespaces]);
  }

  /** All namespaces, also those that are made later. The operator may then do what it does everywhere. */
  public static allNamespaces(): StrimziWatch {
    return new StrimziWatch(true);
  }

  private constructor(
    /** True if all namespaces are watched. */
    public readonly isAll: boolean,
    private readonly listed?: string[],
  ) {}

  /** True if it is the namespace of the operator, whatever that is. */
  public get isOwn(): boolean {
    return !this.isAll && this.listed === undefined;
  }

  /** The namespaces that were named; none where all or the operator's own are watched. */
  public get listedNamespaces(): string[] {
    return [...(this.listed ?? [])];
  }
}
