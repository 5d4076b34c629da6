import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { reaches } from '../../contract/compare-versions';
import { defined, definedOrNothing, isMap, isSet, type Json, omitKeys, shown } from '../../contract/json';
import { dnsLabelFault } from '../../contract/kubernetes-syntax';
import { KafkaCluster } from '../../kafka/cluster/kafka-cluster';
import type { IKafkaCluster } from '../../kafka/operator/i-kafka-cluster';
import {
  at,
  brokersOf,
  configurationOf,
  type DocumentListener,
  findListener,
  KafkaDocument,
  listAt,
  listenersOf,
  mapAt,
  pointerTo,
} from '../../kafka/operator/kafka-document';
import { bootstrapServiceName, brokerServiceName } from '../../kafka/operator/operator-services';
import { checkListener, listenerContextOf } from '../../kafka/rules/listener-rules';
import { KAFKA_KIND, LISTENER_FIELDS, LISTENER_TYPES, STRIMZI_GROUP } from '../../kafka/strimzi/strimzi.facts';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import { groupOf } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { CheckResult, RuleSet } from '../../rules/rule-set';
import { type Rendering, SynthObject } from '../../rules/synth-object';
import { type Fault, faultOf, faultsIn, findingsOfFaults, objectRules } from '../fault';
import { PortConflictPolicy } from '../ports/options';
import { endpointKey } from '../shared/attached-tenant';
import type { SharedEndpoint } from '../shared/options';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import { BALANCED_LISTENER_FIELDS, KAFKA_FIELDS } from './fields.facts';
import { BALANCER_FIELDS, LOST_BROKER_FIELDS, LOST_LISTENER_FIELDS } from './kafka.facts';
import type { TenantKafkaOptions } from './kafka.options';
import {
  type DroppedSetting,
  isLoadBalancerAnnotation,
  isOrphanedByTypeChange,
  LEFT_BEHIND,
  lostAnnotations,
  narrowed,
  RENAME_FIRST,
  reportDroppedSettings,
} from './shared-service';
import { fieldFindings, MANIFESTS, titleOf } from './tenant-file';

interface KafkaGround {
  readonly tenant: string;
  readonly shared: SharedLoadBalancer;
  readonly registry: TenancyRegistry;
  readonly options?: TenantKafkaOptions;
}

export function isBalancedKafka(json: Json): boolean {
  return isKafka(json) && (balancedListeners(json).length > 0 || hasOldListeners(json));
}

function isKafka(json: Json): boolean {
  return json.kind === KAFKA_KIND && groupOf(json) === STRIMZI_GROUP;
}

function balancedListeners(kafka: Json): Json[] {
  return listenersOf(kafka).filter(({ type }) => type === LISTENER_TYPES.loadBalancer);
}

function hasOldListeners(kafka: Json): boolean {
  const listeners = at(kafka, 'spec.kafka.listeners');
  return isMap(listeners) && Object.values(listeners).some((one) => at(one, 'type') === LISTENER_TYPES.loadBalancer);
}

export const TENANT_KAFKA_RULES: readonly Rule<KafkaGround>[] = objectRules<typeof MANIFESTS, KafkaGround>(MANIFESTS, {
  'tenant-kafka-listeners-map': (kafka) =>
    hasOldListeners(kafka) && {
      ...faultOf(MANIFESTS['tenant-kafka-listeners-map'], { kafka: titleOf(kafka) }),
      at: '/spec/kafka/listeners',
    },
  'tenant-kafka-version-unknown': (kafka, { options }) => !options && { kafka: titleOf(kafka) },
  'tenant-field-wrong-type': (kafka) => [
    ...fieldFindings(titleOf(kafka), kafka, KAFKA_FIELDS),
    ...balancedListeners(kafka).flatMap((listener) => {
      const who = `${titleOf(kafka)} listener ${shown(listener.name)}`;
      return fieldFindings(who, listener, BALANCED_LISTENER_FIELDS, pointerTo(kafka, listener));
    }),
  ],
  'tenant-kafka-listener-name-invalid': (kafka) =>
    balancedListeners(kafka)
      .filter(({ name }, i, all) => typeof name !== 'string' || all.findIndex((one) => one.name === name) !== i)
      .map(({ name }) => ({ kafka: titleOf(kafka), name: shown(name) })),
  'tenant-kafka-tls-missing': (kafka, { registry: { settings } }) => {
    const { name, limits } = settings.engine;
    return inEach(kafka, ({ tls }) => limits.powers.hostnames && tls !== true && { name });
  },
  'tenant-kafka-hostname-missing': (kafka, ground) => {
    const { hostname, path } = ground.registry.settings;
    return inEach(kafka, () => hostname === undefined && domainOf(ground) === undefined && { path });
  },
  'tenant-kafka-ports-conflict': (kafka, { registry }) => {
    const { engine, conflict } = registry.settings;
    const { name, limits } = engine;
    return inEach(kafka, () => !limits.powers.hostnames && conflict !== PortConflictPolicy.REMAP && { name });
  },
}).map(({ check, ...rule }) => ({
  ...rule,
  on: ['spec.kafka'],
  check: (kafka, ground) => (isBalancedKafka(kafka) ? check(kafka, ground) : undefined),
}));

