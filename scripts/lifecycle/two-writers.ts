import { explore, type Outcome } from '../../src/lifecycle/checker';
import type { Owner } from '../../src/lifecycle/owners.facts';
import { firstState, machineOf, POLICIES, type Scenario } from '../../src/lifecycle/scenario';
import { WRITERS } from '../../src/lifecycle/writers.facts';

/** Every pair of writers of one Service, with one crash, one lag and one lost answer, an edit and a deletion. */
export function* twoWriters(owners: readonly Owner[]): Generator<Scenario> {
  for (const owner of owners) {
    for (const beside of owner.beside) {
      for (const writer of WRITERS) {
        for (const policy of POLICIES) {
          for (const second of WRITERS) {
            for (const other of POLICIES) {
              yield {
                ...{ owner, beside, policy, writer, edited: true },
                second: { writer: second, policy: other },
                faults: ['crash', 'lag'],
              };
            }
          }
        }
      }
    }
  }
}

export function look(scenario: Scenario): Outcome {
  return explore(machineOf(scenario), firstState(scenario));
}
