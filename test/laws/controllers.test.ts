import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import * as fc from 'fast-check';
import { descriptorOf } from '../../scripts/descriptors/descriptor';
import { tablesIn } from '../../scripts/descriptors/facts-file';
import { filesOf } from '../../scripts/descriptors/files';
import { ruleExamples } from '../../scripts/docs/rule-examples';
import {
  HetznerCloud,
  type LoadBalancerPlan,
  LoadBalancerRequest,
  LoadBalancers,
  LoadBalancerWish,
  NodeRestriction,
  TrafficPolicy,
} from '../../src';
import { Annotation, AnnotationCatalogue, type AnyAnnotation } from '../../src/contract/annotation-catalogue';
import { requestFaults } from '../../src/contract/bound-plan';
import { Confidence } from '../../src/contract/kubernetes.facts';
import { labelKeyFault } from '../../src/contract/kubernetes-syntax';
import { VENDOR_WRITINGS } from '../../src/controllers/vendors/writings.facts';
import { definitionOf } from '../../src/rules/controller-definition';
import { allKinds, knownKinds } from '../../src/rules/known-kinds';
import { caseTables } from '../support/cases';
import { candidates, examples, plain, textsOf, typeOf } from '../support/codec-values';
import { hasProblems, hosted, inChart, LAWS } from '../support/controller-laws';
import { requests } from '../support/generator';
import { tries } from '../support/random';
import { importsOf, sources } from '../support/sources';
import { kinds, type Subject, subjectsOf } from '../support/subjects';
import { table } from '../support/yaml-cases';

// The same requests every time; look at others with LAWS_SEED, and dig deeper with LAWS_RUNS (requests for each
// controller and law).
const RUNS = Number(process.env.LAWS_RUNS ?? tries(25));
const SEED = Number(process.env.LAWS_SEED ?? 980);

const exampleRules = ruleExamples().map(({ rule }) => rule);

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  const subjects = subjectsOf(kind);

  test.each(Object.keys(LAWS))('%s', (name) => {
    for (const subject of subjects) {
      const property = fc.property(requests, (request) => {
        const broken = LAWS[name](subject, request);
        if (broken !== undefined) throw new Error(`${subject.title}: ${broken}`);
      });
      fc.assert(property, { numRuns: RUNS, seed: SEED });
    }
  });

  test('a plain request is served without a problem and without a warning', () => {
    const plain = new LoadBalancerRequest({ ports: [{ port: 443, targetPort: 8080 }] });
    const { service, errors } = hosted(subjects[0], plain);
    expect(errors).toEqual([]);
    expect(service.plan.problems ?? []).toEqual([]);
    expect(service.plan.warnings ?? []).toEqual([]);
    expect(LoadBalancers.of(service).warnings).toEqual([]);
    expect(service.toJson()).toHaveProperty('spec.type', 'LoadBalancer');
  });
});

test('the requests of the generator are legal, and some controller honours each wish', () => {
  const wished = new Set<string>();
  const honoured = new Set<string>();
  const installed = kinds.map((kind) => kind.installed());
  for (const request of fc.sample(requests, { numRuns: 500, seed: SEED })) {
    expect(requestFaults(request)).toEqual([]);
    for (const wish of request.wishes) wished.add(wish);
    for (const controller of installed) {
      const { answers = {}, ...plan } = controller.bind(inChart(), request);
      if (!hasProblems(plan)) for (const wish of Object.keys(answers)) honoured.add(wish);
    }
  }
  expect([...wished].sort()).toEqual(Object.values(LoadBalancerWish).sort());
  expect([...honoured].sort()).toEqual([...wished].sort());
});

