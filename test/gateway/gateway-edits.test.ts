import { wordOf } from '../../src/contract/edit';
import type { Json } from '../../src/contract/json';
import { editedKinds, editedKindsOf } from '../../src/predicted/predicted';
import { objectEdits } from '../../src/rules/edits-of-values';
import { kinds } from '../support/subjects';
import { casesIn } from '../support/yaml-cases';

const CASES = casesIn(__dirname, 'gateway-edits.yaml');

const all = editedKinds(kinds);
const ENVOY = 'gateway.envoyproxy.io/gatewayclass-controller';
const NLB = 'gateway.k8s.aws/nlb';
const AWS = kinds.find(({ name }) => name === 'aws-load-balancer-controller');

function edits(before: Json | undefined, after: Json | undefined, who?: string): string[] {
  const [kind] = editedKindsOf(before ?? after ?? {}, all).filter((one) => one.who === who);
  return objectEdits(kind, before, after, AWS).map(
    ({ field: { row }, edit, concerns: { listener } }) =>
      `${row}: ${wordOf(edit)}${listener === undefined ? '' : ` (${listener})`}`,
  );
}

const HTTPS = { name: 'https', port: 443, protocol: 'TLS', tls: { mode: 'Passthrough' } };
const TCP = { name: 'tcp', port: 9094, protocol: 'TCP' };

function gateway(spec: Json = {}, name = 'edge'): Json {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name, namespace: 'infra', resourceVersion: name },
    spec: { gatewayClassName: 'eg', listeners: [HTTPS, TCP], ...spec },
  };
}

const CHANGES: readonly (readonly [string, Json, readonly string[], readonly string[]])[] = [
  ...CASES.changes,
  [
    'what the API server fills in',
    gateway({
      allowedListeners: undefined,
      listeners: [
        { ...HTTPS, allowedRoutes: { namespaces: { from: 'Same' } } },
        { ...TCP, allowedRoutes: {} },
      ],
    }),
    [],
    [],
  ],
];

test.each(CHANGES)('Gateway: %s', (_, after, envoy, nlb) => {
  expect(edits(gateway(), after, ENVOY)).toEqual(envoy);
  expect(edits(gateway(), after, NLB)).toEqual(nlb);
});

test('a Gateway comes or goes', () => {
  expect(edits(gateway(), undefined, ENVOY)).toEqual([': deleted']);
  expect(edits(undefined, gateway(), NLB)).toEqual([': kept']);
});

test.each<[string, Json, Json, readonly string[]]>(CASES.envoyproxy)('EnvoyProxy: %s', (_, before, after, expected) => {
  expect(edits(before, after)).toEqual(expected);
});

function own(kind: string, apiVersion: string, spec: Json): Json {
  return { apiVersion, kind, metadata: { name: 'one', namespace: 'infra' }, spec };
}

test.each<[string, string, Json, Json, readonly string[]]>(CASES.from)(
  '%s of %s: from %j to %j',
  (kind, apiVersion, before, after, expected) => {
    expect(edits(own(kind, apiVersion, before), own(kind, apiVersion, after))).toEqual(expected);
  },
);
