import type { QuotaUse } from '../../cost/quota-use';
import type { Report } from '../report';
import { type Content, element, type Markup } from './markup';
import { bullets, folded, inThousands, moreOf, named, section, table, termsOf } from './parts';
import { sourceOf } from './path-section';

const MOST_GAUGES = 24;
const MOST_USERS = 10;
const MOST_NEEDS = 10;

/** From here on a quota is shown as nearly used. */
const NEAR = 80;

/** How much of each quota is used, the one that is met first before others. */
export function quotaSection({ quotas }: Report): Markup {
  const known = quotas.uses.filter(({ percent }) => percent !== undefined);
  const unknown = quotas.uses.filter(({ percent }) => percent === undefined);
  const more = moreOf(known, MOST_GAUGES);
  return section(
    'quotas',
    'Quotas of the accounts',
    element(
      'p',
      { class: 'lead' },
      quotas.uses.length === 0
        ? 'No quota is known for what is made.'
        : 'Those of a new account, unless others were given. Only what is in this report is counted.',
    ),
    known.length === 0
      ? undefined
      : element(
          'ul',
          { class: 'gauges' },
          known.slice(0, MOST_GAUGES).map((use, index) => element('li', {}, gaugeOf(use, `quota-${index + 1}`))),
        ),
    more && element('p', { class: 'muted' }, `${more} quotas of which less is used`),
    unknown.length === 0 ? undefined : unknownOf(unknown),
    quotas.wrong.length === 0
      ? undefined
      : bullets(
          quotas.wrong.map(({ what, remedy }) => `${what}; ${remedy}`),
          MOST_NEEDS,
        ),
  );
}

function unknownOf(uses: readonly QuotaUse[]): Markup {
  return folded(
    'Quotas whose use is not known',
    bullets(
      uses.map(({ text, needs }) => [
        text,
        termsOf(needs.map(({ what, remedy }) => `: ${what}; ${remedy}`).slice(0, 1)),
      ]),
      MOST_GAUGES,
    ) ?? '',
  );
}

function gaugeOf(use: QuotaUse, id: string): Content {
  const { name, percent = 0, used = 0, limit = 0, isGiven, adjustable, users, needs, source } = use;
  const isLeast = use.text.startsWith('at least');
  return [
    picture(use, percent, id),
    element('h3', {}, name),
    element(
      'p',
      {},
      isLeast ? 'at least ' : '',
      element('span', { class: 'value' }, `${inThousands(used)} of ${inThousands(limit)}`),
      percent >= NEAR ? [' ', element('span', { class: `tag ${kindOf(percent)[1]}` }, kindOf(percent)[2])] : undefined,
    ),
    folded('Who uses it', [
      table(
        `${inThousands(used)} = the sum of these`,
        [{ title: 'Service' }, { title: 'Uses', isNumber: true }],
        users.slice(0, MOST_USERS).map((user) => [named(shortOf(user.name)), inThousands(user.used)]),
      ),
      termsOf(restOf(users)),
      bullets(
        [
          `${isGiven ? 'given quota' : 'quota of a new account'}${adjustable ? ', which the vendor raises' : ', which the vendor does not raise'}`,
          ...(isGiven ? [] : [sourceOf(source)]),
          ...needs.map(({ what, remedy }) => `${what}; ${remedy}`),
        ],
        MOST_NEEDS,
      ),
    ]),
  ];
}

/** Services on one balancer have one long name together. */
function shortOf(name: string): string {
  const most = 300;
  return name.length > most ? `${name.slice(0, most)}…` : name;
}

function restOf(users: QuotaUse['users']): string | undefined {
  const rest = users.slice(MOST_USERS).reduce((sum, { used }) => sum + used, 0);
  return users.length > MOST_USERS ? `${moreOf(users, MOST_USERS)}, which use ${inThousands(rest)}` : undefined;
}

/** The class of the arc, that of the tag, and its words. */
function kindOf(percent: number): readonly [string, string, string] {
  if (percent < NEAR) {
    return ['fine', 'good', 'within the quota'];
  }
  return percent <= 100 ? ['near', 'warn', 'nearly used'] : ['over', 'bad', 'over the quota'];
}

const RADIUS = 56;

/** Half a circle, from the left over the top, with a mark where a quota is nearly used. */
function picture({ text }: QuotaUse, percent: number, id: string): Markup {
  const part = Math.min(1, Math.max(0, percent / 100));
  const [markX, markY] = [pointAt(NEAR / 100, RADIUS - 9), pointAt(NEAR / 100, RADIUS + 9)];
  return element(
    'svg',
    {
      class: 'gauge',
      viewBox: '0 0 150 84',
      width: 150,
      height: 84,
      role: 'img',
      'aria-labelledby': `${id}-t ${id}-d`,
    },
    element('title', { id: `${id}-t` }, text),
    element('desc', { id: `${id}-d` }, kindOf(percent)[2]),
    element('path', { class: 'back', d: arcTo(1) }),
    part > 0 ? element('path', { class: kindOf(percent)[0], d: arcTo(part) }) : undefined,
    element('path', { class: 'mark', d: `M${markX}L${markY}` }),
    element('text', { x: 75, y: 70 }, `${inThousands(Math.trunc(percent))}${fractionOf(percent)} %`),
  );
}

/** `.4`, or nothing. */
function fractionOf(percent: number): string {
  const [, digits] = String(percent).split('.');
  return digits === undefined ? '' : `.${digits}`;
}

function pointAt(part: number, radius: number): string {
  const angle = Math.PI * (1 - part);
  const round = (length: number) => Math.round(length * 10) / 10;
  return `${round(75 + radius * Math.cos(angle))} ${round(72 - radius * Math.sin(angle))}`;
}

function arcTo(part: number): string {
  return `M${pointAt(0, RADIUS)}A${RADIUS} ${RADIUS} 0 0 1 ${pointAt(part, RADIUS)}`;
}
