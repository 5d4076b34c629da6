import { isMap, isSet, type Json, shown } from '../../contract/json';
import { serviceNameFault } from '../../contract/kubernetes-syntax';
import type { Findings, Found } from '../../contract/rule';
import type { Rule } from '../../rules/rule';
import { type RuleRow, rulesOf as rulesOfRows } from '../../rules/rule-set';
import {
  at,
  configurationOf,
  listenersOf,
  listenerTitleOf,
  mapAt,
  pointerTo,
  templateMetadataOf,
  textAt,
} from '../operator/kafka-document';
import { bootstrapServiceName, brokerServiceName } from '../operator/operator-services';
import { RULES } from '../rules.facts';
import { isOldApi, isRemovedApi, newerThanFacts, removedApi, unservedApi, vulnerable } from '../strimzi/releases';
import {
  LISTENER_NAME,
  LISTENER_TYPES,
  STRIMZI_NEWER_THAN_FACTS,
  STRIMZI_RELEASES,
  STRIMZI_VULNERABLE,
} from '../strimzi/strimzi.facts';
import { StrimziVersion } from '../strimzi/strimzi-version';

export interface KafkaContext {
  readonly strimzi: StrimziVersion;
  /** True if that is a guess: nothing shows which one is installed. */
  readonly isVersionGuessed?: boolean;
  readonly brokerIds?: readonly number[];
  /** The name of the node pool of a broker, where that is known: names of pods and Services have it. */
  readonly nodePoolOf?: (brokerId: number) => string;
  readonly hasOwnTemplate?: (brokerId: number) => boolean;
  /** True if brokers have addresses until they get ports of their own: then several may have one. */
  readonly hasInterimAddresses?: boolean;
}

export const OPERATOR = 'strimzi';

/** A rule finds whole findings, or the values of its message in the table. */
type Find<Context> = (object: Json, context: Context) => Findings | Found | readonly Found[];

export type FindersById<Context extends object> = { readonly [id in keyof typeof RULES]?: Find<Context> };

export function rulesOf<Context extends object>(finds: FindersById<Context>): Rule<Context>[] {
  return (Object.entries(finds) as [keyof typeof RULES, Find<Context>][]).flatMap(([id, find]) =>
    rulesOfRows({
      rows: { [id]: RULES[id] as RuleRow },
      read: () => undefined,
      finds: { [id]: (_: undefined, object: Json, context: Context) => find(object, context) as Found | undefined },
    }),
  );
}

function minorOf(version: unknown): number {
  const parts = typeof version === 'string' ? /^(\d+)\.(\d+)\.\d+$/.exec(version) : null;
  return parts ? Number(parts[1]) * 1_000 + Number(parts[2]) : Number.NaN;
}

/**
 * True if an operator runs a version of Kafka, as far as that is known. A release that is not known here is held against the one
 * before it: a patch of it may run later patches of the same Kafka, and a later minor version also newer Kafka.
 */
function runs(strimzi: StrimziVersion, version: unknown): boolean {
  const { kafkaVersions } = strimzi;
  const [minor, known] = [minorOf(version), kafkaVersions.map(minorOf)];
  return (
    kafkaVersions.some((one) => one === version) ||
    (!(strimzi.version in STRIMZI_RELEASES) &&
      (known.includes(minor) || (isNewMinor(strimzi) && minor > Math.max(...known))))
  );
}

export function isOlderKafka(version: unknown): boolean {
  return minorOf(version) < Math.min(...Object.values(STRIMZI_RELEASES).flatMap(({ kafka }) => kafka.map(minorOf)));
}

/** True if some operator that serves a resource may run its version of Kafka: a newer one, or one that is older than those known. */
function someoneRuns(kafka: Json, version: unknown): boolean {
  const serving = Object.entries(STRIMZI_RELEASES).filter(([release]) =>
    StrimziVersion.of(release).servesApiVersion(String(kafka.apiVersion)),
  );
  const known = serving.flatMap(([, release]) => release.kafka.map(minorOf));
  const minor = minorOf(version);
  return known.includes(minor) || (isOldApi(kafka) ? isOlderKafka(version) : minor > Math.max(...known));
}

function isNewMinor({ version }: StrimziVersion): boolean {
  const start = version.slice(0, version.lastIndexOf('.') + 1);
  return !Object.keys(STRIMZI_RELEASES).some((release) => release.startsWith(start));
}

