import { join } from 'node:path';
import { type Assembly, apiOf, readBaseline } from '../scripts/api/baseline';
import { allowedBreaksOf, breaksBetween, problemsOf } from '../scripts/api/breaks';
import { tablesOf } from './support/yaml-cases';

const tables = tablesOf<Record<string, never>>(join(__dirname, 'api-breaks.yaml'));

/** As much of an assembly as these tests change. */
interface Changed {
  readonly types: Record<string, { methods: Member[]; properties: Member[]; members: Member[] }>;
}

interface Member {
  name: string;
  optional?: boolean;
  type?: object;
  parameters?: Member[];
}

const ROOM = 'cdk8s-load-balancers';
const baseline = readBaseline();

/** The keys of what breaks where the API of the last release is changed so. */
function breaksOf(change: (types: Changed['types']) => void): string[] {
  const changed = structuredClone(baseline) as unknown as Changed;
  change(changed.types);
  return breaksBetween(baseline, changed as unknown as Assembly).map(({ key }) => key);
}

function named(members: readonly Member[], name: string): Member {
  const found = members.find((member) => member.name === name);
  if (!found) {
    throw new Error(`the baseline has no ${name}`);
  }
  return found;
}

const props = (types: Changed['types']) => types[`${ROOM}.LoadBalancedServiceProps`].properties;

test.each<[string, (types: Changed['types']) => void, string[]]>([
  ['nothing where nothing changed', () => undefined, []],
  [
    'a type that is gone',
    (types) => {
      delete types[`${ROOM}.NodePools`];
    },
    [`removed:${ROOM}.NodePools`],
  ],
  [
    'a method that is gone',
    (types) => {
      types[`${ROOM}.NodePool`].methods = types[`${ROOM}.NodePool`].methods.filter(({ name }) => name !== 'pin');
    },
    [`removed:${ROOM}.NodePool.pin`],
  ],
  [
    'a word of an enum that is gone',
    (types) => {
      types[`${ROOM}.TrafficPolicy`].members.splice(0, 1);
    },
    [expect.stringMatching(`^removed:${ROOM}.TrafficPolicy.[A-Z]+$`)],
  ],
  [
    'each property of one struct that is required now, or of another type',
    (types) => {
      named(props(types), 'labels').optional = undefined;
      named(props(types), 'name').optional = undefined;
      named(props(types), 'namespace').type = { primitive: 'number' };
    },
    ['labels', 'name', 'namespace'].map((name) => `strengthened:${ROOM}.LoadBalancedServiceProps.${name}`),
  ],
  [
    'a property that must be given now',
    (types) => {
      props(types).push({ name: 'owner', type: { primitive: 'string' } });
    },
    [`strengthened:${ROOM}.LoadBalancedServiceProps.owner`],
  ],
  [
    'a parameter more',
    (types) => {
      const more = { name: 'more', type: { primitive: 'string' } };
      named(types[`${ROOM}.NodePool`].methods, 'labeled').parameters?.push(more);
    },
    [`new-argument:${ROOM}.NodePool.labeled`],
  ],
  [
    'a method more of what users implement',
    (types) => {
      const { methods } = types[`${ROOM}.ILoadBalancerController`];
      methods.push({ ...named(methods, 'bind'), name: 'unbind' });
    },
    ['ILoadBalancerController', 'ISharingLoadBalancerController'].map(
      (name) => `new-abstract-member:${ROOM}.${name}.unbind`,
    ),
  ],
  [
    'nothing in an optional property more, or a class',
    (types) => {
      props(types).push({ name: 'owner', type: { primitive: 'string' }, optional: true });
      const name = 'Another';
      types[`${ROOM}.${name}`] = { ...types[`${ROOM}.NodePools`], ...{ name, fqn: `${ROOM}.${name}` } };
    },
    [],
  ],
])('the comparison with the last release notices %s', (_, change, keys) => {
  expect(breaksOf(change).sort()).toEqual(keys);
});

test('docs and places in the sources are no API', () => {
  const type = { fqn: 'a.B', docs: { summary: 'Words.', stability: 'stable' }, locationInModule: { line: 1 } };
  expect(apiOf({ types: { 'a.B': type }, readme: { markdown: '# Words' } })).toEqual({
    types: { 'a.B': { fqn: 'a.B' } },
  });
});

test('what is deprecated, and what users implement, decides how a change is judged', () => {
  const docs = { deprecated: 'Use C.', subclassable: true };
  expect(apiOf({ docs: { ...docs, summary: 'Words.', stability: 'stable' } })).toEqual({ docs });
});

describe('every break has a reason', () => {
  const removed = { key: 'removed:a.B', message: 'CLASS a.B: has been removed' };

  test.each<[string, string, string[]]>(tables.it)('and it %s', (_, text, problems) => {
    expect(problemsOf([removed], allowedBreaksOf(text))).toEqual(problems);
  });
});
