import { count } from '../../contract/printable';
import { isUnknown, type Unknown } from '../../traffic/figure';
import { percent, sharesInWords } from '../../traffic/in-words';
import type { Loss } from '../../traffic/loss';
import type { Path } from '../../traffic/path';
import type { ReportedPath } from '../report';
import { type Content, element, type Markup, together } from './markup';
import { bullets, facts, figureIn, folded, listed, named, tag, termsOf } from './parts';
import { pictureOf } from './picture';
import { sharesTables } from './shares-tables';
import { waysOf } from './ways';

const MOST_SERVICES = 8;
const MOST_SERVICES_FOLDED = 60;
const MOST_PODS = 12;
const ROOM = { nodes: 8, pods: 10 };

/** One row of the report: the picture of its path, the figures with their terms, and the same Service in other ways. */
export function articleOf(reported: ReportedPath, id: string, isOpen: boolean): Markup {
  const { services, balancer, path, onAnyNodes, words } = reported;
  return element(
    'article',
    { class: 'card', id, 'aria-labelledby': `${id}-title` },
    element('h3', { id: `${id}-title` }, titleOf(reported)),
    element(
      'p',
      { class: 'sub' },
      balancer,
      ...[reported.owner, reported.policy].flatMap((part) => part && [' · ', part]),
    ),
    services.length > MOST_SERVICES
      ? folded(
          `${count(services.length, 'Service')} with this path`,
          element('p', {}, listed(services, MOST_SERVICES_FOLDED)),
        )
      : undefined,
    isUnknown(path) && onAnyNodes
      ? facts([
          ['Path', onAnyNodes.path],
          ['Address of clients', onAnyNodes.clients],
          ['Shares', `unknown: ${words}`],
        ])
      : element('p', { class: 'words' }, words),
    isUnknown(path) ? undefined : [...bodyOf(reported, path, id)],
    lossesOf(reported),
    waysOf(reported, id, isOpen),
  );
}

/** The Services by name, cut where they are many. */
export function titleOf({ services }: ReportedPath): Markup {
  return services.length > 0
    ? listed(services, services.length > MOST_SERVICES ? 3 : MOST_SERVICES)
    : together('no Service');
}

function bodyOf({ services }: ReportedPath, path: Path, id: string): Content[] {
  const title = `Path of connections to ${services[0] ?? 'the Service'}`;
  return [
    element(
      'div',
      { class: 'two' },
      element('figure', {}, pictureOf(path, id, title, ROOM)),
      element('div', {}, factsOf(path)),
    ),
    notesOf(path),
    folded('Share of each node and pod, with its terms', sharesTables(path.shares)),
  ];
}

function factsOf({ shares, clientAddress, dependsOn, inCluster }: Path): Markup {
  const { dropped, imbalance, crossings } = shares;
  const lost = `lost at the ${clientAddress.lostAt}`;
  return facts([
    ...(dropped.value > 0
      ? [
          [
            'No pod answers',
            [tag('bad', `${percent(dropped.value)} dropped`), ' ', termsOf(`= ${dropped.terms}`)],
          ] as const,
        ]
      : []),
    [
      'Address of clients',
      [
        clientAddress.survives ? tag('good', 'kept') : tag('warn', lost),
        ' ',
        termsOf(`${clientAddress.why} (${sourceOf(clientAddress.source)})`),
      ],
    ],
    ['Sent on to another node', figureIn(shares.secondHop, percent)],
    ['Depends on one node alone', figureIn(dependsOn.oneNode, percent)],
    ['Busiest pod against an even share', figureIn(imbalance, (value) => `${rounded(value)} ×`)],
    ['Crosses zones on the way to the target', figureIn(crossings.toTarget, percent)],
    ['Crosses zones on the way to the pod', figureIn(crossings.toPod, percent)],
    [
      'Clients in the cluster',
      isUnknown(inCluster.toBalancer)
        ? element('span', { class: 'unknown' }, inCluster.toBalancer.unknown)
        : [
            inCluster.toBalancer.leaves ? 'leave the node for the balancer' : 'do not leave for the balancer',
            ' ',
            termsOf(inCluster.toBalancer.why),
            ...(inCluster.toBalancer.fails.value > 0
              ? [element('br', {}), 'at most ', figureIn(inCluster.toBalancer.fails, percent), ' fail']
              : []),
          ],
    ],
  ]);
}

/** Where a fact was read. */
export function sourceOf({ repository, version, file }: Path['clientAddress']['source']): string {
  return `${repository} ${version}, ${file}`;
}

/** `1.5`, with at most two digits after the point. */
function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function notesOf({ notes, shares }: Path): Content {
  const why = new Map<string, string[]>();
  for (const { kind, name, state, why: reason } of shares.targets) {
    // the words have the nodes that fail
    if (reason !== undefined && (kind === 'pod' || state === 'left out')) {
      why.set(`${state}: ${reason}`, [...(why.get(`${state}: ${reason}`) ?? []), name]);
    }
  }
  const reasons = [...why].map(([reason, names]) => together(listed(names, 5), ` ${reason}`));
  return bullets([...notes, ...reasons], MOST_PODS);
}

function lossesOf({ lossOfNode, lossOfZone }: ReportedPath): Content {
  const losses = [lossOfNode, lossOfZone].flatMap((loss) => loss ?? []);
  return losses.length === 0
    ? undefined
    : [
        element('h4', {}, 'What a loss takes with it'),
        element(
          'ul',
          {},
          losses.map((loss) => element('li', {}, inWords(loss))),
        ),
      ];
}

function inWords(loss: Loss | Unknown): Content {
  if (isUnknown(loss)) {
    return loss.unknown;
  }
  const { lost, broken, pods, unnoticed, after } = loss;
  if (broken.value === 0) {
    return ['loss of ', named(lost), ' breaks no connection'];
  }
  return [
    'loss of ',
    named(lost),
    ' breaks ',
    figureIn(broken, percent),
    ' of all connections',
    pods.length === 0 ? '; no pod is on it' : ['; with it go ', listed(pods, MOST_PODS)],
    isUnknown(unnoticed)
      ? `; for how long new connections still go there ${unnoticed.unknown}`
      : ['; new connections still go there for up to ', figureIn(unnoticed, (seconds) => `${rounded(seconds)} s`)],
    isUnknown(after)
      ? `; afterwards: ${after.unknown}`
      : [
          '; afterwards ',
          after.dropped.value > 0 ? `${percent(after.dropped.value)} are dropped and ` : '',
          `pods have ${sharesInWords(after)}`,
        ],
  ];
}
