import { type Json, mapIn } from '../contract/json';
import { EXCLUDED_FROM_BALANCERS_LABEL, isExcludedFromBalancers } from '../contract/kubernetes.facts';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import type { ControllerDefinition } from './controller-definition';
import type { ObjectIndex } from './objects';
import type { Rule } from './rule';
import { wantsLoadBalancer } from './service-json';

/** How a controller is configured to use excluded nodes. */
export interface ExcludedNodesOption {
  /** Whether some objects show that it is. */
  isSetIn(objects: readonly Json[]): boolean;
  /** What to do, in one clause. */
  readonly remedy: string;
}

/** Nodes among some objects, and how many of them have the label that keeps them out of balancers. */
interface NodeCount {
  readonly all: number;
  readonly excluded: number;
}

const COUNTS = new WeakMap<readonly Json[], NodeCount>();

/** A set of objects is asked for each of its Services. */
function countOf(objects: readonly Json[]): NodeCount {
  const count = COUNTS.get(objects) ?? counted(objects);
  COUNTS.set(objects, count);
  return count;
}

function counted(objects: readonly Json[]): NodeCount {
  const nodes = objects.filter(({ kind, apiVersion }) => kind === 'Node' && apiVersion === 'v1');
  const excluded = nodes.filter((node) => isExcludedFromBalancers(mapIn(mapIn(node, 'metadata'), 'labels')));
  return { all: nodes.length, excluded: excluded.length };
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
  return kind.backendNodes?.(service, controller) !== undefined && kind.excludedNodes?.isSetIn(objects) !== true;
}

/** Nodes that the label keeps out of the backend of a Service, as text; undefined if there are none. */
export function exclusionInWords(
  service: Json,
  kind: ControllerDefinition | undefined,
  controller: ILoadBalancerController | undefined,
  objects: readonly Json[],
): string | undefined {
  const { all, excluded } = countOf(objects);
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
  says: 'some node has no label that keeps it out of balancers, if nodes are the backend',
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
    const { all, excluded } = countOf(objects);
    return all === excluded && keepsOut(service, kind, controller, objects)
      ? {
          what: `no node takes connections of clients: each of the ${all} Nodes has label ${EXCLUDED_FROM_BALANCERS_LABEL}, and ${kind.name} leaves such nodes out`,
          remedy: `take the label off nodes that shall take connections${kind.excludedNodes === undefined ? '' : `, or ${kind.excludedNodes.remedy}`}`,
        }
      : undefined;
  },
};
