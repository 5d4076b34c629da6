import { namedInDns } from '../../contract/external-dns';
import { defined, definedOrNothing, isMap, isSet, type Json, list } from '../../contract/json';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import {
  type LoadBalancerFinding,
  type LoadBalancerPlan,
  LoadBalancerWish,
  type LoadBalancerWishes,
} from '../../contract/options';
import { findingOf, refuse } from '../../contract/rule';
import { PassCache } from '../../rules/app-objects';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import {
  at,
  configurationOf,
  type DocumentListener,
  findListener,
  type KafkaDocument,
} from '../operator/kafka-document';
import type { KafkaLoadBalancedListenerProps } from '../options';
import { LISTENER_CANNOT_CARRY, LISTENER_GONE, REFUSALS } from '../rules.facts';
import { LISTENER_PROPS, LISTENER_TYPES } from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { ListenerMerge, type MergedListener, type RequestedListener } from './listener-merge';

export class PlannedDocumentListener implements DocumentListener {
  public readonly name: string;
  private contradicted: readonly LoadBalancerFinding[] = [];
  private readonly merges: PassCache<WeakMap<Json, MergedListener>>;

  /**
   * @param finish adds what follows from the merged listener
   */
  public constructor(
    private readonly cluster: IKafkaCluster,
    private readonly document: KafkaDocument,
    private wanted: RequestedListener,
    private readonly isAdopted: boolean,
    public readonly write: () => Json,
    public readonly balancersPerService = 1,
    private readonly finish = (listener: MergedListener) => listener,
  ) {
    this.name = wanted.name;
    this.merges = new PassCache(cluster.kafka, () => new WeakMap());
  }

  public annotate(key: string, value: string): void {
    const { everyBroker } = this.wanted;
    const annotations = { ...everyBroker.annotations, [key]: value };
    this.wanted = { ...this.wanted, everyBroker: { ...everyBroker, annotations } };
  }

  public now(): Json {
    return this.merged(this.document.raw());
  }

  public merged(raw: Json): Json {
    return this.merge(raw).json;
  }

  public rendered(): Json {
    const raw = this.document.raw();
    const { json, contradictions } = this.merge(raw);
    const isGone = this.isAdopted && findListener(raw, this.name) === undefined;
    this.contradicted = isGone ? [this.gone()] : contradictions;
    return json;
  }

  public contradictions(): LoadBalancerFinding[] {
    return [...this.contradicted];
  }

  private gone(): LoadBalancerFinding {
    const { kafka, clusterName } = this.cluster;
    return findingOf(LISTENER_GONE, { kind: kafka.kind, cluster: clusterName, value: this.name }, this.wanted.owner);
  }

  private merge(raw: Json): MergedListener {
    const merges = this.merges.now;
    const merged =
      merges.get(raw) ?? this.finish(new ListenerMerge(this.cluster, this.wanted, findListener(raw, this.name)));
    merges.set(raw, merged);
    return merged;
  }
}

// A plan in the fields of a listener, and what of it a listener has no fields for.

/** `spec.ipFamilyPolicy` of a Service: a plan is for one family or for both. */
export const IP_FAMILY_POLICIES = { single: 'SingleStack', preferDual: 'PreferDualStack', dual: 'RequireDualStack' };

export function wantedListener(
  path: string,
  props: KafkaLoadBalancedListenerProps,
  plan: LoadBalancerPlan,
  { dnsName }: LoadBalancerRequest,
): RequestedListener {
  const { ipFamilies, annotations = {}, labels = {} } = plan;
  return {
    name: props.name,
    owner: plan.owner,
    planner: `the plan for ${plan.owner}`,
    props: listenerTree(path, LISTENER_TYPES.loadBalancer, props),
    plan: {
      configuration: defined({
        allocateLoadBalancerNodePorts: plan.allocateLoadBalancerNodePorts,
        class: plan.loadBalancerClass,
        externalTrafficPolicy: plan.externalTrafficPolicy,
        finalizers: plan.finalizers,
        ipFamilies,
        ipFamilyPolicy: ipFamilies && (ipFamilies.length > 1 ? IP_FAMILY_POLICIES.dual : IP_FAMILY_POLICIES.single),
        loadBalancerSourceRanges: plan.sourceRanges,
        bootstrap: {
          alternativeNames: dnsName === undefined ? undefined : [dnsName],
          annotations: dnsName === undefined ? {} : namedInDns(dnsName),
          labels,
        },
      }),
    },
    everyBroker: { annotations, labels },
    namesBrokers: props.externalDns === true,
  };
}

