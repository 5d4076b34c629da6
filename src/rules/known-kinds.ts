import { type Json, once, oncePer } from '../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import { claimsOf, type Claim as ResourceClaim } from './claims';
import {
  type Claim,
  type ControllerDefinition,
  definitionOf,
  isRemovedBy,
  kindsIn,
  unwrapped,
} from './controller-definition';
import { annotationsOf, classOf } from './service-json';

/**
 * All kinds of controllers, for Services whose owner is not named. Rules know no controller: whichever of them a
 * program uses, all are looked for, in the index of their room.
 */
export const knownKinds = once(() => kindsIn(require('../controllers') as Record<string, unknown>));

const owners = () => (require('../controllers') as VendorsRoom).LoadBalancerOwner;

/** All kinds, with those of vendors whose Services are read and not written. */
export const allKinds = once((): readonly ControllerDefinition[] => [...knownKinds(), ...owners()._vendors()]);

/** True if a controller of balancers removes a finalizer. */
export function isOfController(finalizer: string): boolean {
  return finalizer === LOAD_BALANCER_CLEANUP_FINALIZER || allKinds().some((kind) => isRemovedBy(finalizer, kind));
}

/** The kinds that may serve a Service; a vendor that neither its class nor an annotation names is not loaded. */
function kindsFor(service: Json): readonly ControllerDefinition[] {
  return [...knownKinds(), ...owners()._vendors(service)];
}

interface VendorsRoom {
  readonly LoadBalancerOwner: {
    _vendors(service?: Json): readonly ControllerDefinition[];
    _vendorOfKey(key: string): Vendor | undefined;
  };
}

interface Vendor {
  readonly id: string;
  readonly name: string;
}

/** The vendor whose controller reads an annotation, also one that has no descriptor. */
export function vendorOfKey(key: string): Vendor | undefined {
  return owners()._vendorOfKey(key);
}

export interface Claimant {
  readonly controller: ILoadBalancerController;
  readonly kind: ControllerDefinition;
  readonly claim: Claim;
}

/** Findings of controllers in a Service; controllers that users write cannot be asked. */
export function claimants(service: Json, controllers: readonly ILoadBalancerController[]): Claimant[] {
  const found: Claimant[] = [];
  for (const controller of controllers) {
    const kind = definitionOf(controller);
    if (kind) found.push({ controller, kind, claim: kind.claim(service, unwrapped(controller)) });
  }
  return found;
}

const installed = oncePer((kinds: readonly ControllerDefinition[]) => kinds.map((kind) => kind.installed()));

/** The controllers that might take a Service where any may run, each as it is installed by default. */
export function possibleClaimants(service: Json, kinds = knownKinds()): Claimant[] {
  return claimants(service, installed(kinds)).filter(({ claim }) => claim.claimed !== 'no');
}

/** The controllers that might take a Service where any may run, in whatever way they are installed. */
export function possibleOwners(service: Json): ControllerDefinition[] {
  const ways = ({ variants = {} }: ControllerDefinition) => Object.values(variants).map((install) => install());
  return knownKinds().filter((kind) =>
    claimants(service, [kind.installed(), ...ways(kind)]).some(({ claim }) => claim.claimed !== 'no'),
  );
}

export interface LikelyOwner {
  readonly kind: ControllerDefinition;
  /** True if its class says so, and not only annotations that no other controller reads. */
  readonly isSure: boolean;
  /** The controller as it is installed, if that is known. */
  readonly controller?: ILoadBalancerController;
}

/**
 * The owner of a Service in a cluster of which nothing is known: the only one that serves its class; without a class,
 * the only one of those that serve such Services that reads some annotation of it.
 */
export function likelyOwner(service: Json): LikelyOwner | undefined {
  const isSure = classOf(service) !== undefined;
  const might = likelyClaimants(service);
  return might.length === 1 ? { kind: might[0].kind, isSure } : undefined;
}

/**
 * The controllers one of which most likely owns a Service in a cluster of which nothing is known: those that serve its
 * class; without a class, those that serve such Services and read some annotation of it. An annotation that several of
 * them read tells nothing where another one tells them apart.
 */
export function likelyClaimants(service: Json): Claimant[] {
  const might = possibleClaimants(service, kindsFor(service));
  if (classOf(service) !== undefined) {
    return might;
  }
  const keys = Object.keys(annotationsOf(service));
  const readers = might
    .filter(({ claim }) => !claim.byDefaultingTheClass)
    .map((claimant) => ({ claimant, read: keys.filter((key) => claimant.kind.catalogue.owns(key)) }))
    .filter(({ read }) => read.length > 0);
  const readByBase = (basedOn: string | undefined, key: string) =>
    readers.some(({ claimant, read }) => claimant.kind.name === basedOn && read.includes(key));
  const reading = readers.filter(({ claimant, read }) => !read.every((key) => readByBase(claimant.kind.basedOn, key)));
  const isOwn = (key: string) => reading.filter(({ read }) => read.includes(key)).length === 1;
  const telling = reading.filter(({ read }) => read.some(isOwn));
  return (telling.length > 0 ? telling : reading).map(({ claimant }) => claimant);
}

export function likelyClaimsOf(service: Json): readonly ResourceClaim[] {
  const owner = likelyOwner(service);
  const claims = claimsOf(service, owner?.kind);
  return owner?.isSure === false
    ? claims.map((claim) => (claim.who === owner.kind.name ? { ...claim, isUnsure: true } : claim))
    : claims;
}
