import type { Json } from '../contract/json';
import type { NodePool } from '../contract/node-pool';
import { choosesNodes, isToleratedLater, shutsOut, taintsAgainst } from '../contract/placed-pod';
import { NODES_EXCLUDED } from './excluded-nodes';
import type { Rule } from './rule';
import type { RuleContext } from './rule-context';
import { isLocal } from './service-json';

const TRAFFIC_POLICY = {
  repository: 'kubernetes/api',
  version: 'v0.36',
  file: 'core/v1/types.go (ServiceExternalTrafficPolicyLocal)',
};

/** The nodes that are the backend of a balancer. */
export interface BackendNodes {
  /** The labels that they have, as far as the Service says them; empty where it has every node. */
  readonly labels: Readonly<Record<string, string>>;
  /** What keeps others out where it is not a label. */
  readonly restrictedBy?: string;
  /** Whether nothing but the placement of the pods can keep others out. */
  readonly byPodsAlone?: boolean;
  /** What could be done instead, in one clause. */
  readonly instead?: string;
}

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
