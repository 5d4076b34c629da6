import { type BalancerHealthCheck, BalancerTarget, type MadeBalancer } from '../contract/made-balancer';
import { TrafficPolicy } from '../contract/traffic-policy';
import { isUnknown, type Unknown } from './figure';
import { type Path, pathOf } from './path';
import { spreadOver } from './placement';
import type { TrafficPod } from './pods';
import { sharesOf } from './shares';
import type { TrafficInput } from './traffic-input';

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
