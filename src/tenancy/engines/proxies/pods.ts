import type { Json } from '../../../contract/json';
import { POD_TEMPLATE_HASH_LABEL } from '../../../contract/kubernetes.facts';
import { dnsNameFault } from '../../../contract/kubernetes-syntax';
import { keepOnPool, spreadPods } from '../../../contract/placed-pod';
import { PodSpread } from '../../../contract/pod-spread';
import { quantityOf } from '../../../contract/quantity';
import type { Fault } from '../../fault';
import { PROXY_REQUESTS } from './facts';
import type { SharedProxyOptions, SharedProxyResources } from './options';
import { ONE_PROXY, PROXY_RESOURCES } from './rules';

/** The fields of a pod's spec that say where proxies run. */
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

/** How many proxies a drain of nodes may take at a time; nothing where there is no budget. */
export function disruptionBudget(
  { disruptionBudget }: SharedProxyOptions,
  replicas: number,
): { readonly maxUnavailable: number } | undefined {
  return (disruptionBudget ?? replicas > 1) ? { maxUnavailable: 1 } : undefined;
}

/** The resources of a container. */
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

/** What the API server would refuse of them. */
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
            rule: PROXY_RESOURCES,
            what: `priorityClassName '${priorityClassName}' is not a valid name`,
            remedy: 'name a PriorityClass of the cluster, or leave it out',
            value: priorityClassName,
          },
        ]
      : []),
    ...invalid.map(([option, amount]) => ({
      rule: PROXY_RESOURCES,
      what: `${option} '${amount}' is not a valid quantity`,
      remedy: 'write one like 500m',
      value: String(amount),
    })),
    ...above.map((name) => ({
      rule: PROXY_RESOURCES,
      what: `${name}Request '${requests[name]}' is above ${name}Limit '${limits[name]}'`,
      remedy: 'raise the limit or lower the request',
      value: String(requests[name]),
    })),
  ];
}

/** What one proxy cannot have. */
export function oneProxy(replicas: number, { spread }: SharedProxyOptions): Fault[] {
  const spreads = spread !== undefined && spread !== PodSpread.NONE ? `, which spread ${spread} cannot spread` : '';
  return replicas === 1
    ? [
        {
          rule: ONE_PROXY,
          what: `replicas is 1${spreads}: with its node all tenants lose their connections, and have no balancer until another proxy runs`,
          remedy: 'have two proxies or more',
          value: '1',
        },
      ]
    : [];
}
