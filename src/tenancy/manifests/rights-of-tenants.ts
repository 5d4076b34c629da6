import type { Finding } from '../../contract/finding';
import { isMap, type Json, list } from '../../contract/json';
import { TEXTS } from '../../contract/schema/common.facts';
import { listOf, type SchemaFields } from '../../contract/schema/field';
import { groupOf } from '../../rules/objects';
import type { DangerousKind } from '../engines/contract/engine';
import { RBAC_GROUP } from '../guard/guard.facts';
import { TENANT_ROLE_RULE_SET } from '../guard/tenant-rights';
import { titleOf } from './object-identity';
import { CLUSTER_ADMIN, OVERRIDING_RESOURCES } from './tenant-manifests.facts';

/** Rights in a tenant's file that are reserved for the platform at a shared balancer. */
export function reservedRights(json: Json, dangerous: readonly DangerousKind[]): Finding[] {
  const title = titleOf(json);
  if (isOfRbac(json, 'Role', 'ClusterRole')) {
    const guarded = [...dangerous, ...OVERRIDING_RESOURCES];
    const { errors } = TENANT_ROLE_RULE_SET.judge(withoutEndpoints(readable(json)), { guarded, attachments: false });
    const named = errors.map(({ what, remedy }) => ({ what: `${title}: ${what}`, remedy }));
    return isAggregated(json) ? [...named, aggregated(title)] : named;
  }
  const role = boundRole(json);
  return role?.kind === 'ClusterRole' && role.name === CLUSTER_ADMIN
    ? [
        {
          what: `${title} gives the rights of ${CLUSTER_ADMIN}, which may do everything`,
          remedy: 'write a Role that names groups, resources and verbs, and bind that',
        },
      ]
    : [];
}

/** Whether a role gets its rules from other roles, by their labels: those of cluster-admin, for example. */
function isAggregated({ kind, aggregationRule }: Json): boolean {
  return kind === 'ClusterRole' && aggregationRule !== undefined && aggregationRule !== null;
}

function aggregated(title: string): Finding {
  return {
    what: `${title} has an aggregationRule, by which it gets the rights of every role with some labels, also those of ${CLUSTER_ADMIN}`,
    remedy: 'write rules that name groups, resources and verbs',
  };
}

/** The role that an object binds, if no other object of its file is that role. */
export function unknownRole(json: Json, objects: readonly Json[]): string | undefined {
  const role = boundRole(json);
  const isKnown = objects.some(
    (other) => isOfRbac(other, 'Role', 'ClusterRole') && isSame(role, { ...other, name: other.metadata.name }),
  );
  return role === undefined || isKnown ? undefined : `${role.kind} ${role.name}`;
}

/** Whether a Role lets its subjects write Endpoints, as pods that elect their leader in Endpoints need (Patroni). */
export function letsWriteEndpoints(json: Json): boolean {
  return isOfRbac(json, 'Role') && list<Json>(readable(json).rules).some(writesEndpoints);
}

/** Whether an object is a role. */
export function isRole(json: Json): boolean {
  return isOfRbac(json, 'Role', 'ClusterRole');
}

/** Whether a rule names the right to write Endpoints, by no star. */
function writesEndpoints({ apiGroups, resources, verbs }: Json): boolean {
  const isRead = (verb: string) => ['get', 'list', 'watch'].includes(verb);
  return namesCore(apiGroups) && resources.includes('endpoints') && !verbs.every(isRead);
}

function namesCore(apiGroups: readonly string[]): boolean {
  return apiGroups.includes('') && !apiGroups.includes('*');
}

/** A Role without its named right to write Endpoints, which has a rule of its own. */
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

/** Of a Role or ClusterRole. */
export const ROLE_FIELDS: SchemaFields = { rules: listOf({ apiGroups: TEXTS, resources: TEXTS, verbs: TEXTS }) };

/** A role with lists of texts alone; other values have a rule of their own. */
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
