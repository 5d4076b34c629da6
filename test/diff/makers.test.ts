import { AwsLoadBalancerController, Gke } from '../../src';
import { worstOf } from '../../src/contract/edit';
import type { LoadBalancerModel } from '../../src/contract/load-balancer-model';
import { type BalancerChange, decidingField, placesOf } from '../../src/diff/effect';
import { fieldEffects } from '../../src/diff/fields';
import { pairBalancers } from '../../src/diff/pairs';
import type { Side } from '../../src/diff/side';
import { casesIn } from '../support/yaml-cases';
import { changesIn, type RowOptions, saidOf, service } from './rows';
import { changesOf, sideOf } from './sides';

const LBC = AwsLoadBalancerController.nlb();
const SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';
const TARGET = 'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type';

interface Cluster {
  /** More listeners before the one with balancers. */
  readonly listeners?: string;
  readonly listener?: string;
  readonly configuration?: string;
  readonly kafka?: string;
  readonly replicas?: number;
  readonly pool?: string;
}

function textOf({
  listeners = '',
  listener = '',
  configuration = '',
  kafka = '',
  replicas = 2,
  pool = '',
}: Cluster): string {
  return `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: { name: events, namespace: kafka }
spec:
  kafka:
${kafka}    listeners:
${listeners}      - name: public
        port: 9095
        type: loadbalancer
        tls: true
${listener}        configuration:
          class: service.k8s.aws/nlb
${configuration}---
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata:
  name: brokers
  namespace: kafka
  labels: { strimzi.io/cluster: events }
  annotations: { strimzi.io/next-node-ids: "[0-9]" }
spec:
  replicas: ${replicas}
  roles: [broker]
  storage: { type: ephemeral }
${pool}`;
}

const side = (cluster: Cluster): Side => sideOf(textOf(cluster), { installed: [LBC] });

function changes(from: Cluster, to: Cluster): BalancerChange[] {
  const [before, after] = [side(from), side(to)];
  return pairBalancers(before, after).map((pair) => {
    const effects = fieldEffects({ ...pair, sides: { before, after, options: {} } });
    return { ...pair, effects, outcome: worstOf(effects.map(({ outcome }) => outcome)) };
  });
}

const lines = (from: Cluster, to: Cluster) =>
  changes(from, to).map(({ after, before, effects: causes }) => [
    (after ?? before)?.id.replace('kafka/events-', ''),
    ...causes.map(({ outcome, field }) => `${outcome} ${field}`),
  ]);

const PUBLIC = 'spec.kafka.listeners[0]';
const BOOTSTRAP = 'kafka-public-bootstrap';

test('what stays is without causes', () => {
  expect(lines({}, {})).toEqual([[BOOTSTRAP], ['brokers-public-0'], ['brokers-public-1']]);
});

test('what is said of all balancers of a listener is told at each, by the field of the Kafka', () => {
  const configuration = '          externalTrafficPolicy: Local\n';
  const field = `interrupted ${PUBLIC}.configuration.externalTrafficPolicy`;
  expect(lines({}, { configuration })).toEqual([
    [BOOTSTRAP, field],
    ['brokers-public-0', field],
    ['brokers-public-1', field],
  ]);
});

test('what is said of one broker is told at its balancer', () => {
  const configuration = `          brokers:
            - broker: 1
              annotations: { ${SCHEME}: internet-facing }
`;
  expect(lines({}, { configuration })).toEqual([
    [BOOTSTRAP],
    ['brokers-public-0'],
    ['brokers-public-1', `replaced ${PUBLIC}.configuration.brokers[0].annotations['${SCHEME}']`],
  ]);
});

test('what no Service has matters as well', () => {
  const configuration = `          brokers:
            - broker: 1
              advertisedHost: b1.example.com
`;
  const field = `${PUBLIC}.configuration.brokers[0].advertisedHost`;
  expect(lines({}, { configuration })).toEqual([
    [BOOTSTRAP],
    ['brokers-public-0'],
    ['brokers-public-1', `interrupted ${field}`],
  ]);
});

test('the number of a listener is one alone: another listener is added beside it', () => {
  const [before, after] = ['9095', '9096'].map((port) =>
    sideOf(textOf({}).replace('port: 9095', `port: ${port}`), { installed: [AwsLoadBalancerController.nlb()] }),
  );
  for (const pair of pairBalancers(before, after)) {
    const [{ field, outcome, remedy }] = fieldEffects({ ...pair, sides: { before, after, options: {} } });
    expect([outcome, field]).toEqual(['interrupted', `${PUBLIC}.port`]);
    expect(remedy).toMatch(/^add a listener of another name with the new value/);
  }
});

