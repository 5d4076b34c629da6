import * as fc from 'fast-check';
import type { Json } from '../../src/contract/json';
import { StrimziVersion } from '../../src/kafka/strimzi/strimzi-version';
import { casesIn } from '../support/yaml-cases';
import { checkListeners } from './clusters';

// What each version has is written down here once more, as it was read from the schema of the Kafka resource in each tag
// (strimzi/strimzi-kafka-operator, 0.45.0 to 1.2.0: packaging/install/cluster-operator/040-Crd-kafka.yaml): every listener
// that a version has no words for must be told, and none that it has.

// The same listeners every time; look at others with LAWS_SEED, dig deeper with LAWS_RUNS.
const RUNS = Number(process.env.LAWS_RUNS ?? 200);
const SEED = Number(process.env.LAWS_SEED ?? 451);

const OLD_API = 'kafka.strimzi.io/v1beta2';
const NEW_API = 'kafka.strimzi.io/v1';

const SERVED: Readonly<Record<string, readonly string[]>> = casesIn(__dirname, 'versions.laws.yaml').served;
const VERSIONS = Object.keys(SERVED);

interface Part {
  /** Where it stands, and what a message about it must name. */
  readonly path: string;
  readonly value: unknown;
  /** Types of listener that it fits; all where none are named. */
  readonly types?: readonly string[];
  /** The first version that has it. */
  readonly since?: string;
  /** Only the old API version has it. */
  readonly oldOnly?: boolean;
  /** What means nothing beside it: no version takes both. */
  readonly without?: readonly string[];
}

const HOSTED = ['ingress', 'tlsroute'];

const PARTS: readonly Part[] = casesIn(__dirname, 'versions.laws.yaml').parts;

/** Parts that stand in every listener of a type, and the type itself. */
const TYPES: Readonly<Record<string, readonly Part[]>> = casesIn(__dirname, 'versions.laws.yaml').types;
const HOSTS: readonly Part[] = [
  { path: 'configuration.bootstrap.host', value: 'bootstrap.example.com' },
  { path: 'configuration.hostTemplate', value: 'broker-{nodeId}.example.com' },
];

const OAUTH: readonly Part[] = [
  { path: 'authentication.type', value: 'oauth', oldOnly: true },
  { path: 'authentication.validIssuerUri', value: 'https://sso.example.com' },
];
const CUSTOM: readonly Part[] = [
  { path: 'authentication.type', value: 'custom' },
  { path: 'authentication.sasl', value: true },
  { path: 'authentication.listenerConfig', value: { 'sasl.enabled.mechanisms': 'PLAIN' } },
];

const AUTHENTICATIONS: readonly (readonly Part[])[] = [
  [],
  [{ path: 'authentication.type', value: 'tls' }],
  [{ path: 'authentication.type', value: 'scram-sha-512' }],
  CUSTOM,
  OAUTH,
];

interface Draft {
  readonly apiVersion: string;
  readonly type: string;
  readonly parts: readonly Part[];
}

function agreeing(parts: readonly Part[]): Part[] {
  const out = parts.flatMap(({ without }) => without ?? []);
  return parts.filter(({ path }) => !out.includes(path));
}

const drafts: fc.Arbitrary<Draft> = fc
  .record({
    apiVersion: fc.constantFrom(OLD_API, NEW_API),
    type: fc.constantFrom(...Object.keys(TYPES)),
    chosen: fc.subarray([...PARTS], { maxLength: 6 }),
    authentication: fc.constantFrom(...AUTHENTICATIONS),
  })
  .map(({ apiVersion, type, chosen, authentication }) => ({
    apiVersion,
    type,
    parts: [
      ...TYPES[type],
      ...(HOSTED.includes(type) ? HOSTS : []),
      ...authentication,
      ...agreeing(chosen.filter(({ types }) => types === undefined || types.includes(type))),
    ],
  }));

/** Strimzi 0.46 and 0.47 do not start without them, later versions ignore them. */
const KRAFT = { 'strimzi.io/kraft': 'enabled', 'strimzi.io/node-pools': 'enabled' };

function documentOf({ apiVersion, type, parts }: Draft): Json {
  const listener: Json = { name: 'edge', port: 9095, type, tls: true };
  for (const { path, value } of parts) {
    const keys = path.split('.');
    const last = keys.pop() as string;
    const holder = keys.reduce((map, key) => {
      map[key] ??= {};
      return map[key] as Json;
    }, listener);
    holder[last] = value;
  }
  return {
    apiVersion,
    kind: 'Kafka',
    metadata: { name: 'events', namespace: 'kafka', annotations: KRAFT },
    spec: { kafka: { listeners: [listener] } },
  };
}

