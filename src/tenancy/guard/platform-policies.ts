import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import { GATEWAY_API, SUSPENDED_LABEL } from '../tenancy.facts';
import { keepAsMade } from './app-state';
import {
  ADMISSION_API_VERSION,
  DELETER_SERVICE_ACCOUNTS,
  DELETER_USERS,
  SERVICE_ACCOUNT_GROUP_PREFIX,
  VALIDATING_BINDING,
  VALIDATING_POLICY,
} from './guard.facts';
import type { GuardedKind } from './options';
import {
  ALWAYS,
  celText,
  celTexts,
  clusterObject,
  constraints,
  type DenyPolicy,
  denyPolicy,
  inNamespaces,
  madeByNoneOf,
  requirePolicySupport,
} from './policy';

import { TenancyIdentity } from './tenancy-identity';

interface ReservedKinds extends Pick<DenyPolicy, 'name' | 'namespaceSelector' | 'help'> {
  readonly kinds: readonly GuardedKind[];
  readonly exempt: readonly TenancyIdentity[];
}

export function deleters(): TenancyIdentity[] {
  return [
    ...DELETER_SERVICE_ACCOUNTS.map((account) => TenancyIdentity.serviceAccount(...account)),
    ...DELETER_USERS.map((user) => TenancyIdentity.user(user)),
  ];
}

export function reserveKinds(host: Construct, { kinds, exempt, ...policy }: ReservedKinds): ApiObject {
  const message = 'objects of this kind are written by the platform alone, in namespaces of tenants';
  const known = new Set(TenancyIdentity.knownControllers().map(({ username }) => username));
  const writers = exempt.map(({ username }) => username).filter((username) => !known.has(username));
  const named = [...new Set(writers)].slice(0, NAMED);
  const remedy =
    named.length === 0
      ? 'ask it for what you need'
      : `ask it for what you need, or have ${named.join(' or ')} apply it`;
  return denyPolicy(host, 'Kinds', {
    ...policy,
    exempt: [...exempt, ...deleters()],
    rules: kinds.map(({ group, resource }) => ({
      apiGroups: [group],
      apiVersions: ['*'],
      operations: ['CREATE', 'UPDATE', 'DELETE'],
      resources: [resource],
    })),
    faults: [{ when: ALWAYS, says: `request.resource.resource + ${celText(`: ${message}: ${remedy}`)}` }],
    message: `${message}: ${remedy}`,
  });
}

/** Identities in a message. */
const NAMED = 2;

interface LabelPolicyScope {
  readonly name: string;
  readonly namespaceLabels: { readonly [key: string]: string };
  readonly kubernetes: KubernetesVersion;
}

/** Who may write every namespace is the platform; rights in one namespace alone are those of a tenant. */
const IS_OF_TENANT = ['update', 'patch']
  .map((verb) => `!authorizer.group('').resource('namespaces').check('${verb}').allowed()`)
  .join(' && ');

/**
 * The labels that make a namespace one of a tenant, and the one that suspends it, are changed by who may write every namespace: an
 * identity with all rights in its own namespace could resume itself, or leave the policies. All namespaces are looked at, since
 * a policy for those with a label would not see who takes it away.
 */
export function makeLabelPolicy(host: Construct, { name, namespaceLabels, kubernetes }: LabelPolicyScope): void {
  requirePolicySupport(host, kubernetes, undefined);
  const keys = celTexts([...Object.keys(namespaceLabels), SUSPENDED_LABEL].sort());
  const changed = `${keys}.exists(k, ${labels('object')}[?k] != ${labels('oldObject')}[?k])`;
  const message = 'labels that make a namespace one of a tenant, or suspend it, are changed by the platform alone';
  denyPolicy(host, 'Labels', {
    name: `${name}-labels`,
    namespaceSelector: {},
    exempt: [],
    rules: [
      {
        apiGroups: [''],
        apiVersions: ['*'],
        operations: ['UPDATE'],
        // who writes a status, or finalizers of the spec, writes labels as well
        resources: ['namespaces', 'namespaces/status', 'namespaces/finalize'],
      },
    ],
    conditions: [
      { name: 'labels-changed', expression: changed },
      { name: 'not-platform', expression: IS_OF_TENANT },
    ],
    faults: [{ when: ALWAYS, says: celText(message) }],
    message,
  });
}

function labels(of: string): string {
  return `${of}.metadata.?labels.orValue({})`;
}

interface TlsRoutePolicies extends Pick<DenyPolicy, 'name' | 'namespaceSelector' | 'exempt'> {
  readonly reserved: boolean;
}

