import { stringify } from 'yaml';
import { KubernetesVersion } from '../../../src';
import { check } from '../../../src/cli/check';
import type { CheckFinding } from '../../../src/cli/check-report';
import { type CheckContext, NO_CONTEXT } from '../../../src/cli/context/check-context';
import { describedRules } from '../../../src/cli/explain/described-rules';
import { isMap, type Json } from '../../../src/contract/json';
import { readKubernetesYaml } from '../../../src/contract/kubernetes-yaml';
import type { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import { RuleSet } from '../../../src/rules/rule-set';
import { WORKLOAD_RULES } from '../../../src/rules/workload-rules';
import { type Api, ApiRefusal, type Ref } from '../../real/api';
import { count } from '../../real/program';
import { type Random, randomOf } from '../../support/random';

/** Right objects, one of which is changed, and what may be written into it. */
export interface Subject {
  readonly name: string;
  readonly objects: readonly Ref[];
  /** Which of the objects is changed. */
  readonly changed: number;
  /** Values by the path of a field, with `*` for each entry of a list. */
  readonly values: Readonly<Record<string, readonly unknown[]>>;
  /** Changes nothing but these fields, where rules do not read the others. */
  readonly valuesAlone?: true;
  /** Changes nothing outside of this field, where rules do not read the others. */
  readonly within?: string;
}

export interface Mutant {
  readonly changes: readonly string[];
  readonly objects: readonly Ref[];
}

export interface OutOfScope {
  readonly refusal: RegExp;
  readonly why: string;
}

type Path = readonly (string | number)[];

/** What names an object to the API server, in the address that it is sent to. */
const ADDRESS = ['', 'apiVersion', 'kind', 'metadata', 'metadata.namespace'];

function pathsIn(value: unknown, path: Path = []): Path[] {
  const inner = Array.isArray(value)
    ? value.flatMap((one, i) => pathsIn(one, [...path, i]))
    : isMap(value)
      ? Object.keys(value).flatMap((key) => pathsIn(value[key], [...path, key]))
      : [];
  return ADDRESS.includes(path.join('.')) ? inner : [path, ...inner];
}

// biome-ignore lint/suspicious/noExplicitAny: anything may be at a path
function valueAt(object: any, path: Path): any {
  return path.reduce((value, key) => value?.[key], object);
}

/** The paths that a pattern has in an object; the last field need not be there. */
function pathsOf(object: Json, pattern: string): Path[] {
  const keys = pattern.split('/');
  const last = keys.pop() as string;
  const parents = keys.reduce<Path[]>(
    (paths, key) =>
      paths.flatMap((path) => {
        const value = valueAt(object, path);
        return key !== '*' ? [[...path, key]] : Array.isArray(value) ? value.map((_, i) => [...path, i]) : [];
      }),
    [[]],
  );
  const isThere = (path: Path) =>
    isMap(valueAt(object, path)) || (last === '*' && Array.isArray(valueAt(object, path)));
  return parents.filter(isThere).map((path) => [...path, last === '*' ? 0 : last]);
}

const TEXTS = ['', 'Not Right', 'UPPER', 'a_b', '-a', 'a-', ' a', 'a.b', 'ä', '9', 'a'.repeat(64), 'a'.repeat(300)];
const NUMBERS = [0, -1, 1, 65535, 65536, 70000, 1.5, 2 ** 31];
const OF_OTHER_TYPE = [5, true, 'text', '5', 'true', null, {}, [], ['a'], { a: 'b' }];

function otherValue(value: unknown, random: Random): unknown {
  if (random([true, false])) {
    return random(OF_OTHER_TYPE);
  }
  if (typeof value === 'string') {
    return random([...TEXTS, value.toUpperCase(), value.toLowerCase(), `${value} `, `${value}x`, value.slice(1)]);
  }
  return typeof value === 'number' ? random([...NUMBERS, String(value)]) : random(OF_OTHER_TYPE);
}

function put(object: Json, path: Path, value: unknown): string {
  valueAt(object, path.slice(0, -1))[path[path.length - 1]] = value;
  return `${path.join('.')} is ${JSON.stringify(value)?.slice(0, 80)}`;
}

function remove(object: Json, path: Path): string {
  const parent = valueAt(object, path.slice(0, -1));
  const key = path[path.length - 1];
  if (Array.isArray(parent)) {
    parent.splice(Number(key), 1);
  } else {
    delete parent[key];
  }
  return `${path.join('.')} is gone`;
}

function rename(object: Json, path: Path, random: Random): string | undefined {
  const key = path[path.length - 1];
  const parent = valueAt(object, path.slice(0, -1));
  if (typeof key === 'number' || (path[0] === 'metadata' && path.length === 2)) {
    return undefined;
  }
  const name = random([
    key.toLowerCase(),
    key.slice(0, -1),
    `${key}s`,
    `${key[0].toUpperCase()}${key.slice(1)}`,
    `-${key}`,
  ]);
  const value = parent[key];
  if (name === key || name === '' || name in parent) {
    return undefined;
  }
  delete parent[key];
  parent[name] = value;
  return `${path.join('.')} is called ${name}`;
}

function repeat(object: Json, path: Path): string | undefined {
  const list = valueAt(object, path);
  if (!Array.isArray(list) || list.length === 0) {
    return undefined;
  }
  list.push(structuredClone(list[0]));
  return `${path.join('.')} has its first entry twice`;
}

function change(object: Json, { values, valuesAlone, within = '' }: Subject, random: Random): string | undefined {
  const way = valuesAlone
    ? 'value'
    : random(['value', 'value', 'value', 'other', 'other', 'remove', 'rename', 'repeat']);
  if (way === 'value') {
    const pattern = random(Object.keys(values));
    const paths = pathsOf(object, pattern);
    return paths.length === 0 ? undefined : put(object, random(paths), structuredClone(random(values[pattern])));
  }
  const paths = pathsIn(object).filter((path) => `${path.join('/')}/`.startsWith(within));
  if (paths.length === 0) {
    return undefined;
  }
  const path = random(paths);
  switch (way) {
    case 'other':
      return put(object, path, structuredClone(otherValue(valueAt(object, path), random)));
    case 'remove':
      return remove(object, path);
    case 'rename':
      return rename(object, path, random);
    default:
      return repeat(object, path);
  }
}

export function mutantOf(subject: Subject, random: Random): Mutant {
  const objects = structuredClone(subject.objects) as Ref[];
  const wanted = random([1, 1, 2]);
  const changes: string[] = [];
  for (let tries = 0; changes.length < wanted && tries < 50; tries++) {
    const said = change(objects[subject.changed], subject, random);
    if (said !== undefined) {
      changes.push(said);
    }
  }
  return { changes, objects };
}

const CONTEXT: CheckContext = { ...NO_CONTEXT, kubernetes: KubernetesVersion.V1_36 };

/** What the check says of objects, written as YAML and read again. */
export function findingsOf(objects: readonly Ref[], context: CheckContext = CONTEXT): readonly CheckFinding[] {
  const text = objects.map((object) => stringify(object, { version: '1.1' })).join('---\n');
  const { values, faults } = readKubernetesYaml(Buffer.from(text));
  if (faults.length > 0) {
    throw new Error(`${faults[0].what}:\n${text}`);
  }
  const manifests = values.map(({ value, line, source }) => ({ file: 'a.yaml', line, object: value as Json, source }));
  return check({ manifests, unreadable: [], strange: [] }, context).findings;
}

const SOURCES = new Map(describedRules().map(({ id, source }) => [id, String(source)]));

const DEFINITION = /\d-Crd-/;
/** Sources of rules about objects that the API server takes. */
const TAKEN = /^cdk8s-load-balancers, |endpointslice|admissionregistration\/v1/;

/** Whether a finding claims that the API server refuses the object, by its own code or by a definition. */
export function isRefusal({ level, who, ruleId }: CheckFinding): boolean {
  const source = SOURCES.get(ruleId) ?? '';
  // the definition takes any word for a protocol, and the rule holds it against those that the Gateway API has
  if (ruleId === 'gateway-listener-protocol-unknown') {
    return false;
  }
  return level === 'error' && (who === 'kubernetes' ? !TAKEN.test(source) : DEFINITION.test(source));
}

/** Whether a finding claims that a definition has the API server refuse the object. */
function isOfDefinition({ level, ruleId }: CheckFinding): boolean {
  return level === 'error' && DEFINITION.test(SOURCES.get(ruleId) ?? '');
}

/** Strict field validation refuses what the API server otherwise drops: a warning says so. */
function isUnknownField({ ruleId }: CheckFinding): boolean {
  return /-field-(unknown|removed|since)$/.test(ruleId);
}

export interface Claims {
  /** That the API server refuses them. */
  readonly refused: readonly string[];
  /** That it drops something of them, which it refuses where it is asked to be strict. */
  readonly dropped: boolean;
}

export function claimsOfCheck(objects: readonly Ref[]): Claims {
  const findings = findingsOf(objects);
  return {
    refused: findings.filter(isRefusal).map(({ ruleId, what }) => `${ruleId}: ${what}`),
    dropped: findings.some(isUnknownField),
  };
}

/** What the check claims of objects that an operator of a version reads: what it refuses is foreseen whoever would refuse it first. */
export function claimsOfCheckFor(strimzi: StrimziVersion): (objects: readonly Ref[]) => Claims {
  return (objects) => {
    const findings = findingsOf(objects, { ...CONTEXT, strimzi });
    return {
      refused: findings.filter(isOfDefinition).map(({ ruleId, what }) => `${ruleId}: ${what}`),
      dropped: findings.some((finding) => isUnknownField(finding) || finding.level === 'error'),
    };
  };
}

const WORKLOADS = new RuleSet(WORKLOAD_RULES, 'kubernetes');

/** What the rules for the workload behind a Service claim, which constructs ask. */
export function claimsOfWorkloadRules(objects: readonly Ref[]): Claims {
  const { errors } = WORKLOADS.check(objects[1], { kubernetes: KubernetesVersion.V1_36 });
  return { refused: errors.map(({ ruleId, what }) => `${ruleId}: ${what}`), dropped: false };
}

/** What the API server says of objects instead of taking them. */
export async function refusalOf(api: Api, objects: readonly Ref[], dryRun = true): Promise<string | undefined> {
  for (const object of objects) {
    try {
      await api.create(object, { dryRun });
    } catch (error) {
      if (error instanceof ApiRefusal && [400, 403, 413, 422].includes(error.status)) {
        return error.message;
      }
      throw error;
    }
  }
  return undefined;
}

/**
 * What the API server says of objects that it is really asked to make: a dry run takes a node port that cannot be, for it
 * allocates none.
 */
async function realRefusalOf(api: Api, objects: readonly Ref[]): Promise<string | undefined> {
  const refusal = await refusalOf(api, objects, false);
  for (const object of objects) {
    if (await api.find(object)) {
      await api.delete(object);
    }
  }
  return refusal;
}

function reasonOf(refusal: string): string {
  return refusal
    .replace(/^.*? is invalid: /, '')
    .replace(/"[^"]*"/g, '""')
    .replace(/\[\d+\]/g, '[*]')
    .replace(/\d+/g, '0')
    .slice(0, 160);
}

export interface Outcome {
  readonly refused: number;
  readonly caught: number;
  readonly outOfScope: number;
  /** What is refused and no rule says, by reason, with one example. */
  readonly missed: ReadonlyMap<string, { readonly times: number; readonly example: string }>;
  /** Of what the API server accepts, and a rule says that it refuses. */
  readonly falseAlarms: readonly string[];
}

const AT_ONCE = 32;

/** Holds what the rules say of mutants against what the API server does with them. */
export async function compare(
  api: Api,
  mutants: readonly Mutant[],
  outOfScope: readonly OutOfScope[],
  claimsOf: (objects: readonly Ref[]) => Claims,
): Promise<Outcome> {
  const missed = new Map<string, { times: number; example: string }>();
  const falseAlarms: string[] = [];
  const sums = { refused: 0, caught: 0, outOfScope: 0 };
  for (let i = 0; i < mutants.length; i += AT_ONCE) {
    const some = mutants.slice(i, i + AT_ONCE);
    const refusals = await Promise.all(some.map(({ objects }) => refusalOf(api, objects)));
    for (const [k, { objects, changes }] of some.entries()) {
      const refusal = refusals[k];
      const { refused, dropped } = claimsOf(objects);
      if (refusal === undefined) {
        if (refused.length > 0 && (await realRefusalOf(api, objects)) === undefined) {
          const said = refused.join('\n');
          falseAlarms.push(`${changes.join(', ')}\n${said}\n${objects.map((one) => JSON.stringify(one)).join('\n')}`);
        }
        continue;
      }
      sums.refused++;
      if (refused.length > 0 || dropped) {
        sums.caught++;
      } else if (outOfScope.some((one) => one.refusal.test(refusal))) {
        sums.outOfScope++;
      } else {
        const reason = reasonOf(refusal);
        const { times } = missed.get(reason) ?? { times: 0 };
        missed.set(reason, { times: times + 1, example: `${changes.join(', ')}: ${refusal.slice(0, 300)}` });
      }
    }
  }
  return { ...sums, missed, falseAlarms };
}

/** The share of the refusals in scope that a rule foresees. */
export function shareOf({ refused, caught, outOfScope }: Outcome): number {
  return caught / (refused - outOfScope);
}

export function report(name: string, seed: number, made: number, outcome: Outcome): void {
  const { refused, caught, outOfScope, missed } = outcome;
  const share = (100 * shareOf(outcome)).toFixed(1);
  const misses = [...missed]
    .sort(([, one], [, other]) => other.times - one.times)
    .map(([reason, { times, example }]) => `    ${times} ${reason}\n      ${example}\n`);
  process.stdout.write(
    `  ${name}, seed ${seed}: ${made} mutants, ${refused} refused, ${caught} of them foreseen (${share} %), ` +
      `${outOfScope} out of scope\n${misses.slice(0, 40).join('')}`,
  );
  count('mutants held against the API server', made);
  count('mutants refused', refused);
  count('mutants refused that the rules foresee', caught);
}

const MUTANTS = Number(process.env.MUTANTS ?? 400);
const SEED = Number(process.env.MUTANT_SEED ?? 1);

/** The tests that hold the rules about some kinds against the API server: no false alarm, and a share that is foreseen. */
export function heldAgainst(
  api: () => Api,
  name: string,
  subjects: readonly Subject[],
  floor: number,
  outOfScope: readonly OutOfScope[],
  claimsOf: (objects: readonly Ref[]) => Claims = claimsOfCheck,
): void {
  describe(`mutants of ${name}`, () => {
    test.each(subjects.map((subject) => [subject.name, subject] as const))('%s is right', async (_, { objects }) => {
      expect(await refusalOf(api(), objects)).toBeUndefined();
      expect(claimsOf(objects).refused).toEqual([]);
    });

    test('are refused where a rule says so, and foreseen where they are refused', async () => {
      const random = randomOf(SEED);
      const mutants = Array.from({ length: MUTANTS }, () => mutantOf(random(subjects), random));
      const outcome = await compare(api(), mutants, outOfScope, claimsOf);
      report(name, SEED, mutants.length, outcome);
      expect(outcome.falseAlarms).toEqual([]);
      expect(shareOf(outcome)).toBeGreaterThanOrEqual(floor);
    });
  });
}
