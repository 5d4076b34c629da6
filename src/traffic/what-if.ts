import { type BalancerHealthCheck, BalancerTarget, type LoadBalancerModel } from '../contract/load-balancer-model';
import { TrafficPolicy } from '../contract/options';
import { isUnknown, type Unknown } from './fraction';
import type { TrafficInput, TrafficPod } from './input';
import { type Path, pathOf } from './path';
import { spreadOver } from './placement';
import { sharesOf } from './shares';
import { VARIANT_NAMES } from './traffic.facts';

export type Variant = keyof typeof VARIANT_NAMES;
export const VARIANTS = Object.keys(VARIANT_NAMES) as Variant[];

/** Model of the changed Service, or the reason why there is none; what is not given is derived where it can be. */
export type Alternatives = Partial<Record<Variant, LoadBalancerModel | UnsupportedVariant>>;

export interface UnsupportedVariant {
  readonly cannot: string;
}

export interface Alternative {
  readonly variant: Variant;
  readonly changes: readonly string[];
  readonly path: Path | Unknown;
}

type Changed = Pick<Alternative, 'changes'> & { readonly input: TrafficInput };

export function whatIf(
  input: TrafficInput,
  variants: readonly Variant[] = VARIANTS,
  alternatives: Alternatives = {},
): ((UnsupportedVariant & Pick<Alternative, 'variant'>) | Alternative)[] {
  return variants.map((variant) => {
    const changed = CHANGES[variant](input, alternatives);
    return 'cannot' in changed
      ? { variant, cannot: changed.cannot }
      : { variant, changes: changed.changes, path: pathOf(changed.input) };
  });
}

const CHANGES: Record<Variant, (input: TrafficInput, alternatives: Alternatives) => Changed | UnsupportedVariant> = {
  local: (input, { local }) => withPolicy(input, TrafficPolicy.LOCAL, local),
  cluster: (input, { cluster }) => withPolicy(input, TrafficPolicy.CLUSTER, cluster),
  ip: toPods,
  pinned: (input, { pinned }) => pinnedTo(input, pinned),
  spread: (input) => spread(input),
};

function withPolicy(
  input: TrafficInput,
  policy: TrafficPolicy,
  given: LoadBalancerModel | UnsupportedVariant | undefined,
): Changed | UnsupportedVariant {
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

function askedBy(check: BalancerHealthCheck | undefined, policy: TrafficPolicy): BalancerHealthCheck | undefined {
  if (policy === TrafficPolicy.LOCAL && check) {
    return { ...check, answeredBy: 'kube-proxy-of-service', port: 'spec.healthCheckNodePort', path: '/healthz' };
  }
  return check?.answeredBy === 'kube-proxy-of-service' ? { ...check, answeredBy: 'kube-proxy' } : check;
}

function toPods(input: TrafficInput, { ip }: Alternatives): Changed | UnsupportedVariant {
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
function pinnedTo(
  input: TrafficInput,
  given: LoadBalancerModel | UnsupportedVariant | undefined,
): Changed | UnsupportedVariant {
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

function spread(input: TrafficInput): Changed | UnsupportedVariant {
  const nodes = input.nodes.filter(({ ready }) => ready);
  return nodes.length === 0 || input.pods.length === 0
    ? { cannot: 'there is no node that is ready, or no pod' }
    : { changes: [SPREAD], input: { ...input, pods: spreadOver('pod', nodes, staying(input.pods)) } };
}

const SPREAD = 'topologySpreadConstraints over nodes, maxSkew 1, DoNotSchedule';

function staying(pods: readonly TrafficPod[]): number {
  return Math.max(1, pods.filter(({ terminating }) => !terminating).length);
}

export type Loss = Exclude<ReturnType<typeof lossOf>, Unknown>;

export function lossOf(input: TrafficInput, kind: 'node' | 'zone', name: string) {
  const shares = sharesOf(input);
  if (isUnknown(shares)) {
    return shares;
  }
  const place = (kind === 'node' ? shares.nodes : shares.zones).find((each) => each.name === name);
  if (!place) {
    return { unknown: kind === 'node' ? `needs node ${name} in the list of nodes` : `needs a node in zone ${name}` };
  }
  const { enters, ends, touches } = place;
  const gone = new Set(
    input.nodes.flatMap((node) => ((kind === 'node' ? node.name : node.zone) === name ? node.name : [])),
  );
  const isLost = ({ node }: TrafficPod) => gone.has(node);
  const { interval, failures } = input.balancer?.healthCheck ?? {};
  const zones = shares.zones.length;
  return {
    lost: `${kind} ${name}`,
    pods: input.pods.filter(isLost).map((pod) => pod.name),
    // clients have found the balancer in one of its zones, and break with it wherever they were sent
    broken:
      kind === 'zone' && input.balancer?.crossZone
        ? {
            value: 1 - (1 - 1 / zones) * (1 - touches.share),
            terms: `1 − (1 − 1/${zones} of the balancer) × (1 − ${touches.exact})`,
          }
        : {
            value: touches.share,
            terms: `${enters.exact} through it + ${ends.exact} ending in it, both counted once`,
          },
    through: { value: enters.share, terms: enters.exact },
    ending: { value: ends.share, terms: ends.exact },
    unnoticed:
      interval === undefined || failures === undefined
        ? { unknown: 'needs the interval and the failures of the health check' }
        : { value: interval * failures, terms: `${failures} failures × ${interval} s` },
    after: sharesOf({
      ...input,
      nodes: input.nodes.filter((node) => !gone.has(node.name)),
      pods: input.pods.filter((pod) => !isLost(pod)),
    }),
  };
}
