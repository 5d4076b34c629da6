import type { Annotation, AnnotationFact } from '../contract/annotation-catalogue';
import type { DecodeResult } from '../contract/annotation-codec';
import { type EditedValue, editFrom, editOfValue, isWorse, type Outcome } from '../contract/edit';
import { namesOf } from '../contract/external-dns';
import { cachedIn, keysChanged, ownValue, sameValue } from '../contract/json';
import { EXTERNAL_DNS_HOSTNAME_ANNOTATIONS, LAST_APPLIED_ANNOTATION } from '../contract/kubernetes.facts';
import type { LoadBalancerModel } from '../contract/load-balancer-model';
import { LoadBalancerWish } from '../contract/options';
import { type OtherController, ownerEvidence } from '../controllers/other-controller';
import { VENDOR_MARKS } from '../controllers/vendors/marks.facts';
import {
  type ControllerDefinition,
  type ControllerVersion,
  neededToMake,
  type ServiceField,
} from '../rules/controller-definition';
import { editOfAnnotation, editOfField } from '../rules/edits-of-values';
import { allKinds, possibleClaimants, possibleOwners } from '../rules/known-kinds';
import { annotationsOf, classOf, labelsOf, portsOf } from '../rules/service-json';
import { type Consequence, consequenceIn, consequenceOf, type Effect, effectAt, withRemedy } from './effect';
import type { LivePair } from './pairs';
import { installedOf, kindOf, type SideBalancer } from './side';

interface PossibleOwner {
  readonly kind: ControllerDefinition;
  readonly before?: ControllerVersion;
  readonly after?: ControllerVersion;
}

export class PossibleOwners {
  private readonly own: readonly PossibleOwner[];
  private possible?: readonly PossibleOwner[];

  public constructor(private readonly pair: LivePair) {
    const { before, after } = pair;
    const kinds = new Set([after, before].flatMap((one) => kindOf(one) ?? []));
    this.own = [...kinds].map((kind) => ({ kind, before: versionOf(kind, before), after: versionOf(kind, after) }));
  }

  public get kind(): ControllerDefinition | undefined {
    return this.own[0]?.kind;
  }

  public get needs(): readonly string[] | undefined {
    const { owner, unowned } = this.pair.after;
    if (this.own.length > 0) {
      return undefined;
    }
    return [
      owner === undefined ? (unowned ?? 'which controller owns the balancer') : `what ${owner} makes of the change`,
    ];
  }

  public worst(
    ask: (reader: PossibleOwner) => Consequence | undefined,
    otherwise?: Consequence,
  ): Consequence | undefined {
    const own = this.own.map(ask).reduce(worse, undefined);
    if (this.own.length > 0) {
      return this.pair.after.guess === undefined ? own : this.orUnknown(own, this.possibly().map(ask));
    }
    const all = [otherwise, ...this.possibly().map(ask)];
    const worst = all.reduce(worse, undefined);
    return all.every((consequence) => effectOf(consequence) === effectOf(worst)) ? worst : this.undecided(worst);
  }

  public ofField(
    field: ServiceField,
    edited: Omit<EditedValue, 'objects'>,
    adapt = (consequence: Consequence) => consequence,
  ): Consequence {
    const value = { ...edited, objects: this.objects };
    const general = adapt(consequenceOf(editOfField(field, value)));
    return this.worst(({ kind }) => adapt(consequenceOf(editOfField(field, value, kind))), general) ?? general;
  }

  private orUnknown(
    consequence: Consequence | undefined,
    others: readonly (Consequence | undefined)[],
  ): Consequence | undefined {
    const isKept = consequence === undefined || consequence.outcome === 'kept';
    const worst = others.reduce(worse, consequence);
    return isKept && worst !== undefined && worst.outcome !== 'kept' ? this.undecided(worst, consequence) : consequence;
  }

  private undecided(worst: Consequence | undefined, own?: Consequence): Consequence | undefined {
    const { guess, otherOwner } = this.pair.after;
    const needs = this.needs ?? [guess ?? 'which controller owns the balancer'];
    const names = this.own.map(({ kind }) => kind.name).join(' or ');
    const ways = own ? `${names}: ${own.why}; another one: ${worst?.why}` : worst?.why;
    const unless = own || names === '' ? '' : `, unless it is ${names}`;
    const why = otherOwner === undefined ? `depends on the controller: ${ways}${unless}` : `depends on ${otherOwner}`;
    return worst && { outcome: 'unknown', why, needs };
  }

  private possibly(): readonly PossibleOwner[] {
    const { after, sides } = this.pair;
    const { service, guess, otherOwner } = after;
    // an owner without rules may do what any controller does
    const isPossible = ({ name }: ControllerDefinition) =>
      otherOwner !== undefined || sides.after.controllers?.includes(name) !== false;
    // a webhook that may be on is one of the ways in which a controller may be installed
    this.possible ??= (
      guess === undefined ? possibleClaimants(service).map(({ kind }) => kind) : possibleOwners(service)
    )
      .filter(isPossible)
      .map((kind) => ({ kind }));
    return this.possible;
  }

  public get objects(): EditedValue['objects'] {
    return { before: this.pair.before.service, after: this.pair.after.service };
  }
}

function effectOf(consequence: Consequence | undefined): Outcome {
  return consequence?.outcome ?? 'kept';
}

