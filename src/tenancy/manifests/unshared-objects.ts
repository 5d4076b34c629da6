import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { judgeObject } from '../../rules/judge-object';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { annotationsOf } from '../../rules/service-json';
import { INGRESS_CLASS_ANNOTATION } from '../guard/guard.facts';
import { MANIFESTS } from './rules';
import { isNamedOfCluster, isOfCluster, type TenantObject, titleOf } from './tenant-file';
import { BALANCER_INGRESS_CLASSES, BALANCER_INGRESS_PREFIXES, BALANCER_KIND } from './tenant-manifests.facts';
import { letsWriteEndpoints, unknownRole } from './tenant-object-rules';

interface UnsharedContext {
  readonly place: string;
  readonly objects: readonly Json[];
}

export const UNSHARED_OBJECT_RULES: readonly Rule<UnsharedContext>[] = [
  {
    ...MANIFESTS['tenant-binding'],
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
    ...MANIFESTS['tenant-endpoints'],
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
    ...MANIFESTS['tenant-balancer-of-its-own'],
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
    ...MANIFESTS['tenant-beyond-namespace'],
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
    ...MANIFESTS['tenant-service-of-operator'],
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
