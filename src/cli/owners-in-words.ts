import { grouped, type Json, mapIn, stepsOf } from '../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import type { LoadBalancerFinding } from '../contract/options';
import { type DescribedRule, editDistance, findingOf, unlessLive } from '../contract/rule';
import { AwsLoadBalancerController } from '../controllers/aws-load-balancer-controller/controller';
import type { LoadBalancerOwner } from '../controllers/load-balancer-owner';
import { METALLB_CONTROLLER } from '../controllers/metal-lb/annotations';
import { OwnershipState } from '../controllers/options';
import {
  findOtherController,
  InstalledOtherController,
  otherOfClass,
  ownerEvidence,
} from '../controllers/other-controller';
import { VENDOR_MARKS } from '../controllers/vendors/marks.facts';
import { type ControllerDefinition, definitionOf, isRemovedBy, unwrapped } from '../rules/controller-definition';
import { allKinds, claimants, likelyClaimants, possibleOwners } from '../rules/known-kinds';
import { annotationsOf, classOf, finalizersOf, wantsLoadBalancer } from '../rules/service-json';
import type { CheckContext } from './context/check-context';
import { METALLB_CLASS_FLAG } from './context/evidence.facts';
import { OTHER_CLASSES } from './explain/known-words.facts';
import { RULES } from './file-rules/rules.facts';

export function deletion(service: Json): string | undefined {
  const { deletionTimestamp } = service.metadata ?? {};
  const waits = finalizersOf(service).map((finalizer) => `${remover(finalizer)} to remove ${finalizer}`);
  const why = waits.length > 0 ? `it waits for ${waits.join(', and for ')}` : 'no finalizer keeps it';
  return deletionTimestamp ? `since ${deletionTimestamp}: ${why}` : undefined;
}

export function remover(finalizer: string): string {
  if (finalizer === LOAD_BALANCER_CLEANUP_FINALIZER) {
    return 'the service controller of the cloud provider';
  }
  return allKinds().find((kind) => isRemovedBy(finalizer, kind))?.name ?? 'a controller not known here';
}

export function finalizerReason(
  service: Json,
  kind: ControllerDefinition | undefined,
  findings: readonly { readonly pointer: string }[],
): string {
  const finalizers = finalizersOf(service);
  if (!kind) {
    return finalizers.length > 0 ? 'the owner of the balancer must remove them' : 'no owner is known';
  }
  if (finalizers.length > 0) {
    const own = finalizers.filter((finalizer) => isRemovedBy(finalizer, kind));
    const isReported = findings.some((one) => isAboutFinalizers(one.pointer));
    const others = isReported ? 'see below' : 'each controller that runs removes its own';
    return own.length === finalizers.length ? `${kind.name} removes it once the balancer is gone` : others;
  }
  if (kind.untouchableFinalizers) {
    return `${kind.name} adds its own, which only it may write`;
  }
  return kind.finalizers.length > 0
    ? `${kind.name} adds its own when it first sees the Service`
    : `${kind.name} has none`;
}

export function isAboutFinalizers(at: string): boolean {
  return stepsOf(at).includes('finalizers');
}

function ownerWithoutRules(service: Json, { state, controller, because }: LoadBalancerOwner): LoadBalancerFinding[] {
  const [sign] = state === OwnershipState.UNKNOWN ? ownerEvidence(service) : [];
  const name = controller instanceof InstalledOtherController ? controller.name : sign?.other.name;
  const isDescribed = controller ? definitionOf(controller) : sign && isKindNamed(sign.other.id);
  if (name === undefined || isDescribed || !wantsLoadBalancer(service)) {
    return [];
  }
  const { at = '/spec/type' } = sign ?? {};
  return [
    findingOf(RULES['owner-not-checked'], { ...(sign && { case: 'signed', sign: sign.sign }), name, because, at }),
  ];
}

const isKindNamed = (id: string) => allKinds().some((kind) => kind.name === id);

export function ownerNotes(
  service: Json,
  owner: LoadBalancerOwner,
  { controllers, shown }: Pick<CheckContext, 'controllers' | 'shown'>,
): LoadBalancerFinding[] {
  const named = ownerWithoutRules(service, owner);
  return named.length > 0 || controllers ? named : ownerUnsaid(service, owner, shown);
}

function ownerUnsaid(
  service: Json,
  { state }: LoadBalancerOwner,
  shown: readonly ILoadBalancerController[] = [],
): LoadBalancerFinding[] {
  const isSaid =
    classOf(service) !== undefined ||
    finalizersOf(service).length > 0 ||
    Object.keys(annotationsOf(service)).some((key) => allKinds().some(({ catalogue }) => catalogue.owns(key)));
  if (state !== OwnershipState.UNKNOWN || isSaid || likelyClaimants(service).length > 0) {
    return [];
  }
  const claiming = claimants(service, shown).filter(({ claim }) => claim.claimed !== 'no');
  const kinds = [...new Set([...possibleOwners(service), ...claiming.map(({ kind }) => kind)])];
  const schemes = grouped(kinds, (kind) => kind.schemeOf(service).scheme ?? 'as its address pool decides');
  if (kinds.length === 0) {
    return [];
  }
  const ways = [...schemes].map(([scheme, all]) => `${scheme} with ${all.map(({ name }) => name).join(', ')}`);
  return [findingOf(RULES['owner-unspecified'], { ways: ways.join('; ') })];
}

