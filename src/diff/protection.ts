import type { App } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Outcome } from '../contract/edit';
import { grouped, type Json, mapIn, objectTitleOf, shown } from '../contract/json';
import type { YamlPath } from '../contract/kubernetes-yaml';
import { type LoadBalancerFinding, LoadBalancerOutcome } from '../contract/options';
import { type DescribedRule, findingOf } from '../contract/rule';
import { SynthOutput, synthRunOf } from '../contract/synth-run';
import { KAFKA_KIND } from '../kafka/strimzi/strimzi.facts';
import { podNameOf } from '../predicted/kafka-services';
import type { ReportedService } from '../predicted/predicted';
import { withTrace } from '../rules/finalizer-rules';
import type { Manifest } from '../rules/manifest-objects';
import { isProtectionKey, protectionKey } from '../rules/warnings';
import { diffOf } from './diff';
import type { BalancerChange, Effect } from './effect';
import type { AcceptedLoadBalancerLoss } from './options';
import { firstOfEach } from './pairs';
import { placeOf, publicEffect, sentenceOfCause } from './public-change';
import { readWritten, type WrittenManifests } from './read-sides';
import type { Side, SideBalancer } from './side';

// Rules for balancers that are protected.

function rule(severity: 'error' | 'warning', id: string, says: string): DescribedRule {
  return { id, severity, says, source: 'ours' };
}

export const PROTECTED_BALANCER_LOST = rule(
  'error',
  'protected-balancer-lost',
  'change loses a protected balancer or its address',
);
export const PROTECTED_BALANCER_INTERRUPTED = rule(
  'warning',
  'protected-balancer-interrupted',
  'change cuts off clients of a protected balancer',
);
export const PROTECTED_BALANCER_UNKNOWN = rule(
  'warning',
  'protected-balancer-unknown',
  'unknown effect of a change on a protected balancer',
);
export const PREVIOUS_MISSING = rule('error', 'previous-missing', 'previous manifests are missing while the app runs');
export const PREVIOUS_EMPTY = rule(
  'warning',
  'previous-empty',
  'no previous manifests to compare protected balancers with',
);
export const PREVIOUS_UNREADABLE = rule('error', 'previous-unreadable', 'previous manifests cannot be read');
export const PREVIOUS_AMBIGUOUS = rule(
  'error',
  'previous-ambiguous',
  'protected Service is several times in the previous manifests',
);
export const ACCEPTED_LOSS_UNUSED = rule('warning', 'accepted-loss-unused', 'accepted loss that no change has');

/** With these a protected balancer loses what it is protected for. */
const LOST: readonly Outcome[] = ['orphaned', 'stuck', 'deleted', 'replaced', 'refused', 'handed over'];

/** What is compared, and which losses a team agreed on. */
interface ProtectedSides {
  readonly before: Side;
  readonly after: Side;
  readonly prune: boolean;
  readonly accept: readonly AcceptedLoadBalancerLoss[];
}

interface ProtectionFindings {
  readonly problems: LoadBalancerFinding[];
  readonly warnings: LoadBalancerFinding[];
}

/** Compares the protected balancers of two sides. */
export function validateProtection({ before, after, prune, accept }: ProtectedSides): ProtectionFindings {
  const found: ProtectionFindings = { problems: [], warnings: [] };
  const used = new Set<AcceptedLoadBalancerLoss>();
  const harms: UnacceptedEffect[] = [];
  const namesakes = namesakesOf(before, after);
  const isProtected = (balancer?: SideBalancer) =>
    balancer !== undefined && protectedOwnerOf(balancer.written) !== undefined;
  const changes = diffOf(without(before, namesakes), without(after, namesakes), { prune });
  const compared = new Set(changes.map((change) => change.before?.written.object));
  for (const change of changes) {
    if (isProtected(change.before) || (change.before && isProtected(change.after))) {
      harms.push(...unacceptedEffects(change, accept, used));
    }
  }
  for (const alike of alikeAmong(harms)) {
    (alike.rule === PROTECTED_BALANCER_LOST ? found.problems : found.warnings).push(findingOfHarm(alike));
  }
  for (const [id, all] of [...namesakes.unclear].filter(([, balancers]) => balancers.some(isProtected))) {
    const places = [...new Set(all.map(placeOf))].join(', ');
    const what = `${id} is protected, and there are different ones: ${places}; which one becomes which is not known`;
    const remedy = 'remove the file that is not applied, or write an app for each cluster';
    found.problems.push(findingOf(PREVIOUS_AMBIGUOUS, { what, remedy }, 'protection'));
  }
  for (const { object, file, line } of protectedWithoutBalancers(before).filter((one) => !compared.has(one.object))) {
    const what = `which balancers ${objectTitleOf(object)} has (${file}:${line}) is not known, so they are not compared`;
    const remedy = 'put what they are made of among the previous manifests';
    found.warnings.push(findingOf(PROTECTED_BALANCER_UNKNOWN, { what, remedy }, 'protection'));
  }
  for (const loss of accept.filter((each) => !used.has(each))) {
    const what = `${loss.service} is not ${loss.outcome} by this change, which is accepted because: ${loss.reason}`;
    const finding = { what, remedy: 'remove it from accept, so that it hides no later loss', value: loss.service };
    found.warnings.push(findingOf(ACCEPTED_LOSS_UNUSED, finding, 'protection'));
  }
  return found;
}

