import type { ApiObject } from 'cdk8s';
import { type Json, namespaceTitle } from '../../contract/json';
import { type Found, someOf } from '../../contract/rule';
import { shownVersion, versionOf } from '../../kafka/cluster/manifest-cluster';
import { type OperatorInApp, operatorOf, operatorsIn, serves, watches } from '../../kafka/operator/cluster-operators';
import {
  KAFKA_KIND,
  KAFKA_NODE_POOL_KIND,
  LEASE_NAME_VARIABLE,
  STRIMZI_API,
  STRIMZI_GROUP,
  STRIMZI_OLD_API,
} from '../../kafka/strimzi/strimzi.facts';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import { constructOf } from '../../rules/app-objects';
import { type IndexedObject, kindAndTitleOf, type ObjectIndex } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import { CONTROLLER_WITH_ITS_SERVICES, type ServedObject } from '../served-services';
import { clusterScopedNames } from './objects';
import { type InstalledOperator, type Operator, upstream, versionIn } from './operator';
import { NEIGHBOUR_RULE_ROWS } from './rules.facts';

export interface AppResource {
  readonly object: IndexedObject;
  readonly namespace?: string;
  /** The version that it was made or read for; unknown where a manifest is all there is. */
  readonly strimzi?: StrimziVersion;
}

const OF_CLUSTERS: readonly string[] = [KAFKA_KIND, KAFKA_NODE_POOL_KIND];

export interface AppResources {
  readonly kafkas: readonly AppResource[];
  readonly pools: readonly AppResource[];
  /** Of all other kinds: topics, users, Connect and what else the operator or those that it makes look at. */
  readonly others: readonly AppResource[];
}

export interface AppOperator extends OperatorInApp {
  readonly installation?: Operator;
  readonly version?: StrimziVersion;
}

const INSTALLED = new WeakMap<ApiObject, Operator & { readonly number: number }>();
let made = 0;

export function registerOperator(operator: Operator): void {
  INSTALLED.set(operator.object, { ...operator, number: made++ });
}

function installationOf(object: IndexedObject): (Operator & { readonly number: number }) | undefined {
  const construct = constructOf(object);
  return construct && INSTALLED.get(construct);
}

/** The operators of an app or of some files: the installations in the order in which they were made, then those of others. */
export function operatorsOf(index: ObjectIndex): readonly AppOperator[] {
  return index.once(operatorsOf, () => {
    const installed = index.of('apps', 'Deployment').flatMap((object) => {
      const installation = installationOf(object);
      return installation ? [{ ...operatorOf(object), installation, version: installation.settings.version }] : [];
    });
    const others = operatorsIn(index).filter(({ object }) => !installationOf(object));
    return [
      ...installed.sort((one, other) => one.installation.number - other.installation.number),
      ...others.map((operator) => ({
        ...operator,
        version: operator.object.isChecked ? versionIn(operator.object.json) : undefined,
      })),
    ];
  });
}

export function operatorFromManifest(object: IndexedObject): AppOperator {
  return operatorsOf(object.index).find((other) => other.object === object) ?? operatorOf(object);
}

export function isFirst(object: IndexedObject): boolean {
  return operatorsOf(object.index)[0]?.object === object;
}

export function resourcesOf(index: ObjectIndex): AppResources {
  return index.once(resourcesOf, () => {
    const all = index.all
      .filter(({ group }) => group === STRIMZI_GROUP)
      .map((object) => ({ object, namespace: object.namespace, strimzi: versionOf(object) }));
    const of = (isWanted: (kind: string) => boolean) => all.filter(({ object: { kind } }) => isWanted(kind));
    return {
      kafkas: of((kind) => kind === KAFKA_KIND),
      pools: of((kind) => kind === KAFKA_NODE_POOL_KIND),
      others: of((kind) => !OF_CLUSTERS.includes(kind)),
    };
  });
}

/** A namespace that two operators watch, as text; nothing where there is none, or labels keep them apart. */
export function watchedByBoth(one: OperatorInApp, other: OperatorInApp): string | undefined {
  if (one.selector !== '' && other.selector !== '' && one.selector !== other.selector) {
    return undefined;
  }
  const [here, there] = [one.watched, other.watched];
  if (!here || !there) {
    const named = (here ?? there)?.[0];
    return named === undefined ? 'all namespaces' : `namespace ${named}`;
  }
  const both = here.filter((namespace) => namespace !== undefined && there.includes(namespace));
  return both.length === 0 ? undefined : `namespace ${both.join(', ')}`;
}

