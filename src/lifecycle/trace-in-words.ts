import type { Trace } from './checker';
import { PROPERTY_SAYS } from './properties';
import type { State } from './state';
import type { Transition } from './transition';

/** What the finalizers of a trace are called. */
export interface FinalizerNames {
  readonly own: string;
  readonly other: string;
}

/** A trace as numbered lines: who did what, and what the Service and its balancer were then. */
export function traceInWords({ property, steps, states }: Trace, names: FinalizerNames): string {
  const lines = steps.map((step, index) => {
    const seen = stateInWords(states[index + 1], names);
    const before = stateInWords(states[index], names);
    return `${index + 1}. the ${step.actor} ${step.says}${seen === before ? '' : `: ${seen}`}`;
  });
  const first = states[0].object === 'absent' ? [] : [`At first: ${stateInWords(states[0], names)}.`];
  return [...first, ...lines, `Broken: ${PROPERTY_SAYS[property]}.`].join('\n');
}

/** What can be seen of a state. */
export function stateInWords(state: State, names: FinalizerNames): string {
  const service =
    state.object === 'absent'
      ? 'no Service'
      : `Service ${state.object === 'dying' ? 'in Terminating' : 'live'} with ${finalizersOf(state, names)}${state.address === 'yes' ? ' and an address' : ''}`;
  const balancers = [
    state.balancer === 'made' ? 'a balancer' : 'no balancer',
    ...(state.leftover === 'made' ? ['and one that no Service leads to'] : []),
  ];
  return `${service}, ${balancers.join(', ')}`;
}

function finalizersOf({ own, other, collected }: State, names: FinalizerNames): string {
  const found = [
    own === 'absent' ? [] : [names.own],
    other === 'absent' ? [] : [names.other],
    collected === 'no' ? [] : ["the garbage collector's finalizer"],
  ].flat();
  return found.length === 0 ? 'no finalizer' : found.join(' and ');
}

/** How a finding says how a row is known: what was only read is not what was seen. */
export function weakestOf(steps: readonly Transition[]): Transition | undefined {
  const order = ['seen', 'source', 'docs', 'unverified'];
  return [...steps].sort((a, b) => order.indexOf(b.confidence) - order.indexOf(a.confidence))[0];
}
