import type { Content } from '../../src/report/page/markup';
import { drawnOf, describe as inWords, type Place } from '../../src/report/page/picture';
import { percent } from '../../src/traffic/in-words';
import { arrow, box, fitting, type Rectangle, rectangle, svgFile, text, unused, WIDTH, wrapped } from './canvas';
import type { Scene } from './path-scenes';

// Client, balancer, nodes and pods from left to right: a panel for each way of packets.

/** One panel: what it shows, and how packets go. */
export interface PathPanel {
  readonly heading: string;
  readonly scene: Scene;
  /** Whether nodes are shown with the pool that they are of. */
  readonly showsPools?: boolean;
}

const MARGIN = 16;
const CLIENTS = { x: MARGIN + 12, width: 84 };
const BALANCER = { x: 130, width: 170 };
const NODE = { x: 346, width: 342 };
const PORT = { x: 358, width: 112 };
const POD = { x: 572, width: 104 };
const CHIP = 38;
const GAP = 10;
const NODE_TITLE = 22;
const HEADING = 36;
const NOTE = 17;

/** A node with its pods, and the box that it is. */
interface Row {
  readonly node: Place;
  readonly isTarget: boolean;
  readonly pods: readonly Place[];
  readonly frame: Rectangle;
}

interface Drawing {
  readonly height: number;
  readonly content: Content;
  readonly words: string;
}

/** A picture of some panels, one above the other. */
export function pathPicture(title: string, panels: readonly PathPanel[]): string {
  let top = MARGIN;
  const drawn = panels.map((panel) => {
    const drawing = panelOf(panel, top);
    top += drawing.height + MARGIN;
    return drawing;
  });
  const description = drawn.map(({ words }, index) => `${panels[index].heading}: ${words}.`).join(' ');
  return svgFile(
    { title, description },
    top,
    drawn.map(({ content }) => content),
  );
}

function panelOf({ heading, scene, showsPools }: PathPanel, top: number): Drawing {
  const { path, pools, clauses } = scene;
  const drawn = drawnOf(path, { nodes: 6, pods: 6 });
  const names = path.shares.nodes.map(({ name }) => name);
  let y = top + HEADING;
  const rows = names.map((name): Row => {
    const place = drawn.nodes.find((node) => node.name === name);
    const pods = drawn.pods.filter((pod) => pod.node === name && pod.state !== 'dropped');
    const height = NODE_TITLE + Math.max(1, pods.length) * (CHIP + GAP);
    const frame = { x: NODE.x, y, width: NODE.width, height };
    y += height + GAP;
    return {
      node: place ?? { name, label: name, note: '', state: 'unused', share: 0 },
      isTarget: place !== undefined,
      pods,
      frame,
    };
  });
  const middle = (rows[0].frame.y + y - GAP) / 2;
  const hops = drawn.isMesh ? ['dashed: on to a pod of another node, the second hop'] : [];
  const notes = [...hops, ...clauses].flatMap((clause) => wrapped(clause, WIDTH - 4 * MARGIN, true));
  const height = y - top + notes.length * NOTE + 4;
  const used = path.shares.dropped.value < 1;
  const content = [
    rectangle({ x: MARGIN, y: top, width: WIDTH - 2 * MARGIN, height }, 'frame', 8),
    '\n',
    text(heading, MARGIN + 12, top + 24, 'heading'),
    rows.map((row) => framed(row, showsPools ? pools.get(row.node.name) : undefined)),
    ways(rows, drawn.isMesh, middle),
    box({ x: CLIENTS.x, y: middle - CHIP / 2, width: CLIENTS.width, height: CHIP }, 'box', 'clients'),
    box(
      { x: BALANCER.x, y: middle - CHIP / 2 - 4, width: BALANCER.width, height: CHIP + 8 },
      used ? 'box' : 'bad',
      drawn.balancer,
      ...(used ? [] : ['no healthy target']),
    ),
    rows.map(chips),
    notes.map((note, index) => text(note, MARGIN + 12, y + 12 + index * NOTE, noteKind(used, index < hops.length))),
  ];
  return { height, content, words: inWords(drawn, path) };
}

function noteKind(isUsed: boolean, isOfHops: boolean): string {
  return isUsed ? (isOfHops ? 'note warn-ink' : 'note') : 'note bad-ink';
}

const centre = ({ y, height }: Rectangle) => y + NODE_TITLE + (height - NODE_TITLE - GAP) / 2;
const podAt = ({ frame }: Row, index: number) => frame.y + NODE_TITLE + index * (CHIP + GAP);

/** The node as a frame around what runs there. */
function framed({ node, frame }: Row, pool: string | undefined): Content {
  const name = pool === undefined ? node.name : `${node.name}, of pool ${pool}`;
  return [
    rectangle(frame, 'off', 8),
    '\n',
    text(fitting(name, frame.width - 24, true), frame.x + frame.width - 12, frame.y + 16, 'note end'),
  ];
}

function chips(row: Row): Content {
  const { node, isTarget, pods, frame } = row;
  const port = { x: PORT.x, y: centre(frame) - CHIP / 2, width: PORT.width, height: CHIP };
  return [
    ...(isTarget ? [portOf(node, port)] : []),
    ...pods.map((pod, index) =>
      box(
        { x: POD.x, y: podAt(row, index), width: POD.width, height: CHIP },
        pod.share > 0 ? 'good' : 'bad',
        pod.label,
        pod.share > 0 ? percent(pod.share) : 'gets nothing',
      ),
    ),
  ];
}

function portOf({ state, share }: Place, place: Rectangle): Content {
  switch (state) {
    case 'used':
      return box(place, 'box', 'node port', `gets ${percent(share)}`);
    case 'left-out':
      return box(place, 'off', 'node port', 'is no target');
    default:
      return box(place, 'off', 'node port', 'check fails');
  }
}

function ways(rows: readonly Row[], isMesh: boolean, middle: number): Content {
  const toNodes = rows.some(({ isTarget }) => isTarget);
  const entered = rows.filter(({ node }) => node.share > 0);
  const all = rows.flatMap((row) => row.pods.map((pod, index) => ({ row, pod, y: podAt(row, index) + CHIP / 2 })));
  const from = BALANCER.x + BALANCER.width;
  const clients = CLIENTS.x + CLIENTS.width;
  const isLost = toNodes && entered.length === 0;
  return [
    arrow([clients, middle, BALANCER.x, middle], isLost ? 'lost' : 'way', 0.6),
    toNodes
      ? rows.flatMap(({ node, frame }) =>
          node.share > 0
            ? [arrow([from, middle, PORT.x, centre(frame)], 'way', node.share)]
            : node.state === 'left-out'
              ? []
              : [unused([from, middle, PORT.x, centre(frame)])],
        )
      : all.map(({ pod, y }) => arrow([from, middle, POD.x, y], 'way', pod.share)),
    entered.flatMap(({ node, frame, pods }) =>
      all
        .filter(({ pod }) => pod.share > 0 && (isMesh || pods.includes(pod)))
        .map(({ pod, y }) => {
          const isHop = pod.node !== node.name;
          return arrow(
            [PORT.x + PORT.width, centre(frame), POD.x, y],
            isHop ? 'hop' : 'way',
            isMesh ? node.share * pod.share : pod.share,
          );
        }),
    ),
  ];
}