describe('a controller is found out', () => {
  const plain = new LoadBalancerRequest({ ports: [{ port: 443 }], trafficPolicy: TrafficPolicy.LOCAL });
  const kind = HetznerCloud._kind.definition;
  const known = kind.catalogue.annotations[0].key();
  const noFinalizer = { finalizers: [] };

  /** A controller that answers like the real one, but for one thing. */
  function liar(lie: (plan: LoadBalancerPlan, scope: Construct, request: LoadBalancerRequest) => object): Subject {
    const honest = kind.installed();
    const bind = (scope: Construct, request: LoadBalancerRequest) => {
      const plan = honest.bind(scope, request);
      return { ...plan, ...lie(plan, scope, request) };
    };
    return {
      title: 'liar',
      kind,
      controller: { name: honest.name, bind, _kind: { definition: kind } } as never,
      adds: [],
      wishesMayBreak: [],
    };
  }

  let asked = 0;
  test.each<[string, Subject]>([
    ['the same request gives the same plan, whatever was asked before', liar(() => ({ loadBalancers: asked++ }))],
    ['a request stays as it was', liar((_, __, request) => ({ x: request.ports.push({ port: 80 }) }))],
    ['the owner of the plan is the controller', liar(() => ({ owner: 'somebody' }))],
    [
      'annotations and labels are texts and finalizers are names, as the API server demands',
      liar(() => ({ annotations: { [known]: true } })),
    ],
    [
      'annotations and labels are texts and finalizers are names, as the API server demands',
      liar(() => ({ labels: { 'a b': 'c' } })),
    ],
    [
      'annotations and labels are texts and finalizers are names, as the API server demands',
      liar(() => ({ finalizers: ['cleanup'] })),
    ],
    [
      'an annotation is one that the controller knows, with a value that it reads',
      liar(() => ({ annotations: { [`${known}-x`]: 'a' } })),
    ],
    [
      'an annotation is one that the controller knows, with a value that it reads',
      liar(() => ({ annotations: { [known]: ' ' } })),
    ],
    ['every wish is answered', liar(() => ({ answers: {} }))],
    [
      'what a plan reports is of a rule that the definition names',
      liar(({ owner: who }) => ({ warnings: [{ ruleId: 'a-b', who, what: 'x', remedy: 'y' }] })),
    ],
    [
      'nothing is answered that nobody wished',
      liar(({ answers }) => ({ answers: { ...answers, [LoadBalancerWish.SCHEME]: 'internal' } })),
    ],
    [
      'an answer that names an annotation tells what was written',
      liar(({ answers }) => ({ answers: { ...answers, [LoadBalancerWish.TRAFFIC_POLICY]: `${known}: local` } })),
    ],
    [
      'an answer that names a field of the Service tells what was written',
      liar(() => ({ externalTrafficPolicy: undefined })),
    ],
    ['a finalizer is one that the controller removes', liar(() => ({ finalizers: ['service.k8s.aws/resources'] }))],
    ['a finalizer is one that the controller removes', liar(() => ({ loadBalancerClass: 'example.com/lb' }))],
    [
      'its own rules and those of the API server find no error in a Service that was planned without a problem',
      liar(() => ({ sourceRanges: ['everybody'] })),
    ],
    ['the owner claims the Service as it is written', liar(() => ({ ...noFinalizer, loadBalancerClass: 'a.b/lb' }))],
    [
      'there is a side object where the plan says so, and nowhere else',
      liar(() => ({ nodeRestriction: NodeRestriction.ON_SIDE_OBJECT })),
    ],
    [
      'there is a side object where the plan says so, and nowhere else',
      liar((_, scope) => ({ x: new ApiObject(scope, 'aside', { apiVersion: 'v1', kind: 'ConfigMap' }) && 1 })),
    ],
    [
      'a balancer is internal unless somebody says otherwise',
      liar(({ annotations }, _, { scheme }) => ({ annotations: scheme ? annotations : {} })),
    ],
  ])('that breaks the law: %s', (name, subject) => expect(LAWS[name](subject, plain)).toEqual(expect.any(String)));
});

