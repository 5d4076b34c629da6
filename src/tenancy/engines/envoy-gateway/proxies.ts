import { defined } from '../../../contract/json';
import type { LoadBalancerPlan } from '../../../contract/load-balancer-plan';
import { BalancerTarget } from '../../../contract/made-balancer';
import { ENVOY_GATEWAY_GROUP } from '../../guard/dangerous-kinds.facts';
import type { Document } from '../contract/attachment';
import type { Drain, FrontBalancer } from '../proxies/drain';
import type { SharedProxyOptions } from '../proxies/options';
import { disruptionBudget, placedProxies, ROLLING_UPDATE, resourcesOf } from '../proxies/pods';
import { ENVOY_GATEWAY_VERSION, OWNING_GATEWAY_LABELS } from './facts';

/** The proxies of one Gateway. */
export interface EnvoyProxyAsk {
  /** Its name, and that of the Gateway, whose `parametersRef` names it. */
  readonly name: string;
  readonly namespace?: string;
  readonly replicas: number;
  /** What the controller of the balancer in front of the proxies decided. */
  readonly plan: LoadBalancerPlan;
  /** The name of the Service; without it Envoy Gateway makes one with a hash in it. */
  readonly serviceName?: string;
  /** Where they run. */
  readonly proxies: SharedProxyOptions;
  /** How they go. */
  readonly drain: Drain;
  /** The balancer, as far as its health check is known. */
  readonly front: FrontBalancer;
}

/** The object that a Gateway names as its parameters. */
export function envoyParametersRef(name: string): Document {
  return { group: ENVOY_GATEWAY_GROUP, kind: 'EnvoyProxy', name };
}

/** The proxies of a Gateway, and the Service in front of them as a plan has it. */
export function envoyProxy(ask: EnvoyProxyAsk): Document {
  const { name, namespace, replicas, plan, proxies } = ask;
  return {
    apiVersion: ENVOY_GATEWAY_VERSION,
    kind: 'EnvoyProxy',
    metadata: { name, namespace },
    spec: defined({
      ...ipFamily(plan),
      provider: {
        type: 'Kubernetes',
        kubernetes: defined({
          envoyDeployment: envoyDeployment(ask),
          envoyPDB: disruptionBudget(proxies, replicas),
          envoyService: envoyService(ask),
        }),
      },
      shutdown: shutdown(ask),
    }),
  };
}

function ipFamily({ ipFamilies = [] }: LoadBalancerPlan): Document {
  return ipFamilies.length === 0 ? {} : { ipFamily: ipFamilies.length > 1 ? 'DualStack' : ipFamilies[0] };
}

function envoyDeployment({ name, namespace = 'default', replicas, proxies, drain }: EnvoyProxyAsk): Document {
  const labels = { [OWNING_GATEWAY_LABELS.name]: name, [OWNING_GATEWAY_LABELS.namespace]: namespace };
  const pod = placedProxies(proxies, labels);
  return {
    container: { resources: resourcesOf(proxies.resources) },
    // its type has no field for it
    patch: { type: 'StrategicMerge', value: { spec: { minReadySeconds: drain.ready } } },
    ...(Object.keys(pod).length > 0 ? { pod } : {}),
    replicas,
    strategy: ROLLING_UPDATE,
  };
}

/**
 * Envoy takes connections for as long as it drains, and goes when it has none left. Its pod stays ready until the balancer has
 * noticed: with policy Local kube-proxy sends what still comes to a node to a pod that is to go, as long as that is ready. Where
 * the balancer asks pods by HTTP it may be told at once.
 */
function shutdown({ drain: { least, whole }, front: { made } }: EnvoyProxyAsk): Document {
  const { protocol = '' } = made?.healthCheck ?? {};
  const asksPods = made?.target === BalancerTarget.POD && protocol.startsWith('HTTP');
  return {
    drainTimeout: `${whole}s`,
    ...(asksPods ? {} : { healthCheckFailureDelay: `${least}s` }),
    minDrainDuration: `${least}s`,
  };
}

function envoyService({ plan, serviceName }: EnvoyProxyAsk): Document {
  const { annotations, labels, loadBalancerClass, allocateLoadBalancerNodePorts, sourceRanges, loadBalancerIp } = plan;
  const isIpv4 = loadBalancerIp?.includes('.');
  return defined({
    type: 'LoadBalancer',
    name: serviceName,
    annotations,
    labels,
    loadBalancerClass,
    allocateLoadBalancerNodePorts,
    // Local by default, unlike Services that Kubernetes makes
    externalTrafficPolicy: plan.externalTrafficPolicy ?? 'Cluster',
    loadBalancerSourceRanges: sourceRanges,
    loadBalancerIP: isIpv4 ? loadBalancerIp : undefined,
    patch: servicePatch(plan, isIpv4 ? undefined : loadBalancerIp),
  });
}

/**
 * What its type has no fields for is merged into the Service. The Service is applied, not replaced: finalizers that its
 * owner adds stay, whether they are declared here or not.
 */
function servicePatch(
  { finalizers, sessionAffinity }: LoadBalancerPlan,
  loadBalancerIP?: string,
): Document | undefined {
  const timeoutSeconds = sessionAffinity?.timeout?.toSeconds();
  const spec = defined({
    loadBalancerIP,
    sessionAffinity: sessionAffinity && 'ClientIP',
    sessionAffinityConfig: timeoutSeconds === undefined ? undefined : { clientIP: { timeoutSeconds } },
  });
  const value = defined({
    metadata: finalizers && finalizers.length > 0 ? { finalizers } : undefined,
    spec: Object.keys(spec).length > 0 ? spec : undefined,
  });
  return Object.keys(value).length > 0 ? { type: 'StrategicMerge', value } : undefined;
}
