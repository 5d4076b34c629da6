import { firstOfEach, type Json, mapOf, nameIn, printable } from '../contract/json';
import { gapIn } from '../contract/kubernetes-syntax';
import type { YamlPath } from '../contract/kubernetes-yaml';
import type { LoadBalancerFinding } from '../contract/options';
import { filled } from '../contract/rule';
import type { LoadBalancerOwner } from '../controllers/load-balancer-owner';
import { OwnershipState } from '../controllers/options';
import { compareTexts } from '../cost/balancers';
import { isGateway } from '../predicted/gateway-balancers';
import { isKafka } from '../predicted/kafka-services';
import { canSet } from '../predicted/operator-faults';
import { operatorOf } from '../predicted/operator-services';
import type { ObjectOrigin, ReportedService } from '../predicted/predicted';
import { predictServices } from '../predicted/predicted-services';
import { isGraveForAllReaders, misspeltKeys } from '../rules/annotation-rules';
import { type Claim, claimFindings, claimsOf } from '../rules/claims';
import { definitionOf, unwrapped } from '../rules/controller-definition';
import { FINALIZER_RULES } from '../rules/finalizer-rules';
import { checkIgnore, ignoredBy, ignoreEntriesOf, unusedIgnores } from '../rules/ignored-findings';
import { knownKinds, likelyClaimsOf } from '../rules/known-kinds';
import { ManifestIndex } from '../rules/manifest-objects';
import type { IndexedObject } from '../rules/objects';
import { type CheckResult, isFoundInFiles, RuleSet, type Unknown } from '../rules/rule-set';
import { CLAIMED_TWICE } from '../rules/rules.facts';
import { classOf, wantsLoadBalancer } from '../rules/service-json';
import { VALUE_RULES } from '../rules/service-rule-set';
import { SHARED_CLASS } from '../tenancy/tenancy.facts';
import { budgetFindings } from './balancers';
import type { Acceptance, CheckedObject, CheckFinding, CheckReport, Level, UnknownAnswer } from './check-report';
import { accept, type CheckContext } from './context/check-context';
import { inferredContext } from './context/inference';
import { competingWriters, differingCopies, notesAbout, type Subject } from './file-rules/notes';
import { NEEDED_FIELDS, OWN_SERVICE } from './file-rules/rules.facts';
import { FILE_SERVICE_RULES } from './file-rules/service-rules';
import { folded } from './formats/words';
import { leftOut, type Manifests } from './manifests';
import { ownershipErrors, UNCLAIMED, unknownWebhook, unlessWebhookClaims } from './owners-in-words';
import { fieldInMaker, fieldOf, fieldOfResource, pointerTo } from './places';
import { checkInFiles, workloadsIn } from './rule-sets';
import { commonFindings, hasKnownValue, ownedService } from './service-checks';

export function objectsIn(read: Manifests) {
  const { manifests } = read;
  const index = new ManifestIndex(manifests);
  const later = predictServices(manifests);
  const possible = new Set<ReportedService>(later.possible);
  const made = [...later.services, ...possible];
  return { manifests, index, later, possible, made, ofLater: made.map((service) => index.entryOf(service)) };
}

export interface CheckedObjects extends ReturnType<typeof objectsIn> {
  readonly context: CheckContext;
  readonly report: CheckReport;
  /**
   * The findings of a Service and of the listener that produces it, without accepted ones. Findings that the report shares
   * between Services are repeated.
   */
  findingsOf(object: ReportedService): readonly CheckFinding[];
}

export function check(read: Manifests, written: CheckContext, today?: string): CheckReport {
  return checkObjects(read, written, today).report;
}

