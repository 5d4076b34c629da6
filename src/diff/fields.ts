import { BlockList, isIP } from 'node:net';
import { type EditedValue, isLimited } from '../contract/edit';
import { defined, isSet, type Json, list, mapIn, ownValue, sameValue } from '../contract/json';
import { DEFAULT_AFFINITY_SECONDS } from '../contract/kubernetes.facts';
import { isKafka } from '../predicted/kafka-services';
import type { ServiceField } from '../rules/controller-definition';
import { SERVICE_FIELDS } from '../rules/edits-of-values';
import { annotationsOf, isLocal } from '../rules/service-json';
import { annotationEffects } from './annotations';
import { claimEffects, conflictEffects } from './claims';
import { type Consequence, type Effect, effectAt, withRemedy } from './effect';
import { refusalEffects, withFindings } from './findings';
import { claimingAnnotations, isHandedOver, mayBeHandedOver } from './owner-changes';
import { appliedTo, isOfOwner, writersOf } from './owners';
import type { LivePair, Pair } from './pairs';
import { withFindingsAtGateway } from './pods';
import { portEffects } from './ports';
import { modelEffects, PossibleOwners } from './possible-owners';
import { relatedObjectEffects } from './related-objects';
import { hasNoBalancer, type SideBalancer, type Sides } from './side';
import { effectsInSource } from './sources';

/** What the edit of each field and annotation does. */
export function fieldEffects({ before, after, ...pair }: Pair, sides: Sides): Effect[] {
  if (!after) {
    return [];
  }
  return before ? effectsOfEdits({ ...pair, before, after, sides }) : claimEffects({ ...pair, after, sides });
}

/**
 * The Service as Strimzi writes it without server-side apply: with the IP families of the live one, and its policy if none is written.
 * strimzi/strimzi-kafka-operator 0.50.0, ServiceOperator.java (patchDualStackNetworking)
 */
function withLiveFamilies({ before, after, sides }: LivePair): SideBalancer {
  const { madeOf } = after.written;
  if (!madeOf || !isKafka(madeOf.object) || writersOf(after, sides).some((writer) => writer !== 'put')) {
    return after;
  }
  const [live, spec] = [before, after].map(({ service }) => mapIn(service, 'spec'));
  const policy: unknown = spec.ipFamilyPolicy ?? live.ipFamilyPolicy;
  // the API server takes the second family away with the policy
  const families = list(live.ipFamilies).slice(0, policy === 'SingleStack' ? 1 : 2);
  const copied = { ipFamilies: families.length > 0 ? families : undefined, ipFamilyPolicy: policy };
  return { ...after, service: { ...after.service, spec: defined({ ...spec, ...copied }) } };
}

function familiesEffects({ before, after }: LivePair, written: SideBalancer): Effect[] {
  const [from, to, asked] = [before, after, written].map(({ service }) => list(mapIn(service, 'spec').ipFamilies));
  const place = { field: 'spec.ipFamilies', path: ['spec', 'ipFamilies'], from, to: asked };
  const why = 'not applied: without server-side apply the operator takes the families of the live Service';
  return asked.length === 0 || sameValue(to, asked)
    ? []
    : [effectAt(place, { outcome: 'kept', notApplied: true, staysAsMade: true, why })];
}

function effectsOfEdits(written: LivePair): Effect[] {
  const pair = { ...written, after: withLiveFamilies(written) };
  const { before, after, sides } = pair;
  const [hadNone, hasNone] = [before, after].map(hasNoBalancer);
  if (sides.options.writer === 'create' || (hadNone && hasNone)) {
    return [];
  }
  const readers = new PossibleOwners(pair);
  const edits = isSame(before, after) ? [] : effectsOfService(pair, readers);
  const own = [
    ...familiesEffects(pair, written.after),
    ...(hadNone ? edits : withFindings(edits, pair)),
    ...relatedObjectEffects(pair),
    ...conflictEffects(pair),
  ];
  const made = keepsUnwritten(pair, readers) ? [] : modelEffects(pair, readers, own);
  const inMaker = effectsInSource([...own, ...made], pair);
  return hadNone ? inMaker : withFindingsAtGateway(inMaker, after.written.madeOf?.object, sides);
}

