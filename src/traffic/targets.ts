import { BalancerTarget } from '../contract/made-balancer';
import { TrafficPolicy } from '../contract/traffic-policy';
import type { Endpoints } from './kube-proxy';
import type { TrafficNode } from './nodes';
import type { TrafficPod } from './pods';
import { TO_BE_DELETED_TAINT } from './traffic.facts';
import type { TrafficInput } from './traffic-input';

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