export function checkObjects(read: Manifests, written: CheckContext, today?: string): CheckedObjects {
  const { unreadable, strange } = read;
  const objects = objectsIn(read);
  const { manifests, index, later, possible, made, ofLater } = objects;
  const context = inferredContext(index, written, ofLater);
  const subjects = [
    ...manifests.map((manifest, i) => subjectOf(manifest, index.all[i], context)),
    ...made.map((service, i) => ({
      ...subjectOf(service, ofLater[i], context),
      isOfUnknownGateway: possible.has(service),
    })),
  ];
  const copies = differingCopies(subjects, read.isDeclared);
  const rivals = competingWriters(subjects, read.isDeclared);
  const claimed = subjects.flatMap(({ file, owned, entry, isOfUnknownGateway }) => {
    const object = isOfUnknownGateway ? undefined : owned?.service;
    // another one may claim what a Service without a balancer has, such as its node port
    const isSilent = owned?.owner.state === OwnershipState.NOT_APPLICABLE;
    const claims = owned ? claimsIn(owned.service, owned.owner) : [];
    return object ? [{ object, group: file, place: String(entry.unit), claims, isSilent }] : [];
  });
  const fights = claimFindings(claimed, false);
  const findings: CheckFinding[] = [];
  const unknown: UnknownAnswer[] = [];
  const reported = new Set<string>();
  const findingsOf = new Map<Json, CheckFinding[]>(subjects.map(({ object }) => [object, []]));
  const answered = new Answered();
  const add = (
    subject: Subject,
    level: Level,
    found: readonly LoadBalancerFinding[],
    guess: Guess = (...same) => same,
  ) => {
    for (const finding of found) {
      const at = inTemplate(subject, finding);
      const isNote = RuleSet.withId(finding.ruleId).some(({ levelInFiles }) => levelInFiles === 'note');
      const asked = isNote ? 'note' : level;
      const [weighed, told] = guess(asked, finding);
      const accepted = acceptanceAt(at, finding.ruleId, today);
      const one = {
        ...findingAt(at, weighed, withPossibleRemedy(subject, told)),
        ...(weighed !== asked && { isGuess: true as const }),
        ...(accepted && { accepted }),
      };
      const pointerKey = pointerKeyOf(at, one);
      const key = at.madeOf ? pointerKey : `${pointerKey}\n${one.what}`;
      if (isElsewhere(subject, finding, subject.madeOf && findingsOf.get(subject.madeOf.object))) {
        continue;
      }
      answered.add(at, finding.ruleId);
      findingsOf.get(subject.object)?.push(one);
      if (!reported.has(key)) {
        reported.add(key).add(pointerKey);
        findings.push(one);
      }
    }
  };
  for (const subject of subjects) {
    const { object, entry, owned } = subject;
    const result = checkInFiles(entry, context, owned);
    const guess = guessAbout(subject, context);
    const fought = (owned && fights.get(owned.service)) ?? { errors: [], warnings: [] };
    const isOwn = owned && classOf(owned.service) !== SHARED_CLASS;
    const ownership = isOwn ? ownershipErrors(owned.service, owned.owner) : [];
    add(subject, 'error', [...ownership, ...(result?.errors ?? []), ...fought.errors], guess);
    const likely = likelyIn(subject, result, context.areControllersInferred);
    const { warnings, notes } = notesAbout(subject, context);
    add(
      subject,
      'error',
      likely.filter((finding) => isTrueOfAnyOwner(object, finding)),
      guess,
    );
    const odd = [
      ...(result?.warnings ?? []),
      ...fought.warnings,
      ...likely,
      ...[copies, rivals].flatMap((all) => all.get(subject) ?? []),
    ];
    add(subject, 'warning', [...odd, ...warnings], guess);
    add(subject, 'note', notes);
    unknown.push(...unknownIn(subject, result));
    for (const { ruleId } of unknownOf(subject, result)) {
      answered.add(subject, ruleId);
    }
  }
  for (const subject of subjects) {
    add(subject, 'warning', checkIgnore(subject.object, { today }).warnings);
  }
  for (const subject of subjects.slice(0, manifests.length)) {
    const { object } = subject;
    add(
      subject,
      'note',
      unusedIgnores(object, (id) => answered.has(object, id) || !isFoundInFiles(id), { today }),
    );
  }
  findings.push(...budgetFindings(read, written));
  const accepted = accept(findings.sort(byPlace), context, today, unknown);
  const report: CheckReport = {
    context: context.known,
    findings: accepted.findings,
    unknown,
    unreadable,
    notes: [...(read.notes ?? []), ...leftOut(strange), ...folded(later.notes).map(printable), ...accepted.notes],
    ...(accepted.idleForAll.length > 0 && { idleForAll: accepted.idleForAll }),
    ...(read.isIncomplete && { isIncomplete: true }),
    objects: manifests.length,
  };
  return {
    ...objects,
    context,
    report,
    findingsOf: ({ object, madeOf }) => {
      const ofMaker = madeOf ? findingsWithin(madeOf, findingsOf) : [];
      const isAgain = (one: CheckFinding) =>
        ofMaker.some(({ ruleId, pointer }) => ruleId === one.ruleId && pointer === one.pointer);
      const found = [...(findingsOf.get(object) ?? []).filter((one) => !isAgain(one)), ...ofMaker];
      return accept(found, context, today).findings.filter((finding) => !finding.accepted);
    },
  };
}