/** What others have written on a live Service stays, so that what is made of the newer side alone is not what there will be. */
function keepsUnwritten(pair: LivePair, { kind }: PossibleOwners): boolean {
  const [old, now] = [pair.before, pair.after].map(({ service }) => annotationsOf(service));
  const gone = Object.keys(old).filter((key) => ownValue(now, key) === undefined && kind?.catalogue.find(key));
  const applied = gone.length > 0 ? appliedTo(pair) : undefined;
  return applied !== undefined && gone.some((key) => !applied.hasAnnotation(key));
}

/** Most Services stay as they are: this is cheaper to say than what of them changes. */
function isSame({ service: old }: SideBalancer, { service: now, written }: SideBalancer): boolean {
  const isWhole = written.madeOf !== undefined || written.object === now;
  return (
    isWhole && (old === now || (sameValue(old.spec, now.spec) && sameValue(annotationsOf(old), annotationsOf(now))))
  );
}

function effectsOfService(pair: LivePair, readers: PossibleOwners): Effect[] {
  const { before, after, sides } = pair;
  const refused = refusalEffects(before, after, sides.after);
  if (refused.length > 0) {
    return refused;
  }
  if (isHandedOver(pair) || hasNoBalancer(before)) {
    return claimEffects(pair);
  }
  const undecided = new Set(mayBeHandedOver(pair) ? claimingAnnotations(before, after) : []);
  const applied = appliedTo(pair);
  const isStanding = (key: string) => applied?.hasAnnotation(key) === false || isOfOwner(pair, readers.kind, key);
  return [
    ...specEffects(pair, readers, (name) => applied?.hasInSpec(name) === false),
    ...portEffects(pair, readers),
    ...annotationEffects(readers, isStanding).filter(({ field }) => !undecided.has(field)),
    ...claimEffects(pair),
  ];
}

/** Fields that are looked at elsewhere: ports one by one, and what is no change of a live balancer but of its life. */
const ELSEWHERE: ReadonlySet<string> = new Set(['type', 'externalName', 'loadBalancerClass', 'ports']);

/** Fields whose other spelling says the same. */
const SAME_AS: Readonly<Record<string, string>> = { clusterIPs: 'clusterIP' };

interface Edited {
  readonly field: SpecField;
  readonly before: SideBalancer;
  readonly after: SideBalancer;
}

/** What the edit of each field of the spec does, without the ports. */
function specEffects(
  { before, after }: LivePair,
  readers: PossibleOwners,
  isStanding: (field: string) => boolean,
): Effect[] {
  const changed = fieldsChanged(before.service, after.service, isStanding).filter(({ name }) => !ELSEWHERE.has(name));
  return changed
    .filter(({ name }) => !changed.some((other) => other.name === ownValue(SAME_AS, name)))
    .flatMap((field) => {
      const consequence = consequenceOfField({ field, before, after }, readers);
      const [from, to] = [field.before ?? defaultOf(field.name), field.after ?? defaultOf(field.name)];
      const place = { field: `spec.${field.name}`, path: ['spec', field.name] };
      return consequence ? [effectAt({ ...place, from, to }, withRemedy(consequence))] : [];
    });
}

function consequenceOfField(edited: Edited, readers: PossibleOwners): Consequence | undefined {
  const { field } = edited;
  const special = ownValue(SPECIAL, field.name)?.(edited, readers);
  if (special !== undefined) {
    return special === 'nothing' ? undefined : special;
  }
  const known = SERVICE_FIELDS.find((one) => one === `spec.${ownValue(SAME_AS, field.name) ?? field.name}`);
  return known === undefined ? UNKNOWN_FIELD : readers.ofField(known, editedIn(edited));
}

