import { Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import type { PlannedLoadBalancer } from '../rules/load-balancers';
import { SynthWatch } from '../rules/synth-watch';
import { someOf } from './some-of';

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
 * @param serves whether it serves an object
 */
export function servedInOneChart(
  installation: Construct,
  who: string,
  serves: (planned: PlannedLoadBalancer) => boolean,
): LoadBalancerFinding[] {
  const chart = Chart.of(installation);
  const served = SynthWatch.of(installation)
    .objects.filter(({ host }) => Chart.of(host) === chart)
    .map(({ planned }) => planned)
    .filter((planned) => planned !== undefined && serves(planned))
    .map((planned) => `${planned?.kind} ${planned?.name}`);
  if (served.length === 0) {
    return [];
  }
  return [
    {
      ruleId: CONTROLLER_WITH_ITS_SERVICES,
      who,
      what: `chart '${chart.node.id}' installs the controller and holds what it serves (${someOf(served)}): deleted together, nobody removes the balancers and the finalizers`,
      wayOut: 'put the installation into a chart of its own, and delete that one last',
    },
  ];
}

/**
 * An error where objects that a controller serves are in another namespace than the one it looks at. What says no namespace is
 * where it is applied, and nobody knows.
 *
 * @param installation the construct that installs the controller
 * @param who the name of the controller in messages
 * @param watched the namespace that it looks at
 * @param serves whether it serves an object
 */
export function servedElsewhere(
  installation: Construct,
  who: string,
  watched: string,
  serves: (planned: PlannedLoadBalancer) => boolean,
): LoadBalancerFinding[] {
  return SynthWatch.of(installation)
    .objects.map(({ planned }) => planned)
    .filter((planned) => planned !== undefined)
    .filter((planned) => (planned.namespace ?? watched) !== watched && serves(planned))
    .map(({ kind, name, namespace }) => ({
      ruleId: SERVICE_UNWATCHED,
      who,
      what: `looks at namespace '${watched}' alone, and ${kind} ${namespace}/${name} is for it: nobody makes its balancers or removes its finalizers`,
      wayOut: `put it into namespace '${watched}', or leave watchNamespace out`,
      value: namespace,
    }));
}