export const VERSION_RULES: readonly Rule<KafkaContext>[] = rulesOf<KafkaContext>({
  'kafka-api-version-unsupported': ({ apiVersion }, { strimzi, isVersionGuessed }) =>
    isVersionGuessed && isRemovedApi(apiVersion) ? undefined : unservedApi(apiVersion, strimzi),
  'kafka-api-version-removed': ({ apiVersion }, { isVersionGuessed }) =>
    isVersionGuessed ? removedApi(apiVersion) : undefined,
  'kafka-version-unsupported'(kafka, { strimzi, isVersionGuessed }) {
    const version = at(kafka, 'spec.kafka.version');
    if (isVersionGuessed && (isRemovedApi(kafka.apiVersion) || someoneRuns(kafka, version))) {
      return undefined;
    }
    const { kafkaVersions, defaultKafkaVersion } = strimzi;
    // another minor version is an upgrade, which the user decides
    const remove = minorOf(version) === minorOf(defaultKafkaVersion) ? `, or remove it for ${defaultKafkaVersion}` : '';
    return !isSet(version) || runs(strimzi, version)
      ? undefined
      : { version: strimzi.version, known: kafkaVersions.join(', '), remove, value: shown(version) };
  },
});

// The operator makes names of Services without validating them: it fails at the first one that is not valid.

const OF_THE_CLUSTER = ['kafka-bootstrap', 'kafka-brokers'];

function namesOf(clusterName: string, listener: Json, { brokerIds = [], nodePoolOf }: KafkaContext): string[] {
  const { name, port, type } = listener;
  // another rule reports an invalid name of a listener
  if (typeof name !== 'string' || !LISTENER_NAME.test(name) || type === LISTENER_TYPES.internal) {
    return [];
  }
  const cluster = nodePoolOf && { clusterName, nodePoolOf };
  const brokers = cluster ? brokerIds.map((id) => brokerServiceName(cluster, name, port, id)) : [];
  const hasBootstrap = configurationOf(listener).createBootstrapService !== false;
  return hasBootstrap ? [bootstrapServiceName({ clusterName }, name), ...brokers] : brokers;
}

function nameFault(names: readonly string[], of: string, whom: string): Found[] {
  const [found] = [...names]
    .sort((one, other) => other.length - one.length)
    .map((value) => ({ of, whom, fault: serviceNameFault(value), value }))
    .filter(({ fault }) => fault !== undefined);
  return found ? [found] : [];
}

export const SERVICE_NAME_RULES: readonly Rule<KafkaContext>[] = rulesOf<KafkaContext>({
  'kafka-name-invalid'(kafka, context) {
    const cluster = textAt(kafka, 'metadata.name');
    if (cluster === undefined) {
      return undefined;
    }
    const names = OF_THE_CLUSTER.map((end) => `${cluster}-${end}`);
    const own = nameFault(names, 'the Services of the cluster', 'the cluster a shorter or simpler');
    return own.length > 0
      ? own
      : listenersOf(kafka).flatMap((listener) =>
          nameFault(
            namesOf(cluster, listener, context),
            `the Services of ${listenerTitleOf(listener)}`,
            'the cluster, the node pool or the listener a shorter',
          ).map((found) => ({ ...found, at: `${pointerTo(kafka, listener)}/name` })),
        );
  },
});

/** The templates whose metadata the operator gives to the Services of all listeners: of bootstrap, and of the brokers. */
const TEMPLATES = ['externalBootstrapService', 'perPodService'];

function templateEntries(kafka: Json) {
  return TEMPLATES.flatMap((template) =>
    ['annotations', 'labels'].flatMap((field) =>
      Object.entries(mapAt(templateMetadataOf(kafka, template), field)).map(([key, value]) => ({
        where: `spec.kafka.template.${template}.metadata.${field}`,
        key,
        value,
      })),
    ),
  );
}

export const DOCUMENT_RULES: readonly Rule<KafkaContext>[] = [
  ...VERSION_RULES,
  ...rulesOf<KafkaContext>({
    'kafka-listeners-missing'(kafka, { isVersionGuessed }) {
      const listeners = at(kafka, 'spec.kafka.listeners');
      if (isVersionGuessed && isMap(listeners) && isRemovedApi(kafka.apiVersion)) {
        return undefined;
      }
      const entries = Array.isArray(listeners) ? listeners : [];
      const odd = entries.findIndex((listener) => !isMap(listener));
      if (entries.length > 0) {
        return odd < 0 ? undefined : { case: 'odd', value: shown(entries[odd]), at: '/spec/kafka/listeners' };
      }
      return {
        case: isMap(listeners) ? 'map' : 'none',
        at: listeners === undefined ? '/spec/kafka' : '/spec/kafka/listeners',
      };
    },
    'kafka-template-value-not-string': (kafka) =>
      templateEntries(kafka)
        .filter(({ value }) => typeof value !== 'string')
        .map(({ value, ...one }) => ({ ...one, value: shown(value), at: `/${one.where.replaceAll('.', '/')}` })),
  }),
  ...SERVICE_NAME_RULES,
  {
    ...STRIMZI_VULNERABLE,
    check: (_, { strimzi, isVersionGuessed }) => (isVersionGuessed ? undefined : vulnerable(strimzi)),
  },
  {
    ...STRIMZI_NEWER_THAN_FACTS,
    check: (_, { strimzi, isVersionGuessed }) => (isVersionGuessed ? undefined : newerThanFacts(strimzi)),
  },
];
