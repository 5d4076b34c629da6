import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import type { Json } from '../contract/late-rendering';
import type { ControllerKind } from './controller-kind';
import type { Rule, RuleContext, Verdict } from './rule';
import { annotationsOf, classOf, finalizersOf, wantsLoadBalancer } from './service-json';

// What must be true between a finished Service and the controller that owns its load balancer, whoever that is.

/** The owner reads every annotation that is meant for it. */
const annotationValue: Rule = {
  id: 'annotation-value',
  severity: 'error',
  says: 'the value of an annotation is one that the owner reads',
  judge(service, { kind }) {
    let found: Verdict[] | undefined;
    const annotations = annotationsOf(service);
    for (const key in annotations) {
      const text = annotations[key];
      const entry = typeof text === 'string' ? kind?.catalogue.find(key) : undefined;
      const read = entry?.annotation.decode(text);
      if (entry && read && 'fault' in read) {
        const fate =
          entry.annotation.fact.badValue === 'refused'
            ? 'which it refuses: an event at best, and no balancer'
            : 'which it silently takes for something else';
        found ??= [];
        found.push({
          what: `annotation ${key}: ${read.fault}, ${fate}`,
          wayOut: `write ${entry.annotation.fact.codec.says}`,
          value: text,
        });
      }
    }
    return found;
  },
};

/** A key with the owner's prefix that it does not know is misspelt, or newer than the catalogue. */
const annotationUnknown: Rule = {
  id: 'annotation-unknown',
  severity: 'warning',
  says: 'an annotation with the prefix of the owner is one that it knows',
  concerns: unknownAmong,
  judge(service, { kind }) {
    let found: Verdict[] | undefined;
    for (const key in annotationsOf(service)) {
      if (kind && !kind.catalogue.find(key) && kind.catalogue.claims(key) && !knownToOthers(kind, key)) {
        found ??= [];
        const near = kind.catalogue.nearest(key);
        found.push({
          what: `annotation ${key} is unknown and ignored without a word`,
          wayOut: near ? `did you mean ${near}` : 'check its spelling, or whether this version reads it',
          value: key,
        });
      }
    }
    return found;
  },
};

/** The right name under a prefix that nobody reads. */
const annotationPrefix: Rule = {
  id: 'annotation-prefix',
  severity: 'warning',
  says: 'an annotation that has the name of one of the owner has its prefix as well',
  concerns: unknownAmong,
  judge(service, { kind }) {
    const found: Verdict[] = [];
    for (const key in annotationsOf(service)) {
      const meant = kind && !kind.catalogue.claims(key) ? kind.catalogue.underOwnPrefix(key) : undefined;
      if (kind && meant && !knownToOthers(kind, key)) {
        found.push({ what: `annotation ${key} is read by nobody`, wayOut: `did you mean ${meant}`, value: key });
      }
    }
    return found;
  },
};

/** Upstream has a newer word for it. */
const annotationDeprecated: Rule = {
  id: 'annotation-deprecated',
  severity: 'warning',
  says: 'no annotation is one that its controller calls obsolete',
  concerns: (keys, kind) => keys.some((key) => kind?.catalogue.find(key)?.annotation.fact.deprecated),
  judge(service, { kind }) {
    let found: Verdict[] | undefined;
    for (const key in annotationsOf(service)) {
      const fact = kind?.catalogue.find(key)?.annotation.fact;
      if (fact?.deprecated) {
        found ??= [];
        found.push({
          what: `annotation ${key} is obsolete`,
          wayOut: fact.remark ? `${fact.remark}` : 'use its successor',
          value: key,
        });
      }
    }
    return found;
  },
};

/** Annotations of somebody else do nothing here. */
const annotationForeign: Rule = {
  id: 'annotation-foreign',
  severity: 'warning',
  says: 'no annotation is meant for a controller that does not own the balancer',
  concerns: unknownAmong,
  judge(service, { kind }) {
    let found: Verdict[] | undefined;
    for (const key in annotationsOf(service)) {
      const other = kind && !kind.catalogue.find(key) ? knownToOthers(kind, key) : undefined;
      if (other) {
        found ??= [];
        found.push({
          what: `annotation ${key} is for ${other.name}, and this balancer is owned by ${kind?.name}, which ignores it`,
          wayOut: `remove it, or let ${other.name} own the Service`,
          value: key,
        });
      }
    }
    return found;
  },
};

/** Whether the owner does not know one of these keys. */
function unknownAmong(keys: readonly string[], kind: ControllerKind | undefined): boolean {
  return keys.some((key) => !kind?.catalogue.find(key));
}

function knownToOthers(kind: ControllerKind, key: string): ControllerKind | undefined {
  return kind.all().find((other) => other !== kind && other.catalogue.find(key));
}

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

/** The owner that was meant takes the object as it is written. */
const claimedByOwner: Rule = {
  id: 'claimed-by-owner',
  severity: 'error',
  says: 'the controller that is meant to own the balancer claims the Service',
  judge(service, { kind, controller }) {
    const claim = kind && wantsLoadBalancer(service) ? kind.claim(service, controller) : undefined;
    return claim?.claimed === 'no'
      ? { what: `it does not claim this Service, because ${claim.because}`, wayOut: claimWayOut(service) }
      : undefined;
  },
};

function claimWayOut(service: Json): string {
  return classOf(service) === undefined
    ? 'leave class and claiming annotations to the controller object'
    : 'take the class out of the manifest, or choose the controller that serves it';
}

/** The rules of ownership. */
export const OWNERSHIP_RULES: readonly Rule[] = [
  annotationValue,
  annotationUnknown,
  annotationPrefix,
  annotationDeprecated,
  annotationForeign,
  finalizerOwner,
  finalizerUntouchable,
  finalizerUnknown,
  claimedByOwner,
];
