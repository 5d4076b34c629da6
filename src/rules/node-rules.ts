import { isMap, type Json, mapIn } from '../contract/json';
import { EXCLUDED_FROM_BALANCERS_LABEL, isExcludedFromBalancers } from '../contract/kubernetes.facts';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import { BalancerTarget, type MadeBalancer } from '../contract/made-balancer';
import type { NodePool } from '../contract/node-pool';
import { choosesNodes, isToleratedLater, shutsOut, taintsAgainst } from '../contract/pod-placement';
import type { Findings } from '../contract/rule';
import { type BackendNodes, type ControllerDefinition, madeOf } from './controller-definition';
import type { ObjectIndex } from './objects';
import { gracePeriodOf, preStopOf, servingContainers, sleepOf } from './rollout';
import { SERVES_IN_TERMINATION_SOURCE } from './rollout.facts';
import type { Rule, RuleContext } from './rule';
import { isLocal, wantsLoadBalancer } from './service-json';

/** Nodes among some objects: how many of them have the label, and how many with a value that excludes. */
interface NodeCount {
  readonly all: number;
  readonly labelled: number;
  readonly excluded: number;
}

const COUNTS = new WeakMap<readonly Json[], NodeCount>();

function countOf(objects: readonly Json[], kind: ControllerDefinition): { all: number; excluded: number } {
  const count = COUNTS.get(objects) ?? counted(objects);
  COUNTS.set(objects, count);
  return { all: count.all, excluded: kind.excludedNodes ? count.labelled : count.excluded };
}

function counted(objects: readonly Json[]): NodeCount {
  const nodes = objects.filter(({ kind, apiVersion }) => kind === 'Node' && apiVersion === 'v1');
  const labels = nodes.map((node) => mapIn(mapIn(node, 'metadata'), 'labels'));
  return {
    all: nodes.length,
    labelled: labels.filter((own) => own[EXCLUDED_FROM_BALANCERS_LABEL] !== undefined).length,
    excluded: labels.filter(isExcludedFromBalancers).length,
  };
}

function nodesIn(index: ObjectIndex): readonly Json[] {
  return index.once(nodesIn, ({ all }) => all.map(({ json }) => json));
}

/** Whether a controller keeps nodes with the label out of the backend of a Service. */
function keepsOut(
  service: Json,
  kind: ControllerDefinition,
  controller: ILoadBalancerController | undefined,
  objects: readonly Json[],
): boolean {
  const { since, option } = kind.excludedNodes ?? {};
  return (
    kind.backendNodes?.(service, controller) !== undefined &&
    (since === undefined || kind.versionOf?.(controller)?.reaches(since) !== false) &&
    option?.isSetIn(objects) !== true
  );
}

/** Nodes that the label keeps out of the backend of a Service, as text; undefined if there are none. */
export function exclusionInWords(
  service: Json,
  kind: ControllerDefinition | undefined,
  controller: ILoadBalancerController | undefined,
  objects: readonly Json[],
): string | undefined {
  const { all, excluded } = kind ? countOf(objects, kind) : { all: 0, excluded: 0 };
  if (excluded === 0 || kind === undefined || !keepsOut(service, kind, controller, objects)) {
    return undefined;
  }
  return all === excluded
    ? `none of ${all}: every Node has label ${EXCLUDED_FROM_BALANCERS_LABEL}`
    : `${all - excluded} of ${all}: the others have label ${EXCLUDED_FROM_BALANCERS_LABEL}`;
}

/** A balancer has nodes to send to. */
export const NODES_EXCLUDED: Rule = {
  id: 'nodes-excluded',
  severity: 'warning',
  says: 'every node is excluded from load balancers',
  source: {
    repository: 'kubernetes/cloud-provider',
    version: 'v0.36.3',
    file: 'controllers/service/controller.go',
  },
  judge(service, { kind, controller, among }) {
    if (!kind || !among || !wantsLoadBalancer(service) || among.index.of('', 'Node').length === 0) {
      return undefined;
    }
    const objects = nodesIn(among.index);
    const { all, excluded } = countOf(objects, kind);
    const option = kind.excludedNodes?.option;
    const isIn = option && kind.versionOf?.(controller)?.reaches(option.since) !== false;
    return all === excluded && keepsOut(service, kind, controller, objects)
      ? {
          what: `no node takes connections of clients: each of the ${all} Nodes has label ${EXCLUDED_FROM_BALANCERS_LABEL}, and ${kind.name} leaves such nodes out`,
          remedy: `take the label off nodes that shall take connections${isIn ? `, or ${option.remedy}` : ''}`,
        }
      : undefined;
  },
};

