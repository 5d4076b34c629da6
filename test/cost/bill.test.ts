import type { BilledBalancer } from '../../src/cost/balancers';
import { billOf } from '../../src/cost/bill';
import type { BillOptions } from '../../src/cost/charges';
import { balancer, balancers, INTERNAL } from './balancers';

const NLB = 'aws/nlb';
const CLB = 'aws/clb';
const AZURE = 'azure/standard';
const GCP = 'gcp/passthrough-external';
const HETZNER = 'hetzner/lb11';
const UNCOUNTED = 'traffic not counted (--gb-per-month)';

const CASES: [what: string, balancers: readonly BilledBalancer[], options: BillOptions, text: string][] = [
  [
    'public balancers have addresses in each zone',
    balancers(6, NLB, { zones: 3 }),
    {},
    `USD 164.25 = 6 × (0.0225 × 730 h + 3 zones × 3.65 public IPv4), ${UNCOUNTED}`,
  ],
  [
    'one balancer',
    [balancer(NLB, { zones: 3 })],
    {},
    `USD 27.38 = 0.0225 × 730 h + 3 zones × 3.65 public IPv4, ${UNCOUNTED}`,
  ],
  [
    'internal balancers have no public addresses, whatever their zones',
    balancers(2, NLB, { made: { scheme: INTERNAL } }),
    {},
    `USD 32.85 = 2 × 0.0225 × 730 h, ${UNCOUNTED}`,
  ],
  [
    'zones of the region count where those of a Service are not known',
    [balancer(NLB)],
    { zones: 2 },
    `USD 23.73 = 0.0225 × 730 h + 2 zones × 3.65 public IPv4, ${UNCOUNTED}`,
  ],
  [
    'zones that are not known make the sum the least',
    [balancer(NLB)],
    {},
    `at least USD 16.43 = 0.0225 × 730 h + (public IPv4: needs zones), ${UNCOUNTED}`,
  ],
  [
    'another region has other prices',
    [balancer(NLB, { made: { scheme: INTERNAL } })],
    { region: 'eu-west-1' },
    `USD 18.40 = 0.0252 × 730 h, ${UNCOUNTED}`,
  ],
  [
    'units of capacity follow what uses most of them: data',
    [balancer(NLB, { zones: 1, made: { scheme: INTERNAL } })],
    { gbPerMonth: 10_000, newPerSecond: 80, zoneCrossings: 0.5 },
    'USD 176.43 = 0.0225 × 730 h + 10000 NLCU hours (data) × 0.006 + 10000 GB × 0.5 zone crossings × 2 × 0.01',
  ],
  [
    'units of capacity follow what uses most of them: new connections',
    [balancer(NLB, { made: { scheme: INTERNAL } })],
    { newPerSecond: 1_600, active: 1 },
    'USD 25.19 = 0.0225 × 730 h + 1460 NLCU hours (new connections) × 0.006, data not counted (--gb-per-month)',
  ],
  [
    'units of capacity follow what uses most of them: open connections',
    [balancer(NLB, { made: { scheme: INTERNAL }, traffic: { gbPerMonth: 0 } })],
    { active: 100_000, zoneCrossings: 0 },
    'USD 20.81 = 0.0225 × 730 h + 730 NLCU hours (open connections) × 0.006 + 0 GB × 0 zone crossings × 2 × 0.01',
  ],
  [
    'data to the internet is counted where it is given, and named where it is not',
    [balancer(NLB, { zones: 1, traffic: { gbPerMonth: 100 } })],
    {},
    'USD 20.68 = 0.0225 × 730 h + 1 zone × 3.65 public IPv4 + 100 NLCU hours (data) × 0.006, ' +
      'data between zones not counted, data to the internet not counted (--gb-out-per-month)',
  ],
  [
    'rules of the one balancer of a cluster, and an address of each Service',
    [
      balancer(AZURE, { name: 'a', made: { listeners: 4 } }),
      balancer(AZURE, { name: 'b', made: { listeners: 2, addressSharedBy: 'edge' } }),
      balancer(AZURE, { name: 'd', made: { listeners: 1, addressSharedBy: 'edge' } }),
      balancer(AZURE, { name: 'c', made: { scheme: INTERNAL, sharedBy: 'kubernetes-internal' } }),
    ],
    {},
    'USD 58.40 = 0.025 × 730 h for the first 5 rules + 2 further rules × 0.01 × 730 h + 0.025 × 730 h for the first 5 rules + ' +
      `2 × 3.65 public IPv4, ${UNCOUNTED}`,
  ],
  [
    'the first forwarding rules of a project have one price together, those inside with those outside',
    [...balancers(6, GCP), balancer('gcp/passthrough-internal', { made: { scheme: INTERNAL } })],
    {},
    `USD 32.85 = 0.025 × 730 h for the first 5 forwarding rules + 2 further forwarding rules × 0.01 × 730 h, ${UNCOUNTED}`,
  ],
  [
    'months, and traffic beyond what they include',
    [
      balancer(HETZNER, { traffic: { gbOutPerMonth: 21_000 } }),
      balancer(HETZNER, { name: 'b', traffic: { gbOutPerMonth: 5 } }),
    ],
    {},
    'EUR 15.98 = 7.49 a month + 1000 GB to the internet beyond 20000 × 0.001 + 7.49 a month',
  ],
  [
    'currencies are not converted',
    [balancer(HETZNER), balancer(CLB)],
    {},
    `EUR 7.49 = 7.49 a month; USD 18.25 = 0.025 × 730 h, ${UNCOUNTED}`,
  ],
  [
    'what is known of one Service only',
    [
      balancer(CLB, { traffic: { gbPerMonth: 100 } }),
      balancer(CLB, { name: 'b', made: { scheme: INTERNAL, sharedBy: 'k' } }),
      balancer(CLB, { name: 'c', made: { scheme: INTERNAL, sharedBy: 'k' } }),
    ],
    { zoneCrossings: 0.5 },
    'USD 38.30 = 0.025 × 730 h + 100 GB × 0.008 processed + 100 GB × 0.5 zone crossings × 2 × 0.01 + 0.025 × 730 h, ' +
      `data to the internet not counted (--gb-out-per-month) for 1 of 3 Services, ${UNCOUNTED} for 2 of 3 Services`,
  ],
  ['what is made inside the cluster', [balancer('none')], { gbPerMonth: 5 }, 'nothing that a vendor bills'],
  ['no balancer', [], {}, 'nothing that a vendor bills'],
  [
    'a product that the table does not know',
    [balancer('acme/lb'), balancer(CLB, { name: 'b' })],
    {},
    `not known = (needs prices of 'acme/lb'); USD 18.25 = 0.025 × 730 h, ${UNCOUNTED}`,
  ],
  [
    'a region that the table does not know',
    [balancer(CLB)],
    { region: 'mars' },
    `not known = (needs prices of 'aws/clb'), ${UNCOUNTED}`,
  ],
  [
    'prices of a caller win, and are enough for a product of their own',
    [balancer(CLB), balancer('acme/lb', { name: 'b' })],
    { prices: { [CLB]: { hour: 0.02 }, 'acme/lb': { month: '12.5', currency: 'CHF' } } },
    `CHF 12.50 = 12.5 a month; USD 14.60 = 0.02 × 730 h, ${UNCOUNTED} for 1 of 2 Services`,
  ],
  [
    'a caller may have a contract in another currency',
    [balancer(CLB)],
    { prices: { [CLB]: { hour: 0.03, currency: 'EUR' } } },
    `EUR 21.90 = 0.03 × 730 h, ${UNCOUNTED}`,
  ],
  [
    'what is shared is billed once',
    balancers(3, NLB, { zones: 2, made: { sharedBy: 'edge' }, traffic: { gbPerMonth: 10 } }),
    { zoneCrossings: 1 },
    'USD 24.51 = 0.0225 × 730 h + 2 zones × 3.65 public IPv4 + 30 NLCU hours (data) × 0.006 + ' +
      '3 × 10 GB × 1 zone crossings × 2 × 0.01, ' +
      'data to the internet not counted (--gb-out-per-month)',
  ],
];

