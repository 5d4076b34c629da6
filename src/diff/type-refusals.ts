import { type Json, mapIn } from '../contract/json';
import { sameValue } from '../contract/same-value';
import type { Cause } from './balancer-change';
import { refusal, refusedOf } from './refusal-causes';
import type { Side } from './side';

/**
 * Fields of a balanced Service that the API server drops with the type where the update leaves them as they were.
 * kubernetes/kubernetes v1.36.3, pkg/registry/core/service/strategy.go
 */
const DROPPED: readonly string[] = [
  'loadBalancerClass',
  'allocateLoadBalancerNodePorts',
  'externalTrafficPolicy',
  'healthCheckNodePort',
];

/** What the API server refuses in a Service that is to be of another type, and has taken before. */
export function typeRefusals(before: Json, after: Json, side: Side): Cause[] {
  const [old, now] = [mapIn(before, 'spec'), mapIn(after, 'spec')];
  const spec = Object.entries(now).filter(
    ([field, value]) => !DROPPED.includes(field) || !sameValue(value, old[field]),
  );
  return refusedOf({ ...after, spec: withoutNodePorts(old, Object.fromEntries(spec)) }, side).map((finding) =>
    refusal(
      finding,
      `the API server refuses it with the other type, and the live Service stays as it is: ${finding.what}`,
    ),
  );
}

/** Node ports go with the type as well, where all of them are as they were. */
function withoutNodePorts(old: Json, now: Json): Json {
  const numbers = ({ ports }: Json) => (Array.isArray(ports) ? ports.map((port) => port?.nodePort) : []);
  return sameValue(numbers(old), numbers(now)) && Array.isArray(now.ports)
    ? { ...now, ports: now.ports.map(({ nodePort: _, ...port }) => port) }
    : now;
}
