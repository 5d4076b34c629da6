import { JsonPatch } from 'cdk8s';
import {
  AwsLoadBalancerController,
  AzureCloudProvider,
  CustomController,
  EksAutoMode,
  FinalizerPolicy,
  Gke,
  GkeLoadBalancerGeneration,
  HetznerCloud,
  type ILoadBalancerController,
  KafkaLoadBalancedListener,
  type KafkaLoadBalancedListenerProps,
  LoadBalancerScheme,
  LoadBalancers,
  LoadBalancerWish,
  NlbTargetType,
  StrimziVersion,
  TrafficPolicy,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { claimedTwice } from '../../src/kafka/operator/operator-services';
import { checkDocument } from '../../src/kafka/rules/listener-rules';
import { LISTENER_DNS_RULES } from '../../src/kafka/rules/listener-service-rules';
import { errorsOf, stderrOf, written } from '../support/apps';
import { table } from '../support/yaml-cases';
import { brokersOf, events } from './cluster/events';
import {
  clusterWith,
  DNS,
  kafkaWith,
  listen,
  metalLb,
  nlb,
  type Props,
  present,
  RESOURCES,
  SCHEME,
  writtenListener,
} from './clusters';

const { V1_2 } = StrimziVersion;
const { INTERNAL, INTERNET_FACING } = LoadBalancerScheme;

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';

/** What is said of things that several Services claim. */
function claimed(props: Props, strimzi = V1_2, listeners: Json[] = [], pool: Json = {}): string[] {
  return errorsOf(listen(props, strimzi, listeners, {}, pool).chart).filter((error) =>
    error.includes('(listener-plan-unsupported)'),
  );
}

test.each<[string, string, string, ILoadBalancerController]>(
  table('kafka/listener-claims.yaml', 'cannot stand on every Service of a'),
)('%s: %s cannot stand on every Service of a listener: %s', (key, value, _, controller) => {
  const scheme = /eip|pip/.test(key) ? INTERNET_FACING : INTERNAL;
  expect(claimed({ controller, scheme })).toEqual([
    expect.stringContaining(
      `annotation ${key} '${value}' is set on Services events-kafka-external-bootstrap, events-brokers-0 and 2 others, which all listen on port 9094 and cannot share it; leave it out of the options of the controller, and give each Service its own (bootstrapAnnotations, brokers of the construct) (listener-plan-unsupported)`,
    ),
  ]);
});

test.each<[string, Json, string[]]>(table('kafka/listener-claims.yaml', 'a listener written by hand is checked'))(
  'a listener written by hand is checked as well: %s',
  (_, listener, expected) => {
    const errors = claimed({ scheme: INTERNAL, controller: nlb() }, V1_2, [listener]);
    expect(errors).toEqual(expected.map((text) => expect.stringContaining(text)));
  },
);

test('what all Services may have alike is no claim', () => {
  expect(claimed({ controller: metalLb() })).toEqual([]);
  expect(claimed({ controller: AzureCloudProvider.standard({ dnsLabelName: '' }), scheme: INTERNET_FACING })).toEqual(
    [],
  );
});

test('of an unknown owner only the field of the API is checked', () => {
  const service = (name: string): Json => ({
    metadata: { name, annotations: { [`${AWS}name`]: 'a' } },
    spec: { loadBalancerIP: '10.0.0.4', ports: [{ port: 9095 }] },
  });
  const found = claimedTwice([service('a'), service('b')], undefined, 'kubernetes');
  expect(found.map(({ what }) => what)).toEqual([
    expect.stringContaining("loadBalancerIP '10.0.0.4' is set on Services a and b, which"),
  ]);
});

const eips = (id: number) => ({ brokerId: id, annotations: { [`${AWS}eip-allocations`]: `eipalloc-${id}` } });
const withName = (id: number) => ({ brokerId: id, annotations: { [`${AWS}name`]: `kafka-${id}` } });

test.each<[string, Props, string[]]>([
  ['all brokers', { brokers: [eips(0), eips(1), eips(2)] }, []],
  ['no broker', {}, []],
  ['bootstrap alone', { bootstrapAnnotations: { [`${AWS}eip-allocations`]: 'eipalloc-9' } }, []],
  ['two of three brokers', { brokers: [eips(0), eips(1)] }, ['events-brokers-2']],
  ['one of three brokers', { brokers: [eips(1)] }, ['events-brokers-0, events-brokers-2']],
  ['none, but a name for some', { brokers: [withName(0)] }, []],
  ['some, under a controller that does not read it', { brokers: [eips(0)], controller: metalLb() }, []],
])('fixed addresses of some brokers alone are told: of %s', (_, props, values) => {
  const { chart } = listen({ scheme: INTERNET_FACING, ...props }, V1_2);
  stderrOf(() => expect(errorsOf(chart)).toEqual([]));
  const known = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
  const told = known.filter(({ ruleId }) => ruleId === 'listener-addresses-incomplete');
  expect(told.map(({ value }) => value)).toEqual(values);
  for (const { what } of told) expect(what).toContain(`other brokers of the listener have by ${AWS}eip-allocations`);
});

const { V0_49, V0_51 } = StrimziVersion;
const { LEAVE_TO_CONTROLLER, DECLARE } = FinalizerPolicy;
const { CLASS, LEGACY, LEGACY_CLASS, BACKEND_SERVICE_ANNOTATION } = GkeLoadBalancerGeneration;
const ABOUT = /\((finalizer-[a-z-]+)\)$/;

function rulesOf(errors: readonly string[]): (string | undefined)[] {
  return errors.map((error) => ABOUT.exec(error)?.[1]).filter(Boolean);
}

test.each<[string, GkeLoadBalancerGeneration, FinalizerPolicy, string[]]>(
  table('kafka/listener-plan.yaml', 'the way out of GKE is none that leads back', {
    CLASS,
    DECLARE,
    LEAVE_TO_CONTROLLER,
    BACKEND_SERVICE_ANNOTATION,
    LEGACY,
    LEGACY_CLASS,
  }),
)('the way out of GKE %s (%s, %s) is none that leads back', (_, generation, finalizerPolicy, rules) => {
  const { chart } = listen({ controller: Gke.passthrough({ generation }), finalizerPolicy }, V0_49);
  const errors = errorsOf(chart);
  expect(rulesOf(errors)).toEqual(rules);
  if (rules.includes('finalizer-removed-by-strimzi')) {
    expect(errors.join('\n')).not.toContain('use FinalizerPolicy.DECLARE');
  }
});

test.each<[string, Props, string]>(table('kafka/listener-finalizers.yaml', 'the way to a declared finalizer is'))(
  'the way to a declared finalizer is %s',
  (_, props, remedy) => {
    expect(errorsOf(listen(props, V0_49).chart)).toEqual([expect.stringContaining(`removes the finalizer; ${remedy}`)]);
  },
);

test('the way out of EKS Auto Mode leads out', () => {
  const { chart } = listen({ controller: EksAutoMode.nlb({ declareFinalizer: true }) }, V0_49);
  stderrOf(() => {
    expect(writtenListener(chart).configuration.finalizers).toEqual(['service.eks.amazonaws.com/resources']);
  });
});

/** A listener that nobody makes here, in a cluster in which we make another one. */
const vpc = (configuration: Json, more: Json = {}): Json => ({
  ...present(configuration, { authentication: { type: 'tls' }, ...more }),
  name: 'vpc',
  port: 9097,
});
const AWS_CLASS = { class: 'service.k8s.aws/nlb' };

test.each<[string, Json, StrimziVersion, string[], string[]]>(
  table('kafka/listener-finalizers.yaml', 'of a listener beside ours that says'),
)('of a listener beside ours that says %s is told', (_, other, strimzi, errors, warnings) => {
  const { chart } = listen({ controller: metalLb() }, strimzi, [other]);
  const known = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
  const told = known.filter(({ ruleId }) => ruleId.startsWith('finalizer-')).map(({ what }) => what);
  expect(told).toEqual(warnings.map((text) => expect.stringContaining(text)));
  stderrOf(() => expect(errorsOf(chart)).toEqual(errors.map((text) => expect.stringContaining(text))));
});

const stripped = 'finalizer-removed-by-strimzi';

test.each<[string, Json[], Props, boolean]>([
  ['lives today is warned of', [present()], {}, true],
  ['is new is refused', [], {}, false],
  ['becomes load balanced is refused', [present({}, { type: 'nodeport' })], {}, false],
])('GKE below Strimzi 0.51: a listener that %s', (_, listeners, props, isWarning) => {
  const scheme = LoadBalancerScheme.INTERNAL;
  const { chart } = listen({ controller: Gke.passthrough(), scheme, ...props }, V0_49, listeners);
  const isTold = () => LoadBalancers.of(chart).warnings.filter(({ finding }) => finding.ruleId === stripped).length;
  stderrOf(() => expect(rulesOf(errorsOf(chart)).includes(stripped)).toBe(!isWarning));
  expect(isTold()).toBe(isWarning ? 1 : 0);
  LoadBalancers.of(chart).acknowledge(stripped, 'the upgrade is planned');
  stderrOf(() => expect(rulesOf(errorsOf(chart)).includes(stripped)).toBe(!isWarning));
  expect(stderrOf(() => errorsOf(chart))).not.toContain(stripped);
});

test('a finalizer that a patch takes away is missing', () => {
  const { chart, cluster } = listen({ controller: nlb() }, V0_49, [vpc({ ...AWS_CLASS, finalizers: [RESOURCES] })]);
  stderrOf(() => expect(errorsOf(chart)).toEqual([]));
  cluster.kafka.addJsonPatch(JsonPatch.remove('/spec/kafka/listeners/1/configuration/finalizers'));
  expect(errorsOf(chart)).toEqual([
    expect.stringContaining(
      "listener 'vpc': the next deletion leaves the balancers of the listener behind: it does not declare finalizer",
    ),
  ]);
});

test.each<[string, Props, StrimziVersion, string[]]>([
  ['left on request', { finalizerPolicy: LEAVE_TO_CONTROLLER }, V0_51, ['finalizer-not-declared']],
  ['declared', { finalizerPolicy: DECLARE }, V0_51, []],
  ['that only GKE writes', { controller: Gke.passthrough(), finalizerPolicy: LEAVE_TO_CONTROLLER }, V0_51, []],
  ['of EKS Auto Mode', { controller: EksAutoMode.nlb(), finalizerPolicy: LEAVE_TO_CONTROLLER }, V0_51, []],
  // there it is an error, which says more
  ['that is stripped', { finalizerPolicy: LEAVE_TO_CONTROLLER }, V0_49, []],
])('where none is stripped, a finalizer %s', (_, props, strimzi, expected) => {
  const { chart } = listen(props, strimzi);
  const left = LoadBalancers.of(chart)
    .warnings.map(({ finding }) => finding)
    .filter(({ ruleId }) => ruleId === 'finalizer-not-declared');
  expect(left.map(({ ruleId }) => ruleId)).toEqual(expected);
  expect(left.filter(({ remedy }) => !remedy.endsWith('; trace: explain orphan-deleted-at-once'))).toEqual([]);
});

describe('listener handling', () => {
  const { V1_2 } = StrimziVersion;
  const { INTERNAL } = LoadBalancerScheme;
  const { INSTANCE } = NlbTargetType;
  const OUR_RULES =
    /\((listener-proxy-protocol-unsupported|listener-tls-termination-mismatch|listener-http-balancer)\)$/;

  function handled(props: Props, listeners: Json[] = []): string[] {
    const { chart } = listen({ scheme: INTERNAL, ...props }, V1_2, listeners);
    return errorsOf(chart).filter((error) => OUR_RULES.test(error));
  }

  test.each<[string, ILoadBalancerController, string]>(
    table('kafka/listener-handling.yaml', 'brokers do not understand'),
  )('brokers do not understand %s', (_, controller, expected) => {
    expect(handled({ controller })).toEqual([expect.stringContaining(expected)]);
    expect(handled({ controller })[0]).toMatch(
      / makes the balancer send a PROXY header to port 9094, which Kafka brokers do not understand; leave it out: .* \(listener-proxy-protocol-unsupported\)$/,
    );
  });

  test('a header that the manifest alone asks for is told with its Service', () => {
    const annotations = { [`${AWS}proxy-protocol`]: '*' };
    expect(handled({}, [present({ bootstrap: { annotations } })])).toEqual([
      expect.stringContaining(`Service events-kafka-external-bootstrap: annotation ${AWS}proxy-protocol '*' makes the`),
    ]);
  });

  test('a header that is wished for is refused once', () => {
    const { chart } = listen(
      { controller: HetznerCloud.loadBalancer({ location: 'fsn1' }), proxyProtocol: true },
      V1_2,
    );
    expect(errorsOf(chart).filter((error) => /PROXY|proxyProtocol/.test(error))).toEqual([
      expect.stringContaining('(listener-plan-unsupported)'),
    ]);
  });

  test.each<[string, Props, string[]]>(table('kafka/listener-handling.yaml', 'TLS that the balancer ends'))(
    'TLS that the balancer ends: %s',
    (_, props, expected) => expect(handled(props)).toEqual(expected.map((text) => expect.stringContaining(text))),
  );

  test.each<[string, Props, string[]]>(table('kafka/listener-handling.yaml', 'HTTP'))(
    'HTTP: %s',
    (_, props, expected) => expect(handled(props)).toEqual(expected.map((text) => expect.stringContaining(text))),
  );

  test.each<[string, Json, string[]]>(table('kafka/listener-handling.yaml', 'a listener beside it with'))(
    'a listener beside it with %s',
    (_, other, expected) => {
      const { chart } = listen({}, V1_2, [other]);
      expect(errorsOf(chart).filter((error) => OUR_RULES.test(error))).toEqual(
        expected.map((text) => expect.stringContaining(text)),
      );
    },
  );

  test('brokers behind instance targets of policy Local are one pod by design', () => {
    const controller = AwsLoadBalancerController.nlb({ targetType: INSTANCE });
    const { chart } = listen({ controller, trafficPolicy: TrafficPolicy.LOCAL }, V1_2);
    const told = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
    expect(told.filter(({ ruleId }) => ruleId === 'local-policy-without-pool').map(({ what }) => what)).toEqual([
      expect.stringContaining('Service events-kafka-external-bootstrap: with policy Local'),
    ]);
    const without = listen({ controller, trafficPolicy: TrafficPolicy.LOCAL, createBootstrapService: false }, V1_2);
    const rules = LoadBalancers.of(without.chart).warnings.map(({ finding }) => finding.ruleId);
    expect(rules).not.toContain('local-policy-without-pool');
  });

  test('what is never asked of a cluster without such listeners is not told', () => {
    const { chart } = clusterWith([], V1_2);
    expect(errorsOf(chart)).toEqual([]);
  });
});

describe('listener props', () => {
  const { V0_45, V1_0, V1_2 } = StrimziVersion;
  const { INTERNAL } = LoadBalancerScheme;
  const EIP = 'service.beta.kubernetes.io/aws-load-balancer-eip-allocations';

  function made(props: Partial<KafkaLoadBalancedListenerProps> = {}, strimzi = V1_2) {
    const { chart, kafka } = events({ strimzi });
    brokersOf(kafka);
    const base = { kafka, name: 'external', port: 9094, controller: nlb(), scheme: INTERNAL };
    const authentication = { type: 'scram-sha-512' };
    new KafkaLoadBalancedListener(chart, 'External', { authentication, ...base, ...props });
    return { chart, kafka };
  }

  const configurationOf = (chart: Parameters<typeof writtenListener>[0]): Json => {
    let found: Json = {};
    stderrOf(() => {
      found = writtenListener(chart).configuration;
    });
    return found;
  };

  test.each([V0_45, V1_0, V1_2])('each Service gets its own elastic addresses: Strimzi %#', (strimzi) => {
    const scheme = LoadBalancerScheme.INTERNET_FACING;
    const eip = (i: number) => ({ [EIP]: `eipalloc-${i}` });
    const { chart } = made(
      {
        scheme,
        bootstrapAnnotations: eip(9),
        brokers: [0, 1, 2].map((brokerId) => ({ brokerId, annotations: eip(brokerId) })),
      },
      strimzi,
    );
    const { bootstrap, brokers } = configurationOf(chart);
    expect(bootstrap.annotations).toMatchObject({ ...eip(9), [SCHEME]: 'internet-facing' });
    expect(brokers).toEqual(
      [0, 1, 2].map((broker) => ({
        broker,
        annotations: expect.objectContaining({ ...eip(broker), [SCHEME]: 'internet-facing' }),
      })),
    );
  });

  test.each<[string, StrimziVersion, Props, Json[], Json]>(
    table('kafka/listener-props.yaml', 'what the Services do not have in'),
  )('what the Services do not have in common is said by props: %s', (_, strimzi, props, listeners, expected) => {
    const { chart } = listen({ scheme: INTERNAL, ...props }, strimzi, listeners);
    const found = configurationOf(chart);
    expect(Object.fromEntries(Object.keys(expected).map((field) => [field, found[field]]))).toEqual(expected);
  });

  const custom = () =>
    CustomController.of({
      owner: 'acme',
      annotations: { a: 'plan' },
      labels: { l: 'plan' },
      answers: { [LoadBalancerWish.SCHEME]: 'a' },
    });

  test.each<[string, Props, Json[], string]>(table('kafka/listener-props.yaml', 'what the props say is never lost'))(
    'what the props say is never lost in silence: %s',
    (_, props, listeners, expected) => {
      const { chart } = listen({ controller: custom(), scheme: INTERNAL, ...props }, V1_2, listeners);
      const errors = errorsOf(chart);
      const warnings = LoadBalancers.of(chart).warnings.map(({ finding }) => finding.what);
      expect([...errors, ...warnings].filter((text) => text.includes(expected))).toHaveLength(1);
      expect(errors.length).toBeLessThanOrEqual(1);
    },
  );

  test('two entries for one broker are one too many', () => {
    const brokers = [1, 2, 1].map((brokerId) => ({ brokerId }));
    expect(() => made({ brokers })).toThrow(
      "kafka/External: listener 'external' has several entries for broker 1 in brokers; make one entry of them",
    );
  });

  test('an empty list of peers would let everybody in', () => {
    expect(() => made({ networkPolicyPeers: [] })).toThrow(
      "kafka/External: listener 'external' cannot have an empty list of networkPolicyPeers, which opens it to every client; name the peers, or leave it out",
    );
  });

  test.each<[string, Props, string]>(table('kafka/listener-plan.yaml', 'errors that name properties'))(
    'errors name the props that are the way out: %s',
    (_, props, expected) => {
      const controller = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
      expect(errorsOf(made({ controller, ...props }).chart).join('\n')).toContain(expected);
    },
  );

  test('a patch of a listener of a construct names the props', () => {
    const { chart, kafka } = made();
    kafka.kafka.addJsonPatch(JsonPatch.add('/spec/kafka/listeners/1/port', 9095));
    expect(() => written(chart, 'Kafka')).toThrow(
      /kafka\/Events\/Default.*; if a patch fails: patches run before the listeners of constructs \(external\) are added, so use their props/,
    );
  });

  test('a patch that fails without listeners of constructs says nothing of props', () => {
    const { chart, kafka } = events();
    brokersOf(kafka);
    kafka.kafka.addJsonPatch(JsonPatch.add('/spec/kafka/listeners/7/port', 1));
    expect(() => written(chart, 'Kafka')).toThrow(/^Failed serializing construct (?!.*props).*$/);
  });
});

describe('host names', () => {
  const { V1_0, V1_2 } = StrimziVersion;
  const { INTERNAL } = LoadBalancerScheme;

  /** A listener whose finished Services have names, or what is wrong with them. */
  function named(props: Props, listeners: Json[] = [], strimzi = V1_2): { configuration: Json; errors: string[] } {
    const { chart } = listen({ scheme: INTERNAL, controller: metalLb(), ...props }, strimzi, listeners);
    let configuration: Json = {};
    let errors: string[] = [];
    stderrOf(() => {
      errors = errorsOf(chart);
      configuration = errors.length > 0 ? {} : writtenListener(chart).configuration;
    });
    return { configuration, errors };
  }

  const byNode = { externalDns: true, advertisedHostTemplate: 'b{nodeId}.example.com' };

  test.each<[string, Props, Json[], string | undefined]>(
    table('kafka/listener-dns.yaml', 'external dns keeps the names of bootstrap'),
  )('external-dns keeps the names of bootstrap: %s', (_, props, listeners, expected) => {
    const { configuration, errors } = named(props, listeners);
    expect(errors).toEqual([]);
    expect(configuration.bootstrap?.annotations?.[DNS]).toBe(expected);
  });

  test.each<[string, Props, Json]>([
    ['of a broker', byNode, { brokers: [{ broker: 1, annotations: { [DNS]: 'alias.example.com, b1.example.com' } }] }],
    [
      'of all brokers',
      byNode,
      { perBrokerAnnotationsTemplate: { [DNS]: 'b{nodeId}.example.com,c{nodeId}.example.com' } },
    ],
  ])('a manifest may say more names than the planned one: %s', (_, props, said) => {
    const { configuration, errors } = named(props, [present(said)]);
    expect(errors).toEqual([]);
    expect(configuration).toMatchObject(said);
  });

  test('props that say more names than the planned one contradict it, since they would be lost', () => {
    const bootstrapAnnotations = { [DNS]: 'a.example.com,b.example.com' };
    const { errors } = named({ dnsName: 'a.example.com', bootstrapAnnotations });
    expect(errors).toEqual([expect.stringContaining('(props-plan-conflict)')]);
  });

  test('another name is a contradiction', () => {
    const { errors } = named({ dnsName: 'a.example.com' }, [
      present({ bootstrap: { annotations: { [DNS]: 'aa.example.com,b.example.com' } } }),
    ]);
    expect(errors).toEqual([expect.stringContaining('(manifest-plan-conflict)')]);
  });

  const balanced = (name: string, port: number, configuration: Json): Json => ({
    name,
    port,
    type: 'loadbalancer',
    tls: true,
    authentication: { type: 'tls' },
    configuration,
  });
  const host = (value: string, more: Json = {}) => ({ annotations: { [DNS]: value, ...more } });

  function told(listeners: Json[], more: Json = {}, brokerIds: number[] | undefined = [0, 1]): string[] {
    const context = { strimzi: V1_2, brokerIds, nodePoolOf: () => 'pool' };
    return checkDocument(kafkaWith(listeners, V1_2, more), context)
      .errors.filter(({ ruleId }) => ruleId === 'listener-dns-name-conflict')
      .map(({ what, remedy }) => `${what}; ${remedy}`);
  }

  test('the rule has a name', () => {
    expect(LISTENER_DNS_RULES.filter(({ id }) => id === 'listener-dns-name-conflict')).toHaveLength(1);
  });

  test.each<[string, Json[], Json, string[]]>(table('kafka/listener-dns.yaml', 'every Service has a name of its'))(
    'every Service has a name of its own in DNS: %s',
    (_, listeners, more, expected) => {
      expect(told(listeners, more)).toEqual(expected.map((text) => expect.stringContaining(text)));
    },
  );

  test('brokers that nobody knows are checked as far as the listener names them', () => {
    const brokers = [{ broker: 4, ...host('k.example.com') }];
    const context = { strimzi: V1_0 };
    const check = (configuration: Json) =>
      checkDocument(kafkaWith([balanced('a', 9094, configuration)], V1_0), context).errors.map(({ ruleId }) => ruleId);
    expect(check({ bootstrap: host('k.example.com'), brokers })).toContain('listener-dns-name-conflict');
    expect(check({ brokers })).not.toContain('listener-dns-name-conflict');
  });

  test('a template counts where the operator reads it', () => {
    const perBrokerAnnotationsTemplate = { [DNS]: 'k.example.com' };
    const ids = (strimzi: StrimziVersion) =>
      checkDocument(kafkaWith([balanced('a', 9094, { perBrokerAnnotationsTemplate })], strimzi), {
        strimzi,
        brokerIds: [0, 1],
      }).errors.map(({ ruleId }) => ruleId);
    expect(ids(V1_2)).toContain('listener-dns-name-conflict');
    expect(ids(V1_0)).not.toContain('listener-dns-name-conflict');
  });

  test('the template of a node pool replaces that of all brokers', () => {
    const template = { perPodService: { metadata: host('k.example.com') } };
    const check = (hasOwnTemplate: (id: number) => boolean) =>
      checkDocument(kafkaWith([balanced('a', 9094, {})], V1_2, { kafka: { template } }), {
        strimzi: V1_2,
        brokerIds: [0, 1],
        hasOwnTemplate,
      }).errors.filter(({ ruleId }) => ruleId === 'listener-dns-name-conflict').length;
    expect([check(() => false), check((id) => id === 1), check(() => true)]).toEqual([1, 0, 0]);
  });

  test('one broker may be reached by the name of bootstrap', () => {
    const only = { bootstrap: host('k.example.com'), brokers: [{ broker: 0, advertisedHost: 'k.example.com' }] };
    expect(told([balanced('a', 9094, only)], {}, [0])).toEqual([]);
  });

  test('props are checked as manifests are', () => {
    const { errors } = named({ ...byNode, dnsName: 'b2.example.com' });
    expect(errors).toEqual([
      expect.stringMatching(
        /Kafka-0\] external-dns: .* b2\.example\.com leads to bootstrap .* to broker 2 .*dns-name-conflict\)$/,
      ),
    ]);
  });

  function twoClusters(one: Props, other: Props): string[] {
    const { chart, kafka } = events();
    brokersOf(kafka);
    const second = events({ name: 'logs', namespace: 'logs' }, chart, 'Logs').kafka;
    brokersOf(second, { name: 'logs' });
    const base = { name: 'external', port: 9094, controller: metalLb(), scheme: INTERNAL };
    const authentication = { type: 'scram-sha-512' };
    new KafkaLoadBalancedListener(chart, 'One', { kafka, authentication, ...base, ...one });
    new KafkaLoadBalancedListener(chart, 'Other', { kafka: second, authentication, ...base, ...other });
    let errors: string[] = [];
    stderrOf(() => {
      errors = errorsOf(chart);
    });
    return errors;
  }

  test.each<[string, Props, Props, string[]]>(table('kafka/listener-dns.yaml', 'clusters of one chart have names of'))(
    'clusters of one chart have names of their own: %s',
    (_, one, other, expected) => {
      expect(twoClusters(one, other)).toEqual(expected.map((text) => expect.stringContaining(text)));
    },
  );

  test('an annotation in props counts as a name', () => {
    const { chart } = listen({ dnsName: 'a.example.com', controller: metalLb() }, V1_2);
    const { kafka } = events({ name: 'logs', namespace: 'logs' }, chart, 'Logs');
    brokersOf(kafka, { name: 'logs' });
    const bootstrapAnnotations = { [DNS]: 'A.example.com.' };
    const base = { name: 'external', port: 9094, controller: metalLb(), scheme: INTERNAL };
    new KafkaLoadBalancedListener(chart, 'Other', { kafka, bootstrapAnnotations, ...base });
    stderrOf(() =>
      expect(errorsOf(chart)).toEqual([
        expect.stringMatching(
          /^\[kafka\/Other\] external-dns: .* by Service kafka\/events-kafka-external-bootstrap .*\(exclusive-resource-conflict\)$/,
        ),
      ]),
    );
  });

  test('names in the YAML of a cluster and in entries of brokers count', () => {
    const { chart } = listen({ scheme: INTERNAL, controller: metalLb() }, V1_2, [
      present({ bootstrap: { annotations: { [DNS]: 'a.example.com' } } }),
    ]);
    const { kafka } = events({ name: 'logs', namespace: 'logs' }, chart, 'Logs');
    brokersOf(kafka, { name: 'logs' });
    const brokers = [0, 1, 2].map((brokerId) => ({
      brokerId,
      annotations: { [DNS]: `${'abc'[brokerId]}.example.com` },
    }));
    const base = { name: 'external', port: 9094, controller: metalLb(), scheme: INTERNAL };
    new KafkaLoadBalancedListener(chart, 'Other', { kafka, brokers, ...base });
    stderrOf(() =>
      expect(errorsOf(chart)).toEqual([
        expect.stringMatching(
          /Other\] external-dns: .*a\.example\.com of Service logs\/logs-logs-0 .*\(exclusive-resource-conflict\)$/,
        ),
      ]),
    );
  });

  test('a host that a broker advertises is no name of bootstrap', () => {
    const bootstrapAlternativeNames = ['k.example.com', 'B0.example.com', 'b1.example.com.'];
    const { configuration, errors } = named({ ...byNode, bootstrapAlternativeNames });
    expect(errors).toEqual([]);
    expect(configuration.bootstrap.annotations[DNS]).toBe('k.example.com');
  });
});
