import { FinalizerPolicy, type LoadBalancerFinding } from '../contract/options';
import { type DescribedRule, findingOf } from '../contract/rule';
import { FINALIZER_VERDICTS } from '../lifecycle/finalizer-verdicts.facts';
import type { ControllerDefinition } from './controller-definition';

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

export const FINALIZER_LEFT: DescribedRule = {
  id: 'finalizer-left',
  severity: 'warning',
  says: 'finalizer of the owner is left to its controller',
  source: 'ours',
};

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
