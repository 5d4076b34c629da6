import { type Json, mapIn } from '../contract/json';
import type { Unknown } from './figure';
import { duplicateIn, isTrue, labelsOf, nameOf, objectsOf, type TrafficNode } from './nodes';

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
export interface PodsOfService {
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
export function faultOfPods(nodes: readonly TrafficNode[], pods: readonly TrafficPod[]): string | undefined {
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
