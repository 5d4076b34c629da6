import { walk } from '../../scripts/lifecycle/walk';
import { firstState, machineOf, type Scenario } from '../../src/lifecycle/scenario';
import { bytesOf, type Field, keyOf, NAMES } from '../../src/lifecycle/state';
import { FIELDS } from '../../src/lifecycle/state.facts';
import { traceAsMermaid, wayInWords } from '../../src/lifecycle/trace-text';
import { AWS_BY_CLASS } from './experiments';
import { check } from './life';

const RACE: Scenario = { owner: AWS_BY_CLASS, policy: 'left', writer: 'create' };
const NAMED = { own: 'F', other: 'K' };

test('every value of every field has a key of its own', () => {
  const keys = new Set<number>();
  for (const field of NAMES) {
    for (const value of FIELDS[field as Field]) {
      const state = bytesOf({
        ...Object.fromEntries(NAMES.map((name) => [name, FIELDS[name].at(-1)])),
        [field]: value,
      });
      expect(Number.isSafeInteger(keyOf(state))).toBe(true);
      keys.add(keyOf(state));
    }
  }
  expect(keys.size).toBe(NAMES.reduce((sum, name) => sum + FIELDS[name].length - 1, 1));
});

test('two explorations find the same, in the same order', () => {
  const scenario: Scenario = { ...RACE, edited: true, faults: ['crash', 'lag'] };
  const [one, other] = [check(scenario), check(scenario)];
  expect(other).toEqual(one);
});

test('a row that cannot be taken is refused by name', () => {
  expect(() => walk(machineOf(RACE), firstState(RACE), ['delete.removes'])).toThrow(
    /^delete\.removes cannot be taken in/,
  );
});

test('the shortest trace in words', () => {
  const trace = check(RACE).broken.get('orphan');
  expect(trace && wayInWords(trace, NAMED)).toEqual([
    '1. the writer creates the Service with what it declares: Service live with no finalizer, no balancer',
    '2. the owner reads a Service that it owns, without its finalizer',
    '3. the user deletes the Service',
    '4. the API server reads a Service without finalizers and decides to remove it at once',
    '5. the owner adds its finalizer: Service live with F, no balancer',
    '6. the owner makes the balancer, or finds it made: Service live with F, a balancer',
    '7. the owner writes the address into the status: Service live with F and an address, a balancer',
    '8. the API server removes the Service as it decided, whatever was added since: no Service, a balancer',
  ]);
});

test('the same with the names of what is in it', () => {
  const trace = check(RACE).broken.get('orphan');
  const names = { own: 'example.com/f', other: 'K', service: 'shop/echo', owner: 'my-controller', writer: 'kubectl' };
  expect(trace && wayInWords(trace, names).slice(0, 5)).toEqual([
    '1. kubectl creates Service shop/echo with what it declares: Service live with no finalizer, no balancer',
    '2. my-controller reads Service shop/echo that it owns, without finalizer example.com/f',
    '3. the user deletes Service shop/echo',
    '4. the API server reads Service shop/echo without finalizers and decides to remove it at once',
    '5. my-controller adds finalizer example.com/f: Service live with example.com/f, no balancer',
  ]);
  expect(trace && traceAsMermaid(trace, names, 'orphan').split('\n')).toContain('  participant Owner as my-controller');
});

test('the shortest trace as a sequence diagram', () => {
  const trace = check(RACE).broken.get('orphan');
  const lines = trace ? traceAsMermaid(trace, NAMED, trace.property).split('\n') : [];
  expect(lines[0]).toBe('sequenceDiagram');
  expect(lines).toContain('  participant Writer as writer');
  expect(lines).toContain('  Owner->>Cloud: makes the balancer, or finds it made');
  expect(lines.at(-1)).toMatch(/^ {2}Note over \w+,\w+: orphan$/);
  expect(
    lines
      .slice(1)
      .filter((line) => !/^ {2}(participant \w+ as [\w ]+|Note over [\w,]+: [^;#%]+|\w+->>\w+: [^;#%]+)$/.test(line)),
  ).toEqual([]);
});
