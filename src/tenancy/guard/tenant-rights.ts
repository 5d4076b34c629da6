import { type Json, list } from '../../contract/json';
import type { Mistake } from '../../contract/rule';
import { RuleSet } from '../../rules/rule-set';
import { objectRules } from '../fault';
import { GATEWAY_API } from '../tenancy.facts';
import { PLATFORM_KINDS, RIGHTS_OF_OTHERS } from './guard.facts';
import type { GuardedKind } from './options';
import { GUARD } from './rules';

const READ = ['get', 'list', 'watch'];

const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];

const ATTACHMENTS = ['listenersets', 'tcproutes', 'tlsroutes'];

/** Kinds that policies for listeners check: with any of them unchecked, a tenant reaches what is not its own. */
const CHECKED = [...ATTACHMENTS, 'udproutes'];

export function tenantRights(attachments: boolean): Json[] {
  return [
    { apiGroups: [''], resources: ['services'], verbs: [...READ, ...WRITE] },
    { apiGroups: [''], resources: ['services/status'], verbs: ['get'] },
    { apiGroups: [''], resources: ['events', 'resourcequotas'], verbs: READ },
    { apiGroups: [GATEWAY_API.group], resources: ATTACHMENTS, verbs: attachments ? [...READ, ...WRITE] : READ },
  ];
}

const NEVER: readonly GuardedKind[] = PLATFORM_KINDS.flat();

interface TenantRoleContext {
  readonly guarded: readonly GuardedKind[];
  readonly attachments: boolean;
  readonly hasListenerPolicy?: boolean;
}

export const TENANT_ROLE_RULES = objectRules<typeof GUARD, TenantRoleContext>(GUARD, {
  'tenant-permission-excessive': (role, { guarded, attachments }) => {
    const kept = attachments ? [] : CHECKED.map((resource) => ({ group: GATEWAY_API.group, resource }));
    return list<Json>(role.rules).map((rule) => rightFinding(rule, [...NEVER, ...guarded, ...kept]));
  },
  'tenant-ports-unchecked': (_, { attachments, hasListenerPolicy }) =>
    attachments && !hasListenerPolicy && { value: 'attachments' },
});

export const TENANT_ROLE_RULE_SET = new RuleSet(TENANT_ROLE_RULES, 'kubernetes');

function rightFinding(
  { apiGroups = [], resources = [], verbs = [] }: Json,
  never: readonly GuardedKind[],
): Mistake | undefined {
  const harmful: string[] = verbs.filter((verb: string) => !READ.includes(verb));
  const hit = never.find(
    ({ group, resource }) => covers(apiGroups, group) && resources.some((one: string) => names(one, resource)),
  );
  const foreign =
    RIGHTS_OF_OTHERS.find(({ verb }) => harmful.includes(verb)) ??
    RIGHTS_OF_OTHERS.find(
      (one) =>
        hit === undefined &&
        harmful.includes('*') &&
        covers(apiGroups, one.group) &&
        one.resources.some((resource) => resources.includes(resource)),
    );
  const what = foreign
    ? `to ${foreign.verb} is to act with the rights of others`
    : hit && harmful.length > 0
      ? `a tenant who may ${harmful.join(', ')} ${resources.join(', ')} of '${apiGroups.join(', ')}' can write ${hit.resource === '*' ? `everything of ${hit.group}` : hit.resource}`
      : undefined;
  const hasStar = [...apiGroups, ...resources, ...verbs].some((one: string) => one.includes('*'));
  const remedy = hasStar ? 'leave it out, and name groups, resources and verbs instead of stars' : 'leave it out';
  return what === undefined ? undefined : { what, remedy, value: resources.join(', ') };
}

function covers(groups: readonly string[], group: string): boolean {
  return groups.includes('*') || groups.includes(group);
}

/** Syntax of the resources of an RBAC rule. kubernetes/component-helpers v0.36.3: auth/rbac/validation/policy_comparator.go */
function names(written: string, resource: string): boolean {
  const [, below] = resource.split('/');
  return (
    written === '*' || resource === '*' || written === resource || (below !== undefined && written === `*/${below}`)
  );
}
