import { editFrom, editOfValue } from '../contract/edit';
import { isMap, type Json } from '../contract/json';
import { readKubernetesYaml } from '../contract/kubernetes-yaml';
import { ownValue } from '../contract/own-value';
import { printable } from '../contract/printable';
import { keysChanged, sameValue } from '../contract/same-value';
import type { YamlPath } from '../contract/yaml-source';
import { titleOf } from '../later/later';
import { possibleClaimants } from '../rules/claimants';
import { type CloudConfigFacts, cloudConfigKeyIn, textsIn } from '../rules/cloud-config';
import { type ControllerDefinition, knownKinds } from '../rules/controller-definition';
import type { Manifest } from '../rules/manifest-objects';
import type { Cause } from './balancer-change';
import { hasNoBalancer } from './has-no-balancer';
import type { Matched } from './match';
import { nearestTo } from './objects-on-side';
import { kindOf } from './owners';
import { causeOf, type Said, saidBy } from './said';
import type { Side, SideBalancer, Sides } from './side';

/** What a change of the cloud configuration does to a balancer of its controller; a ConfigMap or a Secret holds it. */
export function cloudConfigCauses({ before, after }: Matched, sides: Sides): Cause[] {
  const isAny = [sides.before, sides.after].some((side) => configsOn(side).length > 0);
  if (!isAny || !before || !after || before.owner !== after.owner || hasNoBalancer(before)) {
    return [];
  }
  const kinds =
    before.owner === undefined ? possibleClaimants(before.service).map(({ kind }) => kind) : [kindOf(before)];
  return [...new Set(kinds)]
    .flatMap((kind) => (kind ? causesOf(kind, { before, after }, sides) : []))
    .map((cause) => (before.owner === undefined ? open(cause, before) : cause));
}

/** A change of who may own it, or not. */
function open({ remedy: _, ...cause }: Cause, { unowned }: SideBalancer): Cause {
  return cause.outcome === 'kept'
    ? cause
    : { ...cause, outcome: 'unknown', needs: [printable(unowned ?? 'who owns it')] };
}

/** The file that an object holds. */
interface CloudConfig {
  readonly kind: ControllerDefinition;
  readonly facts: CloudConfigFacts;
  readonly title: string;
  readonly manifest: Manifest;
  readonly path: YamlPath;
  /** What is not a map of settings is a text. */
  readonly settings: unknown;
}

const CONFIGS = new WeakMap<readonly Manifest[], readonly CloudConfig[]>();

function configsOn({ manifests }: Side): readonly CloudConfig[] {
  const known = CONFIGS.get(manifests) ?? configsIn(manifests);
  CONFIGS.set(manifests, known);
  return known;
}

function configsIn(manifests: readonly Manifest[]): CloudConfig[] {
  const kinds = knownKinds().flatMap((kind) => (kind.cloudConfig ? [{ kind, facts: kind.cloudConfig }] : []));
  return kinds.flatMap(({ kind, facts }) =>
    manifests.flatMap((manifest): CloudConfig[] => {
      const { object } = manifest;
      const key = cloudConfigKeyIn(object, facts);
      if (key === undefined) {
        return [];
      }
      const title = `${object.kind} ${titleOf(object)}, ${key}`;
      const holder = isMap(object.stringData) && key in object.stringData ? 'stringData' : 'data';
      return [{ kind, facts, title, manifest, path: [holder, key], settings: settingsIn(textsIn(object)[key]) }];
    }),
  );
}

/** The settings of a file, which is YAML or JSON; else its text. */
function settingsIn(text: unknown): unknown {
  const { values, faults } = readKubernetesYaml(String(text));
  const [first] = values;
  return faults.length === 0 && values.length === 1 && isMap(first.value) ? first.value : text;
}

interface Both {
  readonly before: SideBalancer;
  readonly after: SideBalancer;
}

function causesOf(kind: ControllerDefinition, both: Both, { before, after, options }: Sides): Cause[] {
  const [old, now] = [before, after].map((side, i) => {
    const { file } = (i === 0 ? both.before : both.after).written;
    const all = configsOn(side).filter((one) => one.kind === kind);
    return new Map(nearestTo(file, all, ({ manifest }) => manifest.file).map((one) => [one.title, one]));
  });
  const isLeft = options.prune === false || (before.isLive === true && options.prune !== true);
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((title) => {
    const [one, other] = [old.get(title), now.get(title)];
    return other === undefined && isLeft ? [] : causesBetween(one, other, both);
  });
}

function causesBetween(before: CloudConfig | undefined, after: CloudConfig | undefined, both: Both): Cause[] {
  const { kind, facts, title } = (after ?? before) as CloudConfig;
  const [old, now] = [before, after].map((one) => one?.settings);
  const at = {
    path: [],
    places: {
      ...(before && { before: { manifest: before.manifest, path: before.path } }),
      ...(after && { after: { manifest: after.manifest, path: after.path } }),
    },
  };
  if (!isMap(old) || !isMap(now)) {
    const how = before ? (after ? 'it changes' : 'it is in no manifest any more') : 'it is new';
    const why = `${how}: it is the cloud configuration of ${kind.name}, and what that does to its balancers is not known`;
    const needs = [printable(`what ${kind.name} reads in ${title}, on both sides`)];
    return sameValue(old, now) ? [] : [causeOf({ ...at, field: printable(title) }, { outcome: 'unknown', why, needs })];
  }
  return keysChanged(old, now)
    .filter((key) => !facts.harmless.test(key))
    .map((key) => {
      const isHidden = after?.manifest.object.kind === 'Secret' || SECRETS.test(key);
      const [from, to] = isHidden ? [] : [old[key], now[key]];
      const field = printable(`${title}.${key}`);
      return causeOf({ ...at, field, from, to }, whatItDoes(key, { kind, facts, old, now, both }));
    });
}

/** Settings whose values are printed nowhere. */
const SECRETS = /secret|password|token|sas|credential/i;

interface Changed {
  readonly kind: ControllerDefinition;
  readonly facts: CloudConfigFacts;
  readonly old: Json;
  readonly now: Json;
  readonly both: Both;
}

function whatItDoes(key: string, { kind, facts, old, now, both: { before, after } }: Changed): Said {
  const fact = ownValue(facts.settings, key);
  if (!fact) {
    return {
      outcome: 'unknown',
      why: `this setting of the cloud configuration of ${kind.name} changes, and what it does to its balancers was not read`,
      needs: [printable(`what ${kind.name} makes of ${key}`)],
    };
  }
  const edit = editOfValue(editFrom(fact, facts.source), {
    before: old[key],
    after: now[key],
    around: { before: old, after: now },
    objects: { before: before.service, after: after.service },
  });
  const said = saidBy(edit);
  return { ...said, ...(said.outcome !== 'kept' && { remedy: 'leave it as it is while there are balancers' }) };
}
