import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { isMap, type Json, list, ownValue, shown } from '../../contract/json';
import type { Mistake } from '../../contract/rule';
import { groupOf } from '../../rules/objects';
import { RuleSet } from '../../rules/rule-set';
import { annotationsOf, portsOf, wantsLoadBalancer } from '../../rules/service-json';
import { validateObject } from '../../rules/synth-object';
import { faultOf, faultsIn, objectRules } from '../fault';
import { ADMISSION_GROUP, INGRESS_CLASS_ANNOTATION, RBAC_GROUP } from '../guard/guard.facts';
import type { GuardedKind } from '../guard/options';
import { TENANT_ROLE_RULE_SET } from '../guard/tenant-rights';
import { GATEWAY_API } from '../tenancy.facts';
import { METADATA_FIELDS, ROLE_FIELDS, SERVICE_FIELDS } from './fields.facts';
import { fieldFindings, isNamedOfCluster, isOfCluster, MANIFESTS, type TenantObject, titleOf } from './tenant-file';
import * as facts from './tenant-manifests.facts';
import { OVERRIDING_RESOURCES } from './tenant-manifests.facts';

function reservedRights(json: Json, dangerous: readonly GuardedKind[]): Mistake[] {
  const title = titleOf(json);
  if (isOfRbac(json, 'Role', 'ClusterRole')) {
    const guarded = [...dangerous, ...OVERRIDING_RESOURCES];
    const { errors } = TENANT_ROLE_RULE_SET.check(withoutEndpoints(readable(json)), { guarded, attachments: false });
    const named = errors.map(({ what, remedy }) => ({ what: `${title}: ${what}`, remedy }));
    const aggregated = isAggregated(json) && { object: title, role: facts.CLUSTER_ADMIN };
    return [...named, ...faultsIn(MANIFESTS, { aggregated })];
  }
  const role = boundRole(json);
  const isAdmin = role?.kind === 'ClusterRole' && role.name === facts.CLUSTER_ADMIN;
  return faultsIn(MANIFESTS, { adminRights: isAdmin && { object: title, role: facts.CLUSTER_ADMIN } });
}

function isAggregated({ kind, aggregationRule }: Json): boolean {
  return kind === 'ClusterRole' && aggregationRule !== undefined && aggregationRule !== null;
}

export function unknownRole(json: Json, objects: readonly Json[]): string | undefined {
  const role = boundRole(json);
  const isKnown = objects.some(
    (other) => isOfRbac(other, 'Role', 'ClusterRole') && isSame(role, { ...other, name: other.metadata.name }),
  );
  return role === undefined || isKnown ? undefined : `${role.kind} ${role.name}`;
}

/** True if a Role lets its subjects write Endpoints, as pods that elect their leader in Endpoints need (Patroni). */
export function letsWriteEndpoints(json: Json): boolean {
  return isOfRbac(json, 'Role') && list<Json>(readable(json).rules).some(writesEndpoints);
}

function isRole(json: Json): boolean {
  return isOfRbac(json, 'Role', 'ClusterRole');
}

function writesEndpoints({ apiGroups, resources, verbs }: Json): boolean {
  const isRead = (verb: string) => ['get', 'list', 'watch'].includes(verb);
  return namesCore(apiGroups) && resources.includes('endpoints') && !verbs.every(isRead);
}

function namesCore(apiGroups: readonly string[]): boolean {
  return apiGroups.includes('') && !apiGroups.includes('*');
}

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

interface TenantContext {
  readonly tenant: string;
  readonly dangerous: readonly GuardedKind[];
  readonly readsFromServices: (annotation: string) => boolean;
  /** The shared Gateways that no HTTP route of a tenant may attach to, as `namespace/name`. */
  readonly gateways: readonly string[];
}

