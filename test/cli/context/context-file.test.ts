import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { check } from '../../../src/cli/check';
import { CONTEXT_FILE, contextFileAbove, readContext, readContextFile } from '../../../src/cli/context/context-file';
import type { Json } from '../../../src/contract/json';
import { LoadBalancerOwner } from '../../../src/controllers/load-balancer-owner';
import { tries } from '../../support/random';
import { casesIn, table } from '../../support/yaml-cases';

const FILE = 'load-balancers.yaml';
const WANTED = casesIn(__dirname, 'context-file.yaml').wanted;

function mistakesIn(text: string | Uint8Array): string[] {
  const { context, mistakes } = readContext(FILE, text);
  expect(context === undefined).toBe(mistakes.length > 0);
  return mistakes.map(({ place, what, remedy }) => `${place.line}:${place.column} ${what}; ${remedy}`);
}

function read(text: string) {
  const { context, mistakes } = readContext(FILE, text);
  expect(mistakes).toEqual([]);
  return context as NonNullable<typeof context>;
}

describe('what the file says', () => {
  const context = read(WANTED);

  it('has versions and the region', () => {
    expect(context.kubernetes?.version).toBe('1.36');
    expect(context.strimzi?.version).toBe('0.45.0');
    expect(context.strimzi?.keepsForeignFinalizers).toBe(false);
    expect(context.region).toBe('eu-west-1');
  });

  it('has controllers', () => {
    expect(context.controllers?.map(({ name }) => name)).toEqual([
      'cloud-provider-aws',
      'aws-load-balancer-controller',
    ]);
    expect(context.areControllersInferred).toBeUndefined();
  });

  it('has node pools as constructs have them', () => {
    const { ingest } = context.nodePools ?? {};
    expect(ingest.name).toBe('ingest');
    expect(ingest.labels).toEqual({ 'eks.amazonaws.com/nodegroup': 'ingest' });
    expect(ingest.taints.map(String)).toEqual(['dedicated=ingest:NoSchedule']);
  });

  it('has accepted findings with their places', () => {
    expect(context.accepted).toEqual([
      {
        rule: 'annotation-unknown',
        object: 'edge/echo',
        reason: 'three nodes, three pods, one each',
        until: '2027-06-30',
        place: { file: FILE, line: 12, column: 5 },
      },
    ]);
  });

  it('has accepted losses by themselves', () => {
    const { context: read } = readContext(
      FILE,
      'accepted:\n  - { outcome: handed over, object: edge/echo, reason: x }\n',
    );
    expect(read).toMatchObject({
      accepted: [],
      acceptedLosses: [
        { outcome: 'handed over', object: 'edge/echo', reason: 'x', place: { file: FILE, line: 2, column: 5 } },
      ],
    });
  });

  it('is told with its origin', () => {
    expect(context.known.map(({ what }) => what)).toEqual([
      'Kubernetes 1.36',
      'controllers cloud-provider-aws and aws-load-balancer-controller 3.5.0',
      'Strimzi 0.45.0',
      'region eu-west-1',
      'node pool ingest',
    ]);
    expect(new Set(context.known.map(({ from }) => from))).toEqual(new Set([FILE]));
    expect(context.known.some(({ isInferred }) => isInferred)).toBe(false);
  });

  it.each<[string, Json, string | undefined]>(table('cli/context/context-file.yaml', 'decides owners controllers'))(
    'decides owners: controllers %s',
    (controllers, service, owner) => {
      const { controllers: all } = read(`controllers: ${controllers}\n`);
      expect(LoadBalancerOwner.of(service, [...(all ?? [])]).name).toBe(owner);
    },
  );

  it.each<[string, number]>(table('cli/context/context-file.yaml', 'knows nothing of but what it says'))(
    'knows nothing of %j but what it says',
    (text, known) => expect(read(text).known).toHaveLength(known),
  );

  it('takes versions that YAML reads as the number that is written', () => {
    expect(read('kubernetes: 1.36 # the API server').kubernetes?.version).toBe('1.36');
    expect(read('strimzi: 0.51\n').strimzi?.version).toMatch(/^0\.51\./);
    expect(read('strimzi: 0.51\n').isStrimziOlder).toBeUndefined();
    const { strimzi, isStrimziOlder, known } = read("strimzi: '0.30.0'\n");
    expect([strimzi, isStrimziOlder, known.map(({ what }) => what)]).toEqual([
      undefined,
      true,
      ['Strimzi 0.30.0, older than the versions that are known here'],
    ]);
  });
});

