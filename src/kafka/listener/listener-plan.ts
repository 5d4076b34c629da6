import { namedInDns } from '../../contract/external-dns';
import { type Json, list } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { LoadBalancerPlan } from '../../contract/load-balancer-plan';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import type { LoadBalancerWishes } from '../../contract/load-balancer-wishes';
import { configurationOf } from '../document/kafka-json';
import { LISTENER_TYPES } from '../operator/operator-services.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import type { KafkaBrokerCertificate } from './kafka-broker-certificate';
import type { SaidOfServices } from './said-of-services';

// A plan in the words of a listener, and what of it a listener has no words for.

/** What somebody says of a listener beside its plan. */
export interface ListenerWords {
  readonly name: string;
  /** Nothing where the listener that is there already says it. */
  readonly port?: number;
  readonly tls?: boolean;
  readonly authentication?: Json;
  readonly advertisedHostTemplate?: string;
  readonly advertisedPortTemplate?: string;
  readonly alternativeNames?: readonly string[];
  readonly createBootstrapService?: boolean;
  readonly externalDns?: boolean;
  readonly brokerCertificate?: KafkaBrokerCertificate;
  readonly networkPolicyPeers?: readonly unknown[];
  readonly maxConnections?: number;
  readonly maxConnectionCreationRate?: number;
  readonly bootstrapNodePort?: number;
  readonly bootstrapLoadBalancerIp?: string;
  readonly services: SaidOfServices;
}

/** What is to stand in a listener, whatever stands there already. */
export interface PlannedListener {
  readonly name: string;
  /** Who decided the fields of `configuration` and the metadata: the owner of the balancers. */
  readonly owner: string;
  /** Fields of the listener itself that somebody said. */
  readonly said: Json;
  /** Fields of `configuration` that somebody said. */
  readonly saidConfiguration: Json;
  /** Fields of `configuration.bootstrap` that somebody said. */
  readonly saidBootstrap: Json;
  /** Fields of `configuration` that the plan decides. */
  readonly configuration: Json;
  /** Annotations of every Service. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Labels of every Service. */
  readonly labels: Readonly<Record<string, string>>;
  /** Annotations of the bootstrap Service alone. */
  readonly bootstrapAnnotations: Readonly<Record<string, string>>;
  /** What somebody said of single Services. */
  readonly services?: SaidOfServices;
  /**
   * Whether each broker's Service gets the advertised host as a DNS name, and bootstrap its alternative names where it has no
   * other.
   */
  readonly namesBrokers: boolean;
  /** Names in the certificates of all brokers. */
  readonly alternativeNames: readonly string[];
  readonly finalizers: readonly string[];
}

/** `spec.ipFamilyPolicy` of a Service: a plan is for one family or for both. */
export const IP_FAMILY_POLICIES = {
  single: 'SingleStack',
  preferDual: 'PreferDualStack',
  dual: 'RequireDualStack',
} as const;

/** A plan in the words of a listener. */
export function plannedListener(
  words: ListenerWords,
  plan: LoadBalancerPlan,
  request: LoadBalancerRequest,
): PlannedListener {
  const { dnsName } = request;
  const { ipFamilies } = plan;
  const names = [...(words.alternativeNames ?? []), ...(dnsName === undefined ? [] : [dnsName])];
  return {
    name: words.name,
    owner: plan.owner,
    said: {
      type: LISTENER_TYPES.loadBalancer,
      port: words.port,
      tls: words.tls,
      authentication: words.authentication,
      networkPolicyPeers: words.networkPolicyPeers,
    },
    saidConfiguration: {
      advertisedHostTemplate: words.advertisedHostTemplate,
      advertisedPortTemplate: words.advertisedPortTemplate,
      brokerCertChainAndKey: words.brokerCertificate && { ...words.brokerCertificate },
      createBootstrapService: words.createBootstrapService,
      maxConnectionCreationRate: words.maxConnectionCreationRate,
      maxConnections: words.maxConnections,
      publishNotReadyAddresses: request.publishNotReadyAddresses,
    },
    saidBootstrap: { loadBalancerIP: words.bootstrapLoadBalancerIp, nodePort: words.bootstrapNodePort },
    configuration: {
      allocateLoadBalancerNodePorts: plan.allocateLoadBalancerNodePorts,
      class: plan.loadBalancerClass,
      externalTrafficPolicy: plan.externalTrafficPolicy,
      ipFamilies,
      ipFamilyPolicy: ipFamilies && (ipFamilies.length > 1 ? IP_FAMILY_POLICIES.dual : IP_FAMILY_POLICIES.single),
      loadBalancerSourceRanges: plan.sourceRanges,
    },
    annotations: plan.annotations ?? {},
    labels: plan.labels ?? {},
    bootstrapAnnotations: dnsName === undefined ? {} : namedInDns(dnsName),
    services: words.services,
    namesBrokers: words.externalDns === true,
    alternativeNames: [...new Set(names)],
    finalizers: plan.finalizers ?? [],
  };
}

/** What the fields of a listener that is there already wish; what the props say goes before it. */
export function wishesIn(listener: Json): LoadBalancerWishes {
  const configuration = configurationOf(listener);
  const ranges = list<string>(configuration.loadBalancerSourceRanges);
  const families = list<never>(configuration.ipFamilies);
  // which family comes first, while the cluster decides whether there is a second one: there is no such wish
  const isOpen = configuration.ipFamilyPolicy === IP_FAMILY_POLICIES.preferDual && families.length < 2;
  return {
    trafficPolicy: configuration.externalTrafficPolicy ?? undefined,
    sourceRanges: ranges.length > 0 ? ranges : undefined,
    ipFamilies: families.length > 0 && !isOpen ? families : undefined,
    publishNotReadyAddresses: configuration.publishNotReadyAddresses ?? undefined,
  };
}

/** What a plan or a request says, and a listener has no words for. */
export function notCarried(
  plan: LoadBalancerPlan,
  request: LoadBalancerRequest,
  strimzi: StrimziVersion,
): LoadBalancerFinding[] {
  const found: LoadBalancerFinding[] = [];
  const refuse = (what: string, remedy: string, value: string, wish?: LoadBalancerWish) =>
    found.push({ ruleId: 'listener-cannot-carry', who: 'strimzi', what, remedy, value, wish });
  const addresses = request.staticAddresses ?? (plan.loadBalancerIp === undefined ? [] : [plan.loadBalancerIp]);
  if (addresses.length > 0) {
    const value = addresses.join(', ');
    refuse(
      `fixed addresses ${value} stand for one balancer, and a listener makes one for bootstrap and one for each broker`,
      'leave them out, and give each Service its own by bootstrapAnnotations and annotations of each entry of brokers',
      value,
      request.staticAddresses && LoadBalancerWish.STATIC_ADDRESSES,
    );
  }
  if (plan.sessionAffinity) {
    refuse(
      `sessionAffinity ClientIP has no field in a listener of Strimzi ${strimzi.version}, nor in any later one that is known`,
      'leave it out: each broker has a Service of its own',
      'ClientIP',
      LoadBalancerWish.SESSION_AFFINITY,
    );
  }
  if (request.proxyProtocol) {
    refuse(
      'proxyProtocol true makes the balancer send a header that Kafka brokers do not understand',
      'leave it out; clientAddress PRESERVE keeps the address of the client without it',
      'true',
      LoadBalancerWish.PROXY_PROTOCOL,
    );
  }
  return found;
}
