import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../scripts/docs/files';
import { whichControllerPage } from '../scripts/docs/which-controller-page';
import { VENDOR_WRITINGS } from '../src/controllers/vendors/writings.facts';
import { billOf } from '../src/cost/bill';
import { PriceList } from '../src/cost/price-list';
import { HOURS_PER_MONTH } from '../src/cost/prices.facts';
import { allKinds, knownKinds } from '../src/rules/known-kinds';
import { balancer } from './cost/balancers';

const vendors = allKinds().filter((kind) => !knownKinds().includes(kind));
const PAGE = whichControllerPage(knownKinds(), vendors);

/** The cells of the rows of one controller, on one cluster of three nodes with one pod on each. */
function rowsOf(controller: string): string[][] {
  const rows = PAGE.split('\n').filter((line) => line.startsWith(`| ${controller} |`));
  return rows.map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
}

test.each(vendors.map(({ name }) => [name]))(
  '%s is on the page, with the factory that writes for it if there is one',
  (name) => {
    const [row] = rowsOf(name);
    const isWritten = name in VENDOR_WRITINGS;
    expect(/^`[A-Z]\w+\.\w+`/.test(row[2])).toBe(isWritten);
  },
);

test.each(knownKinds().map(({ name }) => [name]))('%s is on the page, with its finalizer', (name) => {
  expect(rowsOf(name).length).toBeGreaterThan(0);
  expect(PAGE).toContain(`| [${name}](reference/annotations/${name}.md) | `);
});

test('two of three connections have a second hop with policy Cluster, and none with Local', () => {
  const ways = rowsOf('aws-load-balancer-controller').map(([, , way, , second, address]) => [way, second, address]);
  expect(ways).toEqual([
    ['nodes, Cluster', '67 %', 'lost at the node'],
    ['pods', 'none', 'lost at the balancer'],
    ['nodes, Local', 'none', 'kept'],
    ['pods, clientAddress PRESERVE', 'none', 'kept'],
    ['nodes, Cluster, PROXY protocol', '67 %', 'in the PROXY header'],
    ['pods, PROXY protocol', 'none', 'in the PROXY header'],
  ]);
});

test('each price has its terms, region and date', () => {
  const rows = PAGE.split('\n').filter((line) => / (USD|EUR) \d/.test(line));
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    expect(row).toMatch(/ (USD|EUR) \d+\.\d\d = [\d.].* \([a-z][a-z0-9-]+, \d{4}-\d\d-\d\d(, \d{4}-\d\d-\d\d)*\) \| /);
  }
});

test('nothing on it is missing or no number', () => {
  expect(PAGE).not.toMatch(/NaN|undefined|needs /);
});

test('the page on addresses that stay has the prices of the tables', () => {
  const page = readFileSync(join(ROOT, 'docs', 'how-to', 'keep-the-address.md'), 'utf8');
  const { text } = billOf([balancer('aws/nlb')], { zones: 3, region: 'us-east-1' });
  expect(page).toContain(`${text.split(', traffic')[0]}`);
  for (const product of ['aws/nlb', 'azure/standard']) {
    const price = new PriceList(product, {}).price('address');
    expect('value' in price && Number(String(price.value)) * HOURS_PER_MONTH).toBeCloseTo(3.65);
  }
  expect(page).toContain('USD 3.65 = 0.005 × 730 h');
});
