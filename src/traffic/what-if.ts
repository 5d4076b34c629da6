import { type BalancerHealthCheck, BalancerTarget, type MadeBalancer } from '../contract/made-balancer';
import { TrafficPolicy } from '../contract/options';
import { type Figure, isUnknown, type Unknown } from './fraction';
import { type Path, pathOf } from './path';
import { spreadOver } from './placement';
import type { TrafficInput, TrafficPod } from './services';
import { type Shares, sharesOf } from './shares';

/** Ways in which the same Service could have its packets. */
export const VARIANTS = ['local', 'cluster', 'ip', 'pinned', 'spread'] as const;
export type Variant = (typeof VARIANTS)[number];

/** What the controller would make of the changed Service, or why it cannot; what is not given is derived where it can be. */
export type Alternatives = Partial<Record<Variant, MadeBalancer | Cannot>>;

/** Why something is not possible here. */
export interface Cannot {
  readonly cannot: string;
}

/** The same Service in another way. */
export interface Alternative {
  readonly variant: Variant;
  /** What of the manifests changes; nothing where it is so already. */
  readonly changes: readonly string[];
  readonly path: Path | Unknown;
}

type Changed = Pick<Alternative, 'changes'> & { readonly input: TrafficInput };

/** The ways of packets side by side. */
export function whatIf(
  input: TrafficInput,
  variants: readonly Variant[] = VARIANTS,
  alternatives: Alternatives = {},
): ((Cannot & Pick<Alternative, 'variant'>) | Alternative)[] {
  return variants.map((variant) => {
    const changed = CHANGES[variant](input, alternatives);
    return 'cannot' in changed
      ? { variant, cannot: changed.cannot }
      : { variant, changes: changed.changes, path: pathOf(changed.input) };
  });
}

const CHANGES: Record<Variant, (input: TrafficInput, alternatives: Alternatives) => Changed | Cannot> = {
  local: (input, { local }) => withPolicy(input, TrafficPolicy.LOCAL, local),
  cluster: (input, { cluster }) => withPolicy(input, TrafficPolicy.CLUSTER, cluster),
  ip: toPods,
  pinned: (input, { pinned }) => pinnedTo(input, pinned),
  spread: (input) => spread(input),
};

function withPolicy(
  input: TrafficInput,
  policy: TrafficPolicy,
  given: MadeBalancer | Cannot | undefined,
): Changed | Cannot {
  const { balancer, service } = input;
  if (given && 'cannot' in given) {
    return given;
  }
  if (balancer?.target === BalancerTarget.POD && !given) {
    return { cannot: `the targets are pods, which externalTrafficPolicy ${policy} does not concern` };
  }
  const changes = service.externalTrafficPolicy === policy ? [] : [`spec.externalTrafficPolicy: ${policy}`];
  const asked = balancer && { ...balancer, healthCheck: askedBy(balancer.healthCheck, policy) };
  const made = changes.length === 0 ? balancer : asked;
  return {
    changes,
    input: { ...input, balancer: given ?? made, service: { ...service, externalTrafficPolicy: policy } },
  };
}

/** The health check that controllers use with a policy, where the one of the other policy was in use. */
function askedBy(check: BalancerHealthCheck | undefined, policy: TrafficPolicy): BalancerHealthCheck | undefined {
  if (policy === TrafficPolicy.LOCAL && check) {
    return { ...check, answeredBy: 'kube-proxy-of-service', port: 'spec.healthCheckNodePort', path: '/healthz' };
  }
  return check?.answeredBy === 'kube-proxy-of-service' ? { ...check, answeredBy: 'kube-proxy' } : check;
}

function toPods(input: TrafficInput, { ip }: Alternatives): Changed | Cannot {
  if (input.balancer?.target === BalancerTarget.POD) {
    return { changes: [], input };
  }
  if (!ip) {
    return { cannot: `${input.balancer?.name ?? 'the balancer'} is not known to have pods as targets` };
  }
  return 'cannot' in ip
    ? ip
    : { changes: ['pods as targets, as the controller sets them'], input: { ...input, balancer: ip } };
}

/** One pod after another on the nodes that the balancer knows, and no second hop. */
function pinnedTo(input: TrafficInput, given: MadeBalancer | Cannot | undefined): Changed | Cannot {
  const shares = sharesOf(input);
  if (isUnknown(shares)) {
    return { cannot: shares.unknown };
  }
  const leftOut = new Set(
    shares.targets.flatMap(({ kind, state, name }) => (kind === 'node' && state === 'left out' ? name : [])),
  );
  const nodes = input.nodes.filter(({ name, ready }) => ready && !leftOut.has(name));
  if (nodes.length === 0) {
    return { cannot: 'the balancer knows no node that is ready' };
  }
  const local = withPolicy(input, TrafficPolicy.LOCAL, given);
  const { changes, input: changed } = 'cannot' in local ? { changes: [], input } : local;
  return {
    changes: [...changes, 'node affinity for the nodes of the balancer', SPREAD],
    input: { ...changed, pods: spreadOver('pod', nodes, staying(input.pods)) },
  };
}

