import { list, mapIn } from '../contract/json';
import type { Writer } from '../lifecycle/writers.facts';
import { Applied } from '../rules/applied';
import type { ControllerDefinition } from '../rules/controller-definition';
import type { Manifest } from '../rules/manifest-objects';
import { finalizersOf } from '../rules/service-json';
import { finalizersFor, kindOf } from './owners';
import type { Side, SideBalancer, Sides } from './side';

// What of an object of a cluster was in a manifest, and what controllers have written since.

/** What shows who wrote a live Service, where who applies it leaves what others have written; nothing where that is not known. */
export function appliedTo({ service }: SideBalancer, { before, options }: Sides): Applied | undefined {
  if (!leavesOthers({ before, options })) {
    return undefined;
  }
  const applied = new Applied(service);
  return applied.isKnown ? applied : undefined;
}

/** Whether what others have written on a live object stays: the manifest does not say it, and who applies it takes out only what it said. */
export function leavesOthers({ before, options }: Pick<Sides, 'before' | 'options'>): boolean {
  return before.isLive === true && !WHOLE.has(options.writer);
}

/** Whether the owner of a live Service wrote an annotation, and who applies it leaves what others have written. */
export function isOfOwner(
  { service }: SideBalancer,
  kind: ControllerDefinition | undefined,
  key: string,
  sides: Sides,
): boolean {
  const isWritten = kind?.writtenAnnotations?.includes(key) === true;
  return isWritten && leavesOthers(sides) && !new Applied(service).hasAnnotation(key);
}

/** They leave nothing that is not in the manifest. */
const WHOLE: ReadonlySet<Writer | undefined> = new Set<Writer>(['put', 'put-class-null', 'recreate']);

/** Whether manifests were read from a cluster: all have what the API server alone writes. */
export function isDumped(manifests: readonly Manifest[]): boolean {
  const isServed = ({ object }: Manifest) => SERVER_FIELDS.some((field) => field in mapIn(object, 'metadata'));
  return manifests.length > 0 && manifests.every(isServed);
}

const SERVER_FIELDS = ['uid', 'resourceVersion', 'managedFields'];

/** The finalizers that the manifest of a balancer declares; nothing where a live object does not show it. */
export function declaredFinalizers({ service }: SideBalancer, { isLive }: Side): readonly string[] | undefined {
  const all = finalizersOf(service);
  if (!isLive) {
    return all;
  }
  const applied = new Applied(service);
  return applied.isKnown ? all.filter((finalizer) => applied.hasFinalizer(finalizer)) : undefined;
}

/** Whether a live Service with an address has lost the finalizer that its owner adds before it makes a balancer. */
export function isStripped(balancer: SideBalancer, { isLive }: Side): boolean {
  const { service, written } = balancer;
  const { ingress } = mapIn(mapIn(service, 'status'), 'loadBalancer');
  return (
    isLive === true &&
    written.madeOf === undefined &&
    list(ingress).length > 0 &&
    (kindOf(balancer)?.finalizers.length ?? 0) > 0 &&
    finalizersFor(balancer).own.length === 0
  );
}
