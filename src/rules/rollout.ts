import { isMap, type Json, list, mapIn, mapsIn } from '../contract/json';
import { BalancerTarget, type LoadBalancerModel } from '../contract/load-balancer-model';
import { DEFAULT_GRACE_SECONDS, KUBE_PROXY_SECONDS } from './rollout.facts';
import { isLocal } from './service-json';

// Time in which terminating pods still serve, as far as their spec states it.

/** The containers of a pod that serve: what runs beside them from before, as a sidecar, is stopped after them. */
export function servingContainers(pod: Json): Json[] {
  return mapsIn(pod, 'containers');
}

export function gracePeriodOf(pod: Json): number {
  const seconds: unknown = pod.terminationGracePeriodSeconds;
  return typeof seconds === 'number' ? seconds : DEFAULT_GRACE_SECONDS;
}

export function preStopOf(container: Json): Json | undefined {
  const hook: unknown = mapIn(container, 'lifecycle').preStop;
  return isMap(hook) ? hook : undefined;
}

const LOOPS = /\b(while|until|for|if|trap|wait)\b|&\s*($|[^&])/;

const SLEEP = /(?:^|[\s;&])(?:\/[\w/]+\/)?sleep\s+(\d+(?:\.\d+)?)(s|m)?(?=$|[\s;&])/g;

export function sleepOf(hook: Json): number | undefined {
  if (isMap(hook.sleep)) {
    return typeof hook.sleep.seconds === 'number' ? hook.sleep.seconds : undefined;
  }
  const command = list<unknown>(mapIn(hook, 'exec').command).map(String).join(' ');
  if (LOOPS.test(command)) {
    return undefined;
  }
  const sleeps = [...command.matchAll(SLEEP)].map(([, count, unit]) => Number(count) * (unit === 'm' ? 60 : 1));
  return sleeps.length > 0 ? sleeps.reduce((sum, each) => sum + each) : undefined;
}

/** For how long a balancer sends connections to pods that go, and does not send them to pods that come. */
export interface SendingTimes {
  /** Seconds for which a pod in termination, or its node, still gets connections. */
  readonly stops: number;
  /** Seconds in which a pod that is ready, or its node, gets none yet. */
  readonly starts: number;
  /** Formula of the first, in words. */
  readonly terms: string;
}

export interface EndlessSending {
  readonly what: string;
  readonly remedy: string;
}

export function sendingOf(made: LoadBalancerModel, service: Json): SendingTimes | EndlessSending {
  const { notices = {} } = made;
  if (made.target === BalancerTarget.POD) {
    const { afterRemoval, afterAdding } = notices;
    return afterRemoval === undefined
      ? {
          what: 'it is not known how fast it removes a pod that goes',
          remedy: 'measure it, and set rollout.balancerTime',
        }
      : {
          stops: afterRemoval,
          starts: notices.gates ? 0 : (afterAdding ?? 0),
          terms: `${afterRemoval} s until a pod that is removed gets no more connections`,
        };
  }
  return isLocal(service) ? byHealthCheck(made) : { stops: KUBE_PROXY_SECONDS, starts: 0, terms: PROXIES };
}

const PROXIES = `${KUBE_PROXY_SECONDS} s until all nodes have heard`;

/** With policy Local the balancer must find out that a node has no pod any more. */
function byHealthCheck({ healthCheck: check, notices = {} }: LoadBalancerModel): SendingTimes | EndlessSending {
  if (check === undefined) {
    return {
      what: 'with policy Local it learns that a node has no pod only once the pod is gone, for no health check asks kube-proxy',
      remedy: 'leave trafficPolicy out, or set it to CLUSTER',
    };
  }
  if (check.answeredBy !== 'kube-proxy-of-service') {
    return {
      what: `its health check, ${check.protocol} to ${check.port}, is passed by a node whose last pod is in termination, so that it still sends connections when the pod is gone`,
      remedy: 'have it ask the health check node port',
    };
  }
  const { interval, failures } = check;
  if (interval === undefined || failures === undefined) {
    return {
      what: 'the interval of its health check and the failures that remove a node are not documented',
      remedy: 'set healthCheck.interval and healthCheck.unhealthyThreshold',
    };
  }
  const { afterFailedCheck = 0, afterAdding = 0 } = notices;
  const lag = afterFailedCheck > 0 ? ` + ${afterFailedCheck} s until it acts on them` : '';
  return {
    stops: Math.ceil(interval * failures) + afterFailedCheck + KUBE_PROXY_SECONDS,
    starts: Math.ceil(interval * Math.max(failures, check.successes ?? 0)) + afterAdding + KUBE_PROXY_SECONDS,
    terms: `${interval} s × ${failures} failures${lag} + ${PROXIES}`,
  };
}
