import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Packed } from './packed';

/** The folder of the apps. */
export const CONSUMERS = join(__dirname, '..', '..', '..', 'test', 'consumers');
const EXPECTED = join(CONSUMERS, 'expected');

/** The finalizer of the controller that an app brings with it. */
export const FINALIZER = 'lb.acme.example/cleanup';

/** What everybody sees who makes the mistake of the small second program. */
export const MISTAKE = readFileSync(join(EXPECTED, 'mistake.txt'), 'utf8').trimEnd();

/** The app of a language in a folder of its own, with the files that it reads. */
export function copyOfApp(packed: Packed, language: string, name = language): string {
  const folder = packed.empty(name);
  cpSync(join(CONSUMERS, language), folder, { recursive: true });
  cpSync(join(CONSUMERS, 'inputs'), folder, { recursive: true });
  return folder;
}

const manifestsIn = (folder: string) =>
  (existsSync(folder) ? readdirSync(folder) : []).filter((file) => file.endsWith('.k8s.yaml')).sort();

/** The names of the manifests that the apps of all languages must write. */
export const expectedManifests = () => manifestsIn(EXPECTED);

/** Where two texts differ first. */
function firstDifference(file: string, written: string, expected: string): string {
  const [ours, theirs] = [written.split('\n'), expected.split('\n')];
  const at = ours.findIndex((line, i) => line !== theirs[i]);
  const line = at < 0 ? ours.length : at;
  return `${file}:${line + 1} is\n${ours[line] ?? '(its end)'}\nand should be\n${theirs[line] ?? '(its end)'}`;
}

/** @throws where the manifests of an app are not, byte by byte, those of every language */
export function mustWriteTheSameBytes(folder: string): void {
  const dist = join(folder, 'dist');
  const [written, expected] = [manifestsIn(dist), expectedManifests()];
  if (written.join() !== expected.join()) {
    throw new Error(`there are ${written.join(', ')}, and there should be ${expected.join(', ')}`);
  }
  for (const file of expected) {
    const [ours, theirs] = [dist, EXPECTED].map((at) => readFileSync(join(at, file), 'utf8'));
    if (ours !== theirs) {
      throw new Error(firstDifference(file, ours, theirs));
    }
  }
}

/** JSON in one order, which languages are free to choose. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(ordered);
  }
  return value !== null && typeof value === 'object'
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, each]) => [key, ordered(each)]),
      )
    : value;
}

const permissionsOf = (folder: string) =>
  JSON.stringify(ordered(JSON.parse(readFileSync(join(folder, 'permissions.json'), 'utf8'))), undefined, 2);

/** @throws where permissions.json of an app is not the JSON of every language */
export function mustWriteTheSamePermissions(folder: string): void {
  const [ours, theirs] = [permissionsOf(folder), permissionsOf(EXPECTED)];
  if (ours !== theirs) {
    throw new Error(firstDifference('permissions.json', ours, theirs));
  }
}

/** Writes what an app has written as what the apps of all languages must write. */
export function expectWhatIsIn(folder: string): void {
  for (const file of manifestsIn(join(folder, 'dist'))) {
    cpSync(join(folder, 'dist', file), join(EXPECTED, file));
  }
  if (permissionsOf(folder) !== permissionsOf(EXPECTED)) {
    cpSync(join(folder, 'permissions.json'), join(EXPECTED, 'permissions.json'));
  }
}

/** A change to one file of an app, as long as something is looked at. */
export function withChange(file: string, from: string, to: string, look: () => void): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) {
    throw new Error(`${file} has no ${from} to change`);
  }
  writeFileSync(file, text.replaceAll(from, to));
  try {
    look();
  } finally {
    writeFileSync(file, text);
  }
}
