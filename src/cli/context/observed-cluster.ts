import { compareVersions } from '../../contract/compare-versions';
import { grouped, isMap, type Json, list, mapIn, printable } from '../../contract/json';
import { NodePool, type NodeTaint } from '../../contract/node-pool';
import { controllersIn, flagsOf } from '../../installations/aws-load-balancer-controller/controllers';
import { VERSION_TAG } from '../../installations/objects';
import { FEATURE_GATES_VARIABLE } from '../../installations/strimzi/installation.facts';
import { versionIn } from '../../installations/strimzi/operator';
import { operatorsIn } from '../../kafka/operator/cluster-operators';
import { SERVER_SIDE_APPLY_GATE } from '../../kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import { NODE_POOL_LABELS } from '../../nodes/node-pools.facts';
import { KEEPER_LABEL } from '../../policies/policy.facts';
import type { KeptServices } from '../../policies/policy-objects';
import type { Operator } from '../../predicted/operator-services';
import { OPERATORS } from '../../predicted/operators/operators.facts';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import { ADMISSION_GROUP, KYVERNO_API_VERSION, KYVERNO_MUTATING_POLICY } from '../../tenancy/guard/guard.facts';
import { joinWords } from './context-controllers';
import { taintBy } from './context-file';
import { PASSING_TAINTS, REGION_LABELS, ZONE_LABELS } from './evidence.facts';

export interface Observation<T> {
  readonly value: T;
  readonly by: readonly IndexedObject[];
}

export function evidenceInWords(by: readonly IndexedObject[]): string {
  const kinds = [...new Set(by.map(writtenKind))].sort();
  return joinWords(
    kinds.map((kind) => {
      const places = by.filter((one) => writtenKind(one) === kind).map(({ path }) => path);
      // one object makes several Services
      const [first, ...others] = kind === 'Service' ? places : [...new Set(places)];
      const where = `${kind}${others.length > 0 ? 's' : ''} in ${first}`;
      return printable(`the ${where}${others.length > 0 ? ` and ${others.length} more` : ''}`);
    }),
  );
}

function writtenKind({ madeOf, kind }: IndexedObject): string {
  return madeOf ?? kind;
}

export function observe<T>(
  objects: readonly IndexedObject[],
  shownBy: (object: IndexedObject) => T | undefined,
  keyOf: (value: T) => string = String,
): Observation<T>[] {
  const shown = objects.flatMap((object) => {
    const value = shownBy(object);
    return value === undefined ? [] : [{ value, object }];
  });
  return [...grouped(shown, ({ value }) => keyOf(value)).values()].map((all) => ({
    value: all[0].value,
    by: all.map(({ object }) => object),
  }));
}

export function containersOf(workload: Json): Json[] {
  const template = mapIn(mapIn(workload.spec, 'template'), 'spec');
  return list<Json>(template.containers).filter(isMap);
}

export function runsImage({ image }: Json, name: string): boolean {
  const [path] = String(image ?? '').split(/@|:[^/]*$/);
  return `/${path}`.endsWith(`/${name}`);
}

/** True if all objects are in one folder; one folder is taken for one cluster. */
export function isOneFolder(objects: readonly IndexedObject[]): boolean {
  return new Set(objects.map(({ scopes }) => scopes[scopes.length - 2])).size === 1;
}

export function providerIdOf({ json }: Pick<IndexedObject, 'json'>): string {
  const id = mapIn(json, 'spec').providerID;
  return typeof id === 'string' ? id : '';
}

const [KYVERNO_GROUP] = KYVERNO_API_VERSION.split('/');

export function observeStrimzi(index: ObjectIndex): Observation<StrimziVersion> | undefined {
  const operators = operatorsIn(index);
  const variables = new Map(operators.map((operator) => [operator.object, operator.variables]));
  const seen = observe(
    operators.map(({ object }) => object),
    (object) => withGate(versionIn(object.json), variables.get(object)?.get(FEATURE_GATES_VARIABLE)),
    ({ version, keepsForeignFinalizers }) => `${version} ${keepsForeignFinalizers}`,
  );
  const isAll = seen.length === 1 && seen[0].by.length === operators.length;
  return isAll ? seen[0] : undefined;
}

