import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiObject, JsonPatch } from 'cdk8s';
import * as fc from 'fast-check';
import { StrimziVersion } from '../../src';
import { isMap, type Json } from '../../src/contract/json';
import { tries } from '../support/random';
import { casesIn, revived } from '../support/yaml-cases';
import { checkListeners } from './clusters';
import {
  type Adoption,
  additions,
  apartFrom,
  CONTROLLERS,
  fromFile,
  fromObjects,
  listenerIn,
  losses,
  objectsIn,
  type Reading,
  rulesIn,
  writtenAdopted,
  writtenAlone,
} from './strangers';

const { V0_45, V0_51, V1_2 } = StrimziVersion;
const FOLDER = join(__dirname, 'strangers');

/** What a plan adds to a listener; all else stays as it stands. */
const PLANNED =
  /^\.configuration(\.(class|finalizers(\.\d+)?|allocateLoadBalancerNodePorts|externalTrafficPolicy|ipFamil\w+|loadBalancerSourceRanges|perBroker(Annotations|Labels)Template(\..+)?|(bootstrap|brokers)(\.\d+)?(\.(annotations|labels)(\..+)?)?))?$/;

interface Stranger {
  readonly file: string;
  readonly strimzi: StrimziVersion;
  readonly brokerIds: number[];
  /** The listener with balancers that it has. */
  readonly balanced?: string;
  /** What its listeners are warned of, by rule. */
  readonly said?: string[];
}

const STRANGERS: readonly Stranger[] = revived(casesIn(__dirname, 'strangers.yaml').strangers);

/** Below 0.51 nobody may write what GKE writes; a listener that has such balancers today is warned of alone. */
const isRefused = (controller: string, name: string, strimzi: StrimziVersion) =>
  controller === 'GKE' && name === 'added' && !strimzi.isAtLeast(V0_51);

const CASES = STRANGERS.flatMap((stranger) =>
  Object.keys(CONTROLLERS).flatMap((controller) =>
    [stranger.balanced, undefined]
      .filter((name, i) => name !== undefined || i === 1)
      .map((name): [string, string, string, Stranger] => [stranger.file, controller, name ?? 'added', stranger]),
  ),
);

/** What is lost, and what is added that no plan says: nothing at all. */
function expectNoLoss(alone: Json[], adopted: Json[], name: string): void {
  const others = apartFrom(adopted, name, alone.length);
  expect(others).toEqual(apartFrom(alone, name));
  expect(JSON.stringify(others)).toBe(JSON.stringify(apartFrom(alone, name)));
  const [before, after] = [listenerIn(alone, name), listenerIn(adopted, name)];
  if (before.place < 0) {
    expect(after.place).toBe(listenerCount(adopted) - 1);
  } else {
    expect(after.place).toBe(before.place);
    expect(losses(before.listener, after.listener)).toEqual([]);
    expect(additions(before.listener, after.listener).filter((path) => !PLANNED.test(path))).toEqual([]);
  }
}

function listenerCount(documents: readonly Json[]): number {
  return documents.find(({ kind }) => kind === 'Kafka')?.spec.kafka.listeners.length;
}

function adoption(controller: string, name: string): Adoption {
  return { name, port: name === 'added' ? 9200 : undefined, controller: CONTROLLERS[controller]() };
}

test.each(CASES)('%s: with %s, listener %s', (_, controller, name, { file, strimzi }) => {
  const reading = fromObjects(objectsIn(join(FOLDER, file)));
  const write = () => writtenAdopted(reading, { strimzi }, adoption(controller, name));
  if (isRefused(controller, name, strimzi)) {
    expect(write).toThrow('finalizer-removed-by-strimzi');
  } else {
    expectNoLoss(writtenAlone(reading), write(), name);
  }
});

test.each(STRANGERS.map((stranger): [string, Stranger] => [stranger.file, stranger]))('%s as a file', (_, stranger) => {
  const { file, strimzi, balanced = 'added' } = stranger;
  const reading = fromFile(join(FOLDER, file));
  const adopted = writtenAdopted(reading, { strimzi }, adoption('MetalLB', balanced));
  expectNoLoss(writtenAlone(reading), adopted, balanced);
});

