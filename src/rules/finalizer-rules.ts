import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import type { ControllerKind } from './controller-kind';
import type { Rule, RuleContext, Verdict } from './rule';
import { finalizersOf } from './service-json';

// The finalizers of a finished Service are those that the owner of its load balancer removes.

/** A finalizer that the owner does not remove blocks the deletion, or is stripped before the balancer is gone. */
const finalizerOwner: Rule = {
  id: 'finalizer-owner',
  severity: 'error',
  says: "the finalizers of load balancer controllers on a Service are the owner's own",
  judge(service, context) {
    let found: Verdict[] | undefined;
    for (const finalizer of finalizersOf(service)) {
      const others = removes(finalizer, context) ? undefined : othersThatRemove(finalizer, context);
      if (others) {
        found ??= [];
        const owner = ownerOf(context);
        found.push({
          what: `finalizer ${finalizer} belongs to ${others}, and this balancer is owned by ${owner}, which does not remove it: deletion hangs, or the finalizer is stripped while the balancer still stands`,
          wayOut: `remove it${declared(context)}`,
          value: finalizer,
        });
      }
    }
    return found;
  },
};

/** To some controllers a finalizer says more than that there is something to clean up. */
const finalizerUntouchable: Rule = {
  id: 'finalizer-untouchable',
  severity: 'error',
  says: 'no manifest carries a finalizer that only its controller may write',
  judge(service, context) {
    for (const finalizer of finalizersOf(service)) {
      const owner = removes(finalizer, context) ? undefined : guardian(finalizer, context.kind);
      if (owner) {
        return {
          what: `finalizer ${finalizer} is a mark of ${owner.name}, which decides by it how the Service is served`,
          wayOut: 'remove it and leave it to the controller',
          value: finalizer,
        };
      }
    }
    return undefined;
  },
};

function guardian(finalizer: string, kind: ControllerKind | undefined): ControllerKind | undefined {
  return kind?.all().find((candidate) => candidate.untouchableFinalizers?.includes(finalizer));
}

/** Nobody that is known removes it. */
const finalizerUnknown: Rule = {
  id: 'finalizer-unknown',
  severity: 'warning',
  says: 'somebody that is known removes every finalizer',
  judge(service, context) {
    const finalizers = finalizersOf(service);
    if (finalizers.every((finalizer) => removes(finalizer, context))) {
      return undefined;
    }
    return finalizers
      .filter((finalizer) => !removes(finalizer, context))
      .filter((finalizer) => !othersThatRemove(finalizer, context) && !guardian(finalizer, context.kind))
      .map((finalizer) => ({
        what: `finalizer ${finalizer} is removed by no load balancer controller that is known here; until somebody does, deletion of the Service and of its namespace hangs`,
        wayOut: 'make sure that its controller runs, or remove it',
        value: finalizer,
      }));
  },
};

function removes(finalizer: string, { kind, ownFinalizers }: RuleContext): boolean {
  return kind?.finalizers.includes(finalizer) === true || ownFinalizers?.includes(finalizer) === true;
}

function othersThatRemove(finalizer: string, { kind }: RuleContext): string | undefined {
  if (finalizer === LOAD_BALANCER_CLEANUP_FINALIZER) {
    return 'the service controller of a cloud provider';
  }
  const owners = kind?.all().filter((other) => other.finalizers.includes(finalizer)) ?? [];
  return owners.length > 0 ? owners.map((owner) => owner.name).join(' and ') : undefined;
}

function ownerOf({ kind, controller }: RuleContext): string {
  return controller?.name ?? kind?.name ?? 'another controller';
}

function declared({ kind }: RuleContext): string {
  return kind && kind.finalizers.length > 0 ? `; the one of ${kind.name} is ${kind.finalizers.join(' or ')}` : '';
}

/** The rules about finalizers, whoever the owner is. */
export const FINALIZER_RULES: readonly Rule[] = [finalizerOwner, finalizerUntouchable, finalizerUnknown];
