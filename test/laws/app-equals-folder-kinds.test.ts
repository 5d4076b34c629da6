import { ApiObject, type ApiObjectProps, App, Chart, JsonPatch } from 'cdk8s';
import { ruleExamples } from '../../scripts/docs/rule-examples';
import {
  Gateway,
  GatewayClass,
  KafkaCluster,
  ListenerSet,
  MetalLbAddressPool,
  MetalLbBgpAdvertisement,
  MetalLbLayer2Advertisement,
  NlbTargetType,
  ReferenceGrant,
  StrimziVersion,
  TargetGroupBinding,
  TcpRoute,
  TlsRoute,
} from '../../src';
import { CONTEXT_FILE, readContext } from '../../src/cli/context/context-file';
import type { Json } from '../../src/contract/json';
import { STRIMZI_RELEASES } from '../../src/kafka/strimzi/strimzi.facts';
import { type Compared, comparedApp, documentsIn, expectSame, isObject, rulesFound } from '../support/compared';

// The examples of rules about Kafkas, Gateways, routes, bindings and pools of MetalLB, in constructs and in files: both find the same.

const KAFKAS = ['Kafka', 'KafkaNodePool'];
const IDS = 'strimzi.io/next-node-ids';
const CLUSTER = 'strimzi.io/cluster';
const isOfKafka = ({ kind }: Json) => KAFKAS.includes(kind);
const KAFKA_SPEC = { kafka: { listeners: [{ name: 'tls', port: 9093, type: 'internal', tls: true }] } };
const POOL_SPEC = { replicas: 3, roles: ['broker'], storage: { type: 'ephemeral' } };

/** Objects with a Kafka and pools whose nodes have ids, so that brokers are known on both sides. */
function withKnownBrokers(objects: readonly Json[]): readonly Json[] {
  const of = (wanted: string) => objects.filter(({ kind }) => kind === wanted);
  const [kafkas, pools] = [of('Kafka'), of('KafkaNodePool')];
  const named = (kind: string, { apiVersion, metadata: { namespace } }: Json, metadata: Json, spec: Json): Json => ({
    apiVersion,
    kind,
    metadata: { namespace, ...metadata },
    spec,
  });
  const added =
    kafkas.length === 0
      ? pools.slice(0, 1).map((pool) => named('Kafka', pool, { name: pool.metadata.labels?.[CLUSTER] }, KAFKA_SPEC))
      : pools.length > 0
        ? []
        : kafkas.map((kafka) => {
            const { name } = kafka.metadata;
            return named('KafkaNodePool', kafka, { name: `${name}-pool`, labels: { [CLUSTER]: name } }, POOL_SPEC);
          });
  return [...objects, ...added].map((object, i) =>
    object.kind === 'KafkaNodePool'
      ? {
          ...object,
          metadata: {
            ...object.metadata,
            annotations: { [IDS]: `[${i * 1000}-${i * 1000 + 999}]`, ...object.metadata.annotations },
          },
        }
      : object,
  );
}

/** The newest version that serves an object, as `check` assumes if it knows none. */
function newestServing({ apiVersion }: Json): StrimziVersion | undefined {
  return Object.keys(STRIMZI_RELEASES)
    .map((version) => StrimziVersion.of(version))
    .filter((strimzi) => strimzi.servesApiVersion(apiVersion))
    .pop();
}

/** What is found in Kafkas of YAML of which no construct plans a listener; nothing if their brokers cannot be counted. */
function comparedKafkas(written: readonly Json[], context = ''): Compared | undefined {
  const objects = withKnownBrokers(written);
  const kafkas = objects.filter(({ kind }) => kind === 'Kafka');
  const strimzi = readContext(CONTEXT_FILE, context).context?.strimzi ?? newestServing(kafkas[0]);
  if (!strimzi) return undefined;
  const app = new App();
  const chart = new Chart(app, 'chart');
  try {
    for (const [i, { file: _, ...json }] of objects.entries()) {
      new ApiObject(chart, `object-${i}`, json as ApiObjectProps);
    }
    for (const { name, namespace } of kafkas.map(({ metadata }) => metadata)) {
      KafkaCluster.fromManifest(chart, { strimzi, name, namespace });
    }
  } catch {
    return undefined;
  }
  return comparedApp(app, `strimzi: ${strimzi.version}`, KAFKAS);
}

