import { DEFAULT_KUBERNETES } from '../contract/default-kubernetes';
import { isWorse } from '../contract/edit';
import { isSet, type Json, listIn, mapIn, oncePer, stepsOf } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import { KubernetesVersion } from '../contract/kubernetes-version';
import type { YamlPath } from '../contract/kubernetes-yaml';
import type { LoadBalancerFinding } from '../contract/options';
import { podTemplateOf } from '../contract/pod-placement';
import type { RuleEffect, RuleFinding } from '../contract/rule';
import { podSpecOf } from '../kafka/operator/node-pools';
import { backendsOf, checkJoined, decidingFor, isRouteAttached, joinedTo } from '../predicted/gateway-relations';
import { nodePoolsOf } from '../predicted/kafka-services';
import type { EditedKind } from '../rules/controller-definition';
import { KUBERNETES } from '../rules/kubernetes-upgrades.facts';
import { type Manifest, ManifestIndex } from '../rules/manifest-objects';
import { type IndexedObject, kindAndTitleOf } from '../rules/objects';
import type { RuleContext } from '../rules/rule';
import { type CheckResult, type KnownRule, RuleSet } from '../rules/rule-set';
import { annotationsOf, isLocal, portsOf, wantsLoadBalancer } from '../rules/service-json';
import { serviceRulesOf, UNOWNED_RULES } from '../rules/service-rule-set';
import { contextOfPods, ENDPOINT_RULES, TAINT_RULE, Workloads } from '../rules/workload-rules';
import { annotationOrField, type Effect, effectAt, fieldAt } from './effect';
import type { LivePair } from './pairs';
import { editAmong, freshEffects, interrupted, type ObjectPair, podEffects, removalAmong } from './related-changes';
import { installedOf, isOn, isPruned, kindOf, type Side, type SideBalancer, type Sides } from './side';

// Effects on a live balancer of rule findings that are new on the newer side.

export function withFindings(effects: readonly Effect[], { before, after, sides }: LivePair): readonly Effect[] {
  const checked = validatedSides(sides);
  const now = checked.after.ofBalancer(after).filter((finding) => !isAboutKeptNodePort(finding, before.service));
  const isLost = checked.before.behind(before.service).length > 0 && checked.after.behind(after.service).length === 0;
  if (now.length === 0 && !isLost && effects.length === 0) {
    return effects;
  }
  const old = checked.before.ofBalancer(before);
  const found = [
    ...podEffects({ before: before.service, after: after.service, old, now }, sides),
    ...refusedEffects(effects, after, old, now),
  ];
  const gated = effects.map((effect) => withoutIgnored(effect, old, now));
  const isCovered = (effect: Effect, one: Effect) =>
    !effect.places && !one.places && !isWorse(effect, one) && isAround(one.path, effect.path);
  return [...gated.filter((effect) => !found.some((one) => isCovered(effect, one))), ...found];
}

function isAboutKeptNodePort(finding: EffectFinding, before: Json): boolean {
  const wasAllocated = wantsLoadBalancer(before) && before.spec.allocateLoadBalancerNodePorts !== false;
  const isAboutNodePorts = rulesOf(finding).some(({ on = [] }) => on.includes('spec.allocateLoadBalancerNodePorts'));
  return wasAllocated && isAboutNodePorts && portsOf(before).some(({ port }) => String(port) === finding.value);
}

/** The edit of a field whose value counts on neither side does nothing. */
function withoutIgnored(effect: Effect, old: readonly EffectFinding[], now: readonly EffectFinding[]): Effect {
  const { path, from, to } = effect;
  if (effect.outcome === 'kept' || effect.places) {
    return effect;
  }
  const [was, is] = [old, now].map((all) =>
    all.find((one) => one.effect === 'ignored' && isAround(one.path, path) && one.path.length <= path.length),
  );
  const ignored = is ?? was;
  const counts = (from !== undefined && !was) || (to !== undefined && !is);
  if (!ignored || counts) {
    return effect;
  }
  const { needs: _, remedy: __, whom: ___, lasts: ____, ...rest } = effect;
  return { ...rest, outcome: 'kept', why: ignored.what, source: sourceOf(rulesOf(ignored)) };
}

