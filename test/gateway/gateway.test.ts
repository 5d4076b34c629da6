import { ApiObject, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import type { Json } from '../../src/contract/json';
import {
  Gateway,
  GatewayAllowedListeners,
  GatewayAllowedRoutes,
  GatewayClass,
  type GatewayListener,
  type GatewayProps,
  GatewayProtocol,
  GatewayTlsMode,
} from '../../src/gateway';
import { GATEWAY_CLASS_RULES } from '../../src/gateway/gateway-rule';
import { GATEWAY_RULES, LISTENER_SET_RULES, REFERENCE_GRANT_RULES } from '../../src/gateway/gateway-rules';
import type { ObjectContext, Rule } from '../../src/rules/rule';
import { RuleSet } from '../../src/rules/rule-set';
import { errorsOf, newChart, written } from '../support/apps';
import { faultsIn, findingsOf } from '../support/checks';
import { casesIn, revived, table } from '../support/yaml-cases';
import { LISTENER, WRONG_YAML } from './gateway-mistakes';

const CASES = casesIn(__dirname, 'gateway.yaml');

const { TLS } = GatewayProtocol;
const { PASSTHROUGH, TERMINATE } = GatewayTlsMode;

const passed: GatewayListener = { name: 'kafka', port: 443, protocol: TLS, tlsMode: PASSTHROUGH };

function gateway(props: Partial<GatewayProps> = {}) {
  const chart = newChart('infra');
  const made = new Gateway(chart, 'Edge', { name: 'edge', gatewayClassName: 'acme', listeners: [passed], ...props });
  return { chart, made };
}

const specOf = (props: Partial<GatewayProps>): Json => written(gateway(props).chart, 'Gateway').spec;

test('a Gateway is written as the API takes it', () => {
  const hostname = '*.kafka.example.com';
  const { chart } = gateway({
    listeners: [{ ...passed, hostname, allowedRoutes: GatewayAllowedRoutes.namespaces(['kafka'], ['TLSRoute']) }],
    addresses: [{ value: '192.0.2.1' }, { type: 'Hostname' }],
    infrastructureAnnotations: { 'acme.example/internal': 'true' },
    infrastructureLabels: { team: 'edge' },
    parametersRef: { group: 'gateway.acme.example', kind: 'Settings', name: 'small' },
    annotations: { 'acme.example/owner': 'edge' },
    labels: { stage: 'live' },
  });
  expect(written(chart, 'Gateway')).toEqual(CASES['written Gateway']);
});

test.each<[string, Partial<GatewayListener>, Json]>([
  ...table('gateway/gateway.yaml', 'a listener with'),
  ...revived(CASES.gateway),
  ...revived(CASES.listener),
])('a listener with %s', (_, changes, expected) => {
  const [listener] = specOf({ listeners: [{ ...passed, ...changes }] }).listeners;
  const base = changes.tlsMode === undefined && 'tlsMode' in changes ? {} : { tls: { mode: 'Passthrough' } };
  expect(listener).toEqual({ name: 'kafka', port: 443, protocol: 'TLS', ...base, ...expected });
});

test.each<[string, GatewayAllowedListeners, Json]>(revived(CASES.gatewayAdmits))(
  'a Gateway admits %s',
  (_, allowedListeners, namespaces) => expect(specOf({ allowedListeners }).allowedListeners).toEqual({ namespaces }),
);

test('a class belongs to no namespace, and a Gateway of it knows the controller', () => {
  const chart = newChart('infra');
  const gatewayClass = new GatewayClass(chart, 'Class', {
    name: 'acme',
    controllerName: 'acme.example/gateways',
    description: 'for the edge',
    parametersRef: { group: 'acme.example', kind: 'Settings', name: 'all', namespace: 'infra' },
    labels: { stage: 'live' },
  });
  const made = new Gateway(chart, 'Edge', { gatewayClass, listeners: [passed] });
  expect(written(chart, 'GatewayClass')).toEqual(
    casesIn(__dirname, 'gateway.yaml')['a class belongs to no namespace and a Gateway of it knows'],
  );
  expect(written(chart, 'Gateway').spec.gatewayClassName).toBe('acme');
  expect(made.controllerName).toBe('acme.example/gateways');
});

test('a Gateway tells its listeners as they are written', () => {
  const { made } = gateway();
  made.addJsonPatch(JsonPatch.replace('/spec/listeners/0/port', 8443));
  expect([made.gatewayName, made.namespace, made.findListener('kafka')?.port]).toEqual(['edge', 'infra', 8443]);
  expect(made.findListener('kafka')).toMatchObject({ tlsMode: PASSTHROUGH, hostname: undefined });
  expect(made.findListener('kafka')?.protocol.value).toBe('TLS');
  expect(made.findListener('web')).toBeUndefined();
});

test('what is known of a Gateway elsewhere is what is said', () => {
  const known = Gateway.fromName('edge', { namespace: 'infra', listeners: [passed], controllerName: 'acme.example/g' });
  expect(known).toMatchObject({ gatewayName: 'edge', namespace: 'infra', controllerName: 'acme.example/g' });
  expect(known.findListener('kafka')).toBe(passed);
  expect(Gateway.fromName('edge').listeners).toBeUndefined();
  expect(Gateway.fromName('edge').findListener('kafka')).toBeUndefined();
});

const manifest = (name: string, more: Json = {}): Json => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name, namespace: 'infra' },
  spec: { gatewayClassName: 'acme', listeners: [{ name: 'tls', port: 443, protocol: 'TLS', tls: {}, ...more }] },
});
const CLASS: Json = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'GatewayClass',
  metadata: { name: 'acme' },
  spec: { controllerName: 'acme.example/gateways' },
};
const OTHER_CLASS: Json = { ...CLASS, metadata: { name: 'other' }, spec: { controllerName: 'other.example/gateways' } };