describe('the version of a controller decides which annotations it reads', () => {
  const service = casesIn(__dirname, 'context-file.yaml').service;

  it.each([
    ['2.7.1', true],
    ['v2.7.1', true],
    ['2.8.0', false],
    ['3.5.0', false],
  ])('%s: too new %s', (version, isTooNew) => {
    const context = read(`controllers: [{ name: aws-load-balancer-controller, version: ${version} }]`);
    const manifests = [{ file: 'a.yaml', line: 1, object: service }];
    const { findings } = check({ manifests, unreadable: [], strange: [] }, context);
    expect(findings.some(({ ruleId }) => ruleId === 'annotation-unsupported-version')).toBe(isTooNew);
  });
});

describe('mistakes have their places and a remedy', () => {
  it.each<[string, string, string[]]>(table('cli/context/context-file.yaml', 'mistakes have their places'))(
    '%s',
    (_, text, mistakes) => expect(mistakesIn(text)).toEqual(mistakes),
  );

  it.each<[string, string, string[]]>(table('cli/context/context-file.yaml', 'controllers'))(
    'controllers: %s',
    (_, text, mistakes) => expect(mistakesIn(`controllers:\n${text}\n`)).toEqual(mistakes),
  );

  it.each<[string, string, string[]]>(table('cli/context/context-file.yaml', 'node pools'))(
    'node pools: %s',
    (_, text, mistakes) => expect(mistakesIn(`nodePools:\n${text}\n`)).toEqual(mistakes),
  );

  it.each<[string, string, string[]]>(table('cli/context/context-file.yaml', 'accepted findings'))(
    'accepted findings: %s',
    (_, text, mistakes) => expect(mistakesIn(`accepted:\n${text}\n`)).toEqual(mistakes),
  );

  const LINES = ['# what is known', 'region: 7', 'kubernetes: 1.30', 'controllers:', '  - { name: gke, colour: red }'];
  const FAULTS = [
    '2:1 region is 7, and not a string; write region: eu-west-1',
    "3:1 kubernetes is read as the number 1.3, which is another version; write '1.30' in quotes",
    '5:18 controllers[0].colour is unknown; remove it; the keys here are generation',
  ];

  it.each([
    ['\\n', LINES.join('\n')],
    ['\\r\\n', LINES.join('\r\n')],
    ['\\r', LINES.join('\r')],
    ['\\r\\n and a mark in front', `\ufeff${LINES.join('\r\n')}`],
    ['bytes', new TextEncoder().encode(LINES.join('\n'))],
    ['bytes with a mark in front', new TextEncoder().encode(`\ufeff${LINES.join('\r\n')}\r\n`)],
  ])('in lines that end with %s', (_, text) => expect(mistakesIn(text)).toEqual(FAULTS));

  it.each<string>(casesIn(__dirname, 'context-file.yaml')['lost digits in'])('lost digits in %j', (text) => {
    expect(mistakesIn(text)).toEqual([expect.stringMatching(/; write '1\.30' in quotes$/)]);
  });

  it('tells all of them in their order', () => {
    const lines = mistakesIn('colour: red\nkubernetes: 1.30\ncontrollers: [nobody]\n').map(
      (text) => text.split(' ')[0],
    );
    expect(lines).toEqual(['1:1', '2:1', '3:15']);
  });
});

