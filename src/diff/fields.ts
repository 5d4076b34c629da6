import { addressRange, contains } from '../contract/address-ranges';
import { type EditedValue, isLimited } from '../contract/edit';
import { defined, isSet, type Json, keysChanged, list, mapIn, ownValue, sameValue } from '../contract/json';
import { DEFAULT_AFFINITY_SECONDS } from '../contract/kubernetes.facts';
import { isKafka } from '../predicted/kafka-services';
import type { ServiceField } from '../rules/controller-definition';
import { SERVICE_FIELDS } from '../rules/edits-of-values';
import { annotationsOf, isLocal, labelsOf, portsOf } from '../rules/service-json';
import { type Consequence, consequenceIn, type Effect, effectAt, effectsInSource, fieldAt, withRemedy } from './effect';
import { DEFAULTS, ELSEWHERE, FILLED_IN, SAME_AS, SETS } from './fields.facts';
import { refusalEffects, withFindings, withFindingsAtGateway } from './findings';
import { claimingAnnotations, isHandedOver, mayBeHandedOver } from './owner-changes';
import type { ComparedPair, LivePair } from './pairs';
import { annotationEffects, labelEffects, modelEffects, PossibleOwners } from './possible-owners';
import { relatedObjectEffects } from './related-changes';
import { appliedTo, hasNoBalancer, isOfOwner, type PairOf, type SideBalancer, writersOf } from './side';
import { claimEffects, conflictEffects } from './types';

export function fieldEffects(pair: ComparedPair): Effect[] {
  const { before, after } = pair;
  return !after ? [] : before ? effectsOfEdits({ ...pair, before, after }) : claimEffects({ ...pair, after });
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
  // the API server removes the second family with the policy
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

/** Fields that others have written on a live Service stay, so that what is made of the newer side alone is not what there will be. */
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
    isWhole &&
    (old === now ||
      (sameValue(old.spec, now.spec) && [annotationsOf, labelsOf].every((of) => sameValue(of(old), of(now)))))
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
    ...labelEffects(readers),
    ...claimEffects(pair),
  ];
}

interface Edited {
  readonly field: SpecField;
  readonly before: SideBalancer;
  readonly after: SideBalancer;
}