describe('catalogues', () => {
  // The same values every time; look at others with LAWS_SEED, dig deeper with LAWS_RUNS (values for each annotation and law).
  const RUNS = Number(process.env.LAWS_RUNS ?? tries(200));

  function optionsOf(catalogue: AnnotationCatalogue): string[] {
    return catalogue.annotations.map(({ fact }) => fact.option).filter((option) => option !== undefined);
  }

  /** What an entry makes of a value: its text, or nothing where the value is none of its type. */
  function encoded(entry: AnyAnnotation, value: unknown): string | undefined {
    try {
      const text = entry.fact.codec.encode(value);
      const back = entry.decode(text);
      return 'fault' in back || typeOf(back.value) === typeOf(value) ? text : undefined;
    } catch {
      return undefined;
    }
  }

  function expectRoundTrip(entry: AnyAnnotation, value: unknown, text: string): void {
    const back = entry.decode(text);
    if ('fault' in back || !isDeepStrictEqual(plain(back.value), plain(value))) {
      throw new Error(`${JSON.stringify(plain(value))} is written as '${text}' and read as ${JSON.stringify(back)}`);
    }
  }

  describe.each(allKinds().map((kind) => [kind.name, kind] as const))('%s', (_, { catalogue, ...kind }) => {
    const entries = catalogue.annotations.map((entry) => [entry.fact.key, entry] as const);

    test.each(entries)('%s reads back what it writes', (_key, entry) => {
      const given: readonly unknown[] = entry.fact.codec.examples;
      expect(given).not.toEqual([]);
      for (const value of given) {
        expectRoundTrip(entry, value, entry.fact.codec.encode(value));
      }
      const property = fc.property(candidates(entry), (value) => {
        const text = encoded(entry, value);
        if (text !== undefined) expectRoundTrip(entry, value, text);
      });
      fc.assert(property, { numRuns: RUNS, seed: SEED, examples: examples(entry).map((value) => [value]) });
    });

    test.each(entries)('%s means the same when it is read and written again, and garbage is a fault', (_key, entry) => {
      const garbage = [fc.string(), fc.string({ unit: 'binary' }), fc.json(), fc.constantFrom('', ' ', ',', '=', '{}')];
      const property = fc.property(fc.oneof(...garbage), (text) => {
        const read = entry.decode(text);
        const again = 'value' in read ? encoded(entry, read.value) : undefined;
        if ('value' in read && again !== undefined) {
          expectRoundTrip(entry, read.value, again);
        } else if ('fault' in read) {
          expect(read.fault).not.toBe('');
        }
      });
      fc.assert(property, { numRuns: RUNS, seed: SEED, examples: textsOf(entry).map((text) => [text]) });
    });

    test.each(entries)('%s has a key that the API server takes, and its facts have a source', (_key, { fact }) => {
      expect(labelKeyFault(fact.key.replace(/[{}]/g, ''))).toBeUndefined();
      expect(fact.default).not.toBe('');
      expect(fact.codec.says).not.toBe('');
      expect(['refused', 'accepted']).toContain(fact.badValue);
      expect(Object.values(Confidence)).toContain(fact.confidence);
      expect([undefined, ...Object.values(LoadBalancerWish)]).toContain(fact.wish);
      const { repository, version, file } = fact.source;
      expect([repository, version, file].map((word) => word.trim()).filter(Boolean)).toHaveLength(3);
    });

    test('every key and every option stands once', () => {
      const keys = entries.map(([key]) => key);
      expect(keys).toEqual([...new Set(keys)]);
      const options = optionsOf(catalogue);
      expect(options).toEqual([...new Set(options)]);
    });

    test('an entry is found by its key, and its key is claimed', () => {
      for (const [key, entry] of entries) {
        const parameters = Object.fromEntries([...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '443']));
        expect(catalogue.find(entry.key(parameters))).toBe(entry);
        expect(catalogue.claims(entry.key(parameters))).toBe(true);
      }
    });

    // a factory that is data has all its options, wishes and warnings tried in vendor-writers
    if (kind.name in VENDOR_WRITINGS) return;

    test(`each of its ${optionsOf(catalogue).length} options has a row of cases`, () => {
      const rows = caseTables
        .filter(([, table]) => table.kind.name === kind.name)
        .flatMap(([, table]) => table.options);
      const tried = new Set(rows.map(({ option }) => option));
      const untried = optionsOf(catalogue).filter((option) => !tried.has(option));
      expect(untried.map((option) => `${option}: add a row to options of the table of cases`)).toEqual([]);
    });

    test('each rule of its definition has an example, or a row of cases', () => {
      const tables = caseTables.map(([, table]) => table).filter((table) => table.kind.name === kind.name);
      const found = new Set(
        tables
          .flatMap(({ requests, services }): { errors?: string[]; warnings?: string[] }[] => [...requests, ...services])
          .flatMap(({ errors = [], warnings = [] }) => [...errors, ...warnings])
          .concat(exampleRules),
      );
      const silent = [...kind.rules, ...(kind.reports ?? [])].filter(({ id }) => !found.has(id));
      expect(silent.map(({ id }) => `${id}: add an example to src/rules/examples, or a row to requests`)).toEqual([]);
    });
  });

  test.each([
    ['aws-load-balancer-controller', 48],
    ['cloud-provider-azure', 45],
  ])('%s has options for all of the %i annotations that it documents', (name, count) => {
    const catalogue = kinds.find((kind) => kind.name === name)?.catalogue;
    expect(catalogue && optionsOf(catalogue).length).toBeGreaterThanOrEqual(count);
  });

  test('an annotation that fixes addresses is for one Service alone', () => {
    const fixed = kinds.flatMap(({ catalogue }) =>
      catalogue.annotations.filter(({ fact }) => fact.wish === LoadBalancerWish.STATIC_ADDRESSES),
    );
    expect(fixed.length).toBeGreaterThan(10);
    const shared = fixed.filter(({ fact }) => !fact.namesOne).map(({ fact }) => fact.key);
    expect(
      shared.map((key) => `${key}: set namesOne to ADDRESS or SHARED_ADDRESS of contract/annotation-catalogue.ts`),
    ).toEqual([]);
  });

  test('an annotation that reads something else than it writes is found out', () => {
    const { fact } = kinds[0].catalogue.annotations[0];
    const write = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
    const trimming = {
      says: 'a string',
      examples: ['edge'],
      encode: write,
      decode: (text: string) => ({ value: text.trim() }),
    };
    const entry: AnyAnnotation = new Annotation({ ...fact, codec: trimming });
    const wrong = examples(entry).filter((value) => {
      const text = encoded(entry, value);
      return text !== undefined && text.trim() !== value;
    });
    expect(wrong.length).toBeGreaterThan(0);
    for (const value of wrong) {
      expect(() => expectRoundTrip(entry, value, encoded(entry, value) as string)).toThrow('is written as');
    }
  });
});