test.each(STRANGERS.map((stranger): [string, Stranger] => [stranger.file, stranger]))(
  '%s is checked',
  (_, stranger) => {
    const { file, strimzi, brokerIds, said = [] } = stranger;
    const [kafka] = objectsIn(join(FOLDER, file)).filter(({ kind }) => kind === 'Kafka');
    const { errors, warnings } = checkListeners(kafka, { strimzi, brokerIds });
    expect(errors).toEqual([]);
    const rules = warnings.map(({ ruleId }) => ruleId).filter((id) => id.startsWith('listener-'));
    expect([...new Set(rules)]).toEqual(said);
  },
);

test('every file is a case', () => {
  expect(STRANGERS.map(({ file }) => file).sort()).toEqual(readdirSync(FOLDER).sort());
});

describe('law: whatever else stands in a document survives, or is told', () => {
  const text = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  const key = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom('__proto__', 'toString', 'hasOwnProperty', 'y', '1', '', 'a.b'),
  );

  /** What cdk8s writes; it refuses some keys, such as constructor. */
  const writtenUnlessRefused = (reading: Reading): Json[] | undefined => {
    try {
      return writtenAlone(reading);
    } catch {
      return undefined;
    }
  };

  /** Maps outside the listeners, which may hold anything more; labels reach Services and are checked. */
  const anywhere = (json: unknown, path: string[] = []): string[][] =>
    isMap(json)
      ? [
          ...(path.at(-1) === 'labels' ? [] : [path]),
          ...Object.entries(json).flatMap(([name, inner]) => anywhere(inner, [...path, name])),
        ]
      : Array.isArray(json) && path.at(-1) !== 'listeners'
        ? json.flatMap((inner, i) => anywhere(inner, [...path, String(i)]))
        : [];

  /** A copy with one more entry in the map at a path, unless it has one of that key. */
  const more = (json: Json, [first, ...rest]: readonly string[], name: string, value: unknown): Json => {
    const copy: Json = Array.isArray(json) ? [...json] : { ...json };
    if (first !== undefined) {
      copy[first] = more(json[first] ?? {}, rest, name, value);
    } else if (!Object.hasOwn(copy, name)) {
      Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
    }
    return copy;
  };

  const objects = objectsIn(join(FOLDER, 'three-pools.yaml'));
  const place = objects.findIndex(({ kind }) => kind === 'Kafka');
  const listener = objects[place].spec.kafka.listeners.findIndex(({ name }: Json) => name === 'external');
  const inListener = ['spec', 'kafka', 'listeners', String(listener)];

  const addition = fc.oneof(
    fc.record({
      object: fc.constant(place),
      path: fc.constantFrom(...anywhere(objects[place])),
      name: key,
      value: fc.jsonValue({ maxDepth: 3 }),
    }),
    fc.nat(objects.length - 1).chain((object) =>
      fc.record({
        object: fc.constant(object),
        path: fc.constantFrom(...anywhere(objects[object]).filter((path) => path.length > 0)),
        name: text,
        value: fc.jsonValue({ maxDepth: 2 }),
      }),
    ),
    fc.record({
      object: fc.constant(place),
      path: fc
        .constantFrom(
          ['bootstrap', 'annotations'],
          ['bootstrap', 'labels'],
          ['brokers', '0', 'annotations'],
          ['brokers', '0', 'labels'],
          ['perBrokerAnnotationsTemplate'],
          ['perBrokerLabelsTemplate'],
        )
        .map((path) => [...inListener, 'configuration', ...path]),
      name: text.map((name) => `example.com/${name}`),
      value: text,
    }),
  );

  /** What is written, unless a field is told to be none of Kafka's. */
  const writtenUnlessTold = (reading: Reading, controller: string): Json[] | undefined => {
    try {
      return writtenAdopted(reading, { strimzi: V1_2 }, adoption(controller, 'external'));
    } catch (error) {
      expect(rulesIn(error).filter((rule) => !rule.includes('-field-'))).toEqual([]);
      return undefined;
    }
  };

  test.each(Object.keys(CONTROLLERS))('with %s', (controller) => {
    let survived = 0;
    fc.assert(
      fc.property(fc.array(addition, { minLength: 1, maxLength: 6 }), (all) => {
        const changed = [...objects];
        for (const { object, path, name, value } of all) {
          changed[object] = more(changed[object], path, name, value);
        }
        const reading = fromObjects(changed);
        const alone = writtenUnlessRefused(reading);
        fc.pre(alone !== undefined);
        const adopted = writtenUnlessTold(reading, controller);
        if (adopted) {
          survived += 1;
          expectNoLoss(alone as Json[], adopted, 'external');
        }
      }),
      { numRuns: tries(60) },
    );
    expect(survived).toBeGreaterThan(tries(60) / 3);
  });
});

