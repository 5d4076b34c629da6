import { judgeListeners } from '../../../src/kafka/rules/listener-rules';
import { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import { ensureNamespaces, lacksAfterWriting } from '../harness/acceptance';
import type { Ref } from '../harness/api';
import { ControlPlane } from '../harness/control-plane';
import { customResourceDefinitions, install } from '../harness/custom-resources';
import { isOfStrimzi, kafkaManifestFiles, movedTo } from '../harness/manifests';
import { count } from '../harness/report';
import { strimziDefinitions } from '../harness/strimzi-files';
import { RELEASES, releaseFor, strimziVersionOf, versionsHeldAgainst } from '../models/strimzi-releases';
import { kafkaWith, listenersOf, mistakesOf } from './mistakes';

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
    const judged = (kafka: Ref) => judgeListeners(kafka, { strimzi, brokerIds: [0] });

    test('without a mistake are taken, and the rules take them', async () => {
      const kafka = kafkaWith(strimzi, listenersOf({}));
      await plane.api.create(kafka, { dryRun: true });
      expect(judged(kafka).errors).toEqual([]);
    });

    const mistakes = mistakesOf(strimzi);

    test.each(mistakes.filter(([, { refusal }]) => refusal))('%s is refused, by the rules too', async (_, mistake) => {
      const kafka = kafkaWith(strimzi, listenersOf(mistake.listener));
      expect(judged(kafka).errors.map(({ ruleId }) => ruleId)).toContain(mistake.rule);
      await expect(plane.api.create(kafka, { dryRun: true })).rejects.toThrow(mistake.refusal);
      const lenient = plane.api.create(kafka, { dryRun: true, lenient: true });
      await (mistake.onlyStrict ? lenient : expect(lenient).rejects.toThrow(mistake.refusal));
      count("mistakes refused by Strimzi's own definitions and by the rules");
    });

    test.each(mistakes.filter(([, { refusal }]) => !refusal))('%s is told by the rules alone', async (_, mistake) => {
      const kafka = kafkaWith(strimzi, listenersOf(mistake.listener));
      const { errors, warnings } = judged(kafka);
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