function editedIn({ field: { before: old, after: now }, before, after }: Edited): Omit<EditedValue, 'objects'> {
  const [one, other] = [before, after].map(({ service }) => mapIn(service, 'spec'));
  return { before: old, after: now, around: { before: one, after: other } };
}

const UNKNOWN_FIELD: Consequence = {
  outcome: 'unknown',
  why: 'a Service has no such field here: kubectl refuses it, and others drop it silently',
  needs: ['whether the API server knows the field'],
};

const MAYBE_ASSIGNED: Consequence = {
  outcome: 'unknown',
  why: 'refused, unless it is what the API server has chosen already',
  needs: ['the live Service'],
  remedy: 'leave it out: the API server keeps what it has chosen',
};

type Special = (edited: Edited, readers: PossibleOwners) => Consequence | 'nothing' | undefined;

const SPECIAL: Readonly<Record<string, Special>> = {
  clusterIP: ({ field }) => (field.isFilledIn ? MAYBE_ASSIGNED : undefined),
  clusterIPs: (edited, readers) => (edited.field.isFilledIn ? MAYBE_ASSIGNED : secondFamily(edited, readers)),
  ipFamilies: (edited, readers) => (edited.field.isFilledIn ? MAYBE_ASSIGNED : secondFamily(edited, readers)),
  healthCheckNodePort: ({ field, before, after }) =>
    !isLocal(before.service) || !isLocal(after.service) ? 'nothing' : field.isFilledIn ? MAYBE_ASSIGNED : undefined,
  loadBalancerSourceRanges: (edited, readers) =>
    readers.ofField('spec.loadBalancerSourceRanges', editedIn(edited), (consequence) =>
      widened(consequence, edited.field),
    ),
  externalTrafficPolicy: (edited, readers) => {
    const consequence = readers.ofField('spec.externalTrafficPolicy', editedIn(edited));
    return consequence.outcome === 'kept' ? consequence : { ...consequence, ...policyMeans(edited, consequence) };
  },
  sessionAffinity: (edited, readers) => refusalEnds('spec.sessionAffinity', edited, readers),
  loadBalancerIP: (edited, readers) => refusalEnds('spec.loadBalancerIP', edited, readers),
};

/** The first family of a Service stays what it is; a second one comes and goes as it does by the policy. */
function secondFamily(edited: Edited, readers: PossibleOwners): Consequence | 'nothing' | undefined {
  const { field, before, after } = edited;
  if (list(field.before)[0] !== list(field.after)[0]) {
    return undefined;
  }
  const [old, now] = [before, after].map(({ service }) => mapIn(service, 'spec').ipFamilyPolicy);
  return old === now ? readers.ofField('spec.ipFamilyPolicy', editedIn(edited)) : 'nothing';
}

/** Who may connect already may do so afterwards; where no range is left, the tables say who decides then. */
function widened(consequence: Consequence, { before, after }: SpecField): Consequence {
  if (isLimited(before) && !isLimited(after)) {
    return consequence;
  }
  const isNarrower =
    isSet(after) && (!isSet(before) || list<string>(before).some((range) => !isWithin(range, list<string>(after))));
  return consequence.outcome === 'interrupted' && !isNarrower
    ? { outcome: 'kept', why: 'more clients may connect, and none loses access', source: consequence.source }
    : consequence;
}

function refusalEnds(name: ServiceField, edited: Edited, readers: PossibleOwners): Consequence {
  const { owner } = edited.after;
  return readers.ofField(name, editedIn(edited), (consequence) =>
    consequence.outcome === 'refused' && !isSet(edited.field.after)
      ? {
          outcome: 'unknown',
          why: `${owner ?? 'its controller'} refused it, and edits that waited behind it are carried out now`,
          needs: ['what has changed since it was refused'],
          source: consequence.source,
        }
      : consequence,
  );
}