// Manifests as they stand in public repositories are no part of this project. Whoever has some names their folder:
// KAFKA_CORPUS=FOLDER npx jest test/kafka/strangers.test.ts
const CORPUS = process.env.KAFKA_CORPUS;

if (CORPUS !== undefined) {
  const files = readdirSync(CORPUS).filter((file) => {
    const yaml = readFileSync(join(CORPUS, file), 'utf8');
    return file.endsWith('.yaml') && /^kind: Kafka\s*$/m.test(yaml) && yaml.includes('kafka.strimzi.io/');
  });
  test.each(files)('manifest of others: %s', (file) => expectAdopted(join(CORPUS, file)));
}

/** Whoever wrote it ran an older Kafka than any operator does that is known here. */
function withoutVersion(kafka: ApiObject): void {
  if (isMap((kafka.toJson() as Json).spec?.kafka) && (kafka.toJson() as Json).spec.kafka.version !== undefined) {
    kafka.addJsonPatch(JsonPatch.remove('/spec/kafka/version'));
  }
}

/** Every listener is adopted and another one is added, without loss; or the document is wrong without us. */
function expectAdopted(file: string): void {
  const reading = fromObjects(objectsIn(file));
  const alone = writtenAlone(reading, withoutVersion);
  const [kafka] = alone.filter(({ kind }) => kind === 'Kafka');
  const strimzi = kafka.apiVersion.endsWith('/v1') ? V1_2 : V0_45;
  const { errors } = checkListeners(kafka, { strimzi });
  const listeners: Json[] = Array.isArray(kafka.spec.kafka.listeners) ? kafka.spec.kafka.listeners : [];
  const names = listeners.filter(({ type }) => type === 'loadbalancer').map(({ name }) => name);
  for (const name of new Set([...names, 'added'])) {
    const adopters = Object.keys(CONTROLLERS).filter((controller) =>
      isAdopted(reading, alone, strimzi, controller, name),
    );
    expect(adopters.length > 0).toBe(errors.length === 0);
  }
}

function isAdopted(reading: Reading, alone: Json[], strimzi: StrimziVersion, controller: string, name: string) {
  const isBroker = ({ kind, spec }: Json) => kind === 'KafkaNodePool' && spec.roles.includes('broker');
  const pools = alone.filter(isBroker).map(({ metadata, spec }) => ({ name: metadata.name, replicas: spec.replicas }));
  const nodePools = pools.map(({ name, replicas }, i) => ({
    name,
    brokerIds: Array.from({ length: replicas }, (_, id) => i * 100 + id),
  }));
  const props = { strimzi, ...(nodePools.length > 0 && { nodePools }) };
  let adopted: Json[];
  try {
    adopted = writtenAdopted(reading, props, adoption(controller, name), withoutVersion);
  } catch (error) {
    expect(rulesIn(error)).not.toEqual([]);
    return false;
  }
  expectNoLoss(alone, adopted, name);
  return true;
}