/** Objects with the annotation that a finding can be ignored by: the object, and what it is made of. */
function carriersOf({ object, madeOf }: Subject): readonly Json[] {
  return madeOf ? [madeOf.object, object] : [object];
}

function acceptanceAt(subject: Subject, ruleId: string, today: string | undefined): Acceptance | undefined {
  const entry = ignoredBy(carriersOf(subject).flatMap(ignoreEntriesOf), ruleId, { today });
  return entry && { reason: printable(entry.reason), until: entry.until, isInSource: true };
}

class Answered {
  private readonly ids = new Map<Json, Set<string>>();

  public add(subject: Subject, ruleId: string): void {
    for (const object of carriersOf(subject)) {
      this.ids.set(object, (this.ids.get(object) ?? new Set()).add(ruleId));
    }
  }

  public has(object: Json, ruleId: string): boolean {
    return this.ids.get(object)?.has(ruleId) === true;
  }
}

function findingsWithin({ object, path }: ObjectOrigin, findingsOf: ReadonlyMap<Json, CheckFinding[]>): CheckFinding[] {
  const within = `${pointerTo(path)}/`;
  return (findingsOf.get(object) ?? []).filter(({ pointer }) => `${pointer}/`.startsWith(within));
}

function subjectOf(reported: ReportedService, entry: IndexedObject, context: CheckContext): Subject {
  const isService = entry.group === '' && entry.kind === 'Service';
  return { ...reported, entry, ...(isService && { owned: ownedService(reported.object, context) }) };
}

const DNS_NAME_CONFLICT = 'listener-dns-name-conflict';
const PORT_RULES: readonly string[] = ['service-ports-invalid', 'field-wrong-type'];

/** True if the rules of the object that produces a Service already report a finding. */
function isElsewhere({ madeOf, isOfUnknownGateway }: Subject, finding: LoadBalancerFinding, found?: CheckFinding[]) {
  if (!madeOf) {
    return false;
  }
  const { ruleId, what, at, value } = finding;
  const isInMaker = (field: YamlPath) => field.length > madeOf.path.length;
  return (
    ruleId === 'generate-name-used' ||
    (ruleId === CLAIMED_TWICE.id && found?.some((one) => one.ruleId === DNS_NAME_CONFLICT && one.value === value)) ||
    // a Kafka reports them: its operator may keep finalizers of others
    (FINALIZER_RULES.some(({ id }) => id === ruleId) && isKafka(madeOf.object)) ||
    found?.some((one) => isSuperseded(ruleId, one, pointerTo(madeOf.path))) ||
    // without a known Gateway, its ports and fields outside of the template are unknown
    (isOfUnknownGateway === true && (/\bports?\b/.test(what) || !isInMaker(fieldOfResource(finding, madeOf)))) ||
    // ports are those of the maker, whose own rules report them, unless a template writes them
    (PORT_RULES.includes(ruleId) &&
      at.startsWith('/spec/ports') === true &&
      !isInMaker(fieldInMaker(['spec', 'ports'], madeOf))) ||
    // an operator selects its own pods, and its resource does not say by which labels
    (ruleId === 'selector-missing' && (operatorOf(madeOf.object) !== undefined || isGateway(madeOf.object)))
  );
}

/** True if a finding of the maker has the same cause, and is not about another part of the maker. */
function isSuperseded(ruleId: string, { ruleId: own, pointer }: CheckFinding, place: string): boolean {
  const isOfAnother =
    pointer.startsWith(place.slice(0, place.lastIndexOf('/') + 1)) && !`${pointer}/`.startsWith(`${place}/`);
  return !isOfAnother && RuleSet.withId(own).some(({ supersedes = [] }) => supersedes.includes(ruleId));
}

