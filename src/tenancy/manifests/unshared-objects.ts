import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { judgeObject } from '../../rules/judge-object';
import { Judgement } from '../../rules/rule';
import { annotationsOf } from '../../rules/service-json';
import { isNamedOfCluster, isOfCluster, titleOf } from './object-identity';
import { remarkOnBinding, remarkOnEndpoints } from './rights-of-tenants';
import type { TenantObject } from './tenant-file';
import {
  BALANCER_INGRESS_CLASSES,
  BALANCER_INGRESS_PREFIXES,
  BALANCER_KIND,
  INGRESS_CLASS_ANNOTATION,
} from './tenant-manifests.facts';

/** Has an object of a tenant's file judged that shares nothing, where something about it surprises. */
export function judgeBystander(
  host: Construct,
  object: ApiObject,
  { json, at }: TenantObject,
  objects: readonly TenantObject[],
): void {
  if (remarksOf(json, at, objects).length > 0) {
    judgeObject(host, object, {
      judge: (now) => Object.assign(new Judgement(), { warnings: remarksOf(now, at, objects) }),
    });
  }
}

function remarksOf(json: Json, at: string, objects: readonly TenantObject[]): LoadBalancerFinding[] {
  const title = `${titleOf(json)} (${at})`;
  const found = [...remarkOnBinding(json, title, objects), ...remarkOnEndpoints(json, title)];
  const own = balancerOfItsOwn(json);
  if (own !== undefined) {
    found.push({
      ruleId: 'tenant-balancer-of-its-own',
      who: 'kubernetes',
      what: `${title} ${own}, which its controller turns into a load balancer of the tenant's own`,
      remedy:
        'take it out, or acknowledge it where the tenant may have one; policies that guard Services do not see it',
      value: json.kind,
    });
  }
  if (isOfCluster(json)) {
    const by = isNamedOfCluster(json) ? ', by the name of its kind' : '';
    found.push({
      ruleId: 'tenant-beyond-namespace',
      who: 'kubernetes',
      what: `${title} belongs to the whole cluster${by}, and whoever applies this output gives it to the tenant`,
      remedy: 'look through it, and acknowledge it',
      value: json.kind,
    });
  }
  const where = json.kind === 'Service' ? undefined : balancerIn(json.spec, 'spec');
  if (where !== undefined) {
    found.push({
      ruleId: 'tenant-service-of-operator',
      who: 'kubernetes',
      what: `${title} says LoadBalancer at ${where}: whoever makes a Service of it makes a balancer of its own`,
      remedy: 'add SharedServicesAtRunTime and a class default, which share it, or change it in the file',
      value: where,
    });
  }
  return found;
}

/** How an object that is no Service asks for a balancer of its own. */
function balancerOfItsOwn(json: Json): string | undefined {
  const { kind, spec } = json;
  if (kind !== 'Ingress') {
    return BALANCER_KIND.test(kind) ? `is of kind ${kind}` : undefined;
  }
  const annotations = annotationsOf(json);
  const said = spec?.ingressClassName ?? annotations[INGRESS_CLASS_ANNOTATION];
  const key = Object.keys(annotations).find((one) =>
    BALANCER_INGRESS_PREFIXES.some((prefix) => one.startsWith(prefix)),
  );
  return BALANCER_INGRESS_CLASSES.includes(said)
    ? `has the class ${said}`
    : key === undefined
      ? undefined
      : `has the annotation ${key}`;
}

/** Where in an object something asks for a load balancer. */
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
