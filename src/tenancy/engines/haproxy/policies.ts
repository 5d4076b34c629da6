import type { Construct } from 'constructs';
import type { Json } from '../../../contract/json';
import type { KubernetesVersion } from '../../../contract/kubernetes-version';
import { refuseFirst } from '../../fault';
import { keepAsMade, namespaceSelector } from '../../guard/app-state';
import { tenantsAmong } from '../../guard/exemptions';
import { ADMISSION_API_VERSION, INGRESS_CLASS_ANNOTATION } from '../../guard/guard.facts';
import { reserveKinds } from '../../guard/platform-policies';
import {
  type ClusterObject,
  celFinalizers,
  celText,
  celTexts,
  clusterObject,
  constraints,
  denyPolicy,
  inNamespaces,
  requirePolicySupport,
  SPEC_OR_ANNOTATIONS_CHANGED,
} from '../../guard/policy';
import type { TenancyIdentity } from '../../guard/tenancy-identity';
import { FINALIZER_PREFIX } from '../../tenancy.facts';
import type { DangerousKind } from '../contract/engine';
import {
  HAPROXY_ANNOTATION_PREFIXES,
  HAPROXY_CLASS_ANNOTATION,
  HAPROXY_COMMON_PREFIX,
  HAPROXY_SERVICE_ANNOTATIONS,
  HAPROXY_VERSION,
} from './facts';

/** The prefixes that are HAProxy's alone; behind the others only names that it knows are its own. */
const OWN_PREFIXES = HAPROXY_ANNOTATION_PREFIXES.filter((prefix) => prefix !== HAPROXY_COMMON_PREFIX);

export function readByHaproxy(key: string): boolean {
  const bare = key.startsWith(HAPROXY_COMMON_PREFIX) ? key.slice(HAPROXY_COMMON_PREFIX.length) : key;
  return (
    OWN_PREFIXES.some((prefix) => key.startsWith(prefix)) ||
    (!bare.includes('/') && HAPROXY_SERVICE_ANNOTATIONS.some((name) => bare === name || bare.startsWith(`${name}-`)))
  );
}

const READ_BY_HAPROXY = [
  ...OWN_PREFIXES.map((prefix) => `k.startsWith(${celText(prefix)})`),
  `((!k.contains('/') || k.startsWith(${celText(HAPROXY_COMMON_PREFIX)})) && ${celTexts(HAPROXY_SERVICE_ANNOTATIONS)}.exists(n, [n, ${celText(HAPROXY_COMMON_PREFIX)} + n].exists(m, k == m || k.startsWith(m + '-'))))`,
].join(' || ');

interface HaproxyPolicyScope {
  readonly name: string;
  readonly namespaceLabels: { readonly [key: string]: string };
  readonly ingressClass: string;
  readonly kubernetes: KubernetesVersion;
  /** The identities that alone may write HAProxy's kinds; without any, these are not checked. */
  readonly platform?: readonly TenancyIdentity[];
  readonly publishers: readonly TenancyIdentity[];
  readonly dangerous: readonly DangerousKind[];
}

/**
 * Tenants write no annotations that HAProxy's controller reads from their Services, no Ingress of its class, and none of its
 * kinds.
 */
export function makePolicies(scope: Construct, scopes: HaproxyPolicyScope): void {
  const { name, kubernetes, platform, publishers, dangerous, ingressClass } = scopes;
  requirePolicySupport(scope, kubernetes, undefined);
  refuseFirst(scope, [tenantsAmong(platform ?? [])]);
  const selector = namespaceSelector(scope, scopes.namespaceLabels);
  denyPolicy(scope, 'ServiceAnnotations', {
    name: `${name}-service-annotations`,
    namespaceSelector: selector,
    exempt: [],
    rules: [
      {
        apiGroups: [''],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE'],
        // a request that writes a status writes annotations as well
        resources: ['services', 'services/status'],
      },
    ],
    conditions: [annotationsChanged],
    faults: [
      {
        when: `${annotations('object')}.exists(k, ${READ_BY_HAPROXY})`,
        says: `${celText('HAProxy reads these annotations into the configuration of all tenants, remove them: ')} + ${annotations('object')}.map(k, k).filter(k, ${READ_BY_HAPROXY}).join(', ')`,
      },
    ],
    message: 'the Service has annotations that HAProxy reads into the configuration of all tenants; remove them',
  });
  const notTheirs = `ingress class ${ingressClass} is that of the shared load balancer: use another`;
  denyPolicy(scope, 'IngressClass', {
    name: `${name}-ingress-class`,
    namespaceSelector: selector,
    exempt: [],
    rules: [
      {
        apiGroups: ['networking.k8s.io'],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['ingresses', 'ingresses/status'],
      },
    ],
    conditions: [SPEC_OR_ANNOTATIONS_CHANGED],
    faults: [
      {
        when: `object.spec.?ingressClassName.orValue('') == ${celText(ingressClass)} || ${annotations('object')}.exists(k, k in ${celTexts(CLASS_ANNOTATIONS)} && object.metadata.annotations[k] == ${celText(ingressClass)})`,
        says: celText(notTheirs),
      },
    ],
    message: notTheirs,
  });
  keepPublished(scope, name, ingressClass, selector);
  if (platform && platform.length > 0) {
    reserveKinds(scope, {
      name: `${name}-kinds`,
      namespaceSelector: selector,
      kinds: dangerous,
      exempt: [...platform, ...publishers],
    });
  }
}

