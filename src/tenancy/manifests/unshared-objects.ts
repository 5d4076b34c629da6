import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { judgeObject } from '../../rules/judge-object';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { annotationsOf } from '../../rules/service-json';
import { isNamedOfCluster, isOfCluster, titleOf } from './object-identity';
import { letsWriteEndpoints, unknownRole } from './rights-of-tenants';
import {
  TENANT_BALANCER_OF_ITS_OWN,
  TENANT_BEYOND_NAMESPACE,
  TENANT_BINDING,
  TENANT_ENDPOINTS,
  TENANT_SERVICE_OF_OPERATOR,
} from './rules';
import type { TenantObject } from './tenant-file';
import {
  BALANCER_INGRESS_CLASSES,
  BALANCER_INGRESS_PREFIXES,
  BALANCER_KIND,
  INGRESS_CLASS_ANNOTATION,
} from './tenant-manifests.facts';

/** What is known beside an object of a tenant that shares nothing. */
export interface UnsharedContext {
  /** File and line. */
  readonly place: string;
  /** All objects of the file. */
  readonly objects: readonly Json[];
}

/** What surprises about objects of a tenant that share nothing. */
export const UNSHARED_OBJECT_RULES: readonly Rule<UnsharedContext>[] = [
  {
    ...TENANT_BINDING,
    on: ['roleRef'],
    judge: (json, { place, objects }) => {
      const role = unknownRole(json, objects);
      return role === undefined
        ? undefined
        : {
            what: `${titleOf(json)} (${place}) gives the rights of ${role}, which is not in the file`,
            remedy: 'review them, and acknowledge it',
            value: role,
          };
    },
  },
  {
    ...TENANT_ENDPOINTS,
    on: ['rules'],
    // leader election needs the right, and with it a tenant can lead a port to any address: the platform decides
    judge: (json, { place }) =>
      letsWriteEndpoints(json)
        ? {
            what: `${titleOf(json)} (${place}) lets its subjects write endpoints, and so lead a port of the shared load balancer to pods of other tenants`,
            remedy:
              'have the software keep its leader elsewhere (Patroni: use_endpoints false and a selector in the Service; Spilo: KUBERNETES_USE_CONFIGMAPS), or acknowledge it if the tenant is trusted with that',
            value: 'endpoints',
          }
        : undefined,
  },
  {
    ...TENANT_BALANCER_OF_ITS_OWN,
    judge: (json, { place }) => {
      const own = balancerOfItsOwn(json);
      return own === undefined
        ? undefined
        : {
            what: `${titleOf(json)} (${place}) ${own}, of which its controller makes a load balancer of the tenant's own`,
            remedy: 'remove it, or acknowledge it if the tenant may have one; policies for Services do not check it',
            value: json.kind,
          };
    },
  },
  {
    ...TENANT_BEYOND_NAMESPACE,
    judge: (json, { place }) => {
      const by = isNamedOfCluster(json) ? ', by the name of its kind' : '';
      return isOfCluster(json)
        ? {
            what: `${titleOf(json)} (${place}) is cluster-scoped${by}, and applying this output gives it to the tenant`,
            remedy: 'review it, and acknowledge it',
            value: json.kind,
          }
        : undefined;
    },
  },
  {
    ...TENANT_SERVICE_OF_OPERATOR,
    on: ['spec'],
    judge: (json, { place }) => {
      const where = json.kind === 'Service' ? undefined : balancerIn(json.spec, 'spec');
      return where === undefined
        ? undefined
        : {
            what: `${titleOf(json)} (${place}) has LoadBalancer at ${where}: a Service that an operator makes of it gets a balancer of its own`,
            remedy: 'add SharedServicesAtRunTime and a class default, which share it, or change it in the file',
            value: where,
          };
    },
  },
];

const RULE_SET = new RuleSet(UNSHARED_OBJECT_RULES, 'kubernetes');

/** Has an object of a tenant's file validated that shares nothing, if something about it surprises. */
export function judgeUnshared(
  host: Construct,
  object: ApiObject,
  { json, place }: TenantObject,
  objects: readonly TenantObject[],
): void {
  const context = { place, objects: objects.map((one) => one.json) };
  if (RULE_SET.judge(json, context).warnings.length > 0) {
    judgeObject(host, object, { judge: (now) => RULE_SET.judge(now, context) });
  }
}

/** How an object other than a Service requests a balancer of its own, as a clause. */
function balancerOfItsOwn(json: Json): string | undefined {
  const { kind, spec } = json;
  if (kind !== 'Ingress') {
    return BALANCER_KIND.test(kind) ? `is of kind ${kind}` : undefined;
  }
  const annotations = annotationsOf(json);
  const className = spec?.ingressClassName ?? annotations[INGRESS_CLASS_ANNOTATION];
  const key = Object.keys(annotations).find((one) =>
    BALANCER_INGRESS_PREFIXES.some((prefix) => one.startsWith(prefix)),
  );
  return BALANCER_INGRESS_CLASSES.includes(className)
    ? `has the class ${className}`
    : key === undefined
      ? undefined
      : `has the annotation ${key}`;
}

/** The path in an object that requests a load balancer. */
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
