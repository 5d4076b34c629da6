import { isMap, type Json, listIn, mapIn, mapsIn } from '../contract/json';
import { SOURCE_RANGES_ANNOTATION } from '../contract/kubernetes.facts';
import type { MadeBalancer } from '../contract/made-balancer';
import { TrafficPolicy } from '../contract/options';
import type { Unknown } from './fraction';
import { duplicateIn, faultOfNodes, isTrue, labelsOf, nameOf, objectsOf, type TrafficNode } from './nodes';
import { TOPOLOGY_ANNOTATIONS } from './traffic.facts';

/** What a Service says about its packets. */
export interface ServiceTraffic {
  readonly name: string;
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer';
  readonly externalTrafficPolicy: TrafficPolicy;
  readonly internalTrafficPolicy: TrafficPolicy;
  readonly trafficDistribution?: 'PreferClose' | 'PreferSameZone' | 'PreferSameNode';
  /** Whether connections of one address stay on one pod. */
  readonly sessionAffinity: boolean;
  readonly publishNotReadyAddresses: boolean;
  /** How many ports it has. */
  readonly ports: number;
  /** How many ranges of addresses it restricts its clients to. */
  readonly sourceRanges?: number;
}

/** All that the model looks at. */
export interface TrafficInput {
  readonly service: ServiceTraffic;
  /** What the controller makes of the Service; unset where no controller is known. */
  readonly balancer?: MadeBalancer;
  readonly nodes: readonly TrafficNode[];
  readonly pods: readonly TrafficPod[];
  /** The zones that the balancer stands in, where they are known. */
  readonly balancerZones?: readonly string[];
  /** The node that has the address of the balancer, where one node has it and is known. */
  readonly nodeWithAddress?: string;
  /** How the balancer is reached: an address that kube-proxy has rules for, one with ipMode Proxy, or a host name. */
  readonly address?: 'vip' | 'proxy' | 'host name';
  /** What was taken for granted in making this input; each is repeated beside the figures. */
  readonly assumptions?: readonly string[];
}

/** What is missing or contradicts itself in an input, in words. */
export function faultOf({ service, balancer, nodes, pods, ...more }: TrafficInput): Unknown | undefined {
  const said = faultOfNodes(nodes) ?? faultOfPods(nodes, pods);
  if (said) {
    return { unknown: said };
  }
  if (!balancer) {
    return { unknown: `needs the controller that serves Service ${service.name}` };
  }
  if (more.balancerZones?.length === 0) {
    return { unknown: 'needs the zones of the balancer; the list is empty' };
  }
  const zones = new Set(nodes.map(({ zone }) => zone)).size;
  const few = balancer.crossZone !== undefined && balancer.zones !== undefined && balancer.zones < zones;
  if (few && more.balancerZones === undefined) {
    return { unknown: `needs the names of the balancer's zones; it is in ${balancer.zones} of ${zones}` };
  }
  const holder = more.nodeWithAddress;
  return holder !== undefined && !nodes.some(({ name }) => name === holder)
    ? { unknown: `needs node ${holder}, which has the address of the balancer, in the list of nodes` }
    : undefined;
}

/** What a finished Service says about its packets, and its status about how it is reached. */
export function readService(
  service: Json,
): (Required<Pick<TrafficInput, 'service' | 'assumptions'>> & Pick<TrafficInput, 'address'>) | Unknown {
  const spec = mapIn(service, 'spec');
  const fault = FIELDS.map(([field, values]) => faultOfField(spec, field, values)).find((found) => found !== undefined);
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

const POLICIES: readonly unknown[] = [undefined, null, ...Object.values(TrafficPolicy)];

/** What a field may hold. */
const FIELDS: readonly (readonly [keyof ServiceTraffic, readonly unknown[]])[] = [
  ['type', [undefined, null, 'ClusterIP', 'NodePort', 'LoadBalancer']],
  ['externalTrafficPolicy', POLICIES],
  ['internalTrafficPolicy', POLICIES],
  ['trafficDistribution', [undefined, null, 'PreferClose', 'PreferSameZone', 'PreferSameNode']],
];

function faultOfField(spec: Json, field: string, values: readonly unknown[]): string | undefined {
  const known = values.filter((value) => typeof value === 'string').join(', ');
  return values.includes(spec[field])
    ? undefined
    : `needs a spec.${field} that packets are known for (${known}); it is ${JSON.stringify(spec[field])}`;
}

/** How the balancer is reached, where its status says it. */
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

/** A pod behind a Service, as far as packets depend on it. */
export interface TrafficPod {
  readonly name: string;
  /** The node that it runs on. */
  readonly node: string;
  /** Its condition Ready: whether it answers, terminating or not. */
  readonly ready: boolean;
  readonly terminating: boolean;
}

/** Which pods a Service finds. */
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

/** What is wrong with a list of pods, by itself or beside the nodes, in words. */
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

/** The namespace of an object as `kubectl` prints it. */
export function namespaceOf(object: Json): string {
  const { namespace } = mapIn(object, 'metadata');
  return typeof namespace === 'string' ? namespace : 'default';
}

function nodeNameOf(pod: Json): string {
  const { nodeName } = mapIn(pod, 'spec');
  return typeof nodeName === 'string' ? nodeName : '';
}

function podOf(pod: Json): TrafficPod {
  return {
    name: nameOf(pod),
    node: nodeNameOf(pod),
    ready: isTrue(pod, 'Ready'),
    terminating: Boolean(mapIn(pod, 'metadata').deletionTimestamp),
  };
}
