import { cdk8s, javascript, TextFile, typescript } from 'projen';

const project = new cdk8s.ConstructLibraryCdk8s({
  name: 'cdk8s-load-balancers',
  description:
    'Load balancers on Kubernetes, written as code: typed, checked at synth, right for the controller that owns them',
  author: 'cdk8s-load-balancers maintainers',
  authorAddress: 'maintainers@cdk8s-load-balancers.example',
  repositoryUrl: 'https://github.com/cdk8s-load-balancers/cdk8s-load-balancers.git',
  keywords: ['cdk8s', 'kubernetes', 'load balancer', 'nlb', 'eks', 'aks', 'gke', 'metallb', 'kafka'],
  defaultReleaseBranch: 'main',
  packageManager: javascript.NodePackageManager.NPM,
  projenrcTs: true,
  projenrcTsOptions: { projenCodeDir: '.projen', runner: typescript.TypeScriptRunner.tsx() },
  minNodeVersion: '20.16.0',
  jsiiVersion: '~6.0.0',
  typescriptVersion: '~6.0.0',
  // the oldest supported versions: tests run on them
  cdk8sVersion: '2.70.0',
  constructsVersion: '10.5.0',
  bundledDeps: ['yaml@^2.9.1', 'commander@^14.0.3', 'picomatch@^4.0.3'],
  devDeps: [
    'cdk8s-plus-27@^2.9.5',
    'aws-cdk-lib@^2.250.0',
    'cdk8s-cli@^2.207.60',
    'esbuild@^0.28.2',
    'fast-check@^4.10.2',
    'pyright@^1.1.414',
    // the JSON schema of SARIF, which its package alone ships
    '@microsoft/jest-sarif@1.0.0-beta.0',
    '@xmldom/xmldom@^0.9.12',
    'ajv@^8.20.0',
    '@types/picomatch@^4.0.3',
  ],
  publishToPypi: { distName: 'cdk8s-load-balancers', module: 'cdk8s_load_balancers' },
  publishToMaven: {
    javaPackage: 'io.github.cdk8sloadbalancers',
    mavenGroupId: 'io.github.cdk8s-load-balancers',
    mavenArtifactId: 'cdk8s-load-balancers',
  },
  publishToGo: { moduleName: 'github.com/cdk8s-load-balancers/cdk8s-load-balancers-go' },
  publishToNuget: { dotNetNamespace: 'Cdk8sLoadBalancers', packageId: 'Cdk8sLoadBalancers' },
  github: false,
  release: false,
  depsUpgrade: false,
  // API.md is an index, with a page a room: the task docgen below
  docgen: false,
  sampleCode: false,
  biome: true,
  biomeOptions: {
    version: '2.5.15',
    biomeConfig: {
      formatter: { indentStyle: javascript.biome_config.IndentStyle.SPACE, lineWidth: 120 },
      javascript: { formatter: { quoteStyle: javascript.biome_config.QuoteStyle.SINGLE } },
      files: { includes: ['examples/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts', '!examples/dist'] },
    },
  },
  jestOptions: {
    updateSnapshot: javascript.UpdateSnapshot.NEVER,
    junitReporting: false,
    jestConfig: {
      collectCoverage: false,
      testTimeout: 60_000,
      moduleNameMapper: { '^cdk8s-load-balancers$': '<rootDir>/src/index.ts' },
      globalSetup: '<rootDir>/test/setup/temporary-files.ts',
      setupFiles: ['<rootDir>/test/setup/quiet.cjs'],
      // looked up through the global object of a test they cost a third of the time of all tests
      sandboxInjectedGlobals: ['Array', 'Object', 'Number', 'String', 'Map', 'Set', 'JSON'],
      // suites of their own, which need Go, or the compiled library
      testPathIgnorePatterns: [
        ...['/node_modules/', '/dist/', '/test/cluster/', '/test/aws/', '/test/haproxy/', '/test/package/'],
        ...['/test/prometheus/', '/test/page/'],
      ],
    },
  },
  tsconfig: { compilerOptions: { inlineSourceMap: false, inlineSources: false } },
  tsconfigDev: {
    compilerOptions: { paths: { 'cdk8s-load-balancers': ['../src/index.ts'] } },
  },
  gitignore: ['/examples/dist/', '/bench/.work/', '.venv/', '.jsii.tabl.json', 'tsconfig.tsbuildinfo'],
  npmIgnoreOptions: {
    ignorePatterns: [
      ...['/examples/', '/bench/', '/scripts/', '/.ci/', '/rosetta/'],
      // of the docs the reference of the API is published, to which API.md leads
      ...['/docs/*', '!/docs/reference/', '/docs/reference/*', '!/docs/reference/api/'],
      ...['/biome.jsonc', '/tsconfig.scripts.json', '.jsii.tabl.json'],
    ],
  },
});

