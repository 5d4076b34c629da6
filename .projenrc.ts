import { cdk8s, github, javascript, release, TextFile, typescript } from 'projen';

/** A script of this project, run from its source. */
const tsx = (script: string) => `tsx --tsconfig tsconfig.scripts.json ${script}`;

const REPOSITORY = 'https://github.com/cdk8s-load-balancers/cdk8s-load-balancers';

/** What the library is written for, from the oldest to the newest: `npm run test:languages` tests both ends. */
const SUPPORTED = {
  cdk8s: '2.70.0',
  constructs: '10.5.0',
  // optional for users
  'aws-cdk-lib': '2.250.0',
  'cdk8s-plus-27': '2.9.5',
  'cdk8s-plus-34': '2.0.0',
};

const MAY_ATTEST = {
  idToken: github.workflows.JobPermission.WRITE,
  attestations: github.workflows.JobPermission.WRITE,
};

/** Says which run of which commit made files; npm has this of its own. A module of Go is a tag of git, and no file. */
function attested(files: string): github.workflows.JobStep {
  return {
    name: 'Attest where it was made',
    if: `\${{ !inputs.dry_run }}`,
    // v3.0.0
    uses: 'actions/attest-build-provenance@977bb373ede98d70efdf65b84cb5f73e068dcc2a',
    with: { 'subject-path': files },
  };
}

