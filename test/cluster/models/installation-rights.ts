import {
  CCM_CLUSTER_RULES,
  CCM_LEASE_RULES,
  CCM_NAMES,
  CCM_NAMESPACE,
} from '../../../src/installations/aws-cloud-controller-manager/installation.facts';
import {
  CLUSTER_RULES,
  LEADER_ELECTION_RULES,
} from '../../../src/installations/aws-load-balancer-controller/installation.facts';
import { partsOf } from '../../../src/installations/aws-load-balancer-controller/objects';
import {
  CLUSTER_BINDINGS,
  OPERATOR_ROLES,
  OWN_BINDINGS,
  WATCH_ALL_BINDINGS,
  WATCH_BINDINGS,
} from '../../../src/installations/strimzi/installation.facts';
import { rowsOf } from '../../../src/installations/strimzi/operator';
import type { OperatorBinding } from '../../../src/installations/tables';
import { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import type { Grant } from '../harness/rights';

/** Who an installation is to the API server, and what its tables let it do. */
export interface InstallationRights {
  readonly serviceAccount: readonly [namespace: string, name: string];
  readonly granted: readonly Grant[];
  /** All rows of the tables, also of parts and namespaces that this installation has not got. */
  readonly table: readonly Grant[];
  /** Where its own rights are asked for; the last is nobody's. */
  readonly namespaces: readonly string[];
  /** Namespaces whose secrets it may not read. */
  readonly foreignSecrets: readonly (string | undefined)[];
}

function awsController(gates: Record<string, boolean>, serviceWebhook: boolean): InstallationRights {
  const parts = partsOf(gates, serviceWebhook);
  const grantsOf = (rules: typeof CLUSTER_RULES, namespace?: string) =>
    rules.map(({ apiGroups, ...rule }) => ({ ...rule, groups: apiGroups, namespace }));
  const table = [...grantsOf(CLUSTER_RULES), ...grantsOf(LEADER_ELECTION_RULES, 'kube-system')];
  return {
    serviceAccount: ['kube-system', 'aws-load-balancer-controller'],
    granted: table.filter(({ part }) => parts.has(part)),
    table,
    namespaces: ['kube-system', 'shop'],
    foreignSecrets: ['kube-system', 'shop', undefined],
  };
}

function strimziOperator(version: StrimziVersion, watched: readonly string[] | 'all'): InstallationRights {
  const grantsOf = (bindings: readonly OperatorBinding[], namespace?: string) =>
    bindings.flatMap(({ role }) =>
      OPERATOR_ROLES.filter(({ name }) => name === role).flatMap(({ rules }) =>
        rowsOf(version, rules).map((rule) => ({ ...rule, namespace })),
      ),
    );
  return {
    serviceAccount: ['strimzi', 'strimzi-cluster-operator'],
    granted: [
      ...grantsOf(CLUSTER_BINDINGS),
      ...grantsOf(OWN_BINDINGS, 'strimzi'),
      ...(watched === 'all'
        ? grantsOf(WATCH_ALL_BINDINGS)
        : watched.flatMap((namespace) => grantsOf(WATCH_BINDINGS, namespace))),
    ],
    table: OPERATOR_ROLES.flatMap(({ rules }) => rules),
    namespaces: ['strimzi', 'kafka', 'shop'],
    foreignSecrets: watched === 'all' ? [] : ['strimzi', 'shop', 'kube-system', undefined],
  };
}

function cloudControllerManager(controllers?: readonly string[]): InstallationRights {
  const grantsOf = (rules: typeof CCM_LEASE_RULES, namespace?: string) =>
    rules.map(({ group, resource, names, verbs, usedBy }) => ({
      groups: [group],
      resources: [resource],
      resourceNames: names,
      verbs,
      usedBy,
      namespace,
    }));
  const table = [...grantsOf(CCM_CLUSTER_RULES), ...grantsOf(CCM_LEASE_RULES, CCM_NAMESPACE)];
  return {
    serviceAccount: [CCM_NAMESPACE, CCM_NAMES.serviceAccount],
    granted: table.filter(({ usedBy }) => !controllers || !usedBy || usedBy.some((name) => controllers.includes(name))),
    table,
    namespaces: [CCM_NAMESPACE, 'shop'],
    foreignSecrets: [CCM_NAMESPACE, 'shop', undefined],
  };
}

/** By the name of its golden. */
export const INSTALLATION_RIGHTS: Readonly<Record<string, InstallationRights>> = {
  'aws-cloud-controller-manager': cloudControllerManager(),
  'aws-cloud-controller-manager-without-services': cloudControllerManager([
    'cloud-node-controller',
    'cloud-node-lifecycle-controller',
  ]),
  'aws-load-balancer-controller': awsController({}, false),
  'aws-load-balancer-controller-for-nlbs': awsController({ NLBGatewayAPI: true }, true),
  'strimzi-0.49': strimziOperator(StrimziVersion.V0_49, 'all'),
  'strimzi-1.2': strimziOperator(StrimziVersion.V1_2, ['kafka']),
};
