import { defined, definedOrNothing, isSet, type Json } from '../../contract/json';
import type { NodePool } from '../../contract/node-pool';
import { keepOnPool, spreadPods } from '../../contract/placed-pod';
import { PodSpread } from '../../contract/pod-spread';
import { mapAt, shown } from '../document/kafka-json';
import { mergedSpec } from '../document/plain-spec';
import { CLUSTER_LABEL, SELECTOR_LABELS } from '../strimzi/operator-services.facts';
import type { KafkaNodePoolProps } from './kafka-node-pool';

/** The props that decide fields of a KafkaNodePool. */
const PROPS = { 'spec.replicas': 'replicas', 'spec.roles': 'roles', 'spec.storage': 'storage' };

/**
 * The spec of a KafkaNodePool.
 *
 * @param path the path of the construct
 * @param ofCluster the pod template of the cluster
 * @throws where the plain data contradicts the props
 */
export function nodePoolSpec(path: string, props: KafkaNodePoolProps, ofCluster: Json): Json {
  const { replicas, roles, storage, spec = {} } = props;
  const decided = defined({ replicas, roles: [...roles], storage });
  const merged = mergedSpec(path, decided, spec, PROPS);
  const pod = podOf(path, props, ofCluster);
  const template = definedOrNothing({ ...mapAt(spec, 'template'), pod: Object.keys(pod).length > 0 ? pod : undefined });
  return { ...merged, template };
}

/** The template of its pods in full: it replaces that of the cluster. */
function podOf(path: string, props: KafkaNodePoolProps, all: Json): Json {
  const { kafka, name, replicas, nodePool, spread, zoneSpread, spec } = props;
  const overNodes = spread ?? (nodePool ? PodSpread.REQUIRED : PodSpread.PREFERRED);
  const own = mapAt(spec, 'template.pod');
  const metadataOf = (field: string) =>
    definedOrNothing({ ...mapAt(all, `metadata.${field}`), ...mapAt(own, `metadata.${field}`) });
  const metadata = { labels: metadataOf('labels'), annotations: metadataOf('annotations') };
  const pod: Json = { ...all, ...own, metadata: definedOrNothing(metadata) };
  for (const field of ['tolerations', 'topologySpreadConstraints']) {
    if (isSet(pod[field]) && !Array.isArray(pod[field])) {
      throw new Error(`${path}: spec.template.pod.${field} is ${shown(pod[field])}, and not a list; write a list`);
    }
    // lists that are added to are not those of the user
    pod[field] = pod[field] && [...pod[field]];
  }
  keepOnPool(pod, nodePool);
  spreadPods(pod, {
    spread: overNodes,
    zoneSpread: zoneSpread ?? (overNodes === PodSpread.NONE ? PodSpread.NONE : overZones(nodePool)),
    matchLabels: { [CLUSTER_LABEL]: kafka.clusterName, [SELECTOR_LABELS.pool]: name },
    domains: { nodes: replicas, zones: nodePool && Math.min(nodePool.zones.length, replicas) },
  });
  return defined(pod);
}

/** Over zones that are known pods must be spread, over others as far as possible. */
function overZones(nodePool: NodePool | undefined): PodSpread {
  const zones = nodePool?.zones.length ?? 0;
  if (zones === 1) {
    return PodSpread.NONE;
  }
  return zones > 1 ? PodSpread.REQUIRED : PodSpread.PREFERRED;
}