const TRAFFIC_POLICY = {
  repository: 'kubernetes/api',
  version: 'v0.36',
  file: 'core/v1/types.go (ServiceExternalTrafficPolicyLocal)',
};

function nodesOf(service: Json, { kind, controller }: RuleContext): BackendNodes | undefined {
  return isLocal(service) ? kind?.backendNodes?.(service, controller) : undefined;
}

function inWords(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}

const MISSING_TOLERATION = 'missing toleration of taint';

/** The taint that keeps a pod off all known pools with some labels, if there are such pools. */
function untolerated(pod: Json, labels: Readonly<Record<string, string>>, pools: readonly NodePool[]): string[] {
  const meant = pools.filter((pool) => Object.entries(labels).every(([key, value]) => pool.labels[key] === value));
  const taints = meant.map((pool) => taintsAgainst(pod, pool).filter(({ key }) => !isToleratedLater(pod, key)));
  const isOut = taints.length > 0 && !pod.runtimeClassName && taints.every((against) => against.length > 0);
  return isOut ? [`${MISSING_TOLERATION} ${taints[0][0]}`] : [];
}

/** No pod of a balancer with policy Local is on a node of its backend. */
export const BACKEND_WITHOUT_PODS: Rule = {
  id: 'backend-without-pods',
  severity: 'error',
  effect: 'no-targets',
  decidedBy: ['nodeSelector', 'affinity', 'metadata.annotations', 'spec.externalTrafficPolicy'],
  says: 'pods cannot run on the nodes that are the backend',
  source: TRAFFIC_POLICY,
  on: ['spec.externalTrafficPolicy'],
  judge(service, context) {
    const nodes = nodesOf(service, context);
    const { pods = [], nodePool, nodePools = [] } = context;
    const own = nodes && Object.keys(nodes.labels).length > 0 ? nodes.labels : undefined;
    const labels = nodes && (own ?? nodePool?.labels);
    const away = labels
      ? pods.map((pod) => [...shutsOut(pod, { labels }), ...untolerated(pod, labels, nodePools)])
      : [];
    return labels && away.length > 0 && away.every((reasons) => reasons.length > 0)
      ? {
          what: `the targets are nodes with ${inWords(labels)}, with policy Local, and no pod of the Service can run on them: its ${[...new Set(away.flat())].join(', ')} rules these nodes out`,
          remedy: away.flat().every((reason) => reason.startsWith(MISSING_TOLERATION))
            ? 'tolerate the taint in the pod template, or choose other nodes as targets'
            : 'let the nodeSelector of the pods and the nodes of the targets match, as NodepoolPinnedService does',
          value: inWords(labels),
        }
      : undefined;
  },
};

/** What is true of nodes that are the backend of a balancer with policy Local, for any owner. */
export const BACKEND_NODE_RULES: readonly Rule[] = [
  BACKEND_WITHOUT_PODS,
  {
    id: 'local-without-pool',
    severity: 'warning',
    levelInFiles: 'note',
    says: 'policy Local leaves nodes without a pod failing their health checks',
    source: TRAFFIC_POLICY,
    on: ['spec.externalTrafficPolicy'],
    judge(service, context) {
      const nodes = nodesOf(service, context);
      if (!nodes || context.isOnEachNode || nodes.restrictedBy !== undefined || Object.keys(nodes.labels).length > 0) {
        return undefined;
      }
      const { pods = [], nodePool } = context;
      const isPlaced = nodePool !== undefined || (pods.length > 0 && pods.every(choosesNodes));
      return nodes.byPodsAlone && isPlaced
        ? undefined
        : {
            what: 'with policy Local only nodes with a ready pod of this Service receive connections; the others fail their health check by design',
            remedy: `pin the pods to a pool of nodes, by a nodeSelector or a NodePool${nodes.instead ? `, or ${nodes.instead}` : ''}`,
            value: 'Local',
          };
    },
  },
  NODES_EXCLUDED,
];

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
