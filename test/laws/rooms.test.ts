import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { circlesOf } from '../../scripts/measure/budget';
import { importersOf, twoWayPairs } from '../../scripts/measure/source-figures';
import { importsOf, namesIn, nodesOf, parse, programs, type Source, sources, textsIn } from '../support/sources';
import { casesIn, tablesOf } from '../support/yaml-cases';

const tables = tablesOf<Record<string, never>>(join(__dirname, 'rooms.yaml'));

/** Rooms of `src/`, and what each may import beside itself, `constructs` and the small parts of Node. */
const ROOMS: Record<string, readonly string[]> = tables.rooms;

/** The folders from the ground up: none imports one that comes after it, with the types and what is loaded late. */
const ORDER = [
  ...['contract', 'lifecycle', 'cost', 'traffic', 'nodes', 'rules', 'controllers', 'gateway', 'services', 'kafka'],
  ...['tenancy', 'predicted', 'policies', 'identity', 'report', 'diff', 'installations', 'alerts', 'cli'],
];

/** The largest number of files that may all import each other. */
const MOST_IN_CIRCLE = 3;

const EVERYBODY = ['constructs', 'node:net', 'node:crypto'];
const HEAVY = /^(aws-cdk-lib|cdk8s-plus-)/;

/** The one file that knows the types of AWS CDK; it loads it when something is made of it, which a law of its own watches. */
const CDK_LOADER = 'identity/aws-cdk/load-aws-cdk.ts';

/** The command line stays outside the index, and alone reads files and arguments, and runs programs. */
const COMMAND_LINE = 'cli';
const COMMAND_LINE_ONLY = casesIn(__dirname, 'rooms.yaml').commandLineOnly;
/** The one file of its room that is in the index, for cdk8s loads a validation by the name of its package; no other language sees it. */
const PLUGIN = 'cli/synth-plugin';

/** The lock file of ports and what runs beside the library are files. */
const READS_FILES = ['tenancy'];

/** The files that read texts for every room: YAML as the API server will. */
const READERS = ['contract/kubernetes-yaml.ts'];
/** The files outside of these that read some: the manifest that its user names, for its lines, and what is applied. */
const MANIFEST_READERS: Readonly<Record<string, readonly string[]>> = {
  'services/manifest-place.ts': ['node:fs'],
  'diff/app/sides-of-app.ts': ['node:fs', 'node:path'],
};

/** What the model of a balancer's life found, for rules: nothing of the model itself is loaded at synth. */
const VERDICTS_FOR_RULES = './lifecycle/finalizer-verdicts.facts';
const READS_VERDICTS = ['cli/explain/traces.ts', 'rules/finalizer-rules.ts'];

/** The one file of rules that looks for every controller, in the index of their room, for a Service whose owner is not named. */
const FINDS_CONTROLLERS = 'rules/known-kinds.ts';

/** Parts of other rooms that are about vendors. */
const VENDOR_FOLDERS =
  /^(tenancy\/(engines\/|guard\/load-balancer-class-default\.|manifests\/kafka)|alerts\/(controllers|proxies)\/|policies\/(load-balancer-keeper|policy-options|policy\.facts)\.)/;

const VENDOR_ROOMS = casesIn(__dirname, 'rooms.yaml').vendorRooms;
const VENDOR_WORDS = new Set(
  `aws amazon amazonaws eks elb nlb azure aks gke gce gcp google hetzner hcloud metallb digitalocean doks openstack
  octavia magnum linode vultr scaleway ovh exoscale alibaba tencent ibm envoy haproxy kyverno metacontroller banzai banzaicloud karpenter strimzi`.split(
    /\s+/,
  ),
);

const KEY =
  /^([a-z0-9-]+\.)*(kubernetes\.io|k8s\.io|k8s\.aws|amazonaws\.com|gke\.io|google\.com|azure\.com|hetzner\.cloud|metallb\.io|envoyproxy\.io|haproxy\.org|kyverno\.io|universe\.tf|banzaicloud\.io|digitalocean\.com|openstack\.org|karpenter\.sh|eksctl\.io|strimzi\.io)\/[\w.{}-]*$/;
const FACTS = /(^|[./])(annotations|facts)\.ts$/;

/** Tables grow with what upstream has to say; what acts or checks does not. */
const TABLE = /(^|[./])(annotations|options|facts)\.ts$/;

/** What a file imports, without the types of AWS CDK where they are known. */
function importsUnderLaw(source: Source): string[] {
  const all = importsOf(source);
  const files = MANIFEST_READERS[source.path];
  if (files) return all.filter((name) => !files.includes(name));
  if (READS_VERDICTS.includes(source.path)) return all.filter((name) => name !== VERDICTS_FOR_RULES);
  if (source.path === FINDS_CONTROLLERS) return all.filter((name) => name !== './controllers');
  return source.path === CDK_LOADER ? all.filter((name) => !/^aws-cdk-lib(\/|$)/.test(name)) : all;
}

