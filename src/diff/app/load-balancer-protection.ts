import type { App } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { refuse } from '../../contract/declared-types';
import type { Outcome } from '../../contract/edit';
import { firstOfEach, grouped, objectTitleOf, printable, shown } from '../../contract/json';
import { LoadBalancerOutcome } from '../../contract/options';
import { WRONG_PROP } from '../../contract/request-rules.facts';
import { type DescribedRule, type Found, findingOf, type RuleFinding, type WordedRule } from '../../contract/rule';
import { SynthOutput, synthRunOf } from '../../contract/synth-run';
import { KAFKA_KIND } from '../../kafka/strimzi/strimzi.facts';
import { podNameOf } from '../../predicted/kafka-services';
import { withTrace } from '../../rules/finalizer-rules';
import type { Manifest } from '../../rules/manifest-objects';
import { isProtectionKey, protectionOf, reportFound, validateProps } from '../../rules/warnings';
import { diffOf } from '../diff';
import type { BalancerChange, Effect } from '../effect';
import { FATE } from '../sentences.facts';
import type { Side, SideBalancer } from '../side';
import type { AcceptedLoadBalancerLoss, LoadBalancerProtectionProps } from './options';
import { PROTECTION_RULES } from './protection-rules.facts';
import {
  type AppliedManifests,
  annotationsIn,
  placeOf,
  protectedOwnerOf,
  publicEffect,
  readAppliedManifests,
  sentenceOfCause,
  sideBefore,
  sideOfApp,
} from './sides-of-app';

/**
 * Fails the synth where a protected load balancer of the app, or its address, would be lost: one whose construct has `protect()`
 * called, or had it called when the previous manifests were written. It may be renamed, moved, or gone from the app.
 *
 * The previous manifests are read before anything is written. Where there are none yet, as in the first synth, it warns. It looks at
 * the whole app, wherever it is in it, so an app has one. Where it is removed as well, nothing looks any more: the command `diff`
 * in a pull request does.
 */
