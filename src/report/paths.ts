import { grouped, groupedByAll, type Json, mapIn, mapsIn } from '../contract/json';
import { BalancerTarget, type LoadBalancerModel } from '../contract/load-balancer-model';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import { compareTexts } from '../cost/balancers';
import { alternativesOf, type ControllerDefinition } from '../rules/controller-definition';
import { isUnknown, type Unknown } from '../traffic/fraction';
import { alternativeInWords, todayInWords, wayOnAnyNodes } from '../traffic/in-words';
import {
  labelsOf,
  nameOf,
  namespaceOf,
  objectsOf,
  readNodes,
  readPods,
  readService,
  type TrafficInput,
  type TrafficNode,
} from '../traffic/input';
import { type Path, pathOf } from '../traffic/path';
import { type Placement, placementsOf } from '../traffic/placement';
import type { PlaceShare } from '../traffic/shares';
import { type Alternative, type Loss, lossOf, type UnsupportedVariant, type Variant, whatIf } from '../traffic/what-if';
import type { LoadBalancerFigures } from './options';

export interface BalancerToReport {
  readonly service: Json;
  readonly namespace: string;
  readonly name: string;
  readonly owner: string;
  readonly controller?: ILoadBalancerController | ControllerDefinition;
  readonly isGuess?: boolean;
  readonly made?: LoadBalancerModel;
  /** Reason why the balancer or its path is not known: `needs …`. */
  readonly unknown?: string;
  readonly because?: string;
  /** Origin of the Service: `Kafka kafka/events, listener external`. */
  readonly madeBy?: string;
  readonly tenant?: string;
  readonly workloads: readonly Json[];
  /** Place: `k8s/edge.yaml:12`, or the path of its construct. */
  readonly place: string;
}

export interface ReportedPath {
  readonly services: readonly string[];
  readonly owner?: string;
  readonly balancer: string;
  readonly policy?: string;
  readonly path: Path | Unknown;
  readonly onAnyNodes?: { readonly path: string; readonly clients: string };
  readonly words: string;
  readonly alternatives: readonly (Alternative | (UnsupportedVariant & { readonly variant: Variant }))[];
  readonly alternativeWords?: readonly string[];
  readonly lossOfNode?: Loss | Unknown;
  readonly lossOfZone?: Loss | Unknown;
}

export interface ReportOptions extends Omit<LoadBalancerFigures, 'clusterObjects'> {
  readonly objects?: readonly unknown[];
  readonly zonesOfPools?: readonly string[];
  /** Of these, the gigabytes that clients on the internet receive. */
  readonly gbOutPerMonth?: number;
  readonly variants?: readonly Variant[];
  readonly today?: string;
  readonly assumptions?: readonly string[];
  readonly notes?: readonly string[];
  readonly needs?: readonly string[];
}

export class ReportedCluster {
  public readonly knownNodes: readonly TrafficNode[];
  public readonly zones: readonly string[];
  /** Pods by namespace and each of their labels: of many, few are behind one Service. */
  private readonly podsWith: ReadonlyMap<string, readonly Json[]>;

  public constructor(objects: readonly unknown[]) {
    const nodes = readNodes(objects);
    this.knownNodes = isUnknown(nodes) ? [] : nodes;
    this.zones = [...new Set(this.knownNodes.flatMap(({ zone }) => zone ?? []))].sort();
    this.podsWith = groupedByAll(objectsOf(objects, 'Pod'), (pod) =>
      Object.entries(labelsOf(pod)).map(([key, value]) => JSON.stringify([namespaceOf(pod), key, value])),
    );
  }

  public podsOf(service: Json, namespace: string, workloads: readonly Json[]): Placement | Unknown {
    const selector = Object.entries(mapIn(mapIn(service, 'spec'), 'selector')).map(([key, value]) => [key, `${value}`]);
    const found = selector.map((label) => this.podsWith.get(JSON.stringify([namespace, ...label])) ?? []);
    const [fewest = []] = found.sort((one, other) => one.length - other.length);
    const pods = readPods(fewest, { namespace, selector: Object.fromEntries(selector) });
    if (isUnknown(pods) || pods.length > 0) {
      return isUnknown(pods) ? pods : { pods, assumptions: [] };
    }
    // what another object makes is counted there
    const own = workloads.filter((one) => mapsIn(mapIn(one, 'metadata'), 'ownerReferences').length === 0);
    return own.length === 0
      ? { unknown: 'needs the pods of the Service, or the workload that makes them' }
      : placementsOf(own, this.knownNodes);
  }
}

export function titleOf(workload: Json): string {
  return `${workload.kind} ${nameOf(workload)}`;
}

export interface PathGroup {
  readonly members: readonly BalancerToReport[];
  readonly row: ReportedPath;
  readonly assumptions: readonly string[];
}

