import type { Json } from '../contract/json';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import { BalancerTarget, type MadeBalancer } from '../contract/made-balancer';
import { TrafficPolicy } from '../contract/options';
import { type ControllerDefinition, definitionOf } from './controller-definition';
import { madeOf } from './made-of';

/** What an owner would make of the same Service, changed. */
export interface MadeAlternatives {
  readonly local?: MadeBalancer;
  readonly cluster?: MadeBalancer;
  readonly pinned?: MadeBalancer;
  readonly ip?: MadeBalancer | { readonly cannot: string };
}

/**
 * What the owner of a finished Service would make of it with another traffic policy, and with pods as targets.
 *
 * @param service the finished object
 * @param owner the controller as it is installed, or its kind where nothing else is known
 */
export function alternativesOf(service: Json, owner: ILoadBalancerController | ControllerDefinition): MadeAlternatives {
  const made = madeOf(service, owner);
  const kind = 'bind' in owner ? definitionOf(owner) : owner;
  const withPolicy = (policy: TrafficPolicy) =>
    madeOf({ ...service, spec: { ...service.spec, externalTrafficPolicy: policy } }, owner);
  const toPods = kind?.withPodTargets?.(service);
  const ip = toPods && madeOf(toPods, owner);
  const alternatives = {
    ip: ip?.target === BalancerTarget.POD ? ip : { cannot: `${owner.name} has no pods as targets` },
  };
  if (made?.target === BalancerTarget.POD) {
    return alternatives;
  }
  const local = withPolicy(TrafficPolicy.LOCAL);
  return { ...alternatives, local, cluster: withPolicy(TrafficPolicy.CLUSTER), pinned: local };
}
