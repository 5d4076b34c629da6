import { isUnknown } from '../traffic/figure';
import type { Path } from '../traffic/path';
import type { ReportedPath } from './report';
import { firstOf, percent } from './words';

/** Nodes and pods that a picture has place for. */
const MOST = 12;

/** The signs that stand for themselves in a label; others are written by their numbers, so that no name ends one or is markup. */
const PLAIN = /[^\p{L}\p{N} .,/:()%→−×÷+=_-]/gu;

/** A text between quotes, as a flowchart reads it. */
export function mermaidLabel(text: string): string {
  const escaped = text.replace(PLAIN, (sign) => `#${sign.codePointAt(0)};`);
  return `"${escaped.trim() === '' ? '-' : escaped}"`;
}

/** The way of packets as a flowchart, with shares on the arrows; nothing where it is not known. */
export function mermaidOf({ path, balancer }: ReportedPath): string | undefined {
  if (isUnknown(path)) {
    return undefined;
  }
  const chart = new Flowchart();
  chart.box('client', 'clients');
  chart.box('balancer', balancer);
  chart.arrow('client', 'balancer');
  if (path.hops.some(({ place }) => place === 'node')) {
    addNodes(chart, path);
  } else {
    addPods(chart, path, () => 'balancer');
  }
  if (path.shares.dropped.value > 0) {
    chart.box('dropped', 'answered by no pod');
    chart.arrow('balancer', 'dropped', percent(path.shares.dropped.value));
  }
  return chart.toString();
}

function addNodes(chart: Flowchart, path: Path): void {
  const { nodes, secondHop } = path.shares;
  const entered = nodes.filter(({ enters }) => enters.share > 0);
  const { shown, more } = firstOf(entered, MOST);
  const ids = new Map(shown.map(({ name }, index) => [name, `node${index}`]));
  for (const { name, enters } of shown) {
    const id = ids.get(name) as string;
    chart.box(id, `node ${name}`);
    chart.arrow('balancer', id, percent(enters.share));
  }
  if (more > 0) {
    const rest = entered.slice(shown.length).reduce((sum, { enters }) => sum + enters.share, 0);
    chart.box('nodes', `${more} more nodes`);
    chart.arrow('balancer', 'nodes', percent(rest));
  }
  if (secondHop.value > 0 || more > 0) {
    chart.box('proxy', 'kube-proxy');
    for (const id of [...ids.values(), ...(more > 0 ? ['nodes'] : [])]) {
      chart.arrow(id, 'proxy');
    }
    addPods(chart, path, () => 'proxy');
  } else {
    addPods(chart, path, (node) => ids.get(node));
  }
}

function addPods(chart: Flowchart, { shares: { pods } }: Path, from: (node: string) => string | undefined): void {
  const { shown, more } = firstOf(pods, MOST);
  for (const [index, { name, node, share }] of shown.entries()) {
    const id = `pod${index}`;
    chart.box(id, `${name} on ${node}`);
    const start = from(node);
    if (start !== undefined) {
      chart.arrow(start, id, percent(share));
    }
  }
  if (more > 0) {
    const rest = pods.slice(shown.length).reduce((sum, { share }) => sum + share, 0);
    chart.box('pods', `${more} more pods`);
    chart.arrow(from('') ?? 'balancer', 'pods', percent(rest));
  }
}

/** A flowchart of Mermaid, from left to right. */
class Flowchart {
  private readonly lines = ['flowchart LR'];

  public box(id: string, label: string): void {
    this.lines.push(`  ${id}[${mermaidLabel(label)}]`);
  }

  public arrow(from: string, to: string, label?: string): void {
    this.lines.push(`  ${from} -->${label === undefined ? '' : `|${mermaidLabel(label)}|`} ${to}`);
  }

  public toString(): string {
    return this.lines.join('\n');
  }
}
