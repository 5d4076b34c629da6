import type { ApiObject } from 'cdk8s';
import { compareVersions } from '../contract/compare-versions';
import { type Json, mapIn, objectNameOf } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/options';
import { podTemplateOf } from '../contract/pod-placement';
import { type DescribedRule, type Finding, findingOf } from '../contract/rule';
import { gracePeriodOf, preStopOf, servingContainers, sleepOf } from '../rules/rollout';
import { DEFAULT_PROGRESS_SECONDS, HOOK_SLEEPS } from '../rules/rollout.facts';
import { placed } from '../rules/workload-rules';
import type { RolloutNeeds } from './rolled-workload';
import { noOtherPod, otherBudgets, scaledPods } from './rollout-replicas';
import {
  ROLLOUT_GRACE_PERIOD,
  ROLLOUT_NODE_REMOVAL,
  ROLLOUT_PRE_STOP,
  ROLLOUT_PRE_STOP_UNKNOWN,
  ROLLOUT_READINESS,
  ROLLOUT_SLEEP_PROGRAM,
  ROLLOUT_STRATEGY,
  ROLLOUT_WORKLOAD,
} from './rollout-rules';

type Found = readonly [rule: DescribedRule, finding: Finding];

/** What of a finished workload has connections refused: the balancer sends them where no pod accepts them. */
export function rolloutFaults(
  workload: Json,
  needs: RolloutNeeds,
  object: ApiObject,
  hasBudget: boolean,
): readonly LoadBalancerFinding[] {
  const pod = mapIn(podTemplateOf(workload), 'spec');
  const found: Found[] = [
    ...shortHooks(pod, needs),
    ...shortGrace(pod, needs),
    ...shortWait(workload, needs),
    ...noOtherPod(workload),
    ...unready(pod, needs),
    ...(hasBudget ? otherBudgets(workload, object) : []),
  ];
  if (workload.kind === 'DaemonSet' && !needs.keepsNodes) {
    found.push([
      ROLLOUT_NODE_REMOVAL,
      {
        what: 'drains leave the pods of a DaemonSet where they are, so that the balancer sends connections to a node until it is gone',
        remedy:
          'use a Deployment; or have nodes leave the balancer first, and say so: rollout.nodeRemoval WAITS_FOR_BALANCER',
        value: 'DaemonSet',
      },
    ]);
  }
  return found.map(([rule, finding]) => findingOf(rule, finding, needs.owner));
}

/** What is wrong where a Service does not find the pods of the workload that its rollout names. */
export function unselected(service: Json, workload: Json, owner: string): readonly LoadBalancerFinding[] {
  const labels = mapIn(mapIn(podTemplateOf(workload), 'metadata'), 'labels');
  const selector = Object.entries(mapIn(mapIn(service, 'spec'), 'selector'));
  const named = `rollout.workload ${workload.kind} ${objectNameOf(workload)}`;
  const [from, to] = [service, workload].map(({ metadata }) => metadata?.namespace);
  const why =
    from !== to
      ? `${placed(from)}, and ${named} ${placed(to)}`
      : selector.some(([key, value]) => labels[key] !== value)
        ? `selects no pod of ${named}: its selector is ${selector.map(([key, value]) => `${key}=${value}`).join(', ')}`
        : undefined;
  const remedy = 'pass the workload whose pods the Service selects';
  return why === undefined
    ? []
    : [findingOf(ROLLOUT_WORKLOAD, { what: `Service ${objectNameOf(service)} ${why}`, remedy }, owner)];
}