function strangeImports(source: Source): string[] {
  return importsUnderLaw(source).filter((name) => {
    const room = /^\.\/([^/]+)/.exec(name)?.[1];
    if (source.room === COMMAND_LINE) return !room && ![...EVERYBODY, ...COMMAND_LINE_ONLY, 'cdk8s'].includes(name);
    if (source.room === '') return room === undefined || (room === COMMAND_LINE && name !== `./${PLUGIN}`);
    return room
      ? room !== source.room && !ROOMS[source.room].includes(room)
      : ![...EVERYBODY, ...filesFor(source)].includes(name) && !ROOMS[source.room].includes(name);
  });
}

function filesFor({ room, path }: Source): string[] {
  const parsers = READERS.includes(path) ? ['yaml'] : [];
  return READS_FILES.includes(room) ? ['node:fs', 'node:path', ...parsers] : parsers;
}

function vendorWords(source: Source): string[] {
  if (VENDOR_ROOMS.includes(source.room) || VENDOR_FOLDERS.test(source.path) || FACTS.test(source.path)) return [];
  const words = [...namesIn(source), ...textsIn(source)].flatMap((text) =>
    text
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/),
  );
  return [...new Set(words)].filter((word) => VENDOR_WORDS.has(word));
}

function keys(source: Source): string[] {
  return FACTS.test(source.path) ? [] : textsIn(source).filter((text) => KEY.test(text));
}

/** Who uses the library from another language has its command without npx: one file knows how it is named, and examples show whole messages. */
const OWN_COMMAND = ['contract/rule.ts', 'cli/explain/rule-examples.facts.ts'];

