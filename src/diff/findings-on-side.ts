import { DEFAULT_KUBERNETES } from '../contract/default-kubernetes';
import { type Json, mapIn } from '../contract/json';
import { KubernetesVersion } from '../contract/kubernetes-version';
import { isOnEachNode } from '../contract/placed-pod';
import type { JudgedFinding, RuleEffect } from '../contract/rule';
import { stepsOf } from '../contract/schema/walk';
import { podTemplateOf } from '../contract/workload';
import type { YamlPath } from '../contract/yaml-source';
import { podSpecOf } from '../kafka/rules/pool-json';
import { poolsBehind } from '../later/kafka-maker';
import type { Judgement } from '../rules/judgement';
import { KUBERNETES } from '../rules/kubernetes-upgrades.facts';
import { type Manifest, ManifestIndex } from '../rules/manifest-objects';
import type { IndexedObject } from '../rules/objects';
import type { RuleContext } from '../rules/rule-context';
import { type KnownRule, RuleSet } from '../rules/rule-set';
import { Workloads } from '../rules/selected-workloads';
import { annotationsOf } from '../rules/service-json';
import { serviceRulesOf } from '../rules/service-rule-set';
import { ENDPOINT_RULES, TAINT_RULE } from '../rules/workload-rules';
import { isOn } from './objects-on-side';
import { installedOf, kindOf } from './owners';
import type { Side, SideBalancer, Sides } from './side';

// What rules find on one side that does something to a balancer.

const ENDPOINTS = new RuleSet(ENDPOINT_RULES);
const TAINTS = new RuleSet([TAINT_RULE], 'kubernetes');

/** A finding, what it does to a balancer, and where it is. */
export interface EffectFinding extends JudgedFinding {
  readonly effect: RuleEffect;
  readonly path: YamlPath;
}

/** The objects of a side as they are once it is applied, for rules that look at several. */
export class JudgedSide {
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

  /** Where an object is written. */
  public manifestOf({ json }: IndexedObject): Manifest | undefined {
    return this.manifests.get(json);
  }

  /** An object as it is among the others of the side: of several of one name, the nearest one. */
  public counterpart({ group, kind, namespace, name, scopes }: IndexedObject): IndexedObject | undefined {
    const found = this.index.named(group, kind, { namespace, name });
    return found.length < 2 ? found[0] : (found.find((one) => one.scopes.join() === scopes.join()) ?? found[0]);
  }

  /** The workloads and the node pools of brokers that a Service selects, without those that others make. */
  public behind(service: Json): readonly Manifest[] {
    return [
      ...this.workloads.of(service).flatMap((object) => this.manifests.get(object) ?? []),
      ...poolsBehind(service, this.side).map(({ pool }) => pool),
    ];
  }

  /** What rules find in the Service of a balancer, and behind it, that does something to it. */
  public ofBalancer(balancer: SideBalancer): readonly EffectFinding[] {
    const { errors, warnings } = this.judge(balancer);
    return withEffects([...errors, ...warnings, ...this.unscheduled(balancer.service)], balancer.service);
  }

  /** Why pods behind a Service run on no node, if none of them runs. */
  private unscheduled(service: Json): readonly JudgedFinding[] {
    const { nodePools } = this.side;
    const pods = nodePools ? this.podsBehind(service) : [];
    const found = pods.map((spec) => {
      const { warnings } = TAINTS.judge({ kind: 'Pod', spec }, { nodePools, kubernetes: this.kubernetes });
      return warnings;
    });
    return found.every((warnings) => warnings.length > 0) ? found.flat() : [];
  }

  private podsBehind(service: Json): readonly Json[] {
    return [
      ...this.workloads.of(service).map((one) => podTemplateOf(one)?.spec ?? {}),
      ...poolsBehind(service, this.side).map(({ pool, kafka }) => podSpecOf(pool.object, kafka)),
    ];
  }

  private get kubernetes(): KubernetesVersion {
    const version = this.side.versions?.[KUBERNETES];
    return version === undefined ? DEFAULT_KUBERNETES : KubernetesVersion.of(version);
  }

  /** All that rules find in the Service of a balancer, and behind it. */
  public judge(balancer: SideBalancer): Judgement {
    const { service, written } = balancer;
    const kind = kindOf(balancer);
    const context = {
      ...this.contextOf(service, this.index.entryOf(written)),
      kind,
      controller: installedOf(balancer),
    };
    return serviceRulesOf(kind)
      .judge(written.madeOf ? service : written.object, context, kind?.name)
      .and(ENDPOINTS.judge(service, context, 'kubernetes'));
  }

  /** What rules find behind a Service that something else leads to. */
  public ofBackend(service: IndexedObject): readonly EffectFinding[] {
    const { errors, warnings } = ENDPOINTS.judge(service.json, this.contextOf(service.json, service), 'kubernetes');
    return withEffects([...errors, ...warnings], service.json);
  }

