import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDefaults } from '../../src/contract/schema/walk';
import { EDITED_GATEWAY_KINDS } from '../../src/predicted/predicted';
import type { Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { customResourceDefinitions, ensureNamespaces, install, lacksAfterWriting, objectsIn } from '../real/objects';

import { count } from '../real/program';
import { casesIn } from '../support/yaml-cases';

// The Gateway API and the kinds of Envoy Gateway, against the definitions of their releases: what the goldens say is taken,
// and what the rules refuse is refused by the API server too, where it is its to refuse.

const TEST = join(__dirname, '..');
const GOLDENS = [
  join(TEST, 'gateway', 'goldens', 'shared.yaml'),
  join(TEST, 'tenancy', 'engines', 'goldens', 'envoy-gateway.yaml'),
];
const objects = GOLDENS.flatMap((file) => objectsIn(readFileSync(file, 'utf8')));

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
  await install(plane.api, customResourceDefinitions(['sigs.k8s.io/gateway-api', 'github.com/envoyproxy/gateway']));
  await ensureNamespaces(plane.api, objects);
});

afterAll(() => plane?.stop());

test.each(objects.map((object) => [object.kind, object.metadata.name, object] as const))(
  '%s %s is taken as written',
  async (_kind, _name, object) => {
    expect(await lacksAfterWriting(plane.api, object)).toEqual([]);
    count('objects of Gateways accepted');
  },
);

/** Objects that say as little as they may, with everything in them that has a default inside. */
const BARE: readonly [string, string, Body][] = casesIn(__dirname, 'gateway-kinds.yaml').bare;

test.each(BARE)('what is filled in of a %s is known', async (kind, version, spec) => {
  const object = { apiVersion: `${group}/${version}`, kind, metadata: { name: 'bare', namespace: 'infra' }, spec };
  const fields = EDITED_GATEWAY_KINDS.find((one) => one.kind === kind)?.fields ?? {};
  const filled = await plane.api.create(object, { dryRun: true });
  expect(withDefaults(spec, fields)).toEqual(filled.spec);
  count('objects of Gateways filled in');
});

function changed(kind: string, change: (spec: Body) => Body): Ref {
  const found = objects.find((object) => object.kind === kind);
  if (!found) {
    throw new Error(`no golden has a ${kind}`);
  }
  const metadata = { ...found.metadata, name: 'changed' };
  return { ...found, metadata, spec: change(structuredClone(found.spec)) };
}

const listeners = (change: (all: Body[]) => Body[]) => (spec: Body) => ({ ...spec, listeners: change(spec.listeners) });
const first = (more: Body) => listeners(([one, ...others]) => [{ ...one, ...more }, ...others]);
const parents =
  (...parentRefs: Body[]) =>
  (spec: Body) => ({ ...spec, parentRefs });
const backends =
  (...backendRefs: Body[]) =>
  (spec: Body) => ({ ...spec, rules: [{ backendRefs }] });
const target = (ref: Body) => (spec: Body) => ({
  ...spec,
  targetRefs: [{ group: 'gateway.networking.k8s.io', ...ref }],
});
const clients =
  (...clientCIDRs: string[]) =>
  (spec: Body) => ({ ...spec, authorization: { rules: [{ action: 'Allow', principal: { clientCIDRs } }] } });
const service = (more: Body) => (spec: Body) => {
  Object.assign(spec.provider.kubernetes.envoyService, more);
  return spec;
};
const group = 'gateway.networking.k8s.io';
const ports = { group, kind: 'ListenerSet', name: 'ports' };
const many = (length: number) => Array.from({ length }, (_, i) => ({ name: `l${i}`, port: 1000 + i, protocol: 'TCP' }));

