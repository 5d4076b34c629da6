import type { BillLine, BillPart, BillTotal } from '../../cost/bill';
import { Decimal } from '../../cost/money';
import type { ListPrice } from '../../cost/prices.facts';
import type { Report } from '../report';
import { type Content, element, type Markup, together } from './markup';
import { bullets, folded, inThousands, listed, moreOf, section, table, termsOf } from './parts';
import { sourceOf } from './path-section';

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

/** List prices of a month by owner, namespace and tenant, each with its terms. */
export function moneySection({ bill, sharing, pricesOf }: Report): Markup {
  const hasTenants = bill.byTenant.some(({ of }) => of.length > 0);
  return section(
    'money',
    'What it costs in a month',
    element(
      'p',
      { class: 'lead' },
      `List prices of the vendors${pricesOf === undefined ? '' : `, as of ${pricesOf}`}; never a quote. Open a line for its terms.`,
    ),
    element(
      'div',
      { class: 'card' },
      element('h3', {}, amountsOf(bill), element('span', { class: 'muted' }, ' for all')),
      bullets(bill.notes, MOST_NOTES),
      folded('Terms of the whole', linesTable('The whole bill, line by line', bill)),
    ),
    element(
      'div',
      { class: 'columns' },
      barsOf('By owner', bill.byOwner, 'no owner'),
      barsOf('By namespace', bill.byNamespace, 'no namespace'),
      hasTenants ? barsOf('By tenant', bill.byTenant, 'no tenant') : undefined,
      sharingOf(sharing),
    ),
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

/** `USD 1,642.50` */
function moneyOf(currency: string, amount: Decimal): string {
  const [whole, cents = '00'] = amount.toCents().split('.');
  return `${currency} ${inThousands(Number(whole)) === whole ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`;
}

function barsOf(title: string, parts: readonly BillPart[], unnamed: string): Markup {
  const bars = parts.flatMap((part): Bar[] =>
    part.amounts.currencies.length === 0 ? [{ part }] : part.amounts.currencies.map((currency) => ({ part, currency })),
  );
  const amount = ({ part, currency }: Bar) => (currency === undefined ? Decimal.ZERO : part.amounts.in(currency));
  bars.sort((one, other) => amount(other).compare(amount(one)));
  const highest = new Map<string | undefined, Decimal>();
  for (const bar of bars) {
    highest.set(bar.currency, highest.get(bar.currency) ?? amount(bar));
  }
  const rest = moreOf(bars, MOST_PARTS);
  return element(
    'div',
    { class: 'card' },
    element('h3', {}, title),
    element(
      'ul',
      { class: 'bars' },
      bars
        .slice(0, MOST_PARTS)
        .map((bar) => element('li', {}, barOf(bar, widthOf(amount(bar), highest.get(bar.currency)), unnamed))),
      rest === undefined ? undefined : element('li', { class: 'muted' }, `${rest}, each with at most as much`),
    ),
  );
}

/** In percent of the longest bar. */
function widthOf(amount: Decimal, highest: Decimal | undefined): number {
  const most = Number(highest ?? 0);
  return most > 0 ? Math.round((Number(amount) / most) * 1000) / 10 : 0;
}

function barOf({ part, currency }: Bar, width: number, unnamed: string): Markup {
  const amount = currency === undefined ? amountsOf(part) : amountIn(part, currency);
  const who = part.of.length === 0 ? unnamed : listed(part.of, 3);
  return folded(
    element(
      'span',
      { class: 'bar' },
      element('span', { class: 'who' }, who, part.of.length > 1 ? ' together' : ''),
      element(
        'svg',
        { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false' },
        element('rect', { class: 'rail', width: 100, height: 10 }),
        element('rect', { class: 'fill', width, height: 10 }),
      ),
      element('span', { class: 'amount' }, amount),
    ),
    [linesTable('Line by line', part, currency), bullets(part.notes, MOST_NOTES)],
  );
}

function linesTable(caption: string, total: BillTotal, currency?: string): Content {
  const lines = currency === undefined ? total.lines : linesIn(total, currency);
  const more = moreOf(lines, MOST_LINES);
  return lines.length === 0
    ? element('p', { class: 'muted' }, 'nothing that a vendor bills')
    : [
        table(
          caption,
          [
            { title: 'Product' },
            { title: 'Times', isNumber: true },
            { title: 'Terms of one' },
            { title: 'One', isNumber: true },
            { title: 'Amount', isNumber: true },
          ],
          lines.slice(0, MOST_LINES).map(rowOf),
        ),
        more && termsOf(`${more} lines`),
      ];
}

function rowOf({ name, services, count, terms, missing, currency, each, amount }: BillLine): readonly Content[] {
  const isKnown = currency !== undefined && terms.length > 0;
  const sum = terms.map(({ text }) => text).join(' + ');
  return [
    together(name, termsOf(['for ', listed([...new Set(services)], MOST_SERVICES)])),
    `${inThousands(count)} ×`,
    [sum, ...missing.map((need) => element('span', { class: 'unknown' }, sum === '' ? need : ` + (${need})`))],
    isKnown ? moneyOf(currency, each) : '–',
    isKnown ? moneyOf(currency, amount) : 'not known',
  ];
}

function sharingOf(sharing: Report['sharing']): Content {
  const { balancers, enough, difference, withoutPorts } = sharing;
  if (enough >= balancers) {
    return undefined;
  }
  return element(
    'div',
    { class: 'card' },
    element('h3', {}, 'What sharing would change'),
    element('p', {}, `${inThousands(enough)} balancers would be enough where there are ${inThousands(balancers)}.`),
    element(
      'p',
      {},
      element('span', { class: 'value' }, `${difference.amounts} a month`),
      difference.isKnown ? ' ' : ' at least ',
      termsOf(`= ${difference.text}`),
    ),
    withoutPorts.length === 0
      ? undefined
      : element('p', { class: 'muted' }, 'Ports are not known of ', listed(withoutPorts, MOST_SERVICES), '.'),
  );
}

function pricesTable(prices: readonly ListPrice[]): Content {
  return prices.length === 0
    ? undefined
    : folded(
        'The prices and where they were read',
        table(
          'List prices that the amounts are made of',
          [
            { title: 'Product' },
            { title: 'Region' },
            { title: 'For' },
            { title: 'Price', isNumber: true },
            { title: 'Read' },
          ],
          prices
            .slice(0, MOST_PRICES)
            .map(({ product, region, item, price, read, source }) => [
              product,
              region,
              item,
              price,
              [read, termsOf(sourceOf(source))],
            ]),
        ),
      );
}
