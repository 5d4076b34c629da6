import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { clusterScoped } from '../cluster-scoped';
import type { AwsCloudController } from './aws-cloud-controller';
import {
  AUTHENTICATION_READER_ROLE,
  CCM_CLUSTER_RULES,
  CCM_LEASE_RULES,
  CCM_NAMES,
  type CloudControllerRule,
} from './aws-cloud-controller-manager.facts';

const GROUP = 'rbac.authorization.k8s.io';
const API_VERSION = `${GROUP}/v1`;

/** Rules as Kubernetes has them: one for each resource. */
function rulesJson(rules: readonly (CloudControllerRule & { readonly names?: readonly string[] })[]): Json[] {
  const merged = new Map<string, Json>();
  for (const { group, resource, verbs, names } of rules) {
    const key = JSON.stringify([group, resource, names]);
    const before = merged.get(key)?.verbs ?? [];
    merged.set(key, {
      apiGroups: [group],
      resources: [resource],
      ...(names && { resourceNames: [...names] }),
      verbs: [...before, ...verbs],
    });
  }
  return [...merged.values()];
}

/** Adds what the program may do in the cluster, as far as these controllers need it. */
export function addRights(
  scope: Construct,
  namespace: string,
  labels: { [key: string]: string },
  controllers: readonly AwsCloudController[],
): ApiObject {
  const subjects = [{ kind: 'ServiceAccount', name: CCM_NAMES.serviceAccount, namespace }];
  const used = CCM_CLUSTER_RULES.filter(
    ({ usedBy }) => usedBy === undefined || controllers.some((controller) => usedBy.includes(controller)),
  );
  const make = (id: string, kind: string, metadata: { name: string; namespace?: string }, rest: Json) => {
    const props = { apiVersion: API_VERSION, kind, metadata: { ...metadata, labels }, ...rest };
    return metadata.namespace === undefined ? clusterScoped(scope, id, props) : new ApiObject(scope, id, props);
  };
  const roleRef = (kind: string, name: string) => ({ apiGroup: GROUP, kind, name });

  const { clusterRole, authenticationReader, leaderElection } = CCM_NAMES;
  const role = make('ClusterRole', 'ClusterRole', { name: clusterRole }, { rules: rulesJson(used) });
  make(
    'ClusterRoleBinding',
    'ClusterRoleBinding',
    { name: clusterRole },
    { roleRef: roleRef('ClusterRole', clusterRole), subjects },
  );
  make(
    'AuthenticationReader',
    'RoleBinding',
    { name: authenticationReader, namespace },
    { roleRef: roleRef('Role', AUTHENTICATION_READER_ROLE), subjects },
  );
  make('LeaseRole', 'Role', { name: leaderElection, namespace }, { rules: rulesJson(CCM_LEASE_RULES) });
  make(
    'LeaseRoleBinding',
    'RoleBinding',
    { name: leaderElection, namespace },
    { roleRef: roleRef('Role', leaderElection), subjects },
  );
  return role;
}
