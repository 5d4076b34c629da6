import { isUnknown } from '../../traffic/fraction';
import { percent } from '../../traffic/in-words';
import type { Path } from '../../traffic/path';
import type { Target } from '../../traffic/routes';
import type { PodShare, Shares } from '../../traffic/shares';
import { type Content, html, type Markup, svg } from './markup';

const WIDTH = 440;
const ROW = 50;
const BOX = 40;
const TOP = 100;
const TRUNK = 14;
const NODE = { left: 68, width: 144 };
const POD = { left: 296, width: 144 };
const PROXY = { left: 232, width: 14 };

/** A letter of the fixed width that names are in, and the space beside them. */
const LETTER = 7.3;
const PADDING = 18;

interface Placed {
  readonly place: Place;
  readonly y: number;
}

export function pictureOf(path: Path, id: string, title: string, room: Room): Markup {
  const drawn = drawnOf(path, room);
  const { nodes, pods, height } = placed(drawn);
  const rest =
    nodes.length === 0
      ? [...pods.map(fromBalancer), ...pods.map((pod) => box(pod, NODE.left, WIDTH - NODE.left))]
      : [
          ...nodes.map(fromBalancer),
          ...(drawn.isMesh ? throughProxy(drawn, nodes, pods) : straight(nodes, pods)),
          ...nodes.map((node) => box(node, NODE.left, NODE.width)),
          ...pods.map((pod) => box(pod, POD.left, POD.width)),
        ];
  const targets = nodes.length > 0 ? [...nodes, ...pods.filter(({ place }) => isLost(place, nodes))] : pods;
  return svg([id, 'path', WIDTH, height], title, describe(drawn, path), header(drawn, targets), rest);
}

function placed({ nodes, pods, isMesh }: Drawn) {
  const middle = (index: number) => TOP + index * ROW + BOX / 2;
  if (isMesh || nodes.length === 0) {
    const rows = Math.max(nodes.length, pods.length);
    const shift = (count: number) => ((rows - count) * ROW) / 2;
    const column = (places: readonly Place[]) =>
      places.map((place, index): Placed => ({ place, y: middle(index) + shift(places.length) }));
    return { nodes: column(nodes), pods: column(pods), height: TOP + rows * ROW };
  }
  // pods beside their node, and what has no node that is shown below
  const shownNodes: Placed[] = [];
  const shownPods: Placed[] = [];
  let row = 0;
  for (const node of nodes) {
    const own = pods.filter((pod) => pod.node === node.name);
    shownNodes.push({ place: node, y: middle(row + Math.max(0, own.length - 1) / 2) });
    shownPods.push(...own.map((place, index) => ({ place, y: middle(row + index) })));
    row += Math.max(1, own.length);
  }
  const beside = new Set(shownPods.map(({ place }) => place));
  const others = pods.filter((pod) => !beside.has(pod));
  // beside the node that stands for those that are not shown, where that is the last one
  const last = shownNodes.at(-1);
  const isAlone = last !== undefined && !shownPods.some(({ y }) => y >= last.y);
  const from = nodes.at(-1)?.node === undefined && isAlone ? row - 1 : row;
  shownPods.push(...others.map((place, index) => ({ place, y: middle(from + index) })));
  return { nodes: shownNodes, pods: shownPods, height: TOP + Math.max(row, from + others.length) * ROW };
}

function isLost({ state }: Place, nodes: readonly Placed[]): boolean {
  return state === 'dropped' && nodes.every(({ place }) => place.share === 0);
}

function header({ balancer }: Drawn, targets: readonly Placed[]): Content {
  const lowest = Math.max(...targets.map(({ y }) => y), TOP);
  return html`
    <rect class="box" x="1" y="1" width="78" height="32" rx="16"></rect>
    ${text('clients', 40, 21.5, 'label middle')}
    ${arrow(79, 17, 116, 17, 0.3)}
    <rect class="box strong" x="117" y="1" width="${WIDTH - 118}" height="32" rx="6"></rect>
    ${text(shortened(balancer, WIDTH - 118), 127, 21.5, 'label')}
    <path class="way" d="M${PROXY.left} 33V62H${TRUNK}V${round(lowest)}"></path>
    ${text('share of new connections', TRUNK + 10, 82, 'note')}`;
}

function fromBalancer({ place, y }: Placed): Content {
  return place.share > 0
    ? [arrow(TRUNK, y, NODE.left - 1, y, place.share), text(percent(place.share), NODE.left - 12, y - 6, 'share end')]
    : [
        html`<path class="way off" d="M${TRUNK} ${round(y)}H${NODE.left - 1}"></path>`,
        text(place.state === 'failing' || place.state === 'expected' ? '✕' : '0 %', 42, y - 6, 'note middle'),
      ];
}