function specEffects(
  { before, after }: LivePair,
  readers: PossibleOwners,
  isStanding: (field: string) => boolean,
): Effect[] {
  const changed = fieldsChanged(before.service, after.service, isStanding).filter(
    ({ name }) => !ELSEWHERE.includes(name),
  );
  return changed
    .filter(({ name }) => !changed.some((other) => other.name === ownValue(SAME_AS, name)))
    .flatMap((field) => {
      const consequence = consequenceOfField({ field, before, after }, readers);
      const [from, to] = [
        field.before ?? ownValue(DEFAULTS, field.name),
        field.after ?? ownValue(DEFAULTS, field.name),
      ];
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
  return known === undefined ? consequenceIn('field unknown', 'unknown') : readers.ofField(known, editedIn(edited));
}

function editedIn({ field: { before: old, after: now }, before, after }: Edited): Omit<EditedValue, 'objects'> {
  const [one, other] = [before, after].map(({ service }) => mapIn(service, 'spec'));
  return { before: old, after: now, around: { before: one, after: other } };
}

const MAYBE_ASSIGNED = consequenceIn('field maybe assigned', 'unknown');

const SPECIAL: Readonly<
  Record<string, (edited: Edited, readers: PossibleOwners) => Consequence | 'nothing' | undefined>
> = {
  clusterIP: ({ field }) => (field.isFilledIn ? MAYBE_ASSIGNED : undefined),
  clusterIPs: secondFamily,
  ipFamilies: secondFamily,
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
  sessionAffinity: refusalEnds,
  loadBalancerIP: refusalEnds,
};

/** The first family of a Service stays what it is; a second one comes and goes as it does by the policy. */
function secondFamily(edited: Edited, readers: PossibleOwners): Consequence | 'nothing' | undefined {
  const { field, before, after } = edited;
  if (field.isFilledIn || list(field.before)[0] !== list(field.after)[0]) {
    return field.isFilledIn ? MAYBE_ASSIGNED : undefined;
  }
  const [old, now] = [before, after].map(({ service }) => mapIn(service, 'spec').ipFamilyPolicy);
  return old === now ? readers.ofField('spec.ipFamilyPolicy', editedIn(edited)) : 'nothing';
}

/** Clients that may connect already may do so afterwards; if no range is left, the tables say who decides then. */
function widened(consequence: Consequence, { before, after }: SpecField): Consequence {
  if (isLimited(before) && !isLimited(after)) {
    return consequence;
  }
  const isNarrower =
    isSet(after) && (!isSet(before) || list<string>(before).some((range) => !isWithin(range, list<string>(after))));
  return consequence.outcome === 'interrupted' && !isNarrower
    ? { ...consequenceIn('ranges widened', 'kept'), source: consequence.source }
    : consequence;
}

function refusalEnds(edited: Edited, readers: PossibleOwners): Consequence {
  const { owner = 'its controller' } = edited.after;
  return readers.ofField(`spec.${edited.field.name}` as ServiceField, editedIn(edited), (consequence) =>
    consequence.outcome === 'refused' && !isSet(edited.field.after)
      ? { ...consequenceIn('refusal ended', 'unknown', { owner }), source: consequence.source }
      : consequence,
  );
}

function policyMeans({ field, before, after }: Edited, { why }: Consequence): Partial<Consequence> {
  if (field.after !== 'Local') {
    return { why: `${why}; pods then see addresses of nodes where they saw those of clients` };
  }
  const missing = after.made?.healthCheckSwitch;
  if (missing !== undefined) {
    return consequenceIn('policy Local without a health check', 'interrupted', { key: missing });
  }
  const { interval, failures } = after.made?.healthCheck ?? before.made?.healthCheck ?? {};
  return interval === undefined || failures === undefined ? {} : { lasts: `up to ${interval * failures} s` };
}

interface SpecField {
  readonly name: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly isFilledIn: boolean;
}

function fieldsChanged(before: Json, after: Json, isStanding: (field: string) => boolean): SpecField[] {
  const [old, now] = [mapIn(before, 'spec'), mapIn(after, 'spec')];
  return keysChanged(old, now).flatMap((name): SpecField[] => {
    const [one, other] = [meant(name, old), meant(name, now)];
    const stays = FILLED_IN.includes(name) || isStanding(name) || one === undefined;
    return sameValue(one, other) || (other === undefined && stays)
      ? []
      : [{ name, before: one, after: other, isFilledIn: FILLED_IN.includes(name) && one === undefined }];
  });
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
  if (value === ownValue(DEFAULTS, name)) {
    return undefined;
  }
  return SETS.includes(name) ? [...new Set(list<unknown>(value).map((one) => String(one).trim()))].sort() : value;
}

/** True if every address of a range is in some of others; of a text that is no range, only the same one is. */
function isWithin(text: string, others: readonly string[]): boolean {
  const range = addressRange(text);
  return others.some((other) => {
    const outer = addressRange(other);
    return other === text || (typeof range !== 'string' && typeof outer !== 'string' && contains(outer, range));
  });
}

interface PortEdits {
  of(field: ServiceField, before?: Json, after?: Json): Consequence;
  /** True if what is not written of a port stays; not if that is not known. */
  readonly keepsNodePorts: boolean;
}

/** Those that know a port by its number: what they do not write of it stays. */
const KEEPING_NODE_PORTS: readonly unknown[] = [undefined, 'client-apply', 'server-apply'];

function portEffects({ before, after, sides }: LivePair, readers: PossibleOwners): Effect[] {
  const [old, now] = [portsOf(before.service), portsOf(after.service)];
  if (sameValue(old, now)) {
    return [];
  }
  const come = new Set(now.map(({ port }) => port));
  const edits: PortEdits = {
    keepsNodePorts: KEEPING_NODE_PORTS.includes(sides.options.writer),
    of: (field, one = {}, other = {}) => {
      const name = field.slice(field.lastIndexOf('.') + 1);
      return readers.ofField(field, { before: one[name], after: other[name], around: { before: one, after: other } });
    },
  };
  return matchedPorts(old, now).flatMap(([one, other]) =>
    one && other
      ? changed(one, other, edits)
      : one
        ? removed(one, come.has(one.port.port), edits)
        : added(other as PortAt, edits),
  );
}

function clientsOf({ port }: PortAt): string {
  const protocol = protocolOf(port);
  return `clients of port ${port.port}${protocol === 'TCP' ? '' : `/${protocol}`}`;
}

function placeOf({ port, index }: PortAt) {
  const path = ['spec', 'ports', index];
  return { field: fieldAt(path), path, words: `${nameOf(port) ? `${nameOf(port)} ` : ''}${numberOf(port)}` };
}

function removed(at: PortAt, isTaken: boolean, edits: PortEdits): Effect[] {
  const { words: from, ...place } = placeOf(at);
  const consequence = edits.of('spec.ports[].port', at.port);
  const why = isTaken
    ? 'the port is gone in this protocol, and its clients are refused'
    : `the port is gone: ${consequence.why}`;
  const remedy = 'keep the port until no client uses it';
  return [effectAt({ ...place, from }, { ...consequence, why, whom: clientsOf(at), lasts: 'for good', remedy })];
}

function added(at: PortAt, edits: PortEdits): Effect[] {
  const { words: to, ...place } = placeOf(at);
  return [effectAt({ ...place, to }, withRemedy(edits.of('spec.ports[]', undefined, at.port)))];
}

function changed(before: PortAt, after: PortAt, edits: PortEdits): Effect[] {
  const [old, now] = [before.port, after.port];
  const [protocol, target] = [[old, now].map(protocolOf), [old, now].map(targetOf)];
  const of = (field: ServiceField, isChanged: boolean) => (isChanged ? edits.of(field, old, now) : undefined);
  const number = of('spec.ports[].port', old.port !== now.port);
  // many owners balance one protocol alone
  const beside = protocol[0] === protocol[1] ? 'add the new port' : 'make a second Service with the new port';
  const remedy = `${beside} beside the old one, and remove the old one when no client uses it`;
  const isRetargeted = target[0] !== target[1] && (isSet(old.targetPort) || isSet(now.targetPort));
  const isOtherProtocol = !sameValue(old.appProtocol || undefined, now.appProtocol || undefined);
  const all: readonly [name: string, from: unknown, to: unknown, consequence: Consequence | undefined][] = [
    ['port', old.port, now.port, number && { ...number, lasts: 'for good', remedy }],
    ['protocol', ...(protocol as [string, string]), of('spec.ports[].protocol', protocol[0] !== protocol[1])],
    ['name', old.name, now.name, nameOf(old) === nameOf(now) ? undefined : renamed(old, now, edits)],
    ['targetPort', target[0], target[1], of('spec.ports[].targetPort', isRetargeted)],
    ['nodePort', old.nodePort, now.nodePort, nodePortConsequence(old, now, edits)],
    ['appProtocol', old.appProtocol, now.appProtocol, of('spec.ports[].appProtocol', isOtherProtocol)],
  ];
  return all.flatMap(([name, from, to, consequence]) => {
    if (!consequence) {
      return [];
    }
    const path = ['spec', 'ports', after.index, name];
    const isHarmless = consequence.outcome === 'kept' || consequence.outcome === 'refused';
    const pathBefore = before.index === after.index ? {} : { pathBefore: ['spec', 'ports', before.index, name] };
    const whom = isHarmless ? {} : { whom: clientsOf(before) };
    return [effectAt({ field: fieldAt(path), path, ...pathBefore, from, to }, withRemedy({ ...whom, ...consequence }))];
  });
}

function targetOf({ port, targetPort }: Json): unknown {
  return !isSet(targetPort) || targetPort === 0 || targetPort === '' ? port : targetPort;
}

/** A port that is renamed may get another node port: what that does is for the owner to say. */
function renamed(old: Json, now: Json, edits: PortEdits): Consequence {
  const moved = edits.of('spec.ports[].nodePort', old, now);
  if (moved.outcome === 'kept' || (isSet(now.nodePort) && old.nodePort === now.nodePort)) {
    return { outcome: 'kept', why: 'the name is for annotations and other objects alone', source: moved.source };
  }
  if (edits.keepsNodePorts) {
    const name = edits.of('spec.ports[].name', old, now);
    return { ...name, outcome: 'kept', why: 'applied, the port keeps its node port under another name' };
  }
  const why = `the port gets another node port: ${moved.why}`;
  return { ...moved, why, remedy: 'write the node port beside the new name' };
}

function nodePortConsequence(old: Json, now: Json, edits: PortEdits): Consequence | undefined {
  const [one, other] = [old.nodePort || undefined, now.nodePort || undefined];
  if (other === undefined || one === other) {
    return undefined;
  }
  const consequence = edits.of('spec.ports[].nodePort', old, now);
  const { why, source } = consequence;
  return one !== undefined || consequence.outcome === 'kept'
    ? consequence
    : { ...consequenceIn('node port maybe assigned', 'unknown', { why }), source };
}

interface PortAt {
  readonly port: Json;
  readonly index: number;
}

/** The ports of two sides, each with itself: by number and protocol, as apply knows and clients use it, and those that are left by name. */
function matchedPorts(before: readonly Json[], after: readonly Json[]): PairOf<PortAt>[] {
  const left = new Set(after.map((port, index): PortAt => ({ port, index })));
  const take = (isSame: (port: Json) => boolean): PortAt | undefined => {
    const found = [...left].find(({ port }) => isSame(port));
    left.delete(found as PortAt);
    return found;
  };
  const numbered = before.map((one) => take((port) => numberOf(port) === numberOf(one)));
  const pairs = before.map((port, index): PairOf<PortAt> => {
    const other = numbered[index] ?? take((one) => nameOf(one) === nameOf(port));
    return [{ port, index }, other];
  });
  return [...pairs, ...[...left].map((one): PairOf<PortAt> => [undefined, one])];
}

function nameOf({ name }: Json): string {
  return typeof name === 'string' ? name : '';
}

function protocolOf({ protocol }: Json): string {
  return typeof protocol === 'string' && protocol !== '' ? protocol : 'TCP';
}

function numberOf(port: Json): string {
  return `${port.port}/${protocolOf(port)}`;
}
