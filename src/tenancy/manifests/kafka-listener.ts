import { reaches } from '../../contract/compare-versions';
import { defined, isMap, isSet, type Json, without } from '../../contract/json';
import { shown } from '../../contract/printable';
import { BOOLEAN, TEXT, TEXTS } from '../../contract/schema/common.facts';
import { listOf, mapOf, type SchemaFields, Shape } from '../../contract/schema/walk';
import { brokersOf, configurationOf, listAt, mapAt } from '../../kafka/operator/kafka-json';
import { LISTENER_FIELDS, LISTENER_TYPES } from '../../kafka/strimzi/strimzi.facts';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import { BALANCER_FIELDS, LOST_BROKER_FIELDS, LOST_LISTENER_FIELDS } from './kafka.facts';
import { type LostSetting, leavesBalancer, lostAnnotations, speaksToBalancers } from './lost-in-sharing';
import { RANGES, SCALARS } from './rules';

interface BrokerAddress {
  readonly id: number;
  readonly host: string;
  readonly port: number;
}

export interface ListenerAddresses {
  readonly bootstrapHosts: readonly string[];
  readonly brokers: readonly BrokerAddress[];
  readonly areLocked: boolean;
  readonly hostTemplate?: string;
}

export function sharedListener(listener: Json, addresses: ListenerAddresses, strimzi: StrimziVersion): Json {
  const { brokers: _, bootstrap: __, ...given } = without(configurationOf(listener), BALANCER_FIELDS);
  const ports = portTemplateOf(addresses.brokers, strimzi);
  const bootstrap = cleaned(mapAt(listener, 'configuration.bootstrap'));
  const names = [...listAt<string>(bootstrap, 'alternativeNames'), ...addresses.bootstrapHosts];
  const configuration = defined({
    ...given,
    perBrokerAnnotationsTemplate: nonEmpty(heeded(mapAt(given, TEMPLATE))),
    advertisedHostTemplate: addresses.hostTemplate,
    advertisedPortTemplate: ports,
    bootstrap: nonEmpty({ ...bootstrap, ...(names.length > 0 && { alternativeNames: [...new Set(names)] }) }),
    brokers: brokerEntries(listener, addresses, ports === undefined),
  });
  return defined({ ...listener, type: LISTENER_TYPES.clusterIp, configuration: nonEmpty(configuration) });
}

const TEMPLATE = 'perBrokerAnnotationsTemplate';
function portTemplateOf(brokers: readonly BrokerAddress[], strimzi: StrimziVersion): string | undefined {
  if (!reaches(strimzi, LISTENER_FIELDS['configuration.advertisedPortTemplate'].since as string)) {
    return undefined;
  }
  const [first] = brokers;
  const base = first.port - first.id;
  if (brokers.every(({ port }) => port === first.port)) {
    return String(first.port);
  }
  return base >= 0 && brokers.every(({ id, port }) => port === base + id) ? `${base} + {nodeId}` : undefined;
}

function brokerEntries(listener: Json, addresses: ListenerAddresses, withPorts: boolean): Json[] | undefined {
  const ofBroker = new Map(addresses.brokers.map((address) => [address.id, address]));
  const address = (id: number): Json => {
    const { host, port } = ofBroker.get(id) as BrokerAddress;
    return {
      ...(addresses.hostTemplate === undefined && { advertisedHost: host }),
      ...(withPorts && { advertisedPort: port }),
    };
  };
  const reported = new Set<unknown>();
  const present = brokersOf(listener).map((entry) => {
    const isFirst = ofBroker.has(entry.broker) && !reported.has(entry.broker);
    reported.add(entry.broker);
    return { ...cleaned(entry), ...(isFirst && address(entry.broker)) };
  });
  const added = addresses.brokers
    .filter(({ id }) => !reported.has(id))
    .map(({ id }) => ({ broker: id, ...address(id) }));
  const entries = [...present, ...added].filter((entry) => Object.keys(entry).length > 1);
  return entries.length > 0 ? entries : undefined;
}

function cleaned(entry: Json): Json {
  const { annotations, ...rest } = without(entry, Object.keys(LOST_BROKER_FIELDS));
  return defined({ ...rest, annotations: isMap(annotations) ? nonEmpty(heeded(annotations)) : annotations });
}

