import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { ROOT } from '../../scripts/docs/files';
import { fencesIn } from '../../scripts/docs/snippets';
import { filesWritten } from '../support/apps';

// The README is read in two minutes, and what it shows can be pasted.

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

test('the README has at most 205 lines and 1,720 words: what is longer has a page', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(205);
  expect(readme.split(/\s+/).filter((word) => word !== '').length).toBeLessThanOrEqual(1720);
});

test('the README shows a finding first, then the commands, the controllers, the constructs and the stories', () => {
  const order = [
    '**YAML**',
    'check before.yaml',
    'load-balancers diff',
    '## Controllers',
    'new LoadBalancedService',
    'before and after',
  ];
  const places = order.map((text) => readme.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

const IMPORT = /^import \{ ([^}]*) \} from '([^']+)';$/gm;
const [first, ...others] = fencesIn(readme).map(([, , source]) => source);

/** One program of several, which may import the same. */
function together(...sources: string[]): string {
  const names = new Map<string, Set<string>>();
  for (const [, list, module] of sources.join('').matchAll(IMPORT)) {
    const known = names.get(module) ?? new Set();
    names.set(module, new Set([...known, ...list.split(/,\s*/)]));
  }
  const imports = [...names].map(([module, list]) => `import { ${[...list].join(', ')} } from '${module}';`);
  return [...imports, ...sources.map((source) => source.replace(IMPORT, ''))].join('\n');
}

/** The manifests that a program of the README writes, with the files beside it that it names. */
function manifestsOf(program: string): string {
  const here = process.cwd();
  const outdir = process.env.CDK8S_OUTDIR;
  const folder = mkdtempSync(join(tmpdir(), 'readme-'));
  const story = join(ROOT, 'examples', 'stories');
  try {
    mkdirSync(join(folder, 'out'));
    cpSync(join(story, 'node-pool', 'deployment.yaml'), join(folder, 'echo.yaml'));
    cpSync(join(story, 'tenants', 'team-a.yaml'), join(folder, 'team-a.yaml'));
    cpSync(join(story, 'tenants', 'ports.lock.json'), join(folder, 'ports.lock.json'));
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'old' } };
    writeFileSync(
      join(folder, 'service.yaml'),
      JSON.stringify({ ...service, spec: { selector: { app: 'old' }, ports: [{ port: 80 }] } }),
    );
    process.chdir(folder);
    const { code } = transformSync(program, { loader: 'ts', format: 'cjs' });
    const files = filesWritten((out) => {
      process.env.CDK8S_OUTDIR = out;
      new Function('require', code)(require);
    });
    return Object.values(files).join('---\n');
  } finally {
    process.chdir(here);
    if (outdir === undefined) {
      delete process.env.CDK8S_OUTDIR;
    } else {
      process.env.CDK8S_OUTDIR = outdir;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

test('the first example of the README is a whole program', () => {
  expect(manifestsOf(first)).toContain('service.k8s.aws/resources');
});

test.each([
  ['NodepoolPinnedService', 'target-node-labels: eks.amazonaws.com/nodegroup=ingest'],
  ['AdoptedService', 'azure-load-balancer-internal: "true"'],
  ['KafkaLoadBalancedListener', 'type: loadbalancer'],
  ['TenantManifests', 'kind: ListenerSet'],
  ['AwsLoadBalancerControllerInstallation', 'kind: ValidatingWebhookConfiguration'],
])('the example of %s goes on from it, and writes %s', (construct, text) => {
  const example = others.find((source) => source.includes(`new ${construct}(`)) ?? '';
  const [begin, end] = first.split(/^(?=app\.synth)/m);
  expect(manifestsOf(together(begin, example, end))).toContain(text);
});

test('the last example of the README lists what the first one makes', () => {
  const [begin, end] = first.split(/^(?=app\.synth)/m);
  const last = others[others.length - 1];
  expect(last).toContain('failOnWarnings');
  const counted = last.replace(
    'LoadBalancers.of(app).count;',
    "if (LoadBalancers.of(app).count !== 1) throw new Error('not one');",
  );
  expect(manifestsOf(together(begin, counted, end))).toContain('kind: Service');
});
