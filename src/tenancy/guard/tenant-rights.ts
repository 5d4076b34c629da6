import type { Json } from '../../contract/json';
import { Judgement } from '../../rules/rule';
import { GATEWAY_API } from '../tenancy.facts';
import { DANGEROUS_KINDS_OF_ENGINES } from './dangerous-kinds.facts';
import { ADMISSION_GROUP, DISCOVERY_GROUP, RBAC_GROUP } from './guard.facts';
import type { GuardedKind } from './shared-listener-policy.options';

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];

/** What stands between a listener of a tenant and its pods. */
const ATTACHMENTS = ['listenersets', 'tcproutes', 'tlsroutes'];

/** What fences between listeners judge: with none of them, a tenant reaches what is not its own. */
const JUDGED = [...ATTACHMENTS, 'udproutes'];

/** What every tenant may do. */
export function tenantRights(attachments: boolean): Json[] {
  return [
    { apiGroups: [''], resources: ['services'], verbs: [...READ, ...WRITE] },
    { apiGroups: [''], resources: ['services/status'], verbs: ['get'] },
    { apiGroups: [''], resources: ['events', 'resourcequotas'], verbs: READ },
    { apiGroups: [GATEWAY_API.group], resources: ATTACHMENTS, verbs: attachments ? [...READ, ...WRITE] : READ },
  ];
}

/** What tenants may never write, whoever asks for it. */
const NEVER: readonly GuardedKind[] = [
  { group: '', resource: 'services/status' },
  { group: '', resource: 'resourcequotas' },
  { group: '', resource: 'resourcequotas/status' },
  { group: '', resource: 'namespaces' },
  { group: '', resource: 'namespaces/finalize' },
  { group: '', resource: 'namespaces/status' },
  // a token of a service account outlives what its pods may do
  { group: '', resource: 'serviceaccounts/token' },
  // addresses of others behind a Service of one's own
  { group: '', resource: 'endpoints' },
  { group: DISCOVERY_GROUP, resource: 'endpointslices' },
  { group: GATEWAY_API.group, resource: 'gatewayclasses' },
  { group: GATEWAY_API.group, resource: 'gateways' },
  { group: ADMISSION_GROUP, resource: 'mutatingadmissionpolicies' },
  { group: ADMISSION_GROUP, resource: 'mutatingadmissionpolicybindings' },
  { group: ADMISSION_GROUP, resource: 'validatingadmissionpolicies' },
  { group: ADMISSION_GROUP, resource: 'validatingadmissionpolicybindings' },
  { group: RBAC_GROUP, resource: 'clusterroles' },
  { group: RBAC_GROUP, resource: 'clusterrolebindings' },
  ...['gateways', ...JUDGED].map((resource) => ({ group: GATEWAY_API.group, resource: `${resource}/status` })),
  ...DANGEROUS_KINDS_OF_ENGINES,
];

/** Verbs by which somebody gets the rights of somebody else, each with what it is one of. */
const OF_OTHERS: readonly { readonly verb: string; readonly group: string; readonly resources: readonly string[] }[] = [
  { verb: 'bind', group: RBAC_GROUP, resources: ['roles', 'clusterroles'] },
  { verb: 'escalate', group: RBAC_GROUP, resources: ['roles', 'clusterroles'] },
  { verb: 'impersonate', group: '', resources: ['serviceaccounts', 'users', 'groups'] },
];

/** Judges the finished role of tenants. */
export function judgeTenantRole(
  role: Json,
  guarded: readonly GuardedKind[],
  attachments: boolean,
  listenersAreJudged: boolean,
): Judgement {
  const kept = attachments ? [] : JUDGED.map((resource) => ({ group: GATEWAY_API.group, resource }));
  const never = [...NEVER, ...guarded, ...kept];
  const judgement = new Judgement();
  const rules: Json[] = Array.isArray(role.rules) ? role.rules : [];
  judgement.errors = rules.flatMap(({ apiGroups = [], resources = [], verbs = [] }) => {
    const harmful: string[] = verbs.filter((verb: string) => !READ.includes(verb));
    const hit = never.find(
      ({ group, resource }) => covers(apiGroups, group) && resources.some((said: string) => isSaid(said, resource)),
    );
    const foreign =
      OF_OTHERS.find(({ verb }) => harmful.includes(verb)) ??
      OF_OTHERS.find(
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
    return what === undefined
      ? []
      : [
          {
            ruleId: 'tenant-right',
            who: 'kubernetes',
            what,
            remedy: [...apiGroups, ...resources, ...verbs].some((said: string) => said.includes('*'))
              ? 'leave it out; stars name everything, so name groups, resources and verbs'
              : 'leave it out',
            value: resources.join(', '),
          },
        ];
  });
  judgement.warnings = attachments && !listenersAreJudged ? [NOT_JUDGED] : [];
  return judgement;
}

const NOT_JUDGED = {
  ruleId: 'tenant-attachments',
  who: 'kubernetes',
  what: 'tenants write listeners and routes of shared balancers themselves, and no SharedListenerPolicy of the app judges them: each can take any port',
  remedy: 'add one, or acknowledge it where another app has it',
  value: 'attachments',
};

function covers(groups: readonly string[], group: string): boolean {
  return groups.includes('*') || groups.includes(group);
}

/** How RBAC reads the resource of a rule. kubernetes/component-helpers v0.36.3: auth/rbac/validation/policy_comparator.go */
function isSaid(said: string, resource: string): boolean {
  const [, below] = resource.split('/');
  return said === '*' || resource === '*' || said === resource || (below !== undefined && said === `*/${below}`);
}