function commands(source: Source): string[] {
  return OWN_COMMAND.includes(source.path)
    ? []
    : textsIn(source).filter((text) => /\bnpx |`cdk8s-load-balancers /.test(text));
}

const lines = ({ file }: Source): number => file.getLineAndCharacterOfPosition(file.getEnd()).line;

/** Methods with a leading underscore that classes of this package declare. */
function ownMethods(all: readonly Source[]): Set<string> {
  const methods = all.flatMap(({ file }) => nodesOf(file)).filter((node) => ts.isMethodDeclaration(node));
  return new Set(methods.filter(({ parent }) => ts.isClassLike(parent)).map(({ name }) => name.getText()));
}

function foreignUnderscores({ file }: Source, own: Set<string>): string[] {
  return nodesOf(file)
    .filter((node) => ts.isCallExpression(node))
    .map(({ expression }) => expression)
    .map((called) => {
      if (ts.isPropertyAccessExpression(called)) return called.name.text;
      return ts.isElementAccessExpression(called) ? called.argumentExpression.getText().slice(1, -1) : '';
    })
    .filter((name) => name.startsWith('_') && !own.has(name));
}

const own = ownMethods([...sources, ...programs]);

/** A program has Node and what the tenancy of the library is made of. */
function strangeImportsOfProgram(source: Source): string[] {
  const ofLibrary = ['tenancy', ...ROOMS.tenancy];
  return importsOf(source).filter((name) => {
    const [, room] = /^\.\/\.\.\/src\/([^/]+)/.exec(name) ?? [];
    return room === undefined
      ? !name.startsWith(`./${source.room}/`) && !name.startsWith('node:')
      : !ofLibrary.includes(room);
  });
}

test('every room is known', () => {
  const known = [...Object.keys(ROOMS), COMMAND_LINE, ''];
  expect(sources.filter(({ room }) => !known.includes(room)).map(({ path }) => path)).toEqual([]);
});

test('what rules read of the model is a generated table that imports nothing', () => {
  const table = sources.find(({ path }) => `./${path}` === `${VERDICTS_FOR_RULES}.ts`);
  expect(table && importsOf(table)).toEqual([]);
  expect(table?.file.text.startsWith('// Generated by scripts/lifecycle.ts')).toBe(true);
  expect(sources.filter((one) => importsOf(one).includes(VERDICTS_FOR_RULES)).map(({ path }) => path)).toEqual([
    ...READS_VERDICTS,
  ]);
});

function circlesAbove(all: readonly Source[]): string[][] {
  return circlesOf(importersOf(all)).filter((files) => files.length > MOST_IN_CIRCLE);
}

function importsOfLater(source: Source): string[] {
  return importsOf(source).filter((name) => {
    const room = /^\.\/([^/]+)/.exec(name)?.[1] ?? '';
    const isKnown = source.path === FINDS_CONTROLLERS && room === 'controllers';
    return !isKnown && ORDER.indexOf(room) > ORDER.indexOf(source.room);
  });
}

test('no circle of imports has more than three files', () => {
  expect(circlesAbove(sources)).toEqual([]);
  const four = ['a', 'b', 'c', 'd'].map((name, i, all) =>
    parse(`rules/${name}.ts`, `import type { T } from './${all[(i + 1) % all.length]}';`),
  );
  expect(circlesAbove(four)).toHaveLength(1);
  expect(circlesAbove(four.slice(1))).toEqual([]);
});

test('no folder imports one that comes after it', () => {
  const inFolders = sources.filter(({ room }) => room !== '');
  expect(inFolders.filter(({ room }) => !ORDER.includes(room)).map(({ path }) => path)).toEqual([]);
  expect(inFolders.flatMap((source) => importsOfLater(source).map((name) => `${source.path}: ${name}`))).toEqual([]);
  expect(importsOfLater(parse('rules/wrong.ts', `type Late = import('../services/x').X;`))).toHaveLength(1);
});

test('no two folders of a room import each other, types included', () => expect(twoWayPairs(sources)).toEqual([]));

test('what the command line adds to the index is for this package alone', () => {
  const plugin = sources.find(({ path }) => path === `${PLUGIN}.ts`);
  const exported = (plugin?.file.statements ?? []).filter(
    (node) =>
      ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
  );
  expect(exported.map((node) => ts.isClassDeclaration(node) && node.name?.text)).toEqual(['LoadBalancerValidation']);
  expect(exported.filter((node) => !ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal'))).toEqual(
    [],
  );
});

/** Names that are not words of the field: docs/contributing/style.md. */
const METAPHOR = /judg/i;
const PARTICIPLE =
  /(Seen|Named|Gone|Later|Taken|Told|Said|Given|Made)$|^(seen|gone|later|taken|told|said|given|made|written)(?=[A-Z]|$)|[vV]erdict/;

function exportedNames({ file }: Source): string[] {
  return file.statements
    .filter((node) => ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(isExport))
    .flatMap((node) => (ts.isVariableStatement(node) ? [...node.declarationList.declarations] : [node as NamedNode]))
    .flatMap(({ name }) => name?.getText() ?? []);
}

type NamedNode = ts.Node & { readonly name?: ts.Node };
const isExport = ({ kind }: ts.Node) => kind === ts.SyntaxKind.ExportKeyword;

function unsearchableNames(source: Source): string[] {
  const participles = FACTS.test(source.path) ? [] : exportedNames(source).filter((name) => PARTICIPLE.test(name));
  return [...new Set([source.path, ...namesIn(source)].filter((name) => METAPHOR.test(name))), ...participles];
}

const LAWS: Record<string, (source: Source) => readonly unknown[]> = {
  'imports what its room may import': (source) =>
    programs.includes(source) ? strangeImportsOfProgram(source) : strangeImports(source),
  'has no heavy dependency': (source) => importsUnderLaw(source).filter((name) => HEAVY.test(name)),
  'names no vendor, unless its room is about vendors': vendorWords,
  'spells no key, class or finalizer, unless it is a table of facts': keys,
  'spells no command of this library': commands,
  'calls no method of somebody else that begins with an underscore': (source) => foreignUnderscores(source, own),
  'has names in the words of the field': unsearchableNames,
  'has at most 450 lines, unless it is a table': (source) =>
    TABLE.test(source.path) || lines(source) <= 450 ? [] : [lines(source)],
  'holds export lines only, if it is an index': ({ path, file }) =>
    path.endsWith('index.ts')
      ? file.statements.filter((statement) => !ts.isExportDeclaration(statement)).map((node) => node.getText())
      : [],
};

test.each(Object.entries(LAWS))('every file %s', (_, law) => {
  const broken = [...sources, ...programs].map((source) => [source.path, law(source)] as const);
  expect(Object.fromEntries(broken.filter(([, found]) => found.length > 0))).toEqual({});
});

describe('the laws of the rooms find', () => {
  const wrong = parse(
    'contract/wrong.ts',
    `import type { Rule } from '../rules/rule';
     import { Stack } from 'aws-cdk-lib';
     const lazy = () => require('../controllers/gke');
     type Late = import('../services').LoadBalancedService;
     export const awsKey = 'service.kubernetes.io/wrong';
     export const remedy = 'run \`cdk8s-load-balancers ports\`';
     export const prefix = (name: string) => \`gke.networking.gke.io/\${name}\`;
     stack._toCloudFormation(lazy); stack['_hidden']();`,
  );

  test.each<[string, unknown, unknown]>([
    [
      'an import of a room above, however it is written',
      strangeImports(wrong),
      ['./rules/rule', 'aws-cdk-lib', './controllers/gke', './services'],
    ],
    ['a heavy dependency', importsOf(wrong).filter((name) => HEAVY.test(name)), ['aws-cdk-lib']],
    ['a vendor in a name or a text, and in no import', vendorWords(wrong), ['aws', 'gke']],
    ['a key', keys(wrong), ['service.kubernetes.io/wrong', 'gke.networking.gke.io/']],
    ['a command of this library', commands(wrong), ['run `cdk8s-load-balancers ports`']],
    [
      'a name that is a metaphor or a participle',
      unsearchableNames(
        parse(
          'rules/judge.ts',
          'const unjudged = 1; export const regionSeen = 1; export function told() {} const made = 1;',
        ),
      ),
      ['rules/judge.ts', 'unjudged', 'regionSeen', 'told'],
    ],
    ['a call of a hidden method', foreignUnderscores(wrong, own), ['_toCloudFormation', '_hidden']],
    [
      'the command line in the index of the package',
      strangeImports(parse('index.ts', `export * from './cli/list';`)),
      ['./cli/list'],
    ],
  ])('%s', (_, found, expected) => expect(found).toEqual(expected));
});

