import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import { schemaRules } from '../../contract/schema/rules';
import { SchemaFault } from '../../contract/schema/walk';
import {
  METALLB_ADVERTISEMENTS,
  METALLB_CONTROLLER,
  METALLB_SOURCE,
  type MetalLbMode,
} from '../../controllers/metal-lb/annotations';
import { likelyOwner } from '../../rules/claimants';
import { judgeObject, lookAt } from '../../rules/judge-object';
import { perPass } from '../../rules/per-pass';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { type AppService, objectsOf, servicesOf } from '../app-services';
import { ADVERTISEMENT_RULES, BGP_RULES } from './advertisement-rules';
import { METALLB_FIELDS, METALLB_GROUP, METALLB_POOL, metalLbFile, PARSED_BY } from './facts';
import { acrossCharts, type MetalLbContext, type MetalLbNeighbour } from './metal-lb-rule';
import { POOL_RULES } from './pool-rules';
import { SERVICE_POOL_RULES } from './service-pool-rules';

/** Rules that hold one object against another. */
const TOGETHER = ['advertisement-aggregation', 'advertisement-local-preference'];

const NAME: Rule<MetalLbContext> = {
  id: 'metallb-name',
  severity: 'error',
  says: 'the name of an object of MetalLB is one that Kubernetes accepts',
  source: PARSED_BY,
  judge({ metadata = {} }) {
    const fault = dnsNameFault(String(metadata.name));
    return fault === undefined ? undefined : { what: `name: ${fault}`, remedy: 'write another', value: metadata.name };
  },
};

/** What the definitions of the kinds refuse or drop; which fields there must be is decided by rules of their own. */
const FIELDS = schemaRules<MetalLbContext>({
  prefix: 'metallb',
  called: 'an object of MetalLB',
  source: metalLbFile('config/crd/bases'),
  faults: [SchemaFault.MISSING, SchemaFault.SHAPE, SchemaFault.UNKNOWN],
  warnings: [SchemaFault.UNKNOWN],
  part: ({ kind, spec }) => ({
    map: spec,
    fields: METALLB_FIELDS[kind],
    where: 'spec',
    at: '/spec',
    release: { product: 'MetalLB', version: METALLB_SOURCE.version, oldApi: false, has: () => true },
  }),
});

const OF_ALL = [NAME, ...FIELDS];
const OF_POOLS = [...OF_ALL, ...POOL_RULES, ...SERVICE_POOL_RULES];
const OF_BGP = [
  ...OF_ALL,
  ...ADVERTISEMENT_RULES,
  ...BGP_RULES,
  ...BGP_RULES.filter(({ id }) => TOGETHER.includes(id)).map(acrossCharts),
];

/** The rules for each kind. */
const RULES: Readonly<Record<string, RuleSet<MetalLbContext>>> = {
  [METALLB_POOL]: new RuleSet(OF_POOLS, METALLB_CONTROLLER),
  [METALLB_ADVERTISEMENTS.layer2]: new RuleSet([...OF_ALL, ...ADVERTISEMENT_RULES], METALLB_CONTROLLER),
  [METALLB_ADVERTISEMENTS.bgp]: new RuleSet(OF_BGP, METALLB_CONTROLLER),
};

/** All rules for what is configured in MetalLB. */
export const METALLB_KIND_RULES: readonly Rule<MetalLbContext>[] = [...new Set([...OF_POOLS, ...OF_BGP])];

/** Has an object of MetalLB validated at each synth, with the others of its app. */
export function judgeMetalLb(host: Construct, object: ApiObject, modes: readonly MetalLbMode[]): void {
  judgeObject(host, object, {
    judge(json) {
      const inApp = neighboursOf(object);
      return RULES[json.kind].judge(json, {
        inApp,
        inCluster: inApp.filter(({ isApart, isInSameChart }) => isInSameChart || !isApart),
        inChart: inApp.filter(({ isInSameChart }) => isInSameChart),
        modes,
        services: json.kind === METALLB_POOL ? servicesForMetalLb(object) : [],
      });
    },
  });
}

function neighboursOf(object: ApiObject): MetalLbNeighbour[] {
  const objects = metalLbObjectsOf(object);
  const place = objects.indexOf(object);
  const isHere = ({ chart }: ApiObject) => chart === object.chart;
  const names = new Set(objects.filter(isHere).map(identityOf));
  const apart = new Set(
    objects.filter((other) => !isHere(other) && names.has(identityOf(other))).map(({ chart }) => chart),
  );
  return objects.flatMap((other, i) =>
    i === place
      ? []
      : [
          {
            path: other.node.path,
            json: lookAt(other),
            isEarlier: i < place,
            isInSameChart: isHere(other),
            isApart: apart.has(other.chart),
          },
        ],
  );
}

/** What is configured in an app. */
const metalLbObjectsOf = perPass((root) => objectsOf(root).filter(({ apiGroup }) => apiGroup === METALLB_GROUP));

/** The Services of an app that get their addresses from a pool. */
const servicesForMetalLb = perPass((root) =>
  servicesOf(root)
    .filter(isForMetalLb)
    .map(({ json }) => json()),
);

/** Whether a Service is for MetalLB; for a plain manifest, its annotations decide. */
function isForMetalLb({ owner, json }: AppService): boolean {
  return (owner ?? likelyOwner(json())?.kind.name) === METALLB_CONTROLLER;
}

/** What one cluster has once. */
function identityOf({ kind, name, metadata }: ApiObject): string {
  return `${kind} ${metadata.namespace}/${name}`;
}
