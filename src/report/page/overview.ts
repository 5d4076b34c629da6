import { isUnknown } from '../../traffic/figure';
import { percent } from '../../traffic/in-words';
import type { Report, ReportedPath } from '../report';
import { type Content, element, type Markup, together } from './markup';
import { amountsOf } from './money-section';
import { bullets, inThousands, listed } from './parts';

const MOST_NAMES = 2;
const MOST_POINTS = 8;

/** A quota of which so many percent are used is worth a look, and a pod with so many times the even share. */
const NEAR = 80;
const UNEVEN = 1.5;

/** The four figures that a reader asks for first, each leading to where its terms are, and what is worth a look. */
export function overview(report: Report): Markup {
  const { bill, quotas, paths, balancers } = report;
  const [fullest] = quotas.uses.filter(({ percent: used }) => used !== undefined);
  const worst = worstLoss(paths);
  return together(
    element(
      'ul',
      { class: 'tiles' },
      tile('inventory', 'Load balancers', inThousands(bill.balancers), `for ${inThousands(balancers.length)} Services`),
      tile('money', 'List price a month', amountsOf(bill), bill.notes[0] ?? 'all that was asked for'),
      fullest
        ? tile('quotas', 'Quota that is met first', `${fullest.percent} %`, fullest.name)
        : tile('quotas', 'Quota that is met first', 'not known', 'no use of a quota is known'),
      worst
        ? tile(worst.id, 'Worst loss of a node', percent(worst.broken), [
            `of connections break with ${worst.lost}: `,
            listed(worst.services, 1),
          ])
        : tile('paths', 'Worst loss of a node', 'not known', 'it needs the nodes of the cluster'),
    ),
    pointsOf(report),
  );
}

function tile(id: string, title: string, big: string, small: Content): Markup {
  return element(
    'li',
    {},
    element('a', { href: `#${id}`, class: 'title' }, title),
    element('span', { class: 'big' }, big),
    element('small', {}, small),
  );
}

function worstLoss(paths: readonly ReportedPath[]) {
  const losses = paths.flatMap(({ lossOfNode, services }, index) =>
    lossOfNode === undefined || isUnknown(lossOfNode)
      ? []
      : [{ broken: lossOfNode.broken.value, lost: lossOfNode.lost, services, id: idOf(index) }],
  );
  return losses.reduce<(typeof losses)[number] | undefined>(
    (worst, loss) => (worst && worst.broken >= loss.broken ? worst : loss),
    undefined,
  );
}

/** Only paths that may be drawn are led to. */
function idOf(index: number): string {
  return index < MOST_POINTS ? `path-${index + 1}` : 'paths';
}

function pointsOf({ paths, quotas, notes }: Report): Content {
  const points = [
    ...paths.flatMap((path, index) => pointsOfPath(path, index)),
    ...quotas.uses.filter((use) => (use.percent ?? 0) >= NEAR).map(({ text }) => text),
    ...notes,
  ];
  return points.length === 0
    ? undefined
    : element(
        'section',
        { class: 'look', 'aria-labelledby': 'look-title' },
        element('h2', { id: 'look-title' }, 'Worth a look'),
        bullets(points, MOST_POINTS),
      );
}

function pointsOfPath({ services, path }: ReportedPath, index: number): Content[] {
  if (isUnknown(path)) {
    return [];
  }
  const { dropped, imbalance } = path.shares;
  const failing = path.shares.targets.filter(({ state, asItShould }) => state === 'failing' && !asItShould);
  const whose = together(listed(services, MOST_NAMES), ': ');
  const link = (words: string) => [whose, element('a', { href: `#${idOf(index)}` }, words)];
  if (dropped.value > 0) {
    return [link(`${percent(dropped.value)} of connections are answered by no pod`)];
  }
  if (failing.length > 0) {
    return [link(`${inThousands(failing.length)} targets fail the health check`)];
  }
  return !isUnknown(imbalance) && imbalance.value >= UNEVEN
    ? [link(`one pod has ${Math.round(imbalance.value * 10) / 10} times the even share`)]
    : [];
}