/** What a change does to a protected balancer, and nobody has agreed on. */
interface UnacceptedEffect {
  readonly rule: DescribedRule;
  readonly change: BalancerChange;
  readonly effect: Effect;
}

function unacceptedEffects(
  change: BalancerChange,
  accept: readonly AcceptedLoadBalancerLoss[],
  used: Set<AcceptedLoadBalancerLoss>,
): UnacceptedEffect[] {
  const ids = [change.before?.id, change.after?.id];
  return change.effects.flatMap((effect) => {
    const accepted = accept.filter(
      ({ service, outcome }) => outcome === effect.outcome && ids.some((id) => isMeant(service, id)),
    );
    for (const loss of accepted) {
      used.add(loss);
    }
    const rule = accepted.length > 0 ? undefined : ruleOf(effect);
    return rule ? [{ rule, change, effect }] : [];
  });
}

function ruleOf({ outcome }: Effect): DescribedRule | undefined {
  if (LOST.includes(outcome)) {
    return PROTECTED_BALANCER_LOST;
  }
  return outcome === 'interrupted'
    ? PROTECTED_BALANCER_INTERRUPTED
    : outcome === 'unknown'
      ? PROTECTED_BALANCER_UNKNOWN
      : undefined;
}

/** The same harm of balancers that differ by the number at the end of their names, as those of brokers do. */
interface SimilarEffects extends UnacceptedEffect {
  readonly numbers: readonly string[];
}

function alikeAmong(harms: readonly UnacceptedEffect[]): SimilarEffects[] {
  const groups = new Map<string, SimilarEffects>();
  for (const harm of harms) {
    const [number = ''] = NUMBER_AT_END.exec(idOfHarm(harm)) ?? [];
    const { what, remedy } = findingOfHarm({ ...harm, numbers: [] });
    const key = JSON.stringify([harm.rule.id, ...[what, remedy].map((text) => withoutNumber(text ?? '', harm))]);
    const known = groups.get(key);
    groups.set(key, { ...(known ?? harm), numbers: [...(known?.numbers ?? []), number] });
  }
  return [...groups.values()];
}

const NUMBER_AT_END = /(?<!\d)\d+$/;

function idOfHarm({ change: { before, after } }: UnacceptedEffect): string {
  return (before ?? after)?.id ?? '';
}

/** A text in which the balancers of a change have no numbers: `kafka/events-brokers-*`. */
function withoutNumber(text: string, { change: { before, after, movedTo } }: UnacceptedEffect): string {
  const ids = [before, after, movedTo].flatMap((balancer) => (balancer ? [balancer.id] : []));
  return ids.reduce((shorter, id) => shorter.replaceAll(id, id.replace(NUMBER_AT_END, '*')), text);
}

const FATE: Partial<Record<Outcome, string>> = {
  orphaned: 'can be orphaned',
  stuck: 'would be stuck in Terminating',
  deleted: 'would be deleted with its balancer',
  replaced: 'would get another address',
  refused: 'would be refused',
  'handed over': 'would be handed over to another controller',
  interrupted: 'would be interrupted',
  unknown: 'changes, and it is not known what that does',
};

