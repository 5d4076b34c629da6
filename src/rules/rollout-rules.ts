import { isMap, type Json } from '../contract/json';
import { BalancerTarget, type MadeBalancer } from '../contract/made-balancer';
import type { Findings } from '../contract/rule';
import { madeOf } from './made-of';
import { gracePeriodOf, preStopOf, servingContainers, sleepOf } from './pod-termination';
import { SERVES_IN_TERMINATION_SOURCE } from './rollout.facts';
import type { Rule } from './rule';
import type { RuleContext } from './rule-context';
import { isLocal } from './service-json';

// Where the update of a workload certainly has connections refused, in manifests of anybody: what a program does when it is told to
// stop is its own affair, so nothing is said of pods without a hook.

function madeFor(service: Json, { controller, kind }: RuleContext): MadeBalancer | undefined {
  return madeOf(service, controller ?? kind);
}

const REMEDY = 'or have a construct do it: rollout';

/** For how long pods serve on where their hooks sleep: that of the container that sleeps longest; nothing where none is known to. */
function longestSleep(pod: Json): number | undefined {
  const hooks = servingContainers(pod).flatMap((container) => preStopOf(container) ?? []);
  const sleeps = hooks.map(sleepOf);
  return sleeps.length > 0 && sleeps.every((each) => each !== undefined)
    ? Math.max(...(sleeps as number[]))
    : undefined;
}

function tooSoon(pods: readonly Json[], seconds: number, terms: string): Findings {
  const comes = `connections still come to the node of a pod that goes for ${seconds} s (${terms})`;
  const killed = Math.min(...pods.map(gracePeriodOf));
  if (killed < seconds) {
    return {
      what: `${comes}, and pods are killed after ${killed} s: each update and each drain refuses some`,
      remedy: `set terminationGracePeriodSeconds above ${seconds} with a preStop hook that sleeps so long, have the balancer check more often, ${REMEDY}`,
      value: String(killed),
    };
  }
  const slept = Math.min(...pods.map((pod) => longestSleep(pod) ?? seconds));
  return slept < seconds
    ? {
        what: `${comes}, and the preStop hook sleeps ${slept} s: each update and each drain refuses some, unless the program accepts connections after that`,
        remedy: `have the hook sleep ${seconds} s, and the grace period be longer, have the balancer check more often, ${REMEDY}`,
        value: String(slept),
      }
    : undefined;
}

export const ROLLOUT_RULES: readonly Rule[] = [
  {
    id: 'rollout-cut-off',
    severity: 'warning',
    says: 'pods end while the balancer still sends connections to their node',
    source: SERVES_IN_TERMINATION_SOURCE,
    on: ['spec.externalTrafficPolicy'],
    judge(service, context) {
      const { pods = [] } = context;
      const made = isLocal(service) && pods.length > 0 ? madeFor(service, context) : undefined;
      const { answeredBy, interval, failures } = made?.healthCheck ?? {};
      if (!made || made.target === BalancerTarget.POD || interval === undefined || failures === undefined) {
        return undefined;
      }
      const seconds = interval * failures;
      const terms = `${interval} s × ${failures} failures of the health check`;
      return answeredBy === 'kube-proxy-of-service' ? tooSoon(pods, seconds, terms) : undefined;
    },
  },
  {
    id: 'rollout-without-gate',
    severity: 'warning',
    says: 'Namespace without the label that makes pods wait for the balancer',
    source: 'ours',
    on: ['spec.selector'],
    judge(service, context) {
      const { among, pods = [] } = context;
      const name = service.metadata?.namespace;
      if (!among || pods.length === 0 || name === undefined || pods.some(hasGate)) {
        return undefined;
      }
      const [namespace, ...others] = among.index.named('', 'Namespace', { name });
      const gates = namespace && others.length === 0 ? madeFor(service, context)?.notices?.gates : undefined;
      const [label] = Object.entries(gates ?? {});
      return label && namespace.label(label[0]) === undefined
        ? {
            what: `Namespace ${name} has no label ${label[0]}: an update takes old pods before the balancer sends connections to new ones`,
            remedy: `label it ${label.join(': ')}`,
            value: String(name),
          }
        : undefined;
    },
  },
];

function hasGate({ readinessGates }: Json): boolean {
  return Array.isArray(readinessGates) && readinessGates.some(isMap);
}
