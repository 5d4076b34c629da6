import type { Way } from '../../lifecycle/checker';
import {
  saysIn,
  stateInWords,
  type TraceNames,
  traceAsMermaid,
  wayInWords,
  weakestOf,
  whoIn,
} from '../../lifecycle/trace-text';
import { cited } from './sources';

export interface ShownStep {
  readonly row: string;
  readonly who: string;
  readonly does: string;
  readonly seen: string;
  /** How it is known, and where it was read. */
  readonly known: string;
}

export interface ShownTrace {
  readonly name: string;
  /** What it comes to, as a law that does not hold or an outcome. */
  readonly comesTo: string;
  readonly steps: readonly ShownStep[];
  /** How its least known step is known. */
  readonly known: string;
  readonly lines: readonly string[];
  readonly mermaid: string;
}

export function shownTrace(name: string, way: Way, names: TraceNames, comesTo: string): ShownTrace {
  const weakest = weakestOf(way.steps);
  return {
    name,
    comesTo,
    steps: way.steps.map((step, index) => ({
      row: step.id,
      who: whoIn(step.actor, names),
      does: saysIn(step, names),
      seen: stateInWords(way.states[index + 1], names),
      known: `${step.confidence}: ${cited(step.source)}`,
    })),
    known: weakest ? `${weakest.confidence}, as its least known step is (${cited(weakest.source)})` : '',
    lines: wayInWords(way, names),
    mermaid: traceAsMermaid(way, names, name),
  };
}