interface Prepared {
  readonly balancer: BalancerToReport;
  readonly read: ReturnType<typeof readService>;
  readonly placed: Placement | Unknown;
}

export function pathGroupsOf(
  balancers: readonly BalancerToReport[],
  cluster: ReportedCluster,
  options: ReportOptions,
): PathGroup[] {
  const hasNodes = cluster.knownNodes.length > 0;
  const prepared = balancers.map((balancer): Prepared => {
    const { service, namespace, workloads, unknown, because, made } = balancer;
    const isPlaced = hasNodes && made && unknown === undefined;
    const placed = isPlaced
      ? cluster.podsOf(service, namespace, workloads)
      : { unknown: unknown ?? NEEDS_CLUSTER, because };
    return { balancer, read: readService(service), placed };
  });
  return [...grouped(prepared, keyOf).values()].map((group) => rowOf(group, cluster, options));
}

export const NEEDS_CLUSTER = 'needs the nodes of the cluster, and its pods';

/** Balancers that others share, and reserved addresses, make no difference to packets; names of pods neither. */
function keyOf({ balancer: { made, unknown, owner }, read, placed }: Prepared): string {
  const { sharedBy: _, addressSharedBy: __, ...way } = made ?? ({} as Partial<NonNullable<typeof made>>);
  const pods = isUnknown(placed)
    ? placed
    : placed.pods.map(({ node, ready, terminating }) => `${node} ${ready} ${terminating}`).sort();
  return JSON.stringify([owner, unknown, made && way, wayIn(read), pods]);
}

function wayIn(read: Prepared['read']): unknown {
  return isUnknown(read) ? read : [{ ...read.service, name: '' }, read.address, read.assumptions];
}

function rowOf(group: readonly [Prepared, ...Prepared[]], cluster: ReportedCluster, options: ReportOptions): PathGroup {
  const [{ balancer: first, read, placed }] = group;
  const { made, owner } = first;
  const { variants = [] } = options;
  const members = group.map(({ balancer }) => balancer);
  const hasPath = made !== undefined && first.unknown === undefined && !isUnknown(read);
  const targets = made?.target === BalancerTarget.POD ? 'pods' : 'nodes';
  const row = {
    services: members.map(({ namespace, name }) => `${namespace}/${name}`).sort(compareTexts),
    owner,
    balancer: made ? [made.name, ...(made.scheme ? [made.scheme] : [])].join(', ') : 'unknown',
    ...(hasPath && { policy: `${read.service.externalTrafficPolicy}, targets are ${targets}` }),
  };
  const onAnyNodes = () => (hasPath ? { onAnyNodes: wayOnAnyNodes(read.service, made) } : {});
  if (!made || isUnknown(read) || isUnknown(placed)) {
    const path = [read, placed].find(isUnknown) ?? { unknown: NEEDS_CLUSTER };
    const words = path.unknown;
    const alternatives = variants.map((variant) => ({ variant, changes: [], path }));
    const ways = variants.length > 0 && { alternativeWords: alternatives.map(alternativeInWords) };
    return { members, row: { ...row, path, ...onAnyNodes(), words, alternatives, ...ways }, assumptions: [] };
  }
  const input: TrafficInput = { ...read, balancer: made, nodes: cluster.knownNodes, pods: placed.pods };
  const path = pathOf(input);
  const asked = variants.length > 0 && first.controller ? alternativesOf(first.service, first.controller) : {};
  const alternatives = whatIf(input, variants, asked);
  return {
    members,
    row: {
      ...row,
      path,
      ...(isUnknown(path) && onAnyNodes()),
      words: isUnknown(path) ? path.unknown : todayInWords(input, path),
      alternatives,
      alternativeWords: alternatives.map(alternativeInWords),
      ...lossesOf(input, path),
    },
    assumptions: [
      ...group.flatMap((each) => (isUnknown(each.placed) ? [] : each.placed.assumptions)),
      ...(isUnknown(path) ? [] : path.shares.assumptions),
    ],
  };
}

function lossesOf(input: TrafficInput, path: Path | Unknown): Pick<ReportedPath, 'lossOfNode' | 'lossOfZone'> {
  if (isUnknown(path)) {
    return {};
  }
  const node = worstOf(path.shares.nodes);
  const zone = path.shares.zones.length > 1 ? worstOf(path.shares.zones) : undefined;
  return {
    ...(node ? { lossOfNode: lossOf(input, 'node', node) } : {}),
    ...(zone ? { lossOfZone: lossOf(input, 'zone', zone) } : {}),
  };
}

function worstOf(places: readonly PlaceShare[]): string | undefined {
  const [first, ...others] = places;
  return others.reduce<PlaceShare | undefined>(
    (worst, each) => (worst && worst.touches.share >= each.touches.share ? worst : each),
    first,
  )?.name;
}

export function isLoss(loss: Loss | Unknown | undefined): loss is Loss {
  return loss !== undefined && !isUnknown(loss);
}