// packages whose newest platform builds not every registry mirror carries
project.package.addPackageResolutions('unrs-resolver@1.11.1');
project.package.addField('peerDependenciesMeta', {
  'aws-cdk-lib': { optional: true },
  'cdk8s-plus-27': { optional: true },
});
project.package.addBin({ 'cdk8s-load-balancers': 'bin/cdk8s-load-balancers' });
project.package.addField('jsii', {
  ...(project.package.manifest.jsii as object),
  metadata: { jsii: { rosetta: { strict: true } } },
});
project.tasks.addEnvironment('JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION', '20');

// tests are transpiled without types: those are a step of their own
Object.assign(project.jest?.config ?? {}, { transform: { '^.+\\.ts$': '<rootDir>/test/setup/transpile.cjs' } });
project.deps.removeDependency('ts-jest');
project.testTask.reset('jest --ci', { receiveArgs: true });
project.testTask.exec('biome check');

// one tsconfig for what runs from its sources: examples, benchmark, scripts
new TextFile(project, 'tsconfig.scripts.json', {
  lines: [
    '{',
    '  "extends": "./tsconfig.json",',
    '  "compilerOptions": { "rootDir": ".", "noEmit": true, "paths": { "cdk8s-load-balancers": ["./src/index.ts"] } },',
    '  "include": ["examples/**/*.ts", "bench/**/*.ts", "scripts/**/*.ts", ".projenrc.ts", "src/**/*.ts"],',
    '  "exclude": ["node_modules", "examples/dist"]',
    '}',
  ],
});

