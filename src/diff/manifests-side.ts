import type { Json } from '../contract/json';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import { objectIdOf } from '../contract/object-title';
import { LoadBalancerOwner, OwnershipState } from '../controllers/load-balancer-owner';
import type { ReportedService } from '../later/later';
import { laterServices } from '../later/later-services';
import { claimants, likelyOwner } from '../rules/claimants';
import { knownKinds } from '../rules/controller-definition';
import { madeOf } from '../rules/made-of';
import type { Manifest } from '../rules/manifest-objects';
import { typedService } from '../rules/service-fields';
import { isService, wantsLoadBalancer } from '../rules/service-json';
import { markOf } from './marks';
import type { Side, SideBalancer } from './side';

/** Who owns a balancer, and how that is known. */
export type Ownership = Pick<SideBalancer, 'owner' | 'controller' | 'guess' | 'unowned' | 'ownership'>;

/** What is known of a side beside its manifests. */
export interface KnownOfSide {
  /** Controllers that run in its cluster; there may be others. */
  readonly controllers?: readonly ILoadBalancerController[];
  /** Those that are planned to own a Service, by its id. */
  readonly planned?: ReadonlyMap<string, Ownership>;
  /** Services that are made later, as far as the manifests do not show it. */
  readonly hidden?: readonly ReportedService[];
  /** Of the newer side: what is applied before it. */
  readonly older?: readonly Manifest[];
  /** What the side is compared with, of the same cluster: who owns a Service there would take it here, unless it says otherwise. */
  readonly newer?: Side;
}

/** One side of a difference: manifests as they are applied. */
export function sideOfManifests(name: string, manifests: readonly Manifest[], known: KnownOfSide = {}): Side {
  const { services, notes, nlbs = [] } = laterServices(manifests, true, known.older);
  const compared = new Set(nlbs.map(({ note }) => note));
  const shown: ReportedService[] = [...manifests.filter(({ object }) => isService(object)), ...services];
  const { hidden: planned = [], older = [] } = known;
  // without the nodes that live they would have other names
  const afresh = planned.length > 0 && older.length > 0 ? laterServices(manifests, true).services : [];
  const ids = new Set([...shown, ...afresh].map(({ object }) => objectIdOf(object)));
  const hidden = planned.filter(({ object }) => !ids.has(objectIdOf(object)));
  const beside = manifests.map(({ object }) => object).filter((object) => !isService(object));
  const owners = new OwnerFinder(known);
  const balancers = [...shown, ...hidden].flatMap((service) => balancerOf(service, beside, owners) ?? []);
  return { name, manifests, balancers, gaps: notes.filter((note) => !compared.has(note)) };
}

function balancerOf(written: ReportedService, beside: readonly Json[], owners: OwnerFinder): SideBalancer | undefined {
  const { service } = typedService(written.object);
  const id = objectIdOf(service);
  const ownership = owners.of(id, service, written);
  if (!ownership) {
    return undefined;
  }
  const made = madeOf(service, ownership.controller, beside);
  const title = written.madeBy === undefined ? id : `${id}, of ${written.madeBy}`;
  return { id, title, service, written, ...ownership, ...(made ? { made } : {}) };
}

/** Who owns the Services of a side. */
class OwnerFinder {
  private readonly newer: ReadonlyMap<string, SideBalancer>;

  public constructor(private readonly known: KnownOfSide) {
    this.newer = new Map(known.newer?.balancers.map((balancer) => [balancer.id, balancer]));
  }

  /** The owner, as far as it is known; nothing where the Service asks for no balancer. */
  public of(id: string, service: Json, written: ReportedService): Ownership | undefined {
    const { planned, controllers = [] } = this.known;
    const own = planned?.get(id);
    if (own) {
      return own;
    }
    const byDefault = LoadBalancerOwner.of(service);
    const isAsked = byDefault.state !== OwnershipState.NOT_APPLICABLE;
    const told = this.marked(written) ?? this.asNow(id, service);
    if (isAsked && told) {
      return told;
    }
    const owner = ownerAmong(service, controllers);
    if (!owner && !isAsked) {
      return undefined;
    }
    return (
      told ?? (owner && ownedBy(owner)) ?? (byDefault.controller ? ownedBy(byDefault.controller) : guessed(service))
    );
  }

  /** What was protected says who owns it. */
  private marked(written: ReportedService): Ownership | undefined {
    const owner = markOf(written);
    if (owner === undefined) {
      return undefined;
    }
    const installed = this.known.controllers?.filter(({ name }) => name === owner) ?? [];
    const controller = installed.length === 1 ? installed[0] : knownKinds().find(({ name }) => name === owner);
    return { owner, ownership: OwnershipState.OWNED, ...(controller ? { controller } : {}) };
  }

  /** Who owns it on the newer side, where that one would take it as it is here. */
  private asNow(id: string, service: Json): Ownership | undefined {
    const now = this.newer.get(id);
    if (now?.ownership !== OwnershipState.OWNED) {
      return undefined;
    }
    const { owner, controller } = now;
    const asked = controller && ('bind' in controller ? controller : controller.installed());
    const isSame = JSON.stringify(service) === JSON.stringify(now.service);
    return isSame || (asked && ownerAmong(service, [asked]))
      ? { owner, ownership: OwnershipState.OWNED, ...(controller ? { controller } : {}) }
      : undefined;
  }
}

/** The only kind among some controllers that takes a Service. */
function ownerAmong(
  service: Json,
  controllers: readonly ILoadBalancerController[],
): ILoadBalancerController | undefined {
  const sure = claimants(service, controllers).filter(({ claim }) => claim.claimed === 'yes');
  const first = sure.filter(({ claim }) => claim.byDefaultingTheClass);
  const winners = wantsLoadBalancer(service) ? (first.length > 0 ? first : sure) : [];
  return new Set(winners.map(({ kind }) => kind)).size === 1 ? winners[0].controller : undefined;
}

function ownedBy(controller: ILoadBalancerController): Ownership {
  return { owner: controller.name, ownership: OwnershipState.OWNED, controller };
}

function guessed(service: Json): Ownership {
  const kind = likelyOwner(service)?.kind;
  const ownership = OwnershipState.UNKNOWN;
  return kind
    ? { owner: kind.name, ownership, controller: kind, guess: 'its class, or the annotations that it reads' }
    : { ownership, unowned: 'needs a class, or annotations of one controller' };
}