/** What the API server says of each mistake; nothing where it takes it. */
const MISTAKES: [string, string, (spec: Body) => Body, RegExp | undefined][] = [
  ['Gateway', 'no listener', listeners(() => []), /should have at least 1 items/],
  [
    'Gateway',
    'an unknown word for who may join',
    (spec) => ({ ...spec, allowedListeners: { namespaces: { from: 'Any' } } }),
    /Unsupported value: "Any"/,
  ],
  ['ListenerSet', 'no listener', listeners(() => []), /should have at least 1 items/],
  ['ListenerSet', '64 listeners', listeners(() => many(64)), undefined],
  ['ListenerSet', '65 listeners', listeners(() => many(65)), /must have at most 64 items/],
  [
    'ListenerSet',
    'one name twice',
    listeners(([one, two]) => [one, { ...two, name: one.name }]),
    /Duplicate value|must be unique/,
  ],
  [
    'ListenerSet',
    'one place twice',
    listeners(([one]) => [one, { ...one, name: 'other' }]),
    /Combination of port, protocol and hostname must be unique/,
  ],
  ['ListenerSet', 'port 0', first({ port: 0 }), /should be greater than or equal to 1|Required value/],
  [
    'ListenerSet',
    'a host and TCP',
    first({ hostname: 'a.example.com' }),
    /hostname must not be specified for protocols/,
  ],
  [
    'ListenerSet',
    'TLS settings and TCP',
    first({ tls: { mode: 'Passthrough' } }),
    /tls must not be specified for protocols/,
  ],
  ['ListenerSet', 'TLS without a mode', first({ protocol: 'TLS' }), /tls mode must be set for protocol TLS/],
  [
    'ListenerSet',
    'a kind of routes that does not fit',
    first({ allowedRoutes: { kinds: [{ kind: 'TLSRoute' }] } }),
    undefined,
  ],
  ['ListenerSet', 'a set that joins a set', (spec) => ({ ...spec, parentRef: ports }), undefined],
  ['TCPRoute', 'no backend', backends(), /should have at least 1 items/],
  ['TCPRoute', 'a Service without a port', backends({ name: 'db' }), /Must have port for Service reference/],
  [
    'TCPRoute',
    'a negative weight',
    backends({ name: 'db', port: 1, weight: -1 }),
    /should be greater than or equal to 0/,
  ],
  [
    'TCPRoute',
    'a weight too large',
    backends({ name: 'db', port: 1, weight: 1_000_001 }),
    /should be less than or equal to 1000000/,
  ],
  ['TCPRoute', 'two rules', (spec) => ({ ...spec, rules: [...spec.rules, ...spec.rules] }), /must have at most 1 item/],
  [
    'TCPRoute',
    'one parent twice',
    parents(ports, { ...ports, sectionName: 'tcp-5432' }),
    /sectionName must be specified when parentRefs includes 2 or more/,
  ],
  ['ReferenceGrant', 'nobody', (spec) => ({ ...spec, from: [] }), /should have at least 1 items/],
  [
    'ClientTrafficPolicy',
    'a route',
    target({ kind: 'TCPRoute', name: 'db' }),
    /can only have a targetRefs\[\*\].kind of Gateway or ListenerSet/,
  ],
  [
    'ClientTrafficPolicy',
    'a section of a ListenerSet',
    target({ kind: 'ListenerSet', name: 'shared', sectionName: 'tcp-30017' }),
    undefined,
  ],
  [
    'ClientTrafficPolicy',
    'no connection',
    (spec) => ({ ...spec, connection: { connectionLimit: { value: 0 } } }),
    /should be greater than or equal to 1/,
  ],
  [
    'SecurityPolicy',
    'a TLSRoute',
    target({ kind: 'TLSRoute', name: 'web' }),
    /can only have a targetRefs\[\*\].kind of/,
  ],
  ['SecurityPolicy', 'an address without a prefix', clients('10.0.0.1'), /should match/],
  ['SecurityPolicy', 'nobody', clients(), /should have at least 1 items/],
  // its pattern has no anchors, and Envoy Gateway drops such a policy and leaves the route open
  ['SecurityPolicy', 'a range that is none', clients('10.0.0.0/99'), undefined],
  [
    'EnvoyProxy',
    'an IPv6 address',
    service({ loadBalancerIP: '2001:db8::1' }),
    /loadBalancerIP must be a valid IPv4 address/,
  ],
  ['EnvoyProxy', 'ranges of no balancer', service({ type: 'ClusterIP' }), /can only be set for LoadBalancer type/],
];

test.each(MISTAKES)('%s with %s', async (kind, _mistake, change, said) => {
  const asked = plane.api.create(changed(kind, change), { dryRun: true });
  if (said) {
    await expect(asked).rejects.toThrow(said);
    count('mistakes in Gateways refused');
  } else {
    await expect(asked).resolves.toBeTruthy();
  }
});