/** The operators whose version decides what they do, each if all its images are of one version. */
export function observeOperators(index: ObjectIndex): (Observation<string> & { readonly operator: Operator })[] {
  const workloads = [...index.of('apps', 'Deployment'), ...index.of('apps', 'StatefulSet')];
  return OPERATORS.flatMap((operator) => {
    const { images = [] } = operator;
    const seen = observe(images.length > 0 ? workloads : [], ({ json }) => {
      const own = containersOf(json).find((container) => images.some((image) => runsImage(container, image)));
      return own && (VERSION_TAG.exec(String(own.image))?.[1] ?? '');
    });
    return seen.length === 1 && seen[0].value !== '' ? [{ ...seen[0], operator }] : [];
  });
}

export function observeKeeper(index: ObjectIndex): Observation<KeptServices> | undefined {
  const policies = [ADMISSION_GROUP, KYVERNO_GROUP].flatMap((group) =>
    ['MutatingAdmissionPolicy', KYVERNO_MUTATING_POLICY].flatMap((kind) => index.of(group, kind)),
  );
  const [seen] = observe(policies, (policy) =>
    (['owned', 'all'] as const).find((services) => policy.label(KEEPER_LABEL) === services),
  );
  return seen;
}

function withGate(version: StrimziVersion | undefined, gates = ''): StrimziVersion | undefined {
  const entry = gates.split(',').find((gate) => gate.trim().slice(1) === SERVER_SIDE_APPLY_GATE);
  try {
    return version && entry ? StrimziVersion.withServerSideApply(version, entry.trim().startsWith('+')) : version;
  } catch {
    return version; // a rule about the operator says that it does not start
  }
}

export function observeRegion(index: ObjectIndex): Observation<string> | undefined {
  const ofNodes = observe(index.of('', 'Node'), (node) => textLabel(node, REGION_LABELS));
  const ofFlags = observe(controllersIn(index), ({ json }) => flagsOf(json)['aws-region'] || undefined);
  const seen = ofNodes.length > 0 ? ofNodes : ofFlags;
  return seen.length === 1 && seen.every(({ value }) => REGION.test(value)) ? seen[0] : undefined;
}

const REGION = /^[a-z][a-z0-9-]*$/;

function textLabel(node: IndexedObject, keys: readonly string[]): string | undefined {
  return keys.map((key) => node.label(key)).find((value) => typeof value === 'string' && value !== '') as
    | string
    | undefined;
}

/** The newest kubelet: the API server is as new, or newer. */
export function observeKubelet(index: ObjectIndex): Observation<string> | undefined {
  const seen = observe(index.of('', 'Node'), ({ json }) => {
    const version: unknown = mapIn(mapIn(json, 'status'), 'nodeInfo').kubeletVersion;
    return typeof version === 'string' ? /^v(\d+\.\d+)\./.exec(version)?.[1] : undefined;
  });
  return [...seen].sort((one, other) => compareVersions(other.value, one.value))[0];
}

export function observeNodePools(index: ObjectIndex): Observation<NodePool>[] {
  const keys = [...new Set(Object.values(NODE_POOL_LABELS).map(({ label }) => label))];
  const groups = observe(
    index.of('', 'Node'),
    (node) => {
      const key = keys.find((each) => textLabel(node, [each]) !== undefined);
      return key === undefined ? undefined : { key, value: String(node.label(key)) };
    },
    ({ key, value }) => `${key}=${value}`,
  );
  const pools = groups.flatMap(({ value: { key, value }, by }) =>
    poolOf(key, value, by).map((pool) => ({ value: pool, by })),
  );
  return pools.filter(({ value }, i) => pools.findIndex((other) => other.value.name === value.name) === i);
}

function poolOf(key: string, name: string, nodes: readonly IndexedObject[]): NodePool[] {
  const [first, ...others] = nodes.map(taintsOf);
  const common = first.filter((taint) => others.every((taints) => taints.some((one) => String(one) === String(taint))));
  const zones = new Set(nodes.flatMap((node) => textLabel(node, ZONE_LABELS) ?? []));
  try {
    return [NodePool.labeled({ [key]: name }, { name, taints: common, zones: [...zones].sort() })];
  } catch {
    return []; // no Node of a cluster carries such a label
  }
}

function taintsOf({ json }: IndexedObject): NodeTaint[] {
  return list<Json>(mapIn(json, 'spec').taints)
    .filter((taint) => isMap(taint) && !PASSING_TAINTS.test(String(taint.key)))
    .flatMap(({ effect, key, value }) => {
      try {
        return [taintBy(effect, key, value)];
      } catch {
        return []; // no Node of a cluster carries such a taint
      }
    });
}
