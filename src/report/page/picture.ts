import { percent } from '../../traffic/in-words';
import type { Path } from '../../traffic/path';
import { type Drawn, describe, drawnOf, type Place, type Room } from './drawn';
import { type Content, html, type Markup } from './markup';
import { svg } from './parts';

// The path of packets as a picture: client and balancer above, then nodes on the left and pods on the right.

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

/** The picture of a path. The id is used for its title and its description. */
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
  return svg({ id, kind: 'path', width: WIDTH, height }, title, describe(drawn, path), header(drawn, targets), rest);
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
  const from = nodes.at(-1)?.node === undefined && isAlone(shownNodes.at(-1), shownPods) ? row - 1 : row;
  shownPods.push(...others.map((place, index) => ({ place, y: middle(from + index) })));
  return { nodes: shownNodes, pods: shownPods, height: TOP + Math.max(row, from + others.length) * ROW };
}

/** Whether connections come to nothing before they reach any node. */
function isLost({ state }: Place, nodes: readonly Placed[]): boolean {
  return state === 'dropped' && nodes.every(({ place }) => place.share === 0);
}

function isAlone(node: Placed | undefined, pods: readonly Placed[]): boolean {
  return node !== undefined && !pods.some(({ y }) => y >= node.y);
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
    const node = nodes.find(({ place }) => place.name === pod.place.node);
    const beside = node ?? nodes.find(({ y }) => y === pod.y);
    if (isLost(pod.place, nodes)) {
      return toPod(TRUNK, pod.y, pod);
    }
    return beside ? toPod(NODE.left + NODE.width, beside.y, pod) : [];
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

/** A line with a head; the heavier, the more goes along it. */
function arrow(x: number, y: number, toX: number, toY: number, share: number, kind = 'way'): Content {
  const size = 4 + 3 * Math.min(1, share);
  const head = `M${toX} ${round(toY)}l${round(-size - 3)} ${round(-size)}v${round(2 * size)}z`;
  return html`${line(x, y, toX - size, toY, share, kind)}<path class="${kind} head" d="${head}"></path>`;
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
