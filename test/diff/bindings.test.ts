import type { BalancerChange } from '../../src/diff/effect';
import type { DiffOptions } from '../../src/diff/side';
import { changesOf, type SideOptions, sideOf } from './sides';

// What leads to targets of a balancer whose Service or Gateway is elsewhere: the files of a tenant.

const SET = `apiVersion: gateway.networking.k8s.io/v1
kind: ListenerSet
metadata: { name: ports, namespace: team-a }
spec:
  parentRef: { name: shared, namespace: infra }
  listeners: [{ name: db, port: 5432, protocol: TCP }]
`;
const ROUTE = `apiVersion: gateway.networking.k8s.io/v1
kind: TCPRoute
metadata: { name: db, namespace: team-a }
spec:
  parentRefs: [{ kind: ListenerSet, name: ports }]
  rules: [{ backendRefs: [{ name: db, port: 5432 }] }]
`;
const MESH = ROUTE.replace('{ kind: ListenerSet, name: ports }', "{ group: '', kind: Service, name: db }");
const GATEWAY = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: shared, namespace: infra }
spec:
  gatewayClassName: shared
  listeners: [{ name: own, port: 65535, protocol: TCP }]
`;
const classOf = (controller: string) => `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: shared }
spec: { controllerName: ${controller} }
`;
const HAPROXY = `apiVersion: ingress.v3.haproxy.org/v3
kind: TCP
metadata: { name: ports, namespace: team-a, annotations: { ingress.class: shared } }
spec:
  - name: db
    frontend:
      name: db
      maxconn: 84
      binds: { v4: { name: v4, port: 5432 } }
      tcp_request_rule_list: [{ type: connection, action: reject, cond: if, cond_test: '{ src 192.0.2.1 }' }]
    service: { name: db, port: 5432 }
`;

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

  test('routes inside the cluster lead to no balancer', () => {
    expect(told([MESH], [])).toEqual([]);
  });
});

describe('ports at an HAProxy that is elsewhere', () => {
  test('stay, and come', () => {
    expect(told([HAPROXY], [HAPROXY])).toEqual([]);
    expect(told([], [HAPROXY])).toEqual([]);
  });

  test.each<[string, string, string, string[]]>([
    ['another port', 'port: 5432 } }', 'port: 5433 } }', ['spec[0].frontend.binds.v4']],
    ['another limit', 'maxconn: 84', 'maxconn: 42', []],
    ['other clients', '192.0.2.1', '192.0.2.2', ['spec[0].frontend.tcp_request_rule_list']],
    ['another Service', 'service: { name: db', 'service: { name: other', ['spec[0].service.name']],
    ['another HAProxy', 'ingress.class: shared', 'ingress.class: other', ["metadata.annotations['ingress.class']"]],
    ['another entry', '- name: db', '- name: data', ['spec[0]', 'spec[0]']],
  ])('%s', (_, old, now, fields) => {
    const to = HAPROXY.replace(old, now);
    expect(to).not.toBe(HAPROXY);
    const causes = changes([HAPROXY], [to]).flatMap((one) => one.effects);
    expect(causes.map(({ field }) => field).filter((field, i, all) => all.indexOf(field) === i)).toEqual([
      ...new Set(fields),
    ]);
    expect(causes.every(({ outcome }) => outcome === 'interrupted')).toBe(true);
  });

  test('go', () => {
    expect(told([HAPROXY], [])).toEqual(['interrupted TCP team-a/ports']);
  });
});
