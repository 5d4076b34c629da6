import { Chart, Testing } from 'cdk8s';
import { lookup } from '../../../src/tenancy/guard/policy';
import { SharedListenerPolicy, TenantPorts } from '../../../src/tenancy/guard/shared-listener-policy';

// What names every tenant: the API server takes no expression of more than 100,000 characters, and stores no policy of any size.

const EXPRESSION_CHARACTERS = 100_000;
const table = (tenants: number, key = 'request.namespace') =>
  lookup({
    name: 'granted',
    entries: Array.from({ length: tenants }, (_, i) => [`team-${i}`, `'${i}'`]),
    key,
    none: "''",
  });

function evaluated(tenants: number, key: string): string {
  const variables = new Map(table(tenants, 'KEY').map(({ name, expression }) => [name, expression]));
  const value = (expression: string): string => {
    const chosen = /^\((.+?) < '(.+?)' \? (.*)\)$/.exec(expression);
    if (chosen) {
      const [one, other] = halvesOf(chosen[3]);
      return value(key < chosen[2] ? one : other);
    }
    const looked = /^variables\.(\w+)\[\?.*\]\.orValue\(''\)$/.exec(expression);
    const entries = looked ? (variables.get(looked[1]) ?? '') : expression;
    return new RegExp(`'${key}': '(\\d+)'`).exec(entries)?.[1] ?? '';
  };
  return value(variables.get('granted') ?? '');
}

function halvesOf(text: string): [string, string] {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    depth += text[i] === '(' ? 1 : text[i] === ')' ? -1 : 0;
    if (depth === 0 && text.startsWith(' : ', i)) {
      return [text.slice(0, i), text.slice(i + 3)];
    }
  }
  throw new Error('no choice');
}

test('a short table is one expression', () => {
  expect(table(2)).toEqual([
    { name: 'granted', expression: "{'team-0': '0', 'team-1': '1'}[?request.namespace].orValue('')" },
  ]);
  expect(table(0)).toEqual([{ name: 'granted', expression: "''" }]);
});

test.each([2_000, 2_500, 10_000, 30_000])(
  '%i tenants are found in expressions that the API server takes',
  (tenants) => {
    const variables = table(tenants);
    for (const { expression } of variables) {
      expect(expression.length).toBeLessThan(EXPRESSION_CHARACTERS);
    }
    expect(variables.at(-1)?.name).toBe('granted');
    for (const i of [0, 1, 9, 99, 1_234, tenants / 2, tenants - 1]) {
      expect(evaluated(tenants, `team-${i}`)).toBe(`${i}`);
    }
    expect(evaluated(tenants, 'team')).toBe('');
    expect(evaluated(tenants, 'zebra')).toBe('');
  },
);

test('more tenants than one policy can name fail the synth, which says how many characters they are', () => {
  const policyOf = (tenants: number) => {
    const app = Testing.app();
    const policy = new SharedListenerPolicy(new Chart(app, 'platform'), 'Policy', {
      name: 'listeners',
      namespaceLabels: { tenant: 'true' },
      gateways: [{ namespace: 'infra', name: 'shared' }],
      ports: TenantPorts.perNamespace(),
      hostnames: {},
      exempt: [],
    });
    for (let i = 0; i < tenants; i++) {
      policy.grantHostnames(`team-${i}`, [`*.team-${i}.tcp.example.com`]);
    }
    return () => app.synthYaml();
  };
  expect(policyOf(10_000)).not.toThrow();
  expect(policyOf(40_000)).toThrow(
    /policy listeners has \d{7} characters, and the API server stores at most 1400000; give the namespaces .*TenantPorts\.byAnnotation\(\) .*\(policy-size\)/s,
  );
});
