import { BalancerTarget } from '../contract/made-balancer';
import { compareTexts } from '../cost/balancers';
import { alternativesOf } from '../rules/controller-definition';
import { isUnknown, type Unknown } from '../traffic/fraction';
import { alternativeInWords, todayInWords, wayOnAnyNodes } from '../traffic/in-words';
import { type Path, pathOf } from '../traffic/path';
import type { Placement } from '../traffic/placement';
import { readService, type TrafficInput } from '../traffic/services';
import type { PlaceShare } from '../traffic/shares';
import { type Loss, lossOfNode, lossOfZone, whatIf } from '../traffic/what-if';
import type { ReportedCluster } from './cluster';
import type { ReportedPath } from './report';
import type { BalancerToReport, ReportOptions } from './report-options';

/** Services whose packets have the same way, and the input that the model has of all of them. */
export interface PathGroup {
  readonly members: readonly BalancerToReport[];
  readonly row: ReportedPath;
  readonly assumptions: readonly string[];
}

/** A Service with all that the model depends on. */
interface Prepared {
  readonly balancer: BalancerToReport;
  readonly read: ReturnType<typeof readService>;
  readonly placed: Placement | Unknown;
}

/** The ways of packets: the model runs once for all Services that have the same inputs. */
export function pathGroupsOf(
  balancers: readonly BalancerToReport[],
  cluster: ReportedCluster,
  options: ReportOptions,
): PathGroup[] {
  const groups = new Map<string, [Prepared, ...Prepared[]]>();
  const hasNodes = cluster.knownNodes.length > 0;
  for (const balancer of balancers) {
    const { service, namespace, workloads, unknown, made } = balancer;
    const placed =
      hasNodes && made && unknown === undefined
        ? cluster.podsOf(service, namespace, workloads)
        : ({ unknown: unknown ?? NEEDS_CLUSTER } as const);
    const prepared = { balancer, read: readService(service), placed };
    const key = keyOf(prepared);
    const group = groups.get(key);
    if (group) {
      group.push(prepared);
    } else {
      groups.set(key, [prepared]);
    }
  }
  return [...groups.values()].map((group) => rowOf(group, cluster, options));
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

/** What a Service says about its packets, whatever its name. */
function wayIn(read: Prepared['read']): unknown {
  return isUnknown(read) ? read : [{ ...read.service, name: '' }, read.address, read.assumptions];
}

function rowOf(group: readonly [Prepared, ...Prepared[]], cluster: ReportedCluster, options: ReportOptions): PathGroup {
  const [{ balancer: first, read, placed }] = group;
  const members = group.map(({ balancer }) => balancer);
  const services = members.map(({ namespace, name }) => `${namespace}/${name}`).sort(compareTexts);
  const { made, owner } = first;
  const hasPath = made !== undefined && first.unknown === undefined && !isUnknown(read);
  const balancer = made ? [made.name, ...(made.scheme ? [made.scheme] : [])].join(', ') : 'unknown';
  const row = { services, owner, balancer, ...(hasPath ? { policy: policyOf(first, read) } : {}) };
  const unknown = [read, placed].find(isUnknown)?.unknown;
  const { variants = [] } = options;
  if (!made || isUnknown(read) || isUnknown(placed)) {
    const words = unknown ?? NEEDS_CLUSTER;
    const onAnyNodes = hasPath ? { onAnyNodes: wayOnAnyNodes(read.service, made) } : {};
    const path = { unknown: words };
    const alternatives = variants.map((variant) => ({ variant, changes: [], path }));
    const ways = {
      alternatives,
      ...(variants.length > 0 && { alternativeWords: alternatives.map(alternativeInWords) }),
    };
    return { members, row: { ...row, path, ...onAnyNodes, words, ...ways }, assumptions: [] };
  }
  const input: TrafficInput = { ...read, balancer: made, nodes: cluster.knownNodes, pods: placed.pods };
  const path = pathOf(input);
  const onAnyNodes = isUnknown(path) ? { onAnyNodes: wayOnAnyNodes(read.service, made) } : {};
  const asked = variants.length > 0 && first.controller ? alternativesOf(first.service, first.controller) : {};
  const alternatives = whatIf(input, variants, asked);
  return {
    members,
    row: {
      ...row,
      path,
      ...onAnyNodes,
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

function policyOf({ made }: BalancerToReport, { service }: Exclude<Prepared['read'], Unknown>): string {
  return `${service.externalTrafficPolicy}, targets are ${made?.target === BalancerTarget.POD ? 'pods' : 'nodes'}`;
}

/** The loss that breaks most, of a node and of a zone. */
function lossesOf(input: TrafficInput, path: Path | Unknown): Pick<ReportedPath, 'lossOfNode' | 'lossOfZone'> {
  if (isUnknown(path)) {
    return {};
  }
  const node = worstOf(path.shares.nodes);
  const zone = path.shares.zones.length > 1 ? worstOf(path.shares.zones) : undefined;
  return {
    ...(node ? { lossOfNode: lossOfNode(input, node) } : {}),
    ...(zone ? { lossOfZone: lossOfZone(input, zone) } : {}),
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
