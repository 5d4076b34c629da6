import { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Json } from '../contract/json';
import type { Rule } from '../rules/rule';
import type { AppService } from './app-services';

/** An object of the app that an installation serves. */
export interface ServedObject {
  /** Kind, namespace and name, as a message has them. */
  readonly name: string;
  readonly namespace?: string;
  /** Whether it is in the chart of the installation. */
  readonly isInChart: boolean;
}

/** What is known of what an installation serves. */
export interface ServedContext {
  /** The chart of the installation. */
  readonly chart: string;
  readonly served: readonly ServedObject[];
}

/** Services of the app, for the rules of the installation that serves them. */
export function servedBy(installation: IConstruct, services: readonly AppService[]): ServedObject[] {
  const chart = Chart.of(installation);
  return services.map(({ name, namespace, host }) => ({ name, namespace, isInChart: Chart.of(host) === chart }));
}

/**
 * Deleting a chart that holds both deletes the controller with what it serves, or before it, and then no controller removes the
 * balancers and the finalizers.
 */
export const CONTROLLER_WITH_ITS_SERVICES: Rule<ServedContext> = {
  id: 'controller-with-its-services',
  severity: 'warning',
  says: 'a controller is in another chart than what it serves, and outlives it',
  source: 'ours',
  judge(_, { chart, served }) {
    const inside = served.filter(({ isInChart }) => isInChart).map(({ name }) => name);
    return inside.length === 0
      ? undefined
      : {
          what: `chart '${chart}' installs the controller and holds what it serves (${someOf(inside)}): deleted together, no controller removes the balancers and the finalizers`,
          remedy: 'put the installation into a chart of its own, and delete that one last',
        };
  },
};

/** A rule about the one namespace that a controller watches; an object without a namespace may be applied into that one. */
export function servedElsewhere<Context extends ServedContext>(
  watchedBy: (workload: Json) => string | undefined,
): Rule<Context> {
  return {
    id: 'service-unwatched',
    severity: 'error',
    says: 'a Service is in the namespace that its controller watches, where that watches only one',
    source: 'ours',
    judge(workload, { served }) {
      const watched = watchedBy(workload);
      return watched === undefined
        ? undefined
        : served
            .filter(({ namespace = watched }) => namespace !== watched)
            .map(({ name, namespace }) => ({
              what: `watches namespace '${watched}' alone, and ${name} is for it: its balancer is never made, and its finalizer never removed`,
              remedy: `put it into namespace '${watched}', or leave watchNamespace out`,
              value: namespace,
            }));
    },
  };
}

/** How many names a message shows. */
const SHOWN = 3;

/** Names in a message, which shows a few of them. */
export function someOf(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${more}`;
}
