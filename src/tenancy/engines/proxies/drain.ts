import type { Duration } from 'cdk8s';
import { BalancerTarget, type MadeBalancer } from '../../../contract/made-balancer';
import { TrafficPolicy } from '../../../contract/traffic-policy';
import type { Fault } from '../../fault';
import {
  DRAIN_SECONDS,
  ENDPOINTS_SECONDS,
  LEAST_SECONDS,
  MOST_READY_SECONDS,
  MOST_SECONDS,
  UNKNOWN_BALANCER_SECONDS,
} from './facts';
import type { SharedProxyOptions } from './options';
import {
  PROXIES_CHECK_LATE,
  PROXIES_DRAIN_TIME,
  PROXIES_DRAIN_TOO_SHORT,
  PROXIES_HELD_CUT,
  PROXIES_NLB_LATE,
} from './rules';

/** How a proxy goes, in seconds from the moment that it is to. */
export interface Drain {
  /** It takes new connections until then at least. */
  readonly least: number;
  /** It goes then at the latest. */
  readonly whole: number;
  /** A new one must have been ready for so long before an old one goes. */
  readonly ready: number;
}

/** The balancer in front of the proxies. */
export interface FrontBalancer {
  readonly name: string;
  /** What is known of it. */
  readonly made?: MadeBalancer;
  readonly policy?: TrafficPolicy;
}

/**
 * @param usual what is enough where no option says otherwise
 */
export function drainOf({ minDrainTime, drainTime }: SharedProxyOptions, usual: number): Drain {
  const least = secondsOf(minDrainTime);
  const whole = secondsOf(drainTime) ?? Math.max(DRAIN_SECONDS, least ?? usual);
  const sure = least ?? Math.min(usual, whole);
  return { least: sure, whole, ready: Math.min(sure, MOST_READY_SECONDS) };
}

/** How long proxies take new connections by default, behind a balancer. */
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

/** What is wrong with drain times whatever the balancer is. */
export function drainFaults(options: SharedProxyOptions): Fault[] {
  const times = Object.entries({ minDrainTime: options.minDrainTime, drainTime: options.drainTime });
  const bad = times.filter(([, time]) => time !== undefined && !isSeconds(secondsOf(time)));
  const { least, whole } = drainOf(options, 0);
  const inverted = bad.length === 0 && options.minDrainTime !== undefined && least > whole;
  return [
    ...bad.map(([option, time]) => ({
      rule: PROXIES_DRAIN_TIME,
      what: `${option} is ${secondsOf(time)} seconds`,
      remedy: `use whole seconds up to ${MOST_SECONDS}`,
    })),
    ...(inverted
      ? [
          {
            rule: PROXIES_DRAIN_TIME,
            what: `minDrainTime is ${least} seconds, longer than the drainTime of ${whole} seconds`,
            remedy: 'raise drainTime, or lower minDrainTime',
          },
        ]
      : []),
  ];
}

/** What is wrong with them behind a balancer: errors and warnings. */
export function drainFaultsBehind(options: SharedProxyOptions, { least }: Drain, front: FrontBalancer): Fault[] {
  const limit = options.minDrainTime === undefined && options.drainTime !== undefined ? 'drainTime' : 'minDrainTime';
  const served = `a proxy that is to go takes new connections for ${least} seconds (${limit})`;
  const check = checkOf(front);
  const name = front.made?.name ?? front.name;
  if (check && least < check.seconds) {
    return [
      {
        rule: PROXIES_DRAIN_TOO_SHORT,
        what: `${served}, and the health check of the ${name} needs ${check.terms} = ${check.seconds} s to notice`,
        remedy: `set ${limit} to ${check.seconds} seconds or more, or a shorter interval in healthCheck`,
        value: String(least),
      },
    ];
  }
  const late = lateBy(front, check);
  return [
    ...(late && least < late.seconds
      ? [
          {
            rule: PROXIES_NLB_LATE,
            what: `${served}, and a ${name} sends some for ${late.seconds} seconds${late.why}`,
            remedy: `set ${limit} to ${late.seconds} seconds or more`,
            value: String(least),
          },
        ]
      : []),
    ...lateCheck(front, name),
    ...heldCut(front, name),
  ];
}

/** A check that asks where the traffic goes is served by a proxy until the moment when it is gone. */
function lateCheck({ made, policy }: FrontBalancer, name: string): Fault[] {
  const asksTraffic = made?.healthCheck?.answeredBy === 'pod' && made.target !== BalancerTarget.POD;
  return asksTraffic && policy === TrafficPolicy.LOCAL
    ? [
        {
          rule: PROXIES_CHECK_LATE,
          what: `the health check of the ${name} asks port ${made?.healthCheck?.port}, which a proxy serves until it is gone, and policy Local sends its connections nowhere else`,
          remedy: 'use policy Cluster, with proxyProtocol where the proxies are to see clients',
        },
      ]
    : [];
}

/** A node without a ready proxy fails its check while the proxy there still drains. */
function heldCut({ made, policy }: FrontBalancer, name: string): Fault[] {
  const remedy = made?.notices?.endsHeld;
  return remedy !== undefined && policy === TrafficPolicy.LOCAL
    ? [
        {
          rule: PROXIES_HELD_CUT,
          what: `the ${name} ends the connections of a node when its health check fails, so that a proxy that goes cannot drain its own`,
          remedy,
        },
      ]
    : [];
}

/** What a health check needs to notice that a proxy is to go; nothing where it does not decide that, or is not known. */
function checkOf(front: FrontBalancer): { readonly seconds: number; readonly terms: string } | undefined {
  const { interval, failures } = front.made?.healthCheck ?? {};
  return isAboutProxies(front) && interval !== undefined && failures !== undefined
    ? { seconds: Math.ceil(interval * failures), terms: `${failures} failures × ${interval} s` }
    : undefined;
}

/** Whether what the balancer asks decides whether a proxy gets connections; with policy Cluster kube-proxy does. */
function isAboutProxies({ made, policy }: FrontBalancer): boolean {
  const answeredBy = made?.healthCheck?.answeredBy;
  return (
    (made?.target === BalancerTarget.POD && answeredBy !== undefined) ||
    (policy === TrafficPolicy.LOCAL && (answeredBy === 'kube-proxy-of-service' || answeredBy === 'pod'))
  );
}

/** Seconds for which it sends connections to a pod that is to go, where pods are its targets. */
function afterRemoval({ made }: FrontBalancer): number | undefined {
  return made?.target === BalancerTarget.POD ? made.notices?.afterRemoval : undefined;
}

/** For how long a balancer sends connections beyond what its health check says. */
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