/** Wishes in the fields of an adopted listener; those of the props are stronger. */
export function wishesIn(listener: Json): LoadBalancerWishes {
  const configuration = configurationOf(listener);
  const ranges = list<string>(configuration.loadBalancerSourceRanges);
  const families = list<never>(configuration.ipFamilies);
  // no wish is for a first family while the cluster decides about a second one
  const isOpen = configuration.ipFamilyPolicy === IP_FAMILY_POLICIES.preferDual && families.length < 2;
  return {
    trafficPolicy: configuration.externalTrafficPolicy ?? undefined,
    sourceRanges: ranges.length > 0 ? ranges : undefined,
    ipFamilies: families.length > 0 && !isOpen ? families : undefined,
    publishNotReadyAddresses: configuration.publishNotReadyAddresses ?? undefined,
  };
}

export function unsupportedFaults(
  plan: LoadBalancerPlan,
  request: LoadBalancerRequest,
  strimzi: StrimziVersion,
): LoadBalancerFinding[] {
  const found: LoadBalancerFinding[] = [];
  const refuse = (form: string, value: string, wish?: LoadBalancerWish) => {
    const values = { case: form, version: strimzi.version, value };
    found.push({ ...findingOf(LISTENER_CANNOT_CARRY, values, 'strimzi'), wish });
  };
  const addresses = request.staticAddresses ?? (plan.loadBalancerIp === undefined ? [] : [plan.loadBalancerIp]);
  if (addresses.length > 0) {
    refuse('addresses', addresses.join(', '), request.staticAddresses && LoadBalancerWish.STATIC_ADDRESSES);
  }
  if (plan.sessionAffinity) {
    refuse('affinity', 'ClientIP', LoadBalancerWish.SESSION_AFFINITY);
  }
  if (request.rollout) {
    refuse('rollout', 'rollout', LoadBalancerWish.ROLLOUT);
  }
  if (request.proxyProtocol) {
    refuse('proxy', 'true', LoadBalancerWish.PROXY_PROTOCOL);
  }
  return found;
}

// Paths of the props of all kinds of listeners in the Kafka resource.

export interface ListenerProps {
  readonly name: string;
  readonly port?: number;
  readonly tls?: boolean;
  readonly authentication?: Json;
  readonly networkPolicyPeers?: readonly unknown[];
  readonly brokers?: readonly object[];
}

/**
 * A listener as its props set it, in the fields of the Kafka resource.
 *
 * @throws when `networkPolicyPeers` is empty
 */
export function listenerTree(path: string, type: string, props: ListenerProps): Json {
  const { name, port, tls, authentication, networkPolicyPeers, brokers } = props;
  if (networkPolicyPeers?.length === 0) {
    refuse(REFUSALS.noPeers, { path, name });
  }
  return defined({
    name,
    port,
    type,
    tls,
    networkPolicyPeers,
    authentication: plain(authentication),
    configuration: definedOrNothing({
      ...placed(props, LISTENER_PROPS.configuration),
      bootstrap: definedOrNothing(placed(props, LISTENER_PROPS.bootstrap)),
      brokers: brokers?.map((broker) => placed(broker, LISTENER_PROPS.broker)),
    }),
  });
}

function placed(props: object, places: Readonly<Record<string, string>>): Json {
  const values = Object.entries(places).map(([prop, field]) => [field, plain((props as Json)[prop])]);
  return defined(Object.fromEntries(values));
}

function plain(value: unknown): unknown {
  return isMap(value) ? defined(value) : value;
}

export function portOf(
  path: string,
  { kafka, clusterName }: IKafkaCluster,
  raw: Json,
  { name, port = findListener(raw, name)?.port }: ListenerProps,
): number {
  if (port === undefined) {
    const listeners = at(raw, 'spec.kafka.listeners');
    const refusal = isSet(listeners) && !Array.isArray(listeners) ? REFUSALS.noListOfListeners : REFUSALS.noPort;
    return refuse(refusal, { path, kind: kafka.kind, cluster: clusterName, name });
  }
  return port;
}
