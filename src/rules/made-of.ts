import { isMap, type Json } from '../contract/json';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import type { MadeBalancer } from '../contract/made-balancer';
import { type ControllerDefinition, definitionOf, unwrapped } from './controller-definition';

/**
 * What the owner of a finished Service makes of it; nothing where the owner is not known well enough, or makes no balancer. Whether
 * it owns the Service is not asked.
 *
 * @param service the finished object
 * @param owner the controller as it is installed, also one inside another, or its kind where nothing else is known
 * @param objects what is beside the Service, where that is known
 */
export function madeOf(
  service: Json,
  owner: ILoadBalancerController | ControllerDefinition | undefined,
  objects?: readonly Json[],
): MadeBalancer | undefined {
  if (owner === undefined || !isMap(service)) {
    return undefined;
  }
  const controller = 'bind' in owner ? unwrapped(owner) : undefined;
  const kind = 'bind' in owner ? definitionOf(owner) : owner;
  return kind?.makes?.(service, controller, objects);
}

/** What is missing where it is not known what an owner makes of a Service. */
export function neededToMake(owner: ILoadBalancerController | ControllerDefinition): string {
  const kind = 'bind' in owner ? definitionOf(owner) : owner;
  return `needs ${kind?.madeWith ?? `what ${owner.name} makes of it, which is not known here`}`;
}
