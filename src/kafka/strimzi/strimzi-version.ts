import { compareVersions, reaches } from '../../contract/compare-versions';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import {
  SERVER_SIDE_APPLY_FIXED_SINCE,
  SERVER_SIDE_APPLY_GATE,
  SERVER_SIDE_APPLY_GATE_SINCE,
  SERVER_SIDE_APPLY_SINCE,
  STRIMZI_API,
  STRIMZI_API_SINCE,
  STRIMZI_GROUP,
  STRIMZI_OLD_API,
  STRIMZI_OLD_API_UNTIL,
  STRIMZI_RELEASES,
  STRIMZI_SECURITY_FLOORS,
} from './strimzi.facts';

/** The newest first: a version in between behaves as the one before it. */
const KNOWN = Object.entries(STRIMZI_RELEASES)
  .map(([version, release]) => ({ version, release }))
  .sort((one, other) => compareVersions(other.version, one.version));

const NEWEST = KNOWN[0];
const OLDEST = KNOWN[KNOWN.length - 1];

/**
 * A version of the Strimzi operator that will read a manifest: it decides the API version, which fields of a listener
 * exist, and whether finalizers survive that others have added to its Services. Each constant is the newest known patch
 * of its minor version; `of()` makes any other.
 *
 * @see https://github.com/strimzi/strimzi-kafka-operator/blob/1.2.0/CHANGELOG.md
 */
export class StrimziVersion {
  /** Strimzi 0.45: the oldest version known here, and the last one that runs ZooKeeper. */
  public static readonly V0_45 = StrimziVersion.of('0.45');

  /** Strimzi 0.46: Kafka runs with KRaft and node pools only. */
  public static readonly V0_46 = StrimziVersion.of('0.46');

  /** Strimzi 0.47. */
  public static readonly V0_47 = StrimziVersion.of('0.47');

  /** Strimzi 0.48: the first one with the feature gate of server-side apply, which is off. */
  public static readonly V0_48 = StrimziVersion.of('0.48');

  /** Strimzi 0.49: the first one that serves the API version `v1`. */
  public static readonly V0_49 = StrimziVersion.of('0.49');

  /** Strimzi 0.50. */
  public static readonly V0_50 = StrimziVersion.of('0.50');

  /** Strimzi 0.51: server-side apply is on, so foreign finalizers survive; the last one that serves `v1beta2`. */
  public static readonly V0_51 = StrimziVersion.of('0.51');

  /** Strimzi 1.0: `v1` is the only API version. */
  public static readonly V1_0 = StrimziVersion.of('1.0');

  /** Strimzi 1.1: templates for what differs from broker to broker. */
  public static readonly V1_1 = StrimziVersion.of('1.1');

  /** Strimzi 1.2: server-side apply is for good. */
  public static readonly V1_2 = StrimziVersion.of('1.2');

  /**
   * A version by its number. A version newer than all that are known here behaves as the newest known one,
   * and a warning says so (`strimzi-newer-than-facts`).
   *
   * @param version `0.49.1` or `v0.49.1`; `0.49` is the newest known patch of 0.49, as `StrimziVersion.V0_49` is; a
   * suffix such as `-rc1` does not count
   * @throws when the text is no such number, or the version is older than 0.45
   */
  public static of(version: string): StrimziVersion {
    const match = /^v?(\d+)\.(\d+)(?:\.(\d+))?(?:[-+].*)?$/.exec(version);
    if (!match) {
      throw new Error(`strimzi: '${version}' is not a version; write it like ${NEWEST.version}`);
    }
    const minor = `${Number(match[1])}.${Number(match[2])}`;
    const newest = KNOWN.find((known) => known.version.startsWith(`${minor}.`))?.version ?? `${minor}.0`;
    const named = match[3] === undefined ? newest : `${minor}.${Number(match[3])}`;
    if (compareVersions(named, OLDEST.version) < 0) {
      const least = OLDEST.version.replace(/\.\d+$/, '');
      throw new Error(
        `strimzi: version '${version}' is older than ${least}, the oldest one known here; ` +
          `upgrade the operator to ${least} or newer`,
      );
    }
    return new StrimziVersion(named);
  }