function claimsIn(service: Json, { controller }: LoadBalancerOwner): readonly Claim[] {
  const kind = controller && definitionOf(controller);
  const claims = controller
    ? claimsOf(service, kind, kind?.versionOf?.(unwrapped(controller)))
    : likelyClaimsOf(service);
  return claims.filter(({ value }) => gapIn(value) === undefined);
}

const UNDECIDED = [OwnershipState.UNKNOWN, OwnershipState.CONTESTED, OwnershipState.UNCLAIMED];

/** Findings on a Service of an unknown owner that are true of any owner. */
function likelyIn(
  { entry, owned }: Subject,
  result: CheckResult | undefined,
  isGuess = false,
): readonly LoadBalancerFinding[] {
  if (!owned || (!isGuess && !UNDECIDED.includes(owned.owner.state))) {
    return [];
  }
  const told = [...(result?.errors ?? []), ...(result?.warnings ?? [])];
  const known = new Set(told.map(({ ruleId }) => ruleId));
  const isUnknown = owned.owner.state === OwnershipState.UNKNOWN;
  const common = isUnknown ? commonFindings(entry, owned, workloadsIn(entry.index).of(owned.service)) : [];
  const likely = common.filter(({ ruleId }) => !known.has(ruleId));
  const places = new Set([...told, ...likely].map(({ at }) => at));
  const misspelt = wantsLoadBalancer(owned.service) ? misspeltKeys(owned.service) : [];
  return [...likely, ...misspelt.filter(({ at }) => !places.has(at))].filter((one) => hasKnownValue(one, entry.json));
}

function inTemplate(subject: Subject, finding: LoadBalancerFinding): Subject {
  if (!subject.template) {
    return subject;
  }
  const { manifest, path } = subject.template;
  const madeOf = { object: manifest.object, path };
  const isThere = fieldOfResource(finding, madeOf).length > path.length;
  return isThere ? { ...subject, file: manifest.file, line: manifest.line, source: manifest.source, madeOf } : subject;
}

/** A finding with a remedy that the resource of an operator has a field for. */
function withPossibleRemedy(subject: Subject, finding: LoadBalancerFinding): LoadBalancerFinding {
  const needs = NEEDED_FIELDS[finding.ruleId];
  const kind = subject.madeOf?.object.kind;
  return needs === undefined || canSet(subject, needs)
    ? finding
    : { ...finding, remedy: filled(OWN_SERVICE, { kind, fields: needs.join(' or ') }) };
}

function findingAt(subject: Subject, level: Level, finding: LoadBalancerFinding): CheckFinding {
  const { ruleId, who, what, remedy, value } = finding;
  const { madeOf, source, file, line } = subject;
  const field: YamlPath = madeOf ? fieldOfResource(finding, madeOf) : fieldOf(finding);
  const place = source?.placeOf(field) ?? { line, column: 1 };
  return {
    ruleId,
    level,
    who,
    what: inWords(what),
    remedy: inWords(remedy).replace(/acknowledge (it|this)/, `list ${ruleId} under accepted in load-balancers.yaml`),
    ...(value !== undefined && { value: inWords(value) }),
    object: checkedObject(subject),
    place: { file, ...place },
    pointer: pointerTo(field),
  };
}

function inWords(sentence: string): string {
  return printable(sentence.replaceAll(String({}), 'a map'));
}

function checkedObject({ object, madeBy, madeOf, source, renderedFrom }: Subject): CheckedObject {
  const shown = madeOf?.object ?? object;
  const metadata = mapOf(shown.metadata);
  const text = (value: unknown) =>
    value === undefined || value === null || value === '' ? undefined : printable(nameIn(value));
  const template = source?.template;
  return {
    apiVersion: printable(String(shown.apiVersion)),
    kind: printable(String(shown.kind)),
    namespace: text(metadata.namespace),
    name: text(metadata.name ?? metadata.generateName) ?? '',
    ...(madeBy !== undefined && { madeBy: printable(madeBy) }),
    ...(template !== undefined && { template: printable(template) }),
    ...(renderedFrom !== undefined && { renderedFrom: printable(renderedFrom) }),
  };
}

function unknownOf({ owned }: Subject, result: CheckResult | undefined): readonly Unknown[] {
  return [
    ...(owned?.owner.state === OwnershipState.UNKNOWN ? [{ ruleId: UNCLAIMED.id, needs: ['controllers'] }] : []),
    ...(result?.unknown ?? []),
  ];
}