function findingOfHarm({ numbers, ...harm }: SimilarEffects): LoadBalancerFinding {
  const { rule, change, effect } = harm;
  const { before, after } = change;
  const balancer = after ?? before;
  const id = idOfHarm(harm);
  const say = (text: string) => (numbers.length > 1 ? withoutNumber(text, harm) : text);
  const place = balancer ? ` (${placeOf(balancer)})` : '';
  const { title = id } = before ?? balancer ?? {};
  const which = numbers.length > 1 ? title.replace(id, `${say(id)} (${numbers.join(', ')})`) : title;
  const what = `${which}${place} is protected and ${FATE[effect.outcome]}: ${say(sentenceOfCause(publicEffect(effect)))}`;
  const wayOut = say(effect.remedy ?? (after ? 'change it back' : 'put it back'));
  const agreeing = rule === PROTECTED_BALANCER_LOST ? acceptance(say(id), effect) : '';
  const remedy = withTrace(`${wayOut}${agreeing}`, LEFT_BEHIND.includes(effect.outcome) ? effect.trace : undefined);
  return findingOf(rule, { what, remedy, value: effect.to }, before?.owner ?? after?.owner ?? 'kubernetes');
}

/** What happens long after the change, so that a trace shows more than the sentence. */
const LEFT_BEHIND: readonly Outcome[] = ['orphaned', 'stuck'];

/** How a team agrees on a loss; what the API server refuses stays refused. */
function acceptance(service: string, { outcome }: Effect): string {
  const [member] = Object.entries(LoadBalancerOutcome).find(([, value]) => value === outcome) ?? [];
  return outcome === 'refused'
    ? ''
    : `, or agree on it with accept: [{ service: '${service}', outcome: LoadBalancerOutcome.${member}, reason }]`;
}

function isMeant(service: string, id: string | undefined): boolean {
  return service.endsWith('*') ? id?.startsWith(service.slice(0, -1)) === true : id === service;
}

/** What is on both sides under ids that are not unique: of several clusters, or written twice. */
interface Namesakes {
  readonly kept: readonly string[];
  /** Those of which it is not known which one becomes which. */
  readonly unclear: ReadonlyMap<string, readonly SideBalancer[]>;
}

function namesakesOf(before: Side, after: Side): Namesakes {
  const now = different(after.balancers);
  const [kept, unclear]: [string[], Map<string, readonly SideBalancer[]>] = [[], new Map()];
  for (const [id, older] of different(before.balancers)) {
    const newer = now.get(id) ?? [];
    if (older.length + newer.length <= 2 || newer.length === 0) {
      continue;
    }
    const texts = new Set(newer.map(textOf));
    const isLeft = older.some((one) => !texts.has(textOf(one)));
    if (isLeft) {
      unclear.set(id, [...older, ...newer]);
    } else {
      kept.push(id);
    }
  }
  return { kept, unclear };
}

function textOf({ service }: SideBalancer): string {
  return JSON.stringify(service);
}

/** The balancers of a side by their ids, without those that are there twice alike. */
function different(balancers: readonly SideBalancer[]): Map<string, SideBalancer[]> {
  const groups = grouped(balancers, ({ id }) => id);
  return new Map([...groups].map(([id, all]) => [id, all.length > 1 ? firstOfEach(all, textOf) : all]));
}

function without(side: Side, { kept, unclear }: Namesakes): Side {
  const unchanged = new Set(kept);
  const balancers = [...different(side.balancers)].flatMap(([id, all]) =>
    unchanged.has(id) || unclear.has(id) ? [] : all,
  );
  return { ...side, balancers };
}

interface Previous {
  readonly path?: string;
  readonly manifests?: readonly Manifest[];
  readonly problems: readonly LoadBalancerFinding[];
  readonly warnings: readonly LoadBalancerFinding[];
}

/** The variable in which the command line of cdk8s says where to write to; it has emptied that folder. */
const OUTPUT_OF_COMMAND_LINE = 'CDK8S_OUTDIR';

