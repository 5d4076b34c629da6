import { compareVersions } from './compare-versions';

/**
 * A minor version of Kubernetes: of the API server that will read a manifest.
 *
 * @see https://kubernetes.io/releases/
 */
export class KubernetesVersion {
  /** Kubernetes 1.27. */
  public static readonly V1_27 = KubernetesVersion.of('1.27');

  /** Kubernetes 1.28. */
  public static readonly V1_28 = KubernetesVersion.of('1.28');

  /** Kubernetes 1.29. */
  public static readonly V1_29 = KubernetesVersion.of('1.29');

  /** Kubernetes 1.30. */
  public static readonly V1_30 = KubernetesVersion.of('1.30');

  /** Kubernetes 1.31. */
  public static readonly V1_31 = KubernetesVersion.of('1.31');

  /** Kubernetes 1.32. */
  public static readonly V1_32 = KubernetesVersion.of('1.32');

  /** Kubernetes 1.33. */
  public static readonly V1_33 = KubernetesVersion.of('1.33');

  /** Kubernetes 1.34. */
  public static readonly V1_34 = KubernetesVersion.of('1.34');

  /** Kubernetes 1.35. */
  public static readonly V1_35 = KubernetesVersion.of('1.35');

  /** Kubernetes 1.36. */
  public static readonly V1_36 = KubernetesVersion.of('1.36');

  /** Kubernetes 1.37. */
  public static readonly V1_37 = KubernetesVersion.of('1.37');

  /**
   * A version by its number.
   *
   * @param version `1.34`, `v1.34` or `1.34.2`; only the first two parts count
   * @throws when the text is not such a number
   */
  public static of(version: string): KubernetesVersion {
    const match = /^v?(\d+)\.(\d+)(\.\d+)?([-+].*)?$/.exec(version);
    if (!match) {
      throw new Error(`kubernetes: '${version}' is not a version; write it like 1.34`);
    }
    return new KubernetesVersion(`${Number(match[1])}.${Number(match[2])}`);
  }

  private constructor(
    /** The version as text, such as `1.34`. */
    public readonly version: string,
  ) {}

  /**
   * True if this version is the other one or newer.
   *
   * @param other the version to compare with
   */
  public isAtLeast(other: KubernetesVersion): boolean {
    return compareVersions(this.version, other.version) >= 0;
  }
}
