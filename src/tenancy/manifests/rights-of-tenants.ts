import { isMap, type Json, list } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { DangerousKind } from '../engines/contract/engine';
import { RBAC_GROUP } from '../guard/guard.facts';
import { judgeTenantRole } from '../guard/tenant-rights';
import { type FieldKinds, fieldFaults } from './field-kinds';
import { groupOf, titleOf } from './object-identity';
import type { FileFault, TenantObject } from './tenant-file';
import { CLUSTER_ADMIN, OVERRIDING_RESOURCES } from './tenant-manifests.facts';

/** Rights that a file gives out, and that nobody has at a shared balancer but the platform. */
export function faultsOfRights(object: TenantObject, dangerous: readonly DangerousKind[]): FileFault[] {
  const { json, at } = object;
  const title = titleOf(json);
  if (isOfRbac(json, 'Role', 'ClusterRole')) {
    const judged = withoutEndpoints(readable(json));
    const { errors } = judgeTenantRole(judged, [...dangerous, ...OVERRIDING_RESOURCES], false, true);
    return [
      ...fieldFaults(object, title, json, ROLE_KINDS),
      ...errors.map(({ what, remedy }) => ({ ruleId: 'tenant-fence', at, what: `${title}: ${what}`, remedy })),
    ];
  }
  const role = boundRole(json);
  return role?.kind === 'ClusterRole' && role.name === CLUSTER_ADMIN
    ? [
        {
          ruleId: 'tenant-fence',
          at,
          what: `${title} gives the rights of ${CLUSTER_ADMIN}, who may do everything`,
          remedy: 'write a Role that names groups, resources and verbs, and bind that',
        },
      ]
    : [];
}

/** What is to be looked at of a binding: its rights stand elsewhere, where nobody judges them here. */
export function remarkOnBinding(json: Json, title: string, objects: readonly TenantObject[]): LoadBalancerFinding[] {
  const role = boundRole(json);
  const isKnown = objects.some(
    ({ json: other }) =>
      isOfRbac(other, 'Role', 'ClusterRole') && isSame(role, { ...other, name: other.metadata.name }),
  );
  return role === undefined || isKnown
    ? []
    : [
        {
          ruleId: 'tenant-binding',
          who: 'kubernetes',
          what: `${title} gives the rights of ${role.kind} ${role.name}, which does not stand in the file`,
          remedy: 'look through them, and acknowledge it',
          value: `${role.kind} ${role.name}`,
        },
      ];
}

/**
 * Pods that elect their leader in Endpoints, as those of Patroni do, need the right to write them; with it they can lead a
 * port to any address. Both are true, so the platform decides.
 */
export function remarkOnEndpoints(json: Json, title: string): LoadBalancerFinding[] {
  return isOfRbac(json, 'Role') && list<Json>(readable(json).rules).some(writesEndpoints)
    ? [
        {
          ruleId: 'tenant-endpoints',
          who: 'kubernetes',
          what: `${title} lets its subjects write endpoints, so they can lead a port of the shared load balancer to pods of other tenants`,
          remedy:
            'have the software keep its leader elsewhere (Patroni: use_endpoints false and a selector in the Service; Spilo: KUBERNETES_USE_CONFIGMAPS), or acknowledge it where the tenant is trusted with that',
          value: 'endpoints',
        },
      ]
    : [];
}

/** Whether a rule names the right to write Endpoints, by no star. */
function writesEndpoints({ apiGroups, resources, verbs }: Json): boolean {
  const isRead = (verb: string) => ['get', 'list', 'watch'].includes(verb);
  return namesCore(apiGroups) && resources.includes('endpoints') && !verbs.every(isRead);
}

function namesCore(apiGroups: readonly string[]): boolean {
  return apiGroups.includes('') && !apiGroups.includes('*');
}

/** A Role whose named right to write Endpoints is told by itself. */
function withoutEndpoints(role: Json): Json {
  if (role.kind !== 'Role') {
    return role;
  }
  const rules = list<Json>(role.rules).map((rule) =>
    namesCore(rule.apiGroups)
      ? { ...rule, resources: rule.resources.filter((resource: string) => resource !== 'endpoints') }
      : rule,
  );
  return { ...role, rules };
}

function isSame(role: Json | undefined, { kind, name }: Json): boolean {
  return role?.kind === kind && role?.name === name;
}

function isOfRbac(json: Json, ...kinds: readonly string[]): boolean {
  return groupOf(json) === RBAC_GROUP && kinds.includes(json.kind);
}

function boundRole(json: Json): Json | undefined {
  return isOfRbac(json, 'RoleBinding', 'ClusterRoleBinding') && isMap(json.roleRef) ? json.roleRef : undefined;
}

const ROLE_KINDS: FieldKinds = {
  rules: 'list',
  'rules.[]': 'map',
  ...texts('apiGroups'),
  ...texts('resources'),
  ...texts('verbs'),
};

function texts(field: string): FieldKinds {
  return { [`rules.[].${field}`]: 'list', [`rules.[].${field}.[]`]: 'text' };
}

/** A role with lists of texts alone; what else stands there is told by itself. */
function readable(role: Json): Json {
  const textsOf = (value: unknown) => list<unknown>(value).filter((one) => typeof one === 'string');
  const rules = list<Json>(role.rules)
    .filter(isMap)
    .map(({ apiGroups, resources, verbs }) => ({
      apiGroups: textsOf(apiGroups),
      resources: textsOf(resources),
      verbs: textsOf(verbs),
    }));
  return { ...role, rules };
}
