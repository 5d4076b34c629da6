import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { dnsLabelFault } from '../../contract/kubernetes-syntax';
import { KafkaCluster } from '../../kafka/cluster/kafka-cluster';
import { type DocumentListener, KafkaDocument } from '../../kafka/document/kafka-document';
import { configurationOf, listAt, listenerNamed } from '../../kafka/document/kafka-json';
import { judgeBesideListeners } from '../../kafka/listener/cluster-judge';
import { judgeListener } from '../../kafka/listener/judge-listeners';
import { listenerContextOf } from '../../kafka/listener/listener-context';
import type { IKafkaCluster } from '../../kafka/operator/i-kafka-cluster';
import { bootstrapServiceName, brokerServiceName } from '../../kafka/operator/operator-names';
import { JudgedObject, type Rendering } from '../../rules/judged-object';
import { Judgement } from '../../rules/judgement';
import { type Fault, reported } from '../fault';
import { endpointKey } from '../shared/names';
import type { SharedEndpoint } from '../shared/shared-load-balancer.options';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import { LEFT_BEHIND, RENAME_FIRST } from './finalizers-in-sharing';
import type { TenantKafkaOptions } from './kafka.options';
import { balancedListeners, domainOf, type KafkaGround } from './kafka.rules';
import { type ListenerAddresses, lostOfListener, orphaningOfListener, sharedListener } from './kafka-listener';
import { reportLost } from './lost-in-sharing';
import { ORPHANED_IN_SHARING, TENANT_KAFKA, TENANT_KAFKA_HOST } from './rules';
import { narrowed } from './shared-service';

/** Puts the listeners of a Kafka that have load balancers behind the shared one. */
export function shareKafka(host: Construct, kafka: ApiObject, place: string, ground: KafkaGround): SharedEndpoint[] {
  const { strimzi, nodePools } = ground.options as TenantKafkaOptions;
  let cluster: IKafkaCluster;
  try {
    const { namespace } = kafka.metadata;
    cluster = KafkaCluster.fromManifest(host, { strimzi, nodePools, name: kafka.name, namespace });
  } catch (error) {
    throw new Error(`${place}: ${(error as Error).message} (${TENANT_KAFKA.id})`);
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

/** Publishes the Services that the operator will make of a listener. */
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
    place: string,
  ) {
    const { kafka, clusterName, namespace } = cluster;
    const target = {
      chart: kafka.chart,
      kind: kafka.kind,
      name: `${clusterName} listener ${name}`,
      metadata: { namespace },
    };
    this.judged = new JudgedObject(host, target, this, { judge: (listener) => this.judge(listener) });
    const { registry, tenant } = ground;
    reportLost(host, registry, tenant, () => {
      const raw = document.raw();
      const settings = lostOfListener(raw, listenerNamed(raw, name) ?? {}, registry.settings.hostname);
      return { named: `listener '${name}' of Kafka ${clusterName} (${place})`, settings };
    });
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
    const own = judgeListener(kafka, listener, {
      ...listenerContextOf(this.cluster),
      // ports that are not locked are reported by the shared load balancer; until then brokers share one
      hasInterimAddresses: !this.addresses.areLocked,
    });
    const beside = this.document.isReportedBy(this)
      ? judgeBesideListeners(kafka, this.cluster, this.document)
      : new Judgement();
    const hosts = this.addresses.brokers.flatMap(({ host }) => longLabel(host, this.cluster));
    const lost = reported(this.orphaned(), this.ground.registry.settings.engine.name);
    return own.and(beside).and(Judgement.of(reported(hosts, 'strimzi'), lost));
  }

  private orphaned(): Fault[] {
    const listener = listenerNamed(this.document.raw(), this.name) ?? {};
    return orphaningOfListener(listener).map((value) => ({
      rule: ORPHANED_IN_SHARING,
      what: `listener '${this.name}' of Kafka ${this.cluster.clusterName} has finalizers '${value}', ${LEFT_BEHIND}`,
      remedy: RENAME_FIRST,
      value,
    }));
  }
}

function longLabel(host: string, { clusterName }: IKafkaCluster): Fault[] {
  const [label] = host.split('.');
  const fault = dnsLabelFault(label);
  return fault === undefined
    ? []
    : [
        {
          rule: TENANT_KAFKA_HOST,
          what: `the host of a broker of Kafka ${clusterName} would be ${host}: ${fault}`,
          remedy: 'give the Kafka or the listener a shorter name',
          value: host,
        },
      ];
}