const tsx = (script: string) => `tsx --tsconfig tsconfig.scripts.json ${script}`;
project.addTask('example', {
  description: 'cdk8s synth over the apps in examples/, then what was decided for every Service and why',
  exec: tsx('examples/run.ts'),
});
project.addTask('bench', {
  description:
    'Speed as ratios of one run against cdk8s alone and cdk8s-plus; writes bench/result.json; --quick for a third of the time',
  exec: tsx('bench/bench.ts'),
  receiveArgs: true,
});
project.addTask('measure', {
  description: 'What this repository comes to; --save FILE keeps it, --against FILE says what is gone and what is new',
  exec: tsx('scripts/measure.ts'),
  receiveArgs: true,
});
project.addTask('corpus', {
  description:
    'Checks every file of a folder by itself: findings by level and rule, crashes, and the share of mistakes.tsv that is named',
  exec: tsx('scripts/corpus.ts'),
  receiveArgs: true,
});
project.addTask('test:package', {
  description: 'What is published, as its users have it: every export by import and by require, types, files, links',
  exec: tsx('scripts/test-package.ts'),
  receiveArgs: true,
});
project.addTask('test:python', {
  description: 'A controller written in Python binds a Service; needs Python 3.10+ with venv and pip',
  exec: tsx('scripts/test-python.ts'),
});
project.addTask('test:cluster', {
  description:
    'Manifests and finalizers on a real API server and service controller; needs Go 1.26+, and for those of Strimzi a JDK 21+ and Maven',
  exec: tsx('scripts/test-cluster.ts'),
  receiveArgs: true,
});
project.addTask('mutants', {
  description:
    'Holds what rules say of seeded mutants, ten thousand of each group unless told, against the API server; needs Go 1.26+',
  exec: tsx('scripts/mutants.ts'),
  receiveArgs: true,
});
project.addTask('test:aws', {
  description: 'The real cloud controller manager of AWS against a fake AWS; needs Go 1.26+ and Python 3.10+',
  exec: tsx('scripts/test-aws.ts'),
  receiveArgs: true,
});
project.addTask('test:haproxy', {
  description:
    'The real HAProxy with what tenants share at it: its configuration, and connections on loopback; needs HAProxy and Go 1.26+',
  exec: tsx('scripts/test-haproxy.ts'),
  receiveArgs: true,
});
project.addTask('test:page', {
  description: 'The page of a report in a real Chromium: light, dark, narrow, by keyboard; needs Chromium',
  exec: tsx('scripts/test-page.ts'),
  receiveArgs: true,
});
project.addTask('docs:screenshot', {
  description: 'Takes the picture of a report that the docs have; needs Chromium',
  exec: tsx('scripts/test-page.ts'),
  env: { UPDATE_DOCS: '1' },
});
project.addTask('test:prometheus', {
  description:
    'Alerts on recorded series in Prometheus itself, those on which they fire and those on which they must not; needs promtool',
  exec: tsx('scripts/test-prometheus.ts'),
  receiveArgs: true,
});
project.addTask('hook', {
  description: 'Bundles what answers where Services are created at run time into assets/',
  exec: tsx('scripts/hook/write.ts'),
});
project.addTask('types', {
  description: 'Type-checks everything that jsii does not compile: projenrc, tests, examples, benchmark, scripts',
  steps: [{ exec: 'tsc --noEmit -p tsconfig.scripts.json' }, { exec: 'tsc --noEmit -p test/tsconfig.json' }],
});
project.addTask('lifecycle', {
  description:
    'Looks at every interleaving of the model of a load balancer and writes its table; --check compares, --two-writers looks at pairs too',
  exec: tsx('scripts/lifecycle.ts'),
  receiveArgs: true,
});
const docgen = project.addTask('docgen', {
  description: 'Generates API.md and docs/reference/api from the compiled library',
  exec: tsx('scripts/docgen.ts'),
});
const docs = project.addTask('docs', {
  description: 'Generates docs/reference from the catalogues',
  exec: tsx('scripts/generate-docs.ts'),
});
const lazy = project.addTask('lazy', {
  description: 'Makes every compiled index load each of its modules when it is first asked for',
  exec: 'node scripts/lazy-exports.js',
});
project.compileTask.spawn(lazy);
project.compileTask.exec('node scripts/absolute-links.js');
project.compileTask.exec(tsx('scripts/bundle-command.ts'));
const snippets = project.addTask('snippets', {
  description: 'Compiles every snippet of the README, the docstrings and the docs pages (rosetta, strict)',
  exec: tsx('scripts/check-snippets.ts'),
});
project.postCompileTask.spawn(docgen);
project.postCompileTask.spawn(docs);
project.postCompileTask.spawn(snippets);
project.gitattributes.addAttributes('/API.md', 'linguist-generated');
project.gitattributes.addAttributes('/docs/reference/**', 'linguist-generated');
// where rosetta translated no snippets since the library was compiled, a package would have its README in TypeScript
const condition = `node -e "${[
  'const at = (file) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0',
  "process.exit(at('.jsii.tabl.json') > at('.jsii') ? 1 : 0)",
].join('; ')}"`;
for (const language of ['java', 'python', 'dotnet', 'go']) {
  project.tasks.tryFind(`package:${language}`)?.prependSpawn(snippets, { condition });
}

project.synth();
