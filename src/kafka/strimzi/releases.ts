import { compareVersions, reaches } from '../../contract/compare-versions';
import type { UpgradeFact } from '../../contract/edit';
import type { Json } from '../../contract/json';
import { Confidence } from '../../contract/kubernetes.facts';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { LoadBalancerFinding } from '../../contract/options';
import type { Finding } from '../../contract/rule';
import type { SchemaRelease } from '../../contract/schema/walk';
import { KUBERNETES } from '../../rules/kubernetes-upgrades.facts';
import {
  STRIMZI_API,
  STRIMZI_API_SINCE,
  STRIMZI_GROUP,
  STRIMZI_KUBERNETES,
  STRIMZI_OLD_API,
  STRIMZI_OLD_API_UNTIL,
  STRIMZI_RELEASES,
  STRIMZI_REMOVED_APIS,
  STRIMZI_REMOVED_APIS_UNTIL,
  STRIMZI_SECURITY_FLOORS,
} from './strimzi.facts';
import { StrimziVersion } from './strimzi-version';
import { STRIMZI_UPGRADES } from './upgrades.facts';

// Findings of a release itself, wherever one is named: of a cluster that it will read, and of its installation.

const CHANGELOG = { repository: 'strimzi/strimzi-kafka-operator', version: '1.2.0', file: 'CHANGELOG.md' };

export function vulnerable(strimzi: StrimziVersion): Finding | undefined {
  const floor = STRIMZI_SECURITY_FLOORS.filter(({ fixed }) => !reaches(strimzi, fixed)).pop();
  return floor === undefined
    ? undefined
    : {
        what: `Strimzi ${strimzi.version} has known vulnerabilities: ${strimzi.knownVulnerabilities.join(', ')}`,
        remedy: `run Strimzi ${floor.fixed} or newer`,
        value: strimzi.version,
        at: '',
      };
}

export function isNewerThanFacts(strimzi: StrimziVersion): boolean {
  return (
    !(strimzi.version in STRIMZI_RELEASES) && Object.keys(STRIMZI_RELEASES).every((known) => reaches(strimzi, known))
  );
}

export function newerThanFacts(strimzi: StrimziVersion): Finding | undefined {
  const newest = Object.keys(STRIMZI_RELEASES).pop();
  return isNewerThanFacts(strimzi)
    ? {
        what: `Strimzi ${strimzi.version} is newer than ${newest}, the newest one known here, so it is validated as that one`,
        remedy: `look up in its changelog what it changes of listeners and their Services, and acknowledge this, or run ${newest}`,
        value: strimzi.version,
        at: '',
      }
    : undefined;
}

export function isOldApi(document: Json): boolean {
  return document.apiVersion !== `${STRIMZI_GROUP}/${STRIMZI_API}`;
}

export function isRemovedApi(apiVersion: unknown): boolean {
  return STRIMZI_REMOVED_APIS.some((version) => apiVersion === `${STRIMZI_GROUP}/${version}`);
}

export function releaseReading(document: Json, strimzi: StrimziVersion): SchemaRelease {
  return {
    product: 'Strimzi',
    version: strimzi.version,
    readFrom: StrimziVersion.V0_45.version,
    oldApi: isOldApi(document),
    has: (since) => reaches(strimzi, since),
  };
}

export function unservedApi(apiVersion: unknown, strimzi: StrimziVersion): Finding | undefined {
  if (typeof apiVersion === 'string' && strimzi.servesApiVersion(apiVersion)) {
    return undefined;
  }
  const shown = typeof apiVersion === 'string' ? `'${apiVersion}'` : (JSON.stringify(apiVersion) ?? 'nothing');
  const isLeftBehind =
    apiVersion === `${STRIMZI_GROUP}/${STRIMZI_OLD_API}` && strimzi.isAtLeast(StrimziVersion.of(STRIMZI_OLD_API_UNTIL));
  const write = isLeftBehind
    ? `under Strimzi ${SERVING_BOTH} convert the resources and what the cluster has stored to ${strimzi.apiVersion} with Strimzi's conversion tool`
    : `write ${strimzi.apiVersion}`;
  return {
    what: `apiVersion is ${shown}, which Strimzi ${strimzi.version} does not serve`,
    remedy: `${write}, or name the Strimzi version that runs`,
    value: String(apiVersion),
    at: '/apiVersion',
  };
}

/** An API version that no operator has served for long: which one runs does not matter. */
export function removedApi(apiVersion: unknown): Finding | undefined {
  return isRemovedApi(apiVersion)
    ? {
        what: `apiVersion is '${apiVersion}', which Strimzi does not serve since ${minorOf(STRIMZI_REMOVED_APIS_UNTIL)}`,
        remedy: `write ${STRIMZI_GROUP}/${STRIMZI_OLD_API} with a list of listeners, or ${STRIMZI_GROUP}/${STRIMZI_API} for Strimzi ${minorOf(STRIMZI_API_SINCE)} and newer`,
        value: String(apiVersion),
        at: '/apiVersion',
      }
    : undefined;
}

/**
 * The versions that serve both API versions, the only ones under which the tool works.
 * strimzi/strimzi-kafka-operator 0.51.0: documentation/assemblies/upgrading/assembly-api-conversion.adoc
 */
const SERVING_BOTH = `${minorOf(STRIMZI_API_SINCE)} to 0.51`;

export function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

/** Kubernetes versions on which an operator does not run. The one that is meant where none is set is new enough for all. */
export function kubernetesTooOld(strimzi: StrimziVersion, kubernetes: KubernetesVersion): LoadBalancerFinding[] {
  const { version, minimumKubernetes } = strimzi;
  return kubernetes.isAtLeast(minimumKubernetes)
    ? []
    : [
        {
          ruleId: STRIMZI_KUBERNETES.id,
          who: 'strimzi',
          what: `kubernetes is ${kubernetes.version}, and Strimzi ${version} needs ${minimumKubernetes.version} or newer`,
          remedy: 'upgrade Kubernetes, name the version that runs, or use an older Strimzi',
          value: kubernetes.version,
          at: '',
        },
      ];
}

const MINIMUMS = Object.entries(STRIMZI_RELEASES).flatMap(([since, { kubernetes }], i, all) =>
  i > 0 && all[i - 1][1].kubernetes !== kubernetes ? [{ since, kubernetes }] : [],
);

export const OPERATOR_UPGRADES: readonly UpgradeFact[] = [
  ...STRIMZI_UPGRADES.slice(0, -1),
  ...MINIMUMS.map(
    ({ since, kubernetes }): UpgradeFact => ({
      since,
      concerns: ({ versions }) => {
        const known: string | undefined = versions[KUBERNETES];
        return known !== undefined && compareVersions(known, kubernetes) < 0;
      },
      up: {
        outcome: 'unknown',
        what: `${since} supports Kubernetes ${kubernetes} and newer, and what it does on an older one is not known`,
        first: `upgrade Kubernetes to ${kubernetes} or newer`,
      },
      source: CHANGELOG,
      confidence: Confidence.SOURCE,
    }),
  ),
  ...STRIMZI_UPGRADES.slice(-1),
];

export const OPERATOR = {
  name: 'strimzi',
  group: `${STRIMZI_GROUP}/`,
  newest: Object.keys(STRIMZI_RELEASES).at(-1) ?? '',
  oldest: Object.keys(STRIMZI_RELEASES)[0],
} as const;
