import { citationInWords } from '../../contract/rule';
import type { BillLine, BillPart, BillTotal } from '../../cost/bill';
import { Decimal } from '../../cost/money';
import type { ListPrice } from '../../cost/price-list';
import type { QuotaUse } from '../../cost/quota-use';
import type { Report } from '../make-report';
import {
  bullets,
  type Content,
  card,
  folded,
  html,
  inThousands,
  limitedList,
  type Markup,
  moreOf,
  mutedText,
  named,
  section,
  svg,
  table,
  tag,
  termsOf,
} from './markup';

const MOST_PARTS = 12;
const MOST_LINES = 20;
const MOST_SERVICES = 4;
const MOST_PRICES = 60;
const MOST_NOTES = 20;

/** One bar: for whom, and how much in one currency, or none where nothing is known or billed. */
interface Bar {
  readonly part: BillPart;
  readonly currency?: string;
}

export function moneySection({ bill, sharing, pricesOf }: Report): Markup {
  const hasTenants = bill.byTenant.some(({ of }) => of.length > 0);
  const prices = `List prices of the vendors${pricesOf === undefined ? '' : `, as of ${pricesOf}`}`;
  return section(
    'money',
    'What it costs in a month',
    html`<p class="lead">${prices}; never a quote. Open a line for its terms.</p>`,
    card(
      html`${amountsOf(bill)}<span class="muted"> for all</span>`,
      bullets(bill.notes, MOST_NOTES),
      folded('Terms of the whole', linesTable('The whole bill, line by line', bill)),
    ),
    html`
      <div class="columns">
        ${barsOf('By owner', bill.byOwner, 'no owner')}
        ${barsOf('By namespace', bill.byNamespace, 'no namespace')}
        ${hasTenants ? barsOf('By tenant', bill.byTenant, 'no tenant') : undefined}
        ${sharingOf(sharing)}
      </div>`,
    pricesTable(bill.prices),
  );
}

/** `USD 164.25`, with `at least` where a term is missing, or why there is no amount. */
export function amountsOf(total: BillTotal): string {
  const currencies = total.amounts.currencies.filter((currency) =>
    linesIn(total, currency).some(({ terms }) => terms.length > 0),
  );
  if (currencies.length > 0) {
    const isUnknown = total.lines.some((line) => line.currency === undefined);
    const amounts = currencies.map((currency) => amountIn(total, currency)).join(' + ');
    return isUnknown && !amounts.startsWith('at least') ? `at least ${amounts}` : amounts;
  }
  return total.lines.length > 0 ? 'not known' : 'nothing that a vendor bills';
}

function linesIn({ lines }: BillTotal, currency: string | undefined): readonly BillLine[] {
  return lines.filter((line) => line.currency === currency);
}

function amountIn(total: BillTotal, currency: string): string {
  const isLeast = linesIn(total, currency).some(({ missing }) => missing.length > 0);
  return `${isLeast ? 'at least ' : ''}${moneyOf(currency, total.amounts.in(currency))}`;
}

function moneyOf(currency: string, amount: Decimal): string {
  const [whole, cents = '00'] = amount.toCents().split('.');
  return `${currency} ${inThousands(whole)}.${cents}`;
}

function barsOf(title: string, parts: readonly BillPart[], unnamed: string): Markup {
  const bars = parts.flatMap((part) => {
    const { currencies } = part.amounts;
    return (currencies.length > 0 ? currencies : [undefined]).map((currency): Bar => ({ part, currency }));
  });
  const amount = ({ part, currency }: Bar) => (currency === undefined ? Decimal.ZERO : part.amounts.in(currency));
  bars.sort((one, other) => amount(other).compare(amount(one)));
  const highest = new Map<string | undefined, Decimal>();
  for (const bar of bars) {
    highest.set(bar.currency, highest.get(bar.currency) ?? amount(bar));
  }
  const widthOf = (bar: Bar) => {
    const most = Number(highest.get(bar.currency) ?? 0);
    return most > 0 ? Math.round((Number(amount(bar)) / most) * 1000) / 10 : 0;
  };
  const rest = moreOf(bars, MOST_PARTS);
  const shown = bars.slice(0, MOST_PARTS).map((bar) => html`<li>${barOf(bar, widthOf(bar), unnamed)}</li>`);
  const more = rest && html`<li class="muted">${rest}, each with at most as much</li>`;
  return card(title, html`<ul class="bars">${shown}${more}</ul>`);
}

function barOf({ part, currency }: Bar, width: number, unnamed: string): Markup {
  const amount = currency === undefined ? amountsOf(part) : amountIn(part, currency);
  const who = part.of.length === 0 ? unnamed : limitedList(part.of, 3);
  return folded(
    html`
      <span class="bar">
        <span class="who">${who}${part.of.length > 1 ? ' together' : ''}</span>
        <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">
          <rect class="rail" width="100" height="10"></rect>
          <rect class="fill" width="${width}" height="10"></rect>
        </svg>
        <span class="amount">${amount}</span>
      </span>`,
    [linesTable('Line by line', part, currency), bullets(part.notes, MOST_NOTES)],
  );
}

function linesTable(caption: string, total: BillTotal, currency?: string): Content {
  const lines = currency === undefined ? total.lines : linesIn(total, currency);
  const more = moreOf(lines, MOST_LINES);
  const columns = ['Product', '#Times', 'Terms of one', '#One', '#Amount'];
  return lines.length === 0
    ? mutedText('nothing that a vendor bills')
    : [table(caption, columns, lines.slice(0, MOST_LINES).map(rowOf)), more && termsOf(`${more} lines`)];
}

