import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { ROOT } from '../../scripts/docs/files';
import { fencesIn } from '../../scripts/docs/snippets';
import { filesWritten } from './apps';

// The examples of the README as programs that run.

export const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

const IMPORT = /^import \{ ([^}]*) \} from '([^']+)';$/gm;
export const [FIRST_EXAMPLE, ...FURTHER_EXAMPLES] = fencesIn(README).map(([, , source]) => source);

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
export function manifestsOf(program: string): string {
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

/** The program of the first example, which another one continues. */
export function continuedBy(example: string): string {
  const [begin, end] = FIRST_EXAMPLE.split(/^(?=app\.synth)/m);
  return together(begin, example, end);
}

/** The example that makes a construct. */
export function exampleOf(construct: string): string {
  return FURTHER_EXAMPLES.find((source) => source.includes(`new ${construct}(`)) ?? '';
}
