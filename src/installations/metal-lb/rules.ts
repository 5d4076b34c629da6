import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import {
  METALLB_ADVERTISEMENTS,
  METALLB_API_VERSION,
  METALLB_CONTROLLER,
  type MetalLbMode,
} from '../../controllers/metal-lb/annotations';
import { likelyOwner } from '../../rules/claimants';
import { judgeObject, lookAt } from '../../rules/judge-object';
import type { ObjectJudge } from '../../rules/judged-object';
import { judgementOf } from '../../rules/judgement-of';
import { perMoment } from '../../rules/per-moment';
import type { Judgement } from '../../rules/rule';
import { type AppService, objectsOf, servicesOf } from '../app-services';
import { ADVERTISEMENT_RULES } from './advertisement-rules';
import { METALLB_GROUP, METALLB_POOL, PARSED_BY } from './facts';
import { acrossCharts, type MetalLbNeighbour, type MetalLbRule, type MetalLbUse, within } from './metal-lb-rule';
import { POOL_RULES } from './pool-rules';
import { SERVICE_POOL_RULES } from './service-pool-rules';

/** Rules that hold one object against another. */
const TOGETHER = ['advertisement-aggregation', 'advertisement-local-preference'];

/** Every kind of object has such a name. */
const KIND_NAME: MetalLbRule = {
  id: 'metallb-name',
  severity: 'error',
  reach: 'chart',
  kinds: [METALLB_POOL, ...Object.values(METALLB_ADVERTISEMENTS)],
  says: 'The name of an object is one that Kubernetes takes.',
  source: PARSED_BY,
  judge({ metadata = {} }) {
    const fault = dnsNameFault(String(metadata.name));
    return fault === undefined ? undefined : { what: `name: ${fault}`, remedy: 'write another', value: metadata.name };
  },
};

/** All rules for what is configured in MetalLB. */
export const METALLB_KIND_RULES: readonly MetalLbRule[] = [
  KIND_NAME,
  ...POOL_RULES,
  ...SERVICE_POOL_RULES,
  ...ADVERTISEMENT_RULES,
  ...ADVERTISEMENT_RULES.filter(({ id }) => TOGETHER.includes(id)).map(acrossCharts),
];

/** What rules say of a finished object of MetalLB, with the others of its app. */
export function judgeKind(json: Json, neighbours: readonly MetalLbNeighbour[], use: MetalLbUse): Judgement {
  return judgementOf(METALLB_KIND_RULES, METALLB_CONTROLLER, (rule) =>
    rule.kinds.includes(json.kind) ? rule.judge(json, within(rule.reach, neighbours), use) : undefined,
  );
}

class MetalLbJudge implements ObjectJudge {
  public constructor(
    private readonly object: ApiObject,
    private readonly modes: readonly MetalLbMode[],
  ) {}

  public judge(json: Json): Judgement {
    const objects = metalLbObjectsOf(this.object);
    const place = objects.indexOf(this.object);
    const isHere = ({ chart }: ApiObject) => chart === this.object.chart;
    const names = new Set(objects.filter(isHere).map(identityOf));
    const apart = new Set(
      objects.filter((other) => !isHere(other) && names.has(identityOf(other))).map(({ chart }) => chart),
    );
    return judgeKind(
      json,
      objects.flatMap((other, i) =>
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
      ),
      {
        modes: this.modes,
        services: json.kind === METALLB_POOL ? servicesForMetalLb(this.object) : [],
      },
    );
  }
}

/** What is configured in an app. */
const metalLbObjectsOf = perMoment((root) => objectsOf(root).filter(({ apiGroup }) => apiGroup === METALLB_GROUP));

/** The Services of an app that get their addresses from a pool. */
const servicesForMetalLb = perMoment((root) =>
  servicesOf(root)
    .filter(isForMetalLb)
    .map(({ json }) => json()),
);

/** Whoever meant a Service for MetalLB: of one that is in the app as it is, its annotations tell. */
function isForMetalLb({ owner, json }: AppService): boolean {
  return (owner ?? likelyOwner(json())?.kind.name) === METALLB_CONTROLLER;
}

/** What one cluster has once. */
function identityOf({ kind, name, metadata }: ApiObject): string {
  return `${kind} ${metadata.namespace}/${name}`;
}

/** Makes an object of MetalLB, which is judged before it is written. */
export function metalLbObject(
  host: Construct,
  kind: string,
  metadata: { readonly name: string; readonly namespace: string },
  spec: Json,
  modes: readonly MetalLbMode[] = [],
): ApiObject {
  const said = Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined));
  const object = new ApiObject(host, 'Resource', { apiVersion: METALLB_API_VERSION, kind, metadata, spec: said });
  judgeObject(host, object, new MetalLbJudge(object, modes));
  return object;
}
