import type { Json } from '../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import { isRemovedBy } from '../rules/added-finalizers';
import { type ControllerDefinition, knownKinds } from '../rules/controller-definition';
import { finalizersOf } from '../rules/service-json';

export function deletion(service: Json): string | undefined {
  const { deletionTimestamp } = service.metadata ?? {};
  if (!deletionTimestamp) {
    return undefined;
  }
  const waits = finalizersOf(service).map((finalizer) => `${remover(finalizer)} to remove ${finalizer}`);
  return `since ${deletionTimestamp}: ${waits.length > 0 ? `it waits for ${waits.join(', and for ')}` : 'no finalizer keeps it'}`;
}

export function remover(finalizer: string): string {
  if (finalizer === LOAD_BALANCER_CLEANUP_FINALIZER) {
    return 'the service controller of the cloud provider';
  }
  return knownKinds().find((kind) => isRemovedBy(finalizer, kind))?.name ?? 'a controller not known here';
}

/** What removes the finalizers, or why there are none. */
export function finalizerReason(
  service: Json,
  kind: ControllerDefinition | undefined,
  findings: readonly { readonly ruleId: string }[],
): string {
  const finalizers = finalizersOf(service);
  if (!kind) {
    return finalizers.length > 0 ? 'the owner of the balancer must remove them' : 'no owner is known';
  }
  if (finalizers.length > 0) {
    const own = finalizers.filter((finalizer) => isRemovedBy(finalizer, kind));
    const isReported = findings.some(({ ruleId }) => ruleId.startsWith('finalizer-'));
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