function unknownIn(subject: Subject, result: CheckResult | undefined): UnknownAnswer[] {
  const { file, line, source } = subject;
  const unknown = unknownOf(subject, result);
  if (unknown.length === 0) {
    return [];
  }
  const object = checkedObject(subject);
  const place = { file, ...(source?.placeOf(['metadata', 'name']) ?? { line, column: 1 }) };
  const answers = unknown
    .filter((one) => one.needs.every(isSayable))
    .map(({ ruleId, needs }) => ({
      ruleId,
      object,
      place,
      needs: [...new Set(needs.map((one) => NEEDS[one] ?? one))],
    }));
  return firstOfEach(answers, ({ needs }) => needs.join('\n'));
}

function pointerKeyOf({ madeOf, object }: Subject, { ruleId, place, pointer }: CheckFinding): string {
  const { metadata } = madeOf?.object ?? object;
  const { namespace = '', name = '' } = mapOf(metadata);
  return [place.file, place.line, place.column, namespace, name, ruleId, pointer].join('\n');
}

function byPlace({ place: one, ruleId }: CheckFinding, { place: other, ruleId: otherId }: CheckFinding): number {
  const byId = compareTexts(ruleId, otherId);
  return compareTexts(one.file, other.file) || one.line - other.line || one.column - other.column || byId;
}

type Guess = (level: Level, finding: LoadBalancerFinding) => [Level, LoadBalancerFinding];

function guessAbout({ entry, owned }: Subject, context: CheckContext): Guess {
  const webhook = owned && unknownWebhook(owned.service, owned.owner.name, context.controllers);
  const isOwnerGuess = context.areControllersInferred === true || webhook !== undefined;
  let certain: ReadonlySet<string> | undefined;
  const isCertain = (finding: LoadBalancerFinding) => {
    certain ??= pointsIn(checkInFiles(entry, { ...context, controllers: undefined }));
    const isOfAny = owned !== undefined && isTrueOfAnyOwner(owned.service, finding);
    return isOfAny || certain.has(pointOf(finding)) || finding.who === 'kubernetes';
  };
  return (level, finding) => {
    const isRegion = context.isRegionInferred && restsOnRegion(finding.ruleId);
    if (level === 'note' || (!isRegion && (!isOwnerGuess || isCertain(finding)))) {
      return [level, finding];
    }
    if (isRegion) {
      return ['warning', finding];
    }
    return ['warning', webhook === undefined ? finding : unlessWebhookClaims(finding, webhook)];
  };
}

function pointsIn(result: CheckResult | undefined): ReadonlySet<string> {
  return new Set([...(result?.errors ?? []), ...(result?.warnings ?? [])].map(pointOf));
}

function pointOf({ ruleId, at, value }: LoadBalancerFinding): string {
  return JSON.stringify([ruleId, at, value]);
}

function restsOnRegion(ruleId: string): boolean {
  return knownKinds().some(({ rules }) => rules.some(({ id, needs }) => id === ruleId && needs?.includes('region')));
}

function isTrueOfAnyOwner(service: Json, finding: LoadBalancerFinding): boolean {
  const key = finding.ruleId === ANNOTATION_VALUE ? fieldOf(finding).at(-1) : undefined;
  return UNOWNED_IDS.has(finding.ruleId) || (typeof key === 'string' && isGraveForAllReaders(service, key));
}

const ANNOTATION_VALUE = 'annotation-value-invalid';

const UNOWNED_IDS: ReadonlySet<string> = new Set([
  ...VALUE_RULES.map(({ id }) => id),
  ...FILE_SERVICE_RULES.filter(({ who }) => who === 'kubernetes').map(({ id }) => id),
]);

const NEEDS: Readonly<Record<string, string>> = {
  kind: 'controllers',
  controller: 'controllers',
  pods: 'workload',
  nodePool: 'nodePools',
  version: 'a version of the controller that is known here',
  isKnownVersion: 'a version of the controller that is known here',
  configMap: 'the ConfigMap of its cloud configuration',
};

const IN_CONTEXT = ['controllers', 'kubernetes', 'strimzi', 'workload', ...Object.keys(NEEDS)];

/** Context that a file or the context file can provide, by name or in words, without what only constructs know. */
function isSayable(need: string): boolean {
  return IN_CONTEXT.includes(need) || need.includes(' ');
}
