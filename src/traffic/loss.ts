import { type Figure, isUnknown, type Unknown } from './figure';
import { type Shares, sharesOf } from './shares';
import type { TrafficInput } from './traffic-input';

/** What goes with a node or a zone, and what stays. */
export interface Loss {
  readonly lost: string;
  readonly pods: readonly string[];
  /** Connections that break: all that arrive through it or end in it. */
  readonly broken: Figure;
  /** Those that arrive through it, wherever they end. */
  readonly through: Figure;
  /** Those that end in its pods, wherever they arrive. */
  readonly ending: Figure;
  /** Seconds for which new connections are still sent to it, where the health check says so. */
  readonly unnoticed: Figure | Unknown;
  /** The shares of what stays, before pods are placed anew. */
  readonly after: Shares | Unknown;
}

/** The loss of one node. */
export function lossOfNode(input: TrafficInput, name: string): Loss | Unknown {
  const shares = sharesOf(input);
  if (isUnknown(shares)) {
    return shares;
  }
  const place = shares.nodes.find((node) => node.name === name);
  return place
    ? lossOf(input, `node ${name}`, place, (node) => node.name === name)
    : { unknown: `needs node ${name} in the list of nodes` };
}

/** The loss of all nodes of one zone, and of the balancer's part in it. */
export function lossOfZone(input: TrafficInput, zone: string): Loss | Unknown {
  const shares = sharesOf(input);
  if (isUnknown(shares)) {
    return shares;
  }
  const place = shares.zones.find(({ name }) => name === zone);
  if (!place) {
    return { unknown: `needs a node in zone ${zone}` };
  }
  const loss = lossOf(input, `zone ${zone}`, place, (node) => node.zone === zone);
  const zones = input.balancerZones ?? shares.zones.map(({ name }) => name);
  return input.balancer?.crossZone && zones.includes(zone)
    ? { ...loss, broken: withBalancerOf(zones.length, place.touches) }
    : loss;
}

/** Clients have found the balancer in one of its zones, and break with it wherever they were sent. */
function withBalancerOf(zones: number, { share, exact }: Shares['zones'][number]['touches']): Figure {
  return { value: 1 - (1 - 1 / zones) * (1 - share), terms: `1 − (1 − 1/${zones} of the balancer) × (1 − ${exact})` };
}

function lossOf(
  input: TrafficInput,
  lost: string,
  { enters, ends, touches }: Shares['nodes'][number],
  isLost: (node: TrafficInput['nodes'][number]) => boolean,
): Loss {
  const gone = new Set(input.nodes.filter(isLost).map(({ name }) => name));
  const figure = ({ share, exact }: typeof enters): Figure => ({ value: share, terms: exact });
  return {
    lost,
    pods: input.pods.flatMap(({ name, node }) => (gone.has(node) ? name : [])),
    broken: {
      value: touches.share,
      terms: `${enters.exact} through it + ${ends.exact} ending in it, both counted once`,
    },
    through: figure(enters),
    ending: figure(ends),
    unnoticed: unnoticedBy(input),
    after: sharesOf(without(input, gone)),
  };
}

function without(input: TrafficInput, gone: ReadonlySet<string>): TrafficInput {
  const { nodeWithAddress, balancerZones, ...rest } = input;
  const nodes = input.nodes.filter(({ name }) => !gone.has(name));
  const left = balancerZones?.filter((zone) => nodes.some((node) => node.zone === zone));
  const held = nodeWithAddress !== undefined && !gone.has(nodeWithAddress);
  return {
    ...rest,
    nodes,
    pods: input.pods.filter(({ node }) => !gone.has(node)),
    ...(held ? { nodeWithAddress } : {}),
    ...(balancerZones ? { balancerZones: left && left.length > 0 ? left : balancerZones } : {}),
  };
}

function unnoticedBy({ balancer }: TrafficInput): Figure | Unknown {
  const { interval, failures } = balancer?.healthCheck ?? {};
  return interval === undefined || failures === undefined
    ? { unknown: 'needs the interval and the failures of the health check' }
    : { value: interval * failures, terms: `${failures} failures × ${interval} s` };
}
