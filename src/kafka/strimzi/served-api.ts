import { reaches } from '../../contract/compare-versions';
import type { Finding } from '../../contract/finding';
import type { Json } from '../../contract/json';
import type { SchemaRelease } from '../../contract/schema/walk';
import {
  STRIMZI_API,
  STRIMZI_API_SINCE,
  STRIMZI_GROUP,
  STRIMZI_OLD_API,
  STRIMZI_OLD_API_UNTIL,
  STRIMZI_REMOVED_APIS,
  STRIMZI_REMOVED_APIS_UNTIL,
} from './strimzi.facts';
import { StrimziVersion } from './strimzi-version';

/** Whether a document is not written in API version `v1`, which knows less than those before it. */
export function isOldApi(document: Json): boolean {
  return document.apiVersion !== `${STRIMZI_GROUP}/${STRIMZI_API}`;
}

/** Whether an API version is one that no operator has served for long. */
export function isRemovedApi(apiVersion: unknown): boolean {
  return STRIMZI_REMOVED_APIS.some((version) => apiVersion === `${STRIMZI_GROUP}/${version}`);
}

/** Whose schema a document is held against. */
export function releaseReading(document: Json, strimzi: StrimziVersion): SchemaRelease {
  return {
    product: 'Strimzi',
    version: strimzi.version,
    readFrom: StrimziVersion.V0_45.version,
    oldApi: isOldApi(document),
    has: (since) => reaches(strimzi, since),
  };
}

/** What is wrong with an API version that an operator does not serve. */
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
  };
}

/** An API version that no operator has served for long: which one runs does not matter. */
export function removedApi(apiVersion: unknown): Finding | undefined {
  return isRemovedApi(apiVersion)
    ? {
        what: `apiVersion is '${apiVersion}', which no Strimzi serves since ${minorOf(STRIMZI_REMOVED_APIS_UNTIL)}`,
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

/** `1.0` of `1.0.1` */
export function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}
