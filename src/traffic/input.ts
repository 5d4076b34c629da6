import { isMap, isSet, type Json, list, listIn, mapIn, mapsIn } from '../contract/json';
import { isExcludedFromBalancers, SOURCE_RANGES_ANNOTATION, ZONE_LABEL } from '../contract/kubernetes.facts';
import type { LoadBalancerModel } from '../contract/load-balancer-model';
import type { NodeTaint } from '../contract/node-pool';
import { TrafficPolicy } from '../contract/options';
import type { Unknown } from './fraction';
import { FIELD_VALUES, TOPOLOGY_ANNOTATIONS } from './traffic.facts';

export interface TrafficNode {
  readonly name: string;
  readonly zone?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly (Pick<NodeTaint, 'key' | 'value'> & { readonly effect: string })[];
  readonly ready: boolean;
  readonly excluded: boolean;
}

export interface ServiceTraffic {
  readonly name: string;
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer';
  readonly externalTrafficPolicy: TrafficPolicy;
  readonly internalTrafficPolicy: TrafficPolicy;
  readonly trafficDistribution?: 'PreferClose' | 'PreferSameZone' | 'PreferSameNode';
  readonly sessionAffinity: boolean;
  readonly publishNotReadyAddresses: boolean;
  readonly ports: number;
  readonly sourceRanges?: number;
}

export interface TrafficInput {
  readonly service: ServiceTraffic;
  readonly balancer?: LoadBalancerModel;
  readonly nodes: readonly TrafficNode[];
  readonly pods: readonly TrafficPod[];
  /** Kind of the balancer's address: an address that kube-proxy has rules for, one with ipMode Proxy, or a host name. */
  readonly address?: 'vip' | 'proxy' | 'host name';
  /** Assumptions of this input; each is repeated beside the figures. */
  readonly assumptions?: readonly string[];
}

export interface TrafficPod {
  readonly name: string;
  readonly node: string;
  /** Its condition Ready: whether it answers, terminating or not. */
  readonly ready: boolean;
  readonly terminating: boolean;
}

export function faultOf({ service, balancer, nodes, pods }: TrafficInput): Unknown | undefined {
  const said = faultOfNodes(nodes) ?? faultOfPods(nodes, pods);
  if (said) {
    return { unknown: said };
  }
  if (!balancer) {
    return { unknown: `needs the controller that serves Service ${service.name}` };
  }
  const zones = new Set(nodes.map(({ zone }) => zone)).size;
  return balancer.crossZone !== undefined && balancer.zones !== undefined && balancer.zones < zones
    ? { unknown: `needs the names of the balancer's zones; it is in ${balancer.zones} of ${zones}` }
    : undefined;
}

export function faultOfNodes(nodes: readonly TrafficNode[]): string | undefined {
  if (nodes.length === 0) {
    return 'needs the nodes of the cluster; the list is empty';
  }
  const twice = duplicateIn(nodes.map(({ name }) => name));
  if (twice !== undefined) {
    return `needs one entry for node ${twice}; the list has two`;
  }
  const without = nodes.find(({ zone }) => zone === undefined);
  return without && nodes.some(({ zone }) => zone !== undefined)
    ? `needs the zone of node ${without.name}; other nodes have one`
    : undefined;
}

function faultOfPods(nodes: readonly TrafficNode[], pods: readonly TrafficPod[]): string | undefined {
  if (pods.length === 0) {
    return 'needs pods; the Service has none';
  }
  const twice = duplicateIn(pods.map(({ name }) => name));
  if (twice !== undefined) {
    return `needs one entry for pod ${twice}; the list has two`;
  }
  const names = new Set(nodes.map(({ name }) => name));
  const lost = pods.find(({ node }) => !names.has(node));
  return lost && `needs node ${lost.node} in the list of nodes; pod ${lost.name} runs on it`;
}

