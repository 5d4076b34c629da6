import { Chart } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { isUnresolved } from '../../identity/aws/aws-arn';
import { CCM, CCM_LEASE, CCM_NAMESPACE } from './aws-cloud-controller-manager.facts';

/** The error of an installation beside another one of its cluster. */
export const CLOUD_CONTROLLER_TWICE = {
  id: 'cloud-controller-twice',
  severity: 'error',
  says: 'A cluster has one cloud controller manager.',
} as const;

/** What tells the cluster of an installation from others. */
export interface ClusterOfInstallation {
  readonly clusterName: string;
  readonly region?: string;
  readonly vpcId?: string;
}

interface Installed {
  readonly host: Construct;
  readonly cluster: ClusterOfInstallation;
}

/** By app, the installations in the order in which they were made. */
const INSTALLED = new WeakMap<IConstruct, Installed[]>();

/** Remembers an installation. */
export function settle(host: Construct, cluster: ClusterOfInstallation): void {
  const { root } = host.node;
  INSTALLED.set(root, [...(INSTALLED.get(root) ?? []), { host, cluster }]);
}

/** The name of a cluster is taken in one region alone, and what is unknown may be equal. */
function mayBeEqual(one: string | undefined, other: string | undefined): boolean {
  return !one || !other || one === other || isUnresolved(one) || isUnresolved(other);
}

function areOfOneCluster(one: Installed, other: Installed): boolean {
  return (
    Chart.of(one.host) === Chart.of(other.host) ||
    (one.cluster.clusterName === other.cluster.clusterName &&
      mayBeEqual(one.cluster.region, other.cluster.region) &&
      mayBeEqual(one.cluster.vpcId, other.cluster.vpcId))
  );
}

/** Of two installations of one cluster the second says so: they have one ClusterRole, one service account and one lease. */
export function twiceFindings(host: Construct): LoadBalancerFinding[] {
  const all = INSTALLED.get(host.node.root) ?? [];
  const own = all.findIndex((each) => each.host === host);
  const first = all.slice(0, own).find((other) => areOfOneCluster(other, all[own]));
  return first
    ? [
        {
          ruleId: CLOUD_CONTROLLER_TWICE.id,
          who: CCM,
          what: `it is installed for cluster '${first.cluster.clusterName}' by ${first.host.node.path} already: both have the same ServiceAccount, ClusterRole and lease ${CCM_NAMESPACE}/${CCM_LEASE}, so that one replaces the objects of the other and one never works`,
          wayOut: 'keep one of them, or put each into a chart of its own with the name of its own cluster',
          value: first.cluster.clusterName,
        },
      ]
    : [];
}
