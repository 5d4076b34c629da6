import type { Json } from '../../contract/json';
import type { Finding } from '../../contract/rule';
import { BOOLEAN, TEXT, TEXTS } from '../../contract/schema/common.facts';
import { listOf, mapOf, misfitsIn, type SchemaFields, Shape } from '../../contract/schema/walk';
import { rulesOf } from '../fault';
import { MANIFESTS_MESSAGES, MANIFESTS_RULES } from './rules.facts';

export const MANIFESTS = rulesOf(MANIFESTS_RULES, MANIFESTS_MESSAGES);

// Rules of the files of tenants, and of what they share.

const REMEDIES: Readonly<Record<string, string>> = {
  [Shape.TEXT]: 'write a string there, in quotes where it looks like a number',
  [Shape.SCALAR]: 'write one string there, in quotes where it has other signs',
  [Shape.MAP]: 'write a map there, `key: value`',
  [Shape.SCALARS]: 'write a map there, `key: value`',
  [Shape.BOOLEAN]: 'write true or false there, without quotes',
  [Shape.TEXTS]: 'write a list there, `[a, b]` or a line `- a` for each',
};

const RELEASE = { product: 'Kubernetes', version: '', readFrom: '', oldApi: false, has: () => true };

/** Fields of the wrong type, which readers would take for missing. Null is of each type, as for the API server. */
export function fieldFindings(who: string, map: Json, fields: SchemaFields, at = ''): Finding[] {
  return misfitsIn({ map, fields, open: true, where: '', at, release: RELEASE }).map((misfit) => ({
    what: `${who} has ${misfit.where} ${misfit.value}, which the API server refuses`,
    remedy: REMEDIES[misfit.takes ?? ''] ?? `write ${misfit.takes} there`,
    at: misfit.at,
  }));
}

export const SCALARS = { shape: Shape.SCALARS };
export const RANGES = { shape: Shape.TEXTS, pattern: /\S/, takes: "an address with a prefix, such as '10.0.0.0/16'," };

export const METADATA_FIELDS: SchemaFields = {
  metadata: mapOf({ namespace: TEXT, annotations: SCALARS, labels: SCALARS, finalizers: TEXTS }),
};

export const SERVICE_FIELDS: SchemaFields = {
  spec: mapOf({
    ports: listOf({ protocol: TEXT }),
    loadBalancerSourceRanges: RANGES,
    loadBalancerClass: TEXT,
    loadBalancerIP: TEXT,
    externalTrafficPolicy: TEXT,
    clusterIP: TEXT,
    allocateLoadBalancerNodePorts: BOOLEAN,
  }),
};
