import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ALL_SPEC_FEATURES, loadAssemblyFromPath } from '@jsii/spec';
import { buildSync } from 'esbuild';
import * as ts from 'typescript';

// The packed library in a folder where nothing lies but what a user installs: no AWS CDK, no cdk8s-plus, no sources.

const CONSUMER = process.env.CONSUMER as string;
const INSTALLED = join(CONSUMER, 'node_modules', 'cdk8s-load-balancers');

const read = (file: string) => readFileSync(join(INSTALLED, file), 'utf8');

const ASSEMBLY = loadAssemblyFromPath(INSTALLED, true, [...ALL_SPEC_FEATURES]);

/** Its types, of which there are hundreds. */
const TYPES = Object.values(ASSEMBLY.types ?? {});

/** The classes and enums of the assembly: what there is of the surface when a program runs. */
const NAMES = TYPES.filter(({ kind }) => kind !== 'interface')
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
  const files = TYPES.map(({ locationInModule }) => locationInModule?.filename ?? '');
  expect(files.filter((file) => !file.startsWith('src/'))).toEqual([]);
  expect(files.filter((file) => file.startsWith('src/cli/'))).toEqual([]);
  expect(TYPES.filter(({ name }) => HIDDEN.includes(name))).toEqual([]);
  const pages = readFileSync(join(__dirname, '..', '..', 'API.md'), 'utf8');
  expect(HIDDEN.filter((name) => pages.includes(name))).toEqual([]);
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

test('an ES module loads the classes that it could import, and not the tables behind them', () => {
  const program = `import { NodePools } from 'cdk8s-load-balancers'; import { createRequire } from 'node:module';
    console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache).filter((file) => NodePools && file.includes('/lib/'))));`;
  const files = (printedBy('loaded.mjs', program) as string[]).flatMap(
    (file) => /cdk8s-load-balancers\/(lib\/.*)/.exec(file)?.[1] ?? [],
  );
  expect(files).toContain('lib/nodes/node-pools.factories.js');
  expect(
    files.filter((file) =>
      /controllers\/.*(annotations|edits\.facts|upgrades\.facts|made|rules[^/]*|kinds[^/]*)\.js$/.test(file),
    ),
  ).toEqual([]);
  expect(files.filter((file) => file.endsWith('index.js'))).toEqual(['lib/index.js']);
  expect(files.length).toBeLessThan(NAMES.length);
});

test('an ES module gets its classes from one file, and they are those that are required', () => {
  const program = `import * as imported from 'cdk8s-load-balancers'; import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    const required = require('cdk8s-load-balancers');
    const { NodePools } = require('cdk8s-load-balancers/lib/nodes/node-pools.factories');
    console.log(JSON.stringify({
      others: Object.keys(required).filter((name) => required[name] !== imported[name]),
      isOwn: NodePools === imported.NodePools,
      files: Object.keys(require.cache).filter((file) => file.endsWith('/lib/every-class.js')).length,
    }));`;
  expect(printedBy('one-file.mjs', program)).toEqual({ others: [], isOwn: true, files: 1 });
});

test('a loader that hands Node the texts of modules loads each from its own file', () => {
  const load = `import { readFileSync } from 'node:fs'; import { fileURLToPath } from 'node:url';
    export async function load(url, context, next) {
      const loaded = await next(url, context);
      return loaded.format === 'commonjs' ? { ...loaded, source: readFileSync(fileURLToPath(url)) } : loaded;
    }`;
  const hook = `data:text/javascript,${encodeURIComponent(load)}`;
  writeFileSync(
    join(CONSUMER, 'hook.mjs'),
    `import { register } from 'node:module'; register(${JSON.stringify(hook)});`,
  );
  const program = join(CONSUMER, 'hooked.mjs');
  writeFileSync(
    program,
    `import { KubernetesVersion } from 'cdk8s-load-balancers'; console.log(KubernetesVersion.of('1.34').version);`,
  );
  const args = ['--no-warnings', '--import', './hook.mjs', program];
  expect(execFileSync(process.execPath, args, { cwd: CONSUMER, encoding: 'utf8' })).toBe('1.34\n');
});

test('a bundler needs no file of many classes', () => {
  const program = join(CONSUMER, 'bundled.mjs');
  writeFileSync(
    program,
    `import { KubernetesVersion } from 'cdk8s-load-balancers'; console.log(KubernetesVersion.of('1.34').version);`,
  );
  const { outputFiles, metafile } = buildSync({
    entryPoints: [program],
    bundle: true,
    platform: 'node',
    write: false,
    metafile: true,
  });
  expect(Object.keys(metafile.inputs).filter((file) => file.includes('every-class'))).toEqual([]);
  const bundled = join(CONSUMER, 'bundled.cjs');
  writeFileSync(bundled, outputFiles[0].text);
  expect(execFileSync(process.execPath, [bundled], { encoding: 'utf8' })).toBe('1.34\n');
});

test('what is said of a Service does not depend on the controllers that a program loads', () => {
  const program = `
    const chart = new Chart(new App(), 'edge', { namespace: 'edge' });
    const annotations = { 'service.beta.kubernetes.io/aws-load-balancer-scheme': 'internal' };
    const acme = { name: 'acme', bind: () => ({ owner: 'acme', annotations, answers: {} }) };
    const service = new LoadBalancedService(chart, 'Public', { controller: acme, selector: { app: 'echo' }, ports: [{ port: 443 }] });
    service.addJsonPatch(JsonPatch.replace('/spec/type', 'ClusterIP'));
    console.log(JSON.stringify(LoadBalancers.of(chart).warnings.map(({ finding }) => finding.ruleId)));`;
  const [core, library] = ['{ App, Chart, JsonPatch }', '{ LoadBalancedService, LoadBalancers }'];
  const required = `const ${core} = require('cdk8s'); const ${library} = require('cdk8s-load-balancers');`;
  const imported = `import ${core} from 'cdk8s'; import ${library} from 'cdk8s-load-balancers';`;
  expect(printedBy('kinds.cjs', required + program)).toEqual(['annotation-on-wrong-type']);
  expect(printedBy('kinds.mjs', imported + program)).toEqual(['annotation-on-wrong-type']);
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
     require(library + 'lib/cli/main').main(['node', 'command', 'check', ${JSON.stringify(manifest)}]);
     delete process.stdout.write`;
  expect(loadedBy(program)).toEqual(['lib/cli/main.js']);
  const licences = read('lib/cli/main.licences.txt').match(/^[\w-]+ \d+\.\d+\.\d+$/gm);
  expect(licences?.map((line) => line.split(' ')[0])).toEqual([
    ...['cdk8s', 'fast-json-patch', 'commander', 'constructs', 'picomatch', 'yaml'],
  ]);
});