function spread(input: TrafficInput): Changed | Cannot {
  const nodes = input.nodes.filter(({ ready }) => ready);
  return nodes.length === 0 || input.pods.length === 0
    ? { cannot: 'there is no node that is ready, or no pod' }
    : { changes: [SPREAD], input: { ...input, pods: spreadOver('pod', nodes, staying(input.pods)) } };
}

const SPREAD = 'topologySpreadConstraints over nodes, maxSkew 1, DoNotSchedule';

/** Those that terminate are not placed anew. */
function staying(pods: readonly TrafficPod[]): number {
  return Math.max(1, pods.filter(({ terminating }) => !terminating).length);
}

/** What goes with a node or a zone, and what stays. */
export interface Loss {
  readonly lost: string;
  readonly pods: readonly string[];
  /** Connections that break: all that arrive through it or end in it. */
  readonly broken: Figure;
  /** Those that arrive through it, wherever they end. */
  readonly through: Figure;
  /** Those that end in its pods, wherever they arrive. */
  readonly ending: Figure;
  /** Seconds for which new connections are still sent to it, where the health check says so. */
  readonly unnoticed: Figure | Unknown;
  /** The shares of what stays, before pods are placed anew. */
  readonly after: Shares | Unknown;
}

/** The loss of one node. */
export function lossOfNode(input: TrafficInput, name: string): Loss | Unknown {
  const shares = sharesOf(input);
  if (isUnknown(shares)) {
    return shares;
  }
  const place = shares.nodes.find((node) => node.name === name);
  return place
    ? lossOf(input, `node ${name}`, place, (node) => node.name === name)
    : { unknown: `needs node ${name} in the list of nodes` };
}

/** The loss of all nodes of one zone, and of the balancer's part in it. */
export function lossOfZone(input: TrafficInput, zone: string): Loss | Unknown {
  const shares = sharesOf(input);
  if (isUnknown(shares)) {
    return shares;
  }
  const place = shares.zones.find(({ name }) => name === zone);
  if (!place) {
    return { unknown: `needs a node in zone ${zone}` };
  }
  const loss = lossOf(input, `zone ${zone}`, place, (node) => node.zone === zone);
  const zones = input.balancerZones ?? shares.zones.map(({ name }) => name);
  return input.balancer?.crossZone && zones.includes(zone)
    ? { ...loss, broken: withBalancerOf(zones.length, place.touches) }
    : loss;
}

/** Clients have found the balancer in one of its zones, and break with it wherever they were sent. */
function withBalancerOf(zones: number, { share, exact }: Shares['zones'][number]['touches']): Figure {
  return { value: 1 - (1 - 1 / zones) * (1 - share), terms: `1 − (1 − 1/${zones} of the balancer) × (1 − ${exact})` };
}

function lossOf(
  input: TrafficInput,
  lost: string,
  { enters, ends, touches }: Shares['nodes'][number],
  isLost: (node: TrafficInput['nodes'][number]) => boolean,
): Loss {
  const gone = new Set(input.nodes.filter(isLost).map(({ name }) => name));
  const figure = ({ share, exact }: typeof enters): Figure => ({ value: share, terms: exact });
  return {
    lost,
    pods: input.pods.flatMap(({ name, node }) => (gone.has(node) ? name : [])),
    broken: {
      value: touches.share,
      terms: `${enters.exact} through it + ${ends.exact} ending in it, both counted once`,
    },
    through: figure(enters),
    ending: figure(ends),
    unnoticed: unnoticedBy(input),
    after: sharesOf(without(input, gone)),
  };
}

function without(input: TrafficInput, gone: ReadonlySet<string>): TrafficInput {
  const { nodeWithAddress, balancerZones, ...rest } = input;
  const nodes = input.nodes.filter(({ name }) => !gone.has(name));
  const left = balancerZones?.filter((zone) => nodes.some((node) => node.zone === zone));
  const held = nodeWithAddress !== undefined && !gone.has(nodeWithAddress);
  return {
    ...rest,
    nodes,
    pods: input.pods.filter(({ node }) => !gone.has(node)),
    ...(held ? { nodeWithAddress } : {}),
    ...(balancerZones ? { balancerZones: left && left.length > 0 ? left : balancerZones } : {}),
  };
}

function unnoticedBy({ balancer }: TrafficInput): Figure | Unknown {
  const { interval, failures } = balancer?.healthCheck ?? {};
  return interval === undefined || failures === undefined
    ? { unknown: 'needs the interval and the failures of the health check' }
    : { value: interval * failures, terms: `${failures} failures × ${interval} s` };
}
