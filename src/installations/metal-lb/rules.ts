import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { type Json, namespaceTitle } from '../../contract/json';
import { schemaRules } from '../../contract/schema/rules';
import { SchemaFault } from '../../contract/schema/walk';
import { METALLB_CONTROLLER } from '../../controllers/metal-lb/annotations';
import { METALLB_ADVERTISEMENTS, type MetalLbMode } from '../../controllers/metal-lb/facts';
import { entryOf } from '../../rules/app-objects';
import { judgeObject } from '../../rules/judged-object';
import { likelyOwner } from '../../rules/known-kinds';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { type Judgement, RuleSet } from '../../rules/rule-set';
import { type BalancedService, servicesOf } from '../balanced-services';
import { METALLB_GROUP, METALLB_POOL, metalLbFile } from './facts';
import type { MetalLbContext, MetalLbNeighbour } from './metal-lb-rule';
import { POOL_RULES } from './pool-rules';
import { fieldsOfMetalLb, readable } from './readable';
import { metalLbIn } from './seen';
import { SERVICE_POOL_RULES } from './service-pool-rules';

/** What the definitions of the kinds refuse or drop; which fields there must be is decided by rules of their own. */
const FIELDS = schemaRules<MetalLbContext>({
  prefix: 'metallb',
  called: 'an object of MetalLB',
  source: metalLbFile('config/crd/bases'),
  faults: [SchemaFault.MISSING, SchemaFault.SHAPE, SchemaFault.UNKNOWN],
  warnings: [SchemaFault.UNKNOWN],
  part: fieldsOfMetalLb,
});

/** Files may be of several clusters: where MetalLB is in several namespaces, it may be in any of them. */
const NAMESPACE: Rule<MetalLbContext> = {
  id: 'namespace-of-metallb',
  severity: 'warning',
  says: 'object of MetalLB outside the namespace that it runs in',
  source: metalLbFile('internal/k8s/k8s.go'),
  judge({ metadata = {} }, { namespaces: [own, ...others] }) {
    const { namespace } = metadata;
    return own === undefined || others.length > 0 || namespace === undefined || namespace === own
      ? undefined
      : {
          what: `MetalLB runs in namespace ${own}, and ignores objects of its kinds in ${namespaceTitle(namespace)}`,
          remedy: `put it into namespace ${own}, or acknowledge it where it is for another cluster`,
          value: namespace,
          at: '/metadata/namespace',
        };
  },
};
const OF_POOLS = [NAMESPACE, ...POOL_RULES, ...SERVICE_POOL_RULES];
const OF_ADVERTISEMENTS = [NAMESPACE];

const RULES: Readonly<Record<string, RuleSet<MetalLbContext>>> = {
  [METALLB_POOL]: new RuleSet(OF_POOLS, METALLB_CONTROLLER),
  [METALLB_ADVERTISEMENTS.layer2]: new RuleSet(OF_ADVERTISEMENTS, METALLB_CONTROLLER),
  [METALLB_ADVERTISEMENTS.bgp]: new RuleSet(OF_ADVERTISEMENTS, METALLB_CONTROLLER),
};

export const METALLB_KIND_RULES: readonly Rule<MetalLbContext>[] = [...FIELDS, ...OF_POOLS];

const OF_FIELDS = new RuleSet(FIELDS, METALLB_CONTROLLER);

/** Validates a finished object of MetalLB: all of its fields, and what of them can be read. */
export function judgeMetalLbJson(json: Json, context: MetalLbContext): Judgement {
  return OF_FIELDS.judge(json, context).and(RULES[json.kind].judge(readable(json), context));
}

export function judgeMetalLb(host: Construct, object: ApiObject, modes: readonly MetalLbMode[]): void {
  judgeObject(host, object, {
    judge: (json) =>
      judgeMetalLbJson(
        json,
        metalLbContextOf(entryOf(object), json.kind === METALLB_POOL ? servicesOf(object) : [], modes),
      ),
  });
}

/**
 * What is known beside an object of MetalLB.
 *
 * @param services what gets balancers beside it
 * @param modes those that controllers were made in for a pool
 * @param namespaces those in which MetalLB is known to run, beside what its workloads show
 */
export function metalLbContextOf(
  among: IndexedObject,
  services: readonly BalancedService[],
  modes: readonly MetalLbMode[] = [],
  namespaces: readonly string[] = [],
): MetalLbContext {
  return {
    inApp: neighboursOf(among),
    modes,
    namespaces: [...new Set([...namespaces, ...metalLbIn(among.index).flatMap((one) => one.namespace ?? [])])],
    services: among.kind === METALLB_POOL ? forMetalLb(services) : [],
  };
}

function neighboursOf(object: IndexedObject): MetalLbNeighbour[] {
  const objects = metalLbObjectsIn(object.index);
  const place = objects.indexOf(object);
  const isHere = ({ unit }: IndexedObject) => unit === object.unit;
  return objects.flatMap((other, i) =>
    i === place
      ? []
      : [
          {
            path: other.path,
            json: readable(other.json),
            isEarlier: i < place,
            isInSameChart: isHere(other),
          },
        ],
  );
}

function metalLbObjectsIn(index: ObjectIndex): readonly IndexedObject[] {
  return index.once(metalLbObjectsIn, () => index.all.filter(({ group }) => group === METALLB_GROUP));
}

const FOR_METALLB = new WeakMap<readonly BalancedService[], readonly Json[]>();

/** The Services that get their addresses from a pool; those of one list are looked for once. */
function forMetalLb(services: readonly BalancedService[]): readonly Json[] {
  const found = FOR_METALLB.get(services) ?? services.filter(isForMetalLb).map(({ json }) => json());
  FOR_METALLB.set(services, found);
  return found;
}

/** Whether a Service is for MetalLB; for a plain manifest, its annotations decide. */
function isForMetalLb({ owner, json }: BalancedService): boolean {
  return (owner ?? likelyOwner(json())?.kind.name) === METALLB_CONTROLLER;
}
