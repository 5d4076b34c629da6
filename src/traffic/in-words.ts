import { BalancerTarget, type LoadBalancerModel } from '../contract/load-balancer-model';
import { TrafficPolicy } from '../contract/options';
import { count } from '../contract/rule';
import { type Figure, isUnknown, type Unknown } from './fraction';
import type { ServiceTraffic, TrafficInput } from './input';
import { clientAddressOf, type Path } from './path';
import type { Shares } from './shares';
import { VARIANT_NAMES } from './traffic.facts';
import type { Alternative, UnsupportedVariant, Variant } from './what-if';

// One line for each way of packets, for people.

const MOST_SHARES = 6;

const MOST_IN_WORDS = 20;

export function todayInWords(input: TrafficInput, path: Path | Unknown): string {
  const { service, balancer } = input;
  const targets = balancer?.target === BalancerTarget.POD ? 'pods' : 'nodes';
  return `today (${service.externalTrafficPolicy}, targets are ${targets}): ${wayInWords(path)}`;
}

export function alternativeInWords(
  alternative: Alternative | (UnsupportedVariant & { readonly variant: Variant }),
): string {
  const name = VARIANT_NAMES[alternative.variant];
  const isOpen = 'path' in alternative && isUnknown(alternative.path) ? 'unknown: ' : '';
  return `${name}: ${isOpen}${'cannot' in alternative ? `cannot: ${alternative.cannot}` : wayInWords(alternative.path)}`;
}

export function wayInWords(path: Path | Unknown): string {
  if (isUnknown(path)) {
    return path.unknown;
  }
  const { shares, clientAddress } = path;
  const { secondHop, dropped, oneNode, imbalance } = shares;
  const unanswered = `${percent(dropped.value)} answered by no pod: ${dropped.terms}`;
  if (dropped.value === 1) {
    return [unanswered, ...failingInWords(shares)].join('; ');
  }
  const hop = secondHop.value > 0 ? `second hop for ${partOf(secondHop)} connections` : 'no second hop';
  const address = clientAddress.survives ? 'client address kept' : `client address lost at the ${clientAddress.lostAt}`;
  const uneven = secondHop.value === 0 || isUnknown(imbalance) || imbalance.value > 1 + 1e-9;
  return [
    ...(uneven ? [sharesAndPlaces(shares)] : []),
    `${hop}, ${address}`,
    ...(secondHop.value > 0 ? ['a connection also dies with the node in the middle'] : []),
    ...(oneNode === undefined ? [] : [`node ${oneNode} has everything until it fails`]),
    ...(dropped.value > 0 ? [unanswered] : []),
    ...failingInWords(shares),
  ].join('; ');
}

/** The way of packets as it is on any nodes: `client → Network Load Balancer → node port of any node → …`. */
export function wayOnAnyNodes(service: ServiceTraffic, balancer: LoadBalancerModel): { path: string; clients: string } {
  const { survives, lostAt, why } = clientAddressOf(service, balancer);
  const toPods = balancer.target === BalancerTarget.POD;
  const isLocal = service.externalTrafficPolicy === TrafficPolicy.LOCAL;
  const isChecked = balancer.healthCheckSwitch === undefined;
  const nodes = isLocal && isChecked ? 'a node with a ready pod' : 'any node that it knows';
  const node = balancer.target === BalancerTarget.NODE_PORT ? `node port of ${nodes}` : nodes;
  const ends = toPods
    ? ['a pod']
    : [
        node,
        'kube-proxy',
        isLocal ? `a pod of that node${isChecked ? '' : ', if it has one'}` : 'any pod, mostly on another node',
      ];
  const hop = toPods || isLocal ? 'no second hop' : 'second hop';
  const address = survives ? 'client address kept' : `client address lost at the ${lostAt}`;
  return { path: `${['client', balancer.name, ...ends].join(' → ')}  [${hop}, ${address}]`, clients: why };
}

/** `50 % / 25 % / 25 %`, highest first; `33 % each` where they are even. */
export function sharesInWords({ pods }: Pick<Shares, 'pods'>): string {
  const shares = pods.map(({ share }) => share).sort((first, second) => second - first);
  const [highest, lowest] = [percent(shares[0] ?? 0), percent(shares.at(-1) ?? 0)];
  if (highest === lowest) {
    return `${highest}${EACH}`;
  }
  return shares.length > MOST_SHARES ? `${highest} to ${lowest}` : shares.map(percent).join(' / ');
}

const EACH = ' each';

function sharesAndPlaces(shares: Shares): string {
  const words = sharesInWords(shares);
  return words.endsWith(EACH) ? words : `${words} per pod (${placesInWords(shares)})`;
}

function placesInWords({ pods }: Shares): string {
  return `${count(pods.length, 'pod')} on ${count(new Set(pods.map(({ node }) => node)).size, 'node')}`;
}

/** Of nodes without a pod, and others apart from them. */
function failingInWords({ targets }: Shares): string[] {
  const failing = targets.filter(({ kind, state }) => kind === 'node' && state === 'failing');
  const reasons = [...new Set(failing.map(({ why = '' }) => why))];
  return reasons.map((reason) => {
    const nodes = failing.filter(({ why }) => why === reason);
    const who = nodes.length === 1 ? `node ${nodes[0]?.name} fails` : `${nodes.length} nodes fail`;
    const asIt = nodes.length === 1 ? 'as it should' : 'as they should';
    return `${who} the health check${nodes[0]?.asItShould ? `, ${asIt}` : ''} (${reason})`;
  });
}

/** `2 of 3`, from `2/3`; in percent where that reads badly. */
function partOf({ value, terms }: Figure): string {
  const [part, whole] = terms.split('/');
  if (whole === undefined) {
    return 'all';
  }
  return Number(whole) <= MOST_IN_WORDS ? `${part} of ${whole}` : `${percent(value)} of`;
}

/** `33 %`; what is less than one, and not nothing, has a digit of its own. */
export function percent(share: number): string {
  const hundredths = share * 100;
  if (hundredths > 0 && hundredths < 1) {
    return `${hundredths.toPrecision(1)} %`;
  }
  return `${hundredths > 99 && hundredths < 100 ? tenthBelow(hundredths) : Math.round(hundredths)} %`;
}

/** With one digit after the point, and never more than it is: what is nearly all is not said to be all. */
export function tenthBelow(value: number): number {
  return Math.floor(value * 10) / 10;
}
