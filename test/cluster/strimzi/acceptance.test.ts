import { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import { checkListeners } from '../../kafka/clusters';
import type { Body, Ref } from '../../real/api';
import { ControlPlane } from '../../real/control-plane';
import {
  customResourceDefinitions,
  ensureNamespaces,
  install,
  isOfStrimzi,
  kafkaManifestFiles,
  lacksAfterWriting,
  movedTo,
} from '../../real/objects';
import { count } from '../../real/program';
import { strimziDefinitions } from '../harness/strimzi';
import { RELEASES, releaseFor, strimziVersionOf, versionsHeldAgainst } from '../models/strimzi';

const { V0_49, V1_0, V1_1 } = StrimziVersion;

const BALANCED: Body = {
  name: 'external',
  port: 9094,
  type: 'loadbalancer',
  tls: true,
  authentication: { type: 'scram-sha-512' },
};

/** A Kafka resource with these listeners. */
function kafkaWith(strimzi: StrimziVersion, listeners: readonly Body[]): Ref {
  return {
    apiVersion: strimzi.apiVersion,
    kind: 'Kafka',
    // below 0.48 the operator asks for the annotations, and since then it does not read them
    metadata: {
      name: 'mistaken',
      namespace: 'default',
      annotations: { 'strimzi.io/kraft': 'enabled', 'strimzi.io/node-pools': 'enabled' },
    },
    spec: { kafka: { listeners } },
  };
}

/** A mistake in a Kafka resource for any version, unless it says which. */
interface Mistake {
  /** What differs from a listener that is right; or all listeners. */
  readonly listener: Body | readonly Body[];
  /** What the API server says, by Strimzi's own definition; nothing where it takes the mistake. */
  readonly refusal?: RegExp;
  /** The rule of ours that says so too, or alone. */
  readonly rule: string;
  readonly since?: StrimziVersion;
  /** From here the definitions that can be had know better. */
  readonly before?: StrimziVersion;
  /** Whoever does not ask for strict field validation gets the resource without the field. */
  readonly onlyStrict?: boolean;
}

const listenersOf = (listener: Mistake['listener']): readonly Body[] =>
  Array.isArray(listener) ? listener : [{ ...BALANCED, ...listener }];

const configured = (configuration: Body) => ({ configuration });
const annotated = (value: unknown) => configured({ bootstrap: { annotations: { 'example.com/a': value } } });

const NAME = /listeners\[0\]\.name in body should match/;
const NO_TEXT = /annotations\.example\.com\/a in body must be of type string/;

const MISTAKES: Readonly<Record<string, Mistake>> = {
  'a name of 12 characters': { listener: { name: 'externaleast' }, refusal: NAME, rule: 'listener-name-invalid' },
  'a name in upper case': { listener: { name: 'External' }, refusal: NAME, rule: 'listener-name-invalid' },
  'a name with a dash': { listener: { name: 'ex-ternal' }, refusal: NAME, rule: 'listener-name-invalid' },
  'a port below 9092': {
    listener: { port: 9091 },
    refusal: /listeners\[0\]\.port in body should be greater than or equal to 9092/,
    rule: 'listener-port-reserved',
  },
  'a type in another case': {
    listener: { type: 'LoadBalancer' },
    refusal: /listeners\[0\]\.type: Unsupported value: "LoadBalancer"/,
    rule: 'listener-value-unknown',
  },
  'a policy in another case': {
    listener: configured({ externalTrafficPolicy: 'local' }),
    refusal: /externalTrafficPolicy: Unsupported value: "local"/,
    rule: 'listener-value-unknown',
  },
  'no tls': { listener: { tls: undefined }, refusal: /listeners\[0\]\.tls: Required/, rule: 'listener-field-missing' },
  'authentication by OAuth': {
    listener: { authentication: { type: 'oauth' } },
    refusal: /listeners\[0\]\.authentication\.type: Unsupported value: "oauth"/,
    rule: 'listener-field-removed',
    since: V0_49,
  },
  'no listeners': {
    listener: [],
    refusal: /listeners in body should have at least 1 items/,
    rule: 'kafka-listeners-missing',
  },
  'an annotation that is a number': { listener: annotated(5), refusal: NO_TEXT, rule: 'listener-field-wrong-type' },
  'an annotation that is a boolean': { listener: annotated(true), refusal: NO_TEXT, rule: 'listener-field-wrong-type' },
  'a template of ports that is a number': {
    listener: configured({ advertisedPortTemplate: 9094 }),
    refusal: /advertisedPortTemplate in body must be of type string/,
    rule: 'listener-field-wrong-type',
    since: V1_0,
  },
  'routes of a Gateway before their time': {
    listener: { type: 'tlsroute' },
    refusal: /listeners\[0\]\.type: Unsupported value: "tlsroute"/,
    rule: 'listener-field-unsupported-version',
    before: V1_0,
  },
  'a field that nobody knows': {
    listener: configured({ annotations: { 'example.com/a': 'b' } }),
    refusal: /unknown field "spec\.kafka\.listeners\[0\]\.configuration\.annotations"/,
    rule: 'listener-field-unknown',
    onlyStrict: true,
  },
  'a field in another case': {
    listener: configured({ Finalizers: ['example.com/a'] }),
    refusal: /unknown field "spec\.kafka\.listeners\[0\]\.configuration\.Finalizers"/,
    rule: 'listener-field-unknown',
    onlyStrict: true,
  },
  'a field before its time': {
    listener: configured({ perBrokerLabelsTemplate: { a: 'b' } }),
    refusal: /unknown field "spec\.kafka\.listeners\[0\]\.configuration\.perBrokerLabelsTemplate"/,
    rule: 'listener-field-unsupported-version',
    before: V1_0,
    onlyStrict: true,
  },
};

const TWICE = [BALANCED, { ...BALANCED, type: 'internal' }];

/** Those of which one hears from the operator, from the API server when the operator writes, or never. */
const ONLY_BY_RULES: Readonly<Record<string, Mistake>> = {
  'a name that is listed twice': { listener: TWICE, rule: 'listener-name-duplicate' },
  'a port that is listed twice': { listener: TWICE, rule: 'listener-port-duplicate' },
  'the port of the metrics': { listener: { port: 9404 }, rule: 'listener-port-reserved' },
  'a port that is none': { listener: { port: 70000 }, rule: 'listener-port-invalid' },
  'finalizers on node ports': {
    listener: { type: 'nodeport', ...configured({ finalizers: ['example.com/a'] }) },
    rule: 'listener-field-on-wrong-type',
  },
  'a finalizer without a domain': {
    listener: configured({ finalizers: ['cleanup'] }),
    rule: 'listener-finalizer-invalid',
  },
  'a class with two slashes': { listener: configured({ class: 'example.com/a/b' }), rule: 'listener-class-invalid' },
  'an address for a range': {
    listener: configured({ loadBalancerSourceRanges: ['10.0.0.0'] }),
    rule: 'listener-source-range-invalid',
  },
  'a broker that does not exist': {
    listener: configured({ brokers: [{ broker: 7, advertisedHost: 'b.example.com' }] }),
    rule: 'listener-broker-unknown',
  },
  'a placeholder that does not exist': {
    listener: configured({ advertisedHostTemplate: 'b-{nodeid}.example.com' }),
    rule: 'listener-placeholder-unknown',
  },
  'routes that lead nowhere': { listener: { type: 'tlsroute' }, rule: 'listener-parents-missing', since: V1_1 },
  'a port that cannot be computed': {
    listener: configured({ advertisedPortTemplate: '9094 / {nodeId}' }),
    rule: 'listener-port-template-invalid',
    since: V1_0,
  },
};

/** What is a mistake in some version, by name. */
function mistakesOf(strimzi: StrimziVersion): [string, Mistake][] {
  return Object.entries({ ...MISTAKES, ...ONLY_BY_RULES }).filter(
    ([, { since, before }]) =>
      (since === undefined || strimzi.isAtLeast(since)) && (before === undefined || !strimzi.isAtLeast(before)),
  );
}

// Every manifest of the Kafka room, created under strict field validation in an API server with Strimzi's own definitions of
// its version, or of the nearest one that can be had; and mistakes, which are refused there and by the rules alike.

const files = kafkaManifestFiles().map((file) => ({ ...file, release: releaseFor(strimziVersionOf(file.name)) }));

const groupOf = ({ apiVersion }: Ref) => apiVersion.split('/')[0];

test('every release has manifests', () => {
  expect(RELEASES.filter((release) => !files.some((file) => file.release === release))).toEqual([]);
});

describe.each(RELEASES)('Strimzi %s', (release) => {
  const own = files.filter((file) => file.release === release);
  let plane: ControlPlane;

  beforeAll(async () => {
    plane = await ControlPlane.start();
    const groups = new Set(own.flatMap(({ objects }) => objects.map(groupOf)));
    const others = customResourceDefinitions().filter(({ spec }) => groups.has(spec.group));
    const definitions = strimziDefinitions(release);
    await install(plane.api, [...others, ...definitions]);
    count("definitions of Strimzi's own installed", definitions.length);
  });

  afterAll(() => plane?.stop());

  test.each(own.map(({ name, objects }) => [name, objects] as const))(
    '%s is taken as written',
    async (name, objects) => {
      // periods are not for names of namespaces
      const moved = movedTo(`accepts-${name.replaceAll('.', '-')}`, objects, isOfStrimzi);
      await ensureNamespaces(plane.api, moved);
      for (const object of moved) {
        expect(await lacksAfterWriting(plane.api, object)).toEqual([]);
        count("objects accepted under Strimzi's own definitions");
      }
      // what has no namespace, or one of somebody else, must not meet the next file
      for (const object of moved) {
        await plane.api.delete(object);
      }
    },
  );

  describe.each(versionsHeldAgainst(release))('listeners for %s', (version) => {
    const strimzi = StrimziVersion.of(version);
    const checked = (kafka: Ref) => checkListeners(kafka, { strimzi, brokerIds: [0] });

    test('without a mistake are taken, and the rules take them', async () => {
      const kafka = kafkaWith(strimzi, listenersOf({}));
      await plane.api.create(kafka, { dryRun: true });
      expect(checked(kafka).errors).toEqual([]);
    });

    const mistakes = mistakesOf(strimzi);

    test.each(mistakes.filter(([, { refusal }]) => refusal))('%s is refused, by the rules too', async (_, mistake) => {
      const kafka = kafkaWith(strimzi, listenersOf(mistake.listener));
      expect(checked(kafka).errors.map(({ ruleId }) => ruleId)).toContain(mistake.rule);
      await expect(plane.api.create(kafka, { dryRun: true })).rejects.toThrow(mistake.refusal);
      const lenient = plane.api.create(kafka, { dryRun: true, lenient: true });
      await (mistake.onlyStrict ? lenient : expect(lenient).rejects.toThrow(mistake.refusal));
      count("mistakes refused by Strimzi's own definitions and by the rules");
    });

    test.each(mistakes.filter(([, { refusal }]) => !refusal))('%s is told by the rules alone', async (_, mistake) => {
      const kafka = kafkaWith(strimzi, listenersOf(mistake.listener));
      const { errors, warnings } = checked(kafka);
      expect([...errors, ...warnings].map(({ ruleId }) => ruleId)).toContain(mistake.rule);
      await plane.api.create(kafka, { dryRun: true });
      count('mistakes told by the rules alone');
    });
  });
});

test('a manifest for a version that nobody names is not held against any', () => {
  expect(() => strimziVersionOf('events')).toThrow(/^nobody says for which version of Strimzi events is: /);
  expect(() => releaseFor(StrimziVersion.of('99.0'))).toThrow(/^there is no release of Strimzi 99\.0\.0 or newer/);
});
