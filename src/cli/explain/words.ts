import { once } from '../../contract/json';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import { citationInWords, editDistance } from '../../contract/rule';
import { otherOfClass } from '../../controllers/other-controller';
import { VENDOR_MARKS } from '../../controllers/vendors/marks.facts';
import { OPERATORS } from '../../predicted/operators/operators.facts';
import {
  type ControllerDefinition,
  type ControllerIdentity,
  expectedFinalizers,
  isRemovedBy,
} from '../../rules/controller-definition';
import { allKinds } from '../../rules/known-kinds';
import { knownClasses } from '../owners-in-words';
import {
  annotationKeys,
  annotationPagesOf,
  describedRules,
  explainAnnotation,
  explainRule,
  rulesWhere,
} from './described-rules';
import { explainOperator } from './explained-operator';
import { type ExplainedPart, type Explanation, type FinalizerFact, known, PAGES } from './explanation';
import { CLASS_IS_FIXED, FINALIZERS, OTHER_CLASSES } from './known-words.facts';

export function controllerNames(): string[] {
  return allKinds().flatMap((kind) => [
    kind.name,
    ...Object.keys(kind.variants ?? {}).map((variant) => `${kind.name}:${variant}`),
  ]);
}

function explainController(word: string): Explanation[] {
  const [name, variant] = word.split(':');
  const named = allKinds().filter((each) => each.name === name);
  const kinds = named.length > 0 ? named : allKinds().filter(({ aliases }) => aliases?.includes(name.toLowerCase()));
  return kinds.flatMap((kind) => {
    const make = variant === undefined ? kind.installed : kind.variants?.[variant];
    return make ? explained([kind.name, variant].filter(Boolean).join(':'), kind, make.call(kind)) : [];
  });
}

function explained(word: string, kind: ControllerDefinition, controller: ILoadBalancerController): Explanation {
  const { facts, catalogue, finalizers, classes, variants = {} } = kind;
  const classless = kind.claim({ apiVersion: 'v1', kind: 'Service', spec: { type: 'LoadBalancer' } }, controller);
  return {
    kind: 'controller',
    word,
    says: `a controller that makes ${facts.product}`,
    parts: [
      {
        who: kind.name,
        facts: known({
          makes: facts.product,
          classes: classes.join(', ') || 'none: it serves Services without a class',
          'a Service without a class': `${CLAIMED[classless.claimed]}: ${classless.because}`,
          finalizer: `${finalizers.join(', ') || 'none'}${facts.finalizerNote ? ` (${facts.finalizerNote.replaceAll('**', '')})` : ''}`,
          'never to be written': kind.untouchableFinalizers?.join(', '),
          annotations: `${catalogue.annotations.length}, with prefix ${catalogue.prefixes.join(' or ') || 'of others'}`,
          'backend on a node pool': facts.nodes,
          variants: Object.keys(variants)
            .map((variant) => `${kind.name}:${variant}`)
            .join(', '),
          note: facts.remark,
        }),
        source: citationInWords(facts.source, facts.confidence),
      },
      ...timeOf(kind),
      ...kind.identities(controller).map(identity),
    ],
    rules: rulesWhere(({ section }) => section === kind.name),
    todo: ['keep it running until the last of its Services is deleted', 'name it with --controllers where it runs'],
    readOn: [...new Set([PAGES.controllers, ...annotationPagesOf(kind)])],
  };
}

const CLAIMED = { yes: 'is taken', no: 'is left alone', maybe: 'may be taken' };

function timeOf({ provisioningTime: time }: ControllerDefinition): ExplainedPart[] {
  if (!time) {
    return [];
  }
  const waits = time.seconds === 0 ? 'at once' : `about ${time.seconds} s, ${time.concurrency} at a time`;
  return [
    {
      who: 'how long an address takes',
      facts: { seconds: waits },
      source: citationInWords(time.source, time.confidence),
    },
  ];
}

