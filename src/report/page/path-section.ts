import { grouped } from '../../contract/json';
import { citationInWords, count } from '../../contract/rule';
import { type Figure, isUnknown, type Unknown } from '../../traffic/fraction';
import { percent, sharesInWords, wayInWords } from '../../traffic/in-words';
import type { Path } from '../../traffic/path';
import type { Share, Shares } from '../../traffic/shares';
import type { Alternative, Loss, Variant } from '../../traffic/what-if';
import type { ReportedPath } from '../paths';
import {
  bullets,
  type Content,
  facts,
  figureIn,
  folded,
  html,
  limitedList,
  type Markup,
  moreOf,
  named,
  table,
  tag,
  termsOf,
} from './markup';
import { highest, pictureOf } from './picture';

const MOST_SERVICES = 8;
const MOST_SERVICES_FOLDED = 60;
const MOST_PODS = 12;
const MOST_ROWS = 12;
const MOST_TERMS = 4;
const ROOM = { nodes: 8, pods: 10 };
const ROOM_OF_WAY = { nodes: 5, pods: 6 };

export function articleOf(reported: ReportedPath, id: string, isOpen: boolean): Markup {
  const { services, balancer, path, onAnyNodes, words } = reported;
  const all = () => html`<p>${limitedList(services, MOST_SERVICES_FOLDED)}</p>`;
  const shares = `unknown: ${words}`;
  const way =
    isUnknown(path) && onAnyNodes
      ? facts(Object.entries({ Path: onAnyNodes.path, 'Address of clients': onAnyNodes.clients, Shares: shares }))
      : html`<p class="words">${words}</p>`;
  return html`
    <article class="card" id="${id}" aria-labelledby="${id}-title">
      <h3 id="${id}-title">${titleOf(reported)}</h3>
      <p class="sub">${balancer}${[reported.owner, reported.policy].map((part) => part && [' · ', part])}</p>
      ${services.length > MOST_SERVICES ? folded(`${count(services.length, 'Service')} with this path`, all()) : ''}
      ${way}
      ${isUnknown(path) ? '' : bodyOf(reported, path, id)}
      ${lossesOf(reported)}
      ${waysOf(reported, id, isOpen)}
    </article>`;
}

export function titleOf({ services }: ReportedPath): Content {
  return services.length > 0
    ? limitedList(services, services.length > MOST_SERVICES ? 3 : MOST_SERVICES)
    : 'no Service';
}

function bodyOf({ services }: ReportedPath, path: Path, id: string): Content {
  const title = `Path of connections to ${services[0] ?? 'the Service'}`;
  return html`
    <div class="two">
      <figure>${pictureOf(path, id, title, ROOM)}</figure>
      <div>${factsOf(path)}</div>
    </div>
    ${notesOf(path)}
    ${folded('Share of each node and pod, with its terms', sharesTables(path.shares))}`;
}

