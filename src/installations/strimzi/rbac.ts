import { ApiObject, type ApiObjectProps } from 'cdk8s';
import { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { clusterScoped } from '../objects';
import type { OperatorBinding } from '../tables';
import {
  CLUSTER_BINDINGS,
  OPERATOR_ROLES,
  OWN_BINDINGS,
  WATCH_ALL_BINDINGS,
  WATCH_BINDINGS,
} from './installation.facts';
import { type OperatorSettings, rowsOf } from './operator';

const GROUP = 'rbac.authorization.k8s.io';
const API_VERSION = `${GROUP}/v1`;

interface Rights {
  readonly scope: Construct;
  readonly settings: OperatorSettings;
  readonly labels: { [key: string]: string };
}

export function addRights(scope: Construct, settings: OperatorSettings, labels: { [key: string]: string }): void {
  const rights = { scope: new Construct(scope, 'Rbac'), settings, labels };
  const { watch, createsClusterScoped, leaderElection } = settings;
  if (createsClusterScoped) {
    addRoles(rights);
    for (const binding of [...CLUSTER_BINDINGS, ...(watch.isAll ? WATCH_ALL_BINDINGS : [])]) {
      addClusterBinding(rights, binding);
    }
  }
  for (const binding of leaderElection ? OWN_BINDINGS : []) {
    addBinding(rights, binding, settings.namespace);
  }
  for (const namespace of watch.isOwn ? [settings.namespace] : new Set(watch.listedNamespaces)) {
    for (const binding of WATCH_BINDINGS) {
      addBinding(rights, binding, namespace);
    }
  }
}

export function clusterScopedNames({ createsClusterScoped, name, watch }: OperatorSettings): string[] {
  if (!createsClusterScoped) {
    return [];
  }
  const bindings = [...CLUSTER_BINDINGS, ...(watch.isAll ? WATCH_ALL_BINDINGS : [])];
  return [
    ...OPERATOR_ROLES.map((role) => `ClusterRole ${role.name}`),
    ...bindings.map(({ suffix }) => `ClusterRoleBinding ${name}${suffix}`),
  ];
}

function addRoles({ scope, settings, labels }: Rights): void {
  for (const role of OPERATOR_ROLES) {
    clusterScoped(scope, role.name, {
      apiVersion: API_VERSION,
      kind: 'ClusterRole',
      metadata: { name: role.name, labels },
      rules: rowsOf(settings.version, role.rules).map(({ groups, resources, resourceNames, verbs }) => ({
        apiGroups: [...groups],
        resources: [...resources],
        ...(resourceNames && { resourceNames: [...resourceNames] }),
        verbs: [...verbs],
      })),
    } as Json & ApiObjectProps);
  }
}

function addClusterBinding(rights: Rights, binding: OperatorBinding): void {
  const name = `${rights.settings.name}${binding.suffix}`;
  clusterScoped(rights.scope, `Cluster${binding.suffix}`, {
    apiVersion: API_VERSION,
    kind: 'ClusterRoleBinding',
    metadata: { name, labels: rights.labels },
    ...bound(rights, binding),
  });
}

function addBinding(rights: Rights, binding: OperatorBinding, namespace: string | undefined): void {
  const name = `${rights.settings.name}${binding.suffix}`;
  new ApiObject(rights.scope, `Namespace${binding.suffix}-${namespace ?? ''}`, {
    apiVersion: API_VERSION,
    kind: 'RoleBinding',
    metadata: { name, namespace, labels: rights.labels },
    ...bound(rights, binding),
  });
}

function bound({ settings: { name, namespace } }: Rights, { role }: OperatorBinding): Json {
  return {
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
    roleRef: { kind: 'ClusterRole', name: role, apiGroup: GROUP },
  };
}