function worse(worst: Consequence | undefined, consequence: Consequence | undefined): Consequence | undefined {
  return worst === undefined || (consequence !== undefined && isWorse(consequence, worst)) ? consequence : worst;
}

function versionOf(kind: ControllerDefinition, balancer: SideBalancer): ControllerVersion | undefined {
  const installed = kindOf(balancer) === kind ? installedOf(balancer) : undefined;
  return installed && kind.versionOf?.(installed);
}

const anyEffect = (effects: readonly Effect[]) =>
  effects.some(({ outcome, staysAsMade }) => outcome !== 'kept' || staysAsMade);

const schemeOf = ({ scheme }: LoadBalancerModel) => scheme;

const ASPECTS: Readonly<Record<string, (made: LoadBalancerModel, ports: readonly string[]) => unknown>> = {
  'who can reach it': schemeOf,
  'the kind of balancer': ({ product }) => product,
  'what connections arrive at': ({ target }) => target,
  'how pods see clients': ({ clientAddress, clientAddressOfPorts }, ports) =>
    ports.map((port) => clientAddressOfPorts?.[port] ?? clientAddress),
  'which nodes serve': ({ nodeLabels }) => nodeLabels,
  'the balancer that it shares': ({ sharedBy }) => sharedBy,
  'the address that it shares': ({ addressSharedBy }) => addressSharedBy,
};

/**
 * The models of both sides differ, and no changed field states the effect on the live balancer.
 *
 * @param effects what is known already
 */
export function modelEffects(
  { before, after }: LivePair,
  readers: PossibleOwners,
  effects: readonly Effect[],
): Effect[] {
  const { made: old } = before;
  const { made: now, controller } = after;
  if (old === now || readers.kind === undefined || before.owner !== after.owner) {
    return [];
  }
  if (old === undefined || now === undefined) {
    const needs = controller ? [neededToMake(controller)] : [];
    const why = 'the balancer is known on one side only';
    return anyEffect(effects) ? [] : [effectAt({ field: 'spec', path: ['spec'] }, { outcome: 'unknown', why, needs })];
  }
  const numbers = portsIn(before);
  const ports = portsIn(after).filter((port) => numbers.includes(port));
  const changesScheme = ({ field, outcome }: Effect) =>
    outcome === 'replaced' || readers.kind?.catalogue.find(field)?.fact.wish === LoadBalancerWish.SCHEME;
  return Object.entries(ASPECTS).flatMap(([aspect, valueIn]) => {
    const [from, to] = [valueIn(old, ports), valueIn(now, ports)];
    const isCovered = valueIn === schemeOf ? effects.some(changesScheme) : anyEffect(effects);
    const different = { ...consequenceIn('balancer different', 'unknown', { aspect }), source: now.source };
    return isCovered || sameValue(from, to) ? [] : [effectAt({ field: 'spec', path: ['spec'], from, to }, different)];
  });
}

function portsIn({ service }: SideBalancer): string[] {
  return portsOf(service).map(({ port }) => String(port));
}

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
      readers.needs && { outcome: 'unknown', why: `whether its owner reads ${key} is not known`, needs: readers.needs },
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

/** Edits of labels that a controller reads, as it reads annotations. */
export function labelEffects(readers: PossibleOwners): Effect[] {
  const { objects } = readers;
  const [before, after] = [objects.before, objects.after].map(labelsOf);
  return keysChanged(before, after).flatMap((key) => {
    const [from, to] = [ownValue(before, key), ownValue(after, key)];
    const consequence = readers.worst(({ kind }) => {
      const row = ownValue(kind.labelEdits ?? {}, key);
      return (
        row &&
        consequenceOf(
          editOfValue(editFrom(row, kind.facts.source), {
            before: from,
            after: to,
            around: { before, after },
            objects,
          }),
        )
      );
    });
    const place = { field: key, path: ['metadata', 'labels', key], from, to };
    return consequence ? [effectAt(place, withRemedy(consequence))] : [];
  });
}

const NOT_OF_BALANCERS: ReadonlySet<string> = new Set([LAST_APPLIED_ANNOTATION, ...EXTERNAL_DNS_HOSTNAME_ANNOTATIONS]);

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
  readonly decoded?: DecodeResult<unknown>;
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
  return cachedIn(SPELLINGS, annotation, () => {
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

/** Defaults are texts for people, `false: public`, `2; 3 with policy Local`, which begin with the value where there is one. */
const TEXT = /^([^\s:;,]+)(?:(:.*)|([;,].*))?$/;

function meaningOfDefault(fact: AnnotationFact<unknown>, decoded: DecodeResult<unknown> | undefined) {
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

export function otherOwnersOf({ service, owner }: SideBalancer): readonly OtherController[] {
  if (owner !== undefined) {
    return VENDOR_MARKS.filter(({ id, name }) => owner === id || owner === name);
  }
  const shown = ownerEvidence(service).map(({ other }) => other);
  if (shown.length > 0) {
    return shown;
  }
  if (classOf(service) !== undefined) {
    return VENDOR_MARKS; // an installation can serve any class
  }
  const isOfKnown = Object.keys(annotationsOf(service)).some((key) =>
    allKinds().some(({ catalogue }) => catalogue.claims(key)),
  );
  return isOfKnown ? [] : VENDOR_MARKS.filter(({ takesClassless }) => takesClassless);
}
