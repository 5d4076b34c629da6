import type { BalancerChange } from '../../src/diff/effect';
import type { DiffOptions } from '../../src/diff/side';
import { casesIn } from '../support/yaml-cases';
import { changesOf, type SideOptions, sideOf } from './sides';

// What leads to targets of a balancer whose Service or Gateway is elsewhere: the files of a tenant.

const SET = casesIn(__dirname, 'bindings.yaml').set;
const ROUTE = casesIn(__dirname, 'bindings.yaml').route;
const MESH = ROUTE.replace('{ kind: ListenerSet, name: ports }', "{ group: '', kind: Service, name: db }");
const GATEWAY = casesIn(__dirname, 'bindings.yaml').gateway;
const classOf = (controller: string) => `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: shared }
spec: { controllerName: ${controller} }
`;
const HAPROXY = casesIn(__dirname, 'bindings.yaml').haproxy;

const textOf = (objects: readonly string[]) => objects.join('---\n');

function changes(
  before: readonly string[],
  after: readonly string[],
  options: DiffOptions = {},
  side: SideOptions = {},
): BalancerChange[] {
  return changesOf(sideOf(textOf(before), side), sideOf(textOf(after)), options);
}

const told = (...args: Parameters<typeof changes>) =>
  changes(...args).map((one) => `${one.outcome} ${(one.after ?? one.before)?.title}`);

describe('listeners and routes at a Gateway that is elsewhere', () => {
  test('stay, and come', () => {
    expect(told([SET, ROUTE], [SET, ROUTE])).toEqual([]);
    expect(told([], [SET, ROUTE])).toEqual([]);
  });

  test('go', () => {
    expect(told([SET, ROUTE], [])).toEqual(['interrupted ListenerSet team-a/ports', 'interrupted TCPRoute team-a/db']);
    expect(told([SET, ROUTE], [], { prune: false })).toEqual([]);
    expect(told([SET, ROUTE], [], { prune: true }, { isLive: true })).toEqual([]);
  });

  test('change', () => {
    expect(told([SET, ROUTE], [SET.replace('5432', '5433'), ROUTE])).toEqual(['interrupted ListenerSet team-a/ports']);
    expect(told([SET, ROUTE], [SET.replace('name: shared', 'name: other'), ROUTE])).toEqual([
      'replaced ListenerSet team-a/ports',
    ]);
  });

  test('of a class that is not known', () => {
    expect(told([GATEWAY, SET, ROUTE], [GATEWAY, SET])).toEqual(['interrupted TCPRoute team-a/db']);
  });

  test('count with the Gateway where its balancer is compared', () => {
    for (const controller of ['gateway.k8s.aws/nlb', 'gateway.envoyproxy.io/gatewayclass-controller']) {
      const all = [classOf(controller), GATEWAY, SET, ROUTE];
      expect(changes(all, all.slice(0, 3))).toHaveLength(1);
      expect(changes(all, all.slice(0, 3))[0].effects.map(({ field }) => field)).toEqual([
        'TCPRoute team-a/db, metadata.name',
      ]);
    }
  });

  test('routes inside the cluster lead to no balancer', () => expect(told([MESH], [])).toEqual([]));
});

describe('ports at an HAProxy that is elsewhere', () => {
  test('stay, and come', () => {
    expect(told([HAPROXY], [HAPROXY])).toEqual([]);
    expect(told([], [HAPROXY])).toEqual([]);
  });

  test.each<[string, string, string, string[]]>(
    casesIn(__dirname, 'bindings.yaml')['ports at an HAProxy that is elsewhere'],
  )('%s', (_, old, now, fields) => {
    const to = HAPROXY.replace(old, now);
    expect(to).not.toBe(HAPROXY);
    const causes = changes([HAPROXY], [to]).flatMap((one) => one.effects);
    expect(causes.map(({ field }) => field).filter((field, i, all) => all.indexOf(field) === i)).toEqual([
      ...new Set(fields),
    ]);
    expect(causes.every(({ outcome }) => outcome === 'interrupted')).toBe(true);
  });

  test('go', () => expect(told([HAPROXY], [])).toEqual(['interrupted TCP team-a/ports']));
});

