import type { SchemaField } from '../../../src/contract/schema/walk';
import {
  LISTENER_FIELDS,
  STRIMZI_API,
  STRIMZI_API_SINCE,
  STRIMZI_OLD_API,
  STRIMZI_OLD_API_UNTIL,
} from '../../../src/kafka/strimzi/strimzi.facts';

import type { KnownFact } from '../fact';
import { has } from './tables';

// What the tables about fields of Strimzi's resources say of a release.

/** Versions of the API that a release serves. */
const APIS = [
  { api: STRIMZI_OLD_API, until: STRIMZI_OLD_API_UNTIL },
  { api: STRIMZI_API, since: STRIMZI_API_SINCE },
] as const;

/** A field by its path, and the values that it takes where the table lists them. */
interface NamedField {
  readonly path: string;
  readonly isOld: boolean;
  values?(api: string): string | undefined;
}

/** The versions of the API that a release serves. */
export const servedApis = (version: string): string[] => APIS.filter((api) => has(version, api)).map(({ api }) => api);

/** Rows of the fields of a release, in each version that it serves. */
const served = (version: string, kind: string, fields: readonly NamedField[]): KnownFact[] =>
  servedApis(version).flatMap((api) =>
    fields
      .filter(({ isOld }) => !isOld || api === STRIMZI_OLD_API)
      .map(({ path, values }) => ({
        kind: 'field',
        name: `${kind.toLowerCase()}s.kafka.strimzi.io/${api} ${path}`,
        value: values?.(api),
      })),
  );

/** Where listeners are, which have a table of their own. */
export const LISTENERS = 'spec.kafka.listeners';

/** What the table of listeners says of a release. */
export function listenerFieldRows(version: string): KnownFact[] {
  const fields = Object.entries<SchemaField>(LISTENER_FIELDS)
    .filter(([, field]) => has(version, field))
    .map(([path, field]) => ({
      path: `${LISTENERS}.${path}`,
      isOld: field.oldApi === true,
      values: (api: string) => valuesOf(field, version, api),
    }));
  return served(version, 'Kafka', fields);
}

/** The values that a field takes in a release, in a version of the API. */
function valuesOf(
  { values, valuesSince, oldApiValues }: SchemaField,
  version: string,
  api: string,
): string | undefined {
  return values
    ?.filter((value) => has(version, { since: valuesSince?.[value] }))
    .filter((value) => api === STRIMZI_OLD_API || !oldApiValues?.includes(value))
    .sort()
    .join(' ');
}
