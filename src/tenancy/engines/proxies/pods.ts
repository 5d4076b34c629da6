import type { Duration } from 'cdk8s';
import type { Json } from '../../../contract/json';
import { POD_TEMPLATE_HASH_LABEL } from '../../../contract/kubernetes.facts';
import { dnsNameFault, quantityOf } from '../../../contract/kubernetes-syntax';
import { BalancerTarget, type LoadBalancerModel } from '../../../contract/load-balancer-model';
import { PodSpread, TrafficPolicy } from '../../../contract/options';
import { keepOnPool, spreadPods } from '../../../contract/pod-placement';
import { type Fault, faultsIn, rulesOf } from '../../fault';
import type { SharedProxyOptions } from './options';
import {
  DRAIN_SECONDS,
  ENDPOINTS_SECONDS,
  LEAST_SECONDS,
  MOST_READY_SECONDS,
  MOST_SECONDS,
  PROXY_REQUESTS,
  UNKNOWN_BALANCER_SECONDS,
} from './proxies.facts';
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

export function resourcesOf({ requests, ...more }: SharedProxyOptions['resources'] = {}): Json {
  return { ...more, requests: { ...PROXY_REQUESTS, ...requests } };
}

export function resourceFaults(options: SharedProxyOptions): Fault[] {
  const { requests, limits = {} } = resourcesOf(options.resources);
  const invalid = Object.entries({ requests, limits })
    .flatMap(([field, amounts]) =>
      Object.entries(amounts as Json).map(([name, amount]) => [`${field}.${name}`, amount]),
    )
    .filter(([, amount]) => !(Number(quantityOf(amount)) >= 0));
  const above = Object.keys(requests).filter(
    (name) => Number(quantityOf(requests[name])) > Number(quantityOf(limits[name])),
  );
  const { priorityClassName } = options;
  const nameless = priorityClassName !== undefined && dnsNameFault(priorityClassName);
  return faultsIn(PROXIES, {
    'proxies-resources-invalid': nameless && { priorityClassName, value: priorityClassName },
    isNotAValid: invalid.map(([option, amount]) => ({ option, amount, value: amount })),
    requestIsAboveLimit: above.map((name) => ({
      name,
      name2: requests[name],
      name3: limits[name],
      value: requests[name],
    })),
  });
}

export function oneProxy(replicas: number, { spread }: SharedProxyOptions): Fault[] {
  const spreads = spread !== undefined && spread !== PodSpread.NONE ? `, which spread ${spread} cannot spread` : '';
  return faultsIn(PROXIES, { 'proxies-single-replica': replicas === 1 && { spreads, value: 1 } });
}

export interface Drain {
  /** It takes new connections until then at least. */
  readonly least: number;
  /** It goes then at the latest. */
  readonly whole: number;
  /** A new one must have been ready for so long before an old one goes. */
  readonly ready: number;
}

export interface FrontBalancer {
  readonly name: string;
  readonly made?: LoadBalancerModel;
  readonly policy?: TrafficPolicy;
}

export function drainOf({ minDrainTime, drainTime }: SharedProxyOptions, usual: number): Drain {
  const least = secondsOf(minDrainTime);
  const whole = secondsOf(drainTime) ?? Math.max(DRAIN_SECONDS, least ?? usual);
  const sure = least ?? Math.min(usual, whole);
  return { least: sure, whole, ready: Math.min(sure, MOST_READY_SECONDS) };
}

export function usualSeconds(front: FrontBalancer): number {
  const check = checkOf(front);
  const isUnknown = front.made === undefined || (!check && isAboutProxies(front));
  return Math.max(
    LEAST_SECONDS,
    isUnknown ? UNKNOWN_BALANCER_SECONDS : 0,
    check ? check.seconds + (front.made?.notices?.afterFailedCheck ?? 0) + ENDPOINTS_SECONDS : 0,
    afterRemoval(front) ?? 0,
  );
}

