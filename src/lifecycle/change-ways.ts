import type { ChangeCase } from './change-cases';
import { machineOfChange, startsOf } from './change-rows';
import { type Way, walk } from './checker';
import { type KnownChange, type KnownChangeTrace, ownerOf } from './known-changes';
import type { Transition } from './transition';

/** A trace of a result with all its states, by its steps alone. */
export function wayOf(found: KnownChange, trace: KnownChangeTrace): Way {
  const one: ChangeCase = { ...found, owner: ownerOf(found.owner, found.versions) };
  const machine = machineOfChange(one, trace.faults, true);
  const steps = trace.steps.map((id) => machine.rows.find((row) => row.id === id) as Transition);
  return { steps, states: walk(machine, startsOf(one, trace.faults)[trace.start], trace.steps) };
}
