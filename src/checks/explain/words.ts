import { editDistance } from '../../contract/edit-distance';
import type { Json } from '../../contract/json';
import { otherOfClass } from '../../controllers/other-controller';
import { expectedFinalizers } from '../../rules/added-finalizers';
import { knownKinds } from '../../rules/controller-definition';
import { knownClasses } from '../known-classes';
import { annotationKeys, explainAnnotation } from './annotations';
import { controllerNames, explainController } from './controllers';
import { describedRules, explainRule, rulesWhere } from './described-rules';
import { type Explanation, known, PAGES } from './explanation';
import { explainFinalizer, knownFinalizers } from './finalizers';
import { CLASS_IS_FIXED, OTHER_CLASSES } from './known-words.facts';
import { cited } from './sources';

/** What is known of a word, or which words it may be meant for. */
export interface ExplainedWord {
  /** Each meaning of the word; empty where it is not known, or may be several. */
  readonly explanations: readonly Explanation[];
  /** Known words that it is the end of, or is near to. */
  readonly nearest: readonly string[];
  /** The controllers to which keys of this prefix belong: the key is misspelt, or newer than what is known here. */
  readonly ofPrefix: readonly string[];
}

const EXPLAIN = [explainFinalizer, explainClass, explainAnnotation, explainRule, explainController];

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

/** Every word that is known; keys with parameters have words in braces. */
export function knownWords(): string[] {
  const rules = describedRules().map(({ id }) => id);
  return [...new Set([...knownFinalizers(), ...knownClasses(), ...annotationKeys(), ...rules, ...controllerNames()])];
}

function meaningsOf(word: string): Explanation[] {
  return EXPLAIN.flatMap((explain) => explain(word) ?? []);
}

/** How many words are named where several fit. */
const MOST = 8;

/** How many letters more than the nearest word another one may differ. */
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

/** The known words of fewest different letters, and those that hold the word. */
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

/** How far a word is from a known one, or from its name without the prefix; more than the limit where it is far. */
function distanceTo(wanted: string, known: string, limit: number): number {
  const name = wanted.includes('/') ? known : known.slice(known.lastIndexOf('/') + 1);
  const isFar = Math.abs(name.length - wanted.length) > limit || wanted.length > LONGEST;
  const distance = isFar ? limit + 1 : editDistance(wanted, name);
  return wanted.length > 3 && known.includes(wanted) ? Math.min(distance, limit) : distance;
}

/** Words are compared letter by letter up to this length: the longest key has fewer. */
const LONGEST = 300;

function prefixOf(word: string): string[] {
  return knownKinds()
    .filter(({ catalogue }) => catalogue.claims(word))
    .map(({ name }) => name);
}

function explainClass(name: string): Explanation | undefined {
  const kinds = knownKinds().filter(({ classes }) => classes.includes(name));
  const other = OTHER_CLASSES.some((one) => one.name === name) ? undefined : otherOfClass(name);
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
          finalizer: expectedFinalizers(serviceOf(name), kind).join(' or ') || 'none',
          'without this class': kind.classlessOption && `serves Services by annotation too: ${kind.classlessOption}`,
          note: kind.facts.remark,
        }),
        source: cited(kind.facts.source, kind.facts.confidence),
      })),
      ...others.map(({ who, says, source }) => ({ who, facts: { 'what it does': says }, source: cited(source) })),
      {
        who: 'the API server',
        facts: {
          change: 'is refused on a live Service: make the Service anew, or a second one',
          'a class that no controller serves': 'is accepted, and the Service stays pending without an event',
        },
        source: cited(CLASS_IS_FIXED),
      },
    ],
    rules,
    todo: ['set it when the Service is created', 'see that a controller that serves it runs in the cluster'],
    readOn: [PAGES.controllers, PAGES.handOver, PAGES.pending],
  };
}

function serviceOf(loadBalancerClass: string): Json {
  return { spec: { type: 'LoadBalancer', loadBalancerClass } };
}

const ABOUT_CLASSES = [
  'claimed-by-owner',
  'unclaimed',
  'contested',
  'class-on-type',
  'class-syntax',
  'class-on-live-service',
  'class-not-served',
  'allowed-class',
];