export function drainFaults(options: SharedProxyOptions): Fault[] {
  const times = Object.entries({ minDrainTime: options.minDrainTime, drainTime: options.drainTime });
  const bad = times.filter(([, time]) => time !== undefined && !isSeconds(secondsOf(time)));
  const { least, whole } = drainOf(options, 0);
  const inverted = bad.length === 0 && options.minDrainTime !== undefined && least > whole;
  return faultsIn(PROXIES, {
    'proxies-drain-time-invalid': bad.map(([option, time]) => ({
      option,
      time: secondsOf(time),
      mostSeconds: MOST_SECONDS,
    })),
    minDrainTimeIsSecondsLonger: inverted && { least, whole },
  });
}

export function balancerDrainFaults(options: SharedProxyOptions, { least }: Drain, front: FrontBalancer): Fault[] {
  const limit = options.minDrainTime === undefined && options.drainTime !== undefined ? 'drainTime' : 'minDrainTime';
  const served = `a proxy that is to go takes new connections for ${least} seconds (${limit})`;
  const check = checkOf(front);
  const { made, policy } = front;
  const name = made?.name ?? front.name;
  const value = least;
  if (check && least < check.seconds) {
    return faultsIn(PROXIES, { 'proxies-drain-too-short': { served, name, ...check, limit, value } });
  }
  const late = lateBy(front, check);
  const isLocal = policy === TrafficPolicy.LOCAL;
  const { healthCheck, target, notices } = made ?? {};
  // a check that asks where the traffic goes is served by a proxy until the moment when it is gone
  const asksTraffic = healthCheck?.answeredBy === 'pod' && target !== BalancerTarget.POD;
  // a node without a ready proxy fails its check while the proxy there still drains
  const remedy = notices?.endsHeld;
  return faultsIn(PROXIES, {
    'proxies-stop-before-deregistration': late && least < late.seconds && { served, name, ...late, limit, value },
    'proxies-health-check-too-slow': asksTraffic && isLocal && { name, port: healthCheck?.port },
    'proxies-connections-dropped': remedy !== undefined && isLocal && { name, remedy },
  });
}

function checkOf(front: FrontBalancer): { readonly seconds: number; readonly terms: string } | undefined {
  const { interval, failures } = front.made?.healthCheck ?? {};
  return isAboutProxies(front) && interval !== undefined && failures !== undefined
    ? { seconds: Math.ceil(interval * failures), terms: `${failures} failures × ${interval} s` }
    : undefined;
}

/** True if what the balancer asks decides whether a proxy gets connections; with policy Cluster kube-proxy does. */
function isAboutProxies({ made, policy }: FrontBalancer): boolean {
  const answeredBy = made?.healthCheck?.answeredBy;
  return (
    (made?.target === BalancerTarget.POD && answeredBy !== undefined) ||
    (policy === TrafficPolicy.LOCAL && (answeredBy === 'kube-proxy-of-service' || answeredBy === 'pod'))
  );
}

function afterRemoval({ made }: FrontBalancer): number | undefined {
  return made?.target === BalancerTarget.POD ? made.notices?.afterRemoval : undefined;
}

function lateBy(
  front: FrontBalancer,
  check: { readonly seconds: number; readonly terms: string } | undefined,
): { readonly seconds: number; readonly why: string } | undefined {
  const removal = afterRemoval(front);
  const lag = front.made?.notices?.afterFailedCheck;
  if (removal !== undefined) {
    return { seconds: removal, why: ' after a pod began to terminate' };
  }
  return check && lag !== undefined
    ? { seconds: check.seconds + lag, why: ` (${check.terms}, and ${lag} s until it acts on them)` }
    : undefined;
}

function secondsOf(time: Duration | undefined): number | undefined {
  return time?.toSeconds({ integral: false });
}

function isSeconds(seconds: number | undefined): boolean {
  return Number.isInteger(seconds) && (seconds as number) >= 0 && (seconds as number) <= MOST_SECONDS;
}
