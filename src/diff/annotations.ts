import type { Annotation, AnnotationFact } from '../contract/annotation-catalogue';
import type { Decoded } from '../contract/annotation-codec';
import type { EditedValue } from '../contract/edit';
import { namesOf } from '../contract/external-dns';
import { keysChanged, ownValue, sameValue } from '../contract/json';
import { EXTERNAL_DNS_HOSTNAME_ANNOTATIONS, LAST_APPLIED_ANNOTATION } from '../contract/kubernetes.facts';
import { keptIn } from '../predicted/predicted';
import type { ControllerVersion } from '../rules/controller-definition';
import { editOfAnnotation } from '../rules/edits-of-values';
import { allKinds } from '../rules/known-kinds';
import { annotationsOf } from '../rules/service-json';
import { type Consequence, consequenceIn, consequenceOf, type Effect, effectAt, withRemedy } from './effect';
import type { PossibleOwner, PossibleOwners } from './owners';

type Annotations = Readonly<Record<string, string>>;

interface AnnotationsOfSides extends Pick<EditedValue, 'objects'> {
  readonly before: Annotations;
  readonly after: Annotations;
}

export function annotationEffects(readers: PossibleOwners, isStanding: (key: string) => boolean): Effect[] {
  const { objects } = readers;
  const [before, after] = [objects.before, objects.after].map(annotationsOf);
  const effects: Effect[] = [];
  for (const key of keysChanged(before, after)) {
    if (NOT_OF_BALANCERS.has(key) || (ownValue(after, key) === undefined && isStanding(key))) {
      continue;
    }
    const consequence = readers.worst(
      (reader) => consequenceFor(reader, key, { before, after, objects }),
      unknownReader(readers, key),
    );
    if (consequence) {
      const place = { field: key, path: ['metadata', 'annotations', key] };
      effects.push(
        effectAt({ ...place, from: ownValue(before, key), to: ownValue(after, key) }, withRemedy(consequence)),
      );
    }
  }
  const names = dnsNamesEffect(before, after);
  return names ? [...effects, names] : effects;
}

const NOT_OF_BALANCERS: ReadonlySet<string> = new Set([LAST_APPLIED_ANNOTATION, ...EXTERNAL_DNS_HOSTNAME_ANNOTATIONS]);

function unknownReader({ needs }: PossibleOwners, key: string): Consequence | undefined {
  return needs && { outcome: 'unknown', why: `whether its owner reads ${key} is not known`, needs };
}

function consequenceFor(reader: PossibleOwner, key: string, sides: AnnotationsOfSides): Consequence | undefined {
  const { kind } = reader;
  const found = kind.catalogue.find(key);
  if (found) {
    return consequenceOfRead(found, reader, key, sides);
  }
  const other = allKinds().find((one) => one !== kind && one.catalogue.find(key));
  if (other) {
    return consequenceIn('annotation of another controller', 'kept', { other: other.name, name: kind.name });
  }
  return kind.catalogue.claims(key)
    ? consequenceIn('annotation unknown', 'unknown', { name: kind.name, key })
    : undefined;
}

interface Reading {
  readonly text?: string;
  readonly decoded?: Decoded<unknown>;
}

function consequenceOfRead(
  annotation: Annotation<unknown>,
  reader: PossibleOwner,
  key: string,
  { before, after, objects }: AnnotationsOfSides,
): Consequence | undefined {
  const { fact } = annotation;
  const { kind } = reader;
  const [old, now] = [
    readingOf(annotation, reader, key, before, reader.before),
    readingOf(annotation, reader, key, after, reader.after),
  ];
  if (old.text === undefined && now.text === undefined) {
    const { since, source } = fact;
    return { ...consequenceIn('annotation not read yet', 'kept', { name: kind.name, since }), source };
  }
  if (isSameTo(old, now)) {
    return undefined;
  }
  const byDefault =
    old.text === undefined || now.text === undefined ? meaningOfDefault(fact, old.decoded ?? now.decoded) : 'other';
  if (byDefault === 'same') {
    return undefined;
  }
  const edited = { before: old.text, after: now.text, around: { before, after }, objects };
  const edit = editOfAnnotation(kind, key, edited);
  const { name } = kind;
  const consequence = edit ? consequenceOf(edit) : consequenceIn('annotation edit unknown', 'unknown', { name });
  if (consequence.outcome === 'kept' || consequence.outcome === 'unknown') {
    return consequence;
  }
  if (now.decoded && 'fault' in now.decoded && fact.badValue === 'refused') {
    const { fault } = now.decoded;
    const invalid = consequenceIn('annotation invalid', 'refused', { fault, name, says: fact.codec.says });
    return { ...invalid, source: fact.source };
  }
  const why = `it is the default in some cases: ${fact.default}`;
  return byDefault === 'perhaps' ? { outcome: 'unknown', why, needs: [why], source: consequence.source } : consequence;
}