export function unknownWebhook(
  service: Json,
  owner: string | undefined,
  controllers: readonly ILoadBalancerController[] = [],
): string | undefined {
  // a live Service has the class that it was given
  const isNew = mapIn(service, 'metadata').uid === undefined;
  if (!isNew || !wantsLoadBalancer(service) || classOf(service) !== undefined) {
    return undefined;
  }
  const other = controllers
    .map(unwrapped)
    .find((one) => one instanceof AwsLoadBalancerController && one._writer.isWebhookUnsaid);
  return other?.name === owner ? undefined : other?.name;
}

export function unlessWebhookClaims(finding: LoadBalancerFinding, controller: string): LoadBalancerFinding {
  return {
    ...finding,
    what: `${finding.what}, unless the webhook of ${controller}, which is on by default, sets the class of the Service`,
    remedy: `set serviceMutatorWebhook of ${controller} in load-balancers.yaml to true or false; if it is false, ${finding.remedy}`,
  };
}

export const UNCLAIMED: DescribedRule = RULES['service-without-controller'];

export const CONTESTED: DescribedRule = RULES['owner-ambiguous'];

export function ownershipErrors(service: Json, owner: LoadBalancerOwner): LoadBalancerFinding[] {
  const { state, because } = owner;
  const at = classOf(service) === undefined ? '/spec/type' : '/spec/loadBalancerClass';
  if (state === OwnershipState.UNCLAIMED) {
    const what = `the Service stays pending, since no controller that runs here makes its balancer: ${because}`;
    const remedy = unlessLive('give it the class or the annotations of one that runs here');
    return [{ ruleId: UNCLAIMED.id, who: 'list', what, remedy, at }];
  }
  if (state === OwnershipState.CONTESTED) {
    const what = `more than one controller takes this Service: ${because}`;
    return [{ ruleId: CONTESTED.id, who: 'list', what, remedy: unlessLive(wayToOneOwner(service, owner)), at }];
  }
  return [];
}

/** Controllers of clouds have no class: the others have one, or a setting by which they take no Service without one. */
function wayToOneOwner(service: Json, { candidates }: LoadBalancerOwner): string {
  const classed = candidates.filter((one) => (definitionOf(one)?.classes ?? []).length > 0);
  if (classOf(service) !== undefined || classed.length === candidates.length) {
    return 'give it the class of one of them';
  }
  const leaving = candidates.flatMap(({ name }) => {
    const { by } = findOtherController(name)?.leavesClassless ?? {};
    const how =
      name === METALLB_CONTROLLER
        ? `its flag --${METALLB_CLASS_FLAG}, and name its loadBalancerClass in load-balancers.yaml`
        : by && `${by}, and list its classes in load-balancers.yaml`;
    return how ? [`have ${name} leave Services without a class by ${how}`] : [];
  });
  const ways = [...classed.map(({ name }) => `give it a class of ${name}`), ...leaving];
  return ways.join(', or ') || 'have one of them alone take Services without a class';
}

export function knownClasses(): string[] {
  return [
    ...allKinds().flatMap(({ classes }) => classes),
    ...new Set([...OTHER_CLASSES.map(({ name }) => name), ...VENDOR_MARKS.flatMap(({ classes }) => classes)]),
  ].filter((name) => !name.endsWith('/'));
}

export function classLike(name: string): string | undefined {
  const all = knownClasses();
  if (all.includes(name) || otherOfClass(name)) {
    return undefined;
  }
  const near = all
    .map((known) => ({ known, distance: editDistance(name.toLowerCase(), known.toLowerCase()) }))
    .filter(({ known, distance }) => distance <= Math.max(2, Math.floor(known.length / 5)))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.known ?? all.find((known) => known.endsWith(`/${name}`));
}

export function classWithoutFinalizer(
  service: Json,
  { controller, name: owner }: LoadBalancerOwner,
): LoadBalancerFinding[] {
  const name = classOf(service);
  const kind = controller && definitionOf(controller);
  const hasNone = kind && kind.finalizers.length === 0 && kind.untouchableFinalizers === undefined;
  if (name === undefined || owner === undefined || !hasNone || kind.forgets || !wantsLoadBalancer(service)) {
    return [];
  }
  return [findingOf(RULES['class-without-finalizer'], { who: owner, value: name })];
}