function refusedEffects(
  effects: readonly Effect[],
  after: SideBalancer,
  old: readonly EffectFinding[],
  now: readonly EffectFinding[],
): Effect[] {
  const refused = now.filter(({ effect, who }) => effect === 'refused' && who !== SERVER);
  const isTold = (finding: EffectFinding) =>
    effects.some(({ outcome, path, places }) => outcome === 'refused' && !places && isOfOne(path, finding.path));
  const fresh = refused.filter((finding) => !isAmong(finding, old) && !isTold(finding));
  const waiting = effects.some(
    ({ outcome, path, staysAsMade }) => outcome === 'kept' && !staysAsMade && isRead(path, after),
  );
  const [standing] = waiting ? refused.filter((finding) => isAmong(finding, old)) : [];
  const whyOf = ({ who, what }: EffectFinding) => `${who} refuses the Service, and later edits wait behind it: ${what}`;
  return [
    ...firstOfEach(fresh).map((one) => ({ ...refusalOf(one, after, whyOf(one)), ...editedFieldOf(one, effects) })),
    ...(standing && fresh.length === 0
      ? [refusalOf(standing, after, `not carried out while ${standing.who} refuses the Service: ${standing.what}`)]
      : []),
  ];
}

function editedFieldOf(finding: EffectFinding, effects: readonly Effect[]): Partial<Effect> {
  const own = effects.filter(({ places }) => !places);
  const isNamed = own.some(({ path }) => isAround(path, finding.path));
  const isRead = ({ path }: Effect) =>
    rulesOf(finding).some((rule) => rule.reads?.some((entry) => entry.match(String(path[2])) !== undefined) === true);
  const edited = isNamed ? undefined : (own.find(isRead) ?? own[0]);
  return edited ? { field: edited.field, path: edited.path, from: edited.from, to: edited.to } : {};
}

const SERVER = 'kubernetes';

function isRead(path: YamlPath, { controller }: SideBalancer): boolean {
  const kind = controller && 'catalogue' in controller ? controller : undefined;
  return path[1] === 'annotations' && (kind === undefined || kind.catalogue.find(String(path[2])) !== undefined);
}

export function refusalOf(finding: EffectFinding, { guess, service }: SideBalancer, why: string): Effect {
  const { path, remedy } = finding;
  const [key] = path.slice(2);
  const to = path[1] === 'annotations' ? annotationsOf(service)[String(key)] : finding.value;
  const place = { field: annotationOrField(path), path, to };
  return effectAt(place, {
    outcome: guess === undefined ? 'refused' : 'unknown',
    why,
    remedy,
    source: sourceOf(rulesOf(finding)),
    ...(guess !== undefined && { needs: [guess] }),
  });
}

function isOfOne(one: YamlPath, other: YamlPath): boolean {
  return one[0] === 'spec' ? other[0] === 'spec' : isAround(one, other);
}

/** One for each subject: several findings there have one effect. */
export function firstOfEach(findings: readonly EffectFinding[]): EffectFinding[] {
  return findings.filter((one, i) => !findings.slice(0, i).some(({ path }) => isOfOne(path, one.path)));
}

// Rule findings of one side that affect a balancer.

const ENDPOINTS = new RuleSet(ENDPOINT_RULES);
const TAINTS = new RuleSet([TAINT_RULE], 'kubernetes');

export interface EffectFinding extends RuleFinding {
  readonly effect: RuleEffect;
  readonly path: YamlPath;
}

export class ValidatedSide {
  public readonly index: ManifestIndex;
  private readonly manifests: ReadonlyMap<Json, Manifest>;
  private readonly workloads: Workloads;

  public constructor(
    private readonly side: Side,
    left: readonly Manifest[] = [],
  ) {
    const all = [...side.manifests, ...left];
    this.index = new ManifestIndex(all);
    this.manifests = new Map(all.map((manifest) => [manifest.object, manifest]));
    this.workloads = new Workloads(all.flatMap(({ object }) => (isOwned(object) ? [] : [object])));
  }

  public manifestOf({ json }: IndexedObject): Manifest | undefined {
    return this.manifests.get(json);
  }

  public counterpart({ group, kind, namespace, name, scopes }: IndexedObject): IndexedObject | undefined {
    const found = this.index.named(group, kind, { namespace, name });
    return found.length < 2 ? found[0] : (found.find((one) => one.scopes.join() === scopes.join()) ?? found[0]);
  }

  public behind(service: Json): readonly Manifest[] {
    return [
      ...this.workloads.of(service).flatMap((object) => this.manifests.get(object) ?? []),
      ...nodePoolsOf(service, this.side).map(({ pool }) => pool),
    ];
  }

  public ofBalancer(balancer: SideBalancer): readonly EffectFinding[] {
    const { errors, warnings } = this.check(balancer);
    return withEffects([...errors, ...warnings, ...this.unscheduled(balancer.service)]);
  }