  private contextOf(service: Json, among: IndexedObject): RuleContext {
    const workloads = this.workloads.of(service);
    const pods = this.podsBehind(service);
    return {
      among,
      workloads,
      workload: workloads.length === 1 ? workloads[0] : undefined,
      pods: pods.length > 0 ? pods : undefined,
      isOnEachNode: workloads.some((one, i) => isOnEachNode(one.kind, pods[i])),
      kubernetes: this.kubernetes,
    };
  }
}

/** Findings that do something to a balancer, each at its place. */
export function withEffects(findings: readonly JudgedFinding[], object: Json): EffectFinding[] {
  return findings.flatMap((finding) => {
    const effect = finding.effect ?? rulesOf(finding).find((rule) => rule.effect)?.effect;
    const path = effect === 'ignored' ? ignoredIn(finding, object) : pathOf(finding, object);
    return effect && path ? [{ ...finding, effect, path }] : [];
  });
}

/** The field that has no effect, if the finding names no other one. */
function ignoredIn(finding: JudgedFinding, object: Json): YamlPath | undefined {
  const { what, value, at } = finding;
  const annotations = annotationsOf(object);
  const named = Object.keys(annotations).filter((key) => what.includes(key));
  const rules = rulesOf(finding);
  const read = Object.keys(annotations).filter((key) => rules.some((rule) => reads(rule, key)));
  const [own] =
    named.length > 0 ? named.filter((key) => what.startsWith(key)) : read.filter((key) => annotations[key] === value);
  const isField = named.length === 0 && rules.every((rule) => rule.reads === undefined && rule.on?.length === 1);
  return own !== undefined
    ? ['metadata', 'annotations', own]
    : at !== undefined || isField
      ? pathOf(finding, object)
      : undefined;
}

/** Whether a rule reads an annotation. */
export function reads(rule: KnownRule, key: string): boolean {
  return rule.reads?.some((entry) => entry.match(key) !== undefined) === true;
}

/** The rules that may have made a finding. */
export function rulesOf({ ruleId }: Pick<JudgedFinding, 'ruleId'>): readonly KnownRule[] {
  return RuleSet.withId(ruleId);
}

/** Where a finding is: what it says itself, or else what its rule reads. */
export function pathOf(finding: Pick<JudgedFinding, 'ruleId' | 'at' | 'what' | 'value'>, object: Json): YamlPath {
  const { at, what, value } = finding;
  if (at !== undefined) {
    return stepsOf(at);
  }
  const rules = rulesOf(finding);
  const annotations = annotationsOf(object);
  const keys = Object.keys(annotations);
  const read = keys.filter((key) => rules.some((rule) => reads(rule, key)));
  const key =
    longest(keys.filter((one) => what.includes(one))) ?? read.find((one) => annotations[one] === value) ?? read[0];
  const [field = 'spec'] = rules.flatMap(({ on = [] }) => on);
  return key === undefined ? field.split('.') : ['metadata', 'annotations', key];
}

function longest(keys: readonly string[]): string | undefined {
  return [...keys].sort((one, other) => other.length - one.length)[0];
}

/** Whether one field holds the other one, or is it. */
export function isAround(one: YamlPath, other: YamlPath): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.every((step, i) => long[i] === step);
}

/** Whether a finding is among others, at the same place or in the same words. */
export function isAmong({ ruleId, what, path }: EffectFinding, others: readonly EffectFinding[]): boolean {
  return others.some(
    (one) =>
      one.ruleId === ruleId && (one.what === what || (isAround(one.path, path) && one.path.length === path.length)),
  );
}

const JUDGED = new WeakMap<Side, JudgedSide>();

/** Both sides with what rules need to look at them. */
export interface JudgedSides {
  readonly before: JudgedSide;
  readonly after: JudgedSide;
}

/** Both sides as rules look at them, each made once. */
export function judgedSides(sides: Sides): JudgedSides {
  const of = (side: Side, left: () => readonly Manifest[]) => {
    const known = JUDGED.get(side) ?? new JudgedSide(side, left());
    JUDGED.set(side, known);
    return known;
  };
  return { before: of(sides.before, () => []), after: of(sides.after, () => leftOn(sides)) };
}

/** The objects of the older side that stay although no manifest of the newer one has them. */
function leftOn({ before, after, options }: Sides): readonly Manifest[] {
  const isLeft = options.prune === false || (before.isLive === true && options.prune !== true);
  return isLeft ? before.manifests.filter(({ object }) => !isOn(after, object)) : [];
}

/** Whether a controller made an object of another one, which counts in its place. */
function isOwned(object: Json): boolean {
  const { ownerReferences } = mapIn(object, 'metadata');
  return Array.isArray(ownerReferences) && ownerReferences.length > 0;
}
