import type { Json } from '../../../contract/json';
import { POD_TEMPLATE_HASH_LABEL } from '../../../contract/kubernetes.facts';
import { dnsNameFault, quantityOf } from '../../../contract/kubernetes-syntax';
import { PodSpread } from '../../../contract/options';
import { keepOnPool, spreadPods } from '../../../contract/placed-pod';
import { type Fault, faultOf, rulesOf } from '../../fault';
import type { SharedProxyOptions, SharedProxyResources } from './options';
import { PROXY_REQUESTS } from './proxies.facts';
import { PROXIES_MESSAGES, PROXIES_RULES } from './rules.facts';

export const PROXIES = rulesOf(PROXIES_RULES, PROXIES_MESSAGES);

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
    ...(nameless ? [faultOf(PROXIES['proxies-resources'], { priorityClassName }, priorityClassName)] : []),
    ...invalid.map(([option, amount]) => faultOf(PROXIES.isNotAValid, { option, amount }, String(amount))),
    ...above.map((name) =>
      faultOf(
        PROXIES.requestIsAboveLimit,
        { name, name2: requests[name], name3: limits[name] },
        String(requests[name]),
      ),
    ),
  ];
}

export function oneProxy(replicas: number, { spread }: SharedProxyOptions): Fault[] {
  const spreads = spread !== undefined && spread !== PodSpread.NONE ? `, which spread ${spread} cannot spread` : '';
  return replicas === 1 ? [faultOf(PROXIES['one-proxy'], { spreads }, '1')] : [];
}