export const TENANT_KAFKA_RULE_SET = new RuleSet(TENANT_KAFKA_RULES);

function inEach<Found extends object>(kafka: Json, find: (listener: Json) => Found | false) {
  return balancedListeners(kafka).map((listener) => {
    const found = find(listener);
    return found && { kafka: titleOf(kafka), listener: listener.name, ...found };
  });
}

function domainOf({ registry, tenant }: KafkaGround): string | undefined {
  return registry.tenants.get(tenant)?.domain;
}

export function shareKafka(host: Construct, kafka: ApiObject, place: string, ground: KafkaGround): SharedEndpoint[] {
  const { strimzi, nodePools } = ground.options as TenantKafkaOptions;
  let cluster: IKafkaCluster;
  try {
    const { namespace } = kafka.metadata;
    cluster = KafkaCluster.fromManifest(host, { strimzi, nodePools, name: kafka.name, namespace });
  } catch (error) {
    throw new Error(`${place}: ${(error as Error).message} (${MANIFESTS['tenant-kafka-brokers-unknown'].id})`);
  }
  const document = KafkaDocument.of(kafka);
  return balancedListeners(document.raw()).flatMap((listener) => {
    const published = publish(host, cluster, listener, ground);
    document.add(new SharedKafkaListener(host, cluster, document, listener.name, published.addresses, ground, place));
    return published.endpoints;
  });
}

interface PublishedListener {
  readonly endpoints: SharedEndpoint[];
  readonly addresses: ListenerAddresses;
}

function publish(host: Construct, cluster: IKafkaCluster, listener: Json, ground: KafkaGround): PublishedListener {
  const { tenant, shared, registry } = ground;
  const { hostnames: bySni } = registry.settings.engine.limits.powers;
  const domain = domainOf(ground) ?? registry.settings.hostname;
  const { name, port } = listener;
  const sourceRanges = narrowed(listAt<string>(configurationOf(listener), 'loadBalancerSourceRanges'));
  const attach = (service: string, host_: string) =>
    shared.attach(host, {
      tenant,
      service,
      ports: [{ port, ...(bySni && { hostnames: [host_] }) }],
      sourceRanges,
    });
  const hostFor = (who: string) => `${cluster.clusterName}-${name}-${who}.${domain}`;
  const isReached = configurationOf(listener).createBootstrapService !== false;
  const bootstrap = isReached ? attach(bootstrapServiceName(cluster, name), hostFor('bootstrap')) : [];
  const brokers = cluster.brokerIds.map((id) => {
    const [endpoint] = attach(brokerServiceName(cluster, name, port, id), hostFor(String(id)));
    const reached = bySni ? hostFor(String(id)) : (endpoint?.hostname ?? hostFor(String(id)));
    const isLocked = endpoint !== undefined && isLockedAt(registry, endpoint);
    return { endpoint, isLocked, address: { id, host: reached, port: endpoint?.port ?? port } };
  });
  const [{ address }] = brokers;
  const isOneHost = brokers.every((broker) => broker.address.host === address.host);
  return {
    endpoints: [...bootstrap, ...brokers.flatMap(({ endpoint }) => endpoint ?? [])],
    addresses: {
      bootstrapHosts: listener.tls === true ? bootstrap.flatMap(({ hostname }) => hostname ?? []) : [],
      brokers: brokers.map((broker) => broker.address),
      areLocked: brokers.every(({ isLocked }) => isLocked),
      hostTemplate: bySni ? hostFor('{nodeId}') : isOneHost ? address.host : undefined,
    },
  };
}

function isLockedAt({ settings: { lock, name } }: TenancyRegistry, endpoint: SharedEndpoint): boolean {
  return lock.entry(name, endpointKey(endpoint.tenant, endpoint.service, endpoint.servicePort)) !== undefined;
}

class SharedKafkaListener implements DocumentListener, Rendering {
  public readonly balancersPerService = 0;
  private readonly checked: SynthObject;

