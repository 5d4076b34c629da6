import { type ApiObject, App, Chart } from 'cdk8s';
import type { Json } from '../../../src/contract/json';
import { AllowedClass } from '../../../src/tenancy/guard/allowed-class';
import { LoadBalancerAdmissionPolicy } from '../../../src/tenancy/guard/load-balancer-admission-policy';
import { ALWAYS, anyFault, faultList } from '../../../src/tenancy/guard/policy';

const VARIABLES = [
  { name: 'a', expression: 'object.a' },
  { name: 'ab', expression: 'variables.a + object.b' },
];

test('any fault is asked without variables, which may refer to each other', () => {
  const faults = [
    { when: 'variables.ab > 1', says: "'one'" },
    { among: 'variables.a > 0', when: 'size(object.c) > 0', says: "'two'" },
    { among: 'variables.a > 0', when: 'size(object.d) > 0', says: "'three'" },
  ];
  expect(anyFault(faults, VARIABLES).split('\n')).toEqual([
    '(((object.a) + object.b) > 1)',
    '|| ((object.a) > 0 && ((size(object.c) > 0)',
    '|| (size(object.d) > 0)))',
  ]);
  expect(faultList(faults)).toContain("(variables.a > 0 && size(object.d) > 0 ? ['three'] : [])");
});

test('texts that look like variables stay as they are', () => {
  const when = "object.x == 'in\\'variables.a' && variables.a != 'variables.a'";
  expect(anyFault([{ when, says: "'x'" }], VARIABLES)).toBe(
    "(object.x == 'in\\'variables.a' && (object.a) != 'variables.a')",
  );
});

test('what is always a fault is nothing to be asked for', () => {
  expect(anyFault([{ when: ALWAYS, says: "'x'" }], [])).toBe(ALWAYS);
});

function servicePolicy(namespaces: number): Json {
  const chart = new Chart(new App(), 'platform');
  const owners = Array.from({ length: namespaces }, (_, i) => `team-${i}`);
  const { policy } = new LoadBalancerAdmissionPolicy(chart, 'Policy', {
    namespaceLabels: { tenant: 'true' },
    allowedClasses: [AllowedClass.of('example.com/own', { namespaces: owners })],
  });
  return (policy as ApiObject).toJson().spec;
}

test('faults that would be too long for one expression are left to the validation', () => {
  const [short, long] = [servicePolicy(10), servicePolicy(5000)].map(({ matchConditions }) => matchConditions[0]);
  expect(short.expression).toContain("'team-9'");
  expect(long.expression).not.toContain("'team-9'");
  expect(long.expression).toContain('object.spec != oldObject.spec');
  expect(long.expression).toContain('request.userInfo.username in');
});
