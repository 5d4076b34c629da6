import { Include, JsonPatch } from 'cdk8s';
import {
  AwsCloudProvider,
  AzureCloudProvider,
  CustomController,
  EksAutoMode,
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  IpFamily,
  KafkaCluster,
  KafkaLoadBalancedListener,
  LoadBalancerRequest,
  LoadBalancerScheme,
  LoadBalancers,
  NodePool,
  StrimziVersion,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { sentenceOf } from '../../src/contract/rule';
import { liveFindings } from '../../src/kafka/listener/listener-faults';
import { definitionOf } from '../../src/rules/controller-definition';
import { errorsOf, newChart, stderrOf, synth, written } from '../support/apps';
import { casesIn, table } from '../support/yaml-cases';
import {
  checkListeners,
  clusterWith,
  fileObjects,
  kafkaWith,
  listen,
  manifests,
  metalLb,
  nlb,
  type Props,
  present,
  RESOURCES,
  SCHEME,
  writtenListener,
} from './clusters';

const { V1_2 } = StrimziVersion;
const { INTERNAL } = LoadBalancerScheme;
const { IPV4 } = IpFamily;

/** The finished configuration of an adopted listener, or what is wrong with it. */
function adopted(configuration: Json, props: object): Json {
  const { chart } = listen({ controller: metalLb(), scheme: INTERNAL, ...props }, V1_2, [present(configuration)]);
  let found: Json = {};
  stderrOf(() => {
    const errors = errorsOf(chart);
    found = errors.length > 0 ? { errors } : writtenListener(chart).configuration;
  });
  return found;
}

test.each<[string, Json, object]>([
  ['with both families', { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4', 'IPv6'] }, {}],
  ['the other one first', { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv6', 'IPv4'] }, {}],
  ['with the first family', { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv6'] }, {}],
])('a listener that prefers two IP families stays as it is: %s', (_, configuration, props) => {
  expect(adopted(configuration, props)).toMatchObject(configuration);
});

test.each<[string, Json, object, string]>(
  table('kafka/listener.yaml', 'a policy of IP families is no other way to say the wish', { IPV4 }),
)('a policy of IP families is no other way to say the wish: %s', (_, configuration, props, expected) => {
  expect(adopted(configuration, props).errors.join('\n')).toContain(expected);
});

function live(listener: Json, controller: ILoadBalancerController, wishes: object, kafka?: Json) {
  const request = new LoadBalancerRequest({ ports: [{ port: 9094 }], ...wishes });
  const plan = { owner: controller.name, loadBalancerClass: 'service.k8s.aws/nlb' };
  const found = liveFindings(listener, plan, request, { kafka, catalogue: definitionOf(controller)?.catalogue });
  return { problems: found.problems.map(sentenceOf), warnings: found.warnings.map(sentenceOf) };
}

test.each<[string, ILoadBalancerController, Json, string]>(
  table('kafka/listener-adoption.yaml', 'an adopted listener without a wish is'),
)('an adopted listener without a wish is told the annotation of its scheme: %s', (_, controller, said, expected) => {
  const { problems } = live(present({ class: 'a.b/c', ...said }), controller, {});
  expect(problems).toEqual([expect.stringContaining("listener 'external' has load balancers already, and")]);
  expect(problems[0]).toContain(expected);
  expect(live(present({ class: 'a.b/c', ...said }), controller, { scheme: INTERNAL }).problems).toEqual([]);
});

test.each<[string, ILoadBalancerController, number]>([
  ['whose pools decide', metalLb(), 0],
  ['of which nothing is known', CustomController.of({ owner: 'acme' }), 1],
])('an adopted listener needs a scheme where its owner has one: of an owner %s', (_, controller, count) => {
  const loadBalancerIP = { bootstrap: { loadBalancerIP: '10.0.0.5' } };
  expect(
    live(present(loadBalancerIP), controller, {}).problems.filter((text) => /adopted-scheme/.test(text)),
  ).toHaveLength(count);
});

const STATUS = { status: { listeners: [null, { name: 'external', addresses: [] }] } };
const ADDS =
  "listener 'external' has no class and the plan adds 'service.k8s.aws/nlb', which the API server refuses on";

test.each<[string, Json | undefined, 'problems' | 'warnings', string]>([
  ['may be', undefined, 'warnings', `${ADDS} live Services, so the operator`],
  ['may be, as others are', { status: { listeners: [{ name: 'vpn' }] } }, 'warnings', ADDS],
])('a class cannot be added to a listener that %s live', (_, kafka, which, expected) => {
  const found = live(present(), nlb(), { scheme: INTERNAL }, kafka);
  expect(found[which]).toEqual([expect.stringContaining(expected)]);
  expect(found.problems.length + found.warnings.length).toBe(1);
});

test.each<[string, Json]>([['it has one already', present({ class: 'service.k8s.aws/nlb' })]])(
  'a class is no danger where %s',
  (_, listener) => expect(live(listener, nlb(), { scheme: INTERNAL }, STATUS)).toEqual({ problems: [], warnings: [] }),
);

test.each<[string, Json, string[]]>([
  [
    'by bootstrap alone does not',
    { bootstrap: { annotations: { [SCHEME]: 'internet-facing' } } },
    ['adopted-scheme-unknown'],
  ],
])('a scheme that an adopted listener says %s', (_, configuration, rules) => {
  const { chart } = listen({}, V1_2, [present({ class: 'service.k8s.aws/nlb', ...configuration })]);
  stderrOf(() => {
    const errors = errorsOf(chart).map((error) => error.slice(error.lastIndexOf('(') + 1, -1));
    expect(errors).toEqual(expect.arrayContaining(rules));
    expect(errors.length > 0).toBe(rules.length > 0);
  });
});

test.each<[string, Json | undefined, 'problems' | 'warnings']>([['is', STATUS, 'problems']])(
  'a listener that %s live is not given to another owner by annotation',
  (_, kafka, which) => {
    const request = new LoadBalancerRequest({ ports: [{ port: 9094 }], scheme: INTERNAL });
    const claim = { claimed: 'no', because: 'it has no type annotation' } as const;
    const found = liveFindings(present(), { owner: 'a' }, request, { kafka, claim });
    expect(found[which].map(sentenceOf)).toEqual([
      expect.stringMatching(
        /left behind if .*; add a listener under another name, .* \(docs\/how-to\/change-a-controller.md#hand-services-over\)/,
      ),
    ]);
  },
);

describe('listener once', () => {
  // What has one cause is told once, however many things come of it.

  const { V1_2 } = StrimziVersion;
  const scram = { authentication: { type: 'scram-sha-512' } };
  const internal = { ...scram, scheme: LoadBalancerScheme.INTERNAL };

  test.each<[string, Props, Json[], string[]]>(table('kafka/listener-once.yaml', 'is told once'))(
    '%s is told once',
    (_, props, listeners, rules) => {
      const more = listeners.map((listener) => ({ ...listener, authentication: { type: 'scram-sha-512' } }));
      const errors = errorsOf(listen(props, V1_2, more).chart);
      expect(errors.map((error) => /\(([a-z-]+)\)$/.exec(error)?.[1])).toEqual(rules);
    },
  );

  function warned(rule: string, props: Props, listeners: Json[] = []): string[] {
    const { chart } = listen({ ...internal, controller: metalLb(), ...props }, V1_2, listeners);
    const known = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
    return known.filter(({ ruleId }) => ruleId === rule).map(({ what }) => what);
  }

  test.each<[string, string, Json]>(table('kafka/listener-once.yaml', 'others'))('%s', (what, _, configuration) => {
    expect(warned('listener-advertised-port-mismatch', {}, [present(configuration)])).toEqual([
      expect.stringContaining(what),
    ]);
  });

  test.each<[string, Json, string[]]>(table('kafka/listener-once.yaml', 'hosts that brokers advertise'))(
    'hosts that brokers advertise: %s',
    (_, configuration, expected) => {
      expect(warned('listener-advertised-hosts-incomplete', {}, [present(configuration)])).toEqual(
        expected.map((text) => expect.stringContaining(text)),
      );
    },
  );
});

describe('listener waiting', () => {
  const { V1_2 } = StrimziVersion;
  const KUBE_VIP = 'kube-vip.io/allow-reconcile-without-endpoints';
  const always = { annotations: { [KUBE_VIP]: 'true' } };

  /** What is said of addresses that come late. */
  function withheld(configuration: Json, more: Json = {}, kafka: Json = {}): string[] {
    const listener = present(configuration, { authentication: { type: 'tls' }, ...more });
    const document = kafkaWith([listener], V1_2, { kafka });
    const { warnings } = checkListeners(document, { strimzi: V1_2, brokerIds: [0, 1, 2] });
    return warnings.filter(({ ruleId }) => ruleId === 'address-without-endpoints').map(sentenceOf);
  }

  test.each<[string, Json, string]>(table('kafka/listener.yaml', 'addresses that wait for pods', { always }))(
    'an address that waits for pods is told: %s',
    (_, configuration, expected) => expect(withheld(configuration)).toEqual([expect.stringContaining(expected)]),
  );

  test.each<[string, Json, Json?, Json?]>(casesIn(__dirname, 'listener.yaml')['nothing is said of'])(
    'nothing is said of %s',
    (...[, configuration, more, kafka]) => {
      expect(withheld(configuration, more, kafka)).toEqual([]);
    },
  );

  /** What is told of listeners on so many brokers, each with its controller. */
  function waits(brokers: number, controllers: readonly ILoadBalancerController[], props: object = {}): string[] {
    const { chart, construct } = manifests(kafkaWith([], V1_2));
    const brokerIds = Array.from({ length: brokers }, (_, id) => id);
    const kafka = KafkaCluster.fromManifest(construct, { strimzi: V1_2, nodePools: [{ name: 'brokers', brokerIds }] });
    for (const [i, controller] of controllers.entries()) {
      const authentication = { type: 'tls' };
      const own = { kafka, name: `out${i}`, port: 9094 + i, authentication, controller };
      new KafkaLoadBalancedListener(chart, `Out${i}`, { ...own, ...props });
    }
    let errors: string[] = [];
    const said = stderrOf(() => {
      errors = errorsOf(chart);
      synth(chart);
    });
    expect(errors).toEqual([]);
    return (
      said
        .replace(/\s+/g, ' ')
        .match(/(?:nobody knows how fast )?it makes balancers .*?\(listener-too-many-balancers\)/g) ?? []
    );
  }

  const HCLOUD = HetznerCloud.loadBalancer({ location: 'fsn1' });

  test.each<[string, ILoadBalancerController, number]>([
    ['the AWS Load Balancer Controller', nlb(), 59],
    ['the cloud provider of AWS', AwsCloudProvider.nlb(), 19],
    ['EKS Auto Mode', EksAutoMode.nlb(), 59],
    ['Azure', AzureCloudProvider.standard(), 9],
    ['GKE', Gke.passthrough(), 24],
    ['Hetzner', HCLOUD, 19],
  ])('more brokers than the operator waits for are told: %s', (_, controller, most) => {
    expect(waits(most, [controller])).toEqual([]);
    expect(waits(most + 1, [controller])).toHaveLength(1);
  });

  test('the number of Services, the limit and the ways out are told', () => {
    expect(waits(20, [HCLOUD])).toEqual([
      expect.stringContaining(
        "it makes balancers for the 21 Services of listener 'out0' 1 at a time, which takes 315 s by an estimate of 15 s each (unverified), and the operator waits 300 s for all addresses before it makes any pod, fails and begins again set STRIMZI_OPERATION_TIMEOUT_MS of the operator to 315000 or more, spread the brokers over fewer Services (createBootstrapService false saves one), or use one balancer for all brokers with a listener of type tlsroute (listener-too-many-balancers)",
      ),
    ]);
  });

  test('a Service for bootstrap that is not made is not waited for', () => {
    expect(waits(20, [HCLOUD], { createBootstrapService: false })).toEqual([]);
  });

  test('listeners of one controller are waited for together, and told once', () => {
    expect(waits(9, [HCLOUD])).toEqual([]);
    expect(waits(10, [HCLOUD, HCLOUD])).toEqual([
      expect.stringContaining('the 22 Services of listeners out0, out1 1 at a time, which takes 330 s'),
    ]);
    expect(waits(15, [HCLOUD, nlb()])).toEqual([]);
  });

  test('a controller that gives addresses at once keeps nobody waiting', () => {
    expect(waits(200, [metalLb()])).toEqual([]);
  });

  test.each<[string, ILoadBalancerController]>([
    ['without a definition', CustomController.of({ owner: 'acme' })],
    [
      'whose definition leaves it out',
      Object.assign(Object.create(HCLOUD), {
        _kind: { definition: { ...HetznerCloud._kind.definition, provisioningTime: undefined } },
      }),
    ],
  ])('a controller of unknown provisioning time, %s, is taken to be slow', (_, controller) => {
    expect(waits(19, [controller])).toEqual([]);
    expect(waits(90, [controller])).toEqual([
      expect.stringContaining(
        "it makes balancers for the 91 Services of listener 'out0' is not known: one at a time and 15 s each, as most controllers do, takes 1365 s, and the operator waits 300 s for all addresses",
      ),
    ]);
  });
});

test.each<[string, StrimziVersion, Json[], Props, string[]]>(
  table('kafka/listener-refusals.yaml', 'a listener is refused with'),
)('a listener is refused with %s', (_, strimzi, listeners, props, fragments) => {
  const { chart } = listen(props, strimzi, listeners);
  const errors = errorsOf(chart).join('\n');
  for (const fragment of fragments) expect(errors).toContain(fragment);
});

describe('the construct', () => {
  const { V0_49, V1_2 } = StrimziVersion;
  const { INTERNAL } = LoadBalancerScheme;
  const ofEdge = NodePool.labeled({ pool: 'edge' });

  test.each<[string, StrimziVersion, Props, Json]>(
    table('kafka/kafka-load-balanced-listener.yaml', 'a new listener carries the plan'),
  )('a new listener carries the plan: %s', (_, strimzi, props, expected) => {
    const { chart } = listen(props, strimzi);
    let configuration: Json = {};
    stderrOf(() => {
      configuration = writtenListener(chart).configuration ?? {};
    });
    const at = (path: string) => {
      const [dotted, key] = [path.split('/')[0], path.includes('/') ? path.slice(path.indexOf('/') + 1) : undefined];
      const found = dotted.split('.').reduce((json, field) => json?.[field], configuration);
      return key === undefined ? found : found?.[key];
    };
    expect(Object.fromEntries(Object.keys(expected).map((path) => [path, at(path)]))).toEqual(expected);
  });

  test.each<[string, StrimziVersion, Props, string[]]>(
    table('kafka/kafka-load-balanced-listener.yaml', 'the Services of a listener have names'),
  )('the Services of a listener have names: %s', (_, strimzi, props, expected) => {
    const { chart, listener } = listen(props, strimzi);
    expect(listener.serviceNames).toEqual(expected);
    expect(listener.loadBalancers.count).toBe(expected.length);
    expect(LoadBalancers.of(chart).count).toBe(expected.length);
  });

  test('a listener is planned under its own name, and says nothing on standard error', () => {
    const { chart, listener } = listen({ authentication: { type: 'scram-sha-512' } }, V1_2);
    expect(listener.loadBalancers).toMatchObject({
      kind: 'Kafka',
      name: 'events listener external',
      namespace: 'kafka',
    });
    expect(listener.plan.owner).toBe('aws-load-balancer-controller');
    expect(stderrOf(() => synth(chart))).toBe('');
  });

  test('a shared balancer makes none', () => {
    const controller = CustomController.of({ owner: 'acme', loadBalancers: 0 });
    expect(listen({ controller }).listener.loadBalancers.count).toBe(0);
  });

  test.each<[string, StrimziVersion, Json, Props, Json]>(
    table('kafka/kafka-load-balanced-listener.yaml', 'a listener that is there already is'),
  )('a listener that is there already is adopted: %s', (_, strimzi, listener, props, expected) => {
    const { chart } = listen({ scheme: INTERNAL, port: undefined, ...props }, strimzi, [listener]);
    const said = stderrOf(() => expect(writtenListener(chart)).toMatchObject(expected));
    expect(said.includes('class-added-to-live-service')).toBe(true);
  });

  test('the rest of a document comes out equal', () => {
    const strimzi = V1_2;
    const more = {
      metadata: { labels: { team: 'a' } },
      kafka: { config: { 'min.insync.replicas': 2 }, rack: { topologyKey: 'zone' } },
    };
    const internal = { name: 'a', port: 9095, type: 'internal', tls: true };
    const before = clusterWith([internal, present()], strimzi, more);
    const { chart } = listen({ scheme: INTERNAL }, strimzi, [internal, present()], more);
    const strip = (objects: Json[]) =>
      objects.map((object) =>
        object.kind === 'Kafka'
          ? { ...object, spec: { kafka: { ...object.spec.kafka, listeners: object.spec.kafka.listeners.slice(0, 2) } } }
          : object,
      );
    stderrOf(() => expect(JSON.stringify(strip(synth(chart)))).toBe(JSON.stringify(strip(synth(before.chart)))));
  });

  test('two listeners go into one document, in the order of their construction', () => {
    const { chart, cluster } = listen({ port: 9094 }, V1_2);
    new KafkaLoadBalancedListener(chart, 'Vpn', { kafka: cluster, name: 'vpn', port: 9095, controller: metalLb() });
    const { listeners } = written(chart, 'Kafka').spec.kafka;
    expect(listeners.map(({ name }: Json) => name)).toEqual(['plain', 'external', 'vpn']);
    expect(synth(chart).filter(({ kind }) => kind === 'Kafka')).toHaveLength(1);
    expect(LoadBalancers.of(chart).count).toBe(8);
  });

  test('a patch of the resource is written, with the listener', () => {
    const { chart, cluster } = listen({}, V1_2);
    cluster.kafka.addJsonPatch(JsonPatch.add('/spec/kafka/rack', { topologyKey: 'zone' }));
    expect(written(chart, 'Kafka').spec.kafka).toMatchObject({
      rack: { topologyKey: 'zone' },
      listeners: [{}, { name: 'external' }],
    });
  });

  test.each<[string, Json, Json, string]>(
    table('kafka/kafka-load-balanced-listener.yaml', 'a template that beats the listener is'),
  )('a template %s that beats the listener is refused', (_, more, pool, expected) => {
    expect(errorsOf(listen({}, V1_2, [], more, pool).chart).join('\n')).toContain(expected);
  });

  test('names of Services that are too long are told', () => {
    const long = { ...kafkaWith([], V1_2), metadata: { name: 'e'.repeat(45) } };
    const { chart, construct } = manifests(long);
    const kafka = KafkaCluster.fromManifest(construct, {
      strimzi: V1_2,
      nodePools: [{ name: 'b', brokerIds: [0, 1, 2] }],
    });
    new KafkaLoadBalancedListener(chart, 'External', { kafka, name: 'external', port: 9094, controller: nlb() });
    expect(errorsOf(chart)).toEqual([
      expect.stringContaining("eeee-kafka-external-bootstrap' is not a valid name for a Service"),
    ]);
    expect(errorsOf(chart)[0]).toContain("kubernetes: the Services of listener 'external': ");
  });

  test('what not all Services have is told with the name of the Service', () => {
    const wrong = { annotations: { 'service.beta.kubernetes.io/aws-load-balancer-ip-address-type': 'ipv5' } };
    const listener = present({ class: 'service.k8s.aws/nlb', brokers: [{ broker: 1, ...wrong }] });
    const errors = errorsOf(listen({ scheme: INTERNAL }, V1_2, [listener]).chart);
    expect(errors).toEqual([
      expect.stringContaining('Service events-brokers-1: no load balancer is made: annotation service.beta'),
    ]);
  });

  test('nodes that a side object chooses are reached by labels', () => {
    const { chart } = listen({ controller: metalLb(), backendNodes: ofEdge }, V1_2);
    stderrOf(() => {
      const { bootstrap, perBrokerLabelsTemplate } = writtenListener(chart).configuration;
      const [{ matchLabels }] = written(chart, 'L2Advertisement').spec.serviceSelectors;
      expect([bootstrap.labels, perBrokerLabelsTemplate]).toEqual([matchLabels, matchLabels]);
    });
  });

  test('the Kafka reports once what is wrong with a listener that no construct plans', () => {
    const { chart, cluster } = listen({}, V1_2, [{ name: 'Wrong', port: 9404, type: 'internal', tls: false }]);
    new KafkaLoadBalancedListener(chart, 'Vpn', { kafka: cluster, name: 'vpn', port: 9095, controller: metalLb() });
    const errors = errorsOf(chart).filter((error) => error.includes('9404'));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(`${cluster.kafka.node.path}]`);
  });

  test.each<[string, string, unknown]>([
    ['a map of listeners', '/spec/kafka/listeners', { external: { type: 'loadbalancer' } }],
    ['a text for listeners', '/spec/kafka/listeners', 'none'],
    ['a text for the brokers', '/spec/kafka', 'none'],
    ['a list for the whole', '/spec', []],
  ])('a document without a place for listeners is told once and left as it is: %s', (_, path, value) => {
    const { chart, cluster } = listen({}, V1_2);
    new KafkaLoadBalancedListener(chart, 'Vpn', { kafka: cluster, name: 'vpn', port: 9095, controller: metalLb() });
    cluster.kafka.addJsonPatch(JsonPatch.replace(path, value));
    expect(errorsOf(chart).filter((error) => error.includes('listeners'))).toEqual([
      expect.stringMatching(/Kafka-0\] strimzi: spec\.kafka\.listeners is .*\(kafka-listeners-missing\)$/),
    ]);
  });

  test('texts where lists must be are told once each where nothing is added to them', () => {
    const bootstrap = { alternativeNames: 'a.example.com' };
    const listener = present({ bootstrap, brokers: 'all', finalizers: RESOURCES }, { authentication: { type: 'tls' } });
    const errors = errorsOf(listen({ scheme: INTERNAL, controller: metalLb() }, V1_2, [listener]).chart);
    expect(errors).toEqual([
      expect.stringContaining(
        "configuration.bootstrap.alternativeNames is 'a.example.com', but must be a list of strings; write a list of strings",
      ),
      expect.stringContaining("configuration.brokers is 'all', but must be a list of maps; write a list of maps"),
      expect.stringContaining(
        `configuration.finalizers is '${RESOURCES}', but must be a list of strings; write a list of strings`,
      ),
    ]);
  });

  test('a listener that is gone since it was adopted is not created again', () => {
    const { chart, cluster } = listen({ scheme: INTERNAL }, V1_2, [present({}, { authentication: { type: 'tls' } })]);
    cluster.kafka.addJsonPatch(JsonPatch.remove('/spec/kafka/listeners/1'));
    expect(errorsOf(chart).join('\n')).toContain(
      "Kafka events no longer has the adopted listener 'external': the new listener would lack its authentication and configuration; keep the listener in the resource, or create this construct after it is removed (listener-missing)",
    );
  });

  test('two listeners of one name are one too many', () => {
    const { chart, cluster } = listen({}, V1_2);
    new KafkaLoadBalancedListener(chart, 'Again', { kafka: cluster, name: 'external', port: 9094, controller: nlb() });
    expect(errorsOf(chart).join('\n')).toContain('is made by kafka/External as well');
  });

  test('a new listener needs a port', () => {
    expect(() => listen({ port: undefined })).toThrow(
      "Kafka events has no listener 'external' yet, and a new one needs a port",
    );
  });

  test('the wrong finalizer of the first story is harmless beside the right one, which the plan adds, and is told', () => {
    const chart = newChart('kafka');
    const include = new Include(chart, 'Existing', { url: `${__dirname}/manifests/first-story.yaml` });
    const kafka = KafkaCluster.fromManifest(include, { strimzi: V0_49 });
    const listener = { kafka, name: 'external', controller: nlb(), scheme: LoadBalancerScheme.INTERNET_FACING };
    new KafkaLoadBalancedListener(chart, 'External', listener);
    stderrOf(() => expect(errorsOf(chart)).toEqual([]));
    expect(LoadBalancers.of(chart).warnings.map(({ finding }) => finding.ruleId)).toContain(
      'finalizer-of-service-controller',
    );

    kafka.kafka.addJsonPatch(JsonPatch.remove('/spec/kafka/listeners/1/configuration/finalizers/0'));
    const before = fileObjects('first-story.yaml');
    const after = written(chart, 'Kafka');
    expect(after.spec.kafka.listeners[1].configuration.finalizers).toEqual([RESOURCES]);
    expect({ ...after.spec, kafka: { ...after.spec.kafka, listeners: [after.spec.kafka.listeners[0]] } }).toEqual({
      ...before[0].spec,
      kafka: { ...before[0].spec.kafka, listeners: [before[0].spec.kafka.listeners[0]] },
    });
  });
});
