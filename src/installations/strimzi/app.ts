import type { ApiObject } from 'cdk8s';
import { versionOf } from '../../kafka/cluster/manifest-cluster';
import { type OperatorInApp, operatorOf, operatorsIn, watches } from '../../kafka/operator/cluster-operators';
import { KAFKA_KIND, KAFKA_NODE_POOL_KIND, STRIMZI_GROUP } from '../../kafka/strimzi/strimzi.facts';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import { constructOf } from '../../rules/app-objects';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import { type Operator, versionIn } from './installation-rule';

/** A Kafka or KafkaNodePool resource. */
export interface AppResource {
  readonly object: IndexedObject;
  readonly namespace?: string;
  /** The version that it was made or read for; unknown where a manifest is all there is. */
  readonly strimzi?: StrimziVersion;
}

/** Resources that operators serve. */
export interface AppResources {
  readonly kafkas: readonly AppResource[];
  readonly pools: readonly AppResource[];
  /** Of all other kinds: topics, users, Connect and what else the operator or those that it makes look at. */
  readonly others: readonly AppResource[];
}

/** An operator: of an installation, or of a manifest. */
export interface AppOperator extends OperatorInApp {
  readonly installation?: Operator;
  /** Its version, where rules validate it and it is known. */
  readonly version?: StrimziVersion;
}

/** Installations by their Deployments, numbered in the order in which they were made. */
const INSTALLED = new WeakMap<ApiObject, Operator & { readonly number: number }>();
let made = 0;

/** Remembers an installation. */
export function settleOperator(operator: Operator): void {
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
        version: operator.object.isJudged ? versionIn(operator.object.json) : undefined,
      })),
    ];
  });
}

/** An operator, as its finished Deployment shows it. */
export function asWritten(object: IndexedObject): AppOperator {
  return operatorsOf(object.index).find((other) => other.object === object) ?? operatorOf(object);
}

/** Whether findings about the whole app are reported with this operator. */
export function isFirst(object: IndexedObject): boolean {
  return operatorsOf(object.index)[0]?.object === object;
}

/** The Kafka and KafkaNodePool resources of an app or of some files. */
export function resourcesOf(index: ObjectIndex): AppResources {
  return index.once(resourcesOf, () => {
    const all = index.all
      .filter(({ group }) => group === STRIMZI_GROUP)
      .map((object) => ({ object, namespace: object.namespace, strimzi: versionOf(object) }));
    const named: readonly string[] = [KAFKA_KIND, KAFKA_NODE_POOL_KIND];
    const of = (isWanted: (kind: string) => boolean) => all.filter(({ object: { kind } }) => isWanted(kind));
    return {
      kafkas: of((kind) => kind === KAFKA_KIND),
      pools: of((kind) => kind === KAFKA_NODE_POOL_KIND),
      others: of((kind) => !named.includes(kind)),
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
 * Whether two operators have one namespace and name in different charts or files. In one cluster they would be one object, so
 * they are for different clusters, or one is there by mistake.
 */
export function areNamesakes(one: OperatorInApp, other: OperatorInApp): boolean {
  return (
    one.namespace !== undefined &&
    one.namespace === other.namespace &&
    one.name === other.name &&
    one.object.unit !== other.object.unit
  );
}

/** Whether the namespace of a resource is known to be watched by an operator. */
export function watchesForSure(operator: OperatorInApp, { namespace }: AppResource): boolean {
  return watches(operator, namespace) && (operator.watched === undefined || namespace !== undefined);
}