describe('gateway policies', () => {
  // What edits of Envoy Gateway's policies do to the clients of the balancer in front of it, as test/envoy/policy-edits.test.ts sees it.

  const GATEWAY = casesIn(__dirname, 'bindings.yaml')['gateway 2'];
  const tenant = (name: string) => `---
apiVersion: gateway.networking.k8s.io/v1
kind: ListenerSet
metadata: { name: shared, namespace: ${name}, labels: { app: ${name} } }
spec:
  parentRef: { name: shared, namespace: infra }
  listeners: [{ name: db, port: 5432, protocol: TCP }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: TCPRoute
metadata: { name: db, namespace: ${name} }
spec:
  parentRefs: [{ kind: ListenerSet, name: shared }]
  rules: [{ backendRefs: [{ name: db, port: 5432 }] }]
`;
  const ALL = GATEWAY + tenant('team-a') + tenant('team-b');

  function policy(kind: string, target: string, spec: string, namespace = 'team-a'): string {
    return `---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: ${kind}
metadata: { name: limits, namespace: ${namespace} }
spec:
  ${target}
  ${spec}
`;
  }

  const SET = 'targetRefs: [{ group: gateway.networking.k8s.io, kind: ListenerSet, name: shared }]';
  const ROUTE = 'targetRefs: [{ group: gateway.networking.k8s.io, kind: TCPRoute, name: db }]';
  const ONE = 'targetRef: { group: gateway.networking.k8s.io, kind: TCPRoute, name: db }';
  const LABELS = 'targetSelectors: [{ kind: ListenerSet, matchLabels: { app: team-a } }]';
  const OTHER = 'targetRefs: [{ group: gateway.networking.k8s.io, kind: ListenerSet, name: other }]';

  const limit = (value: number, target = SET) =>
    policy('ClientTrafficPolicy', target, `connection: { connectionLimit: { value: ${value} } }`);
  const ranges = (range: string, target = ROUTE) =>
    policy(
      'SecurityPolicy',
      target,
      `authorization: { defaultAction: Deny, rules: [{ action: Allow, principal: { clientCIDRs: [${range}] } }] }`,
    );
  const breaker = (value: number) =>
    policy('BackendTrafficPolicy', SET, `circuitBreaker: { maxConnections: ${value} }`);
  const timeout = (value: string) =>
    policy('BackendTrafficPolicy', SET, `timeout: { tcp: { connectTimeout: ${value} } }`);
  const patch = (value: number) => policy('EnvoyPatchPolicy', SET, `priority: ${value}`);

  function outcomes(before: string, after: string): string[] {
    return changesOf(sideOf(before), sideOf(after)).flatMap(({ outcome, effects: causes }) =>
      causes.length === 0 ? [outcome] : causes.map((cause) => `${cause.outcome} ${cause.field}`),
    );
  }

  const CLIENT = 'ClientTrafficPolicy team-a/limits';
  const SECURITY = 'SecurityPolicy team-a/limits';
  const BACKEND = 'BackendTrafficPolicy team-a/limits';

  test.each<[string, string, string, string[]]>([
    ['a limit that is new', '', limit(80), [`interrupted ${CLIENT}, metadata.name`]],
    ['a limit by labels', limit(40, LABELS), limit(80, LABELS), [`interrupted ${CLIENT}, spec.connection`]],
    [
      'ranges by one reference',
      ranges('10.0.0.0/8', ONE),
      ranges('0.0.0.0/0', ONE),
      [`interrupted ${SECURITY}, spec.authorization.rules`],
    ],
    ['connections to pods', breaker(1000), breaker(2000), ['kept']],
    ['connections to pods that are new', '', breaker(2000), ['kept']],
    ['a timeout', timeout('1s'), timeout('2s'), [`unknown ${BACKEND}, spec.timeout`]],
    ['a patch', patch(1), patch(2), ['unknown EnvoyPatchPolicy team-a/limits, spec.priority']],
    ['a policy of what is not there', limit(40, OTHER), limit(80, OTHER), ['kept']],
  ])('%s', (_, before, after, expected) => expect(outcomes(ALL + before, ALL + after)).toEqual(expected));

  test('a policy of another namespace is not about it', () => {
    const of = (value: string) => policy('ClientTrafficPolicy', SET, value, 'team-c');
    expect(outcomes(ALL + of('a: 1'), ALL + of('a: 2'))).toEqual(['kept']);
  });

  test('a tenant that comes with its policies cuts nobody off', () => {
    const newcomer =
      tenant('team-c') + policy('ClientTrafficPolicy', SET, 'connection: { connectionLimit: { value: 1 } }', 'team-c');
    const [all] = changesOf(sideOf(ALL), sideOf(ALL + newcomer));
    expect(all.effects.filter(({ field }) => field.includes('Policy'))).toEqual([]);
  });

  test('tenants are told apart', () => {
    const of = (value: number) =>
      limit(value) +
      policy('ClientTrafficPolicy', SET, `connection: { connectionLimit: { value: ${value} } }`, 'team-b');
    expect(outcomes(ALL + of(1), ALL + of(2))).toEqual([
      'interrupted ClientTrafficPolicy team-a/limits, spec.connection',
      'interrupted ClientTrafficPolicy team-b/limits, spec.connection',
    ]);
  });

  describe('a grant that a route needs', () => {
    const away = ALL.replace('backendRefs: [{ name: db, port', 'backendRefs: [{ name: db, namespace: data, port');
    const grant = (of: string) => `---
apiVersion: gateway.networking.k8s.io/v1
kind: ReferenceGrant
metadata: { name: routes, namespace: data }
spec:
  from: [{ group: gateway.networking.k8s.io, kind: TCPRoute, namespace: ${of} }]
  to: [{ group: '', kind: Service }]
`;

    test('goes', () => {
      expect(outcomes(away + grant('team-a'), away)).toEqual(['interrupted ReferenceGrant data/routes, metadata.name']);
    });

    test('of others', () => {
      expect(outcomes(away + grant('team-b'), away)).toEqual(['kept']);
      expect(outcomes(ALL + grant('team-a'), ALL)).toEqual(['kept']);
    });
  });
});
