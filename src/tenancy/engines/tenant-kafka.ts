import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { isMap, type Json } from '../../contract/json';
import { dnsLabelFault } from '../../contract/kubernetes-syntax';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { judgeBesideListeners } from '../../kafka/cluster/cluster-judge';
import type { IKafkaCluster } from '../../kafka/cluster/i-kafka-cluster';
import { KafkaCluster } from '../../kafka/cluster/kafka-cluster';
import { type DocumentListener, KafkaDocument } from '../../kafka/document/kafka-document';
import { at, configurationOf, listAt, listenerNamed, listenersOf, shown } from '../../kafka/document/kafka-json';
import { judgeListener } from '../../kafka/listener/judge-listeners';
import { listenerContextOf } from '../../kafka/listener/listener-context';
import { bootstrapServiceName, brokerServiceName } from '../../kafka/operator/operator-names';
import { KAFKA_KIND, LISTENER_TYPES } from '../../kafka/operator/operator-services.facts';
import { STRIMZI_GROUP } from '../../kafka/strimzi/strimzi.facts';
import { JudgedObject, type Rendering } from '../../rules/judged-object';
import { Judgement } from '../../rules/rule';
import { fieldFaults } from '../manifests/field-kinds';
import { groupOf } from '../manifests/object-identity';
import { narrowed } from '../manifests/shared-service';
import type { FileFault, TenantObject } from '../manifests/tenant-file';
import { PortConflictPolicy } from '../ports/port-conflict-policy';
import type { SharedEndpoint } from '../shared/shared-endpoint';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import type { TenancyBook } from '../shared/tenancy-book';
import { endpointKey } from '../shared/tenancy-names';
import type { TenantKafkaOptions } from './tenant-kafka.options';
import { KAFKA_KINDS, LISTENER_KINDS } from './tenant-kafka-fields';
import { type ListenerAddresses, lostOfListener, sharedListener } from './tenant-kafka-listener';

/** Where a Kafka of a tenant is to be reached. */
export interface KafkaGround {
  readonly tenant: string;
  readonly shared: SharedLoadBalancer;
  readonly book: TenancyBook;
  readonly options?: TenantKafkaOptions;
}

/** Whether an object is a Kafka with listeners that have load balancers. */
export function isBalancedKafka(json: Json): boolean {
  return isKafka(json) && (balancedListeners(json).length > 0 || hasOldListeners(json));
}

function isKafka(json: Json): boolean {
  return json.kind === KAFKA_KIND && groupOf(json) === STRIMZI_GROUP;
}

function balancedListeners(kafka: Json): Json[] {
  return listenersOf(kafka).filter(({ type }) => type === LISTENER_TYPES.loadBalancer);
}

/** Listeners by name, as they were written before they had names of their own. */
function hasOldListeners(kafka: Json): boolean {
  const listeners = at(kafka, 'spec.kafka.listeners');
  return isMap(listeners) && Object.values(listeners).some((one) => at(one, 'type') === LISTENER_TYPES.loadBalancer);
}

/** What keeps a Kafka from sharing a balancer. */
export function kafkaFaults(object: TenantObject, ground: KafkaGround): FileFault[] {
  const { json } = object;
  if (!isBalancedKafka(json)) {
    return [];
  }
  const { engine, hostname, conflict } = ground.book.settings;
  const { name } = json.metadata;
  const faults: FileFault[] = [];
  const say = (ruleId: string, what: string, remedy: string) =>
    faults.push({ ruleId, at: object.at, what: `Kafka ${name} ${what}`, remedy });
  if (hasOldListeners(json)) {
    const what = `has its listeners as a map, which no operator reads that is known here`;
    say('tenant-kafka-old', what, 'write them as a list, each with its name');
  }
  if (!ground.options) {
    const what = 'has a listener with load balancers, and nobody says which operator will read it';
    say('tenant-kafka-version', what, 'say it: kafka: { strimzi: StrimziVersion.V1_2 }');
  }
  const balanced = balancedListeners(json);
  faults.push(...fieldFaults(object, `Kafka ${name}`, json, KAFKA_KINDS));
  for (const listener of balanced) {
    faults.push(...fieldFaults(object, `Kafka ${name} listener ${shown(listener.name)}`, listener, LISTENER_KINDS));
  }
  for (const { name: listener } of balanced.filter(({ name: one }, i) => !isOnly(one, balanced, i))) {
    const what = `has listener ${shown(listener)} twice, or without a name that is a text`;
    say('tenant-kafka-listener', what, 'give each listener a name of its own');
  }
  for (const { name: listener, tls } of balanced) {
    if (engine.powers.hostnames && tls !== true) {
      const what = `has listener '${listener}' without TLS, and ${engine.name} tells brokers apart by the names that TLS clients ask for`;
      say('tenant-kafka-tls', what, 'set tls: true, or share a balancer whose engine has a port for each broker');
    }
    if (hostname === undefined && domainOf(ground) === undefined) {
      const what = `has listener '${listener}', whose brokers must tell clients a name, and ${ground.book.settings.path} has none`;
      say('tenant-kafka-hostname', what, 'give the shared load balancer a hostname');
    }
    if (!engine.powers.hostnames && conflict !== PortConflictPolicy.REMAP) {
      const what = `has listener '${listener}', each of whose brokers needs a port of its own at ${engine.name}, and all ask for the same`;
      say(
        'tenant-kafka-ports',
        what,
        'set portConflict of the shared load balancer to REMAP, or use an engine that routes by SNI',
      );
    }
  }
  return faults;
}

