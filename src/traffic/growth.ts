import { BalancerChoice, BalancerTarget } from '../contract/made-balancer';
import { TrafficPolicy } from '../contract/traffic-policy';
import { type Figure, isUnknown, type Unknown } from './figure';
import { type LimitReached, limitsOf } from './limits';
import { type RuleCounts, ruleCountsOf, vipsOf } from './rule-counts';
import { sharesOf } from './shares';
import { CONNTRACK, MAX_PODS_OF_NODE } from './traffic.facts';
import type { TrafficInput } from './traffic-input';

/** A Service with so many pods, one as likely as another, evenly on so many nodes. */
export interface Growth {
  readonly pods: number;
  readonly nodes: number;
  /** Entries of conntrack on the node that has most. */
  readonly entries: Figure;
  /** How many it has place for. */
  readonly place: Figure;
  readonly isFull: boolean;
  readonly rules: RuleCounts;
  /** The limits of the balancer that this is beyond. */
  readonly beyond: readonly LimitReached[];
}

/** What grows, and what it meets first. */
export interface GrowthOfService {
  readonly steps: readonly Growth[];
  /** The limit of the balancer that is met first, where it has one. */
  readonly first?: LimitReached;
  readonly limits: readonly LimitReached[];
  readonly assumptions: readonly string[];
}

/** What a bigger cluster is taken to be like. */
const PODS = [100, 500, 10_000];
const CONNECTIONS_PER_POD = 100;

/** Cores of a node, of which the place for connections depends. */
const CORES = 4;

/** Entries of conntrack, rules of kube-proxy and targets of the balancer as pods grow. */
export function growthOf(input: TrafficInput): GrowthOfService | Unknown {
  const shares = sharesOf(input);
  if (isUnknown(shares) || !input.balancer) {
    return isUnknown(shares) ? shares : { unknown: 'needs a controller' };
  }
  const limits = limitsOf(input.balancer);
  const known = shares.targets.filter(({ kind, state }) => kind === 'node' && state !== 'left out').length;
  const fewest = input.balancer.target === BalancerTarget.POD ? input.nodes.length : Math.max(1, known);
  const first = limits.find(({ of }) => of !== 'ports');
  return {
    steps: PODS.map((pods) => stepOf(input, pods, Math.max(fewest, Math.ceil(pods / MAX_PODS_OF_NODE)), limits)),
    ...(first ? { first } : {}),
    limits,
    assumptions: [
      `${CONNECTIONS_PER_POD} open connections for each pod`,
      `at most ${MAX_PODS_OF_NODE} pods on a node of ${CORES} cores, evenly`,
    ],
  };
}

function stepOf(input: TrafficInput, pods: number, nodes: number, limits: readonly LimitReached[]): Growth {
  const touching = touchingOneOf(input, nodes);
  const open = pods * CONNECTIONS_PER_POD;
  const entries = {
    value: Math.ceil((open * touching.part) / touching.whole),
    terms: `${open} connections × ${touching.terms}`,
  };
  const place = {
    value: Math.max(CONNTRACK.atLeast, CONNTRACK.perCore * CORES),
    terms: `${CONNTRACK.perCore} × ${CORES} cores, at least ${CONNTRACK.atLeast}`,
  };
  const localPods = Math.ceil(pods / nodes);
  return {
    pods,
    nodes,
    entries,
    place,
    isFull: entries.value > place.value,
    rules: ruleCountsOf({ service: input.service, pods, localPods, vips: vipsOf(input) }),
    beyond: limits.filter(({ of, at }) => {
      const used = { pods, nodes, ports: input.balancer?.listeners ?? 0 }[of];
      return used > at.value;
    }),
  };
}

/** What part of all connections one of so many nodes has an entry for. */
function touchingOneOf(
  { balancer, service }: TrafficInput,
  nodes: number,
): { part: number; whole: number; terms: string } {
  const stays = balancer?.target === BalancerTarget.POD || service.externalTrafficPolicy === TrafficPolicy.LOCAL;
  if (balancer?.choice === BalancerChoice.ONE && balancer.target !== BalancerTarget.POD) {
    return { part: 1, whole: 1, terms: '1, for one node has the address' };
  }
  const whole = nodes ** 2;
  return stays
    ? { part: 1, whole: nodes, terms: `1/${nodes}` }
    : { part: 2 * nodes - 1, whole, terms: `(1/${nodes} arriving + 1/${nodes} ending − 1/${whole} both)` };
}
