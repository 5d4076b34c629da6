import { namedInDns } from '../../contract/external-dns';
import { defined, type Json, list } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { LoadBalancerPlan } from '../../contract/load-balancer-plan';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import type { LoadBalancerWishes } from '../../contract/load-balancer-wishes';
import { findingOf } from '../../contract/rule';
import { configurationOf } from '../document/kafka-json';
import { LISTENER_CANNOT_CARRY } from '../operator/operator-services-claims';
import { LISTENER_TYPES } from '../strimzi/operator-services.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import type { KafkaLoadBalancedListenerProps } from './kafka-load-balanced-listener.options';
import type { WantedListener } from './listener-merge';
import { listenerTree } from './listener-tree';

// A plan in the fields of a listener, and what of it a listener has no fields for.

/** `spec.ipFamilyPolicy` of a Service: a plan is for one family or for both. */
export const IP_FAMILY_POLICIES = {
  single: 'SingleStack',
  preferDual: 'PreferDualStack',
  dual: 'RequireDualStack',
} as const;

/** What a listener behind load balancers is to hold. */
export function wantedListener(
  path: string,
  props: KafkaLoadBalancedListenerProps,
  plan: LoadBalancerPlan,
  { dnsName }: LoadBalancerRequest,
): WantedListener {
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

/** What a plan or a request sets, and a listener has no fields for. */
export function notCarried(
  plan: LoadBalancerPlan,
  request: LoadBalancerRequest,
  strimzi: StrimziVersion,
): LoadBalancerFinding[] {
  const found: LoadBalancerFinding[] = [];
  const refuse = (what: string, remedy: string, value: string, wish?: LoadBalancerWish) =>
    found.push({ ...findingOf(LISTENER_CANNOT_CARRY, { what, remedy, value }, 'strimzi'), wish });
  const addresses = request.staticAddresses ?? (plan.loadBalancerIp === undefined ? [] : [plan.loadBalancerIp]);
  if (addresses.length > 0) {
    const value = addresses.join(', ');
    refuse(
      `fixed addresses ${value} are for one balancer, and a listener makes one for bootstrap and one for each broker`,
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
  if (request.rollout) {
    refuse(
      'rollout cannot be kept by brokers: each has an address of its own, which nobody answers while Strimzi replaces the broker',
      'leave it out: Strimzi takes one broker at a time when no partition loses its last replica, and clients of Kafka go on with the others; give brokers longer to end by spec.kafka.template.pod.terminationGracePeriodSeconds',
      'rollout',
      LoadBalancerWish.ROLLOUT,
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