function heeded(annotations: Json): Json {
  return without(
    annotations,
    Object.keys(annotations).filter((key) => speaksToBalancers(key, annotations)),
  );
}

function nonEmpty(map: Json): Json | undefined {
  return Object.keys(map).length > 0 ? map : undefined;
}

export function lostOfListener(kafka: Json, listener: Json, hostname: string | undefined): LostSetting[] {
  const configuration = configurationOf(listener);
  const harmless = finalizersOfListener(listener).filter((finalizer) => !leavesBalancer(String(finalizer)));
  const told: Json =
    orphaningOfListener(listener).length === 0
      ? configuration
      : { ...configuration, finalizers: harmless.length > 0 ? harmless : undefined };
  const own = Object.keys(LOST_LISTENER_FIELDS)
    .filter((field) => isSet(told[field]) && told[field] !== LOST_LISTENER_FIELDS[field].isHeeded)
    .map((field) => ({ field, value: shown(told[field]), now: LOST_LISTENER_FIELDS[field].now }));
  const entries: [string, Json][] = [
    ['bootstrap', mapAt(configuration, 'bootstrap')],
    ...brokersOf(listener).map((entry): [string, Json] => [`brokers[${entry.broker}]`, entry]),
  ];
  const ofEntries = entries.flatMap(([where, entry]) => [
    ...Object.keys(LOST_BROKER_FIELDS)
      .filter((field) => isSet(entry[field]))
      .map((field) => ({ field: `${where}.${field}`, value: shown(entry[field]), now: LOST_BROKER_FIELDS[field] })),
    ...annotationsLost(`${where}.annotations`, mapAt(entry, 'annotations'), hostname),
  ]);
  const ofTemplates = ['externalBootstrapService', 'perPodService'].flatMap((template) =>
    annotationsLost(
      `spec.kafka.template.${template}`,
      mapAt(kafka, `spec.kafka.template.${template}.metadata.annotations`),
      hostname,
    ),
  );
  return [
    ...own,
    ...peersLost(listener),
    ...annotationsLost(TEMPLATE, mapAt(configuration, TEMPLATE), hostname),
    ...ofEntries,
    ...ofTemplates,
  ];
}

/** The finalizers of a listener that its Services lose in one change with their type, so that live balancers stay in the cloud. */
export function orphaningOfListener(listener: Json): string[] {
  return finalizersOfListener(listener).map(String).filter(leavesBalancer);
}

function finalizersOfListener(listener: Json): unknown[] {
  return listAt<unknown>(configurationOf(listener), 'finalizers');
}

/** Peers of a NetworkPolicy, which is the operator's and stays. */
function peersLost(listener: Json): LostSetting[] {
  const peers = listAt(listener, 'networkPolicyPeers');
  const now = 'connections come from the shared load balancer, which the peers must let in';
  return peers.length > 0 ? [{ field: 'networkPolicyPeers', value: shown(peers), now }] : [];
}

function annotationsLost(where: string, annotations: Json, hostname: string | undefined): LostSetting[] {
  return lostAnnotations(annotations, hostname).map((lost) => ({ ...lost, field: `${where} ${lost.field}` }));
}

const ANNOTATED = mapOf({ annotations: SCALARS });

export const KAFKA_FIELDS: SchemaFields = {
  spec: mapOf({
    kafka: mapOf({
      listeners: listOf({}),
      template: mapOf({
        externalBootstrapService: mapOf({ metadata: ANNOTATED }),
        perPodService: mapOf({ metadata: ANNOTATED }),
      }),
    }),
  }),
};

export const BALANCED_LISTENER_FIELDS: SchemaFields = {
  tls: BOOLEAN,
  networkPolicyPeers: { shape: Shape.FREE_LIST },
  configuration: mapOf({
    loadBalancerSourceRanges: RANGES,
    finalizers: { shape: Shape.FREE_LIST },
    class: TEXT,
    externalTrafficPolicy: TEXT,
    createBootstrapService: BOOLEAN,
    perBrokerAnnotationsTemplate: SCALARS,
    bootstrap: mapOf({ alternativeNames: TEXTS, annotations: SCALARS }),
    brokers: listOf({ annotations: SCALARS }),
  }),
};
