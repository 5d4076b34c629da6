import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import { type ControllerDefinition, definitionOf, knownKinds, unwrapped } from '../rules/controller-definition';
import { finalizersOf } from '../rules/service-json';
import { installPairs } from './install-pairs';
import type { Install, Side, SideBalancer, Sides } from './side';

// Who owns a balancer, what it removes, and whether it is there after a change.

/** The kind of the owner, where it is known. */
export function kindOf({ controller }: SideBalancer): ControllerDefinition | undefined {
  return controller && 'bind' in controller ? definitionOf(controller) : controller;
}

/** The owner as it is installed, where that is known. */
export function installedOf({ controller }: SideBalancer): ILoadBalancerController | undefined {
  return controller && 'bind' in controller ? unwrapped(controller) : undefined;
}

/** The finalizers of a Service: those that its owner removes, those of other known controllers, and those of which it is not known. */
export interface Finalizers {
  readonly own: readonly string[];
  readonly foreign: readonly string[];
  readonly strange: readonly string[];
}

/** The finalizers of a Service, as its owner sees them. */
export function finalizersFor(
  balancer: SideBalancer,
  all: readonly string[] = finalizersOf(balancer.service),
): Finalizers {
  const kind = kindOf(balancer);
  const own = all.filter((finalizer) => kind && isOf(finalizer, kind));
  const foreign = all.filter((finalizer) => kind && !own.includes(finalizer) && isOfController(finalizer));
  return { own, foreign, strange: all.filter((one) => !own.includes(one) && !foreign.includes(one)) };
}

function isOf(finalizer: string, { finalizers, untouchableFinalizers = [] }: ControllerDefinition): boolean {
  return finalizers.includes(finalizer) || untouchableFinalizers.includes(finalizer);
}

/** Whether a finalizer is that of some controller that makes balancers. */
export function isOfController(finalizer: string): boolean {
  return finalizer === LOAD_BALANCER_CLEANUP_FINALIZER || knownKinds().some((kind) => isOf(finalizer, kind));
}

/** How it is known that a controller is not there after a change. */
export interface Uninstalled {
  /** What installed it and is in no manifest any more; nothing where what is known of the cluster says so. */
  readonly install?: Install;
  /** Whether that is so only where objects that are in no manifest any more are deleted. */
  readonly isByPruning: boolean;
}

/** Whether the owner of a balancer is taken away in the change; nothing where it stays, or nobody can say. */
export function uninstalledOwner(balancer: SideBalancer, sides: Sides): Uninstalled | undefined {
  const { owner } = balancer;
  const { before, after, options } = sides;
  if (owner === undefined) {
    return undefined;
  }
  if (runs(before, owner) && after.controllers && !after.controllers.includes(owner)) {
    return { isByPruning: false };
  }
  if (before.isLive && options.prune !== true) {
    return undefined; // a cluster has more than the manifests that are applied to it
  }
  const installs = installPairs(balancer, owner, sides);
  const install = installs[0]?.before;
  const isGone = install && installs.every((pair) => pair.after === undefined);
  return isGone && options.prune !== false && after.controllers?.includes(owner) !== true
    ? { install, isByPruning: options.prune === undefined }
    : undefined;
}

function runs({ controllers }: Side, owner: string): boolean {
  return controllers?.includes(owner) === true;
}
