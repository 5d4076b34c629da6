import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/late-rendering';
import { METALLB_CONTROLLER } from '../../controllers/metal-lb.annotations';
import { judgeObject, lookAt } from '../../rules/judge-object';
import type { ObjectJudge } from '../../rules/judged-object';
import { judgementOf } from '../../rules/judgement-of';
import type { Judgement } from '../../rules/rule';
import { POOL_RULES } from './address-pool-rules';
import { ADVERTISEMENT_RULES } from './advertisement-rules';
import { PEER_RULES } from './bgp-peer-rules';
import { METALLB_GROUP } from './metal-lb-kinds.facts';
import { acrossCharts, type MetalLbNeighbour, type MetalLbRule, within } from './metal-lb-rule';

/** Rules that hold one object against another. */
const TOGETHER = ['advertisement-aggregation', 'advertisement-local-preference', 'community-value', 'peer-twice'];

/** All rules for what is configured in MetalLB. */
export const METALLB_KIND_RULES: readonly MetalLbRule[] = [
  ...POOL_RULES,
  ...ADVERTISEMENT_RULES,
  ...PEER_RULES,
  ...[...ADVERTISEMENT_RULES, ...PEER_RULES].filter(({ id }) => TOGETHER.includes(id)).map(acrossCharts),
];

/** What rules say of a finished object of MetalLB, with the others of its app. */
export function judgeKind(json: Json, neighbours: readonly MetalLbNeighbour[]): Judgement {
  return judgementOf(METALLB_KIND_RULES, METALLB_CONTROLLER, (rule) =>
    rule.kinds.includes(json.kind) ? rule.judge(json, within(rule.reach, neighbours)) : undefined,
  );
}

class MetalLbJudge implements ObjectJudge {
  public constructor(private readonly object: ApiObject) {}

  public judge(json: Json): Judgement {
    const objects = this.object.node.root.node
      .findAll()
      .filter((construct): construct is ApiObject => ApiObject.isApiObject(construct))
      .filter(({ apiGroup }) => apiGroup === METALLB_GROUP);
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
    );
  }
}

/** What one cluster has once. */
function identityOf({ kind, name, metadata }: ApiObject): string {
  return `${kind} ${metadata.namespace}/${name}`;
}

/** Makes an object of MetalLB, which is judged before it is written. */
export function metalLbObject(
  host: Construct,
  apiVersion: string,
  kind: string,
  metadata: { readonly name: string; readonly namespace: string },
  spec: Json,
): ApiObject {
  const said = Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined));
  const object = new ApiObject(host, 'Resource', { apiVersion, kind, metadata, spec: said });
  judgeObject(host, object, new MetalLbJudge(object));
  return object;
}