const project = new cdk8s.ConstructLibraryCdk8s({
  name: 'cdk8s-load-balancers',
  description:
    'Load balancers on Kubernetes, written as code: typed, checked at synth, right for the controller that owns them',
  author: 'cdk8s-load-balancers maintainers',
  authorAddress: 'https://github.com/cdk8s-load-balancers',
  repositoryUrl: `${REPOSITORY}.git`,
  homepage: REPOSITORY,
  bugsUrl: `${REPOSITORY}/issues`,
  keywords: ['cdk8s', 'kubernetes', 'load balancer', 'nlb', 'eks', 'aks', 'gke', 'metallb', 'kafka'],
  defaultReleaseBranch: 'main',
  packageManager: javascript.NodePackageManager.NPM,
  projenrcTs: true,
  projenrcTsOptions: { projenCodeDir: '.projen', runner: typescript.TypeScriptRunner.tsx() },
  minNodeVersion: '20.16.0',
  jsiiVersion: '~6.0.0',
  typescriptVersion: '~6.0.0',
  // the oldest supported versions: tests run on them
  cdk8sVersion: SUPPORTED.cdk8s,
  constructsVersion: SUPPORTED.constructs,
  devDeps: [
    // in the files of the command and of lib/yaml.js
    'yaml@^2.9.1',
    'commander@^14.0.3',
    'picomatch@^4.0.3',
    `cdk8s-plus-27@^${SUPPORTED['cdk8s-plus-27']}`,
    `cdk8s-plus-34@^${SUPPORTED['cdk8s-plus-34']}`,
    `aws-cdk-lib@^${SUPPORTED['aws-cdk-lib']}`,
    // reads the assembly, compressed or not; of the jsii that compiles
    '@jsii/spec@^1.140.0',
    'cdk8s-cli@^2.207.60',
    'esbuild@^0.28.2',
    'fast-check@^4.10.2',
    'pyright@^1.1.414',
    // the JSON schema of SARIF, which its package alone ships
    '@microsoft/jest-sarif@1.0.0-beta.0',
    // reads schema/annotations, as an editor does; 2.0 needs Node.js 22
    'yaml-language-server@1.25.0',
    'vscode-jsonrpc@8.2.0',
    '@xmldom/xmldom@^0.9.12',
    'ajv@^8.20.0',
    '@types/picomatch@^4.0.3',
    // parsers of Go and Java, for scripts/facts
    '@vscode/tree-sitter-wasm@0.3.1',
  ],
  publishToPypi: {
    distName: 'cdk8s-load-balancers',
    module: 'cdk8s_load_balancers',
    trustedPublishing: true,
    postPublishSteps: [attested('dist/python/*')],
  },
  publishToMaven: {
    javaPackage: 'io.github.cdk8sloadbalancers',
    mavenGroupId: 'io.github.cdk8s-load-balancers',
    mavenArtifactId: 'cdk8s-load-balancers',
    postPublishSteps: [attested('dist/java/**/*.jar')],
  },
  publishToGo: { moduleName: 'github.com/cdk8s-load-balancers/cdk8s-load-balancers-go' },
  compressAssembly: true,
  publishToNuget: {
    dotNetNamespace: 'Cdk8sLoadBalancers',
    packageId: 'Cdk8sLoadBalancers',
    trustedPublishing: true,
    postPublishSteps: [attested('dist/dotnet/*.nupkg')],
  },
  // pull requests run .ci/run, in a workflow of our own: see the end of this file
  githubOptions: { mergify: false, pullRequestLint: false },
  buildWorkflow: false,
  pullRequestTemplate: false,
  // the version and its notes are those of CHANGELOG.md
  releaseTrigger: release.ReleaseTrigger.workflowDispatch(),
  jsiiReleaseVersion: '0.2.1061',
  // npm publishes without a token from 11.5 on, which Node.js 24 brings
  workflowNodeVersion: '24.x',
  npmTrustedPublishing: true,
  depsUpgrade: false,
  // API.md is an index: the task docgen below
  docgen: false,
  sampleCode: false,
  biome: true,
  biomeOptions: {
    version: '2.5.15',
    biomeConfig: {
      formatter: { indentStyle: javascript.biome_config.IndentStyle.SPACE, lineWidth: 120 },
      javascript: { formatter: { quoteStyle: javascript.biome_config.QuoteStyle.SINGLE } },
      files: {
        includes: [
          'examples/**/*.ts',
          'bench/**/*.ts',
          'scripts/**/*.ts',
          'programs/**/*.ts',
          '!examples/dist',
          '!test/consumers/expected',
        ],
      },
    },
  },
  jestOptions: {
    updateSnapshot: javascript.UpdateSnapshot.NEVER,
    junitReporting: false,
    jestConfig: {
      collectCoverage: false,
      testTimeout: 60_000,
      moduleNameMapper: { '^cdk8s-load-balancers$': '<rootDir>/src/index.ts' },
      testEnvironment: '<rootDir>/test/setup/environment.cjs',
      globalSetup: '<rootDir>/test/setup/temporary-files.ts',
      setupFiles: ['<rootDir>/test/setup/quiet.cjs'],
      setupFilesAfterEnv: ['<rootDir>/test/setup/record-findings.ts'],
      // suites of their own, which need Go, or the compiled library
      testPathIgnorePatterns: [
        ...['/node_modules/', '/dist/', '/test/cluster/', '/test/aws/', '/test/haproxy/', '/test/envoy/'],
        ...['/test/kyverno/', '/test/package/', '/test/prometheus/', '/test/page/', '/test/consumers/'],
        ...['/test/workflows/', '/test/site/', '/test/renderers/'],
        // what takes long: npm run test:deep
        '[.]deep[.]test[.]ts$',
      ],
    },
  },
  tsconfig: { compilerOptions: { inlineSourceMap: false, inlineSources: false } },
  tsconfigDev: {
    compilerOptions: { paths: { 'cdk8s-load-balancers': ['../src/index.ts'] } },
  },
  gitignore: ['/examples/dist/', '/bench/.work/', '.venv/', '.jsii.tabl.json', '.jsii.gz', 'tsconfig.tsbuildinfo'],
  npmIgnoreOptions: {
    ignorePatterns: [
      ...['/examples/', '/bench/', '/scripts/', '/programs/', '/.ci/', '/rosetta/', '/releases/', '/facts/'],
      ...[
        '/SECURITY.md',
        '/CONTRIBUTING.md',
        '/action.yml',
        '/.pre-commit-hooks.yaml',
        '/Dockerfile',
        '/.dockerignore',
      ],
      // declarations have the docstrings, and the README leads to the docs
      '/docs/',
      ...['/biome.jsonc', '/measure.budget.json', '/tsconfig.scripts.json', '.jsii.tabl.json'],
    ],
  },
});