function rowOf({ name, services, count, terms, missing, currency, each, amount }: BillLine): readonly Content[] {
  const isKnown = currency !== undefined && terms.length > 0;
  const sum = terms.map(({ text }) => text).join(' + ');
  return [
    [name, termsOf(['for ', limitedList([...new Set(services)], MOST_SERVICES)])],
    `${inThousands(count)} ×`,
    [sum, ...missing.map((need) => html`<span class="unknown">${sum === '' ? need : ` + (${need})`}</span>`)],
    isKnown ? moneyOf(currency, each) : '–',
    isKnown ? moneyOf(currency, amount) : 'not known',
  ];
}

function sharingOf({ balancers, enough, difference, withoutPorts }: Report['sharing']): Content {
  if (enough >= balancers) {
    return undefined;
  }
  const saved = html`<span class="value">${difference.amounts.toString()} a month</span>`;
  return card(
    'What sharing would change',
    html`<p>${inThousands(enough)} balancers would be enough where there are ${inThousands(balancers)}.</p>`,
    html`<p>${saved}${difference.isKnown ? ' ' : ' at least '}${termsOf(`= ${difference.text}`)}</p>`,
    withoutPorts.length === 0
      ? undefined
      : mutedText(['Ports are not known of ', limitedList(withoutPorts, MOST_SERVICES), '.']),
  );
}

function pricesTable(prices: readonly ListPrice[]): Content {
  const rows = prices.slice(0, MOST_PRICES).map(({ product, region, item, price, read, source }) => {
    return [product, region, item, price, [read, termsOf(citationInWords(source))]];
  });
  const columns = ['Product', 'Region', 'For', '#Price', 'Read'];
  const all = table('List prices that the amounts are made of', columns, rows);
  return prices.length === 0 ? undefined : folded('The prices and where they were read', all);
}

const MOST_GAUGES = 24;
const MOST_USERS = 10;
const MOST_NEEDS = 10;
const LONGEST = 300;

const NEAR = 80;

export function quotaSection({ quotas }: Report): Markup {
  const known = quotas.uses.filter(({ percent }) => percent !== undefined);
  const unknown = quotas.uses.filter(({ percent }) => percent === undefined);
  const more = moreOf(known, MOST_GAUGES);
  const lead =
    quotas.uses.length === 0
      ? 'No quota is known for what is made.'
      : 'Those of a new account, unless others were given. Only what is in this report is counted.';
  const gauges = known.slice(0, MOST_GAUGES).map((use, i) => html`<li>${gaugeOf(use, `quota-${i + 1}`)}</li>`);
  const lines = unknown.map(({ text, needs: [need] }) => [text, termsOf(need && `: ${needInWords(need)}`)]);
  return section(
    'quotas',
    'Quotas of the accounts',
    html`<p class="lead">${lead}</p>`,
    gauges.length === 0 ? undefined : html`<ul class="gauges">${gauges}</ul>`,
    more && mutedText(`${more} quotas of which less is used`),
    unknown.length === 0 ? undefined : folded('Quotas whose use is not known', bullets(lines, MOST_GAUGES)),
    bullets(quotas.wrong.map(needInWords), MOST_NEEDS),
  );
}

function needInWords({ what, remedy }: { readonly what: string; readonly remedy: string }): string {
  return `${what}; ${remedy}`;
}

function gaugeOf(use: QuotaUse, id: string): Content {
  const { name, percent = 0, used = 0, limit = 0, isGiven, adjustable, users, needs, source } = use;
  const [, kind, says] = kindOf(percent);
  const of = isGiven ? 'given quota' : 'quota of a new account';
  const raised = adjustable ? 'which the vendor raises' : 'which the vendor does not raise';
  // Services on one balancer have one long name together
  const shortened = (long: string) => (long.length > LONGEST ? `${long.slice(0, LONGEST)}…` : long);
  const uses = table(
    `${inThousands(used)} = the sum of these`,
    ['Service', '#Uses'],
    users.slice(0, MOST_USERS).map((user) => [named(shortened(user.name)), inThousands(user.used)]),
  );
  const grounds = [`${of}, ${raised}`, ...(isGiven ? [] : [citationInWords(source)]), ...needs.map(needInWords)];
  return html`
    ${gauge(use, percent, id)}
    <h3>${name}</h3>
    <p>
      ${use.text.startsWith('at least') ? 'at least ' : ''}
      <span class="value">${inThousands(used)} of ${inThousands(limit)}</span>
      ${percent >= NEAR ? [' ', tag(kind, says)] : undefined}
    </p>
    ${folded('Who uses it', [uses, termsOf(usersLeft(users)), bullets(grounds, MOST_NEEDS)])}`;
}

function usersLeft(users: QuotaUse['users']): string | undefined {
  const rest = users.slice(MOST_USERS).reduce((sum, { used }) => sum + used, 0);
  return users.length > MOST_USERS ? `${moreOf(users, MOST_USERS)}, which use ${inThousands(rest)}` : undefined;
}

function kindOf(percent: number): readonly [string, 'good' | 'warn' | 'bad', string] {
  if (percent < NEAR) {
    return ['fine', 'good', 'within the quota'];
  }
  return percent <= 100 ? ['near', 'warn', 'nearly used'] : ['over', 'bad', 'over the quota'];
}

const RADIUS = 56;

function gauge({ text }: QuotaUse, percent: number, id: string): Markup {
  const part = Math.min(1, Math.max(0, percent / 100));
  const [arc, , says] = kindOf(percent);
  const [, digits] = String(percent).split('.');
  const shown = `${inThousands(Math.trunc(percent))}${digits === undefined ? '' : `.${digits}`} %`;
  return svg(
    [id, 'gauge', 150, 84],
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