export const TENANT_OBJECT_RULES = objectRules<typeof MANIFESTS, TenantContext>(MANIFESTS, {
  'tenant-field-wrong-type': (json) => [
    ...fieldFindings(titleOf(json), json, METADATA_FIELDS),
    ...(isRole(json) ? fieldFindings(titleOf(json), json, ROLE_FIELDS) : []),
    ...(wantsLoadBalancer(json) ? fieldFindings(titleOf(json), json, SERVICE_FIELDS) : []),
  ],
  'tenant-namespace-mismatch': (json, { tenant }) => {
    const { namespace } = json.metadata;
    return namespace !== undefined && namespace !== tenant && { json: titleOf(json), namespace, tenant };
  },
  'tenant-object-reserved': (json, context) => {
    const reserved = RESERVED.find(({ holds }) => holds(json, groupOf(json), context));
    const { why, remedy = 'remove it, and let the platform make it' } = reserved ?? {};
    return [...reservedRights(json, context.dangerous), reserved && { object: titleOf(json), why, remedy }];
  },
  'tenant-annotation-affects-others': (json, { readsFromServices }) => {
    const isService = json.kind === 'Service' && groupOf(json) === '';
    const keys = isService ? Object.keys(annotationsOf(json)).filter(readsFromServices) : [];
    return keys.length > 0 && { json: titleOf(json), keys: keys.join(', ') };
  },
  'ingress-nginx-retired': (json) => isOfIngressNginx(json) && { json: titleOf(json) },
  'tenant-protocol-unsupported': (json) =>
    wantsLoadBalancer(json) && portsOf(json).map((port) => protocolFinding(titleOf(json), port)),
  'tenant-port-invalid': (json) =>
    wantsLoadBalancer(json) && [
      isMissing(json.spec.ports) && { json: titleOf(json) },
      ...portsOf(json).map((port) => portFinding(titleOf(json), port)),
    ],
  'tenant-service-headless': (json) =>
    wantsLoadBalancer(json) && json.spec.clusterIP === 'None' && { json: titleOf(json) },
});

export const TENANT_OBJECT_RULE_SET = new RuleSet(TENANT_OBJECT_RULES);

interface ReservedKinds {
  readonly holds: (json: Json, group: string, context: TenantContext) => boolean;
  readonly why: string;
  readonly remedy?: string;
}

const RESERVED: readonly ReservedKinds[] = [
  {
    holds: ({ kind }, group) =>
      group === facts.EXPERIMENTAL_GATEWAY_GROUP ||
      (group === GATEWAY_API.group && facts.LISTENER_KINDS.includes(kind)),
    why: 'grants what tenants share',
    remedy: 'remove it: listeners and routes are made of the Services in the file',
  },
  {
    holds: ({ kind }, group) => group === ADMISSION_GROUP || (group === '' && kind === facts.QUOTA_KIND),
    why: 'limits tenants',
  },
  {
    // an apply removes labels that the file does not have, and annotations can grant ports
    holds: ({ kind }, group) => group === '' && kind === 'Namespace',
    why: 'decides by labels and annotations which namespaces are tenants, and their limits',
    remedy: 'remove it: the platform makes the namespaces of tenants',
  },
  {
    holds: (_, group) => facts.OVERRIDING_GROUPS.includes(group),
    why: 'has a controller of the platform write or allow what tenants may not',
  },
  {
    holds: ({ kind }, group) =>
      facts.DELIVERY_KINDS.some((one) => one.group === group && (one.kinds === '*' || one.kinds.includes(kind))),
    why: 'has a delivery tool apply further manifests, which are not checked here',
    remedy:
      'put the manifests themselves into the file, or have the platform make it with a service account of the tenant',
  },
  {
    holds: (json, group) => ownValue(facts.ENDPOINT_KINDS, json.kind) === group && addressesOf(json).length > 0,
    why: 'leads a Service to any address, such as a pod of another tenant',
    remedy: 'remove it, and let the Service select its pods',
  },
  {
    holds: leadsToShared,
    why: 'attaches to what tenants share',
    remedy: 'attach it to a Gateway of the tenant',
  },
  {
    holds: ({ kind }, group, { dangerous }) =>
      dangerous.some((one) => one.group === group && isResource(kind, one.resource)),
    why: 'grants what tenants share',
  },
];

/** The platform applies the file, and policies for routes do not check the platform. */
function leadsToShared({ kind, spec }: Json, group: string, { gateways, tenant }: TenantContext): boolean {
  return (
    group === GATEWAY_API.group &&
    (kind === 'HTTPRoute' || kind === 'GRPCRoute') &&
    list<Json>(spec?.parentRefs)
      .filter(isMap)
      .some(
        ({ kind: of, namespace = tenant, name }) => of === 'ListenerSet' || gateways.includes(`${namespace}/${name}`),
      )
  );
}

/** The addresses behind a Service; software that elects a leader ships an empty list, and fills it later. */
function addressesOf({ subsets, endpoints }: Json): unknown[] {
  const written = list<Json>(subsets).flatMap((subset) => [
    ...list(subset?.addresses),
    ...list(subset?.notReadyAddresses),
  ]);
  return [...written, ...list(endpoints)];
}

function isResource(kind: string, resource: string): boolean {
  const lower = kind.toLowerCase();
  return resource === `${lower}s` || resource === `${lower}es` || resource === lower.replace(/y$/, 'ies');
}

