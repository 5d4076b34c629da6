import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { isMap, type Json } from '../../contract/json';
import { dnsLabelFault } from '../../contract/kubernetes-syntax';
import { shown } from '../../contract/printable';
import type { DescribedRule, Finding, Findings } from '../../contract/rule';
import { KafkaCluster } from '../../kafka/cluster/kafka-cluster';
import { judgeBesideListeners } from '../../kafka/listener/listener-judge';
import type { IKafkaCluster } from '../../kafka/operator/i-kafka-cluster';
import { type DocumentListener, KafkaDocument } from '../../kafka/operator/kafka-document';
import { at, configurationOf, listAt, listenerNamed, listenersOf, pointerTo } from '../../kafka/operator/kafka-json';
import { bootstrapServiceName, brokerServiceName } from '../../kafka/operator/operator-services';
import { judgeListener, listenerContextOf } from '../../kafka/rules/listener-rules';
import { KAFKA_KIND, LISTENER_TYPES, STRIMZI_GROUP } from '../../kafka/strimzi/strimzi.facts';
import { JudgedObject, type Rendering } from '../../rules/judged-object';
import { Judgement } from '../../rules/judgement';
import { groupOf } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { type Fault, faultOf, reported } from '../fault';
import { PortConflictPolicy } from '../ports/options';
import { endpointKey } from '../shared/attached-tenant';
import type { SharedEndpoint } from '../shared/options';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import type { TenantKafkaOptions } from './kafka.options';
import {
  BALANCED_LISTENER_FIELDS,
  KAFKA_FIELDS,
  type ListenerAddresses,
  lostOfListener,
  orphaningOfListener,
  sharedListener,
} from './kafka-listener';
import { LEFT_BEHIND, RENAME_FIRST, reportLost } from './lost-in-sharing';
import { fieldFindings, MANIFESTS } from './rules';
import { narrowed } from './shared-service';
import { titleOf } from './tenant-file';

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

export const TENANT_KAFKA_RULES: readonly Rule<KafkaGround>[] = [
  kafkaRule({ ...MANIFESTS['tenant-kafka-old'], supersedes: [MANIFESTS['tenant-field'].id] }, (kafka) =>
    hasOldListeners(kafka)
      ? { ...faultOf(MANIFESTS['tenant-kafka-old'], { kafka: titleOf(kafka) }), at: '/spec/kafka/listeners' }
      : undefined,
  ),
  kafkaRule(MANIFESTS['tenant-kafka-version'], (kafka, { options }) =>
    options ? undefined : faultOf(MANIFESTS['tenant-kafka-version'], { kafka: titleOf(kafka) }),
  ),
  kafkaRule(MANIFESTS['tenant-field'], (kafka) => [
    ...fieldFindings(titleOf(kafka), kafka, KAFKA_FIELDS),
    ...balancedListeners(kafka).flatMap((listener) =>
      fieldFindings(
        `${titleOf(kafka)} listener ${shown(listener.name)}`,
        listener,
        BALANCED_LISTENER_FIELDS,
        pointerTo(kafka, listener),
      ),
    ),
  ]),
  kafkaRule(MANIFESTS['tenant-kafka-listener'], (kafka) =>
    balancedListeners(kafka)
      .filter(({ name }, i, all) => typeof name !== 'string' || all.findIndex((one) => one.name === name) !== i)
      .map(({ name }) => faultOf(MANIFESTS['tenant-kafka-listener'], { kafka: titleOf(kafka), name: shown(name) })),
  ),
  listenerRule(MANIFESTS['tenant-kafka-tls'], ({ tls }, { registry }) => {
    const { engine } = registry.settings;
    return engine.limits.powers.hostnames && tls !== true
      ? faultOf(MANIFESTS['tenant-kafka-tls'], { name: engine.name })
      : undefined;
  }),
  listenerRule(MANIFESTS['tenant-kafka-hostname'], (_, ground) => {
    const { hostname, path } = ground.registry.settings;
    return hostname === undefined && domainOf(ground) === undefined
      ? faultOf(MANIFESTS['tenant-kafka-hostname'], { path })
      : undefined;
  }),
  listenerRule(MANIFESTS['tenant-kafka-ports'], (_, { registry }) => {
    const { engine, conflict } = registry.settings;
    return !engine.limits.powers.hostnames && conflict !== PortConflictPolicy.REMAP
      ? faultOf(MANIFESTS['tenant-kafka-ports'], { name: engine.name })
      : undefined;
  }),
];

export const TENANT_KAFKA_RULE_SET = new RuleSet(TENANT_KAFKA_RULES);

function kafkaRule(
  rule: Omit<Rule<KafkaGround>, 'judge'>,
  judge: (kafka: Json, ground: KafkaGround) => Findings,
): Rule<KafkaGround> {
  const judged = (kafka: Json, ground: KafkaGround) => (isBalancedKafka(kafka) ? judge(kafka, ground) : undefined);
  return { ...rule, on: ['spec.kafka'], judge: judged };
}

function listenerRule(
  rule: DescribedRule,
  judge: (listener: Json, ground: KafkaGround) => Finding | undefined,
): Rule<KafkaGround> {
  return kafkaRule(rule, (kafka, ground) =>
    balancedListeners(kafka).flatMap((listener) => {
      const found = judge(listener, ground);
      return found ? [{ ...found, what: `${titleOf(kafka)} has listener '${listener.name}'${found.what}` }] : [];
    }),
  );
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
    throw new Error(`${place}: ${(error as Error).message} (${MANIFESTS['tenant-kafka'].id})`);
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
    return orphaningOfListener(listener).map((value) =>
      faultOf(
        MANIFESTS['orphaned-in-sharing'],
        {
          name: this.name,
          clusterName: this.cluster.clusterName,
          value,
          leftBehind: LEFT_BEHIND,
          renameFirst: RENAME_FIRST,
        },
        value,
      ),
    );
  }
}

function longLabel(host: string, { clusterName }: IKafkaCluster): Fault[] {
  const [label] = host.split('.');
  const fault = dnsLabelFault(label);
  return fault === undefined ? [] : [faultOf(MANIFESTS['tenant-kafka-host'], { clusterName, host, fault }, host)];
}
