import { ApiObject, type ApiObjectProps, App, Chart, Yaml } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { ruleExamples, type TestedExample } from '../../scripts/docs/rule-examples';
import {
  AdoptedService,
  KafkaCluster,
  LoadBalancerFindingSeverity,
  LoadBalancerOwner,
  LoadBalancerScheme,
  LoadBalancers,
  StrimziVersion,
} from '../../src';
import { CONTEXT_FILE, readContext } from '../../src/cli/context/context-file';
import { checkExample } from '../../src/cli/explain/described-rules';
import type { Json } from '../../src/contract/json';
import { STRIMZI_RELEASES } from '../../src/kafka/strimzi/strimzi.facts';
import { appIndexOf } from '../../src/rules/app-objects';
import { definitionOf } from '../../src/rules/controller-definition';
import { SynthWatch } from '../../src/rules/synth-watch';
import { Workloads } from '../../src/rules/workload-rules';

// An app is a folder that is rendered first. The Services of the examples of rules are adopted in an app with the controller that
// owns them: its synth finds the same mistakes at the same places as `check` of its output.

/** Rules that need what files or the context file alone show. */
const ONLY_IN_FILES: Readonly<Record<string, string>> = {
  'annotation-for-unlisted-controller': 'the marks of vendors without a descriptor are in the command',
  'certificate-region-mismatch': 'region of the context file',
  'metallb-shared-local-policy': 'other Services with the address',
  'proxy-header-missing': 'ConfigMaps of the pods',
};

/** Rules about what an adoption asks for, changes or leaves out. */
const ONLY_AT_SYNTH: Readonly<Record<string, string>> = {
  'class-added-to-live-service': 'the adoption adds the class',
  'gke-rbs-ignored': 'the adoption adds the class, by which the annotation is ignored',
  'manifest-with-server-fields': 'the adoption leaves out what the API server wrote',
  'object-duplicate': 'files have object-duplicate-in-files',
  'request-unsupported': 'the controller answers the request, and its own rule names the field',
  'session-affinity-by-node': 'answer of the controller to the request',
};

/** Findings that tell that the example has another controller than the one with its defaults. */
const OTHER_CONTROLLER = ['manifest-plan-conflict', 'controller-failed'];

interface Compared {
  readonly synth: readonly string[];
  readonly check: readonly string[];
}

const isBalanced = ({ kind, spec }: Json) => kind === 'Service' && spec?.type === 'LoadBalancer';

/** What is found in the Services of some objects; nothing if no controller of ours can adopt them. */
function compared(objects: readonly Json[], context: string | undefined, isPublic = false): Compared | undefined {
  const { controllers } = readContext(CONTEXT_FILE, context ?? '').context ?? {};
  const app = new App();
  const chart = new Chart(app, 'chart');
  const written = objects.map(({ file: _, ...json }, i) => ({
    json,
    object: new ApiObject(chart, `object-${i}`, json as ApiObjectProps),
  }));
  const workloads = new Workloads(objects);
  const adopted = written.flatMap(({ json, object }) => {
    const { controller } = LoadBalancerOwner.of(json, { controllers: controllers && [...controllers] });
    if (!isBalanced(json) || controller === undefined) {
      return [];
    }
    const [behind] = workloads.of(json);
    const workload = written.find(
      (one) => one.json.kind === behind?.kind && one.json.metadata.name === behind.metadata.name,
    );
    const declared = definitionOf(controller)?.schemeOf(json).scheme ?? LoadBalancerScheme.INTERNET_FACING;
    const scheme = isPublic ? declared : undefined;
    return [
      new AdoptedService(chart, `adopted-${object.node.id}`, {
        service: object,
        controller,
        scheme,
        workload: workload?.object,
      }),
    ];
  });
  if (adopted.length === 0) {
    return undefined;
  }
  const { findings } = LoadBalancers.of(app);
  if (!isPublic && findings.some(({ finding }) => finding.ruleId === 'adopted-scheme-unknown')) {
    return compared(objects, context, true);
  }
  if (findings.some(({ finding }) => OTHER_CONTROLLER.includes(finding.ruleId))) {
    return undefined;
  }
  // an object with an error is not rendered
  const isRefused = findings.some(({ severity }) => severity === LoadBalancerFindingSeverity.ERROR);
  const rendered = written.map(({ json, object }) => (isRefused ? json : object.toJson()));
  const report = checkExample(rendered.map((one) => Yaml.stringify(one)).join('---\n'), context);
  const line = (ruleId: string, value: string | undefined, at: string) => `${ruleId} ${value} ${at}`;
  return {
    synth: findings.map(({ finding: { ruleId, value, at } }) => line(ruleId, value, at)),
    check: report.findings.flatMap(({ ruleId, value, pointer, object }) =>
      object.kind === 'Service' ? [line(ruleId, value, pointer)] : [],
    ),
  };
}

