import type { Json } from '../../contract/json';
import type { NodePool } from '../../contract/node-pool';
import { keepOnPool, spreadPods } from '../../contract/placed-pod';
import { PodSpread } from '../../contract/pod-spread';
import { CLUSTER_LABEL, SELECTOR_LABELS } from '../operator/operator-services.facts';
import { jvmOptionsJson } from './jvm-options-json';
import type { KafkaNodePoolProps } from './kafka-node-pool';
import type { KafkaPodTemplate } from './kafka-pod-template';
import { podTemplateJson } from './pod-template-json';
import { resourcesJson } from './resources-json';

/** The spec of a KafkaNodePool. */
export function nodePoolSpec(props: KafkaNodePoolProps, ofCluster: KafkaPodTemplate | undefined): Json {
  const { replicas, roles, storage, resources, jvm } = props;
  const pod = podOf(props, ofCluster);
  return {
    replicas,
    roles: [...roles],
    storage: storage._toJson(),
    resources: resources && resourcesJson(resources),
    jvmOptions: jvm && jvmOptionsJson(jvm),
    template: Object.keys(pod).length > 0 ? { pod } : undefined,
  };
}

/** The template of its pods in full: it replaces that of the cluster. */
function podOf(props: KafkaNodePoolProps, ofCluster?: KafkaPodTemplate): Json {
  const { kafka, name, replicas, nodePool, podTemplate, spread, zoneSpread } = props;
  const overNodes = spread ?? (nodePool ? PodSpread.REQUIRED : PodSpread.PREFERRED);
  const all = ofCluster ? podTemplateJson(ofCluster) : {};
  const own = podTemplate ? podTemplateJson(podTemplate) : {};
  const metadata = {
    labels: { ...all.metadata?.labels, ...own.metadata?.labels },
    annotations: { ...all.metadata?.annotations, ...own.metadata?.annotations },
  };
  const pod: Json = { ...all, ...own, metadata: said(metadata) };
  for (const field of ['tolerations', 'topologySpreadConstraints']) {
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
  return pod;
}

/** Over zones that are known pods must be spread, over others as far as possible. */
function overZones(nodePool: NodePool | undefined): PodSpread {
  const zones = nodePool?.zones.length ?? 0;
  if (zones === 1) {
    return PodSpread.NONE;
  }
  return zones > 1 ? PodSpread.REQUIRED : PodSpread.PREFERRED;
}

function said(map: Json): Json | undefined {
  const entries = Object.entries(map).filter(([, value]) => Object.keys(value).length > 0);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
