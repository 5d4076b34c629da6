import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './support/command';
import { expectGolden, expectNoStrayGoldens, goldens, patched } from './support/goldens';
import { runExample } from './support/pasted-page';

const FOLDER = join(__dirname, 'goldens');

test.each(Object.entries(goldens))('golden: %s', (name, yaml) => expectGolden(FOLDER, name, yaml()));

test('every golden is of a known case', () => expectNoStrayGoldens(FOLDER, Object.keys(goldens)));

test('a patch of lines that a golden does not have is an error', () => {
  const patch = '--- a.yaml\n+++ b.yaml\n@@ -2 +2,2 @@\n-b\n+c\n+d\n';
  expect(patched('a\nb\n', patch)).toBe('a\nc\nd\n');
  expect(() => patched('a\ne\n', patch)).toThrow('line 2 is not');
});

const examples = ['aks', 'eks', 'eks-adopted', 'pinned-elsewhere'];

test.each(examples)('the example %s writes what an operator would apply', (example) => {
  const { files } = runExample(example);
  expect(Object.keys(files)).not.toEqual([]);
  for (const [file, yaml] of Object.entries(files)) {
    expectGolden(join(FOLDER, 'examples'), file.replace(/\.yaml$/, ''), yaml);
  }
});

describe('command snapshots', () => {
  // The whole output of each command in each format, over the examples: a change of words, places or layout is reviewed here as text.
  // UPDATE_GOLDENS=1 npx jest test/goldens.test writes the files anew.

  const FOLDER = join(__dirname, 'goldens', 'commands');
  const AWS = ['--controllers', 'aws-load-balancer-controller,cloud-provider-aws'];
  const INTERNAL = 'test/goldens/aws-load-balancer-controller-ip-internal.yaml';
  const PUBLIC = 'test/goldens/aws-load-balancer-controller-ip-public-dual-stack.yaml';

  const FORMATS: Readonly<Record<string, readonly [formats: readonly string[], args: readonly string[]]>> = {
    check: [['text', 'json', 'sarif', 'github', 'junit'], ['examples/yaml']],
    list: [['text', 'json'], ['examples/yaml']],
    report: [['text', 'json', 'markdown'], ['examples/yaml']],
    explain: [
      ['text', 'json'],
      ['edge/echo', 'examples/yaml/echo.yaml'],
    ],
    diff: [
      ['text', 'json', 'markdown', 'github'],
      [INTERNAL, PUBLIC, ...AWS],
    ],
  };

  const golden = (example: string) => `test/goldens/examples/${example}.k8s.yaml`;
  const STORIES = ['cleanup', 'finalizers', 'node-pool', 'traffic-policy'];

  const ROWS: readonly (readonly [string, readonly string[]])[] = [
    ...Object.entries(FORMATS).flatMap(([command, [formats, args]]) =>
      formats.map((format) => [`${command}.${format}`, [command, ...args, '--format', format]] as const),
    ),
    ...STORIES.flatMap((story) =>
      ['check', 'list', 'report'].map(
        (command) => [`${command}.story.${story}`, [command, `examples/stories/${story}/before.yaml`]] as const,
      ),
    ),
    ['diff.sku', ['diff', golden('aks-basic'), golden('aks-multiple'), '--controllers', 'cloud-provider-azure']],
    ['diff.cloud', ['diff', golden('gke'), golden('hetzner'), '--controllers', 'gke,hcloud-cloud-controller-manager']],
    ['check.tenants', ['check', 'examples/stories/tenants']],
    ['diff.verbose', ['diff', INTERNAL, PUBLIC, ...AWS, '--verbose']],
    ['explain.verbose', ['explain', 'edge/echo', 'examples/yaml', '--verbose']],
    ['explain.trace', ['explain', '--trace', 'examples/yaml/echo.yaml']],
    ['explain.mermaid', ['explain', '--trace', '--format', 'mermaid', 'examples/yaml/kafka.yaml']],
    ['explain.rule', ['explain', 'azure-sctp-unsupported']],
    ['explain.finalizer', ['explain', 'service.k8s.aws/resources']],
    ['explain.change', ['explain', 'orphaned-finalizer-dropped']],
  ];

  test.each(ROWS)('%s', (name, args) => {
    const { out, error, code } = run(...args);
    const text = [`$ cdk8s-load-balancers ${args.join(' ')}`, `exit code ${code}`, '', out, error].join('\n');
    const file = join(FOLDER, `${name}.txt`);
    if (process.env.UPDATE_GOLDENS === '1') writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  test('every snapshot is of a row', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(ROWS.map(([name]) => `${name}.txt`).sort());
  });
});