// packages whose newest platform builds not every registry mirror carries
project.package.addPackageResolutions('unrs-resolver@1.11.1');
// no line of cdk8s-plus: the library imports none, and takes the objects of each
project.package.addField('peerDependenciesMeta', { 'aws-cdk-lib': { optional: true } });
// npm has no field for ranges of what is optional and no dependency of jsii
project.package.addField(
  'supports',
  Object.fromEntries(Object.entries(SUPPORTED).map(([name, oldest]) => [name, `^${oldest}`])),
);
project.package.addBin({ 'cdk8s-load-balancers': 'bin/cdk8s-load-balancers', 'kubectl-lb': 'bin/kubectl-lb' });
// what jsii-pacmak writes into the wheel, and projen has no option for
const jsii = project.package.manifest.jsii;
project.package.addField('jsii', {
  ...jsii,
  targets: {
    ...jsii.targets,
    python: {
      ...jsii.targets.python,
      classifiers: [
        'Intended Audience :: System Administrators',
        'Topic :: Software Development :: Code Generators',
        'Topic :: System :: Networking',
      ],
    },
  },
  metadata: { jsii: { rosetta: { strict: true } } },
});
// the version is that of the changelog, and not counted from the words of commits
const bump = project.tasks.tryFind('bump');
bump?.reset(tsx('scripts/bump.ts'));
if (bump) {
  bump.description =
    'Sets the version of package.json to that of CHANGELOG.md, and writes what a release needs into dist/';
}
project.tasks.removeTask('bump:releasable-commits');
project.deps.removeDependency('commit-and-tag-version');
project.tasks.addEnvironment('JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION', '20');

// tests are transpiled without types: those are a step of their own
Object.assign(project.jest?.config ?? {}, {
  transform: { '^.+\\.ts$': '<rootDir>/test/setup/transpile.cjs' },
  runtime: '<rootDir>/test/setup/runtime.cjs',
});
project.deps.removeDependency('ts-jest');
project.testTask.reset('jest --ci --maxWorkers=100%', { receiveArgs: true });
project.testTask.exec('biome check');

