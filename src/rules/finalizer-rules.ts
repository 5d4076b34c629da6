import type { Json } from '../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import { labelKeyFault } from '../contract/kubernetes-syntax';
import { FinalizerPolicy, type LoadBalancerFinding } from '../contract/options';
import { type Finding, findingOf, unlessLive } from '../contract/rule';
import { FINALIZER_VERDICTS } from '../lifecycle/finalizer-verdicts.facts';
import { FINALIZER_LEFT } from './app-rules.facts';
import { type ControllerDefinition, definitionOf } from './controller-definition';
import { allKinds } from './known-kinds';
import type { Rule, RuleContext } from './rule';
import { finalizersOf, isOfController } from './service-json';

// What the model of a balancer's life says of a choice of finalizers, by the name of the trace that shows it.

/** How a Service is written: files that are applied, or an operator that keeps what others add or strips it. */
export type FinalizerWriter = 'client-apply' | 'server-apply' | 'put';

interface Line {
  readonly owner: string;
  readonly declares: string;
  readonly policy: string;
  readonly trace: string;
  readonly writers: readonly string[];
}

let lines: readonly Line[] | undefined;

function all(): readonly Line[] {
  lines ??= FINALIZER_VERDICTS.map((line) => {
    const [owner, declares, policy, trace, writers] = line.split(' | ');
    return { owner, declares, policy, trace, writers: writers.split('+') };
  });
  return lines;
}

/** The shortest trace of what goes wrong where the finalizer of an owner is left to it, or a wrong one is declared. */
export function finalizerTrace(
  owner: string | undefined,
  policy: 'left' | 'wrong',
  writer: FinalizerWriter,
): string | undefined {
  return lineOf(owner, policy, writer)?.trace;
}

/** The trace of a finalizer that no actor removes. */
export function hangTrace(): string | undefined {
  return all().find(({ policy, trace, writers }) => {
    return policy === 'wrong' && trace.startsWith('hang-') && writers.includes('client-apply');
  })?.trace;
}

function lineOf(owner: string | undefined, policy: string, writer: FinalizerWriter): Line | undefined {
  return all().find((line) => line.owner === owner && line.policy === policy && line.writers.includes(writer));
}

/** A remedy with the name of the trace, for `explain`. */
export function withTrace(remedy: string, trace: string | undefined): string {
  return trace === undefined ? remedy : `${remedy}; trace: explain ${trace}`;
}

/** A finalizer that could be declared, and is left to the owner on request. */
export function finalizerLeft(
  kind: ControllerDefinition | undefined,
  owner: string,
  policy: FinalizerPolicy,
  writer: FinalizerWriter,
): LoadBalancerFinding[] {
  const line = policy === FinalizerPolicy.LEAVE_TO_CONTROLLER ? lineOf(kind?.name, 'left', writer) : undefined;
  if (line?.declares !== 'by default') {
    return [];
  }
  const what = `by finalizer policy ${policy}, ${owner} adds its finalizer after the Service is created: one that is deleted before that can leave its balancer behind`;
  const remedy = withTrace('use FinalizerPolicy.DECLARE', line.trace);
  return [findingOf(FINALIZER_LEFT, { what, remedy, value: policy }, owner)];
}

// The finalizers of a finished Service are those that the owner of its load balancer removes.

/** A finalizer that the owner does not remove blocks the deletion, or is stripped before the balancer is gone. */
const finalizerOwner: Rule = {
  id: 'finalizer-owner',
  severity: 'error',
  says: 'finalizer of a controller that does not own the balancer',
  source: 'ours',
  judge(service, context) {
    let found: Finding[] | undefined;
    for (const finalizer of finalizersOf(service)) {
      const others = removes(finalizer, context) ? undefined : othersThatRemove(finalizer, context);
      const fate = others && fateOf(finalizer, service, context);
      if (others && (fate === 'hangs' || fate === 'guards-nothing')) {
        found ??= [];
        const owner = ownerOf(context);
        const own = ownFinalizers(service, context).join(' or ');
        found.push({
          what: `finalizer ${finalizer} belongs to ${others}, and this balancer is owned by ${owner}, which does not remove it: ${FATES[fate]}`,
          remedy: withTrace(
            unlessLive(
              own === ''
                ? 'take it out of the manifest'
                : `take it out of the manifest and declare ${own}, the one of ${owner}`,
            ),
            finalizerTrace(context.kind?.name, 'wrong', fate === 'guards-nothing' ? 'put' : 'client-apply'),
          ),
          value: finalizer,
        });
      }
    }
    return found;
  },
};

/** The service controller removes its finalizer from every Service, whatever its class: it matters whether one runs. */
const finalizerOfServiceController: Rule = {
  id: 'finalizer-of-service-controller',
  severity: 'warning',
  says: 'finalizer of the service controller where none may run',
  source: 'ours',
  judge(service, context) {
    const finalizer = LOAD_BALANCER_CLEANUP_FINALIZER;
    const isMaybe =
      finalizersOf(service).includes(finalizer) &&
      !removes(finalizer, context) &&
      fateOf(finalizer, service, context) === 'unknown';
    return isMaybe
      ? {
          what: `finalizer ${finalizer} is removed by the service controller of a cloud provider alone, and this balancer is owned by ${ownerOf(context)}: where no service controller runs, deletion hangs`,
          remedy: withTrace(
            unlessLive('leave it where one runs, which adds it by itself, and take it out of the manifest elsewhere'),
            hangTrace(),
          ),
          value: finalizer,
        }
      : undefined;
  },
};

