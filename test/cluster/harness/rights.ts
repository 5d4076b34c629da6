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
import type { Api } from '../../real/api';
import { until } from '../../real/program';

/** Something that somebody may do or not, in the words of RBAC; in all namespaces, where none is named. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  /** With its subresource, where one is meant: `pods/exec`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** A rule, and where it holds: in the whole cluster, where no namespace is named. */
export interface Grant {
  readonly namespace?: string;
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** Whether rules allow something, as RBAC reads them; none of ours has a star. */
function isAllowedBy(grants: readonly Grant[], { verb, group, resource, namespace, name }: Right): boolean {
  return grants.some(
    (grant) =>
      (grant.namespace === undefined || grant.namespace === namespace) &&
      grant.groups.includes(group) &&
      grant.resources.includes(resource) &&
      grant.verbs.includes(verb) &&
      (grant.resourceNames === undefined || (name !== undefined && grant.resourceNames.includes(name))),
  );
}

/** Every verb on every resource that is named anywhere in some rules, in some namespaces; on each name of theirs and another. */
function rightsAround(grants: readonly Grant[], namespaces: readonly string[]): Right[] {
  const rights = grants.flatMap(({ groups, resources, resourceNames }) =>
    groups.flatMap((group) =>
      resources.flatMap((resource) =>
        namespaces.flatMap((namespace) =>
          VERBS.flatMap((verb) =>
            [undefined, ...(resourceNames ? [...resourceNames, 'another'] : [])].map((name) => ({
              verb,
              group,
              resource,
              namespace,
              name,
            })),
          ),
        ),
      ),
    ),
  );
  return [...new Map(rights.map((right) => [shown(right), right])).values()];
}

export function shown({ verb, group, resource, namespace = '*', name }: Right): string {
  const what = name === undefined ? resource : `${resource} ${name}`;
  return `${verb} ${what}${group && ` of ${group}`} in ${namespace}`;
}

/** Whether the API server lets somebody do something, as `kubectl auth can-i` asks it. */
export async function mayDo(api: Api, { verb, group, resource: whole, namespace, name }: Right): Promise<boolean> {
  const [resource, subresource] = whole.split('/');
  const { status } = await api.create({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: { name: '' },
    spec: { resourceAttributes: { verb, group, resource, subresource, namespace, name } },
  });
  return status.allowed;
}

/** One right of each rule. */
function firstOf({ groups, resources, resourceNames, verbs, namespace = 'default' }: Grant): Right {
  return { verb: verbs[0], group: groups[0], resource: resources[0], name: resourceNames?.[0], namespace };
}

/** Waits until the API server has seen that rules hold, or hold no more: it learns of roles and bindings one by one. */
export async function untilSeen(api: Api, grants: readonly Grant[], wanted: boolean): Promise<void> {
  await until(wanted ? 'the roles to hold' : 'the roles to hold no more', async () => {
    const answers = await Promise.all(grants.map((grant) => mayDo(api, firstOf(grant))));
    return answers.every((answer) => answer === wanted);
  });
}

/**
 * Asks for every verb on everything that is named in some rules, and compares.
 *
 * @param granted what is allowed, and nothing else of it
 * @param related rules that are not granted here, and must be refused
 * @returns how many were asked for, how many of them are allowed, and where the API server sees it otherwise
 */
export async function compareRights(
  api: Api,
  granted: readonly Grant[],
  related: readonly Grant[],
  namespaces: readonly string[],
): Promise<{ asked: number; allowed: number; otherwise: string[] }> {
  const rights = rightsAround([...granted, ...related], namespaces);
  const answers = await Promise.all(rights.map(async (right) => ({ right, isAllowed: await mayDo(api, right) })));
  return {
    asked: rights.length,
    allowed: answers.filter(({ isAllowed }) => isAllowed).length,
    otherwise: answers
      .filter(({ right, isAllowed }) => isAllowed !== isAllowedBy(granted, right))
      .map(({ right, isAllowed }) => `${shown(right)} is ${isAllowed ? 'allowed' : 'refused'}`),
  };
}

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

const RBAC = 'rbac.authorization.k8s.io';

/** What nobody may do whom we install: each is a way to become somebody else, or to leave the cluster without its guards. */
export const NEVER_ALLOWED: readonly Right[] = [
  { verb: '*', group: '*', resource: '*' },
  { verb: 'get', group: '', resource: 'nodes/proxy' },
  { verb: 'create', group: '', resource: 'nodes/proxy' },
  { verb: 'create', group: '', resource: 'nodes' },
  { verb: 'create', group: '', resource: 'pods/exec' },
  { verb: 'get', group: '', resource: 'pods/exec' },
  { verb: 'create', group: '', resource: 'pods/attach' },
  { verb: 'create', group: '', resource: 'pods/portforward' },
  { verb: 'update', group: '', resource: 'pods/ephemeralcontainers' },
  { verb: 'create', group: '', resource: 'serviceaccounts/token' },
  { verb: 'impersonate', group: '', resource: 'users' },
  { verb: 'impersonate', group: '', resource: 'groups' },
  { verb: 'impersonate', group: '', resource: 'serviceaccounts' },
  { verb: 'delete', group: '', resource: 'namespaces' },
  { verb: 'update', group: '', resource: 'namespaces' },
  { verb: 'delete', group: '', resource: 'persistentvolumes' },
  { verb: 'escalate', group: RBAC, resource: 'roles' },
  { verb: 'bind', group: RBAC, resource: 'roles' },
  { verb: 'escalate', group: RBAC, resource: 'clusterroles' },
  { verb: 'bind', group: RBAC, resource: 'clusterroles' },
  { verb: 'create', group: RBAC, resource: 'clusterroles' },
  { verb: 'update', group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations' },
  { verb: 'delete', group: 'admissionregistration.k8s.io', resource: 'mutatingwebhookconfigurations' },
  { verb: 'update', group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
  { verb: 'delete', group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
  { verb: 'update', group: 'certificates.k8s.io', resource: 'certificatesigningrequests/approval' },
  { verb: 'create', group: 'apps', resource: 'daemonsets' },
];