/**
 * True if two operators have one namespace and name in different charts or files. In one cluster they would be one object, so
 * they are for different clusters, or one is there by mistake.
 */
export function haveSameTitle(one: OperatorInApp, other: OperatorInApp): boolean {
  return (
    one.namespace !== undefined &&
    one.namespace === other.namespace &&
    one.name === other.name &&
    one.object.unit !== other.object.unit
  );
}

export function watchesForSure(operator: OperatorInApp, { namespace }: AppResource): boolean {
  return watches(operator, namespace) && (operator.watched === undefined || namespace !== undefined);
}

/** Operators before another one, and those that no rule validates: what two have in common is reported with the later. */
function earlier(object: IndexedObject): readonly AppOperator[] {
  const all = operatorsOf(object.index);
  const place = all.findIndex((operator) => operator.object === object);
  return all.filter((other, i) => other.object !== object && (!other.object.isChecked || i < place));
}

function earlierBeside(object: IndexedObject): readonly AppOperator[] {
  return earlier(object).filter((other) => !haveSameTitle(operatorFromManifest(object), other));
}

function othersBeside({ index }: IndexedObject): [AppOperator, AppOperator][] {
  const foreign = operatorsOf(index).filter(({ object }) => !object.isChecked);
  return foreign.flatMap((other, i) =>
    foreign
      .slice(0, i)
      .filter((one) => !haveSameTitle(one, other))
      .map((one): [AppOperator, AppOperator] => [one, other]),
  );
}

function watchedTwice(who: string, one: AppOperator, other: AppOperator): Found | undefined {
  const both = watchedByBoth(one, other);
  return both === undefined ? undefined : { who, path: pathOf(other), value: both };
}

function pathOf({ installation, object }: AppOperator): string {
  return installation?.host.node.path ?? object.path;
}

function sharesLease(one: AppOperator, other: AppOperator): boolean {
  const [mine, theirs] = [one, other].map(({ variables }) => variables.get(LEASE_NAME_VARIABLE));
  // a third-party operator may have a lease of another name
  return one.namespace === other.namespace && (other.installation !== undefined || mine === theirs);
}

/** Names of the cluster-scoped objects that come with an operator: of a third-party one, those that are applied with it. */
function clusterScopedNamesOf({ installation, object }: AppOperator): string[] {
  if (installation) {
    return clusterScopedNames(installation.settings);
  }
  const hosts = operatorsOf(object.index).flatMap((each) => each.installation?.host ?? []);
  return object.index.all
    .filter(({ unit, scopes }) => unit === object.unit && !hosts.some((host) => scopes.includes(host)))
    .map(({ kind, name }) => `${kind} ${name}`);
}

function kafkasOf(operator: IndexedObject): AppResource[] {
  const own = operatorFromManifest(operator);
  return resourcesOf(operator.index).kafkas.filter(({ object }) => serves(own, object));
}

type Fits = (resource: AppResource, version: StrimziVersion) => boolean;

/**
 * Resources that do not fit the version of their operator. What fits a namesake of it is in the cluster of that one, and what says
 * no namespace may be that of any operator that it fits.
 */
function misfitsOf(
  operator: IndexedObject,
  version: StrimziVersion,
  served: readonly AppResource[],
  fits: Fits,
): AppResource[] {
  const own = operatorFromManifest(operator);
  const others = operatorsOf(operator.index).filter((other) => other.object !== own.object);
  const mayServe = (resource: AppResource) =>
    others
      .filter((other) => resource.namespace === undefined || haveSameTitle(own, other))
      .filter((other) => watches(other, resource.namespace));
  return served
    .filter((resource) => !fits(resource, version))
    .filter((resource) => !mayServe(resource).some((other) => !other.version || fits(resource, other.version)));
}

function isMadeFor({ strimzi }: AppResource, version: StrimziVersion): boolean {
  return !strimzi || shownVersion(strimzi) === shownVersion(version);
}

function hasServedApiVersion({ object, strimzi }: AppResource, version: StrimziVersion): boolean {
  return strimzi !== undefined || version.servesApiVersion(object.apiVersion);
}

