import type { QuotaUse } from '../../cost/quota-use';
import type { Report } from '../report';
import { type Content, html, type Markup } from './markup';
import { bullets, folded, inThousands, moreOf, muted, named, section, svg, table, tag, termsOf } from './parts';
import { sourceOf } from './path-section';

const MOST_GAUGES = 24;
const MOST_USERS = 10;
const MOST_NEEDS = 10;

const NEAR = 80;

/** How much of each quota is used, the one that is met first before others. */
export function quotaSection({ quotas }: Report): Markup {
  const known = quotas.uses.filter(({ percent }) => percent !== undefined);
  const unknown = quotas.uses.filter(({ percent }) => percent === undefined);
  const more = moreOf(known, MOST_GAUGES);
  const lead =
    quotas.uses.length === 0
      ? 'No quota is known for what is made.'
      : 'Those of a new account, unless others were given. Only what is in this report is counted.';
  const gauges = known.slice(0, MOST_GAUGES).map((use, i) => html`<li>${gaugeOf(use, `quota-${i + 1}`)}</li>`);
  return section(
    'quotas',
    'Quotas of the accounts',
    html`<p class="lead">${lead}</p>`,
    gauges.length === 0 ? undefined : html`<ul class="gauges">${gauges}</ul>`,
    more && muted(`${more} quotas of which less is used`),
    unknown.length === 0 ? undefined : folded('Quotas whose use is not known', unknownOf(unknown)),
    bullets(quotas.wrong.map(inWords), MOST_NEEDS),
  );
}

function inWords({ what, remedy }: { readonly what: string; readonly remedy: string }): string {
  return `${what}; ${remedy}`;
}

function unknownOf(uses: readonly QuotaUse[]): Content {
  const lines = uses.map(({ text, needs }) => [text, termsOf(needs.slice(0, 1).map((need) => `: ${inWords(need)}`))]);
  return bullets(lines, MOST_GAUGES);
}

function gaugeOf(use: QuotaUse, id: string): Content {
  const { name, percent = 0, used = 0, limit = 0, isGiven, adjustable, users, needs, source } = use;
  const [, kind, says] = kindOf(percent);
  const of = isGiven ? 'given quota' : 'quota of a new account';
  const raised = adjustable ? 'which the vendor raises' : 'which the vendor does not raise';
  const uses = table(
    `${inThousands(used)} = the sum of these`,
    ['Service', '#Uses'],
    users.slice(0, MOST_USERS).map((user) => [named(shortOf(user.name)), inThousands(user.used)]),
  );
  const grounds = [`${of}, ${raised}`, ...(isGiven ? [] : [sourceOf(source)]), ...needs.map(inWords)];
  return html`
    ${picture(use, percent, id)}
    <h3>${name}</h3>
    <p>
      ${use.text.startsWith('at least') ? 'at least ' : ''}
      <span class="value">${inThousands(used)} of ${inThousands(limit)}</span>
      ${percent >= NEAR ? [' ', tag(kind, says)] : undefined}
    </p>
    ${folded('Who uses it', [uses, termsOf(restOf(users)), bullets(grounds, MOST_NEEDS)])}`;
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
function kindOf(percent: number): readonly [string, 'good' | 'warn' | 'bad', string] {
  if (percent < NEAR) {
    return ['fine', 'good', 'within the quota'];
  }
  return percent <= 100 ? ['near', 'warn', 'nearly used'] : ['over', 'bad', 'over the quota'];
}

const RADIUS = 56;

/** Half a circle, from the left over the top, with a mark where a quota is nearly used. */
function picture({ text }: QuotaUse, percent: number, id: string): Markup {
  const part = Math.min(1, Math.max(0, percent / 100));
  const [arc, , says] = kindOf(percent);
  const [, digits] = String(percent).split('.');
  const shown = `${inThousands(Math.trunc(percent))}${digits === undefined ? '' : `.${digits}`} %`;
  return svg(
    { id, kind: 'gauge', width: 150, height: 84 },
    text,
    says,
    html`<path class="back" d="${arcTo(1)}"></path>`,
    part > 0 ? html`<path class="${arc}" d="${arcTo(part)}"></path>` : undefined,
    html`<path class="mark" d="M${pointAt(NEAR / 100, RADIUS - 9)}L${pointAt(NEAR / 100, RADIUS + 9)}"></path>`,
    html`<text x="75" y="70">${shown}</text>`,
  );
}

function pointAt(part: number, radius: number): string {
  const angle = Math.PI * (1 - part);
  const round = (length: number) => Math.round(length * 10) / 10;
  return `${round(75 + radius * Math.cos(angle))} ${round(72 - radius * Math.sin(angle))}`;
}

function arcTo(part: number): string {
  return `M${pointAt(0, RADIUS)}A${RADIUS} ${RADIUS} 0 0 1 ${pointAt(part, RADIUS)}`;
}
