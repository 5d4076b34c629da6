import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { judgeObject } from '../../rules/judge-object';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { annotationsOf } from '../../rules/service-json';
import { faultOf } from '../fault';
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
        : faultOf(MANIFESTS['tenant-binding'], { json: titleOf(json), place, role }, role);
    },
  },
  {
    ...MANIFESTS['tenant-endpoints'],
    on: ['rules'],
    // leader election needs the right, and with it a tenant can lead a port to any address: the platform decides
    judge: (json, { place }) =>
      letsWriteEndpoints(json)
        ? faultOf(MANIFESTS['tenant-endpoints'], { json: titleOf(json), place }, 'endpoints')
        : undefined,
  },
  {
    ...MANIFESTS['tenant-balancer-of-its-own'],
    judge: (json, { place }) => {
      const own = balancerOfItsOwn(json);
      return own === undefined
        ? undefined
        : faultOf(MANIFESTS['tenant-balancer-of-its-own'], { json: titleOf(json), place, own }, json.kind);
    },
  },
  {
    ...MANIFESTS['tenant-beyond-namespace'],
    judge: (json, { place }) => {
      const by = isNamedOfCluster(json) ? ', by the name of its kind' : '';
      return isOfCluster(json)
        ? faultOf(MANIFESTS['tenant-beyond-namespace'], { json: titleOf(json), place, by }, json.kind)
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
        : faultOf(MANIFESTS['tenant-service-of-operator'], { json: titleOf(json), place, where }, where);
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
