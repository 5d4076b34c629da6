import { isMap, type Json, list, mapIn, mapsIn } from '../contract/json';
import { DEFAULT_GRACE_SECONDS } from './rollout.facts';

// How long pods serve on when they are told to go, as far as their spec says it.

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
