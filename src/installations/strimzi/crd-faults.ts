import { reaches } from '../../contract/compare-versions';
import { isMap, type Json, list } from '../../contract/json';
import { STRIMZI_API, STRIMZI_GROUP, STRIMZI_OLD_API } from '../../kafka/strimzi/strimzi.facts';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import type { SomeVersions } from '../tables';
import {
  DEFINITION,
  DEFINITION_GROUPS,
  DEFINITION_LABELS,
  DEFINITIONS,
  KAFKA_DEFINITION,
  RELEASE_FILE_SHA256,
  TELLING_FIELDS,
} from './installation.facts';

const RELEASES = 'https://github.com/strimzi/strimzi-kafka-operator/releases/download';

export const releaseFileName = (version: string): string => `strimzi-crds-${version}.yaml`;

export const releaseFileUrl = (version: string): string => `${RELEASES}/${version}/${releaseFileName(version)}`;

export function releaseFileOf({ version }: StrimziVersion): string {
  const sha256 = RELEASE_FILE_SHA256[version];
  return sha256 === undefined ? releaseFileUrl(version) : `${releaseFileUrl(version)} (SHA-256 ${sha256})`;
}

export function isDefinition(object: Json): boolean {
  return (
    object.kind === DEFINITION.kind &&
    String(object.apiVersion).startsWith(`${DEFINITION.apiGroup}/`) &&
    DEFINITION_GROUPS.some((group) => String(object.metadata?.name).endsWith(`.${group}`))
  );
}

export function crdFaults(objects: readonly Json[], version: StrimziVersion): string[] {
  const definitions = new Map(objects.filter(isDefinition).map((object) => [String(object.metadata.name), object]));
  if (definitions.size === 0) {
    return [`there is no ${DEFINITION.kind} of Strimzi in it`];
  }
  const expected = DEFINITIONS.filter((row) => isIn(version, row)).map(({ name }) => name);
  const missing = expected.filter((name) => !definitions.has(name));
  const strange = [...definitions.keys()].filter((name) => !expected.includes(name));
  return [
    ...(missing.length > 0 ? [`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`] : []),
    ...(strange.length > 0 ? [`it defines ${strange.join(', ')}, which the version does not have`] : []),
    ...labelFaults(definitions),
    ...servedFaults(definitions.get(KAFKA_DEFINITION), version),
    ...fieldFaults(definitions, version),
  ];
}

function labelFaults(definitions: ReadonlyMap<string, Json>): string[] {
  const unlabeled = [...definitions].filter(([, { metadata }]) =>
    Object.entries(DEFINITION_LABELS).some(([key, value]) => metadata.labels?.[key] !== value),
  );
  return unlabeled.length === 0
    ? []
    : [`${unlabeled.map(([name]) => name).join(', ')} lack labels of the vendor's own file`];
}

function versionsOf(definition: Json | undefined): Json[] {
  return list<Json>(definition?.spec?.versions).filter(isMap);
}

function servedFaults(kafka: Json | undefined, version: StrimziVersion): string[] {
  if (!kafka) {
    return [];
  }
  const served = versionsOf(kafka).filter((each) => each.served === true);
  const names = served.map(({ name }) => String(name));
  const wanted = [STRIMZI_API, STRIMZI_OLD_API].filter((api) => version.servesApiVersion(`${STRIMZI_GROUP}/${api}`));
  const same = names.length === wanted.length && wanted.every((name) => names.includes(name));
  return same ? [] : [`it serves Kafka as ${names.join(', ') || 'nothing'}, and the version as ${wanted.join(', ')}`];
}

/** True if a schema has a field; lists on the way are passed through. */
function hasField(schema: unknown, path: string): boolean {
  let here: unknown = schema;
  for (const field of path.split('.')) {
    const map = isMap(here) && isMap(here.items) ? here.items : here;
    here = isMap(map) && isMap(map.properties) ? map.properties[field] : undefined;
  }
  return here !== undefined;
}

function fieldFaults(definitions: ReadonlyMap<string, Json>, version: StrimziVersion): string[] {
  const wrong = TELLING_FIELDS.filter(({ definition }) => definitions.has(definition)).filter((row) => {
    const served = versionsOf(definitions.get(row.definition)).filter((each) => each.served === true);
    return served.some(({ schema }) => hasField(schema?.openAPIV3Schema, row.path) !== isIn(version, row));
  });
  return wrong.slice(0, 1).map((row) => {
    const younger = !isIn(version, row);
    return `${row.definition} ${younger ? 'has' : 'lacks'} ${row.path}, which came with ${row.since}`;
  });
}

export function isIn(version: StrimziVersion, { since, until }: SomeVersions): boolean {
  return (since === undefined || reaches(version, since)) && (until === undefined || !reaches(version, until));
}