function readingOf(
  annotation: Annotation<unknown>,
  { kind }: PossibleOwner,
  key: string,
  annotations: Annotations,
  version: ControllerVersion | undefined,
): Reading {
  const isRead = ({ fact }: Annotation<unknown>) => !fact.since || version?.reaches(fact.since) !== false;
  for (const name of spellings(annotation, kind.catalogue.annotations, key)) {
    const entry = kind.catalogue.find(name);
    const text: unknown = annotations[name];
    if (entry && typeof text === 'string' && isRead(entry)) {
      return { text, decoded: entry.decode(text) };
    }
  }
  return {};
}

const SPELLINGS = new WeakMap<Annotation<unknown>, readonly string[]>();

/** All spellings of one annotation, the one that goes before the others first. */
function spellings(
  annotation: Annotation<unknown>,
  all: readonly Annotation<unknown>[],
  key: string,
): readonly string[] {
  if (annotation.fact.key.includes('{')) {
    return [key];
  }
  return keptIn(SPELLINGS, annotation, () => {
    const nameOf = (text: string) => text.slice(text.indexOf('/') + 1);
    const facts = all.map(({ fact }) => fact).filter((fact) => nameOf(fact.key) === nameOf(annotation.fact.key));
    const [newer, older] = [false, true].map((isOld) => facts.filter(({ deprecated = false }) => deprecated === isOld));
    return older.length > 0 ? [...newer, ...older].map((fact) => fact.key) : [annotation.fact.key];
  });
}

function isSameTo(old: Reading, now: Reading): boolean {
  if (old.text === now.text) {
    return true;
  }
  const [one, other] = [old.decoded, now.decoded];
  return (
    one !== undefined && other !== undefined && 'value' in one && 'value' in other && sameValue(one.value, other.value)
  );
}

function dnsNamesEffect(before: Annotations, after: Annotations): Effect | undefined {
  const [old, now] = [namesOf(before), namesOf(after)];
  const gone = old.filter((name) => !now.includes(name));
  const come = now.filter((name) => !old.includes(name));
  if (gone.length + come.length === 0) {
    return undefined;
  }
  const [key] = EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.filter((one) => before[one] !== after[one]);
  const place = { field: key, path: ['metadata', 'annotations', key], from: before[key], to: after[key] };
  const names = (gone.length > 0 ? gone : come).join(', ');
  return gone.length > 0
    ? effectAt(place, { ...consequenceIn('DNS names', 'interrupted', { names }), whom: `clients of ${names}` })
    : effectAt(place, consequenceIn('DNS names', 'kept', { names }));
}

/** Relation of an annotation's default to a value: the same always, in some cases, or nothing that is known. */
type MeaningOfDefault = 'same' | 'perhaps' | 'other';

/** Defaults are texts for people, `false: public`, `2; 3 with policy Local`, which begin with the value where there is one. */
const TEXT = /^([^\s:;,]+)(?:(:.*)|([;,].*))?$/;

function meaningOfDefault(fact: AnnotationFact<unknown>, decoded: Decoded<unknown> | undefined): MeaningOfDefault {
  const [, word, , condition] = TEXT.exec(fact.default) ?? [];
  if (word === undefined || !decoded || !('value' in decoded) || !isValue(fact, word)) {
    return 'other';
  }
  const read = fact.codec.decode(word);
  if (!('value' in read) || !sameValue(read.value, decoded.value)) {
    return 'other';
  }
  return condition === undefined ? 'same' : 'perhaps';
}

/** True if a word is a value and no word about one: what takes any text takes every word. */
function isValue({ codec }: AnnotationFact<unknown>, word: string): boolean {
  const read = codec.decode(word);
  return (
    'value' in read &&
    (typeof read.value !== 'string' || codec.examples.some((example) => example === read.value)) &&
    !Array.isArray(read.value)
  );
}
