import type { Way } from './checker';
import type { State } from './state';
import { saysIn, stateInWords, type TraceNames, whoIn } from './trace-in-words';
import type { Actor, Transition } from './transition';

/** Where an arrow of each actor goes. */
const TARGETS: Readonly<Record<Actor, Actor>> = {
  user: 'API server',
  writer: 'API server',
  'garbage collector': 'API server',
  'namespace controller': 'API server',
  'other controller': 'API server',
  'API server': 'API server',
  owner: 'API server',
  cloud: 'owner',
  watch: 'owner',
};

/** A trace as a Mermaid sequence diagram, with a note of what it comes to. */
export function traceAsMermaid({ steps, states }: Way, names: TraceNames, comesTo: string): string {
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

/** A name that Mermaid reads as one word. */
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