/** How long it takes until the balancer has noticed which nodes serve, and what pods see. */
function policyMeans({ field, before, after }: Edited, { why }: Consequence): Partial<Consequence> {
  if (field.after !== 'Local') {
    return { why: `${why}; pods then see addresses of nodes where they saw those of clients` };
  }
  const { interval, failures } = after.made?.healthCheck ?? before.made?.healthCheck ?? {};
  return interval === undefined || failures === undefined ? {} : { lasts: `up to ${interval * failures} s` };
}

/** What the API server takes a field for where it is not written. kubernetes/kubernetes v1.36.3, pkg/apis/core/v1/defaults.go */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  externalTrafficPolicy: 'Cluster',
  internalTrafficPolicy: 'Cluster',
  sessionAffinity: 'None',
  ipFamilyPolicy: 'SingleStack',
  allocateLoadBalancerNodePorts: true,
  publishNotReadyAddresses: false,
};

/** Fields that the API server fills in, and leaves as they are where an update says nothing of them. */
const FILLED_IN: ReadonlySet<string> = new Set(['clusterIP', 'clusterIPs', 'healthCheckNodePort', 'ipFamilies']);

const SETS: ReadonlySet<string> = new Set(['loadBalancerSourceRanges', 'externalIPs']);

interface SpecField {
  readonly name: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Whether the older side says nothing of it, and what the API server has chosen is not known. */
  readonly isFilledIn: boolean;
}

/**
 * The fields of a spec that are not the same on two sides.
 *
 * @param isStanding whether a field that only the older side has was not applied, and so stays
 */
function fieldsChanged(before: Json, after: Json, isStanding: (field: string) => boolean): SpecField[] {
  const [old, now] = [mapIn(before, 'spec'), mapIn(after, 'spec')];
  if (old === now) {
    return [];
  }
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return names
    .filter((name) => !sameValue(ownValue(old, name), ownValue(now, name)))
    .map((name) => ({ name, before: meant(name, old), after: meant(name, now), isFilledIn: false }))
    .filter(
      ({ name, before: one, after: other }) => !sameValue(one, other) && !(other === undefined && stays(name, one)),
    )
    .map((field) => ({ ...field, isFilledIn: FILLED_IN.has(field.name) && field.before === undefined }));

  function stays(name: string, value: unknown): boolean {
    return FILLED_IN.has(name) || isStanding(name) || value === undefined;
  }
}

/** A field as the API server takes it; nothing where it is as good as not there. */
function meant(name: string, spec: Json): unknown {
  const value: unknown = ownValue(spec, name);
  if (!isSet(value) || value === '' || (Array.isArray(value) && value.length === 0)) {
    return undefined;
  }
  if (name === 'sessionAffinityConfig') {
    const seconds: unknown = mapIn(value, 'clientIP').timeoutSeconds;
    return spec.sessionAffinity !== 'ClientIP' || seconds === DEFAULT_AFFINITY_SECONDS ? undefined : value;
  }
  if (name === 'healthCheckNodePort') {
    return value === 0 ? undefined : value;
  }
  if (value === defaultOf(name)) {
    return undefined;
  }
  return SETS.has(name) ? [...new Set(list<unknown>(value).map((one) => String(one).trim()))].sort() : value;
}

function defaultOf(name: string): unknown {
  return ownValue(DEFAULTS, name);
}

/** Whether every address of a range is in some of others; of a text that is no range, only the same one is. */
function isWithin(range: string, others: readonly string[]): boolean {
  return others.some((other) => other === range || contains(other, range));
}

function contains(outer: string, inner: string): boolean {
  const [one, other] = [outer, inner].map(partsOf);
  if (!one || !other || one.family !== other.family || one.bits > other.bits) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(one.address, one.bits, one.family);
  return list.check(other.address, other.family);
}

interface Range {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

function partsOf(text: string): Range | undefined {
  const [address, length = ''] = text.split('/');
  const version = isIP(address);
  const bits = Number(length);
  const most = version === 6 ? 128 : 32;
  return version !== 0 && /^\d+$/.test(length) && bits <= most
    ? { address, bits, family: version === 6 ? 'ipv6' : 'ipv4' }
    : undefined;
}