// one tsconfig for what runs from its sources: examples, benchmark, scripts
new TextFile(project, 'tsconfig.scripts.json', {
  lines: [
    '{',
    '  "extends": "./tsconfig.json",',
    '  "compilerOptions": { "rootDir": ".", "noEmit": true, "paths": { "cdk8s-load-balancers": ["./src/index.ts"] } },',
    '  "include": ["examples/**/*.ts", "bench/**/*.ts", "scripts/**/*.ts", "programs/**/*.ts", ".projenrc.ts", "src/**/*.ts"],',
    '  "exclude": ["node_modules", "examples/dist"]',
    '}',
  ],
});

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
  description:
    'What this repository comes to; --save FILE keeps it, --against FILE says what is gone and what is new, --budget fails above measure.budget.json',
  exec: tsx('scripts/measure.ts'),
  receiveArgs: true,
});
project.addTask('findings', {
  description:
    'Compares the findings of two test runs, or lists all messages by rule; a run is recorded with RECORD_FINDINGS=FILE',
  exec: tsx('scripts/findings.ts'),
  receiveArgs: true,
});
project.addTask('corpus', {
  description:
    'Checks every file of a folder by itself: findings by level and rule, crashes, and the share of mistakes.tsv that is named',
  exec: tsx('scripts/corpus.ts'),
  receiveArgs: true,
});
project.addTask('fuzz', {
  description:
    'Runs every command on 20,000 seeded mutants of manifests: no stack trace, no hang over 2 s, exit codes as documented; N --seed S for others',
  exec: tsx('scripts/fuzz.ts'),
  receiveArgs: true,
});
project.addTask('test:deep', {
  description: 'Tests that take long, and those of npm test that try a part of some values, on all of them',
  exec: `DEEP=1 jest --ci --maxWorkers=100% --testPathIgnorePatterns /node_modules/ --runTestsByPath $(find test -name '*.test.ts' '(' -name '*.deep.test.ts' -o -exec grep -q '[^n]tries(' '{}' ';' ')' -print)`,
});
project.addTask('test:plus', {
  description: 'The tests with workloads of cdk8s-plus, on its newest line instead of the oldest one',
  exec: `jest --ci --maxWorkers=100% --moduleNameMapper='${JSON.stringify({
    '^cdk8s-load-balancers$': '<rootDir>/src/index.ts',
    '^cdk8s-plus-27$': 'cdk8s-plus-34',
  })}' --runTestsByPath $(grep -rl "from 'cdk8s-plus-27'" test --include='*.test.ts')`,
});
project.addTask('test:package', {
  description:
    'What is published, as its users have it: every export by import and by require, types, files, links, schemas in an editor',
  exec: tsx('scripts/test-suite.ts package'),
  receiveArgs: true,
});
project.addTask('test:python', {
  description: 'A controller written in Python binds a Service; needs Python 3.10+ with venv and pip',
  exec: tsx('scripts/test-python.ts'),
});
project.addTask('test:languages', {
  description:
    'One app in every language, as its users have it, writes the same bytes; names of languages choose among them, --update writes what is expected',
  exec: tsx('scripts/test-languages.ts'),
  receiveArgs: true,
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
project.addTask('replay', {
  description:
    'Walks traces of the model of a load balancer on a real API server and service controller, 500 unless told; needs Go 1.26+',
  exec: tsx('scripts/replay.ts'),
  receiveArgs: true,
});
project.addTask('pairs', {
  description:
    'Holds what diff says of 10,000 seeded pairs of manifests against the model, and of one thousand, unless told, against the API server; needs Go 1.26+; --mutate shows which wrong rows of the model are noticed',
  exec: tsx('scripts/pairs.ts'),
  receiveArgs: true,
});
project.addTask('test:aws', {
  description: 'The real cloud controller manager of AWS against a fake AWS; needs Go 1.26+ and Python 3.10+',
  exec: tsx('scripts/test-suite.ts aws'),
  receiveArgs: true,
});
project.addTask('test:haproxy', {
  description:
    'The real HAProxy with what tenants share at it: its configuration, and connections on loopback; needs HAProxy and Go 1.26+',
  exec: tsx('scripts/test-suite.ts haproxy'),
  receiveArgs: true,
});
project.addTask('bench:envoy', {
  description:
    'The real Envoy behind what the library writes against Envoy with the same routes written by hand, and 200 tenants with 10 ports; needs what test:envoy needs',
  exec: tsx('bench/envoy.ts'),
  receiveArgs: true,
});
project.addTask('test:envoy', {
  description:
    'The real Envoy Gateway and its Envoys with what tenants share at them, with connections that are counted; needs Linux, Go 1.26+ and Python 3.10+',
  exec: tsx('scripts/test-suite.ts envoy'),
  receiveArgs: true,
});
project.addTask('test:kyverno', {
  description:
    'The class default by Kyverno itself and by the API server: the same requests, and the same Services afterwards; needs Go 1.26+',
  exec: tsx('scripts/test-suite.ts kyverno'),
  receiveArgs: true,
});
project.addTask('test:page', {
  description: 'The page of a report in a real Chromium: light, dark, narrow, by keyboard; needs Chromium',
  exec: tsx('scripts/test-suite.ts page'),
  receiveArgs: true,
});
project.addTask('docs:screenshot', {
  description: 'Takes the picture of a report that the docs have; needs Chromium',
  exec: tsx('scripts/test-suite.ts page'),
  env: { UPDATE_DOCS: '1' },
});
project.addTask('docs:site', {
  description:
    'Makes the site of the docs in dist/site, with search and every snippet in every language; needs Python 3.11+',
  exec: tsx('scripts/docs-site.ts'),
});
project.addTask('test:site', {
  description:
    'The site of the docs in a real Chromium: links, search, tabs, dark, narrow; needs Chromium and Python 3.11+',
  exec: tsx('scripts/test-suite.ts site'),
  receiveArgs: true,
});
project.addTask('docs:pictures', {
  description: 'Draws the pictures of the docs, docs/images/*.svg, from what the library says',
  exec: tsx('scripts/pictures/write.ts'),
});
project.addTask('test:prometheus', {
  description:
    'Alerts on recorded series in Prometheus itself, those on which they fire and those on which they must not; needs promtool',
  exec: tsx('scripts/test-suite.ts prometheus'),
  receiveArgs: true,
});
project.addTask('test:workflows', {
  description: 'Workflow files against actionlint; needs Go 1.26+',
  exec: tsx('scripts/test-suite.ts workflows'),
  receiveArgs: true,
});
project.addTask('test:renderers', {
  description: 'Every command on a repository of two clouds that kustomize and helm render; needs Go 1.26+',
  exec: tsx('scripts/test-suite.ts renderers'),
  receiveArgs: true,
});
project.addTask('programs', {
  description: 'Bundles the programs that run in a pod, programs/, into assets/',
  exec: tsx('scripts/programs/write.ts'),
});
const bundle = project.addTask('bundle', {
  description:
    'Makes dist/cdk8s-load-balancers.mjs, the command in one file that Node.js runs by itself; needs no compiled library',
  exec: tsx('scripts/bundle.ts'),
});
project.packageTask.spawn(bundle);
project.addTask('types', {
  description: 'Type-checks everything that jsii does not compile: projenrc, tests, examples, benchmark, scripts',
  steps: [{ exec: 'tsc --noEmit -p tsconfig.scripts.json' }, { exec: 'tsc --noEmit -p test/tsconfig.json' }],
});
project.addTask('lifecycle', {
  description: 'Looks at every interleaving of the model of a load balancer and writes its table; --check compares',
  exec: tsx('scripts/lifecycle.ts'),
  receiveArgs: true,
});
// npm and pre-commit install a repository of git by this script: the command is made, and nothing else is compiled
project.setScript('prepare', 'node scripts/prepare.js');
// reads a release of a controller, and says what it changes of the facts; no task, which would end with 1 whatever the command says
project.setScript('facts', tsx('scripts/facts.ts'));
project.addTask('api:diff', {
  description: 'Compares the API of the compiled library with that of the last release; each break needs a reason',
  exec: tsx('scripts/api-diff.ts'),
});
project.addTask('release:class', {
  description:
    'Says what the changes since the last release make the next one, and fails where CHANGELOG.md has a lower version',
  exec: tsx('scripts/release-class.ts'),
});
project.addTask('release:baseline', {
  description: 'Makes the API of the compiled library and the goldens those of the last release',
  exec: tsx('scripts/release-class.ts --save'),
});
project.preCompileTask.spawn(
  project.addTask('descriptors', {
    description: 'Generates annotations, options and facts of controllers from their descriptor.yaml',
    exec: tsx('scripts/descriptors.ts'),
  }),
);
const docgen = project.addTask('docgen', {
  description: 'Generates API.md, the index of the API, from the compiled library',
  exec: tsx('scripts/docgen.ts'),
});
const docs = project.addTask('docs', {
  description: 'Generates docs/reference from the catalogues',
  exec: tsx('scripts/generate-docs.ts'),
});
const lazy = project.addTask('lazy', {
  description:
    'Makes every compiled module load what it imports, and every index what it exports, when it is first asked for',
  steps: ['lazy-requires', 'lazy-exports', 'every-class'].map((name) => ({ exec: `node scripts/${name}.js` })),
});
project.compileTask.spawn(lazy);
project.compileTask.exec('node scripts/absolute-links.js');
project.compileTask.exec(tsx('scripts/bundle-command.ts'));
project.compileTask.exec('node scripts/slim-library.js');
const snippets = project.addTask('snippets', {
  description: 'Compiles every snippet of the README, the docstrings and the docs pages (rosetta, strict)',
  exec: tsx('scripts/check-snippets.ts'),
});
project.postCompileTask.spawn(docgen);
project.postCompileTask.spawn(docs);
project.postCompileTask.spawn(snippets);
project.gitattributes.addAttributes('/API.md', 'linguist-generated');
project.gitattributes.addAttributes('/docs/reference/**', 'linguist-generated');
project.gitattributes.addAttributes('/facts/*.json', 'linguist-generated');
for (const name of ['annotations', 'options', 'descriptor.facts']) {
  project.gitattributes.addAttributes(`/src/controllers/*/${name}.ts`, 'linguist-generated');
}
// what jsii-pacmak does by itself needs a module proxy that serves all of jsii, and the .NET SDK
for (const [language, description] of [
  ['go', 'Create go language bindings: generated, formatted, and compiled where the runtime of jsii can be had'],
  ['dotnet', 'Create dotnet language bindings: packed where there is the .NET SDK, and code where there is none'],
]) {
  const task = project.tasks.tryFind(`package:${language}`);
  task?.reset(tsx(`scripts/package-${language}.ts`));
  Object.assign(task ?? {}, { description });
}
// where rosetta translated no snippets since the library was compiled, a package would have its README in TypeScript
const condition = `node -e "${[
  'const at = (file) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0',
  "process.exit(at('.jsii.tabl.json') > at('.jsii') ? 1 : 0)",
].join('; ')}"`;
for (const language of ['java', 'python', 'dotnet', 'go']) {
  project.tasks.tryFind(`package:${language}`)?.prependSpawn(snippets, { condition });
}
project.addTask('package:sizes', {
  description: 'The sizes of the packages in dist, or of those of one language: packed, unpacked, and how many files',
  exec: tsx('scripts/package-sizes.ts'),
  receiveArgs: true,
});
for (const language of ['js', 'java', 'python', 'go', 'dotnet']) {
  project.tasks.tryFind(`package:${language}`)?.exec(tsx(`scripts/package-sizes.ts ${language}`));
}

// what is in the package, for those who audit it
project.packageTask.spawn(
  project.addTask('sbom', {
    description: 'Writes dist/sbom.cdx.json: the software of others that is in the package, as CycloneDX',
    exec: tsx('scripts/sbom.ts'),
  }),
);
// the single file and the formula are beside the notes of a release, and the site is that of the last release
const afterRelease = {
  needs: ['release', 'release_github'],
  if: "needs.release.outputs.tag_exists != 'true' && needs.release.outputs.latest_commit == github.sha",
  runsOn: ['ubuntu-latest'],
};
const released = github.WorkflowSteps.downloadArtifact({
  with: { artifactIds: [`\${{ needs.release.outputs.artifact_id }}`], path: 'dist' },
});
project.release?.addJobs({
  release_site: {
    ...afterRelease,
    name: 'Publish the site',
    permissions: {
      contents: github.workflows.JobPermission.READ,
      pages: github.workflows.JobPermission.WRITE,
      idToken: github.workflows.JobPermission.WRITE,
    },
    environment: { name: 'github-pages', url: `\${{ steps.deploy.outputs.page_url }}` },
    tools: { node: { version: '24.x' }, python: { version: '3.12' } },
    steps: [
      github.WorkflowSteps.checkout(),
      released,
      { name: 'Install', run: 'npm ci' },
      // snippets compile against the library of the release
      {
        name: 'Extract the library',
        run: 'tar --strip-components=1 -xzf dist/js/*.tgz package/lib package/.jsii package/.jsii.gz',
      },
      { name: 'Make the site', run: 'npm run docs:site' },
      // v5.0.0
      {
        name: 'Upload',
        uses: 'actions/upload-pages-artifact@fc324d3547104276b827a68afc52ff2a11cc49c9',
        with: { path: 'dist/site' },
      },
      {
        name: 'Configure',
        if: `\${{ !inputs.dry_run }}`,
        // v5.0.0
        uses: 'actions/configure-pages@983d7736d9b0ae728b81ab479565c72886d7745b',
      },
      {
        name: 'Deploy',
        id: 'deploy',
        if: `\${{ !inputs.dry_run }}`,
        // v5.0.0
        uses: 'actions/deploy-pages@cd2ce8fcbc39b97be8ca5fce6e763baed58fa128',
      },
    ],
  },
  release_bundle: {
    ...afterRelease,
    name: 'Attach the single file',
    permissions: { contents: github.workflows.JobPermission.WRITE, ...MAY_ATTEST },
    steps: [
      released,
      attested('dist/cdk8s-load-balancers.*\ndist/sbom.cdx.json'),
      {
        name: 'Attach',
        if: `\${{ !inputs.dry_run }}`,
        env: { GH_TOKEN: `\${{ github.token }}` },
        run: 'gh release upload "$(cat dist/releasetag.txt)" dist/cdk8s-load-balancers.* dist/sbom.cdx.json --clobber --repo "$GITHUB_REPOSITORY"',
      },
    ],
  },
});

const releaseFile = project.github?.tryFindWorkflow('release')?.file;
for (const job of ['maven', 'pypi', 'nuget']) {
  releaseFile?.addOverride(`jobs.release_${job}.permissions.id-token`, 'write');
  releaseFile?.addOverride(`jobs.release_${job}.permissions.attestations`, 'write');
}
// projen installs versions without support; these compile for Java 8 and .NET 6 as well, which jsii asks for
releaseFile?.addOverride('jobs.release_maven.steps.0.with.java-version', '17');
releaseFile?.addOverride('jobs.release_nuget.steps.1.with.dotnet-version', '8.x');

// what is held before a change is merged, on all that it can need
const build = project.github?.addWorkflow('build');
build?.on({ pullRequest: {}, push: { branches: ['main'] }, workflowDispatch: {} });
build?.addJob('build', {
  runsOn: ['ubuntu-latest'],
  permissions: { contents: github.workflows.JobPermission.READ },
  tools: { node: { version: '20.x' }, go: { version: '1.26.x' }, python: { version: '3.12' }, java: { version: '21' } },
  timeoutMinutes: 180,
  steps: [github.WorkflowSteps.checkout(), { name: 'All that must hold', run: '.ci/run' }],
});

// once a week the newest release of each product is read, and an issue says what it changes of the facts
const upstreams = {
  'aws-load-balancer-controller': 'kubernetes-sigs/aws-load-balancer-controller',
  strimzi: 'strimzi/strimzi-kafka-operator',
  'cloud-provider-aws': 'kubernetes/cloud-provider-aws',
  'cloud-provider-azure': 'kubernetes-sigs/cloud-provider-azure',
  'hcloud-cloud-controller-manager': 'hetznercloud/hcloud-cloud-controller-manager',
  metallb: 'metallb/metallb',
  'envoy-gateway': 'envoyproxy/gateway',
};
// what is installed runs without it
const GITHUB = { GH_TOKEN: `\${{ github.token }}` };
const facts = project.github?.addWorkflow('facts');
facts?.on({ schedule: [{ cron: '23 5 * * 1' }], workflowDispatch: {} });
facts?.addJob('read', {
  runsOn: ['ubuntu-latest'],
  permissions: { contents: github.workflows.JobPermission.READ, issues: github.workflows.JobPermission.WRITE },
  strategy: {
    failFast: false,
    matrix: { include: Object.entries(upstreams).map(([product, repository]) => ({ product, repository })) },
  },
  tools: { node: { version: '20.x' } },
  env: {
    PRODUCT: `\${{ matrix.product }}`,
    UPSTREAM: `\${{ matrix.repository }}`,
  },
  steps: [
    github.WorkflowSteps.checkout(),
    { name: 'Install', run: 'npm ci' },
    {
      name: 'Read the newest release beside the one that is recorded',
      env: GITHUB,
      run: `old=v$(jq -r '.releases[-1]' "facts/$PRODUCT.json")
new=$(gh release list --repo "$UPSTREAM" --exclude-pre-releases --limit 100 --json tagName --jq '.[].tagName' \\
  | grep -E '^v?[0-9]+[.][0-9]+[.][0-9]+$' | sort -V | tail -n 1)
case "$new" in v*) ;; *) old=$(echo "$old" | cut -c 2-) ;; esac
echo "TAG=$new" >> "$GITHUB_ENV"
if [ "$old" = "$new" ]; then echo "$PRODUCT $new is recorded"; exit 0; fi
for tag in "$old" "$new"; do
  git clone --quiet --depth 1 --branch "$tag" "https://github.com/$UPSTREAM" "$RUNNER_TEMP/$tag"
done
npx tsx --tsconfig tsconfig.scripts.json scripts/facts.ts "$PRODUCT" "$RUNNER_TEMP/$new" --release "$new" \\
  --against "$RUNNER_TEMP/$old" --against-release "$old" > "$RUNNER_TEMP/report.md"
cat "$RUNNER_TEMP/report.md" >> "$GITHUB_STEP_SUMMARY"`,
    },
    {
      name: 'Open an issue, once for each release',
      env: GITHUB,
      run: `report="$RUNNER_TEMP/report.md"
if [ ! -f "$report" ]; then exit 0; fi
export TITLE="facts: $PRODUCT $TAG"
found=$(gh issue list --state all --search "in:title $TITLE" --json title --jq 'map(select(.title == env.TITLE)) | length')
if [ "$found" = 0 ]; then
  # an issue holds 65,536 characters
  head -c 60000 "$report" > "$report.short"
  gh issue create --title "$TITLE" --body-file "$report.short"
fi`,
    },
  ],
});
// repositories of operators and vendors are in one issue, which is written anew
facts?.addJob('cited', {
  runsOn: ['ubuntu-latest'],
  permissions: { contents: github.workflows.JobPermission.READ, issues: github.workflows.JobPermission.WRITE },
  tools: { node: { version: '20.x' } },
  steps: [
    github.WorkflowSteps.checkout(),
    { name: 'Install', run: 'npm ci' },
    {
      name: 'Read the newest release of each repository beside the revision that is cited',
      env: GITHUB,
      run: `jq -r '.[] | [.repository, .revision] | @tsv' facts/cited.json | while read -r repository old; do
  case "$old" in *.*) begin=$(echo "$old" | sed -E 's/v?[0-9].*//') ;; *) begin= ;; esac
  new=$(gh release list --repo "$repository" --exclude-pre-releases --limit 100 --json tagName --jq '.[].tagName' < /dev/null \\
    | grep -E "^$begin" | head -n 1 || true)
  if [ -z "$new" ] || [ "$new" = "$old" ]; then continue; fi
  clone=$(mktemp -d)
  git clone --quiet --filter=blob:none --no-checkout "https://github.com/$repository" "$clone/git"
  # what is cited may be newer than the newest release
  if git -C "$clone/git" merge-base --is-ancestor "$new" "$old"; then continue; fi
  git -C "$clone/git" worktree add --quiet --detach "$clone/old" "$old" \\
    && git -C "$clone/git" worktree add --quiet --detach "$clone/new" "$new" \\
    && npx tsx --tsconfig tsconfig.scripts.json scripts/facts.ts "$repository" "$clone/new" --release "$new" \\
      --against "$clone/old" --against-release "$old" < /dev/null >> "$RUNNER_TEMP/report.md" \\
    || echo "$repository was not compared: $old with $new" >> "$RUNNER_TEMP/report.md"
  rm -rf "$clone"
done
if [ -f "$RUNNER_TEMP/report.md" ]; then cat "$RUNNER_TEMP/report.md" >> "$GITHUB_STEP_SUMMARY"; fi`,
    },
    {
      name: 'Write the issue',
      env: GITHUB,
      run: `report="$RUNNER_TEMP/report.md"
if [ ! -f "$report" ]; then exit 0; fi
export TITLE="facts: repositories of operators and vendors"
# an issue holds 65,536 characters
head -c 60000 "$report" > "$report.short"
found=$(gh issue list --state open --search "in:title $TITLE" --json number,title --jq 'map(select(.title == env.TITLE))[0].number // empty')
if [ -n "$found" ]; then
  gh issue edit "$found" --body-file "$report.short"
else
  gh issue create --title "$TITLE" --body-file "$report.short"
fi`,
    },
  ],
});

project.synth();