  public constructor(
    host: Construct,
    private readonly cluster: IKafkaCluster,
    private readonly document: KafkaDocument,
    public readonly name: string,
    private readonly addresses: ListenerAddresses,
    private readonly ground: KafkaGround,
    place: string,
  ) {
    const { clusterName, namespace } = cluster;
    const { chart, kind } = cluster.kafka;
    const target = {
      chart,
      kind,
      name: `${clusterName} listener ${name}`,
      metadata: { namespace },
      whole: () => document.raw(),
    };
    this.checked = new SynthObject(host, target, this, { check: (listener) => this.check(listener) });
    const { registry, tenant } = ground;
    reportDroppedSettings(host, registry, tenant, () => {
      const raw = document.raw();
      const settings = droppedListenerSettings(raw, findListener(raw, name) ?? {}, registry.settings.hostname);
      return { named: `listener '${name}' of Kafka ${clusterName} (${place})`, settings };
    });
  }

  public merged(raw: Json): Json {
    return sharedListener(findListener(raw, this.name) ?? { name: this.name }, this.addresses, this.cluster.strimzi);
  }

  public rendered(): Json {
    return this.merged(this.document.raw());
  }

  public write(): Json {
    return this.checked.write();
  }

  private check(listener: Json): CheckResult {
    const kafka = this.document.with(this, listener);
    const own = checkListener(kafka, listener, {
      ...listenerContextOf(this.cluster),
      // ports that are not locked are reported by the shared load balancer; until then brokers share one
      hasInterimAddresses: !this.addresses.areLocked,
    });
    const hosts = this.addresses.brokers.flatMap(({ host }) => longLabel(host, this.cluster));
    const lost = findingsOfFaults(this.orphaned(), this.ground.registry.settings.engine.name);
    return own.and(CheckResult.of(findingsOfFaults(hosts, 'strimzi'), lost));
  }

  private orphaned(): Fault[] {
    const listener = findListener(this.document.raw(), this.name) ?? {};
    const of = {
      name: this.name,
      clusterName: this.cluster.clusterName,
      leftBehind: LEFT_BEHIND,
      renameFirst: RENAME_FIRST,
    };
    return faultsIn(MANIFESTS, {
      'sharing-orphans-balancer': orphaningOfListener(listener).map((value) => ({ ...of, value })),
    });
  }
}

function longLabel(host: string, { clusterName }: IKafkaCluster): Fault[] {
  const [label] = host.split('.');
  const fault = dnsLabelFault(label);
  return faultsIn(MANIFESTS, {
    'tenant-kafka-host-too-long': fault !== undefined && { clusterName, host, fault, value: host },
  });
}

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
  const { brokers: _, bootstrap: __, ...given } = omitKeys(configurationOf(listener), BALANCER_FIELDS);
  const ports = portTemplateOf(addresses.brokers, strimzi);
  const bootstrap = cleaned(mapAt(listener, 'configuration.bootstrap'));
  const names = [...listAt<string>(bootstrap, 'alternativeNames'), ...addresses.bootstrapHosts];
  const configuration = defined({
    ...given,
    perBrokerAnnotationsTemplate: definedOrNothing(heeded(mapAt(given, TEMPLATE))),
    advertisedHostTemplate: addresses.hostTemplate,
    advertisedPortTemplate: ports,
    bootstrap: definedOrNothing({ ...bootstrap, ...(names.length > 0 && { alternativeNames: [...new Set(names)] }) }),
    brokers: brokerEntries(listener, addresses, ports === undefined),
  });
  return defined({ ...listener, type: LISTENER_TYPES.clusterIp, configuration: definedOrNothing(configuration) });
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
  const { annotations, ...rest } = omitKeys(entry, Object.keys(LOST_BROKER_FIELDS));
  return defined({ ...rest, annotations: isMap(annotations) ? definedOrNothing(heeded(annotations)) : annotations });
}

function heeded(annotations: Json): Json {
  return omitKeys(
    annotations,
    Object.keys(annotations).filter((key) => isLoadBalancerAnnotation(key, annotations)),
  );
}

export function droppedListenerSettings(kafka: Json, listener: Json, hostname: string | undefined): DroppedSetting[] {
  const configuration = configurationOf(listener);
  const harmless = finalizersOfListener(listener).filter((finalizer) => !isOrphanedByTypeChange(String(finalizer)));
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
  return finalizersOfListener(listener).map(String).filter(isOrphanedByTypeChange);
}

function finalizersOfListener(listener: Json): unknown[] {
  return listAt<unknown>(configurationOf(listener), 'finalizers');
}

function peersLost(listener: Json): DroppedSetting[] {
  const peers = listAt(listener, 'networkPolicyPeers');
  const now = 'connections come from the shared load balancer, which the peers must let in';
  return peers.length > 0 ? [{ field: 'networkPolicyPeers', value: shown(peers), now }] : [];
}

function annotationsLost(where: string, annotations: Json, hostname: string | undefined): DroppedSetting[] {
  return lostAnnotations(annotations, hostname).map((lost) => ({ ...lost, field: `${where} ${lost.field}` }));
}
