import { isMap, type Json } from '../../contract/json';
import { OWN_PREFIX } from '../document/kafka-config.facts';
import { isSaid, listAt, mapAt, shown } from '../document/kafka-json';
import { DROPPED_FROM_TEMPLATES } from '../operator/operator-services.facts';
import { MOUNT_PREFIX, VOLUME_NAME } from './node-pool.facts';
import { type NodePoolRule, POOL_SCHEMA, poolError, poolWarning } from './node-pool-rule';
import { templatesOf } from './pool-json';

const LABELS = { ...POOL_SCHEMA, file: 'operator-common/src/main/java/io/strimzi/operator/common/Util.java' };
const TEMPLATES = {
  ...POOL_SCHEMA,
  file: 'cluster-operator/src/main/java/io/strimzi/operator/cluster/model/TemplateUtils.java',
};
const SPREAD = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'staging/src/k8s.io/api/core/v1/types.go',
};

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

/** The names of the volumes of the pods beside those of the data. */
function volumeNames(pool: Json): string[] {
  return ['volumes', 'templatedVolumes']
    .flatMap((field) => listAt(pool, `spec.template.pod.${field}`))
    .filter(isMap)
    .map(({ name }) => name)
    .filter((name): name is string => typeof name === 'string');
}

/** What the operator and the scheduler say of the templates of a node pool. */
export const NODE_POOL_TEMPLATE_RULES: readonly NodePoolRule[] = [
  poolError(
    'node-pool-template-reserved',
    'templates of a node pool have no keys of the operator',
    (pool) =>
      metadataKeys(pool)
        .filter(([, key]) => key.startsWith(OWN_PREFIX))
        .map(([where, key]) => ({
          what: `${where} has ${key}, with which the operator does not reconcile the cluster`,
          remedy: 'use a key of a domain of your own',
          value: key,
        })),
    LABELS,
  ),
  poolWarning(
    'node-pool-template-dropped',
    'templates of a node pool have no keys that the operator drops',
    (pool) =>
      metadataKeys(pool)
        .filter(([, key]) => DROPPED_FROM_TEMPLATES.test(key))
        .map(([where, key]) => ({
          what: `${where} has ${key}, which the operator drops without a word`,
          remedy: 'use a key of a domain of your own',
          value: key,
        })),
    LABELS,
  ),
  poolError(
    'node-pool-volume-name',
    'volumes of pods have names of their own',
    (pool) => {
      const names = volumeNames(pool);
      const twice = names.filter((name, i) => names.indexOf(name) !== i);
      return [
        ...names
          .filter((name) => !VOLUME_NAME.test(name))
          .map((name) => ({
            what: `a volume of spec.template.pod has the name ${shown(name)}, with which the operator does not reconcile the cluster`,
            remedy: 'use 2 to 63 letters, digits, dashes, dots and underscores, first and last a letter or digit',
            value: name,
          })),
        ...[...new Set(twice)].map((name) => ({
          what: `several volumes of spec.template.pod have the name ${shown(name)}, with which the API server refuses the pods`,
          remedy: 'give each a name of its own',
          value: name,
        })),
      ];
    },
    TEMPLATES,
  ),
  poolError(
    'node-pool-mount-path',
    `containers mount volumes of their template below ${MOUNT_PREFIX}`,
    (pool) =>
      templatesOf(pool).flatMap(([name, template]) =>
        listAt(template, 'volumeMounts')
          .filter(isMap)
          .map(({ mountPath }) => mountPath)
          .filter((path) => typeof path === 'string' && !path.startsWith(MOUNT_PREFIX))
          .map((path) => ({
            what: `spec.template.${name} mounts a volume at ${shown(path)}, with which the operator does not reconcile the cluster`,
            remedy: `mount it below ${MOUNT_PREFIX}`,
            value: shown(path),
          })),
      ),
    TEMPLATES,
  ),
  poolWarning(
    'node-pool-spread-selector',
    'a spread says which pods it counts',
    (pool) =>
      listAt(pool, 'spec.template.pod.topologySpreadConstraints')
        .map((constraint, i) => [`spec.template.pod.topologySpreadConstraints[${i}]`, constraint] as const)
        .filter(([, constraint]) => isMap(constraint) && !isSaid(constraint.labelSelector))
        .map(([where]) => ({
          what: `${where} has no labelSelector, so that it counts no pod and spreads nothing`,
          remedy: 'write one that the pods of the cluster match',
        })),
    SPREAD,
  ),
];
