import type { Json } from '../../../contract/json';
import { POD_TEMPLATE_HASH_LABEL } from '../../../contract/kubernetes.facts';
import { dnsNameFault } from '../../../contract/kubernetes-syntax';
import { keepOnPool, spreadPods } from '../../../contract/placed-pod';
import { PodSpread } from '../../../contract/pod-spread';
import { quantityOf } from '../../../contract/quantity';
import { NLB_NOTICES_SOURCE } from '../../../controllers/aws/notices.facts';
import { errorRules, type Fault, warningRules } from '../../fault';
import { PROXY_REQUESTS } from './drain';
import type { SharedProxyOptions, SharedProxyResources } from './options';

export const PROXIES = {
  ...errorRules({
    'proxies-drain-time': 'a drain time is not whole seconds up to a day, or the least exceeds the whole',
    'proxies-drain-too-short': 'a proxy stops before the health check of the balancer notices',
    'proxies-elsewhere': 'no proxy runs on the backend nodes of the balancer under traffic policy Local',
    'proxies-resources': 'resources of proxies are not valid',
    'proxies-proxy-protocol': 'the balancer sends a PROXY header that the proxies pass on to tenants as data',
    'proxies-rollout': 'a rollout is requested for proxies, which are not a workload of the app',
  }),
  ...warningRules(
    {
      'proxies-nlb-late': 'a proxy stops while a Network Load Balancer still sends connections',
      'proxies-held-cut': 'the balancer cuts connections of a proxy that drains under traffic policy Local',
      'proxies-check-late': 'the health check passes until the proxy is gone under traffic policy Local',
      'one-proxy': 'a shared load balancer has one proxy',
    },
    { 'proxies-nlb-late': NLB_NOTICES_SOURCE },
  ),
};

export function placedProxies(
  { nodePool, spread, priorityClassName }: SharedProxyOptions,
  labels: Readonly<Record<string, string>>,
): Json {
  const pod: Json = priorityClassName === undefined ? {} : { priorityClassName };
  keepOnPool(pod, nodePool);
  spreadPods(pod, {
    spread: spread ?? PodSpread.REQUIRED,
    zoneSpread: spread === PodSpread.NONE ? PodSpread.NONE : PodSpread.PREFERRED,
    matchLabels: labels,
    generation: POD_TEMPLATE_HASH_LABEL,
  });
  return pod;
}

/** One proxy more before one goes: what is there is never less than what was asked for. */
export const ROLLING_UPDATE = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } as const;

export function disruptionBudget(
  { disruptionBudget }: SharedProxyOptions,
  replicas: number,
): { readonly maxUnavailable: number } | undefined {
  return (disruptionBudget ?? replicas > 1) ? { maxUnavailable: 1 } : undefined;
}

export function resourcesOf(given: SharedProxyResources = {}): Json {
  const limits = {
    ...(given.cpuLimit === undefined ? {} : { cpu: given.cpuLimit }),
    ...(given.memoryLimit === undefined ? {} : { memory: given.memoryLimit.asString() }),
  };
  return {
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
    requests: {
      cpu: given.cpuRequest ?? PROXY_REQUESTS.cpu,
      memory: given.memoryRequest?.asString() ?? PROXY_REQUESTS.memory,
    },
  };
}

export function resourceFaults(options: SharedProxyOptions): Fault[] {
  const { requests, limits = {} } = resourcesOf(options.resources);
  const amounts = Object.entries({ cpuRequest: requests.cpu, cpuLimit: limits.cpu });
  const invalid = amounts.filter(([, amount]) => amount !== undefined && !(Number(quantityOf(amount)) >= 0));
  const above = Object.keys(requests).filter(
    (name) => Number(quantityOf(requests[name])) > Number(quantityOf(limits[name])),
  );
  const { priorityClassName } = options;
  const nameless = priorityClassName !== undefined && dnsNameFault(priorityClassName);
  return [
    ...(nameless
      ? [
          {
            rule: PROXIES['proxies-resources'],
            what: `priorityClassName '${priorityClassName}' is not a valid name`,
            remedy: 'name a PriorityClass of the cluster, or leave it out',
            value: priorityClassName,
          },
        ]
      : []),
    ...invalid.map(([option, amount]) => ({
      rule: PROXIES['proxies-resources'],
      what: `${option} '${amount}' is not a valid quantity`,
      remedy: 'write one like 500m',
      value: String(amount),
    })),
    ...above.map((name) => ({
      rule: PROXIES['proxies-resources'],
      what: `${name}Request '${requests[name]}' is above ${name}Limit '${limits[name]}'`,
      remedy: 'raise the limit or lower the request',
      value: String(requests[name]),
    })),
  ];
}

export function oneProxy(replicas: number, { spread }: SharedProxyOptions): Fault[] {
  const spreads = spread !== undefined && spread !== PodSpread.NONE ? `, which spread ${spread} cannot spread` : '';
  return replicas === 1
    ? [
        {
          rule: PROXIES['one-proxy'],
          what: `replicas is 1${spreads}: with its node all tenants lose their connections, and have no balancer until another proxy runs`,
          remedy: 'have two proxies or more',
          value: '1',
        },
      ]
    : [];
}
