import { surfaceOfPackage, surfaceOfText } from '../support/public-surface';
import { DOCSTRINGS } from './surface/docstrings';
import { JSII } from './surface/jsii';
import { NAMES_IN_LANGUAGES } from './surface/names-in-languages';

const ofPackage = surfaceOfPackage();

describe.each([
  ['docstrings', DOCSTRINGS],
  ['the surface that other languages see', JSII],
  ['names in other languages', NAMES_IN_LANGUAGES],
])('%s', (_, { lints, wrong, found, remedies = {} }) => {
  test.each(Object.entries(lints))('%s', (name, lint) => {
    expect(lint(ofPackage).map((path) => path + (remedies[name] ?? ''))).toEqual([]);
  });

  test('what breaks one is found out', () => {
    const surface = surfaceOfText(wrong);
    const broken = Object.entries(lints).map(([name, lint]) => [name, lint(surface)]);
    expect(Object.fromEntries(broken)).toEqual(found);
    expect(Object.values(found).filter((paths) => paths.length === 0)).toEqual([]);
  });
});

test('the surface is all there', () => {
  expect(ofPackage.types.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['ILoadBalancerController', 'LoadBalancerRequest', 'LoadBalancedService', 'TrafficPolicy']),
  );
});
