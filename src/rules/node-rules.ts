import { isMap, type Json, mapIn, oncePer } from '../contract/json';
import { EXCLUDED_FROM_BALANCERS_LABEL, isExcludedFromBalancers } from '../contract/kubernetes.facts';
import { BalancerTarget, type LoadBalancerModel } from '../contract/load-balancer-model';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import type { NodePool } from '../contract/node-pool';
import { LoadBalancerWish } from '../contract/options';
import { choosesNodes, excludingTerms, isToleratedByAdmission, taintsAgainst } from '../contract/pod-placement';
import { balancerModelOf, type ControllerDefinition, missingHealthCheckOf } from './controller-definition';
import type { ObjectIndex } from './objects';
import { gracePeriodOf, preStopOf, servingContainers, sleepOf } from './rollout';
import type { Rule, RuleContext } from './rule';
import { rulesOf } from './rule-set';
import { NODE_ROWS, ROLLOUT_ROWS } from './rules.facts';
import { annotationsOf, isLocal, wantsLoadBalancer } from './service-json';

function countOf(objects: readonly Json[], kind: ControllerDefinition): { all: number; excluded: number } {
  const { all, labelled, excluded } = nodesAmong(objects);
  return { all, excluded: kind.excludedNodes ? labelled : excluded };
}

/** Nodes among some objects: how many of them have the label, and how many with a value that excludes. */
const nodesAmong = oncePer((objects: readonly Json[]) => {
  const nodes = objects.filter(({ kind, apiVersion }) => kind === 'Node' && apiVersion === 'v1');
  const labels = nodes.map((node) => mapIn(mapIn(node, 'metadata'), 'labels'));
  return {
    all: nodes.length,
    labelled: labels.filter((own) => own[EXCLUDED_FROM_BALANCERS_LABEL] !== undefined).length,
    excluded: labels.filter(isExcludedFromBalancers).length,
  };
});

function nodesIn(index: ObjectIndex): readonly Json[] {
  return index.once(nodesIn, ({ all }) => all.map(({ json }) => json));
}

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

function inWords(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}

const MISSING_TOLERATION = 'missing toleration of taint';

/** The taint that keeps a pod off all known pools with some labels, if there are such pools. */
function untolerated(pod: Json, labels: Readonly<Record<string, string>>, pools: readonly NodePool[]): string[] {
  const meant = pools.filter((pool) => Object.entries(labels).every(([key, value]) => pool.labels[key] === value));
  const taints = meant.map((pool) => taintsAgainst(pod, pool).filter(({ key }) => !isToleratedByAdmission(pod, key)));
  const isOut = taints.length > 0 && !pod.runtimeClassName && taints.every((against) => against.length > 0);
  return isOut ? [`${MISSING_TOLERATION} ${taints[0][0]}`] : [];
}

