import type { Random } from '../../../support/random';
import { casesIn } from '../../../support/yaml-cases';
import {
  type Body,
  balanced,
  documents,
  drawnFor,
  type Family,
  KEPT,
  NOT_KEPT,
  type Truth,
  type TruthWord,
  truthOf,
  withPatch,
} from './folder-pair';

// Services exchange names, move with their namespaces, get other classes, and ask for other addresses.

interface Kind {
  readonly controller: string;
  readonly class?: string;
  readonly finalizer?: string;
  /** Annotations of either one. */
  readonly unlike: readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>];
  /** What becomes of one that gets what the other one has. */
  readonly exchanged: Truth;
  /** Annotations, or fields, that ask for one address and for another one. */
  readonly fixed: readonly Fixed[];
}

interface Fixed {
  /** @default the field loadBalancerIP */
  readonly annotation?: string;
  readonly values: readonly [string, string];
  /** What another address does, asking for one, and asking for none any more. */
  readonly other: TruthWord;
  readonly asked: TruthWord;
  readonly left: TruthWord;
  /** Whether another Service that asks for the address has it when this one is gone. */
  readonly comesBack?: true;
}

interface Subject {
  readonly kind: Kind;
  readonly fixed: Fixed;
  readonly prune?: boolean;
}

interface Change {
  readonly name: string;
  /** Whether it is of Services with a class alone. */
  readonly ofClass?: true;
  /** Whether both Services have the annotations of one before it. */
  readonly alike?: true;
  /** What both sides have before it; `mail` is one more Service like echo. */
  readonly from?: Body;
  /** The addresses that echo asks for before and after it, by their index. */
  readonly addresses?: readonly [number | null, number | null];
  readonly change?: Body;
  readonly reversed?: true;
  readonly truths: Readonly<Record<string, TruthWord>>;
}

const { kinds, changes }: { kinds: readonly Kind[]; changes: readonly Change[] } = casesIn(__dirname, 'services.yaml');
const mutations = changes.map((change) => ({
  ...change,
  fits: ({ kind }: Subject) => !change.ofClass || kind.class !== undefined,
}));

function truthFor(word: TruthWord, { kind, fixed, prune }: Subject): Truth {
  const pruned = (truth: Truth) => (prune === false ? KEPT : truth);
  const gone = pruned(['replaced', 'deleted']);
  const words: Readonly<Record<string, Truth>> = {
    ...{ exchanged: kind.exchanged, gone, 'not kept unless left': pruned(NOT_KEPT) },
    ...{ other: truthOf(fixed.other), asked: truthOf(fixed.asked), left: truthOf(fixed.left) },
    'gone unless it comes back': fixed.comesBack ? pruned(['interrupted']) : gone,
  };
  return (typeof word === 'string' && words[word]) || truthOf(word);
}

function addressed({ annotation, values }: Fixed, index: number | null): Body {
  const value = index === null ? null : values[index];
  return annotation ? { metadata: { annotations: { [annotation]: value } } } : { spec: { loadBalancerIP: value } };
}

function pairOf(random: Random, number: number) {
  const { mutation, subject } = drawnFor(mutations, number, (): Subject => {
    const kind = random(kinds);
    return { kind, fixed: random(kind.fixed), prune: random([true, true, false]) };
  });
  const { kind, fixed, prune } = subject;
  const { alike, from = {}, addresses, change = {}, reversed, truths } = mutation;
  const [echo, shop] = ['echo', 'shop'].map((name, i) =>
    balanced({
      name,
      class: kind.class,
      annotations: kind.unlike[alike ? 0 : i],
      ...(kind.finalizer !== undefined && { finalizers: [kind.finalizer] }),
    }),
  );
  const { mail, ...others } = from;
  const first = addresses ? withPatch(echo, addressed(fixed, addresses[0])) : echo;
  const before = withPatch({ echo: first, shop, ...(mail && { mail: withPatch(echo, mail) }) }, others);
  const after = withPatch(before, change);
  if (addresses) after.echo = withPatch(after.echo, addressed(fixed, addresses[1]));
  // each in a file of its own, or all in one
  const isOne = random([true, false]);
  const filesOf = (objects: readonly Body[]) =>
    isOne
      ? { 'all.yaml': documents(...objects) }
      : Object.fromEntries(objects.map((object, i) => [`${i}.yaml`, documents(object)]));
  return {
    changes: [`${kind.controller}: ${mutation.name}`],
    before: filesOf(Object.values(before)),
    after: filesOf(reversed ? Object.values(after).reverse() : Object.values(after)),
    context: `controllers: [${kind.controller}]\n`,
    options: { prune },
    truths: new Map(Object.entries(truths).map(([id, word]) => [id, truthFor(word, subject)])),
  };
}

/** Pairs in which Services change their names, places, classes and addresses. */
export const SERVICES: Family = { name: 'services', changes: changes.map(({ name }) => name), pairOf };
