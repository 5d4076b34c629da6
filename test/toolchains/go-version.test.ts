import { type GoVersion, isOlder, parseGoVersion } from '../../scripts/go/go-version';

const ASCENDING = [
  'go1.20',
  '1.20.14',
  'go1.26',
  'go1.26beta1',
  '1.26rc1',
  'go1.26rc2',
  'go1.26.0',
  '1.26.8',
  'go1.100.0',
];

test('versions of Go have an order', () => {
  const versions = ASCENDING.map((text) => parseGoVersion(text) as GoVersion);
  const older = versions.map((one) => versions.filter((other) => isOlder(other, one)).length);
  expect(older).toEqual(ASCENDING.map((_, index) => index));
});

test('a version is found among other words', () => {
  expect(parseGoVersion('devel go1.27-0a1b2c3 Mon Jan 5')).toEqual([1, 27, 0, 0]);
  expect(parseGoVersion('local')).toBeUndefined();
});
