import { compareVersions } from '../../contract/compare-versions';
import { refusal } from '../construct-rules';
import { KNOWN_VERSION, OLDEST_VERSION } from './installation.facts';

/**
 * A version of the AWS Load Balancer Controller that is installed.
 *
 * The differences between 3.3, 3.4 and 3.5 are known, so that a bad release can be rolled back; a newer one is installed with the
 * flags, feature gates, permissions and kinds of 3.5.0.
 */
export class AwsLoadBalancerControllerVersion {
  /** 3.3.0: wants the Gateway API in 1.5.0 or newer, in its experimental channel for Network Load Balancers. */
  public static readonly V3_3_0 = AwsLoadBalancerControllerVersion.of('3.3.0');

  /** 3.4.3: wants the Gateway API in 1.5.0 or newer, in its experimental channel for Network Load Balancers. */
  public static readonly V3_4_3 = AwsLoadBalancerControllerVersion.of('3.4.3');

  /** 3.5.0: wants the Gateway API in 1.6.0 or newer where its gates are on. Shared load balancers need it. */
  public static readonly V3_5_0 = AwsLoadBalancerControllerVersion.of('3.5.0');

  /**
   * A version by its number.
   *
   * @param version `3.6.0` or `v3.6.0`
   * @throws when the text is not such a number, or the version is older than 3.3.0
   */
  public static of(version: string): AwsLoadBalancerControllerVersion {
    const match = /^v?(\d+)\.(\d+)\.(\d+)$/.exec(version);
    if (!match) {
      throw refusal(
        'controller-version-unsupported',
        `AwsLoadBalancerControllerVersion: '${version}' is not a version; write it like ${KNOWN_VERSION}`,
      );
    }
    const known = match.slice(1).map(Number).join('.');
    if (compareVersions(known, OLDEST_VERSION) < 0) {
      throw refusal(
        'controller-version-unsupported',
        `AwsLoadBalancerControllerVersion: version '${version}' is older than ${OLDEST_VERSION}, the oldest one that can be installed here; name a newer one`,
      );
    }
    return new AwsLoadBalancerControllerVersion(known);
  }

  private constructor(
    /** The version as text, such as `3.5.0`. */
    public readonly version: string,
  ) {}

  /** @internal */
  public get _isKnown(): boolean {
    return compareVersions(this.version, KNOWN_VERSION) <= 0;
  }
}