describe('whatever is in the file', () => {
  const deep = (depth: number) => `${'{ a: '.repeat(depth)}b${' }'.repeat(depth)}`;
  it.each<[string, string | Uint8Array]>([
    ['maps in maps for a region', `region: ${deep(50)}`],
    ['maps in maps for a controller', `controllers: [${deep(50)}]`],
    ['maps in maps for a label', `nodePools: { a: { labels: { b: ${deep(50)} } } }`],
    ['an anchor that holds itself', 'nodePools: &a { a: *a }'],
    [
      'aliases of aliases',
      `a: &a [x, x, x, x, x, x, x, x]\n${[...'bcdefgh'].map((one, i) => `${one}: &${one} [${`*${'abcdefg'[i]}, `.repeat(7)}*${'abcdefg'[i]}]`).join('\n')}`,
    ],
    ['names of objects of the language', '__proto__: { region: x }\nconstructor: 1\ntoString: 2\n'],
    [
      'a controller of such a name',
      'controllers: [{ name: constructor }, __proto__, { name: gke, __proto__: 1, toString: 2 }]',
    ],
    ['no YAML', '{{ .Values.controllers }}'],
    ['a tab', 'a:\n\tb: c'],
    ['no text', Uint8Array.of(0xff, 0xfe, 0x61, 0)],
    ['a control character', 'region: "a\u0007b'],
    ['keys that are lists', '? [a]\n: b'],
    ['numbers for keys', '1: 2\n3.5: 4'],
    [
      'nulls everywhere',
      'controllers: [null, { name: null }]\nnodePools: { a: { labels: { b: null } }, c: null }\naccepted: [null]\nexclude: [null]',
    ],
    ['a number beyond all numbers', 'strimzi: 1e999'],
    ['a line that is long', `region: ${'x'.repeat(100_000)}\nkubernetes: '${'1.'.repeat(1000)}'`],
  ])('%s is a mistake in words', (name, content) => {
    const { mistakes } = readContext(FILE, content);
    if (name !== 'a line that is long' || mistakes.length > 0) expect(mistakes).not.toEqual([]);
    for (const { what, remedy, place } of mistakes) {
      expect(place.line).toBeGreaterThan(0);
      expect(place.column).toBeGreaterThan(0);
      expect(`${what}; ${remedy}`).toMatch(/^[^\n]{10,400}$/);
      expect(`${what}; ${remedy}`).not.toMatch(/undefined|\[object|TypeError|at .*\.ts/);
    }
    expect(({} as Record<string, unknown>).region).toBeUndefined();
  });
});

describe('a file that is right but for one change', () => {
  const parts = casesIn(__dirname, 'context-file.yaml').parts;
  const changed = fc
    .tuple(fc.nat(WANTED.length), fc.nat(12), fc.array(fc.constantFrom(...parts), { maxLength: 3 }))
    .map(([at, length, put]) => WANTED.slice(0, at) + put.join('') + WANTED.slice(at + length));

  it('is read, or has mistakes in words within its lines', () => {
    fc.assert(
      fc.property(changed, (text) => {
        const { context, mistakes } = readContext(FILE, text);
        expect(context === undefined).toBe(mistakes.length > 0);
        const lines = text.split(/\r\n|\r|\n/).length;
        for (const { what, remedy, place } of mistakes) {
          expect(place.line).toBeLessThanOrEqual(lines);
          expect(`${what}; ${remedy}`).toMatch(/^[^\n]{10,400}$/);
          expect(`${what}; ${remedy}`).not.toMatch(/undefined|\[object|TypeError|is not a function/);
        }
      }),
      { numRuns: tries(200), seed: 15 },
    );
  });
});

describe('where the file is', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'context-'));
    mkdirSync(join(folder, 'k8s', 'edge'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const foundFrom = (...path: string[]) => {
    const found = contextFileAbove(join(folder, ...path));
    return found && join(process.cwd(), found).slice(folder.length + 1);
  };

  it('is the folder, or the nearest one above', () => {
    expect(foundFrom('k8s', 'edge')).toBeUndefined();
    writeFileSync(join(folder, CONTEXT_FILE), 'region: eu-west-1');
    expect(foundFrom('k8s', 'edge')).toBe(CONTEXT_FILE);
    writeFileSync(join(folder, 'k8s', CONTEXT_FILE), 'region: eu-west-1');
    expect(foundFrom('k8s', 'edge')).toBe(join('k8s', CONTEXT_FILE));
    expect(foundFrom()).toBe(CONTEXT_FILE);
  });

  it('is passed over where it holds manifests, or is a folder', () => {
    writeFileSync(join(folder, CONTEXT_FILE), 'region: eu-west-1');
    writeFileSync(join(folder, 'k8s', CONTEXT_FILE), 'apiVersion: v1\nkind: Service\nmetadata: { name: echo }\n');
    mkdirSync(join(folder, 'k8s', 'edge', CONTEXT_FILE));
    expect(foundFrom('k8s', 'edge')).toBe(CONTEXT_FILE);
  });

  it('is read, or why it is not', () => {
    const file = join(folder, CONTEXT_FILE);
    expect(readContextFile(file).mistakes[0].what).toMatch(/^it cannot be read: ENOENT/);
    writeFileSync(file, 'region: eu-west-1');
    expect(readContextFile(file).context?.region).toBe('eu-west-1');
    writeFileSync(file, '#'.repeat(1_000_001));
    expect(readContextFile(file)).toEqual({
      mistakes: [
        {
          place: { file, line: 1, column: 1 },
          what: 'it has 1000001 bytes, and is no context file',
          remedy: 'name another one',
        },
      ],
    });
  });
});
