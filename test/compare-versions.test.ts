import { compareVersions, reaches } from '../src/contract/compare-versions';

test.each([
  ['1.2.3', '1.2.3', 0],
  ['1.2', '1.2.0', 0],
  ['1.34', '1.9', 1],
  ['0.9.10', '0.10.9', -1],
  ['1.2.3', '1.2', 1],
  ['1', '2.0.1', -1],
])('%s beside %s', (one, other, sign) => {
  expect(Math.sign(compareVersions(one, other))).toBe(sign);
  expect(Math.sign(compareVersions(other, one))).toBe(sign === 0 ? 0 : -sign);
  expect(reaches({ version: one }, other)).toBe(sign >= 0);
});