function identity({ kind, name, namespace, source }: ControllerIdentity): ExplainedPart {
  const account = namespace === undefined ? name : `${namespace}/${name}`;
  return { who: 'who it is to the API server', facts: { [kind]: account }, source: citationInWords(source) };
}

export function finalizerFact(finalizer: string): FinalizerFact | undefined {
  return (
    FINALIZERS.find((fact) => (fact.isPrefix ? finalizer.startsWith(fact.finalizer) : finalizer === fact.finalizer)) ??
    OF_VENDORS.find((fact) => fact.finalizer === finalizer)
  );
}

const OF_VENDORS: readonly FinalizerFact[] = VENDOR_MARKS.flatMap(({ name, finalizers = [], source }) =>
  finalizers.map((finalizer) => ({
    finalizer,
    on: 'Service',
    who: name,
    guards: `what ${name} made`,
    added: 'when is not known here',
    todo: `let ${name} run; where it never will, see that nothing of it is left, and remove the finalizer by hand`,
    source,
  })),
);

function explainFinalizer(finalizer: string): Explanation | undefined {
  const fact = finalizerFact(finalizer);
  if (!fact) {
    return undefined;
  }
  const owners = allKinds().filter((kind) => isRemovedBy(finalizer, kind));
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
        source: citationInWords(fact.source),
      },
    ],
    rules: owners.length === 0 ? [] : rulesWhere(({ id }) => id.includes('finalizer')),
    todo: [
      fact.todo,
      'remove it from a live object by hand only after the balancer and what belongs to it are deleted; otherwise they are orphaned',
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
    : 'declared by default if the owner is known, because clients that replace whole objects remove what the manifest lacks';
}

export interface ExplainedWord {
  /** Each meaning of the word; empty where it is not known, or may be several. */
  readonly explanations: readonly Explanation[];
  readonly nearest: readonly string[];
  /** The controllers to which keys of this prefix belong: the key is misspelt, or newer than what is known here. */
  readonly ofPrefix: readonly string[];
}

const EXPLAIN = [explainFinalizer, explainClass, explainAnnotation, explainRule, explainController, explainOperator];

/** Explains a word: by itself, or by its end where one known word alone ends so. */
export function explainWord(word: string): ExplainedWord {
  const whole = meaningsOf(word);
  if (whole.length > 0) {
    return { explanations: whole, nearest: [], ofPrefix: [] };
  }
  const ends = knownWithEnd(word);
  return ends.length === 1
    ? { explanations: meaningsOf(ends[0]), nearest: [], ofPrefix: [] }
    : { explanations: [], nearest: ends.length > 0 ? ends.slice(0, MOST) : nearestTo(word), ofPrefix: prefixOf(word) };
}

export function knownWords(): string[] {
  const rules = describedRules().map(({ id }) => id);
  return [
    ...new Set([
      ...[...FINALIZERS, ...OF_VENDORS].map(({ finalizer }) => finalizer),
      ...knownClasses(),
      ...annotationKeys(),
      ...rules,
      ...controllerNames(),
      ...OPERATORS.map(({ id }) => id),
    ]),
  ];
}

function meaningsOf(word: string): Explanation[] {
  return EXPLAIN.flatMap((explain) => explain(word) ?? []);
}

const MOST = 8;

const NOT_FAR = 3;

/** Known words that end so after a slash, or else after a dash or a dot; a part of a key may have its parameters filled in. */
function knownWithEnd(word: string): string[] {
  if (word.length < 3) {
    return [];
  }
  const known = knownWords();
  const names = known.filter((one) => one.endsWith(`/${word}`));
  const prefixes = new Set(known.filter((one) => one.includes('{')).map((one) => one.slice(0, one.indexOf('/') + 1)));
  const filled = [...prefixes].map((prefix) => prefix + word).filter((key) => explainAnnotation(key) !== undefined);
  const found = [...new Set([...names, ...filled])];
  return found.length > 0
    ? found
    : known.filter((one) => one.includes('/') && (one.endsWith(`-${word}`) || one.endsWith(`.${word}`)));
}

