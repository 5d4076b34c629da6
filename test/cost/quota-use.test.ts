import { Confidence } from '../../src/contract/kubernetes.facts';
import type { BilledBalancer } from '../../src/cost/balancers';
import { type QuotaOptions, quotaUseOf } from '../../src/cost/quota-use';
import { ACCOUNT_QUOTAS } from '../../src/cost/quotas.facts';
import { balancer, balancersOf, readCases, type Written } from './balancers';

const SOURCE = { repository: 'tests', version: '1', file: 'quota-use.test.ts' };

function textsOf(given: readonly BilledBalancer[], ids: readonly string[], options: QuotaOptions = {}): string[] {
  return quotaUseOf(given, options)
    .uses.filter(({ id }) => ids.includes(id))
    .map(({ text }) => text);
}

interface Case {
  readonly case: string;
  readonly balancers: readonly Written[];
  readonly quotas: readonly string[];
  readonly options?: QuotaOptions;
  readonly texts: readonly string[];
}

test.each(readCases<{ readonly cases: readonly Case[] }>('quota-use.yaml').cases)('$case', (one) => {
  expect(textsOf(balancersOf(one.balancers), one.quotas, one.options)).toEqual(one.texts);
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