test('the synth of Kafkas of YAML finds what a check of them finds', () => {
  const examples = ruleExamples().filter(({ objects }) => objects?.bad.some(isOfKafka));
  const pairs = examples.flatMap(({ rule, context, ...texts }) =>
    (['bad', 'good'] as const).flatMap((side) => {
      const documents = documentsIn(texts[side]);
      const found = documents.every(isObject) ? comparedKafkas(documents, context) : undefined;
      return found ? [{ title: `${rule}, ${side}`, ...found }] : [];
    }),
  );
  expectSame(pairs, { onlyInFiles: {}, onlyAtSynth: {} });
  expect(pairs.length).toBeGreaterThan(100);
  expect(rulesFound(pairs)).toBeGreaterThan(50);
});

const BOUND = { serviceName: 'web', servicePort: 80, targetGroupArn: 'arn', targetType: NlbTargetType.IP };

/** Constructs with one object each, which any manifest of its kind may replace. */
const WITH_ONE_OBJECT: Readonly<Record<string, (scope: Chart, id: string, metadata: Json) => ApiObject>> = {
  GatewayClass: (scope, id, { name }) => new GatewayClass(scope, id, { name, controllerName: 'acme.example/gateways' }),
  Gateway: (scope, id, { name, namespace }) =>
    new Gateway(scope, id, { name, namespace, gatewayClassName: 'acme', listeners: [] }),
  ListenerSet: (scope, id, { name, namespace }) =>
    new ListenerSet(scope, id, { name, namespace, gateway: Gateway.fromName('edge'), listeners: [] }),
  TCPRoute: (scope, id, { name, namespace }) =>
    new TcpRoute(scope, id, { name, namespace, parentRefs: [], backendRefs: [] }),
  TLSRoute: (scope, id, { name, namespace }) =>
    new TlsRoute(scope, id, { name, namespace, parentRefs: [], backendRefs: [], hostnames: [] }),
  ReferenceGrant: (scope, id, { name, namespace }) =>
    new ReferenceGrant(scope, id, { name, namespace, fromKinds: [], toKinds: [] }),
  TargetGroupBinding: (scope, id, { name, namespace }) =>
    new TargetGroupBinding(scope, id, { name, namespace, ...BOUND }),
  IPAddressPool: (scope, id, { name, namespace }) =>
    new MetalLbAddressPool(scope, id, { name, namespace, addresses: ['192.0.2.0/28'] }).resource,
  L2Advertisement: (scope, id, { name, namespace }) =>
    new MetalLbLayer2Advertisement(scope, id, { name, namespace }).resource,
  BGPAdvertisement: (scope, id, { name, namespace }) =>
    new MetalLbBgpAdvertisement(scope, id, { name, namespace }).resource,
};

const isMade = ({ kind }: Json) => Object.hasOwn(WITH_ONE_OBJECT, kind);

function comparedObjects(objects: readonly Json[], context = ''): Compared {
  const app = new App();
  const chart = new Chart(app, 'chart');
  for (const [i, { file: _, ...json }] of objects.entries()) {
    const object = isMade(json)
      ? WITH_ONE_OBJECT[json.kind](chart, `object-${i}`, json.metadata)
      : new ApiObject(chart, `object-${i}`, json as ApiObjectProps);
    if (isMade(json)) {
      const patches = ['apiVersion', 'metadata', 'spec'].map((field) =>
        json[field] === undefined ? JsonPatch.remove(`/${field}`) : JsonPatch.add(`/${field}`, json[field]),
      );
      object.addJsonPatch(...patches);
    }
  }
  return comparedApp(app, context, Object.keys(WITH_ONE_OBJECT));
}

test('the synth of Gateways, routes, bindings and pools finds what a check of them finds', () => {
  const examples = ruleExamples().filter(({ objects }) => objects?.bad.some(isMade));
  const pairs = examples.flatMap(({ rule, context, ...texts }) =>
    (['bad', 'good'] as const).flatMap((side) => {
      const documents = documentsIn(texts[side]);
      return documents.every(isObject) ? [{ title: `${rule}, ${side}`, ...comparedObjects(documents, context) }] : [];
    }),
  );
  expectSame(pairs, {
    onlyInFiles: {
      'binding-field-unsupported-version': 'version of the controller',
      'nlb-passthrough-unsupported-version': 'version of the controller',
      'service-without-pool': 'controllers of the context file',
    },
    onlyAtSynth: {},
  });
  expect(pairs.length).toBeGreaterThan(150);
  expect(rulesFound(pairs)).toBeGreaterThan(40);
});
