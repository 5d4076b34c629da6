import type { StatePath } from './checker';
import type { Actor, Transition } from './machine';
import type { State } from './state';
import { TARGETS } from './state.facts';

export interface TraceNames {
  readonly own: string;
  readonly other: string;
  /** `shop/echo` */
  readonly service?: string;
  readonly owner?: string;
  readonly writer?: string;
}

export function wayInWords({ steps, states }: StatePath, names: TraceNames): string[] {
  const lines = steps.map((step, index) => {
    const seen = stateInWords(states[index + 1], names);
    const before = stateInWords(states[index], names);
    return `${index + 1}. ${whoIn(step.actor, names)} ${saysIn(step, names)}${seen === before ? '' : `: ${seen}`}`;
  });
  const first = states[0].object === 'absent' ? [] : [`At first: ${stateInWords(states[0], names)}.`];
  return [...first, ...lines];
}

export function whoIn(actor: Actor, { owner, writer }: TraceNames): string {
  const named: { readonly [A in Actor]?: string } = { owner, writer };
  return named[actor] ?? `the ${actor}`;
}

const ITS_FINALIZER: { readonly [A in Actor]?: 'own' | 'other' } = { owner: 'own', 'other controller': 'other' };

export function saysIn({ actor, says }: Transition, names: TraceNames): string {
  const { own, other, service, owner } = names;
  if (service === undefined) {
    return says;
  }
  const its = ITS_FINALIZER[actor];
  return says
    .replace(/\bits finalizer\b/g, (same) => (its ? `finalizer ${names[its]}` : same))
    .replace(/\bthe owner's finalizer\b/g, `finalizer ${own}`)
    .replace(/\banother finalizer\b|\ba finalizer that the owner does not remove\b/g, `finalizer ${other}`)
    .replace(
      /\b(?:the|a|another) Service\b/,
      (which) => `${which === 'another Service' ? 'another ' : ''}Service ${service}`,
    )
    .replace(/\bthe owner\b/g, owner ?? 'the owner');
}

export function stateInWords(state: State, names: TraceNames): string {
  const service =
    state.object === 'absent'
      ? 'no Service'
      : `Service ${state.object === 'dying' ? 'in Terminating' : 'live'} with ${finalizersOf(state, names)}${state.address === 'yes' ? ' and an address' : ''}`;
  const balancers = [
    state.balancer === 'made' ? 'a balancer' : 'no balancer',
    ...(state.leftover !== 'none' ? ['and one that no Service leads to'] : []),
  ];
  return `${service}, ${balancers.join(', ')}`;
}

function finalizersOf({ own, other, collected }: State, names: TraceNames): string {
  const found = [
    own === 'absent' ? [] : [names.own],
    other === 'absent' ? [] : [names.other],
    collected === 'no' ? [] : ["the garbage collector's finalizer"],
  ].flat();
  return found.length === 0 ? 'no finalizer' : found.join(' and ');
}

/** Confidence of a row in a finding: read or seen. */
export function weakestOf(steps: readonly Transition[]): Transition | undefined {
  const order = ['seen', 'source', 'docs', 'unverified'];
  return [...steps].sort((a, b) => order.indexOf(b.confidence) - order.indexOf(a.confidence))[0];
}

export function traceAsMermaid({ steps, states }: StatePath, names: TraceNames, comesTo: string): string {
  const arrows = steps.map((step, index) => [step, targetOf(step, states[index], states[index + 1])] as const);
  const participants = [...new Set(arrows.flatMap(([{ actor }, target]) => [actor, target]))];
  const lines = arrows.flatMap(([step, target], index) => {
    const [before, after] = [states[index], states[index + 1]].map((state) => stateInWords(state, names));
    const note = before === after ? [] : [`  Note over ${aliasOf('API server')}: ${safe(after)}`];
    return [`  ${aliasOf(step.actor)}->>${aliasOf(target)}: ${safe(saysIn(step, names))}`, ...note];
  });
  const all = [...new Set<Actor>([...participants, 'API server'])];
  return [
    'sequenceDiagram',
    ...all.map((name) => `  participant ${aliasOf(name)} as ${safe(whoIn(name, names).replace(/^the /, ''))}`),
    ...lines,
    `  Note over ${all.length > 1 ? `${aliasOf(all[0])},${aliasOf(all[all.length - 1])}` : aliasOf(all[0])}: ${comesTo}`,
  ].join('\n');
}

function targetOf({ actor }: Transition, before: State, after: State): Actor {
  const isOfTheCloud = before.balancer !== after.balancer || before.leftover !== after.leftover;
  return actor === 'owner' && isOfTheCloud ? 'cloud' : TARGETS[actor];
}

function aliasOf(name: Actor): string {
  return name
    .split(/[^A-Za-z]+/)
    .map((part) => part[0].toUpperCase() + part.slice(1))
    .join('');
}

/** Mermaid ends a line at a semicolon, and a comment begins with two per cent signs. */
function safe(text: string): string {
  return text.replace(/[;#%]/g, ',');
}