const CLASS_ANNOTATIONS = [INGRESS_CLASS_ANNOTATION, HAPROXY_CLASS_ANNOTATION];

/**
 * A Service that is published stays as it is: where the Service or its port is removed, the controller keeps the frontend for
 * it, HAProxy refuses the whole configuration, and nothing changes for any tenant. What is published is read from the tenant's
 * own objects; no identity is exempt, since the platform must withdraw it first as well. One that was published at run time may
 * be deleted: it stays, by its finalizer, until it is withdrawn.
 *
 * Requests that cannot be checked are refused, also while the definition of the kind is missing, and then whatever the binding
 * selects: so the policy itself selects the namespaces of tenants.
 */
function keepPublished(scope: Construct, name: string, ingressClass: string, selector: Json): void {
  const policy = `${name}-published-services`;
  const published = `'Service ' + variables.service + ' is published at the shared load balancer with port ' + variables.published.map(p, string(p)).join(', ')`;
  const isOfParams = `${annotations('params')}[?${celText(HAPROXY_CLASS_ANNOTATION)}].orValue('') == ${celText(ingressClass)}`;
  policyObject(scope, 'Published', {
    apiVersion: ADMISSION_API_VERSION,
    kind: 'ValidatingAdmissionPolicy',
    name: policy,
    content: {
      spec: {
        failurePolicy: 'Fail',
        paramKind: { apiVersion: HAPROXY_VERSION, kind: 'TCP' },
        matchConstraints: {
          ...constraints([
            {
              apiGroups: [''],
              apiVersions: ['*'],
              operations: ['UPDATE', 'DELETE'],
              // who writes a status writes finalizers as well
              resources: ['services', 'services/status'],
            },
          ]),
          namespaceSelector: selector,
        },
        matchConditions: [
          {
            name: 'published-and-changed',
            expression: `${isOfParams} && params.spec.exists(e, e.service.name == oldObject.metadata.name) && (request.operation == 'DELETE' || object.spec != oldObject.spec || ${celFinalizers('object')} != ${celFinalizers('oldObject')})`,
          },
        ],
        variables: [
          // a request that deletes many has no name
          { name: 'service', expression: 'oldObject.metadata.name' },
          {
            name: 'published',
            expression: `${isOfParams} ? params.spec.filter(e, e.service.name == variables.service).map(e, int(e.service.port)) : []`,
          },
          {
            name: 'ports',
            expression: "request.operation == 'DELETE' ? [] : object.spec.?ports.orValue([])",
          },
        ],
        validations: [
          {
            expression: `size(variables.published) == 0 || size(variables.ports) <= ${JUDGED_PORTS}`,
            message: `the Service is published at the shared load balancer, and ${JUDGED_PORTS} ports are the most that it may have`,
            messageExpression: `${published} + ', and it has ' + string(size(variables.ports)) + ' ports, and ${JUDGED_PORTS} are the most that can be judged: leave some out, or make a Service of its own for them'`,
            reason: 'Forbidden',
          },
          {
            expression: `size(variables.published) == 0 || (request.operation == 'DELETE' && ${IS_WITHDRAWN}) || size(variables.ports) > ${JUDGED_PORTS} || (request.operation == 'UPDATE' && (!${IS_WITHDRAWN} || ${celFinalizers('object')}.exists(f, ${OF_PUBLISHER})) && object.spec.?type.orValue('') != 'ExternalName' && variables.published.all(p, variables.ports.exists(q, q.port == p)))`,
            message: 'the Service is published at the shared load balancer: withdraw it there first',
            messageExpression: `${published} + ', and HAProxy could change nothing for any tenant without it: withdraw it there first, then delete or change it'`,
            reason: 'Forbidden',
          },
        ],
      },
    },
  });
  policyObject(scope, 'PublishedBinding', {
    apiVersion: ADMISSION_API_VERSION,
    kind: 'ValidatingAdmissionPolicyBinding',
    name: policy,
    content: {
      spec: {
        policyName: policy,
        validationActions: ['Deny', 'Audit'],
        // all in the namespace of the request: the platform's, and one for each Service that was created at run time
        paramRef: { selector: {}, parameterNotFoundAction: 'Allow' },
        matchResources: inNamespaces(selector),
      },
    },
  });
}

function policyObject(scope: Construct, id: string, object: ClusterObject): void {
  keepAsMade(clusterObject(scope, id, object), object.content);
}

const OF_PUBLISHER = `f.startsWith(${celText(FINALIZER_PREFIX)})`;
const IS_WITHDRAWN = `${celFinalizers('oldObject')}.exists(f, ${OF_PUBLISHER})`;

/** Ports of a Service of which as many can be published: each is compared with all, and the cost of an expression is limited. */
const JUDGED_PORTS = 256;

/** What was there before the policy serves nothing else than before. */
const annotationsChanged = {
  name: 'annotations-changed',
  expression: `oldObject == null || ${annotations('object')} != ${annotations('oldObject')}`,
};

function annotations(of: string): string {
  return `${of}.metadata.?annotations.orValue({})`;
}