function factsOf({ shares, clientAddress, dependsOn, inCluster: { toBalancer } }: Path): Markup {
  const { dropped, imbalance, crossings } = shares;
  const { survives, lostAt, why, source } = clientAddress;
  const lost = html`${tag('bad', `${percent(dropped.value)} dropped`)} ${termsOf(`= ${dropped.terms}`)}`;
  const address = survives ? tag('good', 'kept') : tag('warn', `lost at the ${lostAt}`);
  const fails = (figure: Figure) => html`<br />at most ${figureIn(figure, percent)} fail`;
  const inCluster = isUnknown(toBalancer)
    ? html`<span class="unknown">${toBalancer.unknown}</span>`
    : html`
        ${toBalancer.leaves ? 'leave the node for the balancer' : 'do not leave for the balancer'}
        ${[' ', termsOf(toBalancer.why)]}
        ${toBalancer.fails.value > 0 ? fails(toBalancer.fails) : undefined}`;
  return facts([
    ...(dropped.value > 0 ? [['No pod answers', lost] as const] : []),
    ['Address of clients', html`${address} ${termsOf(`${why} (${citationInWords(source)})`)}`],
    ['Sent on to another node', figureIn(shares.secondHop, percent)],
    ['Depends on one node alone', figureIn(dependsOn.oneNode, percent)],
    ['Busiest pod against an even share', figureIn(imbalance, (value) => `${rounded(value)} ×`)],
    ['Crosses zones on the way to the target', figureIn(crossings.toTarget, percent)],
    ['Crosses zones on the way to the pod', figureIn(crossings.toPod, percent)],
    ['Clients in the cluster', inCluster],
  ]);
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function notesOf({ notes, shares }: Path): Content {
  // the words have the nodes that fail
  const told = shares.targets.filter(
    ({ kind, state, why }) => why !== undefined && (kind === 'pod' || state === 'left out'),
  );
  const reasons = [...grouped(told, ({ state, why }) => `${state}: ${why}`)].map(
    ([reason, targets]) =>
      html`${limitedList(
        targets.map(({ name }) => name),
        5,
      )} ${reason}`,
  );
  return bullets([...notes, ...reasons], MOST_PODS);
}

function lossesOf({ lossOfNode, lossOfZone }: ReportedPath): Content {
  const losses = [lossOfNode, lossOfZone].flatMap((loss) => loss ?? []);
  return losses.length === 0
    ? undefined
    : html`<h4>What a loss takes with it</h4><ul>${losses.map((loss) => html`<li>${inWords(loss)}</li>`)}</ul>`;
}

function inWords(loss: Loss | Unknown): Content {
  if (isUnknown(loss)) {
    return loss.unknown;
  }
  const { lost, broken, pods, unnoticed, after } = loss;
  if (broken.value === 0) {
    return html`loss of ${named(lost)} breaks no connection`;
  }
  const gone = pods.length === 0 ? '; no pod is on it' : html`; with it go ${limitedList(pods, MOST_PODS)}`;
  const still = isUnknown(unnoticed)
    ? `; for how long new connections still go there ${unnoticed.unknown}`
    : html`; new connections still go there for up to ${figureIn(unnoticed, (seconds) => `${rounded(seconds)} s`)}`;
  const dropped = (value: number) => (value > 0 ? `${percent(value)} are dropped and ` : '');
  const later = isUnknown(after)
    ? `: ${after.unknown}`
    : ` ${dropped(after.dropped.value)}pods have ${sharesInWords(after)}`;
  return html`
    loss of ${named(lost)} breaks ${figureIn(broken, percent)} of all connections${gone}${still}; afterwards${later}`;
}

function sharesTables({ nodes, pods, targets, assumptions }: Shares): Content {
  const state = new Map(targets.map((target) => [`${target.kind} ${target.name}`, target]));
  const hasNodes = targets.some(({ kind }) => kind === 'node');
  const stateOf = (name: string) => {
    const target = state.get(`node ${name}`);
    return target ? [target.state, target.why].filter(Boolean).join(': ') : 'no target';
  };
  const nodeRows = highest(nodes, MOST_ROWS, ({ touches }) => touches.share).map(
    ({ name, zone = '–', enters, ends, touches }) => {
      return [named(name), named(zone), stateOf(name), ...[enters, ends, touches].map(shareOf)];
    },
  );
  const podRows = highest(pods, MOST_ROWS, ({ share }) => share).map((pod) => {
    const terms = pod.terms.slice(0, MOST_TERMS).join(' + ') || 'nothing leads to it';
    return [named(pod.name), named(pod.node), shareOf(pod), termsOf([terms, moreOf(pod.terms, MOST_TERMS, ' and ')])];
  });
  const ofNodes = ['Node', 'Zone', hasNodes ? 'Health check' : 'As a target', '#Arrives', '#Ends', '#Breaks'];
  return [
    table('Nodes: what arrives, what ends in their pods, what breaks with them', ofNodes, nodeRows),
    leftOut(nodes, 'nodes'),
    table('Pods: the share of new connections of each, and its terms', ['Pod', 'Node', '#Share', 'Terms'], podRows),
    leftOut(pods, 'pods'),
    bullets(assumptions, MOST_ROWS),
  ];
}

function leftOut(places: readonly unknown[], what: string): Content {
  const more = moreOf(places, MOST_ROWS);
  return more && termsOf(`${more} ${what}, none of which has a higher share`);
}

function shareOf({ share, exact }: Share): Content {
  return [percent(share), ' ', termsOf(`= ${exact}`)];
}

const NAMES: Record<Variant, string> = {
  local: 'externalTrafficPolicy: Local',
  cluster: 'externalTrafficPolicy: Cluster',
  ip: 'Pods as targets',
  pinned: 'Pinned to the nodes of the balancer',
  spread: 'Spread over nodes',
};

function waysOf({ alternatives }: ReportedPath, id: string, isOpen: boolean): Content {
  const pictures = alternatives.flatMap((way, i) =>
    'cannot' in way || isUnknown(way.path) || way.changes.length === 0
      ? []
      : pictureItem(way, way.path, `${id}-way-${i + 1}`),
  );
  const others = bullets(alternatives.flatMap(withoutPicture), alternatives.length);
  const ways = [pictures.length === 0 ? undefined : html`<ul class="ways">${pictures}</ul>`, others];
  return alternatives.length === 0
    ? undefined
    : folded(`What if: ${count(alternatives.length, 'other way')}`, ways, isOpen);
}

function withoutPicture(way: ReportedPath['alternatives'][number]): string[] {
  const why =
    'cannot' in way
      ? `not possible: ${way.cannot}`
      : isUnknown(way.path)
        ? way.path.unknown
        : way.changes.length === 0 && 'as it is today';
  return why === false ? [] : [`${NAMES[way.variant]}: ${why}`];
}

function pictureItem({ variant, changes }: Alternative, path: Path, id: string): Markup {
  const name = NAMES[variant];
  return html`
    <li>
      <h4>${name}</h4>
      <p class="sub">change: ${changes.join('; ')}</p>
      ${pictureOf(path, id, `${name}: path of connections`, ROOM_OF_WAY)}
      <p>${wayInWords(path)}</p>
    </li>`;
}