function included(...objects: Json[]) {
  const chart = newChart('infra');
  const construct = new Construct(chart, 'Existing');
  for (const [i, object] of objects.entries()) {
    new ApiObject(construct, `Object${i}`, object as never);
  }
  return { chart, construct };
}

test('a Gateway that exists as YAML is read with its class, and checked once', () => {
  const { chart, construct } = included(OTHER_CLASS, CLASS, manifest('edge', { hostname: null }), manifest('other'));
  const found = Gateway.fromManifest(construct, { name: 'edge' });
  Gateway.fromManifest(construct, { name: 'edge', namespace: 'infra' });
  expect(found).toMatchObject({ gatewayName: 'edge', namespace: 'infra', controllerName: 'acme.example/gateways' });
  expect(found.findListener('tls')).toMatchObject({ tlsMode: TERMINATE, hostname: undefined });
  expect(Gateway.fromManifest(construct, { name: 'other', controllerName: 'a.b/c' }).controllerName).toBe('a.b/c');
  expect(errorsOf(chart).filter((line) => line.includes('Object2'))).toEqual([
    "[infra/Existing/Object2] kubernetes: listener 'tls' terminates TLS without a certificate; set certificateRefs, or pass TLS through (gateway-listener-certificate-missing)",
  ]);
});

test.each<[Json[], { name?: string; namespace?: string } | undefined, string]>([
  [[manifest('one'), manifest('two')], undefined, 'there is the Gateways infra/one, infra/two; pass'],
  [[manifest('one')], { name: 'two' }, 'there is the Gateways infra/one; pass'],
  [[manifest('one')], { namespace: 'web' }, 'there is the Gateways infra/one; pass'],
  [[{ ...manifest('one'), apiVersion: 'networking.istio.io/v1' }], undefined, 'there is no Gateway; pass'],
])('among %j, %j finds none', (objects, props, message) => {
  expect(() => Gateway.fromManifest(included(...objects).construct, props)).toThrow(message);
});

