// Makes the compiled command one file, with all that it uses: to find and read six hundred takes longer than a check of one
// Service. What the file has of other packages is named beside it, with their licences.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';

const ROOT = join(__dirname, '..');
const COMMAND = join(ROOT, 'lib', 'checks', 'main.js');

/** What a package says of its licence, by the names of its files. */
const LICENCES = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'NOTICE'];

const { outputFiles, metafile } = buildSync({
  absWorkingDir: ROOT,
  entryPoints: ['src/checks/main.ts'],
  bundle: true,
  write: false,
  metafile: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  charset: 'utf8',
  minifyWhitespace: true,
  legalComments: 'none',
  // cdk8s brings an older one of its own
  alias: { yaml: join(ROOT, 'node_modules', 'yaml') },
  tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
});
writeFileSync(COMMAND, outputFiles[0].text);

/** The folders of the packages that the file has something of. */
const packages = new Set(
  Object.keys(metafile.inputs).flatMap((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
);
writeFileSync(join(dirname(COMMAND), 'main.licences.txt'), [...packages].sort().map(licenceOf).join('\n'));

function licenceOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const files = LICENCES.map((file) => join(ROOT, folder, file)).filter((file) => existsSync(file));
  if (files.length === 0) {
    throw new Error(`${folder} is in the command, and says nothing of its licence`);
  }
  return [`${name} ${version}`, '', ...files.map((file) => readFileSync(file, 'utf8').trim()), ''].join('\n');
}
