import { isUnknown } from '../../traffic/figure';
import { counted, wayInWords } from '../../traffic/in-words';
import type { Variant } from '../../traffic/what-if';
import type { ReportedPath } from '../report';
import { type Content, element } from './markup';
import { folded } from './parts';
import { pictureOf } from './picture';

const ROOM = { nodes: 5, pods: 6 };

const NAMES: Record<Variant, string> = {
  local: 'externalTrafficPolicy: Local',
  cluster: 'externalTrafficPolicy: Cluster',
  ip: 'Pods as targets',
  pinned: 'Pinned to the nodes of the balancer',
  spread: 'Spread over nodes',
};

/** The same Service in other ways, side by side. */
export function waysOf({ alternatives }: ReportedPath, id: string, isOpen: boolean): Content {
  return alternatives.length === 0
    ? undefined
    : folded(
        `What if: ${counted(alternatives.length, 'other way')}`,
        element(
          'ul',
          { class: 'ways' },
          alternatives.map((way, index) => wayOf(way, `${id}-way-${index + 1}`)),
        ),
        isOpen,
      );
}

function wayOf(way: ReportedPath['alternatives'][number], id: string): Content {
  const name = NAMES[way.variant];
  if ('cannot' in way) {
    return element('li', {}, element('h4', {}, name), element('p', { class: 'sub' }, `not possible: ${way.cannot}`));
  }
  const { changes, path } = way;
  return element(
    'li',
    {},
    element('h4', {}, name),
    element('p', { class: 'sub' }, changes.length === 0 ? 'as it is today' : `change: ${changes.join('; ')}`),
    isUnknown(path)
      ? element('p', { class: 'unknown' }, path.unknown)
      : changes.length === 0
        ? undefined
        : [pictureOf(path, id, `${name}: path of connections`, ROOM), element('p', {}, wayInWords(path))],
  );
}
