import { ApiObject } from 'cdk8s';
import { isMap, type Json, mapIn, shown } from '../contract/json';
import { selects } from '../contract/kubernetes-syntax';
import { podTemplateOf } from '../contract/pod-placement';
import type { DescribedRule, Finding } from '../contract/rule';
import { lookAt } from '../rules/app-objects';
import { DEFAULT_UNAVAILABLE } from '../rules/rollout.facts';
import { ROLLOUT_BUDGET_TWICE, ROLLOUT_REPLICAS, ROLLOUT_REPLICAS_UNSET, ROLLOUT_STRATEGY } from './rollout-rules';

// Whether there is a pod that serves while another one goes: replicas, updates, autoscalers and budgets.

type Found = readonly [rule: DescribedRule, finding: Finding];

const BUDGETS = 'PodDisruptionBudget';

/** Replicas that something else decides. */
export function scaledPods(workload: Json, object: ApiObject): Found[] {
  const replicas: unknown = workload.spec?.replicas;
  const least = leastPods(object);
  if (!isReplicated(workload)) {
    return [];
  }
  const what =
    least !== undefined && least < 2
      ? `its autoscaler keeps ${least} ${least === 1 ? 'pod' : 'pods'} at least: a drain of the node of the only pod leaves none`
      : replicas === undefined && least === undefined
        ? 'spec.replicas is not set: a drain of the node of the only pod leaves none, unless an autoscaler keeps two'
        : undefined;
  const remedy = 'set at least 2, there or as the minReplicas of the autoscaler';
  return what === undefined ? [] : [[ROLLOUT_REPLICAS_UNSET, { what, remedy }]];
}

function isReplicated({ kind }: Json): boolean {
  return kind === 'Deployment' || kind === 'StatefulSet';
}

/** A pod that serves while another one is replaced. */
export function noOtherPod(workload: Json): Found[] {
  const { kind, spec } = workload;
  const found = isReplicated(workload) ? fewPods(spec.replicas) : [];
  const strategy = mapIn(spec, 'strategy');
  if (kind === 'Deployment' && strategy.type === 'Recreate') {
    found.push([
      ROLLOUT_STRATEGY,
      {
        what: 'strategy Recreate takes all pods before it makes new ones',
        remedy: 'use RollingUpdate; a volume that one pod can have at a time is for a StatefulSet',
        value: 'Recreate',
      },
    ]);
  }
  const { maxUnavailable } = mapIn(kind === 'Deployment' ? strategy : mapIn(spec, 'updateStrategy'), 'rollingUpdate');
  if (takesAll(maxUnavailable, spec.replicas)) {
    found.push([
      ROLLOUT_STRATEGY,
      {
        what: `maxUnavailable ${maxUnavailable} lets an update take all ${isReplicated(workload) && spec.replicas ? `${spec.replicas} ` : ''}pods at once`,
        remedy: 'leave it out, or set 1',
        value: String(maxUnavailable),
      },
    ]);
  }
  return found;
}

/** Replicas of which none is left when one goes. */
function fewPods(replicas: unknown): Found[] {
  const isCount = Number.isInteger(replicas) && Number(replicas) >= 0;
  if (replicas === undefined || (isCount && Number(replicas) > 1)) {
    return [];
  }
  const why = replicas === 0 ? ': no pod serves' : ': while its node is drained there is no pod';
  return [
    [
      ROLLOUT_REPLICAS,
      {
        what: `spec.replicas is ${shown(replicas)}${isCount ? why : ', which is not a whole number'}`,
        remedy: 'set at least 2',
        value: String(replicas),
      },
    ],
  ];
}

/** Whether an update may take all pods, as far as it is known how many there are. */
function takesAll(maxUnavailable: unknown, replicas: unknown): boolean {
  const text = String(maxUnavailable ?? DEFAULT_UNAVAILABLE);
  const isAll = text.endsWith('%') && Number(text.slice(0, -1)) >= 100;
  return isAll || (typeof replicas === 'number' && replicas > 1 && takenOf(text, replicas) >= replicas);
}

/** How many pods an update may take at a time. */
function takenOf(text: string, replicas: number): number {
  return text.endsWith('%') ? Math.floor((Number(text.slice(0, -1)) / 100) * replicas) : Number(text);
}

function objectsIn(object: ApiObject, kind: string): ApiObject[] {
  return object.node.root.node
    .findAll()
    .filter((one): one is ApiObject => ApiObject.isApiObject(one) && one.kind === kind);
}

/** How many pods an autoscaler of the app keeps at least. */
function leastPods(object: ApiObject): number | undefined {
  const [spec] = objectsIn(object, 'HorizontalPodAutoscaler')
    .map((one) => mapIn(lookAt(one), 'spec'))
    .filter(({ scaleTargetRef: target }) => target?.kind === object.kind && target?.name === object.name);
  return spec && Number(spec.minReplicas ?? 1);
}

/** Budgets beside the one that is made for the workload. */
export function otherBudgets(workload: Json, object: ApiObject): Found[] {
  const labels = mapIn(mapIn(podTemplateOf(workload), 'metadata'), 'labels');
  const selecting = objectsIn(object, BUDGETS).filter((budget) => {
    const json = lookAt(budget);
    const selector: unknown = mapIn(json, 'spec').selector;
    const isOfAll = isMap(selector) && Object.keys(selector).length === 0;
    const isNear = json.metadata?.namespace === workload.metadata?.namespace;
    return isNear && (isOfAll || selects(selector, labels));
  });
  return selecting.length > 1
    ? [
        [
          ROLLOUT_BUDGET_TWICE,
          {
            what: `PodDisruptionBudgets ${selecting.map(({ node }) => node.path).join(' and ')} select the same pods, which the API server then evicts never`,
            remedy: 'keep one: rollout.disruptionBudget false makes none',
          },
        ],
      ]
    : [];
}