/** Reads what is applied, before anything is written: cdk8s validates an app before it writes its first file. */
export function previousOf(root: IConstruct, named: string | undefined): Previous {
  const { outdir, outputFileExtension } = root as Partial<App>;
  const path = named ?? outdir;
  const written = path === undefined ? undefined : readWritten(path, outputFileExtension);
  // what is taken chart by chart, as tests do, is written nowhere
  const isUnwritten = named === undefined && synthRunOf(root)?.output === SynthOutput.CHART;
  const [fault, isError] = isUnwritten && isEmpty(written) ? [] : faultOf(written, { named, outdir });
  if (path === undefined || written === undefined || fault) {
    return { problems: fault && isError ? [fault] : [], warnings: fault && !isError ? [fault] : [] };
  }
  return { path, manifests: written.manifests, problems: [], warnings: [] };
}

interface Place {
  readonly named?: string;
  readonly outdir?: string;
}

function faultOf(
  written: WrittenManifests | undefined,
  { named, outdir }: Place,
): readonly [LoadBalancerFinding?, boolean?] {
  if (written && written.unreadable.length > 0) {
    const [first, ...others] = written.unreadable;
    const what = `the previous manifests cannot be read: ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`;
    return [say(PREVIOUS_UNREADABLE, what, 'mend the file, or remove it where it is not applied'), true];
  }
  if (named !== undefined && !written) {
    const what = `previous ${shown(named)} leads to no file and no folder, so nothing can be compared`;
    return [
      say(PREVIOUS_MISSING, what, 'copy what is applied to it; before the first synth make an empty folder'),
      true,
    ];
  }
  if (named === undefined && outdir === undefined) {
    const what = 'this is no App of cdk8s, so there is no output folder to compare with';
    return [say(PREVIOUS_MISSING, what, 'name the manifests that are applied: previous'), true];
  }
  if (named === undefined && isEmpty(written) && process.env[OUTPUT_OF_COMMAND_LINE] === outdir) {
    const what = `cdk8s synth emptied ${shown(outdir)} before the app ran, so what was written before cannot be compared`;
    return [say(PREVIOUS_MISSING, what, "keep a copy of what is applied and name it: previous: 'deployed'"), true];
  }
  if (isEmpty(written)) {
    const what = `${shown(named ?? outdir)} has no manifests, so nothing is compared: this is right in the first synth alone`;
    return [say(PREVIOUS_EMPTY, what, 'copy what is applied to it'), false];
  }
  return [];
}

function isEmpty(written: WrittenManifests | undefined): boolean {
  return !written || (written.manifests.length === 0 && written.unreadable.length === 0);
}

function say(rule: DescribedRule, what: string, remedy: string): LoadBalancerFinding {
  return findingOf(rule, { what, remedy }, 'protection');
}

/** Who owned a balancer that was protected, by the mark on its Service or on what makes it; nothing where it was not. */
export function protectedOwnerOf({ object, madeOf, template }: ReportedService): string | undefined {
  const part = madeOf && nameOf(madeOf.object, madeOf.path);
  return (
    protectionIn(object, protectionKey()) ??
    protectionIn(madeOf?.object, protectionKey()) ??
    (part === undefined ? undefined : protectionIn(madeOf?.object, protectionKey(part))) ??
    protectionIn(template?.manifest.object, protectionKey())
  );
}

/** Objects with a mark of which it is not known which balancers are made of them. */
function protectedWithoutBalancers({ manifests, balancers }: Side): Manifest[] {
  // the bootstrap Service of a Kafka says nothing of its brokers
  const counted = balancers.filter(
    ({ written: { madeOf, object } }) => madeOf?.object.kind !== KAFKA_KIND || podNameOf(object) !== undefined,
  );
  const known = new Set(
    counted.flatMap(({ written }) => [written.object, written.madeOf?.object, written.template?.manifest.object]),
  );
  return manifests.filter(
    ({ object }) => !known.has(object) && Object.keys(annotationsIn(object)).some(isProtectionKey),
  );
}

function protectionIn(object: Json | undefined, key: string): string | undefined {
  const mark: unknown = annotationsIn(object)[key];
  return typeof mark === 'string' ? mark : undefined;
}

function annotationsIn(object: Json | undefined): Json {
  return mapIn(mapIn(object, 'metadata'), 'annotations');
}

function nameOf(object: Json, path: YamlPath): string | undefined {
  const part = path.reduce<unknown>((value, key) => (value as Json | undefined)?.[key], object);
  const { name } = mapIn({ part }, 'part');
  return typeof name === 'string' ? name : undefined;
}