  /** Reason why pods behind a Service run on no node, if none of them runs. */
  private unscheduled(service: Json): readonly RuleFinding[] {
    const { nodePools } = this.side;
    const pods = nodePools ? this.podsBehind(service) : [];
    const context = { nodePools, kubernetes: kubernetesOf(this.side) };
    const found = pods.map((spec) => TAINTS.check({ kind: 'Pod', spec }, context).warnings);
    return found.every((warnings) => warnings.length > 0) ? found.flat() : [];
  }

  private podsBehind(service: Json): readonly Json[] {
    return [
      ...this.workloads.of(service).map((one) => podTemplateOf(one)?.spec ?? {}),
      ...nodePoolsOf(service, this.side).map(({ pool, kafka }) => podSpecOf(pool.object, kafka)),
    ];
  }

  public check(balancer: SideBalancer): CheckResult {
    const { service, written } = balancer;
    const kind = kindOf(balancer);
    const context = {
      ...this.contextOf(service, this.index.entryOf(written)),
      kind,
      controller: installedOf(balancer),
    };
    return serviceRulesOf(kind)
      .check(written.madeOf ? service : written.object, context, kind?.name)
      .and(ENDPOINTS.check(service, context, 'kubernetes'));
  }

  public ofBackend(service: IndexedObject): readonly EffectFinding[] {
    const { errors, warnings } = ENDPOINTS.check(service.json, this.contextOf(service.json, service), 'kubernetes');
    return withEffects([...errors, ...warnings]);
  }

  private contextOf(service: Json, among: IndexedObject): RuleContext {
    const workloads = this.workloads.of(service);
    return {
      among,
      ...contextOfPods(workloads, this.podsBehind(service)),
      kubernetes: kubernetesOf(this.side),
    };
  }
}

export function withEffects(findings: readonly RuleFinding[]): EffectFinding[] {
  return findings.flatMap((finding) => {
    const effect = finding.effect ?? rulesOf(finding).find((rule) => rule.effect)?.effect;
    return effect ? [{ ...finding, effect, path: pathOf(finding) }] : [];
  });
}

export function rulesOf({ ruleId }: Pick<RuleFinding, 'ruleId'>): readonly KnownRule[] {
  return RuleSet.withId(ruleId);
}

export function pathOf({ at }: Pick<RuleFinding, 'at'>): YamlPath {
  return at === '' ? ['spec'] : stepsOf(at);
}

export function isAround(one: YamlPath, other: YamlPath): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.every((step, i) => long[i] === step);
}

export function isAmong({ ruleId, what, path }: EffectFinding, others: readonly EffectFinding[]): boolean {
  const isSame = (one: YamlPath) => one.length === path.length && isAround(one, path);
  return others.some((one) => one.ruleId === ruleId && (one.what === what || isSame(one.path)));
}

export type ValidatedSides = Readonly<Record<'before' | 'after', ValidatedSide>>;

export const validatedSides = oncePer((sides: Sides): ValidatedSides => {
  const { before, after } = sides;
  // objects of the older side stay although no manifest of the newer one has them
  const left = isPruned(sides) ? [] : before.manifests.filter(({ object }) => !isOn(after, object));
  return { before: new ValidatedSide(before), after: new ValidatedSide(after, left) };
});

/** True if a controller made an object of another one, which counts in its place. */
function isOwned(object: Json): boolean {
  return listIn(mapIn(object, 'metadata'), 'ownerReferences').length > 0;
}

export function refusalEffects(before: SideBalancer, after: SideBalancer, side: Side): Effect[] {
  const found = refusedOf(objectOf(after), side);
  if (found.length === 0) {
    return [];
  }
  if (hasLeftPort(before, after)) {
    const { service, written } = after;
    const [read, object] = [service, written.object].map((one) => {
      const { healthCheckNodePort: _, ...spec } = mapIn(one, 'spec');
      return { ...one, spec };
    });
    return refusalEffects(before, { ...after, service: read, written: { ...written, object } }, side);
  }
  const old = refusedOf(objectOf(before), side);
  return found
    .filter(({ ruleId, what }) => !old.some((one) => one.ruleId === ruleId && one.what === what))
    .map((finding) =>
      refusalEffect(finding, `the API server refuses it, and the live Service stays as it is: ${finding.what}`),
    );
}

/**
 * True if the port for health checks is left where nothing needs it any more: the API server drops it.
 * kubernetes/kubernetes v1.36.3, pkg/registry/core/service/strategy.go
 */
function hasLeftPort({ service: old }: SideBalancer, { service: now }: SideBalancer): boolean {
  const [had, has] = [old, now].map(({ spec }) => spec?.healthCheckNodePort);
  return isLocal(old) && !isLocal(now) && isSet(has) && had === has;
}

