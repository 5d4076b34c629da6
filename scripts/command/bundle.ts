import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { ROOT } from '../docs/files';

/** What a package says of its licence, by the names of its files. */
const LICENCES = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'NOTICE'];

/** The command in one file. */
export interface BundledCommand {
  readonly text: string;
  /** The folders of the packages that it has something of. */
  readonly packages: readonly string[];
}

export function bundledCommand(): BundledCommand {
  return bundled({ entryPoints: ['src/cli/main.ts'], format: 'cjs' });
}

/** What an ES module lacks of what the sources use. */
const COMMONJS = `import nodeModule from 'node:module';
const { filename: __filename, dirname: __dirname } = import.meta;
const require = nodeModule.createRequire(__filename);
nodeModule.enableCompileCache?.();`;

/** The command as one ES module that Node runs by itself, with the licences of all that is in it. */
export function singleFile(version: string): string {
  const { text, packages } = bundled({
    stdin: { contents: "import { main } from './src/cli/main'; main(process.argv);", resolveDir: ROOT },
    format: 'esm',
    define: { SINGLE_FILE: JSON.stringify(version) },
  });
  const notice = `cdk8s-load-balancers ${version}, Apache-2.0; the licences of all that is in this file are at its end`;
  const comment = licencesOf(packages).replaceAll('*/', '* /');
  return `#!/usr/bin/env node\n// ${notice}\n${COMMONJS}\n${text}/*\n${comment}*/\n`;
}

function bundled(options: BuildOptions): BundledCommand {
  const { outputFiles = [], metafile } = buildSync({
    ...options,
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    minify: true,
    legalComments: 'none',
    // cdk8s brings an older one of its own, and that for Node.js reads the environment at each token
    alias: { yaml: join(ROOT, 'node_modules', 'yaml', 'browser', 'index.js') },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  });
  const folders = Object.keys(metafile?.inputs ?? {}).flatMap(
    (file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  );
  return { text: outputFiles[0].text, packages: [...new Set(folders)].sort() };
}

/** A package whose code is in what is published. */
export interface Licensed {
  readonly name: string;
  readonly version: string;
  /** As its package.json names it. */
  readonly licence: string;
  /** Its own files about it. */
  readonly texts: readonly string[];
}

/** @throws where a package has no file about its licence */
export function licenceOf(folder: string): Licensed {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const files = LICENCES.map((file) => join(ROOT, folder, file)).filter((file) => existsSync(file));
  if (files.length === 0) {
    throw new Error(`${folder} is in the command, and has no file about its licence; ask its authors, or use another`);
  }
  return { name, version, licence: license, texts: files.map((file) => readFileSync(file, 'utf8').trim()) };
}

/** The texts of the licences of packages, each below its name and version. */
export function licencesOf(folders: readonly string[]): string {
  return folders
    .map(licenceOf)
    .map(({ name, version, texts }) => [`${name} ${version}`, '', ...texts, ''].join('\n'))
    .join('\n');
}