function duplicateIn(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

/** The nodes among objects as `kubectl get nodes -o yaml` prints them: one by one, or in a list. */
export function readNodes(objects: readonly unknown[]): TrafficNode[] | Unknown {
  const nodes = objectsOf(objects, 'Node');
  return nodes.every((node) => nameOf(node) !== '')
    ? nodes.map(nodeOf)
    : { unknown: 'needs the name of each node; one has no metadata.name' };
}

function nodeOf(object: Json): TrafficNode {
  const labels = labelsOf(object);
  const zone = labels[ZONE_LABEL];
  return {
    name: nameOf(object),
    ...(zone ? { zone } : {}),
    labels,
    taints: list<unknown>(mapIn(object, 'spec').taints).filter(isMap).map(taintOf),
    ready: isTrue(object, 'Ready'),
    excluded: isExcludedFromBalancers(labels),
  };
}

function taintOf({ key, value, effect }: Json): TrafficNode['taints'][number] {
  return { key: String(key), ...(typeof value === 'string' ? { value } : {}), effect };
}

export function readService(
  service: Json,
): (Required<Pick<TrafficInput, 'service' | 'assumptions'>> & Pick<TrafficInput, 'address'>) | Unknown {
  const spec = mapIn(service, 'spec');
  const fault = Object.entries(FIELD_VALUES)
    .map(([field, values]) => faultOfField(spec, field, values))
    .find((found) => found !== undefined);
  if (fault !== undefined) {
    return { unknown: fault };
  }
  const metadata = mapIn(service, 'metadata');
  const annotations = mapIn(metadata, 'annotations');
  const older = String(annotations[SOURCE_RANGES_ANNOTATION] ?? '')
    .split(',')
    .filter((range) => range.trim() !== '');
  const sourceRanges = listIn(spec, 'loadBalancerSourceRanges').length || older.length;
  const address = addressOf(service);
  return {
    service: {
      name: `${metadata.namespace ?? 'default'}/${nameOf(service)}`,
      type: spec.type ?? 'ClusterIP',
      externalTrafficPolicy: spec.externalTrafficPolicy ?? TrafficPolicy.CLUSTER,
      internalTrafficPolicy: spec.internalTrafficPolicy ?? TrafficPolicy.CLUSTER,
      ...(spec.trafficDistribution ? { trafficDistribution: spec.trafficDistribution } : {}),
      sessionAffinity: spec.sessionAffinity === 'ClientIP',
      publishNotReadyAddresses: spec.publishNotReadyAddresses === true,
      ports: listIn(spec, 'ports').length,
      ...(sourceRanges > 0 ? { sourceRanges } : {}),
    },
    ...(address ? { address } : {}),
    assumptions: TOPOLOGY_ANNOTATIONS.filter((key) => /^auto$/i.test(String(annotations[key] ?? ''))).map(
      (key) => `${key} is assumed to have no effect: its hints depend on the cores of each zone`,
    ),
  };
}

function faultOfField(spec: Json, field: string, values: readonly unknown[]): string | undefined {
  const known = values.join(', ');
  return !isSet(spec[field]) || values.includes(spec[field])
    ? undefined
    : `needs a spec.${field} that packets are known for (${known}); it is ${JSON.stringify(spec[field])}`;
}

function addressOf(service: Json): TrafficInput['address'] {
  const [first] = mapsIn(mapIn(mapIn(service, 'status'), 'loadBalancer'), 'ingress');
  if (!isMap(first) || !(first.ip || first.hostname)) {
    return undefined;
  }
  if (!first.ip) {
    return 'host name';
  }
  return first.ipMode === 'Proxy' ? 'proxy' : 'vip';
}

interface PodsOfService {
  readonly namespace: string;
  readonly selector: Readonly<Record<string, string>>;
}

/** Phases of pods that have ended: no endpoints. kubernetes/kubernetes v1.36.3, pkg/controller/util/endpoint/controller_utils.go */
const ENDED: readonly unknown[] = ['Succeeded', 'Failed'];

/** The pods of a Service that are on a node, among objects as `kubectl get pods -o yaml` prints them: one by one, or in a list. */
export function readPods(objects: readonly unknown[], service: PodsOfService): TrafficPod[] | Unknown {
  const labels = Object.entries(service.selector);
  if (labels.length === 0) {
    return { unknown: 'needs the selector of the Service; without one its endpoints are made by others' };
  }
  const isSelected = (pod: Json) => {
    const has = labelsOf(pod);
    return namespaceOf(pod) === service.namespace && labels.every(([key, value]) => has[key] === value);
  };
  const selected = objectsOf(objects, 'Pod').filter(isSelected);
  return selected.every((pod) => nameOf(pod) !== '')
    ? selected.filter((pod) => !ENDED.includes(mapIn(pod, 'status').phase) && nodeNameOf(pod) !== '').map(podOf)
    : { unknown: 'needs the name of each pod; one has no metadata.name' };
}

function podOf(pod: Json): TrafficPod {
  return {
    name: nameOf(pod),
    node: nodeNameOf(pod),
    ready: isTrue(pod, 'Ready'),
    terminating: Boolean(mapIn(pod, 'metadata').deletionTimestamp),
  };
}

// Objects as `kubectl` prints them.

export function objectsOf(objects: readonly unknown[], kind: string): Json[] {
  return objects
    .filter(isMap)
    .flatMap((object) => (Array.isArray(object.items) ? objectsOf(object.items, kind) : object))
    .filter((object) => object.kind === kind);
}

export function nameOf(object: Json): string {
  const { name } = mapIn(object, 'metadata');
  return typeof name === 'string' ? name : '';
}

export function namespaceOf(object: Json): string {
  const { namespace } = mapIn(object, 'metadata');
  return typeof namespace === 'string' ? namespace : 'default';
}

function nodeNameOf(pod: Json): string {
  const { nodeName } = mapIn(pod, 'spec');
  return typeof nodeName === 'string' ? nodeName : '';
}

function isTrue(object: Json, condition: string): boolean {
  return mapsIn(mapIn(object, 'status'), 'conditions').some(
    ({ type, status }) => type === condition && status === 'True',
  );
}

export function labelsOf(object: Json): Record<string, string> {
  const labels = Object.entries(mapIn(mapIn(object, 'metadata'), 'labels'));
  return Object.fromEntries(labels.filter(([, value]) => typeof value === 'string'));
}