export function refusalEffect(finding: Pick<LoadBalancerFinding, 'ruleId' | 'remedy' | 'at'>, why: string): Effect {
  const path = pathOf(finding);
  const source = sourceOf(rulesOf(finding));
  return effectAt({ field: fieldAt(path), path }, { outcome: 'refused', why, remedy: finding.remedy, source });
}

export function objectOf({ service, written }: SideBalancer): Json {
  return written.madeOf ? service : written.object;
}

export function refusedOf(object: Json, side: Side): EffectFinding[] {
  const { errors } = UNOWNED_RULES.check(object, { kubernetes: kubernetesOf(side) }, SERVER);
  return withEffects(errors).filter(({ who, effect }) => who === SERVER && effect === 'refused');
}

function kubernetesOf({ versions }: Side): KubernetesVersion {
  const version = versions?.[KUBERNETES];
  return version === undefined ? DEFAULT_KUBERNETES : KubernetesVersion.of(version);
}

function sourceOf(rules: readonly KnownRule[]): Citation | undefined {
  return rules.flatMap(({ source }) => (typeof source === 'object' ? [source] : []))[0];
}

// Edits that leave balancers without pods that lead to Services by routes or bindings.

export function withFindingsAtGateway(effects: readonly Effect[], maker: Json | undefined, sides: Sides): Effect[] {
  if (maker?.kind !== 'Gateway') {
    return [...effects];
  }
  const { before, after } = validatedSides(sides);
  const entry = after.counterpart(after.index.entryOf({ file: '', line: 1, object: maker }));
  const found = (entry ? joinedTo(entry) : []).flatMap((joined) => effectsOfRoute(joined, sides));
  // clients of a route that no listener took lose nothing with it
  const lost = effects.filter(
    ({ places: at }) => !at?.before || isRouteAttached(before.index.entryOf(at.before.manifest)),
  );
  return withUncovered(lost, found);
}

function withUncovered(effects: readonly Effect[], found: readonly Effect[]): Effect[] {
  return [...effects, ...found.filter((one) => !effects.some((effect) => covers(effect, one)))];
}

function covers({ outcome, places, path }: Effect, { places: other, path: its }: Effect): boolean {
  const isSame = (side: 'before' | 'after') =>
    places?.[side]?.manifest !== undefined && places[side]?.manifest.object === other?.[side]?.manifest.object;
  return outcome !== 'kept' && (isSame('before') || isSame('after')) && (its.length === 0 || isAround(path, its));
}

export function withFindingsOfBinding(
  effects: readonly Effect[],
  manifest: Manifest,
  rules: EditedKind['rules'],
  sides: Sides,
): Effect[] {
  const { after } = validatedSides(sides);
  const binding = after.counterpart(after.index.entryOf(manifest));
  return withUncovered(effects, binding ? effectsOfRoute(binding, sides, rules) : []);
}

function effectsOfRoute(after: IndexedObject, sides: Sides, rules?: EditedKind['rules']): Effect[] {
  const checked = validatedSides(sides);
  const before = checked.before.counterpart(after);
  if (!before || !isRouteAttached(before)) {
    return [];
  }
  const [old, now] = [before, after].map((one) => {
    const { errors, warnings } = rules ? rules.check(one.json, { among: one }) : checkJoined(one);
    return withEffects([...errors, ...warnings]);
  });
  const backends = backendsOf(after).flatMap((backend): ObjectPair[] => {
    const [one, other] = [checked.before, checked.after].map(({ index }) =>
      index.nearest(after, '', 'Service', backend),
    );
    return one ? [{ before: one, after: other }] : [];
  });
  const deciding = [
    { before, after },
    ...decidingFor(after).map((other) => ({ before: checked.before.counterpart(other), after: other })),
    ...decidingFor(before).map((other) => ({ before: other, after: checked.after.counterpart(other) })),
  ];
  const by = rules ? '' : ` by ${kindAndTitleOf(after)}`;
  const edits = [...deciding, ...backends];
  return [
    ...freshEffects(now, old, by, sides, (isIt) => editAmong(edits, isIt, checked) ?? removalAmong(deciding, checked)),
    ...backends.flatMap((backend) => backendEffects(backend, sides)),
  ];
}

function backendEffects(backend: ObjectPair, sides: Sides): Effect[] {
  const checked = validatedSides(sides);
  const { before, after } = backend;
  if (!before || !after) {
    return interrupted(removalAmong([backend], checked), 'no pod receives connections', '', sides);
  }
  const [old, now] = [checked.before.ofBackend(before), checked.after.ofBackend(after)];
  return podEffects({ before: before.json, after: after.json, old, now, backend }, sides);
}
