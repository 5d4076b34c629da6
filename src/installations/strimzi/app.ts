import { ApiObject, Chart } from 'cdk8s';
import { perApp } from '../../contract/per-app';
import { KafkaCluster } from '../../kafka/cluster/kafka-cluster';
import { readerOf } from '../../kafka/cluster/manifest-readers';
import { type OperatorInApp, operatorOf, operatorsInApp, watches } from '../../kafka/operator/operators-in-app';
import { KAFKA_KIND, KAFKA_NODE_POOL_KIND } from '../../kafka/strimzi/operator-services.facts';
import { STRIMZI_GROUP } from '../../kafka/strimzi/strimzi.facts';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import { perPass } from '../../rules/per-pass';
import type { Operator } from './installation-rule';

/** A Kafka or KafkaNodePool resource of an app. */
export interface AppResource {
  readonly object: ApiObject;
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

/** An operator of the app: of an installation, or of a third-party manifest. */
export interface AppOperator extends OperatorInApp {
  readonly installation?: Operator;
}

/** By app, the installations in the order in which they were made. */
const installedIn = perApp((): Operator[] => []);

/** Remembers an installation. */
export function settleOperator(operator: Operator): void {
  installedIn(operator.host).push(operator);
}

/** The operators of the app: the installations in the order in which they were made, then those of others. */
export const operatorsOf = perPass((root): readonly AppOperator[] => {
  const installations = installedIn(root);
  const own = new Set(installations.map(({ object }) => object));
  return [
    ...installations.map((installation) => ({ ...operatorOf(installation.object), installation })),
    ...operatorsInApp(root).filter(({ object }) => !own.has(object)),
  ];
});

/** An installation, as its finished Deployment shows it. */
export function asWritten({ host, object }: Operator): AppOperator {
  return operatorsOf(host).find((other) => other.object === object) as AppOperator;
}

/** Whether findings about the whole app are reported with this installation. */
export function isFirst({ host, object }: Operator): boolean {
  return operatorsOf(host)[0].object === object;
}

/** The Kafka and KafkaNodePool resources of the app. */
export const resourcesOf = perPass((root): AppResources => {
  const all = root.node.findAll();
  const versions = new Map<ApiObject, StrimziVersion>();
  for (const { kafka, nodePools, strimzi } of all.filter((each) => each instanceof KafkaCluster)) {
    for (const object of [kafka, ...nodePools.map(({ pool }) => pool)]) {
      versions.set(object, strimzi);
    }
  }
  const objects = all
    .filter((each): each is ApiObject => ApiObject.isApiObject(each))
    .filter(({ apiGroup }) => apiGroup === STRIMZI_GROUP);
  const named = [KAFKA_KIND, KAFKA_NODE_POOL_KIND];
  const of = (isWanted: (kind: string) => boolean) =>
    objects
      .filter(({ kind }) => isWanted(kind))
      .map((object) => {
        const strimzi = versions.get(object) ?? readerOf(object);
        return { object, namespace: object.metadata.namespace, strimzi };
      });
  return {
    kafkas: of((kind) => kind === KAFKA_KIND),
    pools: of((kind) => kind === KAFKA_NODE_POOL_KIND),
    others: of((kind) => !named.includes(kind)),
  };
});

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
 * Whether two operators have one namespace and name in different charts. In one cluster they would be one object, so they are
 * for different clusters, or one is there by mistake.
 */
export function areNamesakes(one: OperatorInApp, other: OperatorInApp): boolean {
  return (
    one.namespace !== undefined &&
    one.namespace === other.namespace &&
    one.name === other.name &&
    Chart.of(one.object) !== Chart.of(other.object)
  );
}

/** Whether the namespace of a resource is known to be watched by an operator. */
export function watchesForSure(operator: OperatorInApp, { namespace }: AppResource): boolean {
  return watches(operator, namespace) && (operator.watched === undefined || namespace !== undefined);
}
