import { grouped, isMap, type Json, list, mapIn, mapsIn } from '../contract/json';
import { HOSTNAME_LABEL } from '../contract/kubernetes.facts';
import { holds } from '../contract/kubernetes-syntax';
import { podTemplateOf, taintsAgainst } from '../contract/pod-placement';
import { count } from '../contract/rule';
import { isUnknown, type Unknown } from './fraction';
import { faultOfNodes, nameOf, type TrafficNode, type TrafficPod } from './input';

/** kubernetes/website, content/en/docs/setup/best-practices/cluster-large.md */
const MOST_PODS = 150_000;

export interface Placement {
  readonly pods: readonly TrafficPod[];
  readonly assumptions: readonly string[];
}

export function placementOf(workload: Json, nodes: readonly TrafficNode[]): Placement | Unknown {
  const fault = faultOfNodes(nodes);
  const pod = mapIn(podTemplateOf(workload), 'spec');
  const name = `${workload.kind} ${nameOf(workload)}`;
  const may = nodes.filter((node) => node.ready && mayRunOn(pod, node));
  const isDaemon = workload.kind === 'DaemonSet';
  const replicas = isDaemon ? may.length : workload.kind === 'Pod' ? 1 : (workload.spec?.replicas ?? 1);
  if (fault) {
    return { unknown: fault };
  }
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0) {
    return { unknown: `needs the replicas of ${name}; ${JSON.stringify(replicas)} is not a whole number` };
  }
  if (replicas > MOST_PODS) {
    return {
      unknown: `needs at most ${MOST_PODS} pods, the most that Kubernetes is made for; ${name} has ${replicas}`,
    };
  }
  if (replicas === 0 && !isDaemon) {
    return { unknown: `needs pods; ${name} has zero replicas` };
  }
  if (may.length === 0) {
    return {
      unknown: `needs a node that is ready and that the pods of ${name} may run on; of ${nodes.length} there is none`,
    };
  }
  const alone = isDaemon || isAlone(pod);
  const placed = alone ? Math.min(replicas, may.length) : replicas;
  return {
    pods: spreadOver(nameOf(workload) || 'pod', may, placed),
    assumptions: [
      `${count(placed, 'pod')} of ${name} on ${count(Math.min(placed, may.length), 'node')}: ${demandOf(pod, alone)}`,
      ...(placed < replicas ? [`${count(replicas - placed, 'pod')} of ${name} would wait for a node of its own`] : []),
    ],
  };
}

export function placementsOf(workloads: readonly Json[], nodes: readonly TrafficNode[]): Placement | Unknown {
  const placements: Placement[] = [];
  for (const workload of workloads) {
    const placement = placementOf(workload, nodes);
    if (isUnknown(placement)) {
      return placement;
    }
    placements.push(placement);
  }
  return placements.length === 0
    ? { unknown: 'needs a workload whose pods the Service selects' }
    : {
        pods: placements.flatMap(({ pods }) => pods),
        assumptions: placements.flatMap(({ assumptions }) => assumptions),
      };
}

/** By turns over the nodes, and in each turn over the zones: no two nodes differ by more than one. */
export function spreadOver(name: string, nodes: readonly TrafficNode[], pods: number): TrafficPod[] {
  const zones = [...grouped(nodes, ({ zone }) => zone ?? '').values()];
  const longest = Math.max(...zones.map(({ length }) => length));
  const turn = Array.from({ length: longest }, (_, index) => zones.flatMap((zone) => zone[index] ?? [])).flat();
  return Array.from({ length: pods }, (_, index) => ({
    name: `${name}-${index}`,
    node: turn[index % turn.length].name,
    ready: true,
    terminating: false,
  }));
}

function isAlone(pod: Json): boolean {
  const anti = mapIn(mapIn(pod, 'affinity'), 'podAntiAffinity');
  return mapsIn(anti, 'requiredDuringSchedulingIgnoredDuringExecution').some(
    ({ topologyKey }) => topologyKey === HOSTNAME_LABEL,
  );
}

function demandOf(pod: Json, alone: boolean): string {
  if (alone) {
    return 'one on each';
  }
  const constraints = list<Json>(pod.topologySpreadConstraints).filter((each) => each?.topologyKey === HOSTNAME_LABEL);
  if (constraints.some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')) {
    return 'their spread over nodes is required';
  }
  return constraints.length > 0
    ? 'their spread over nodes is preferred, not required'
    : 'assumed to be spread evenly, which nothing in the workload demands';
}

function mayRunOn(pod: Json, node: TrafficNode): boolean {
  const selected = Object.entries(mapIn(pod, 'nodeSelector')).every(([key, value]) => node.labels[key] === value);
  return selected && isDemanded(pod, node) && taintsAgainst(pod, node).length === 0;
}

function isDemanded(pod: Json, node: TrafficNode): boolean {
  const affinity = mapIn(mapIn(pod, 'affinity'), 'nodeAffinity');
  const required = affinity.requiredDuringSchedulingIgnoredDuringExecution;
  return !isMap(required) || list<unknown>(required.nodeSelectorTerms).some((term) => isMap(term) && isMet(term, node));
}

/** A term without expressions matches no node. */
function isMet(term: Json, node: TrafficNode): boolean {
  const areMet = (expressions: readonly Json[], labels: Json) =>
    expressions.every((one) => holds({ ...one, values: list<unknown>(one.values).map(String) }, labels));
  const [labels, fields] = [term.matchExpressions, term.matchFields].map((all) => list<unknown>(all).filter(isMap));
  return (
    labels.length + fields.length > 0 && areMet(labels, node.labels) && areMet(fields, { 'metadata.name': node.name })
  );
}