export class LoadBalancerProtection extends Construct {
  /**
   * The protection of an app.
   *
   * @param scope the App, or any construct in it
   * @param id the name of the construct
   * @param props what is applied, and which losses are accepted
   * @throws on props of another type than they are declared with, on an accepted loss without a reason, and where the app has one
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerProtectionProps = {}) {
    validateProps(scope, id, 'LoadBalancerProtectionProps', props);
    const path = [scope.node.path, id].filter(Boolean).join('/');
    const protection = protectionOf(scope);
    refuse(path, [
      ...(protection.checkedBy
        ? [
            `the app has ${protection.checkedBy.node.path} already; an app has one LoadBalancerProtection (${WRONG_PROP.id})`,
          ]
        : []),
      ...lossFaults(props.accept),
    ]);
    super(scope, id);
    protection.checkedBy = this;
    reportFound(this, () => protectionOfApp(this.node.root, props));
  }
}

function lossFaults(accept: readonly AcceptedLoadBalancerLoss[] = []): string[] {
  return accept.flatMap(({ service, outcome, reason }) => [
    ...(reason.trim() === ''
      ? [`'${printable(service)}' is accepted to be ${outcome} without a reason; write why (${WRONG_PROP.id})`]
      : []),
    ...(/^[^/\s]+\/[^/\s]+$/.test(service)
      ? []
      : [`service ${shown(service)} of an accepted loss is not namespace/name; write it like that (${WRONG_PROP.id})`]),
  ]);
}

function protectionOfApp(root: IConstruct, props: LoadBalancerProtectionProps) {
  const { path, manifests, finding } = previousOf(root, props.previous);
  const after = manifests && sideOfApp(root, { asWritten: true, older: manifests });
  const findings = after
    ? protectionFindings(sideBefore(path, manifests, root, after), after, props)
    : finding
      ? [finding]
      : [];
  const isError = ({ ruleId }: RuleFinding) => ERRORS.has(ruleId);
  return { problems: findings.filter(isError), warnings: findings.filter((one) => !isError(one)) };
}

const ERRORS: ReadonlySet<string> = new Set(
  Object.values(PROTECTION_RULES).flatMap(({ id, severity }) => (severity === 'error' ? [id] : [])),
);

const LOST: readonly Outcome[] = ['orphaned', 'stuck', 'deleted', 'replaced', 'refused', 'handed over'];

function protectionFindings(
  before: Side,
  after: Side,
  { prune = true, accept = [] }: LoadBalancerProtectionProps,
): RuleFinding[] {
  const duplicates = duplicatesOf(before, after);
  const isProtected = (balancer?: SideBalancer) =>
    balancer !== undefined && protectedOwnerOf(balancer.written) !== undefined;
  const changes = diffOf(without(before, duplicates), without(after, duplicates), { prune });
  const compared = new Set(changes.map((change) => change.before?.written.object));
  const used = new Set<AcceptedLoadBalancerLoss>();
  const harms = changes
    .filter((change) => isProtected(change.before) || (change.before && isProtected(change.after)))
    .flatMap((change) => unacceptedEffects(change, accept, used));
  const unclear = [...duplicates.unclear].filter(([, balancers]) => balancers.some(isProtected));
  const unseen = protectedWithoutBalancers(before).filter(({ object }) => !compared.has(object));
  const unused = accept.filter((each) => !used.has(each));
  return [
    ...alikeAmong(harms).map(findingOfHarm),
    ...unclear.map(([id, all]) =>
      found(PROTECTION_RULES.ambiguous, { id, places: [...new Set(all.map(placeOf))].join(', ') }),
    ),
    ...unseen.map(({ object, file, line }) =>
      found(PROTECTION_RULES.unknown, { title: objectTitleOf(object), file, line }),
    ),
    ...unused.map((loss) => found(PROTECTION_RULES.unused, { ...loss, value: loss.service })),
  ];
}

function found(rule: WordedRule, values: Found): RuleFinding {
  return findingOf(rule, values, 'protection');
}

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
  return LOST.includes(outcome)
    ? PROTECTION_RULES.lost
    : outcome === 'interrupted' || outcome === 'unknown'
      ? PROTECTION_RULES[outcome]
      : undefined;
}

interface SimilarEffects extends UnacceptedEffect {
  readonly numbers: readonly string[];
}

function alikeAmong(harms: readonly UnacceptedEffect[]): SimilarEffects[] {
  const groups = grouped(harms, (harm) => {
    const { what, remedy } = findingOfHarm({ ...harm, numbers: [] });
    return JSON.stringify([harm.rule.id, ...[what, remedy].map((text) => withoutNumber(text ?? '', harm))]);
  });
  const numberOf = (harm: UnacceptedEffect) => NUMBER_AT_END.exec(idOfHarm(harm))?.[0] ?? '';
  return [...groups.values()].map((all) => ({ ...all[0], numbers: all.map(numberOf) }));
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

function findingOfHarm({ numbers, ...harm }: SimilarEffects): RuleFinding {
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
  const agreeing = rule.id === PROTECTION_RULES.lost.id ? acceptance(say(id), effect) : '';
  const remedy = withTrace(`${wayOut}${agreeing}`, LEFT_BEHIND.includes(effect.outcome) ? effect.trace : undefined);
  return findingOf({ id: rule.id }, { what, remedy, value: effect.to }, before?.owner ?? after?.owner ?? 'kubernetes');
}

const LEFT_BEHIND: readonly Outcome[] = ['orphaned', 'stuck'];

function acceptance(service: string, { outcome }: Effect): string {
  const [member] = Object.entries(LoadBalancerOutcome).find(([, value]) => value === outcome) ?? [];
  return outcome === 'refused'
    ? ''
    : `, or agree on it with accept: [{ service: '${service}', outcome: LoadBalancerOutcome.${member}, reason }]`;
}

function isMeant(service: string, id: string | undefined): boolean {
  return service.endsWith('*') ? id?.startsWith(service.slice(0, -1)) === true : id === service;
}

interface Duplicates {
  readonly kept: ReadonlySet<string>;
  readonly unclear: ReadonlyMap<string, readonly SideBalancer[]>;
}

function duplicatesOf(before: Side, after: Side): Duplicates {
  const now = different(after.balancers);
  const several = [...different(before.balancers)]
    .map(([id, older]) => ({ id, older, newer: now.get(id) ?? [] }))
    .filter(({ older, newer }) => older.length + newer.length > 2 && newer.length > 0);
  const isUnclear = ({ older, newer }: (typeof several)[number]) => {
    const texts = new Set(newer.map(textOf));
    return older.some((one) => !texts.has(textOf(one)));
  };
  const unclear = several.filter(isUnclear);
  return {
    kept: new Set(several.filter((one) => !isUnclear(one)).map(({ id }) => id)),
    unclear: new Map(unclear.map(({ id, older, newer }) => [id, [...older, ...newer]])),
  };
}

function textOf({ service }: SideBalancer): string {
  return JSON.stringify(service);
}

function different(balancers: readonly SideBalancer[]): Map<string, SideBalancer[]> {
  const groups = grouped(balancers, ({ id }) => id);
  return new Map([...groups].map(([id, all]) => [id, all.length > 1 ? firstOfEach(all, textOf) : all]));
}

function without(side: Side, { kept, unclear }: Duplicates): Side {
  const all = [...different(side.balancers)].filter(([id]) => !kept.has(id) && !unclear.has(id));
  return { ...side, balancers: all.flatMap(([, balancers]) => balancers) };
}

/** The variable in which the command line of cdk8s says where to write to; it has emptied that folder. */
const OUTPUT_OF_COMMAND_LINE = 'CDK8S_OUTDIR';

/** Reads what is applied, before anything is written: cdk8s validates an app before it writes its first file. */
function previousOf(root: IConstruct, named: string | undefined) {
  const { outdir, outputFileExtension } = root as Partial<App>;
  const path = named ?? outdir;
  const written = path === undefined ? undefined : readAppliedManifests(path, outputFileExtension);
  const isEmpty = !written || (written.manifests.length === 0 && written.unreadable.length === 0);
  // what is taken chart by chart, as tests do, is written nowhere
  const isUnwritten = named === undefined && synthRunOf(root)?.output === SynthOutput.CHART;
  const finding = isUnwritten && isEmpty ? undefined : findingOfPrevious(written, isEmpty, named, outdir);
  return { path: path ?? '', manifests: finding ? undefined : written?.manifests, finding };
}

function findingOfPrevious(
  written: AppliedManifests | undefined,
  isEmpty: boolean,
  named: string | undefined,
  outdir: string | undefined,
): RuleFinding | undefined {
  const { missing, empty, unreadable } = PROTECTION_RULES;
  const [first, ...others] = written?.unreadable ?? [];
  const path = shown(named ?? outdir);
  if (first !== undefined) {
    return found(unreadable, { first, more: others.length > 0 ? ` and ${others.length} more` : '' });
  }
  if (named !== undefined && !written) {
    return found(missing, { case: 'path', path });
  }
  if (named === undefined && outdir === undefined) {
    return found(missing, { case: 'app' });
  }
  if (named === undefined && isEmpty && process.env[OUTPUT_OF_COMMAND_LINE] === outdir) {
    return found(missing, { case: 'emptied', path });
  }
  return isEmpty ? found(empty, { path }) : undefined;
}

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