function throughProxy({ secondHop }: Drawn, nodes: readonly Placed[], pods: readonly Placed[]): Content[] {
  const bottom = Math.max(...[...nodes, ...pods].map(({ y }) => y)) + BOX / 2;
  const { left, width } = PROXY;
  return [
    ...nodes
      .filter(({ place }) => place.share > 0)
      .map(({ place, y }) => line(NODE.left + NODE.width, y, left, y, place.share)),
    ...pods.flatMap((pod) => toPod(left + width, pod.y, pod)),
    html`<rect class="box strong" x="${left}" y="${TOP}" width="${width}" height="${round(bottom - TOP)}" rx="4"></rect>`,
    text('kube-proxy', left + width / 2, TOP - 18, 'note middle'),
    text(`${percent(secondHop)} to another node`, left + width / 2, TOP - 5, 'note middle'),
  ];
}

function straight(nodes: readonly Placed[], pods: readonly Placed[]): Content[] {
  return pods.flatMap((pod) => {
    const node = nodes.find(({ place }) => place.name === pod.place.node) ?? nodes.find(({ y }) => y === pod.y);
    const beside = node ? toPod(NODE.left + NODE.width, node.y, pod) : [];
    return isLost(pod.place, nodes) ? toPod(TRUNK, pod.y, pod) : beside;
  });
}

function toPod(x: number, from: number, { place, y }: Placed): Content[] {
  if (place.share === 0) {
    return [text('0 %', POD.left - 10, y - 6, 'note end')];
  }
  const isDropped = place.state === 'dropped';
  return [
    arrow(x, from, POD.left - 1, y, place.share, isDropped ? 'way lost' : 'way'),
    // on the side of the arrow that it does not come from
    text(percent(place.share), POD.left - 12, from < y ? y + 16 : y - 7, isDropped ? 'share lost end' : 'share end'),
  ];
}

function box({ place, y }: Placed, left: number, width: number): Content {
  const top = y - BOX / 2;
  const label = shortened(place.label, width);
  return html`
    <rect class="box ${place.state}" x="${left}" y="${round(top)}" width="${width - 1}" height="${BOX}" rx="6"></rect>
    <text class="label" x="${left + 9}" y="${round(top + 17)}">
      ${label}
      ${label === place.name ? '' : html`<title>${place.name}</title>`}
    </text>
    ${text(shortened(place.note, width, 6.7), left + 9, top + 32, `note ${place.state}`)}`;
}

/** A text cut in its middle to what a box has place for; letters of other scripts may be twice as wide. */
function shortened(name: string, width: number, letter = LETTER): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is not ASCII
  const wide = /[^\u0000-\u007f·✕…]/.test(name) ? 2 : 1;
  const most = Math.floor((width - PADDING) / (letter * wide));
  const signs = [...name];
  if (signs.length <= most) {
    return name;
  }
  const head = Math.ceil((most - 1) / 2);
  return `${signs.slice(0, head).join('')}…${signs.slice(signs.length - (most - 1 - head)).join('')}`;
}

function text(content: string, x: number, y: number, kind: string): Markup {
  return html`<text class="${kind}" x="${round(x)}" y="${round(y)}">${content}</text>`;
}

function line(x: number, y: number, toX: number, toY: number, share: number, kind = 'way'): Markup {
  const half = (x + toX) / 2;
  const [from, to] = [round(y), round(toY)];
  const d = y === toY ? `M${x} ${from}H${toX}` : `M${x} ${from}C${half} ${from} ${half} ${to} ${toX} ${to}`;
  return html`<path class="${kind}" d="${d}" stroke-width="${round(1.2 + 3.8 * Math.min(1, share))}"></path>`;
}

function arrow(x: number, y: number, toX: number, toY: number, share: number, kind = 'way'): Content {
  const size = 4 + 3 * Math.min(1, share);
  const head = `M${toX} ${round(toY)}l${round(-size - 3)} ${round(-size)}v${round(2 * size)}z`;
  return html`${line(x, y, toX - size, toY, share, kind)}<path class="${kind} head" d="${head}"></path>`;
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}

type State = 'used' | 'unused' | 'failing' | 'expected' | 'left-out' | 'dropped' | 'more';

/** A node, a pod, or what is put together because there is no place for more. */
export interface Place {
  readonly name: string;
  /** The name without what all have in common at their ends. */
  readonly label: string;
  readonly note: string;
  readonly state: State;
  readonly share: number;
  readonly node?: string;
}

interface Room {
  readonly nodes: number;
  readonly pods: number;
}

type Drawn = ReturnType<typeof drawnOf>;

