import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as ts from 'typescript';

// The packed library in a folder where nothing lies but what a user installs: no AWS CDK, no cdk8s-plus, no sources.

const CONSUMER = process.env.CONSUMER as string;
const INSTALLED = join(CONSUMER, 'node_modules', 'cdk8s-load-balancers');

const read = (file: string) => readFileSync(join(INSTALLED, file), 'utf8');

/** The classes and enums of the assembly: what there is of the surface when a program runs. */
const NAMES = Object.values(JSON.parse(read('.jsii')).types as Record<string, { name: string; kind: string }>)
  .filter(({ kind }) => kind !== 'interface')
  .map(({ name }) => name)
  .sort();

/** What cdk8s loads by its name, and no language sees. */
const HIDDEN = ['LoadBalancerValidation'];

/** What a program in the user's folder prints, as JSON. */
function printedBy(name: string, program: string): unknown {
  writeFileSync(join(CONSUMER, name), program);
  return JSON.parse(execFileSync(process.execPath, [name], { cwd: CONSUMER, encoding: 'utf8' }));
}

/** The files of the library that a program has loaded. */
function loadedBy(program: string): string[] {
  const library = JSON.stringify(`${INSTALLED}/`);
  return printedBy(
    'loaded.cjs',
    `const library = require('node:fs').realpathSync(${library}) + '/';
     ${program};
     const files = Object.keys(require.cache).filter((file) => file.startsWith(library));
     console.log(JSON.stringify(files.map((file) => file.slice(library.length))));`,
  ) as string[];
}

test('an ES module imports every name', () => {
  const names = NAMES.join(', ');
  const program = `import { ${names} } from 'cdk8s-load-balancers'; const all = { ${names} };`;
  const print = 'console.log(JSON.stringify(Object.keys(all).filter((name) => all[name] === undefined)));';
  expect(printedBy('every-name.mjs', `${program} ${print}`)).toEqual([]);
});

test('a CommonJS module requires the same names, and what is hidden', () => {
  const program = `console.log(JSON.stringify(Object.keys(require('cdk8s-load-balancers')).sort()));`;
  expect(printedBy('every-name.cjs', program)).toEqual([...NAMES, ...HIDDEN].sort());
});

test('no other language sees what cdk8s alone loads', () => {
  const types = JSON.parse(read('.jsii')).types as Record<
    string,
    { name: string; locationInModule: { filename: string } }
  >;
  const files = Object.values(types).map(({ locationInModule }) => locationInModule.filename);
  expect(files.filter((file) => file.startsWith('src/checks/'))).toEqual([]);
  expect(Object.values(types).filter(({ name }) => HIDDEN.includes(name))).toEqual([]);
  expect(HIDDEN.filter((name) => read('API.md').includes(name))).toEqual([]);
});

test('to load the library is to load its index alone', () => {
  expect(loadedBy(`require('cdk8s-load-balancers')`)).toEqual(['lib/index.js']);
});

test.each([
  ['NodePools', /^lib\/(index|(nodes|contract)\/.*)\.js$/],
  ['MetalLb', /^lib\/(index|(controllers|contract|rules)\/.*)\.js$/],
  ['AwsIdentity', /^lib\/(index|(identity|contract|rules)\/.*)\.js$/],
])('who uses %s loads no other room', (name, files) => {
  expect(loadedBy(`require('cdk8s-load-balancers').${name}`).filter((file) => !files.test(file))).toEqual([]);
});

test('the declarations hold under the strictest settings, in an ES module', () => {
  const program = join(CONSUMER, 'strict.mts');
  writeFileSync(program, `import { ${NAMES.join(', ')} } from 'cdk8s-load-balancers'; export const all = [${NAMES}];`);
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    noEmit: true,
    types: [],
  };
  // those of cdk8s are its own
  const ours = ts
    .getPreEmitDiagnostics(ts.createProgram([program], options))
    .filter(({ file }) => !file || !/node_modules\/(?!cdk8s-load-balancers\/)/.test(relative(CONSUMER, file.fileName)));
  expect(
    ours.map(({ file, messageText }) => [file?.fileName, ts.flattenDiagnosticMessageText(messageText, ' ')]),
  ).toEqual([]);
});

test('the command runs with what the package brings', () => {
  const command = join(INSTALLED, 'bin', 'cdk8s-load-balancers');
  expect(execFileSync(process.execPath, [command, '--help'], { cwd: CONSUMER, encoding: 'utf8' })).toContain('list');
});

test('a check loads one file, which says beside it what it has of others', () => {
  const manifest = join(CONSUMER, 'service.yaml');
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'echo' }, spec: { ports: [{ port: 80 }] } };
  writeFileSync(manifest, JSON.stringify(service));
  const program = `process.stdout.write = () => true;
     require(library + 'lib/checks/main').main(['node', 'command', 'check', ${JSON.stringify(manifest)}]);
     delete process.stdout.write`;
  expect(loadedBy(program)).toEqual(['lib/checks/main.js']);
  const licences = read('lib/checks/main.licences.txt').match(/^[\w-]+ \d+\.\d+\.\d+$/gm);
  expect(licences?.map((line) => line.split(' ')[0])).toEqual([
    ...['cdk8s', 'fast-json-patch', 'commander', 'constructs', 'picomatch', 'yaml'],
  ]);
});

const PUBLISHED =
  /^(lib\/.*\.(js|d\.ts)|lib\/checks\/main\.licences\.txt|assets\/.*\.js|bin\/cdk8s-load-balancers|node_modules\/(yaml|commander|picomatch)\/.*|schema\/load-balancers\.schema\.json|\.jsii|LICENSE|(README|API|docs\/reference\/api\/\w+)\.md|package\.json)$/;

test('nothing is published that no user needs', () => {
  const files = readdirSync(INSTALLED, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(INSTALLED, join(entry.parentPath, entry.name)));
  expect(files.filter((file) => !PUBLISHED.test(file))).toEqual([]);
});

test('every link of the reference of the API holds in the package', () => {
  const pages = [
    'API.md',
    ...readdirSync(join(INSTALLED, 'docs/reference/api')).map((page) => `docs/reference/api/${page}`),
  ];
  const broken = pages.flatMap((page) => {
    const links = [...read(page).matchAll(/\]\((?!https:)([^)#\s]+)/g)].map(([, link]) => join(dirname(page), link));
    return links.filter((link) => !existsSync(join(INSTALLED, link))).map((link) => `${page}: ${link}`);
  });
  expect(pages.length).toBeGreaterThan(5);
  expect(broken).toEqual([]);
});

test('no link in the README of the other languages needs the repository around it', () => {
  const readme: string = JSON.parse(read('.jsii')).readme.markdown.replace(/^```.*?^```$/gms, '');
  const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
  expect(links).not.toEqual([]);
  expect(links.filter((link) => !/^(https:|#)/.test(link))).toEqual([]);
});