test('TLS is told at every balancer once', () => {
  const [bootstrap, ...brokers] = lines({}, { listener: '        authentication: { type: tls }\n' });
  expect(bootstrap).toEqual([BOOTSTRAP, `interrupted ${PUBLIC}.authentication.type`]);
  expect(brokers).toHaveLength(2);
});

test('a template of a node pool is in the node pool', () => {
  const pool = `  template:
    perPodService:
      metadata:
        annotations: { ${TARGET}: ip }
`;
  const field = `KafkaNodePool brokers, spec.template.perPodService.metadata.annotations['${TARGET}']`;
  expect(lines({}, { pool })).toEqual([
    [BOOTSTRAP],
    ['brokers-public-0', `interrupted ${field}`],
    ['brokers-public-1', `interrupted ${field}`],
  ]);
});

test('a field is where its listener is on either side', () => {
  const listeners = '      - name: plain\n        port: 9092\n        type: internal\n        tls: false\n';
  const configuration = '          externalTrafficPolicy: Local\n';
  const [change] = changes(
    { configuration: '          externalTrafficPolicy: Cluster\n' },
    { listeners, configuration },
  );
  const cause = change.effects.find(({ field }) => field.endsWith('externalTrafficPolicy'));
  const { before, after } = cause ? placesOf(change, cause) : {};
  expect(before?.path).toEqual(['spec', 'kafka', 'listeners', 0, 'configuration', 'externalTrafficPolicy']);
  expect(after?.path).toEqual(['spec', 'kafka', 'listeners', 1, 'configuration', 'externalTrafficPolicy']);
  expect(before?.manifest.source?.placeOf(before.path).line).toBe(13);
  expect(after?.manifest.source?.placeOf(after.path).line).toBe(17);
});

test('with fewer nodes the number of replicas decides about those that go, and about those that come the other way round', () => {
  const [before, after] = [side({ replicas: 3 }), side({})];
  const [gone, ...others] = before.balancers.filter(({ id }) => !after.balancers.some((one) => one.id === id));
  expect(others).toEqual([]);
  expect(decidingField(gone, before, after)).toMatchObject({
    field: 'KafkaNodePool brokers, spec.replicas',
    from: 3,
    to: 2,
  });
});

test('another name of a listener decides about all of its balancers', () => {
  const before = side({});
  const after = sideOf(textOf({}).replace('name: public', 'name: clients'), { installed: [LBC] });
  const fields = before.balancers.map((balancer) => decidingField(balancer, before, after)?.field);
  expect(fields).toEqual(Array(3).fill(`${PUBLIC}.name`));
});

test('without the Kafka its balancers go', () => {
  const before = side({});
  const after = sideOf(textOf({}).replace(/^[\s\S]*?---\n/, ''), { installed: [LBC] });
  expect(decidingField(before.balancers[0], before, after)?.field).toBe('metadata.name');
});

const GATEWAY = `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: edge }
spec: { controllerName: gateway.envoyproxy.io/gatewayclass-controller }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: gw, namespace: edge }
spec:
  gatewayClassName: edge
  infrastructure: { parametersRef: { group: gateway.envoyproxy.io, kind: EnvoyProxy, name: own } }
  listeners:
    - { name: tls, port: 443, protocol: TLS }
    - { name: tcp, port: 5432, protocol: TCP, allowedRoutes: { namespaces: { from: All } } }
---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: EnvoyProxy
metadata: { name: own, namespace: edge }
spec:
  provider:
    type: Kubernetes
    kubernetes: { envoyService: { loadBalancerClass: service.k8s.aws/nlb, annotations: { ${SCHEME}: internal } } }
---
apiVersion: gateway.networking.k8s.io/v1alpha2
kind: TCPRoute
metadata: { name: db, namespace: shop }
spec:
  parentRefs: [{ name: gw, namespace: edge, sectionName: tcp }]
  rules: [{ backendRefs: [{ name: db, port: 5432 }] }]
`;

const GATEWAYS: readonly (readonly [string, readonly [string | RegExp, string], readonly string[]])[] = casesIn(
  __dirname,
  'makers.yaml',
).gateways;

test.each(GATEWAYS)('Gateway: %s', (_, [from, to], expected) => {
  const [before, after] = [GATEWAY, GATEWAY.replace(from, to)].map((text) => sideOf(text, { installed: [LBC] }));
  const pairs = pairBalancers(before, after);
  expect(pairs).toHaveLength(1);
  const causes = fieldEffects({ ...pairs[0], sides: { before, after, options: {} } });
  expect(causes.map(({ outcome, field }) => `${outcome} ${field}`)).toEqual(expected);
});