  /**
   * A version whose feature gate `ServerSideApplyPhase1` was switched on or off in the installation of the operator.
   *
   * @param version a version that has the gate: from 0.48, before 1.2
   * @param on whether the gate is on; without it, it is off in 0.48 to 0.50, and on in 0.51 to 1.1
   * @throws when the version has no such gate: an operator that is configured with a gate that it does not know does not start
   */
  public static withServerSideApply(version: StrimziVersion, on: boolean): StrimziVersion {
    const fixed = reaches(version, SERVER_SIDE_APPLY_FIXED_SINCE);
    if (fixed || !reaches(version, SERVER_SIDE_APPLY_GATE_SINCE)) {
      throw new Error(
        `strimzi: version '${version.version}' has no feature gate ${SERVER_SIDE_APPLY_GATE} to switch ` +
          `${on ? 'on' : 'off'}, and ${fixed ? 'always' : 'never'} uses server-side apply; ` +
          `pass StrimziVersion.of('${version.version}') as it is`,
      );
    }
    return new StrimziVersion(version.version, on);
  }

  private readonly release: (typeof STRIMZI_RELEASES)[string];

  private constructor(
    /** The version as text, such as `0.49.1`. */
    public readonly version: string,
    private readonly gate?: boolean,
  ) {
    this.release = (KNOWN.find((known) => reaches(this, known.version)) ?? OLDEST).release;
  }

  /** The API version to write: `kafka.strimzi.io/v1beta2` below 0.49, `kafka.strimzi.io/v1` from there. */
  public get apiVersion(): string {
    return `${STRIMZI_GROUP}/${reaches(this, STRIMZI_API_SINCE) ? STRIMZI_API : STRIMZI_OLD_API}`;
  }

  /**
   * True if finalizers, annotations and labels that others have put on the operator's Services survive its next
   * reconciliation: where they do not, whatever is not declared in the listener is wiped.
   */
  public get keepsForeignFinalizers(): boolean {
    return this.gate ?? reaches(this, SERVER_SIDE_APPLY_SINCE);
  }

  /** The versions of Kafka that this operator runs, the oldest first. */
  public get kafkaVersions(): string[] {
    return [...this.release.kafka];
  }

  /** The version of Kafka that runs where a Kafka resource names none. */
  public get defaultKafkaVersion(): string {
    return this.release.kafka[this.release.kafka.length - 1];
  }

  /** The oldest Kubernetes that this operator runs on. */
  public get minimumKubernetes(): KubernetesVersion {
    return KubernetesVersion.of(this.release.kubernetes);
  }

  /** Published vulnerabilities of this version, each with the version that fixes it; none where none is known here. */
  public get knownVulnerabilities(): string[] {
    return STRIMZI_SECURITY_FLOORS.filter(({ fixed }) => !reaches(this, fixed)).flatMap(({ fixed, cves }) =>
      cves.map((cve) => `${cve} (fixed in ${fixed})`),
    );
  }

  /**
   * True if resources of this API version are read by this operator: `kafka.strimzi.io/v1beta2` up to 0.51,
   * `kafka.strimzi.io/v1` from 0.49.
   *
   * @param apiVersion group and version, as a manifest has them
   */
  public servesApiVersion(apiVersion: string): boolean {
    const served = [
      ...(reaches(this, STRIMZI_OLD_API_UNTIL) ? [] : [STRIMZI_OLD_API]),
      ...(reaches(this, STRIMZI_API_SINCE) ? [STRIMZI_API] : []),
    ];
    return served.some((version) => apiVersion === `${STRIMZI_GROUP}/${version}`);
  }

  /**
   * True if this version is the other one or newer.
   *
   * @param other the version to compare with
   */
  public isAtLeast(other: StrimziVersion): boolean {
    return reaches(this, other.version);
  }
}
