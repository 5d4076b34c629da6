import type { Json } from '../../contract/json';
import { shutsOut } from '../../contract/placed-pod';
import { PIN_CONTRADICTED } from '../../contract/request-rules';
import type { Rule } from '../../rules/rule';
import { mapAt } from '../document/kafka-json';
import { OWN_PREFIX } from '../strimzi/kafka-config.facts';
import { POOL_SCHEMA } from '../strimzi/node-pool.facts';
import { DROPPED_FROM_TEMPLATES } from '../strimzi/operator-services.facts';
import { type NodePoolContext, templatesOf } from './pool-json';

const UTIL = { ...POOL_SCHEMA, file: 'operator-common/src/main/java/io/strimzi/operator/common/Util.java' };
/** The keys of the metadata of all templates, each with its path. */
function metadataKeys(pool: Json): [where: string, key: string][] {
  return templatesOf(pool).flatMap(([name, template]) =>
    ['labels', 'annotations'].flatMap((field) =>
      Object.keys(mapAt(template, `metadata.${field}`)).map((key): [string, string] => [
        `spec.template.${name}.metadata.${field}`,
        key,
      ]),
    ),
  );
}

/** What the templates of a node pool decide about Services and placement. */
export const NODE_POOL_TEMPLATE_RULES: readonly Rule<NodePoolContext>[] = [
  {
    id: 'node-pool-template-reserved',
    severity: 'error',
    says: 'templates of a node pool have no keys of the operator',
    source: UTIL,
    on: ['spec.template'],
    judge: (pool) =>
      metadataKeys(pool)
        .filter(([, key]) => key.startsWith(OWN_PREFIX))
        .map(([where, key]) => ({
          what: `${where} has ${key}, with which the operator does not reconcile the cluster`,
          remedy: 'use a key of a domain of your own',
          value: key,
        })),
  },
  {
    id: 'node-pool-template-dropped',
    severity: 'warning',
    says: 'templates of a node pool have no keys that the operator drops',
    source: UTIL,
    on: ['spec.template'],
    judge: (pool) =>
      metadataKeys(pool)
        .filter(([, key]) => DROPPED_FROM_TEMPLATES.test(key))
        .map(([where, key]) => ({
          what: `${where} has ${key}, which the operator drops silently`,
          remedy: 'use a key of a domain of your own',
          value: key,
        })),
  },
  {
    ...PIN_CONTRADICTED,
    who: 'kubernetes',
    on: ['spec.template.pod'],
    judge: (pool, { pinnedTo }) =>
      pinnedTo &&
      shutsOut(mapAt(pool, 'spec.template.pod'), pinnedTo).map((what) => ({
        what: `the pods are pinned to node pool '${pinnedTo.name}', but ${what} of their template shuts that pool out, so no pod can ever run`,
        remedy: 'drop one of the two',
        value: pinnedTo.name,
      })),
  },
];