describe('Gateways that share one Service', () => {
  const second = GATEWAY.replace(/^[\s\S]*?(?=apiVersion: gateway.networking.k8s.io\/v1\nkind: Gateway\n)/, '')
    .split('---')[0]
    .replace('name: gw', 'name: second')
    .replace(/port: (\d)/g, 'port: 1$1');
  const merged = `${GATEWAY.replace('spec:\n  provider:', 'spec:\n  mergeGateways: true\n  provider:')}---\n${second}`;
  const outcomes = (from: string, to: string) =>
    changesOf(...([from, to].map((text) => sideOf(text, { installed: [LBC] })) as [Side, Side]), { prune: true }).map(
      ({ outcome, before, after }) => `${outcome} ${(after ?? before)?.id}`,
    );

  test('a port of one of them goes', () => {
    expect(outcomes(merged, merged.replace(/ {4}- .*port: 15432.*\n/, ''))).toEqual([
      'interrupted envoy-gateway-system/envoy-edge-*',
    ]);
  });

  test('one of them goes', () => {
    expect(outcomes(merged, merged.slice(0, merged.lastIndexOf('---')))).toEqual([
      'interrupted envoy-gateway-system/envoy-edge-*',
    ]);
  });

  test('they share it no more', () => {
    expect(outcomes(merged, merged.replace('  mergeGateways: true\n', ''))).toEqual([
      'deleted envoy-gateway-system/envoy-edge-*',
      'created envoy-gateway-system/envoy-edge-gw-*',
      'created envoy-gateway-system/envoy-edge-second-*',
    ]);
  });
});

// What an owner makes of a Service can change by something that is not in it.

const text = service({ class: 'service.k8s.aws/nlb' });
const installed = [AwsLoadBalancerController.nlb()];

function sideWith(made: Partial<LoadBalancerModel>): Side {
  const side = sideOf(text, { installed });
  return {
    ...side,
    balancers: side.balancers.map((one) => ({ ...one, made: { ...(one.made as LoadBalancerModel), ...made } })),
  };
}

test.each<[string, Partial<LoadBalancerModel>, string]>([
  ['nothing', {}, 'kept edge/echo'],
  ['another kind of balancer', { product: 'another' }, 'unknown edge/echo: spec'],
  ['other nodes', { nodeLabels: { zone: 'a' } }, 'unknown edge/echo: spec'],
])('%s is made of it', (_, made, said) => {
  expect(saidOf(changesOf(sideOf(text, { installed }), sideWith(made)))).toEqual([said]);
});

test('what is made of it is not known on one side', () => {
  const side = sideOf(text, { installed });
  const unknown = { ...side, balancers: side.balancers.map(({ made: _, ...one }) => one) };
  expect(saidOf(changesOf(side, unknown))).toEqual(['unknown edge/echo: spec']);
});

// What GKE has written on a live Service is in no manifest, and an apply leaves it.

const CLASS = 'networking.gke.io/l4-regional-internal';
const WRITTEN = {
  'service.kubernetes.io/backend-service': 'k8s2-abc-edge-echo',
  'cloud.google.com/neg-status': '{"network_endpoint_groups":{"0":"k8s2-abc"},"zones":["europe-west1-b"]}',
};

const live = service({
  class: CLASS,
  annotations: WRITTEN,
  finalizers: ['gke.networking.io/l4-ilb-v2'],
  metadata: { uid: '1', resourceVersion: '2' },
  status: { loadBalancer: { ingress: [{ ip: '10.0.0.5' }] } },
});
const written = service({ class: CLASS });
const options: RowOptions = { installed: [Gke.passthrough()], before: { isLive: true } };

test.each([undefined, 'client-apply', 'server-apply'] as const)('a dump against its manifest, by %s', (writer) => {
  expect(saidOf(changesIn(live, written, { ...options, ...(writer && { writer }) }))).toEqual(['kept edge/echo']);
});

test('who replaces the whole Service removes them', () => {
  const [{ outcome, effects: causes }] = changesIn(live, written, { ...options, writer: 'put' });
  expect(outcome).not.toBe('kept');
  expect(causes.map(({ field }) => field)).toEqual(
    expect.arrayContaining(['metadata.finalizers', ...Object.keys(WRITTEN)]),
  );
});

test('what is in two manifests is an edit', () => {
  const old = service({ class: CLASS, annotations: WRITTEN });
  expect(changesIn(old, written, { installed: [Gke.passthrough()] })[0].effects.map(({ field }) => field)).toEqual(
    expect.arrayContaining(Object.keys(WRITTEN)),
  );
});
