import { Confidence } from '../../src/contract/kubernetes.facts';
import type { BilledBalancer } from '../../src/cost/balancers';
import { type QuotaOptions, quotaUseOf } from '../../src/cost/quota-use';
import { ACCOUNT_QUOTAS } from '../../src/cost/quotas.facts';
import { balancer, balancers, INTERNAL } from './balancers';

const SOURCE = { repository: 'tests', version: '1', file: 'quota-use.test.ts' };

function textsOf(given: readonly BilledBalancer[], ids: readonly string[], options: QuotaOptions = {}): string[] {
  return quotaUseOf(given, options)
    .uses.filter(({ id }) => ids.includes(id))
    .map(({ text }) => text);
}

test.each<[string, readonly BilledBalancer[], string[], QuotaOptions, string[]]>([
  [
    'balancers of a region',
    balancers(6, 'aws/nlb'),
    ['aws-nlbs'],
    {},
    ['12 % of Network Load Balancers per Region (6 of 50)'],
  ],
  [
    'twenty tenants use all Classic ones',
    balancers(20, 'aws/clb'),
    ['aws-clbs'],
    {},
    ['100 % of Classic Load Balancers per Region (20 of 20)'],
  ],
  [
    'a given quota wins',
    balancers(20, 'aws/clb'),
    ['aws-clbs'],
    { quotas: { 'aws-clbs': 80 } },
    ['25 % of Classic Load Balancers per Region (20 of 80)'],
  ],
  [
    'what is shared counts once, and its listeners are together',
    balancers(4, 'aws/nlb', { made: { sharedBy: 'k', listeners: 10 } }),
    ['aws-nlbs', 'aws-nlb-listeners'],
    {},
    ['80 % of Listeners per Network Load Balancer (40 of 50)', '2 % of Network Load Balancers per Region (1 of 50)'],
  ],
  [
    'interfaces need zones, and count those that are known',
    [balancer('aws/nlb', { zones: 3 }), balancer('aws/nlb', { name: 'b' })],
    ['aws-nlb-interfaces'],
    {},
    ['at least 0.3 % of Network Load Balancer ENIs per VPC (3 of 1200)'],
  ],
  [
    'a node counts for each listener',
    [balancer('aws/nlb', { targets: 50, made: { listeners: 10 } })],
    ['aws-nlb-targets', 'aws-group-targets'],
    {},
    ['16.7 % of Targets per Network Load Balancer (500 of 3000)', '5 % of Targets per target group (50 of 1000)'],
  ],
  [
    'allocated addresses',
    balancers(2, 'aws/nlb', { allocatedAddresses: 3 }),
    ['aws-elastic-ips'],
    {},
    ['120 % of Elastic IP addresses per Region (6 of 5)'],
  ],
  [
    'addresses of Services on one balancer',
    [
      balancer('azure/standard'),
      balancer('azure/standard', { name: 'b' }),
      balancer('azure/standard', { name: 'c', made: { scheme: INTERNAL, sharedBy: 'internal' } }),
    ],
    ['azure-public-addresses', 'azure-load-balancers'],
    {},
    [
      '0.2 % of Standard Load Balancers per region and subscription (2 of 1000)',
      '0.2 % of Standard public IPv4 addresses per region and subscription (2 of 1000)',
    ],
  ],
  [
    'a quota that differs by project',
    balancers(3, 'gcp/passthrough-external'),
    ['gcp-forwarding-rules'],
    {},
    ['3 Forwarding rules per region and project'],
  ],
  [
    'the same, given',
    balancers(3, 'gcp/passthrough-external'),
    ['gcp-forwarding-rules'],
    { quotas: { 'gcp-forwarding-rules': 75 } },
    ['4 % of Forwarding rules per region and project (3 of 75)'],
  ],
  [
    'all sizes together',
    [balancer('hetzner/lb11'), balancer('hetzner/lb21', { name: 'b' })],
    ['hetzner-load-balancers'],
    {},
    ['10 % of Load Balancers of all projects (2 of 20)'],
  ],
  [
    'rules of each Service on a node',
    balancers(3, 'aws/nlb', {
      made: {
        limits: [{ counts: 'rules', name: 'rules of nodes', limit: 60, used: 9, scope: 'cluster', source: SOURCE }],
      },
    }),
    ['aws/nlb: rules of nodes'],
    {},
    ['45 % of rules of nodes (27 of 60)'],
  ],
])('%s', (_, given, ids, options, texts) => {
  expect(textsOf(given, ids, options)).toEqual(texts);
});

test('the quota that is met first is first, with who uses it', () => {
  const [first] = quotaUseOf([
    balancer('aws/nlb', { name: 'big', made: { listeners: 40 } }),
    balancer('aws/nlb', { name: 'small' }),
  ]).uses;
  expect(first).toMatchObject({
    id: 'aws-nlb-listeners',
    percent: 80,
    users: [{ name: 'shop/big', used: 40 }],
    isGiven: false,
  });
});

test('limits that a controller names count where the table has no such quota', () => {
  const made = {
    name: 'Acme',
    confidence: Confidence.DOCS,
    limits: [{ counts: 'listeners' as const, name: 'ports of an Acme', limit: 4, source: SOURCE }],
  };
  expect(quotaUseOf([balancer('acme/lb', { made })]).uses).toMatchObject([
    { id: 'acme/lb: ports of an Acme', text: '25 % of ports of an Acme (1 of 4)' },
  ]);
  expect(quotaUseOf([balancer('aws/nlb', { made })]).uses.map(({ id }) => id)).not.toContain(
    'aws/nlb: ports of an Acme',
  );
});

test.each([
  [{ 'aws-nlbs': 0 }, 'quota aws-nlbs 0 is not a valid number; give a whole number of 1 or more'],
  [{ 'aws-nlbs': Number.NaN }, 'quota aws-nlbs NaN is not a valid number; give a whole number of 1 or more'],
])('%j is no quota', (quotas, sentence) => {
  const { wrong, uses } = quotaUseOf([balancer('aws/nlb')], { quotas });
  expect(wrong.map(({ what, remedy }) => `${what}; ${remedy}`)).toEqual([sentence]);
  expect(uses.find(({ id }) => id === 'aws-nlbs')?.limit).toBe(50);
});

test('a quota that is not known is named', () => {
  const { wrong } = quotaUseOf([], { quotas: { 'aws-nlb': 5 } });
  expect(wrong.map(({ what }) => what)).toEqual(["'aws-nlb' is not a quota"]);
});

test('what a quota needs is named', () => {
  const use = quotaUseOf([balancer('aws/nlb')]).uses.find(({ id }) => id === 'aws-group-targets');
  expect(use?.text).toBe('use of Targets per target group is not known');
  expect(use?.needs.map(({ what, remedy }) => `${what}; ${remedy}`)).toEqual([
    'targets of a balancer are not known; give targets',
  ]);
});

test('ids are of one quota each, and no source is an address', () => {
  expect(new Set(ACCOUNT_QUOTAS.map(({ id }) => id)).size).toBe(ACCOUNT_QUOTAS.length);
  expect(ACCOUNT_QUOTAS.filter(({ source }) => Object.values(source).join(' ').includes('://'))).toEqual([]);
});