/** The name of the rule of a finalizer that hangs only where no service controller runs. */
export const FINALIZER_OF_SERVICE_CONTROLLER = finalizerOfServiceController.id;

/** What becomes of a finalizer that the owner does not remove, or of the balancer. */
type Fate = 'harmless' | 'unknown' | 'hangs' | 'guards-nothing';

const FATES: Readonly<Record<'hangs' | 'guards-nothing', string>> = {
  hangs: 'deletion hangs, or the finalizer is stripped while the balancer still exists',
  'guards-nothing':
    "without the owner's own finalizer beside it, a client that replaces the whole object removes that one, and deletion leaves the balancer behind",
};

function fateOf(finalizer: string, service: Json, context: RuleContext): Fate {
  if (finalizer !== LOAD_BALANCER_CLEANUP_FINALIZER) {
    return 'hangs';
  }
  const own = ownFinalizers(service, context);
  const isGuarded = own.length === 0 || finalizersOf(service).some((one) => own.includes(one));
  if (!isGuarded && !context.keepsForeignFinalizers) {
    return 'guards-nothing';
  }
  const { controllers } = context;
  const kinds = controllers?.map(definitionOf);
  if (kinds?.some((kind) => kind?.finalizers.includes(finalizer))) {
    return 'harmless';
  }
  return kinds?.every((kind) => kind !== undefined) ? 'hangs' : 'unknown';
}

function ownFinalizers(service: Json, { kind, controller, ownFinalizers: planned }: RuleContext): readonly string[] {
  return kind ? (kind.declarable?.(service, controller) ?? kind.finalizers) : (planned ?? []);
}

/** To some controllers a finalizer says more than that there is something to clean up. */
const finalizerUntouchable: Rule = {
  id: 'finalizer-untouchable',
  severity: 'error',
  says: 'finalizer that only its controller may write',
  source: 'ours',
  judge(service, context) {
    for (const finalizer of finalizersOf(service)) {
      const owner = removes(finalizer, context) ? undefined : guardian(finalizer, context.kind);
      if (owner && !isOfController(service, (applied) => applied.hasFinalizer(finalizer))) {
        return {
          what: `finalizer ${finalizer} is a mark of ${owner.name}, which decides by it how the Service is served`,
          remedy: unlessLive('take it out of the manifest and leave it to the controller'),
          value: finalizer,
        };
      }
    }
    return undefined;
  },
};

function guardian(finalizer: string, kind: ControllerDefinition | undefined): ControllerDefinition | undefined {
  return kind && allKinds().find((candidate) => candidate.untouchableFinalizers?.includes(finalizer));
}

const finalizerUnknown: Rule = {
  id: 'finalizer-unknown',
  severity: 'warning',
  says: 'finalizer that no known controller removes',
  source: 'ours',
  judge(service, context) {
    const finalizers = finalizersOf(service);
    if (finalizers.every((finalizer) => removes(finalizer, context))) {
      return undefined;
    }
    return finalizers
      .filter((finalizer) => isQualified(finalizer) && !removes(finalizer, context))
      .filter((finalizer) => !othersThatRemove(finalizer, context) && !guardian(finalizer, context.kind))
      .map((finalizer) => ({
        what: `finalizer ${finalizer} is removed by no load balancer controller that is known here; until it is removed, deletion of the Service and of its namespace hangs`,
        remedy: withTrace(
          unlessLive('make sure that its controller runs, or take it out of the manifest'),
          hangTrace(),
        ),
        value: finalizer,
      }));
  },
};

function isQualified(finalizer: unknown): boolean {
  return typeof finalizer === 'string' && finalizer.includes('/') && labelKeyFault(finalizer) === undefined;
}

function removes(finalizer: string, { kind, ownFinalizers }: RuleContext): boolean {
  return kind?.finalizers.includes(finalizer) === true || ownFinalizers?.includes(finalizer) === true;
}

function othersThatRemove(finalizer: string, { kind }: RuleContext): string | undefined {
  if (finalizer === LOAD_BALANCER_CLEANUP_FINALIZER) {
    return 'the service controller of a cloud provider';
  }
  const owners = kind ? allKinds().filter((other) => other.finalizers.includes(finalizer)) : [];
  return owners.length > 0 ? owners.map((owner) => owner.name).join(' and ') : undefined;
}

function ownerOf({ kind, controller }: RuleContext): string {
  return controller?.name ?? kind?.name ?? 'another controller';
}

/** The rules about finalizers, for any owner. */
export const FINALIZER_RULES: readonly Rule[] = [
  finalizerOwner,
  finalizerOfServiceController,
  finalizerUntouchable,
  finalizerUnknown,
];
