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
import { casesIn } from '../../support/yaml-cases';
import { strimziDefinitions } from '../harness/strimzi';
import { RELEASES, releaseFor, strimziVersionOf, versionsHeldAgainst } from '../models/strimzi';

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
  readonly since?: string;
  /** From here the definitions that can be had know better. */
  readonly before?: string;
  /** Whoever does not ask for strict field validation gets the resource without the field. */
  readonly onlyStrict?: boolean;
}

const listenersOf = (listener: Mistake['listener']): readonly Body[] =>
  Array.isArray(listener) ? listener : [{ ...BALANCED, ...listener }];

const { mistakes: MISTAKES, onlyByRules: ONLY_BY_RULES } = casesIn(__dirname, 'acceptance.yaml') as Record<
  'mistakes' | 'onlyByRules',
  Readonly<Record<string, Mistake>>
>;

/** What is a mistake in some version, by name. */
function mistakesOf(strimzi: StrimziVersion): [string, Mistake][] {
  const isAtLeast = (version: string) => strimzi.isAtLeast(StrimziVersion.of(version));
  return Object.entries({ ...MISTAKES, ...ONLY_BY_RULES }).filter(
    ([, { since, before }]) =>
      (since === undefined || isAtLeast(since)) && (before === undefined || !isAtLeast(before)),
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