function nearestTo(word: string): string[] {
  const wanted = word.toLowerCase();
  const limit = Math.max(2, Math.floor(word.length / 3));
  return knownWords()
    .map((one) => ({ one, distance: distanceTo(wanted, one.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.one < b.one ? -1 : 1))
    .filter(({ distance }, _, [best]) => distance <= best.distance + NOT_FAR)
    .slice(0, MOST)
    .map(({ one }) => one);
}

/** Distance of a word from a known one, or from its name without the prefix; more than the limit where it is far. */
function distanceTo(wanted: string, known: string, limit: number): number {
  const name = wanted.includes('/') ? known : known.slice(known.lastIndexOf('/') + 1);
  if (name === known && known.split('-').includes(wanted)) {
    return OWNERS().has(known) ? -1 : 0;
  }
  const isFar = Math.abs(name.length - wanted.length) > limit || wanted.length > LONGEST;
  const distance = isFar ? limit + 1 : editDistance(wanted, name);
  return wanted.length > 3 && known.includes(wanted) ? Math.min(distance, limit) : distance;
}

/** Controllers and operators, which a part of their name finds before anything else. */
const OWNERS = once(() => new Set([...controllerNames(), ...OPERATORS.map(({ id }) => id)]));

/** Words are compared letter by letter up to this length: the longest key has fewer. */
const LONGEST = 300;

function prefixOf(word: string): string[] {
  return allKinds()
    .filter(({ catalogue }) => catalogue.claims(word))
    .map(({ name }) => name);
}

function explainClass(name: string): Explanation | undefined {
  const kinds = allKinds().filter(({ classes }) => classes.includes(name));
  const isNamed = kinds.length > 0 || OTHER_CLASSES.some((one) => one.name === name);
  const other = isNamed ? undefined : otherOfClass(name);
  const others = other
    ? [{ who: other.name, says: `a balancer of ${other.name}, whose rules are not known here`, source: other.source }]
    : OTHER_CLASSES.filter((one) => one.name === name);
  if (kinds.length + others.length === 0) {
    return undefined;
  }
  const rules = rulesWhere(
    ({ id, section }) => ABOUT_CLASSES.includes(id) || kinds.some((kind) => kind.name === section && /class/.test(id)),
  );
  return {
    kind: 'class',
    word: name,
    says: `a value of spec.loadBalancerClass that ${[...kinds, ...others.map(({ who }) => ({ name: who }))].map((one) => one.name).join(', ')} serves`,
    parts: [
      ...kinds.map((kind) => ({
        who: kind.name,
        facts: known({
          makes: kind.facts.product,
          finalizer:
            expectedFinalizers({ spec: { type: 'LoadBalancer', loadBalancerClass: name } }, kind).join(' or ') ||
            'none',
          'without this class': kind.classlessOption && `serves Services by annotation too: ${kind.classlessOption}`,
          note: kind.facts.remark,
        }),
        source: citationInWords(kind.facts.source, kind.facts.confidence),
      })),
      ...others.map(({ who, says, source }) => ({
        who,
        facts: { 'what it does': says },
        source: citationInWords(source),
      })),
      {
        who: 'the API server',
        facts: {
          change: 'is refused on a live Service: recreate the Service, or a second one',
          'a class that no controller serves': 'is accepted, and the Service stays pending without an event',
        },
        source: citationInWords(CLASS_IS_FIXED),
      },
    ],
    rules,
    todo: ['set it when the Service is created', 'see that a controller that serves it runs in the cluster'],
    readOn: [PAGES.controllers, PAGES.handOver, PAGES.pending],
  };
}

const ABOUT_CLASSES = [
  'owner-does-not-claim-service',
  'unclaimed',
  'contested',
  'class-on-wrong-type',
  'class-invalid',
  'class-added-to-live-service',
  'class-without-controller',
  'allowed-class',
];