export const BACKEND_NODE_RULES: readonly Rule[] = rulesOf({
  rows: NODE_ROWS,
  read: (service: Json, { kind, controller }: RuleContext) =>
    isLocal(service) ? kind?.backendNodes?.(service, controller) : undefined,
  finds: {
    'backend-without-pods': (nodes, service, { kind, pods = [], nodePool, nodePools = [] }) => {
      const own = nodes && Object.keys(nodes.labels).length > 0 ? nodes.labels : undefined;
      const labels = nodes && (own ?? nodePool?.labels);
      const away = labels
        ? pods.map((pod) => [...excludingTerms(pod, { labels }), ...untolerated(pod, labels, nodePools)])
        : [];
      const all = away.flat();
      return (
        labels &&
        away.length > 0 &&
        away.every((reasons) => reasons.length > 0) && {
          ...(all.every((reason) => reason.startsWith(MISSING_TOLERATION)) && { case: 'taint' }),
          reasons: [...new Set(all)].join(', '),
          value: inWords(labels),
          key: Object.keys(annotationsOf(service)).find(
            (key) => kind?.catalogue.find(key)?.fact.wish === LoadBalancerWish.BACKEND_NODES,
          ),
        }
      );
    },
    'local-policy-without-pool': (nodes, _, { isOnEachNode, pods = [], nodePool }) => {
      if (!nodes || isOnEachNode || nodes.restrictedBy !== undefined || Object.keys(nodes.labels).length > 0) {
        return undefined;
      }
      const isPlaced = nodePool !== undefined || (pods.length > 0 && pods.every(choosesNodes));
      const { instead } = nodes;
      return !(nodes.byPodsAlone && isPlaced) && { instead: instead ? `, or ${instead}` : '', value: 'Local' };
    },
    'local-policy-without-health-check': (_, service, { kind }) => {
      const missing = isLocal(service) && wantsLoadBalancer(service) ? missingHealthCheckOf(service, kind) : undefined;
      return missing && { key: missing.key(), default: missing.fact.default, value: 'Local' };
    },
    'all-nodes-excluded': (_, service, { kind, controller, among }) => {
      if (!kind || !among || !wantsLoadBalancer(service) || among.index.of('', 'Node').length === 0) {
        return undefined;
      }
      const objects = nodesIn(among.index);
      const { all, excluded } = countOf(objects, kind);
      const option = kind.excludedNodes?.option;
      const isIn = option && kind.versionOf?.(controller)?.reaches(option.since) !== false;
      return (
        all === excluded &&
        keepsOut(service, kind, controller, objects) && {
          all,
          label: EXCLUDED_FROM_BALANCERS_LABEL,
          owner: kind.name,
          option: isIn ? `, or ${option.remedy}` : '',
        }
      );
    },
  },
});

/** No pod of a balancer with policy Local is on a node of its backend. */
export const [BACKEND_WITHOUT_PODS] = BACKEND_NODE_RULES;

// Workload updates by which connections are certainly refused, in third-party manifests: what a program does when it is told to
// stop is its own affair, so nothing is said of pods without a hook.

function madeFor(service: Json, { controller, kind }: RuleContext): LoadBalancerModel | undefined {
  return balancerModelOf(service, controller ?? kind);
}

/** For how long pods serve on where their hooks sleep: that of the container that sleeps longest; nothing where none is known to. */
function longestSleep(pod: Json): number | undefined {
  const hooks = servingContainers(pod).flatMap((container) => preStopOf(container) ?? []);
  const sleeps = hooks.map(sleepOf);
  return sleeps.length > 0 && sleeps.every((each) => each !== undefined)
    ? Math.max(...(sleeps as number[]))
    : undefined;
}

export const ROLLOUT_RULES: readonly Rule[] = rulesOf({
  rows: ROLLOUT_ROWS,
  read: (_, { pods = [] }: RuleContext) => pods,
  finds: {
    'rollout-connections-dropped': (pods, service, context) => {
      const made = isLocal(service) && pods.length > 0 ? madeFor(service, context) : undefined;
      const { answeredBy, interval, failures } = made?.healthCheck ?? {};
      const isCounted = made?.target !== BalancerTarget.POD && interval !== undefined && failures !== undefined;
      if (!isCounted || answeredBy !== 'kube-proxy-of-service') {
        return undefined;
      }
      const seconds = interval * failures;
      const found = { seconds, terms: `${interval} s × ${failures} failures of the health check` };
      const killed = Math.min(...pods.map(gracePeriodOf));
      const slept = Math.min(...pods.map((pod) => longestSleep(pod) ?? seconds));
      return killed < seconds
        ? { ...found, value: String(killed) }
        : slept < seconds && { ...found, case: 'sleeps', value: String(slept) };
    },
    'rollout-readiness-gate-missing': (pods, service, context) => {
      const name = service.metadata?.namespace;
      if (!context.among || pods.length === 0 || name === undefined || pods.some(hasGate)) {
        return undefined;
      }
      const [namespace, ...others] = context.among.index.named('', 'Namespace', { name });
      const gates = namespace && others.length === 0 ? madeFor(service, context)?.notices?.gates : undefined;
      const [[key, label] = []] = Object.entries(gates ?? {});
      return key !== undefined && namespace.label(key) === undefined && { key, label, value: String(name) };
    },
  },
});

function hasGate({ readinessGates }: Json): boolean {
  return Array.isArray(readinessGates) && readinessGates.some(isMap);
}
