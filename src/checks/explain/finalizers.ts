import { OTHER_CONTROLLERS } from '../../controllers/marks.facts';
import { type ControllerDefinition, knownKinds } from '../../rules/controller-definition';
import { rulesWhere } from './described-rules';
import { type Explanation, type FinalizerFact, known, PAGES } from './explanation';
import { FINALIZERS } from './known-words.facts';
import { cited } from './sources';

export function knownFinalizers(): string[] {
  return [...FINALIZERS, ...OF_OTHERS].map(({ finalizer }) => finalizer);
}

/** What is known of one, or of the family that it belongs to. */
export function finalizerFact(finalizer: string): FinalizerFact | undefined {
  return (
    FINALIZERS.find((fact) => (fact.isPrefix ? finalizer.startsWith(fact.finalizer) : finalizer === fact.finalizer)) ??
    OF_OTHERS.find((fact) => fact.finalizer === finalizer)
  );
}

/** The finalizers of controllers whose rules are not known here. */
const OF_OTHERS: readonly FinalizerFact[] = OTHER_CONTROLLERS.flatMap(({ name, finalizers = [], source }) =>
  finalizers.map((finalizer) => ({
    finalizer,
    on: 'Service',
    who: name,
    guards: `what ${name} made`,
    added: 'when is not known here',
    todo: `let ${name} run; where it never will, see that nothing of it is left, and take the finalizer off by hand`,
    source,
  })),
);

/** The controllers that add and remove a finalizer of Services. */
function ownersOf(finalizer: string): ControllerDefinition[] {
  return knownKinds().filter(
    ({ finalizers, untouchableFinalizers }) =>
      finalizers.includes(finalizer) || untouchableFinalizers?.includes(finalizer),
  );
}

export function explainFinalizer(finalizer: string): Explanation | undefined {
  const fact = finalizerFact(finalizer);
  if (!fact) {
    return undefined;
  }
  const owners = ownersOf(finalizer);
  return {
    kind: 'finalizer',
    word: finalizer,
    says: `a finalizer of ${fact.on} that ${fact.who} adds and removes`,
    parts: [
      {
        who: fact.who,
        facts: known({
          on: fact.on,
          'keeps the object until': `${fact.guards} ${FREE.test(fact.guards) ? '' : 'is gone'}`.trim(),
          added: fact.added,
          removed: 'after the cleanup, once the object is being deleted',
          'controllers with it': owners.length > 1 ? owners.map(({ name }) => name).join(', ') : undefined,
          'in a manifest': inManifests(finalizer, owners),
          note: fact.surprise,
        }),
        source: cited(fact.source),
      },
    ],
    rules: owners.length === 0 ? [] : rulesWhere(({ id }) => id.includes('finalizer')),
    todo: [
      fact.todo,
      'take it off a live object by hand only after you know that what it guards is gone, or the balancer is an orphan',
    ],
    readOn: [PAGES.finalizers, PAGES.terminating],
  };
}

const FREE = /^nothing/;

function inManifests(finalizer: string, owners: readonly ControllerDefinition[]): string | undefined {
  if (owners.length === 0) {
    return undefined;
  }
  if (owners.some(({ untouchableFinalizers }) => untouchableFinalizers?.includes(finalizer))) {
    return 'never: it is a mark of its controller, and an error here';
  }
  const onRequest = owners.every(({ finalizerOption }) => finalizerOption !== undefined);
  return onRequest
    ? `on request: option ${owners[0].finalizerOption}`
    : 'declared by default where the owner of the balancer is known, since writers of whole objects strip what a manifest lacks';
}