/** Part of a path that a picture shows, cut to what it has place for; there are no nodes if the balancer sends to pods. */
export function drawnOf({ hops, shares }: Path, room: Room) {
  const toNodes = shares.targets.some(({ kind }) => kind === 'node');
  const domain = domainOf(shares.nodes.map(({ name }) => name));
  const isMesh = shares.secondHop.value > 0;
  const all = toNodes ? nodesOf(shares, domain) : [];
  const nodes = cut(all, room.nodes, 'node');
  const order = new Map(all.map(({ name }, index) => [name, index]));
  const pods = podsOf(shares, toNodes ? 'pod' : 'target', domain).sort(
    (one, other) => (order.get(one.node ?? '') ?? 0) - (order.get(other.node ?? '') ?? 0),
  );
  const withPods = new Set(shares.pods.flatMap(({ node, share }) => (share > 0 ? node : [])));
  const isLostAt = ({ name, share }: Place) => share > 0 && !withPods.has(name) && order.has(name);
  const lost = toNodes && !isMesh ? nodes.filter(isLostAt) : [];
  const dropped: Place = {
    name: 'no pod answers',
    label: 'no pod answers',
    note: 'dropped',
    state: 'dropped',
    share: shares.dropped.value,
    ...(lost.length === 1 && { node: lost[0].name }),
  };
  return {
    balancer: hops.find(({ place }) => place === 'balancer')?.name ?? 'balancer',
    nodes,
    pods: [...cut(pods, room.pods, 'pod'), ...(dropped.share === 0 ? [] : [dropped])],
    secondHop: shares.secondHop.value,
    isMesh,
  };
}

/** Common suffix of the names of all nodes, from a dot on: `.compute.internal`. */
function domainOf(names: readonly string[]): string {
  const [first = '', ...others] = names;
  const ends = [...first.matchAll(/\./g)].map(({ index }) => first.slice(index));
  const common = ends.find((end) => others.every((name) => name.endsWith(end) && name !== end));
  return others.length > 0 && common !== undefined && common !== first ? common : '';
}

function withoutDomain(name: string, domain: string): string {
  return domain !== '' && name.endsWith(domain) ? name.slice(0, -domain.length) : name;
}

function nodesOf({ nodes, targets, oneNode }: Shares, domain: string): Place[] {
  const states = new Map(targets.filter(({ kind }) => kind === 'node').map((target) => [target.name, target]));
  return nodes.map(({ name, zone, enters: { share } }) => {
    const target = states.get(name);
    const state = target === undefined ? 'left-out' : stateOf(target, share);
    const where = name === oneNode ? 'has the address' : zone === undefined ? '' : `zone ${zone}`;
    return { name, label: withoutDomain(name, domain), state, share, note: NOTES[state] ?? where };
  });
}

function stateOf({ state, asItShould }: Target, share: number): State {
  const failing = asItShould ? 'expected' : 'failing';
  return state === 'failing' ? failing : state === 'left out' ? 'left-out' : share > 0 ? 'used' : 'unused';
}

const NOTES: Partial<Record<State, string>> = {
  failing: '✕ check fails',
  expected: '✕ fails, expected',
  'left-out': 'left out',
  unused: 'gets nothing',
};

function podsOf({ pods, targets }: Shares, kind: 'pod' | 'target', domain: string): Place[] {
  const states = new Map(targets.filter((target) => target.kind === 'pod').map((target) => [target.name, target]));
  return pods.map(({ name, node, zone, share }: PodShare) => {
    const target = states.get(name);
    const state = kind === 'target' && target ? stateOf(target, share) : share > 0 ? 'used' : 'unused';
    const on = withoutDomain(node, domain);
    const where = kind === 'target' && zone !== undefined ? `on ${on}, zone ${zone}` : `on ${on}`;
    return { name, label: name, node, share, state, note: (state === 'unused' ? undefined : NOTES[state]) ?? where };
  });
}

export function highest<T>(places: readonly T[], room: number, weight: (place: T) => number): readonly T[] {
  const kept = new Set([...places].sort((one, other) => weight(other) - weight(one)).slice(0, room));
  return places.filter((place) => kept.has(place));
}

/** All, or those that matter most and the rest as one: what fails without need first, then the highest shares. */
function cut(places: readonly Place[], room: number, what: 'node' | 'pod'): Place[] {
  if (places.length <= room) {
    return [...places];
  }
  const kept = new Set(highest(places, room - 1, ({ state, share }) => (state === 'failing' ? 2 : share)));
  const rest = places.filter((place) => !kept.has(place));
  const more = `and ${rest.length} more ${what}s`;
  const share = rest.reduce((sum, place) => sum + place.share, 0);
  return [
    ...kept,
    { name: more, label: more, note: `${percent(share)} together`, state: share > 0 ? 'more' : 'unused', share },
  ];
}

export function describe({ balancer, nodes, pods, isMesh, secondHop }: Drawn, { shares }: Path): string {
  const said = (place: Place) => `${place.name} (${[percent(place.share), place.note].filter(Boolean).join(', ')})`;
  const { imbalance } = shares;
  return [
    `connections go from clients to ${balancer}`,
    ...(nodes.length > 0 ? [`from there to nodes: ${nodes.map(said).join(', ')}`] : []),
    ...(isMesh ? [`kube-proxy sends ${percent(secondHop)} on to another node`] : []),
    `they end in: ${pods.map(said).join(', ')}`,
    ...(isUnknown(imbalance) ? [] : [`highest share ${imbalance.terms} of the even one`]),
  ].join('; ');
}