const FOLDER = 'hetzner-cloud';
const TEXT = readFileSync(join(__dirname, '..', '..', 'src', 'controllers', FOLDER, 'descriptor.yaml'), 'utf8');

test.each<[string, string, string, RegExp]>(table('laws/controllers.yaml', 'in a descriptor fails the build'))(
  '%s in a descriptor fails the build',
  (_, right, wrong, fault) => {
    expect(TEXT).toContain(right);
    const text = TEXT.replace(right, wrong);
    expect(() => [filesOf(descriptorOf(FOLDER, text)), tablesIn('descriptor.yaml', text)]).toThrow(fault);
  },
);

const CONTROLLERS = join(__dirname, '..', '..', 'src', 'controllers');
const folders = readdirSync(CONTROLLERS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const catalogues = folders.filter((folder) => existsSync(join(CONTROLLERS, folder, 'annotations.ts')));

/** The kinds whose catalogue stands in the folder of a product. */
function kindsOf(folder: string): string[] {
  const exported = Object.values(require(join(CONTROLLERS, folder, 'annotations')) as Record<string, unknown>);
  return kinds.filter(({ catalogue }) => exported.includes(catalogue)).map(({ name }) => name);
}

test.each(catalogues)(
  '%s/annotations.ts holds the catalogue of a controller that the package exports, or a part of one',
  (folder) => {
    const module = `./controllers/${folder}/annotations`;
    const readers = sources.filter((source) => importsOf(source).includes(module)).map(({ path }) => path);
    const owners = [
      folder,
      ...readers.filter((path) => path.endsWith('/annotations.ts')).map((path) => path.split('/')[1]),
    ];
    if (owners.flatMap(kindsOf).length === 0) {
      throw new Error(`add export * from './${folder}/controller' or './${folder}' to src/controllers/index.ts`);
    }
  },
);

test('each controller has one folder, and that one line among the exports', () => {
  const lines = readFileSync(join(CONTROLLERS, 'index.ts'), 'utf8').trim().split('\n');
  const owners = catalogues.filter((folder) => kindsOf(folder).length > 0);
  expect(owners).toHaveLength(kinds.length);
  expect(owners.filter((folder) => lines.filter((line) => line.includes(`'./${folder}`)).length !== 1)).toEqual([]);
});

test('every controller has a name and a catalogue of its own', () => {
  for (const property of ['name', 'catalogue'] as const) {
    expect(new Set(kinds.map((kind) => kind[property])).size).toBe(kinds.length);
  }
});

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
  test('has one table of cases, with requests and with finished Services', () => {
    const tables = caseTables.filter(([, { kind: its }]) => its === kind).map(([, table]) => table);
    expect(tables).toHaveLength(1);
    expect(tables[0].requests).not.toEqual([]);
    expect(tables[0].services).not.toEqual([]);
  });

  test('can be installed, under its own name', () => {
    expect(kind.installed().name).toBe(name);
    expect(definitionOf(kind.installed())).toBe(kind);
  });

  test('is among all kinds', () => {
    expect(knownKinds()).toEqual(kinds);
    expect(kind.catalogue).toBeInstanceOf(AnnotationCatalogue);
  });

  test('has facts for the table of controllers, with their source', () => {
    const { product, nodes, remark = 'none', source } = kind.facts;
    const facts = [product, nodes, remark, source.repository, source.version, source.file];
    expect(facts.filter((fact) => fact.trim() === '')).toEqual([]);
  });

  test('has rules that are named once, each said as a sentence', () => {
    const ids = kind.rules.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(kind.rules.filter(({ says }) => says.trim() === '' || says.endsWith('.'))).toEqual([]);
  });
});
