import { grouped, type Json, list, mapIn, mapsIn } from '../contract/json';
import { HOSTNAME_LABEL } from '../contract/kubernetes.facts';
import { BalancerTarget } from '../contract/made-balancer';
import { TrafficPolicy } from '../contract/options';
import { podTemplateOf } from '../contract/pod-placement';
import { count } from '../contract/rule';
import { isUnknown, type Unknown } from './fraction';
import type { Endpoints } from './kube-proxy';
import { faultOfNodes, mayRunOn, nameOf, type TrafficNode } from './nodes';
import type { TrafficInput, TrafficPod } from './services';
import { TO_BE_DELETED_TAINT } from './traffic.facts';

/** kubernetes/website, content/en/docs/setup/best-practices/cluster-large.md */
const MOST_PODS = 150_000;

/** Where the pods of a workload are expected, before one of them runs. */
export interface Placement {
  readonly pods: readonly TrafficPod[];
  /** What was taken for granted. */
  readonly assumptions: readonly string[];
}

/** Where the scheduler is expected to put the pods of a finished workload. */
export function placementOf(workload: Json, nodes: readonly TrafficNode[]): Placement | Unknown {
  const fault = faultOfNodes(nodes);
  const pod = mapIn(podTemplateOf(workload), 'spec');
  const name = `${workload.kind} ${nameOf(workload)}`;
  const may = nodes.filter((node) => node.ready && mayRunOn(pod, node));
  const isDaemon = workload.kind === 'DaemonSet';
  const replicas = isDaemon ? may.length : replicasOf(workload);
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

/** The placements of several workloads behind one Service, as one. */
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

function replicasOf({ kind, spec }: Json): unknown {
  return kind === 'Pod' ? 1 : (spec?.replicas ?? 1);
}

/** Whether no two of the pods may be on one node. */
function isAlone(pod: Json): boolean {
  const anti = mapIn(mapIn(pod, 'affinity'), 'podAntiAffinity');
  return mapsIn(anti, 'requiredDuringSchedulingIgnoredDuringExecution').some(
    ({ topologyKey }) => topologyKey === HOSTNAME_LABEL,
  );
}

/** How firmly the spread is demanded. */
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

/** What a balancer makes of a node or pod that connections could arrive at. */
export interface Target {
  readonly kind: 'node' | 'pod';
  readonly name: string;
  readonly zone?: string;
  /** Healthy ones have connections; left out are those that the balancer does not know. */
  readonly state: 'healthy' | 'failing' | 'left out';
  /** Why it is not healthy. */
  readonly why?: string;
  /** Whether that is how it must be, and nothing to mend. */
  readonly asItShould?: boolean;
}

type Seen = Pick<Target, 'state' | 'why' | 'asItShould'>;

const HEALTHY: Seen = { state: 'healthy' };

/** All that the balancer could send connections to, in the order of the input. */
export function targetsOf(input: TrafficInput, endpoints: Endpoints): Target[] {
  const zones = input.balancerZones && new Set(input.balancerZones);
  const placed = (name: string, kind: Target['kind'], zone: string | undefined, health: Seen): Target => {
    const outside = zones !== undefined && zone !== undefined && !zones.has(zone);
    const seen: Seen = outside ? { state: 'left out', why: `the balancer is not in zone ${zone}` } : health;
    return { kind, name, ...(zone === undefined ? {} : { zone }), ...seen };
  };
  if (input.balancer?.target === BalancerTarget.POD) {
    const ready = new Set(endpoints.ready);
    return input.pods.map((pod) =>
      placed(pod.name, 'pod', endpoints.zoneOfNode(pod.node), seenOfPod(pod, ready.has(pod))),
    );
  }
  return input.nodes.map((node) => placed(node.name, 'node', node.zone, seenOfNode(input, node, endpoints)));
}

function seenOfPod(pod: TrafficPod, isReady: boolean): Seen {
  if (isReady) {
    return HEALTHY;
  }
  return pod.terminating
    ? { state: 'left out', why: 'it terminates', asItShould: true }
    : { state: 'failing', why: 'it is not ready', asItShould: true };
}

function seenOfNode({ balancer, service }: TrafficInput, node: TrafficNode, endpoints: Endpoints): Seen {
  if (node.excluded) {
    return { state: 'left out', why: 'its label keeps it out of balancers' };
  }
  const missing = Object.entries(balancer?.nodeLabels ?? {}).find(([key, value]) => node.labels[key] !== value);
  if (missing) {
    return { state: 'left out', why: `it has no label ${missing[0]}=${missing[1]}` };
  }
  if (!node.ready) {
    return { state: 'failing', why: 'the node is not ready', asItShould: true };
  }
  const asked = balancer?.healthCheck?.answeredBy;
  if (asked === 'kube-proxy') {
    const leaves = node.taints.some(({ key }) => key === TO_BE_DELETED_TAINT);
    return leaves
      ? { state: 'failing', why: 'the cluster autoscaler is about to delete it', asItShould: true }
      : HEALTHY;
  }
  if (asked === 'kube-proxy-of-service') {
    const { path = '/healthz' } = balancer?.healthCheck ?? {};
    return endpoints.countedOn(node.name) > 0
      ? HEALTHY
      : { state: 'failing', why: `no ready pod on it, so ${path} answers 503`, asItShould: true };
  }
  if (endpoints.choiceOn(node, 'external').pods.length > 0) {
    return HEALTHY;
  }
  return service.externalTrafficPolicy === TrafficPolicy.LOCAL
    ? { state: 'failing', why: 'no pod on it, and policy Local leads to no other node', asItShould: true }
    : { state: 'failing', why: 'the Service has no ready pod' };
}
