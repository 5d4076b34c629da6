import { percent } from '../../traffic/in-words';
import type { Share, Shares } from '../../traffic/shares';
import { type Content, together } from './markup';
import { bullets, moreOf, named, table, termsOf } from './parts';

const MOST_ROWS = 12;
const MOST_TERMS = 4;

/** What each node and pod has, and what the numbers are made of. */
export function sharesTables({ nodes, pods, targets, assumptions }: Shares): Content {
  const state = new Map(targets.map((target) => [`${target.kind} ${target.name}`, target]));
  const hasNodes = targets.some(({ kind }) => kind === 'node');
  const stateOf = (kind: 'node' | 'pod', name: string) => {
    const target = state.get(`${kind} ${name}`);
    return target ? [target.state, target.why].filter(Boolean).join(': ') : 'no target';
  };
  return [
    table(
      'Nodes: what arrives, what ends in their pods, what breaks with them',
      [
        { title: 'Node' },
        { title: 'Zone' },
        { title: hasNodes ? 'Health check' : 'As a target' },
        { title: 'Arrives', isNumber: true },
        { title: 'Ends', isNumber: true },
        { title: 'Breaks', isNumber: true },
      ],
      most(nodes, ({ touches }) => touches.share).map(({ name, zone = '–', enters, ends, touches }) => [
        named(name),
        named(zone),
        stateOf('node', name),
        shareOf(enters),
        shareOf(ends),
        shareOf(touches),
      ]),
    ),
    leftOut(nodes, 'nodes'),
    table(
      'Pods: the share of new connections of each, and its terms',
      [{ title: 'Pod' }, { title: 'Node' }, { title: 'Share', isNumber: true }, { title: 'Terms' }],
      most(pods, ({ share }) => share).map((pod) => [
        named(pod.name),
        named(pod.node),
        shareOf(pod),
        termsOf([
          pod.terms.slice(0, MOST_TERMS).join(' + ') || 'nothing leads to it',
          moreOf(pod.terms, MOST_TERMS, ' and '),
        ]),
      ]),
    ),
    leftOut(pods, 'pods'),
    bullets(assumptions, MOST_ROWS),
  ];
}

/** The highest, in their own order. */
function most<T>(places: readonly T[], weight: (place: T) => number): readonly T[] {
  if (places.length <= MOST_ROWS) {
    return places;
  }
  const kept = new Set([...places].sort((one, other) => weight(other) - weight(one)).slice(0, MOST_ROWS));
  return places.filter((place) => kept.has(place));
}

function leftOut(places: readonly unknown[], what: string): Content {
  const more = moreOf(places, MOST_ROWS);
  return more && termsOf(`${more} ${what}, none of which has a higher share`);
}

function shareOf({ share, exact }: Share): Content {
  return together(percent(share), ' ', termsOf(`= ${exact}`));
}
