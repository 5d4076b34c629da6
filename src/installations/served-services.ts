import { Chart } from 'cdk8s';
import { type Json, mapIn } from '../contract/json';
import { someOf } from '../contract/rule';
import type { IndexedObject } from '../rules/objects';
import type { Rule } from '../rules/rule';
import type { BalancedService } from './balanced-services';

export interface ServedObject {
  readonly name: string;
  readonly namespace?: string;
  readonly isTogether: boolean;
}

export interface ServedContext {
  /** Unit that is applied together with the installation, for messages: its chart or its file. */
  readonly unit: string;
  readonly served: readonly ServedObject[];
}

export function unitNameOf({ unit }: IndexedObject): string {
  return Chart.isChart(unit) ? `chart '${unit.node.id}'` : `file '${unit}'`;
}

export function servedBy(installation: IndexedObject, services: readonly BalancedService[]): ServedObject[] {
  const isTogether = ({ unit }: BalancedService) => unit === installation.unit && !isLive(installation);
  return services.map((service) => ({
    name: service.name,
    namespace: service.namespace,
    isTogether: isTogether(service),
  }));
}

/** True if the API server has it: what is read of a cluster is in one file without being deleted together. */
export function isLive({ json }: IndexedObject): boolean {
  return mapIn(json, 'metadata').uid !== undefined;
}

/**
 * Deleting a chart that holds both deletes the controller with what it serves, or before it, and then no controller removes the
 * balancers and the finalizers.
 */
export const CONTROLLER_WITH_ITS_SERVICES: Rule<ServedContext> = {
  id: 'controller-in-chart-of-services',
  severity: 'warning',
  says: 'controller in the chart of the Services that it serves: deleted together, their load balancers stay',
  source: 'docs/how-to/install-aws-load-balancer-controller.md',
  check(_, { unit, served }) {
    const inside = served.filter(({ isTogether }) => isTogether).map(({ name }) => name);
    return inside.length === 0
      ? undefined
      : {
          what: `${unit} installs the controller and holds what it serves (${someOf(inside)}): deleted together, no controller removes the balancers and the finalizers`,
          remedy: 'install the controller by a chart or a file of its own, and delete that one last',
          at: '',
        };
  },
};

/** A rule about the one namespace that a controller watches; an object without a namespace may be applied into that one. */
export function servedElsewhere<Context extends ServedContext>(
  watchedBy: (workload: Json) => string | undefined,
): Rule<Context> {
  return {
    id: 'service-namespace-not-watched',
    severity: 'error',
    says: 'Service outside the only namespace that its controller watches',
    source: {
      repository: 'kubernetes-sigs/aws-load-balancer-controller',
      version: 'v3.5.0',
      file: 'pkg/config/runtime_config.go',
    },
    check(workload, { served }) {
      const watched = watchedBy(workload);
      return watched === undefined
        ? undefined
        : served
            .filter(({ namespace = watched }) => namespace !== watched)
            .map(({ name }) => ({
              what: `the balancer of ${name} is never made, and its finalizer never removed: its controller only watches namespace '${watched}'`,
              remedy: `put it into namespace '${watched}', or leave the namespace to watch out`,
              value: watched,
              at: '',
            }));
    },
  };
}
