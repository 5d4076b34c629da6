// The sizes of every package in dist, packed and unpacked; after a package:LANGUAGE, of those of the language alone.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filesIn, type PackedFile } from './packages/archive';

const DIST = join(__dirname, '..', 'dist');

/** What is published of a language; of Go it is the code. */
const ARCHIVES: Readonly<Record<string, RegExp>> = {
  js: /\.tgz$/,
  python: /\.(whl|tar\.gz)$/,
  java: /\.jar$/,
  dotnet: /\.s?nupkg$/,
};

function below(folder: string): PackedFile[] {
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
  return files
    .map((file) => ({ name: join(folder, file), stat: statSync(join(folder, file)) }))
    .filter(({ stat }) => stat.isFile())
    .map(({ name, stat }) => ({ name, bytes: stat.size }));
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;

const sum = (files: readonly PackedFile[]) => files.reduce((bytes, file) => bytes + file.bytes, 0);

function lineOf(name: string, packed: string, files: readonly PackedFile[]): string {
  return [
    name.padEnd(56),
    packed.padStart(10),
    megabytes(sum(files)).padStart(10),
    String(files.length).padStart(7),
  ].join('');
}

/** A line an archive; one for the code, where that is published or nothing packed it. */
function linesOf(language: string): string[] {
  const files = below(join(DIST, language));
  const archives = files.filter(({ name }) => ARCHIVES[language]?.test(name));
  if (archives.length > 0) {
    return archives.map(({ name, bytes }) => lineOf(`${language}, ${basename(name)}`, megabytes(bytes), filesIn(name)));
  }
  return files.length > 0 ? [lineOf(`${language}, code`, '', files)] : [];
}

const asked = process.argv.slice(2);
const languages = asked.length > 0 ? asked : [...Object.keys(ARCHIVES), 'go'];
const lines = languages.flatMap(linesOf);
const head = ['package'.padEnd(56), 'packed'.padStart(10), 'unpacked'.padStart(10), 'files'.padStart(7)].join('');
process.stdout.write(`${(lines.length > 0 ? [head, ...lines] : ['there is no package in dist']).join('\n')}\n`);
