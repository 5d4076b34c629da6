import { count } from '../../contract/printable';
import { isUnknown } from '../../traffic/figure';
import { wayInWords } from '../../traffic/in-words';
import type { Path } from '../../traffic/path';
import type { Alternative, Variant } from '../../traffic/what-if';
import type { ReportedPath } from '../report';
import { type Content, element, type Markup } from './markup';
import { bullets, folded } from './parts';
import { pictureOf } from './picture';

const ROOM = { nodes: 5, pods: 6 };

const NAMES: Record<Variant, string> = {
  local: 'externalTrafficPolicy: Local',
  cluster: 'externalTrafficPolicy: Cluster',
  ip: 'Pods as targets',
  pinned: 'Pinned to the nodes of the balancer',
  spread: 'Spread over nodes',
};

/** The same Service in other ways, side by side; those without a picture are named below. */
export function waysOf({ alternatives }: ReportedPath, id: string, isOpen: boolean): Content {
  const ways = alternatives.map((way, index) => ({ way, id: `${id}-way-${index + 1}` }));
  const pictures = ways.flatMap(({ way, id: own }) =>
    'cannot' in way || isUnknown(way.path) || way.changes.length === 0 ? [] : pictureItem(way, way.path, own),
  );
  return alternatives.length === 0
    ? undefined
    : folded(
        `What if: ${count(alternatives.length, 'other way')}`,
        [
          pictures.length === 0 ? undefined : element('ul', { class: 'ways' }, pictures),
          bullets(alternatives.flatMap(withoutPicture), alternatives.length),
        ],
        isOpen,
      );
}

function withoutPicture(way: ReportedPath['alternatives'][number]): string[] {
  const name = NAMES[way.variant];
  if ('cannot' in way) {
    return [`${name}: not possible: ${way.cannot}`];
  }
  if (isUnknown(way.path)) {
    return [`${name}: ${way.path.unknown}`];
  }
  return way.changes.length === 0 ? [`${name}: as it is today`] : [];
}

function pictureItem({ variant, changes }: Alternative, path: Path, id: string): Markup {
  const name = NAMES[variant];
  return element(
    'li',
    {},
    element('h4', {}, name),
    element('p', { class: 'sub' }, `change: ${changes.join('; ')}`),
    pictureOf(path, id, `${name}: path of connections`, ROOM),
    element('p', {}, wayInWords(path)),
  );
}