test.each<[string, () => unknown, string]>([
  ['no label', () => GatewayAllowedRoutes.namespacesLabeled({}), 'there is no label, which admits every namespace'],
  ['no namespace of ListenerSets', () => GatewayAllowedListeners.namespaces([]), 'there is no name; name'],
  ['no label of ListenerSets', () => GatewayAllowedListeners.namespacesLabeled({}), 'which admits every namespace'],
  ['a protocol without a domain', () => GatewayProtocol.custom('QUIC'), "'QUIC' is not a domain with a path"],
])('%s is refused at once', (_, make, message) => expect(make).toThrow(message));

const WRONG: [string, Partial<GatewayProps>, string[]][] = revived(CASES.wrong);

test.each(WRONG)('wrong with a Gateway: %s', (_, props, texts) => {
  const [error, ...others] = errorsOf(gateway(props).chart);
  expect(error).toMatch(/^\[infra\/Edge\] (kubernetes|gateway-api): /);
  for (const text of texts) {
    expect(error).toContain(text);
  }
  expect(others).toEqual([]);
});

test('a protocol that nobody knows is refused in a manifest', () => {
  expect(faultsIn(manifest('edge', { protocol: 'tls', tls: undefined }), GATEWAY_RULES)).toEqual([
    expect.stringContaining("listener 'tls' has protocol 'tls', which is not one of HTTP, HTTPS, TLS, TCP, UDP"),
  ]);
});

function saidOf(spec: Json): string[] {
  const whole = { ...manifest('edge'), spec: { gatewayClassName: 'acme', listeners: [LISTENER], ...spec } };
  return findingsOf(whole, GATEWAY_RULES);
}

test.each(WRONG_YAML)('wrong with a Gateway as YAML: %j', (spec, texts) => {
  const found = saidOf(spec);
  expect(found).toHaveLength(Math.min(texts.length, 1));
  for (const text of texts) {
    expect(found[0]).toContain(text);
  }
});

test.each(['192.0.002.1'])('address %s is taken as a definition takes it', (value) => {
  expect(saidOf({ addresses: [{ value }] })).toEqual([]);
});

test('findings about fields lead to them', () => {
  const listeners = [LISTENER, { ...LISTENER, name: 'other', port: 0, hostname: '*' }];
  const spec = { gatewayClassName: 'acme', listeners, addresses: [{ value: 'x' }] };
  const { errors } = new RuleSet(GATEWAY_RULES).check({ ...manifest('edge'), spec }, {});
  expect(errors.map(({ at }) => at)).toEqual([
    '/spec/addresses/0/value',
    '/spec/listeners/1/port',
    '/spec/listeners/1/hostname',
  ]);
});

test('a Gateway of nonsense is refused, and nothing is thrown', () => {
  for (const spec of [undefined, null, 7, { listeners: 'x' }, { listeners: [null, {}], addresses: [7] }]) {
    expect(() => faultsIn({ metadata: null, spec }, GATEWAY_RULES)).not.toThrow();
    expect(faultsIn({ metadata: null, spec }, GATEWAY_RULES).length).toBeGreaterThan(0);
  }
});

const classSpec = (more: Json) => ({ kind: 'GatewayClass', metadata: { name: 'a' }, spec: { ...CLASS.spec, ...more } });

test.each<[Json, string]>(revived(CASES.wrongClassAs))('wrong with a class as YAML: %j', (more, text) => {
  expect(findingsOf(classSpec(more), GATEWAY_CLASS_RULES)).toEqual([expect.stringContaining(text)]);
});

test.each([GATEWAY_RULES, GATEWAY_CLASS_RULES, LISTENER_SET_RULES, REFERENCE_GRANT_RULES])(
  'rules of a kind have ids of their own',
  (...rules) => {
    const ids = rules.map(({ id }: Rule<ObjectContext>) => id);
    expect(new Set(ids).size).toBe(ids.length);
  },
);
