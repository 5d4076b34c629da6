import { isMap, type Json, shown } from '../contract/json';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import { type Claim, type ControllerDefinition, definitionOf, unwrapped } from '../rules/controller-definition';
import { allKinds, claimants, knownKinds, possibleClaimants } from '../rules/known-kinds';
import { classOf, wantsLoadBalancer } from '../rules/service-json';
import { OwnershipState } from './options';
import {
  findOtherController,
  InstalledOtherController,
  type OtherController,
  otherControllersOf,
  otherOfKey,
  ownerEvidence,
} from './other-controller';

/**
 * The controller that claims an object, or that it cannot be known: a Service without a class means five different things
 * on five platforms.
 */
export class LoadBalancerOwner {
  /**
   * The owner of the load balancer of an object. Some controllers make one for a Service of another type as well, where an
   * annotation claims it.
   *
   * @param manifest the object as JSON, as `ApiObject.toJson()` gives it or a YAML parser reads it
   * @param controllers the controllers that run in the cluster, the cloud's own among them, as they are installed: only these
   *   can claim the object; by default they are unknown, and so is the owner of a Service without a class
   */
  // biome-ignore lint/suspicious/noExplicitAny: a manifest of any origin
  public static of(manifest: any, controllers?: ILoadBalancerController[]): LoadBalancerOwner {
    if (!isMap(manifest)) {
      return new LoadBalancerOwner(OwnershipState.NOT_APPLICABLE, 'this asks for no load balancer');
    }
    if (!wantsLoadBalancer(manifest)) {
      return ofOtherType(manifest, controllers);
    }
    return controllers ? amongInstalled(manifest, controllers) : byDefaults(manifest);
  }

  /** Like `of`, with controllers that serve other tasks too and have pools of addresses. @internal */
  public static _amongPools(
    service: Json,
    controllers: ILoadBalancerController[],
    hasPool: (service: Json) => readonly string[],
  ): LoadBalancerOwner {
    return wantsLoadBalancer(service)
      ? amongInstalled(service, controllers, hasPool(service))
      : LoadBalancerOwner.of(service, controllers);
  }

  /** @internal */
  public static _vendors(service?: Json): readonly ControllerDefinition[] {
    const { vendorKinds } = require('./vendors/vendor-kinds') as typeof import('./vendors/vendor-kinds');
    return vendorKinds(service && otherControllersOf(service));
  }

  /** @internal */
  public static _vendorOfKey(key: string): OtherController | undefined {
    return otherOfKey(key);
  }

  /** @internal */
  public static _told(
    state: OwnershipState,
    because: string,
    candidates: ILoadBalancerController[] = [],
    owner?: ILoadBalancerController,
  ): LoadBalancerOwner {
    return new LoadBalancerOwner(state, because, candidates, owner);
  }

  private constructor(
    /** True if the owner is known. */
    public readonly state: OwnershipState,
    /** Reason, in one clause. */
    public readonly because: string,
    /** The controllers that might own it, if nothing is decided. */
    public readonly candidates: ILoadBalancerController[] = [],
    /** The owner, where there is exactly one. */
    public readonly controller?: ILoadBalancerController,
  ) {}

  /** The upstream name of the owner, where there is exactly one. */
  public get name(): string | undefined {
    return this.controller?.name;
  }
}

const told = LoadBalancerOwner._told;

function ofOtherType(object: Json, controllers?: readonly ILoadBalancerController[]): LoadBalancerOwner {
  const isService = object.kind === 'Service' && object.apiVersion === 'v1';
  const asked = controllers ?? knownKinds().map((kind) => kind.installed());
  for (const controller of isService ? asked : []) {
    const claim = definitionOf(controller)?.claimsOtherTypes?.(object, unwrapped(controller));
    if (claim?.claimed === 'yes') {
      return told(OwnershipState.OWNED, claim.because, [], controller);
    }
  }
  const type = isService ? ` of type ${shown(object.spec?.type ?? 'ClusterIP')}` : '';
  return told(OwnershipState.NOT_APPLICABLE, `${shown(object.kind)}${type} asks for no load balancer`);
}