const isObject = ({ apiVersion, kind }: Json) => typeof apiVersion === 'string' && typeof kind === 'string';
const ruleOf = (line: string) => line.split(' ')[0];
const EXAMPLES = ruleExamples().flatMap(({ rule, objects, context }: TestedExample) =>
  (['bad', 'good'] as const).flatMap((side) =>
    objects?.[side].every(isObject) ? [[`${rule}, ${side}`, objects[side], context] as const] : [],
  ),
);

interface Pair extends Compared {
  readonly title: string;
}

interface Exceptions {
  readonly onlyInFiles: Readonly<Record<string, string>>;
  readonly onlyAtSynth: Readonly<Record<string, string>>;
}

/** Expects both sides to find the same, but for listed rules, each of which must be needed. */
function expectSame(pairs: readonly Pair[], { onlyInFiles, onlyAtSynth }: Exceptions): void {
  const lacking = (one: readonly string[], other: readonly string[], allowed: object) =>
    one.filter((line) => !other.includes(line) && !Object.hasOwn(allowed, ruleOf(line)));
  const different = pairs
    .map(({ title, synth, check }) => ({
      title,
      synth: lacking(synth, check, onlyAtSynth),
      check: lacking(check, synth, onlyInFiles),
    }))
    .filter(({ synth, check }) => synth.length + check.length > 0);
  expect(different).toEqual([]);
  for (const [allowed, side, other] of [
    [onlyInFiles, 'check', 'synth'],
    [onlyAtSynth, 'synth', 'check'],
  ] as const) {
    const differing = pairs.flatMap((one) => one[side].filter((line) => !one[other].includes(line)).map(ruleOf));
    expect(Object.keys(allowed).filter((rule) => !differing.includes(rule))).toEqual([]);
  }
}

function rulesFound(pairs: readonly Pair[]): number {
  return new Set(pairs.flatMap(({ synth }) => synth.map(ruleOf))).size;
}

test('the synth of an app finds what a check of its output finds', () => {
  const pairs = EXAMPLES.flatMap(([title, objects, context]) => {
    const found = compared(objects as readonly Json[], context);
    return found ? [{ title, ...found }] : [];
  });
  expectSame(pairs, { onlyInFiles: ONLY_IN_FILES, onlyAtSynth: ONLY_AT_SYNTH });
  expect(pairs.length).toBeGreaterThan(300);
  expect(rulesFound(pairs)).toBeGreaterThan(100);
});

// The objects of an app by constructs, and what is found in them on both sides.

/** What an app finds, and a check of its objects, a file for each chart, whatever is wrong with them. */
function comparedApp(app: App, context: string, kinds: readonly string[]): Compared {
  const { findings } = LoadBalancers.of(app);
  const files = SynthWatch.of(app).inPass(() =>
    appIndexOf(app).all.map(
      ({ construct, json }) => `# ${construct.chart.node.id}.yaml\n${Yaml.stringify(JSON.parse(JSON.stringify(json)))}`,
    ),
  );
  const report = checkExample(files.join('---\n'), context);
  const line = (level: string, ruleId: string, value: string | undefined, at: string) =>
    `${ruleId} ${level} ${value} ${at}`;
  return {
    synth: findings.map(({ severity, finding: { ruleId, value, at } }) =>
      line(severity.toLowerCase(), ruleId, value, at),
    ),
    check: report.findings.flatMap(({ level, ruleId, value, pointer, object }) =>
      kinds.includes(object.kind) && level !== 'note' ? [line(level, ruleId, value, pointer)] : [],
    ),
  };
}

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
  if (!strimzi) {
    return undefined;
  }
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
      // merge keys are those of YAML
      const documents = parseAllDocuments(texts[side], { merge: true }).map((one) => one.toJS() as Json);
      const found = documents.every(isObject) ? comparedKafkas(documents, context) : undefined;
      return found ? [{ title: `${rule}, ${side}`, ...found }] : [];
    }),
  );
  expectSame(pairs, { onlyInFiles: {}, onlyAtSynth: {} });
  expect(pairs.length).toBeGreaterThan(100);
  expect(rulesFound(pairs)).toBeGreaterThan(50);
});
