import { type Json, mapIn } from '../contract/json';
import { EXCLUDED_FROM_BALANCERS_LABEL, isExcludedFromBalancers } from '../contract/kubernetes.facts';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import type { ControllerDefinition } from './controller-definition';
import type { ObjectIndex } from './objects';
import type { Rule } from './rule';
import { wantsLoadBalancer } from './service-json';

/** What a controller makes of the label, where it is not what the service controller of Kubernetes does. */
export interface ExcludedNodes {
  /** Whether each value excludes, `false` too. */
  readonly byPresence: true;
  /** The first version that reads the label. */
  readonly since?: string;
  /** Its setting that has such nodes used. */
  readonly option?: {
    readonly since: string;
    /** Whether some objects show that it is on. */
    isSetIn(objects: readonly Json[]): boolean;
    /** What to do, in one clause. */
    readonly remedy: string;
  };
}

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
