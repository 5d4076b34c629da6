import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { KafkaCluster } from '../../kafka/cluster/kafka-cluster';
import { KAFKA_KIND } from '../../kafka/operator/operator-services.facts';
import { STRIMZI_GROUP } from '../../kafka/strimzi/strimzi.facts';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import { SynthWatch } from '../../rules/synth-watch';
import type { Operator } from './installation-rule';
import { RESOURCE_SELECTOR } from './strimzi-operator.facts';

/** A Kafka resource of an app. */
export interface AppKafka {
  readonly object: ApiObject;
  readonly namespace?: string;
  /** The version that its construct was made for; unknown where somebody's manifest is all there is. */
  readonly strimzi?: StrimziVersion;
}

/** By app, the installations in the order in which they were made. */
const OPERATORS = new WeakMap<IConstruct, Operator[]>();

/** Remembers an installation. */
export function settleOperator(operator: Operator): void {
  const { root } = operator.host.node;
  OPERATORS.set(root, [...(OPERATORS.get(root) ?? []), operator]);
}

/** The installations of the app. */
export function operatorsOf(host: IConstruct): readonly Operator[] {
  return OPERATORS.get(host.node.root) ?? [];
}

interface Kept {
  readonly moment: object;
  readonly kafkas: readonly AppKafka[];
}

const KEPT = new WeakMap<IConstruct, Kept>();

/** The Kafka resources of the app, looked for once in each moment of a synth. */
export function kafkasOf(host: IConstruct): readonly AppKafka[] {
  const { root } = host.node;
  const moment = SynthWatch.find(host)?.moment;
  const kept = KEPT.get(root);
  if (kept && kept.moment === moment) {
    return kept.kafkas;
  }
  const kafkas = found(root);
  if (moment) {
    KEPT.set(root, { moment, kafkas });
  }
  return kafkas;
}

function found(root: IConstruct): AppKafka[] {
  const all = root.node.findAll();
  const clusters = all.filter((each): each is KafkaCluster => each instanceof KafkaCluster);
  const versions = new Map(clusters.map(({ kafka, strimzi }) => [kafka, strimzi]));
  return all
    .filter((each): each is ApiObject => ApiObject.isApiObject(each))
    .filter(({ kind, apiGroup }) => kind === KAFKA_KIND && apiGroup === STRIMZI_GROUP)
    .map((object) => ({ object, namespace: object.metadata.namespace, strimzi: versions.get(object) }));
}

/** The namespaces that are watched by name; nothing where all are. */
function watchedBy({ settings: { watch, namespace } }: Operator): readonly (string | undefined)[] | undefined {
  if (watch.isAll) {
    return undefined;
  }
  return watch.isOwn ? [namespace] : watch.listedNamespaces;
}

/** A namespace that two operators watch, as text; nothing where there is none, or labels keep them apart. */
export function watchedByBoth(one: Operator, other: Operator): string | undefined {
  const [mine, theirs] = [selectorOf(one), selectorOf(other)];
  if (mine !== '' && theirs !== '' && mine !== theirs) {
    return undefined;
  }
  const [here, there] = [watchedBy(one), watchedBy(other)];
  if (!here || !there) {
    const named = here ?? there;
    return named ? `namespace ${named[0]}` : 'all namespaces';
  }
  const both = here.filter((namespace) => there.includes(namespace));
  return both.length === 0 ? undefined : `namespace ${both.join(', ')}`;
}

/** Labels without which an operator leaves a resource alone. */
function selectorOf({ settings }: Operator): string {
  return settings.props.extraEnv?.[RESOURCE_SELECTOR] ?? '';
}

/**
 * Whether two operators have one namespace and name in different charts. In one cluster they would be one object, so they are
 * for different clusters, or one is there by mistake.
 */
export function areNamesakes(one: Operator, other: Operator): boolean {
  const [{ namespace, name }, theirs] = [one.settings, other.settings];
  return (
    namespace !== undefined &&
    namespace === theirs.namespace &&
    name === theirs.name &&
    Chart.of(one.host) !== Chart.of(other.host)
  );
}

/** Whether an operator serves a Kafka resource. */
export function serves(operator: Operator, { namespace, object }: AppKafka): boolean {
  const watched = watchedBy(operator);
  const wanted = selectorOf(operator)
    .split(',')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('=').map((part) => part.trim()));
  return (
    (watched === undefined || watched.includes(namespace)) &&
    wanted.every(([key, value]) => object.metadata.getLabel(key) === value)
  );
}