function isOnly(name: unknown, listeners: readonly Json[], i: number): boolean {
  return typeof name === 'string' && listeners.findIndex((one) => one.name === name) === i;
}

function domainOf({ book, tenant }: KafkaGround): string | undefined {
  return book.tenants.get(tenant)?.domain;
}

/** Puts the listeners of a Kafka that have load balancers behind the shared one. */
export function shareKafka(host: Construct, kafka: ApiObject, place: string, ground: KafkaGround): SharedEndpoint[] {
  const { strimzi, nodePools } = ground.options as TenantKafkaOptions;
  let cluster: IKafkaCluster;
  try {
    const { namespace } = kafka.metadata;
    cluster = KafkaCluster.fromManifest(host, { strimzi, nodePools, name: kafka.name, namespace });
  } catch (error) {
    throw new Error(`${place}: ${(error as Error).message} (tenant-kafka)`);
  }
  const document = KafkaDocument.of(kafka);
  return balancedListeners(document.raw()).flatMap((listener) => {
    const published = publish(host, cluster, listener, ground);
    document.add(new SharedKafkaListener(host, cluster, document, listener.name, published.addresses, ground));
    return published.endpoints;
  });
}

interface PublishedListener {
  readonly endpoints: SharedEndpoint[];
  readonly addresses: ListenerAddresses;
}

/** Publishes the Services that the operator will make of a listener. */
function publish(host: Construct, cluster: IKafkaCluster, listener: Json, ground: KafkaGround): PublishedListener {
  const { tenant, shared, book } = ground;
  const { hostnames: bySni } = book.settings.engine.powers;
  const domain = domainOf(ground) ?? book.settings.hostname;
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
    const isLocked = endpoint !== undefined && isLockedAt(book, endpoint);
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

function isLockedAt({ settings: { lock, name } }: TenancyBook, endpoint: SharedEndpoint): boolean {
  return lock.entry(name, endpointKey(endpoint.tenant, endpoint.service, endpoint.servicePort)) !== undefined;
}

/** A listener of a document, behind a shared balancer. */
class SharedKafkaListener implements DocumentListener, Rendering {
  public readonly balancersPerService = 0;
  private readonly judged: JudgedObject;

  public constructor(
    host: Construct,
    private readonly cluster: IKafkaCluster,
    private readonly document: KafkaDocument,
    public readonly name: string,
    private readonly addresses: ListenerAddresses,
    private readonly ground: KafkaGround,
  ) {
    const { kafka, clusterName, namespace } = cluster;
    const target = {
      chart: kafka.chart,
      kind: kafka.kind,
      name: `${clusterName} listener ${name}`,
      metadata: { namespace },
    };
    this.judged = new JudgedObject(host, target, this, { judge: (listener) => this.judge(listener) });
  }

  public merged(raw: Json): Json {
    return sharedListener(listenerNamed(raw, this.name) ?? { name: this.name }, this.addresses, this.cluster.strimzi);
  }

  public rendered(): Json {
    const raw = this.document.raw();
    const listener = this.merged(raw);
    this.document.keep(listener, raw);
    return listener;
  }

  public write(): Json {
    return this.judged.write();
  }

  private judge(listener: Json): Judgement {
    const kafka = this.document.with(this, listener);
    const own = judgeListener(kafka, listener, listenerContextOf(this.cluster));
    if (!this.addresses.areLocked) {
      // who has no port yet is told by the shared load balancer, and has that of somebody else as long
      own.errors = own.errors.filter(({ ruleId }) => ruleId !== TOLD_TWICE);
    }
    const beside = this.document.isToldBy(this)
      ? judgeBesideListeners(kafka, this.cluster, this.document)
      : new Judgement();
    const lost = new Judgement();
    lost.warnings = this.lost();
    lost.errors = this.addresses.brokers.flatMap(({ host }) => longLabel(host, this.cluster));
    return own.and(beside).and(lost);
  }

  private lost(): LoadBalancerFinding[] {
    const { engine, hostname } = this.ground.book.settings;
    const raw = this.document.raw();
    const listener = listenerNamed(raw, this.name) ?? {};
    return lostOfListener(raw, listener, hostname).map(({ field, value, now }) => ({
      ruleId: 'lost-in-sharing',
      who: engine.name,
      what: `listener '${this.name}' of Kafka ${this.cluster.clusterName} says ${field} ${value}, and ${now}`,
      remedy: 'tell the tenant, and acknowledge it',
      value,
    }));
  }
}

const TOLD_TWICE = 'listener-advertised-twice';

function longLabel(host: string, { clusterName }: IKafkaCluster): LoadBalancerFinding[] {
  const [label] = host.split('.');
  const fault = dnsLabelFault(label);
  return fault === undefined
    ? []
    : [
        {
          ruleId: 'tenant-kafka-host',
          who: 'strimzi',
          what: `the host of a broker of Kafka ${clusterName} would be ${host}: ${fault}`,
          remedy: 'give the Kafka or the listener a shorter name',
          value: host,
        },
      ];
}
