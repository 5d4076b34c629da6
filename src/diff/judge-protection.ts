import { grouped } from '../contract/grouped';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { objectTitleOf } from '../contract/object-title';
import { type DescribedRule, findingOf } from '../contract/rule';
import { withTrace } from '../rules/finalizer-traces';
import type { BalancerChange, Cause } from './balancer-change';
import { diffOf } from './diff';
import { sentenceOfCause } from './diff-text';
import { LoadBalancerOutcome } from './load-balancer-outcome';
import type { AcceptedLoadBalancerLoss } from './load-balancer-protection.options';
import { markedWithoutBalancers, markOf } from './marks';
import { firstOfEach } from './namesakes';
import type { Outcome } from './outcome';
import {
  ACCEPTED_LOSS_UNUSED,
  PREVIOUS_AMBIGUOUS,
  PROTECTED_BALANCER_INTERRUPTED,
  PROTECTED_BALANCER_LOST,
  PROTECTED_BALANCER_UNKNOWN,
} from './protection-rules';
import { placeOf, publicCause } from './public-change';
import type { Side, SideBalancer } from './side';

/** With these a protected balancer loses what it is protected for. */
const LOST: readonly Outcome[] = ['orphaned', 'stuck', 'deleted', 'replaced', 'refused', 'handed over'];

/** What is compared, and which losses a team agreed on. */
interface Protected {
  readonly before: Side;
  readonly after: Side;
  readonly prune: boolean;
  readonly accept: readonly AcceptedLoadBalancerLoss[];
}

/** What a change does to protected balancers. */
export interface ProtectionJudgement {
  readonly problems: LoadBalancerFinding[];
  readonly warnings: LoadBalancerFinding[];
}

/** Compares the protected balancers of two sides. */
export function judgeProtection({ before, after, prune, accept }: Protected): ProtectionJudgement {
  const found: ProtectionJudgement = { problems: [], warnings: [] };
  const used = new Set<AcceptedLoadBalancerLoss>();
  const harms: Harm[] = [];
  const namesakes = namesakesOf(before, after);
  const isProtected = (balancer?: SideBalancer) => balancer !== undefined && markOf(balancer.written) !== undefined;
  const changes = diffOf(without(before, namesakes), without(after, namesakes), { prune });
  const compared = new Set(changes.map((change) => change.before?.written.object));
  for (const change of changes) {
    if (isProtected(change.before) || (change.before && isProtected(change.after))) {
      harms.push(...harmsOf(change, accept, used));
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
  for (const { object, file, line } of markedWithoutBalancers(before).filter((one) => !compared.has(one.object))) {
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
interface Harm {
  readonly rule: DescribedRule;
  readonly change: BalancerChange;
  readonly cause: Cause;
}

function harmsOf(
  change: BalancerChange,
  accept: readonly AcceptedLoadBalancerLoss[],
  used: Set<AcceptedLoadBalancerLoss>,
): Harm[] {
  const ids = [change.before?.id, change.after?.id];
  return change.causes.flatMap((cause) => {
    const accepted = accept.filter(
      ({ service, outcome }) => outcome === cause.outcome && ids.some((id) => isMeant(service, id)),
    );
    for (const loss of accepted) {
      used.add(loss);
    }
    const rule = accepted.length > 0 ? undefined : ruleOf(cause);
    return rule ? [{ rule, change, cause }] : [];
  });
}

function ruleOf({ outcome }: Cause): DescribedRule | undefined {
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
interface AlikeHarms extends Harm {
  readonly numbers: readonly string[];
}

function alikeAmong(harms: readonly Harm[]): AlikeHarms[] {
  const groups = new Map<string, AlikeHarms>();
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

function idOfHarm({ change: { before, after } }: Harm): string {
  return (before ?? after)?.id ?? '';
}

/** A text in which the balancers of a change have no numbers: `kafka/events-brokers-*`. */
function withoutNumber(text: string, { change: { before, after, movedTo } }: Harm): string {
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

function findingOfHarm({ numbers, ...harm }: AlikeHarms): LoadBalancerFinding {
  const { rule, change, cause } = harm;
  const { before, after } = change;
  const balancer = after ?? before;
  const id = idOfHarm(harm);
  const say = (text: string) => (numbers.length > 1 ? withoutNumber(text, harm) : text);
  const place = balancer ? ` (${placeOf(balancer)})` : '';
  const { title = id } = before ?? balancer ?? {};
  const which = numbers.length > 1 ? title.replace(id, `${say(id)} (${numbers.join(', ')})`) : title;
  const what = `${which}${place} is protected and ${FATE[cause.outcome]}: ${say(sentenceOfCause(publicCause(cause)))}`;
  const wayOut = say(cause.remedy ?? (after ? 'change it back' : 'put it back'));
  const agreeing = rule === PROTECTED_BALANCER_LOST ? acceptance(say(id), cause) : '';
  const remedy = withTrace(`${wayOut}${agreeing}`, LEFT_BEHIND.includes(cause.outcome) ? cause.trace : undefined);
  return findingOf(rule, { what, remedy, value: cause.to }, before?.owner ?? after?.owner ?? 'kubernetes');
}

/** What happens long after the change, so that a trace shows more than the sentence. */
const LEFT_BEHIND: readonly Outcome[] = ['orphaned', 'stuck'];

/** How a team agrees on a loss; what the API server refuses stays refused. */
function acceptance(service: string, { outcome }: Cause): string {
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
  /** Those of which none changes. */
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