/** Node pools have no labels by which operators are told apart: those of their Kafka count. So it is with topics and users. */
function watchedBy(operator: IndexedObject, version: StrimziVersion): AppResource[] {
  const own = operatorFromManifest(operator);
  const { pools, others } = resourcesOf(operator.index);
  return [...pools, ...others.filter((other) => isChecked(other, version))].filter(({ namespace }) =>
    watches(own, namespace),
  );
}

/** Releases that serve the old version serve still older ones of some kinds, which is not looked up. */
function isChecked({ object: { apiVersion } }: AppResource, version: StrimziVersion): boolean {
  const names = [STRIMZI_API, STRIMZI_OLD_API].map((name) => `${STRIMZI_GROUP}/${name}`);
  return names.includes(apiVersion) || !version.servesApiVersion(names[1]);
}

function unwatched(kafka: AppResource, operators: readonly AppOperator[]): Found | undefined {
  const { namespace } = kafka;
  const name = nameOf(kafka);
  const serving = operators.filter((each) => serves(each, kafka.object));
  if (serving.some((each) => watchesForSure(each, kafka))) {
    return undefined;
  }
  const watched = [...new Set(serving.flatMap((each) => each.watched ?? []))].join(', ');
  if (namespace !== undefined) {
    return { case: 'foreign', name, value: namespace };
  }
  return watched === '' ? undefined : { case: 'unknown', name, watched };
}

function nameOf({ object }: AppResource): string {
  return `${kindAndTitleOf(object)} (${object.path})`;
}

export function servedObjects(operator: IndexedObject): ServedObject[] {
  return kafkasOf(operator).map((kafka) => ({
    name: nameOf(kafka),
    namespace: kafka.namespace,
    isTogether: kafka.object.unit === operator.unit,
  }));
}

export const APP_RULES: readonly Rule<InstalledOperator>[] = rulesOf({
  rows: NEIGHBOUR_RULE_ROWS,
  source: upstream(''),
  read: (_: Json, { among }: InstalledOperator) => operatorFromManifest(among),
  finds: {
    'strimzi-operator-duplicate': (own, _, { among }) =>
      earlier(among)
        .filter((other) => haveSameTitle(own, other))
        .slice(0, 1)
        .map((other) => ({ namespace: namespaceTitle(other.namespace), path: pathOf(other), value: other.name })),
    'strimzi-watched-namespace-duplicate': (own, _, { among }) => [
      ...earlierBeside(among).map((other) => watchedTwice('it', own, other)),
      ...(isFirst(among) ? othersBeside(among) : []).map(([one, other]) => watchedTwice(pathOf(one), one, other)),
    ],
    'strimzi-operator-namespace-duplicate': (own, _, { among }) =>
      earlierBeside(among)
        .filter((other) => sharesLease(own, other))
        .map((other) => ({ namespace: namespaceTitle(other.namespace), path: pathOf(other), value: other.namespace })),
    'strimzi-cluster-scoped-duplicate': (_, __, { among, settings }) => {
      const mine = settings ? clusterScopedNames(settings) : [];
      return earlierBeside(among).map((other) => {
        const both = clusterScopedNamesOf(other).filter((name) => mine.includes(name));
        return both.length > 0 ? { names: someOf(both), path: pathOf(other), value: both[0] } : undefined;
      });
    },
    'strimzi-kafka-version-mismatch': (_, __, { among, version }) =>
      version &&
      misfitsOf(among, version, kafkasOf(among), isMadeFor).map((kafka) => ({
        name: nameOf(kafka),
        made: shownVersion(kafka.strimzi as StrimziVersion),
        version: shownVersion(version),
        value: kafka.strimzi?.version,
      })),
    'strimzi-kafka-api-version-unsupported': (_, __, { among, version, settings }) =>
      version &&
      misfitsOf(among, version, [...kafkasOf(among), ...watchedBy(among, version)], hasServedApiVersion)
        // in files, Kafkas and their node pools have findings of their own
        .filter(({ object }) => settings || !OF_CLUSTERS.includes(object.kind))
        .map((resource) => ({
          name: nameOf(resource),
          version: version.version,
          served: version.apiVersion,
          value: resource.object.apiVersion,
        })),
    'strimzi-kafka-namespace-not-watched': (_, __, { among }) =>
      isFirst(among) && resourcesOf(among.index).kafkas.map((kafka) => unwatched(kafka, operatorsOf(among.index))),
  },
  after: { 'strimzi-kafka-namespace-not-watched': [CONTROLLER_WITH_ITS_SERVICES] },
});