function amongInstalled(
  service: Json,
  controllers: readonly ILoadBalancerController[],
  withPools: readonly string[] = [],
): LoadBalancerOwner {
  const others = controllers.filter(
    (one): one is InstalledOtherController => one instanceof InstalledOtherController && !definitionOf(one),
  );
  const asked: Answer[] = [
    ...claimants(service, controllers),
    ...others.map((controller) => ({ controller, claim: controller.claim(service) })),
  ];
  const sure = asked.filter(({ claim }) => claim.claimed === 'yes');
  const first = sure.filter(({ claim }) => claim.byDefaultingTheClass);
  const all = first.length > 0 ? first : sure;
  const busy = all.filter(({ controller }) => withPools.includes(controller.name) || !isIdleFor(service, controller));
  const winners = busy.length > 0 ? busy : all;
  if (winners.length === 1) {
    return owned(winners[0]);
  }
  if (winners.length > 1) {
    const because = winners
      .map(({ controller, claim }) => `${controller.name} claims it because ${claim.because}`)
      .join('; ');
    const contenders = winners.map(({ controller }) => controller);
    return told(OwnershipState.CONTESTED, because, contenders);
  }
  const perhaps = asked.filter(({ claim }) => claim.claimed === 'maybe');
  const unknown = controllers.filter((one) => !definitionOf(one) && !others.some((other) => other === one));
  if (perhaps.length + unknown.length > 0) {
    const reasons = [
      ...perhaps.map(({ controller, claim }) => `${controller.name}: ${claim.because}`),
      ...unknown.map(({ name }) => `${name} cannot be asked`),
    ];
    const candidates = [...perhaps.map(({ controller }) => controller), ...unknown];
    return told(OwnershipState.UNKNOWN, reasons.join('; '), candidates);
  }
  const because = asked.map(({ controller, claim }) => `${controller.name}: ${claim.because}`).join('; ');
  return told(OwnershipState.UNCLAIMED, because || 'no controller is installed');
}

/** True for a controller that runs for other tasks too and makes balancers with pools alone, of a Service without its marks. */
function isIdleFor(service: Json, { name }: ILoadBalancerController): boolean {
  const { hasOtherTasks, kinds } = findOtherController(name) ?? {};
  return (
    hasOtherTasks === true && kinds !== undefined && !ownerEvidence(service).some(({ other }) => other.id === name)
  );
}

function byDefaults(service: Json): LoadBalancerOwner {
  const loadBalancerClass = classOf(service);
  const might = possibleClaimants(service, loadBalancerClass === undefined ? knownKinds() : allKinds());
  const candidates = might.map(({ controller }) => controller);
  const signs = might.length === 1 && loadBalancerClass !== undefined ? [] : ownerEvidence(service);
  const written = signs.filter(({ isWritten }) => isWritten);
  const [sign, ...more] = written.length > 0 ? written : signs;
  if (sign) {
    const kinds = [sign, ...more].map(({ other }) => allKinds().find(({ name }) => name === other.id));
    const known = kinds.flatMap((kind) => kind?.installed() ?? []);
    const because = [sign, ...more].map((one) => `${one.sign} is for ${one.other.name}`).join(', and ');
    return kinds[0]
      ? told(OwnershipState.UNKNOWN, because, known)
      : told(
          OwnershipState.UNKNOWN,
          `${sign.sign} is ${sign.other.name}'s, whose rules are not known here`,
          candidates,
        );
  }
  if (loadBalancerClass === undefined) {
    const names = candidates.map(({ name }) => name).join(', ');
    const because = `a Service without a class belongs to whichever runs in the cluster: ${names}, or one that is not known here`;
    return told(OwnershipState.UNKNOWN, because, candidates);
  }
  if (might.length === 1) {
    return owned(might[0]);
  }
  const because = `no controller is known to serve class '${loadBalancerClass}' by default`;
  return told(OwnershipState.UNKNOWN, because, candidates);
}

interface Answer {
  readonly controller: ILoadBalancerController;
  readonly claim: Claim;
}

function owned({ controller, claim }: Answer): LoadBalancerOwner {
  return told(OwnershipState.OWNED, claim.because, [], controller);
}
