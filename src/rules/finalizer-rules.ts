import { type Json, once } from '../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import { labelKeyFault } from '../contract/kubernetes-syntax';
import { FinalizerPolicy, type LoadBalancerFinding } from '../contract/options';
import { findingOf } from '../contract/rule';
import { FINALIZER_VERDICTS } from '../lifecycle/finalizer-verdicts.facts';
import { type ControllerDefinition, definitionOf } from './controller-definition';
import { allKinds } from './known-kinds';
import type { ObjectContext, Rule, RuleContext } from './rule';
import { rulesOf } from './rule-set';
import { FINALIZER_KINDS, FINALIZER_LEFT, FINALIZER_ROWS, METADATA_ROWS } from './rules.facts';
import { finalizerAt, finalizersOf, isOfController } from './service-json';

// Results of the lifecycle model for a choice of finalizers, by the name of the trace.

/** Writer of a Service: files that are applied, or an operator that keeps or strips the additions of others. */
export type FinalizerWriter = 'client-apply' | 'server-apply' | 'put';

const all = once(() =>
  FINALIZER_VERDICTS.map((line) => {
    const [owner, declares, policy, trace, writers] = line.split(' | ');
    return { owner, declares, policy, trace, writers: writers.split('+') };
  }),
);

/** The shortest trace of what goes wrong where the finalizer of an owner is left to it, or a wrong one is declared. */
export function finalizerTrace(
  owner: string | undefined,
  policy: 'left' | 'wrong',
  writer: FinalizerWriter,
): string | undefined {
  return lineOf(owner, policy, writer)?.trace;
}

export function hangTrace(): string | undefined {
  return all().find(({ policy, trace, writers }) => {
    return policy === 'wrong' && trace.startsWith('hang-') && writers.includes('client-apply');
  })?.trace;
}

function lineOf(owner: string | undefined, policy: string, writer: FinalizerWriter) {
  return all().find((line) => line.owner === owner && line.policy === policy && line.writers.includes(writer));
}

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

export const FINALIZER_OF_SERVICE_CONTROLLER = 'finalizer-of-service-controller' satisfies keyof typeof FINALIZER_ROWS;

const FATES: Readonly<Record<'hangs' | 'guards-nothing', string>> = {
  hangs: 'deletion hangs, or the finalizer is stripped while the balancer still exists',
  'guards-nothing':
    'deletion leaves the balancer behind once a client replaces the whole object, since the manifest does not declare the finalizer of the owner',
};

function fateOf(finalizer: string, service: Json, context: RuleContext) {
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

function guardian(finalizer: string, kind: ControllerDefinition | undefined): ControllerDefinition | undefined {
  return kind && allKinds().find((candidate) => candidate.untouchableFinalizers?.includes(finalizer));
}

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

export const FINALIZER_RULES: readonly Rule[] = rulesOf({
  rows: FINALIZER_ROWS,
  read: (service, context: RuleContext) => finalizersOf(service).filter((finalizer) => !removes(finalizer, context)),
  finds: {
    'finalizer-of-other-controller': (foreign, service, context) =>
      foreign.map((value) => {
        const others = othersThatRemove(value, context);
        const fate = others && fateOf(value, service, context);
        if (fate !== 'hangs' && fate !== 'guards-nothing') {
          return undefined;
        }
        const owner = ownerOf(context);
        const own = ownFinalizers(service, context).join(' or ');
        const writer = fate === 'guards-nothing' ? 'put' : 'client-apply';
        return {
          others,
          owner,
          fate: FATES[fate],
          own: own && ` and declare ${own}, the one of ${owner}`,
          trace: withTrace('', finalizerTrace(context.kind?.name, 'wrong', writer)),
          value,
          at: finalizerAt(service, value),
        };
      }),
    'finalizer-of-service-controller': (foreign, service, context) => {
      const value = LOAD_BALANCER_CLEANUP_FINALIZER;
      const isMaybe = foreign.includes(value) && fateOf(value, service, context) === 'unknown';
      return (
        isMaybe && {
          owner: ownerOf(context),
          trace: withTrace('', hangTrace()),
          value,
          at: finalizerAt(service, value),
        }
      );
    },
    'finalizer-reserved': (foreign, service, { kind }) => {
      for (const value of foreign) {
        const owner = guardian(value, kind);
        if (owner && !isOfController(service, (applied) => applied.hasFinalizer(value))) {
          return { owner: owner.name, value, at: finalizerAt(service, value) };
        }
      }
      return undefined;
    },
    'finalizer-unknown': (foreign, service, context) =>
      foreign
        .filter((value) => isQualified(value) && !othersThatRemove(value, context) && !guardian(value, context.kind))
        .map((value) => ({ trace: withTrace('', hangTrace()), value, at: finalizerAt(service, value) })),
  },
});

/** The kind that a finalizer is for, if that is not the kind of its object. */
function otherKindOf(finalizer: unknown, own: unknown): string | undefined {
  const isOf = ([known]: (typeof FINALIZER_KINDS)[number]) =>
    finalizer === known || (known.endsWith('/') && String(finalizer).startsWith(known));
  const kind = FINALIZER_KINDS.find(isOf)?.[1];
  return kind === own ? undefined : kind;
}

export function hasFinalizerForOtherKind(object: Json): boolean {
  return finalizersOf(object).some((finalizer) => otherKindOf(finalizer, object.kind) !== undefined);
}

export const OBJECT_FINALIZER_RULES: readonly Rule<ObjectContext>[] = rulesOf({
  rows: METADATA_ROWS,
  read: ({ kind: own }: Json, _: ObjectContext) => own,
  finds: {
    'finalizer-for-other-kind': (own, object) =>
      finalizersOf(object).map((value, i) => {
        const kind = otherKindOf(value, own);
        return kind === undefined ? undefined : { kind, own, value, at: `/metadata/finalizers/${i}` };
      }),
  },
});