function lacking({ apiVersion, parts }: Draft, version: string): Part[] {
  return parts.filter(
    ({ since, oldOnly }) =>
      (since !== undefined && VERSIONS.indexOf(version) < VERSIONS.indexOf(since)) ||
      (oldOnly && apiVersion !== OLD_API),
  );
}

function errorsOf(draft: Draft, strimzi: StrimziVersion) {
  return checkListeners(documentOf(draft), { strimzi, brokerIds: [0, 1, 2] }).errors;
}

/** Holds a law against many drafts and each version. */
function everywhere(law: (draft: Draft, version: string) => void): void {
  const property = fc.property(drafts, (draft) => {
    for (const version of VERSIONS) {
      law(draft, version);
    }
  });
  fc.assert(property, { numRuns: RUNS, seed: SEED });
}

test('a listener is refused for a version exactly where the version does not read it', () => {
  everywhere((draft, version) => {
    const missing = lacking(draft, version).map(({ path }) => path);
    const served = SERVED[version].includes(draft.apiVersion);
    const errors = errorsOf(draft, StrimziVersion.of(version));
    expect({ version, refused: errors.length > 0, errors, missing, served }).toEqual({
      version,
      refused: missing.length > 0 || !served,
      errors,
      missing,
      served,
    });
  });
});

test('each thing that a version does not read is named, with the version that does', () => {
  everywhere((draft, version) => {
    const errors = errorsOf(draft, StrimziVersion.of(version));
    for (const { path, since, oldOnly } of lacking(draft, version)) {
      const remedy = oldOnly && draft.apiVersion !== OLD_API ? 'v1beta2' : `Strimzi ${since}`;
      const said = errors.filter(({ what }) => what.includes(path.split('.').slice(-1)[0] as string));
      expect({ version, path, said: said.map((finding) => finding.remedy) }).toEqual({
        version,
        path,
        said: expect.arrayContaining([expect.stringContaining(remedy)]),
      });
    }
  });
});

test('a document that a version does not serve is told so, with the API version to write', () => {
  everywhere((draft, version) => {
    const strimzi = StrimziVersion.of(version);
    const told = errorsOf(draft, strimzi).filter(({ value }) => value === draft.apiVersion);
    expect(told).toHaveLength(SERVED[version].includes(draft.apiVersion) ? 0 : 1);
    for (const { remedy } of told) {
      expect(remedy).toContain(strimzi.apiVersion);
    }
  });
});

test('an upgrade that goes on serving the API version removes no field', () => {
  everywhere((draft, version) => {
    if (errorsOf(draft, StrimziVersion.of(version)).length === 0) {
      const later = VERSIONS.slice(VERSIONS.indexOf(version)).filter((next) => SERVED[next].includes(draft.apiVersion));
      const refused = later.filter((next) => errorsOf(draft, StrimziVersion.of(next)).length > 0);
      expect({ version, refused }).toEqual({ version, refused: [] });
    }
  });
});

test('the feature gate changes nothing of what a version reads', () => {
  everywhere((draft, version) => {
    const strimzi = StrimziVersion.of(version);
    const gated = VERSIONS.indexOf(version) >= VERSIONS.indexOf('0.48.0') && version !== '1.2.0';
    if (gated) {
      const other = StrimziVersion.withServerSideApply(strimzi, !strimzi.keepsForeignFinalizers);
      expect(errorsOf(draft, other)).toEqual(errorsOf(draft, strimzi));
    }
  });
});

test('the drafts hold every part in a version that reads it and, where there is one, in a version that does not', () => {
  const parts = [...PARTS, ...HOSTS, ...TYPES.tlsroute, ...AUTHENTICATIONS.flat()];
  const seen = { read: new Set<string>(), refused: new Set<string>() };
  everywhere((draft, version) => {
    const missing = lacking(draft, version);
    if (SERVED[version].includes(draft.apiVersion)) {
      for (const part of draft.parts) {
        (missing.includes(part) ? seen.refused : seen.read).add(part.path);
      }
    }
  });
  const changing = parts.filter(({ since, oldOnly }) => since !== undefined || oldOnly).map(({ path }) => path);
  expect([...seen.read].sort()).toEqual([...new Set(parts.map(({ path }) => path))].sort());
  expect([...seen.refused].sort()).toEqual([...new Set(changing)].sort());
});
