import { realRules } from '../../scripts/suites/real-rules';

function ignored(): string[] {
  let patterns: string[] = [];
  jest.isolateModules(() => {
    patterns = require('../cluster/jest.config').testPathIgnorePatterns;
  });
  return patterns;
}

const isIgnored = (file: string) => ignored().some((pattern) => RegExp(pattern).test(`/test/cluster/${file}`));

afterEach(() => {
  process.env.REAL_RULES_LEFT_OUT = '';
});

test('the count through rules in the kernel is left out with a reason', () => {
  const { env, leftOut } = realRules('test:cluster', 'nft, of nftables');
  expect(leftOut).toBe(
    'test:cluster left out the count of connections through rules in the kernel, which needs nft, of nftables',
  );
  expect(env).toEqual({ REAL_RULES_LEFT_OUT: leftOut });
  process.env.REAL_RULES_LEFT_OUT = leftOut;
  expect(isIgnored('real-rules.test.ts')).toBe(true);
  expect(isIgnored('kube-proxy-shares.test.ts')).toBe(false);
});

test('it is not left out where nothing is missing', () => {
  // what is missing on this machine is not asked here: undefined is a default
  jest.isolateModules(() => {
    jest.doMock('../cluster/rules/network', () => ({ lackOfRealRules: () => undefined }));
    const { realRules: here } = require('../../scripts/suites/real-rules');
    expect(here('test:cluster')).toEqual({ env: {} });
  });
  expect(isIgnored('real-rules.test.ts')).toBe(false);
});