/** What may have connections refused, and nobody can tell from the workload. */
export function rolloutWarnings(
  workload: Json,
  needs: RolloutNeeds,
  object: ApiObject,
): readonly LoadBalancerFinding[] {
  const containers = servingContainers(mapIn(podTemplateOf(workload), 'spec'));
  const found: Found[] = containers.flatMap((container): Found[] => {
    const hook = preStopOf(container);
    return hook && needs.sendsFor > 0 && sleepOf(hook) === undefined
      ? [
          [
            ROLLOUT_PRE_STOP_UNKNOWN,
            {
              what: `the preStop hook of container '${container.name}' must last ${needs.sendsFor} s, for which connections still come, and does not say how long it does`,
              remedy: 'see that it does, and acknowledge this',
              value: String(container.name),
            },
          ],
        ]
      : [];
  });
  if (needs.sendsFor > 0 && compareVersions(needs.kubernetes.version, HOOK_SLEEPS) < 0) {
    found.push([
      ROLLOUT_SLEEP_PROGRAM,
      {
        what: `hooks of Kubernetes ${needs.kubernetes.version} cannot sleep by themselves: they run the program sleep of the image, and a pod whose image has none goes at once`,
        remedy: `see that the images have one, or use Kubernetes ${HOOK_SLEEPS}`,
        value: needs.kubernetes.version,
      },
    ]);
  }
  found.push(...scaledPods(workload, object));
  return found.map(([rule, finding]) => findingOf(rule, finding, needs.owner));
}

function shortHooks(pod: Json, { sendsFor, owner }: RolloutNeeds): Found[] {
  return servingContainers(pod).flatMap((container): Found[] => {
    const hook = preStopOf(container);
    const seconds = hook ? sleepOf(hook) : 0;
    return seconds !== undefined && seconds < sendsFor
      ? [
          [
            ROLLOUT_PRE_STOP,
            {
              what: `the preStop hook of container '${container.name}' lasts ${seconds} s, and ${owner} sends connections for ${sendsFor} s after the pod begins to terminate`,
              remedy: `leave the hook out, or have it last ${sendsFor} s; set rollout.balancerTime where you measured less`,
              value: String(seconds),
            },
          ],
        ]
      : [];
  });
}

function shortGrace(pod: Json, { sendsFor, drain }: RolloutNeeds): Found[] {
  const longest = Math.max(sendsFor, ...servingContainers(pod).map((each) => sleepOf(preStopOf(each) ?? {}) ?? 0));
  const needed = Math.ceil(longest + drain);
  const grace = gracePeriodOf(pod);
  return grace < needed
    ? [
        [
          ROLLOUT_GRACE_PERIOD,
          {
            what: `terminationGracePeriodSeconds is ${grace}, and pods need ${needed}: connections come for ${sendsFor} s, hooks last ${longest} s, and drainTime is ${drain} s`,
            remedy: `leave it out, or set at least ${needed}`,
            value: String(grace),
          },
        ],
      ]
    : [];
}

function shortWait({ kind, spec }: Json, { waitsFor }: RolloutNeeds): Found[] {
  const waits = Number(spec?.minReadySeconds ?? 0);
  const found: Found[] = [];
  if (waits < waitsFor) {
    found.push([
      ROLLOUT_STRATEGY,
      {
        what: `minReadySeconds is ${waits}, and the balancer sends connections to a new pod only after ${waitsFor} s`,
        remedy: `leave it out, or set at least ${waitsFor}`,
        value: String(waits),
      },
    ]);
  }
  const deadline = Number(spec?.progressDeadlineSeconds ?? DEFAULT_PROGRESS_SECONDS);
  if (kind === 'Deployment' && deadline <= waits) {
    found.push([
      ROLLOUT_STRATEGY,
      {
        what: `progressDeadlineSeconds is ${deadline}, and new pods wait ${waits} s for the balancer`,
        remedy: `set more than ${waits}`,
        value: String(deadline),
      },
    ]);
  }
  return found;
}

/** Pods count as ready as soon as they run, where nothing asks them. */
function unready(pod: Json, { isGated }: RolloutNeeds): Found[] {
  const containers = servingContainers(pod);
  const isAsked = containers.some(({ readinessProbe, startupProbe }) => readinessProbe ?? startupProbe);
  return isGated || isAsked || containers.length === 0
    ? []
    : [
        [
          ROLLOUT_READINESS,
          {
            what: 'no container has a readinessProbe: a new pod gets connections before it accepts any',
            remedy: 'give the container that serves one, such as tcpSocket on its port',
          },
        ],
      ];
}