test.each(CASES)('%s', (_, given, options, text) => {
  expect(billOf(given, options).text).toBe(text);
});

describe("the story's bill", () => {
  test('a Classic balancer is 18 dollars a month, and twenty tenants pay twenty times that', () => {
    expect(billOf([balancer(CLB)]).text).toBe(`USD 18.25 = 0.025 × 730 h, ${UNCOUNTED}`);
    expect(billOf(balancers(20, CLB)).text).toBe(`USD 365.00 = 20 × 0.025 × 730 h, ${UNCOUNTED}`);
  });

  test('today its addresses are billed too', () => {
    expect(billOf([balancer(CLB, { zones: 3, made: { publicAddresses: { count: 1, perZone: true } } })]).text).toBe(
      `USD 29.20 = 0.025 × 730 h + 3 zones × 3.65 public IPv4, ${UNCOUNTED}`,
    );
  });

  test('data counts both ways, and a user who downloads in a loop costs a hundred balancers', () => {
    // a month of ten mebibytes a second
    const gb = 25_664.0625;
    const bill = billOf([balancer(CLB, { tenant: 'ann', traffic: { gbPerMonth: gb, gbOutPerMonth: gb } })], {
      zoneCrossings: 0,
    });
    expect(bill.text).toBe(
      'USD 2533.33 = 0.025 × 730 h + 25664.0625 GB × 0.008 processed + ' +
        '25664.0625 GB × 0 zone crossings × 2 × 0.01 + 25664.0625 GB × 0.09 to the internet',
    );
    expect(bill.lines[0].terms.map(({ amount }) => `${amount}`)).toEqual(['18.25', '205.3125', '0', '2309.765625']);
  });
});