const RESOURCES = { apiGroups: [GATEWAY_API.group], apiVersions: ['*'], resources: ['tlsroutes'] };

/**
 * Keeps tenants from TLSRoutes with which they harm those who share a port with them. Envoy has one listener for all names of a
 * port, and takes none of it where two routes have the same name: from then on no route at that port changes, and a proxy that starts
 * anew serves no name at all. Limits of connections count for each route, so with more of them a tenant has more.
 *
 * @see https://www.envoyproxy.io/docs/envoy/v1.39.1/api-v3/config/listener/v3/listener_components.proto
 */
export function makeTlsRoutePolicies(host: Construct, policies: TlsRoutePolicies): void {
  if (policies.reserved) {
    reserve(host, policies);
  }
  refuseSameNames(host, policies);
}

/** Operators serve all namespaces and may write TLSRoutes in all; tenants may in theirs at most. */
const BY_TENANT = [
  `request.userInfo.?groups.orValue([]).exists(g, g == ${celText(SERVICE_ACCOUNT_GROUP_PREFIX)} + request.namespace)`,
  `!authorizer.group(${celText(GATEWAY_API.group)}).resource('tlsroutes').check('create').allowed()`,
].join(' || ');

function reserve(host: Construct, { name, namespaceSelector, exempt }: TlsRoutePolicies): void {
  const message =
    'tlsroutes: these are written by the platform, and by operators that may write them in all namespaces: ask it for the host names that you need';
  denyPolicy(host, 'TlsRoutes', {
    name: `${name}-tls-routes`,
    namespaceSelector,
    exempt,
    rules: [{ ...RESOURCES, operations: ['CREATE', 'UPDATE', 'DELETE'] }],
    conditions: [{ name: 'by-tenant', expression: BY_TENANT }],
    faults: [{ when: ALWAYS, says: celText(message) }],
    message,
  });
}

/** True where the host names `h` and `p` are one at some listener: at one of `api.example.com` the star of `*.example.com` is that name. */
const MEET =
  "h == p || (p.startsWith('*.') && h.endsWith(p.substring(1))) || (h.startsWith('*.') && p.endsWith(h.substring(1)))";

/**
 * A name is in one TLSRoute at most. The other routes of the namespace are those that the API server knows of when it is asked:
 * of two requests at once both may pass.
 */
function refuseSameNames(host: Construct, { name, namespaceSelector, exempt }: TlsRoutePolicies): void {
  const policyName = `${name}-tls-names`;
  const hostnames = (of: string) => `${of}.spec.?hostnames.orValue([])`;
  const isAtListeners = (of: string) =>
    `${of}.spec.?parentRefs.orValue([]).exists(p, p.?kind.orValue('Gateway') == 'ListenerSet')`;
  const same = `${hostnames('object')}.filter(h, ${hostnames('params')}.exists(p, ${MEET}))`;
  const exemption = madeByNoneOf(exempt);
  const policy: Json = {
    failurePolicy: 'Fail',
    paramKind: { apiVersion: GATEWAY_API.version, kind: 'TLSRoute' },
    // where a parameter cannot be read, requests are refused whatever the binding selects
    matchConstraints: { ...constraints([{ ...RESOURCES, operations: ['CREATE', 'UPDATE'] }]), namespaceSelector },
    matchConditions: [
      { name: 'changed', expression: 'oldObject == null || object.spec != oldObject.spec' },
      ...(exemption === '' ? [] : [{ name: 'not-exempt', expression: exemption }]),
    ],
    validations: [
      {
        expression: `params.metadata.name == object.metadata.name || !(${isAtListeners('object')} && ${isAtListeners('params')}) || size(${same}) == 0`,
        message:
          'another TLSRoute of the namespace has one of the hostnames, or a star over it: name each in one route',
        messageExpression: `'hostnames ' + ${same}.join(', ') + ' are those of TLSRoute ' + params.metadata.name + ' already, or a star has both: name each in one route'`,
        reason: 'Forbidden',
      },
    ],
  };
  const binding: Json = {
    policyName,
    validationActions: ['Deny', 'Audit'],
    paramRef: { selector: {}, parameterNotFoundAction: 'Allow' },
    matchResources: inNamespaces(namespaceSelector),
  };
  for (const [id, kind, spec] of [
    ['TlsNames', VALIDATING_POLICY, policy],
    ['TlsNamesBinding', VALIDATING_BINDING, binding],
  ] as const) {
    const content = { spec };
    keepAsMade(
      clusterObject(host, id, { apiVersion: ADMISSION_API_VERSION, kind, name: policyName, content }),
      content,
    );
  }
}