test('CONTRIBUTING.md lists the folders in the same order', () => {
  const text = readFileSync(join(__dirname, '../../CONTRIBUTING.md'), 'utf8');
  const [table] = /(?<=## Folders\n)[\s\S]*?(?=\n## )/.exec(text) ?? [''];
  expect([...table.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, folder]) => folder)).toEqual(ORDER);
});

// A platform engineer reads a message once: docs/contributing/style.md. What may not be in one, and what to write instead.

const WORDS: readonly [words: RegExp, instead: string][] = casesIn(__dirname, 'rooms.yaml').words;

const SEEN = ['what', 'remedy', 'says'];

/** Whether a text is in a member or constant that readers see, or in an error that is thrown. */
function isMessage(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) {
    return SEEN.includes(node.name.getText()) || (!ts.isVariableDeclaration(node) && isMessage(node.parent));
  }
  return ts.isThrowStatement(node) || (!ts.isStatement(node) && node.parent !== undefined && isMessage(node.parent));
}

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);

/** The words of messages that are not plain, each with its place. */
function notPlain({ path, file }: Source): string[] {
  return nodesOf(file)
    .filter(isText)
    .filter(({ text }) => WORDS.some(([words]) => words.test(text)))
    .filter(isMessage)
    .flatMap((node) => {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      return WORDS.flatMap(([words, instead]) => {
        const [found] = words.exec(node.text) ?? [];
        return found ? [`src/${path}:${line} '${found}' in '${node.text.trim()}': ${instead}`] : [];
      });
    });
}

const SOURCES = join(__dirname, '..', '..', 'src');

const all = [...sources, ...programs];
const rooms = [...new Set(all.map(({ room }) => room))].filter((room) => room !== '');

test.each(rooms)('messages of %s are in the words of the field', (room) => {
  expect(all.filter((source) => source.room === room).flatMap(notPlain)).toEqual([]);
});

test.each<[string, string[]]>(casesIn(__dirname, 'rooms.yaml')['in is not plain'])(
  'in %s, %j is not plain',
  (text, words) => {
    const found = notPlain(parse('room/file.ts', text));
    expect(found.map((line) => /'([^']+)' in/.exec(line)?.[1])).toEqual(words);
  },
);

/** First words of a comment that make a clause of it where a noun or a verb belongs. */
const CLAUSE =
  /(?:\/\*\*(?:\s*\n\s*\*)? |(?<!\/\/.*\n\s*)\/\/ |\b(?:doc|summary|description): ['"]?)((?:What|Whether|How|Who|Whom|Whose|Which|Why|By which|By what) .*)/g;

const clauses = (text: string): string[] => [...text.matchAll(CLAUSE)].map(([, clause]) => clause);

test('comments and docs begin with a noun or a verb', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(ts|yaml)$/.test(file) && !file.endsWith('.facts.ts'),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(
    files.flatMap((file) => clauses(readFileSync(join(SOURCES, file), 'utf8')).map((clause) => `${file}: ${clause}`)),
  ).toEqual([]);
});

test.each([
  ['/** What a role may do. */', ['What a role may do. */']],
  ['/**\n   * Whether it is public.\n   */', ['Whether it is public.']],
  ['// Rules of ports,\n// Which begin here', []],
  ["doc: 'How long it takes.'", ["How long it takes.'"]],
  ['/** Permissions of a role. */', []],
])('in %j, the clauses are %j', (text, found) => expect(clauses(text)).toEqual(found));
