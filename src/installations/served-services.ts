import { Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import type { AppService } from './app-services';

/** What an installation says where it sits in one chart with what it serves. */
export const CONTROLLER_WITH_ITS_SERVICES = 'controller-with-its-services';

/** What an installation says that looks at one namespace, and not at that of what it serves. */
export const SERVICE_UNWATCHED = 'service-unwatched';

/**
 * A warning where objects that a controller serves are in the chart of its installation: whoever deletes that chart deletes the
 * controller with them, or before them, and nobody is left to remove balancers and finalizers.
 *
 * @param installation the construct that installs the controller
 * @param who the name of the controller in messages
 * @param served all that it serves
 */
export function servedInOneChart(
  installation: Construct,
  who: string,
  served: readonly AppService[],
): LoadBalancerFinding[] {
  const chart = Chart.of(installation);
  const inside = served.filter(({ host }) => Chart.of(host) === chart).map(({ name }) => name);
  if (inside.length === 0) {
    return [];
  }
  return [
    {
      ruleId: CONTROLLER_WITH_ITS_SERVICES,
      who,
      what: `chart '${chart.node.id}' installs the controller and holds what it serves (${someOf(inside)}): deleted together, nobody removes the balancers and the finalizers`,
      remedy: 'put the installation into a chart of its own, and delete that one last',
    },
  ];
}

/**
 * An error where objects that a controller serves are in another namespace than the one it looks at. What says no namespace is
 * where it is applied, and nobody knows.
 *
 * @param who the name of the controller in messages
 * @param watched the namespace that it looks at
 * @param served all that it serves wherever it looks
 */
export function servedElsewhere(who: string, watched: string, served: readonly AppService[]): LoadBalancerFinding[] {
  return served
    .filter(({ namespace = watched }) => namespace !== watched)
    .map(({ name, namespace }) => ({
      ruleId: SERVICE_UNWATCHED,
      who,
      what: `looks at namespace '${watched}' alone, and ${name} is for it: nobody makes its balancers or removes its finalizers`,
      remedy: `put it into namespace '${watched}', or leave watchNamespace out`,
      value: namespace,
    }));
}

/** How many names a message shows. */
const SHOWN = 3;

/** Names in a message, which shows a few of them. */
export function someOf(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${more}`;
}