function isOfIngressNginx(json: Json): boolean {
  const isTable = json.kind === 'ConfigMap' && json.metadata.name.endsWith(facts.NGINX_TCP_CONFIG);
  const leads = isMap(json.data) && Object.values(json.data).some((value) => /^[^/\s]+\/[^:\s]+:\d+/.test(`${value}`));
  const isController =
    has(json, (text) => text.startsWith(facts.NGINX_TCP_FLAG)) && has(json, (text) => text.includes('nginx'));
  return (isTable && leads) || isController;
}

function has(value: unknown, is: (text: string) => boolean): boolean {
  return typeof value === 'string'
    ? is(value)
    : typeof value === 'object' && value !== null && Object.values(value).some((inner) => has(inner, is));
}

function protocolFinding(service: string, { port, protocol }: Json): Mistake | undefined {
  const params = { service, port: portInWords(port), protocol };
  return typeof protocol !== 'string' || protocol === 'TCP'
    ? undefined
    : faultOf(MANIFESTS[PROTOCOLS.includes(protocol) ? 'tenant-protocol-unsupported' : 'unknownProtocol'], params);
}

function portFinding(service: string, { port, protocol }: Json): Mistake | undefined {
  const isTcp = typeof protocol !== 'string' || protocol === 'TCP';
  const params = { service, port: port === undefined ? 'a port without a number' : `the port ${shown(port)}` };
  const isNumber = Number.isInteger(port) && port >= 1 && port <= 65535;
  return isTcp && !isNumber ? faultOf(MANIFESTS.badPort, params) : undefined;
}

const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];

function portInWords(port: unknown): string {
  return port === undefined ? 'a port without a number' : `port ${typeof port === 'number' ? port : shown(port)}`;
}

/** True if a list is empty; the type of the field has a rule of its own. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

interface UnsharedContext {
  readonly place: string;
  readonly objects: readonly Json[];
}

export const UNSHARED_OBJECT_RULES = objectRules<typeof MANIFESTS, UnsharedContext>(MANIFESTS, {
  'tenant-role-binding': (json, { place, objects }) => {
    const role = unknownRole(json, objects);
    return role !== undefined && { json: titleOf(json), place, role, value: role };
  },
  // leader election needs the right, and with it a tenant can lead a port to any address: the platform decides
  'tenant-endpoints': (json, { place }) =>
    letsWriteEndpoints(json) && { json: titleOf(json), place, value: 'endpoints' },
  'tenant-dedicated-balancer': (json, { place }) => {
    const own = balancerOfItsOwn(json);
    return own !== undefined && { json: titleOf(json), place, own, value: json.kind };
  },
  'tenant-object-cluster-scoped': (json, { place }) => {
    const by = isNamedOfCluster(json) ? ', by the name of its kind' : '';
    return isOfCluster(json) && { json: titleOf(json), place, by, value: json.kind };
  },
  'tenant-operator-balancer': (json, { place }) => {
    const where = json.kind === 'Service' ? undefined : balancerIn(json.spec, 'spec');
    return where !== undefined && { json: titleOf(json), place, where, value: where };
  },
});

const RULE_SET = new RuleSet(UNSHARED_OBJECT_RULES, 'kubernetes');

export function validateUnshared(
  host: Construct,
  object: ApiObject,
  { json, place }: TenantObject,
  objects: readonly TenantObject[],
): void {
  const context = { place, objects: objects.map((one) => one.json) };
  if (RULE_SET.check(json, context).warnings.length > 0) {
    validateObject(host, object, { check: (now) => RULE_SET.check(now, context) });
  }
}

function balancerOfItsOwn(json: Json): string | undefined {
  const { kind, spec } = json;
  if (kind !== 'Ingress') {
    return facts.BALANCER_KIND.test(kind) ? `is of kind ${kind}` : undefined;
  }
  const annotations = annotationsOf(json);
  const className = spec?.ingressClassName ?? annotations[INGRESS_CLASS_ANNOTATION];
  const key = Object.keys(annotations).find((one) =>
    facts.BALANCER_INGRESS_PREFIXES.some((prefix) => one.startsWith(prefix)),
  );
  return facts.BALANCER_INGRESS_CLASSES.includes(className)
    ? `has the class ${className}`
    : key === undefined
      ? undefined
      : `has the annotation ${key}`;
}

function balancerIn(value: unknown, path: string): string | undefined {
  if (value === 'LoadBalancer') {
    return path;
  }
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  for (const [key, inner] of Object.entries(value)) {
    const found = balancerIn(inner, `${path}.${key}`);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
