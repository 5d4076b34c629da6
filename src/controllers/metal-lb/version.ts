import { compareVersions } from '../../contract/compare-versions';
import { METALLB_CONTROLLER, METALLB_SOURCE } from './annotations';

const SYNTAX = /^v?(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/;

/** The oldest version whose address pools are objects. metallb/metallb, website/content/release-notes/_index.md */
const OLDEST = '0.13.0';

/**
 * A version of MetalLB: it decides which annotations it reads, and which fields its advertisements have. What a version does not
 * read it ignores in silence, so that a Service gets an address of any pool.
 */
export class MetalLbVersion {
  /** 0.14.8: the last one that reads `metallb.universe.tf/` alone. */
  public static readonly V0_14_8 = MetalLbVersion.of('0.14.8');

  /** 0.14.9: the first one that reads `metallb.io/`. */
  public static readonly V0_14_9 = MetalLbVersion.of('0.14.9');

  /** 0.15.3. */
  public static readonly V0_15_3 = MetalLbVersion.of('0.15.3');

  /** 0.16.0: the first one whose advertisements have `serviceSelectors`. */
  public static readonly V0_16_0 = MetalLbVersion.of('0.16.0');

  /** 0.16.2: in layer 2 it announces no shared address where an advertisement of the Service has `serviceSelectors`. */
  public static readonly V0_16_2 = MetalLbVersion.of('0.16.2');

  /**
   * A version by its number. One that is newer than 0.16.2 is taken for it.
   *
   * @param version `0.16.2` or `v0.16.2`
   * @throws when the text is not such a number, or the version is older than 0.13.0
   */
  public static of(version: string): MetalLbVersion {
    const match = SYNTAX.exec(version);
    if (!match) {
      throw new Error(
        `${METALLB_CONTROLLER}: '${version}' is not a version; write it like ${METALLB_SOURCE.version.slice(1)}`,
      );
    }
    const known = match.slice(1).map(Number).join('.');
    if (compareVersions(known, OLDEST) < 0) {
      throw new Error(
        `${METALLB_CONTROLLER}: version '${version}' is older than ${OLDEST}, the first one whose address pools are objects; upgrade MetalLB`,
      );
    }
    return new MetalLbVersion(known);
  }

  private constructor(
    /** The version as text, such as `0.16.2`. */
    public readonly version: string,
  ) {}

  /**
   * True if this version is the other one or newer.
   *
   * @param other the version to compare with
   */
  public isAtLeast(other: MetalLbVersion): boolean {
    return compareVersions(this.version, other.version) >= 0;
  }
}