describe('what is missing or wrong', () => {
  test.each<[string, BilledBalancer, BillOptions, string]>([
    [
      'zones',
      balancer(NLB),
      {},
      'Network Load Balancer has a public address in each of its zones, and their number is not known; give zones',
    ],
    ['zero zones', balancer(NLB, { zones: 0 }), {}, 'zones 0 is not a valid number; give a whole number of 1 or more'],
    ['half a zone', balancer(NLB), { zones: 1.5 }, 'zones 1.5 is not a valid number; give a whole number of 1 or more'],
    [
      'a number that is none',
      balancer(CLB),
      { gbPerMonth: Number.NaN },
      'gbPerMonth NaN is not a valid amount; give a number of 0 or more',
    ],
    [
      'less than nothing',
      balancer(CLB, { traffic: { gbPerMonth: -1 } }),
      {},
      'gbPerMonth -1 is not a valid amount; give a number of 0 or more',
    ],
    [
      'a part above the whole',
      balancer(CLB, { traffic: { gbPerMonth: 1, gbOutPerMonth: 2 } }),
      {},
      'gbOutPerMonth 2 is more than gbPerMonth 1, of which it is a part; give both directions together as gbPerMonth',
    ],
    [
      'no borders at all',
      balancer(CLB),
      { gbPerMonth: 1, zoneCrossings: Number.POSITIVE_INFINITY },
      'zoneCrossings Infinity is not a valid number of zone borders; give how many a byte crosses on average, 0 or more',
    ],
    [
      'a product',
      balancer('aws/nlbs'),
      {},
      "no prices of 'aws/nlbs' are known; give its prices with their currency, or use 'aws/nlb'",
    ],
    [
      'a region',
      balancer(HETZNER),
      { region: 'mars' },
      "prices of hetzner/lb11 in region 'mars' are not known; give them, or use one of fsn1, nbg1, hel1",
    ],
    [
      'a price',
      balancer(CLB),
      { prices: { [CLB]: { hour: Number.NaN } } },
      "NaN is not a valid price for 'hour' of aws/clb; give a number of 0 or more",
    ],
    [
      'listeners',
      balancer(AZURE, { made: { listeners: Number.NaN } }),
      {},
      'listeners NaN is not a valid number; give a whole number of 0 or more',
    ],
  ])('%s', (_, given, options, sentence) => {
    const bill = billOf([given], options);
    expect(bill.needs.map(({ what, remedy }) => `${what}; ${remedy}`)).toEqual([sentence]);
    expect(bill.text).toMatch(/^(at least|not known)/);
    expect(bill.text).not.toContain('NaN');
  });

  test('a price that counts for nothing is named, and the total is whole', () => {
    const bill = billOf([balancer(CLB)], { prices: { [CLB]: { month: 3 } } });
    expect(bill.needs.map(({ what }) => what)).toEqual(["aws/clb is not billed for 'month', whose price is given"]);
    expect(bill.text).toBe(`USD 18.25 = 0.025 × 730 h, ${UNCOUNTED}`);
  });

  test('the names of records are no products', () => {
    expect(billOf([balancer('constructor'), balancer('__proto__', { name: 'b' })]).text).toBe(
      "not known = (needs prices of '__proto__') + (needs prices of 'constructor')",
    );
  });
});

test('owners, namespaces and tenants have their part, and what they share is for them together', () => {
  const bill = billOf([
    balancer(CLB, { owner: 'one', namespace: 'a', tenant: 'ann' }),
    balancer(CLB, { owner: 'two', namespace: 'b' }),
    balancer(NLB, { owner: 'one', namespace: 'a', name: 'x', zones: 1, tenant: 'ann', made: { sharedBy: 'k' } }),
    balancer(NLB, { owner: 'one', namespace: 'b', name: 'y', zones: 1, tenant: 'bob', made: { sharedBy: 'k' } }),
  ]);
  const parts = (all: typeof bill.byOwner) => all.map((part) => [part.of, part.balancers, `${part.amounts}`]);
  expect(parts(bill.byOwner)).toEqual([
    [['one'], 2, 'USD 38.33'],
    [['two'], 1, 'USD 18.25'],
  ]);
  expect(parts(bill.byNamespace)).toEqual([
    [['a', 'b'], 1, 'USD 20.08'],
    [['a'], 1, 'USD 18.25'],
    [['b'], 1, 'USD 18.25'],
  ]);
  expect(parts(bill.byTenant)).toEqual([
    [['ann', 'bob'], 1, 'USD 20.08'],
    [['ann'], 1, 'USD 18.25'],
    [[], 1, 'USD 18.25'],
  ]);
  expect(bill.balancers).toBe(3);
  expect(bill.assumedRegions).toEqual(['us-east-1']);
  expect(billOf([balancer(CLB)], { region: 'us-east-1' }).assumedRegions).toEqual([]);
});
