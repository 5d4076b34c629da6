import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isMap } from '../contract/json';
import { itemsOf, readKubernetesYaml } from '../contract/kubernetes-yaml';
import { ownCommand } from '../contract/own-command';
import { printable } from '../contract/printable';
import type { Manifest } from '../rules/manifest-objects';
import type { UnreadableDocument } from './check-report';
import { CONTEXT_FILE } from './context/context-file';
import { isKustomization, patchFilesIn } from './patches';
import { iamPolicyIn } from './written/iam-policy-document';

/** Everything that was read. */
export interface Manifests {
  readonly manifests: Manifest[];
  readonly unreadable: UnreadableDocument[];
  /** Where documents are that are no objects of Kubernetes, such as the values of a chart. */
  readonly strange: string[];
  /** Files that a kustomization lists as patches: what is in them is no object by itself. */
  readonly patchFiles?: Set<string>;
}

/** What is said of YAML for other programs, of which repositories are full. */
export function leftOut(places: readonly string[]): string[] {
  const [first, ...others] = places;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return first === undefined
    ? []
    : [`${printable(first)}${more} left out: without apiVersion and kind it is no object of Kubernetes`];
}

/** Standard input, as kubectl and its friends write it. */
const STANDARD_INPUT = '-';

/** What kubectl reads in a folder. */
const EXTENSIONS = /\.(ya?ml|json)$/;

/** Reads the Kubernetes objects of files, of the YAML and JSON files in folders, and of standard input (`-`). */
export function readManifests(paths: readonly string[]): Manifests {
  const found = { manifests: [], unreadable: [], strange: [], patchFiles: new Set<string>() };
  for (const path of paths) {
    trying(path, found, () => {
      const files = filesIn(path);
      for (const file of files) {
        trying(file, found, () => readManifest(file, found));
      }
      if (files.length === 0) {
        throw new Error('no file that ends with .yaml, .yml or .json is there');
      }
    });
  }
  return found;
}

function trying(file: string, { unreadable }: Manifests, read: () => void): void {
  try {
    read();
  } catch (error) {
    const place = { file, line: 1, column: 1 };
    unreadable.push({
      place,
      what: printable((error as Error).message),
      remedy: 'pass a file or a folder that can be read',
    });
  }
}

function readManifest(file: string, { manifests, unreadable, strange, patchFiles }: Manifests): void {
  const content = readFileSync(file === STANDARD_INPUT ? 0 : file);
  const { values, faults } = readKubernetesYaml(content);
  if (file === STANDARD_INPUT && values.length === 0 && faults.length === 0) {
    const what = 'standard input is empty: the command before it failed, or printed no object';
    unreadable.push({ place: { file, line: 1, column: 1 }, what, remedy: 'run the command before the pipe by itself' });
  }
  const mayBeOfOthers = !content.includes('apiVersion');
  for (const { line, column = 1, what, remedy, isTemplate, isOfOthers } of faults) {
    const chart = isTemplate && chartAround(file);
    if (mayBeOfOthers && !chart && (isOfOthers || file.endsWith('.json'))) {
      strange.push(`${file}:${line}`);
      continue;
    }
    const how = chart && `helm template ${chart} | ${ownCommand('check -')}`;
    // a chart is rendered as a whole
    if (how === undefined || !unreadable.some((one) => one.remedy === rendering(how))) {
      unreadable.push({ place: { file, line, column }, what, remedy: how === undefined ? remedy : rendering(how) });
    }
  }
  for (const { value, line, source } of values.flatMap(itemsOf)) {
    for (const patch of patchFilesIn(file, value)) {
      patchFiles?.add(patch);
    }
    const policy = iamPolicyIn(file, value);
    if (policy) {
      manifests.push({ file, line, object: policy, source });
    } else if (isMap(value) && typeof value.kind === 'string' && typeof value.apiVersion === 'string') {
      manifests.push({ file, line, object: value, source });
    } else if (value !== null && basename(file) !== CONTEXT_FILE && !isKustomization(file)) {
      strange.push(`${file}:${line}`);
    }
  }
}

function rendering(command: string): string {
  return `render the whole chart, and pass what comes out: ${command}`;
}

/** The Helm chart that a file is a template of. */
function chartAround(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'Chart.yaml'))) {
      return folder;
    }
    if (dirname(folder) === folder) {
      return undefined;
    }
  }
}

function filesIn(path: string): string[] {
  const isFolder = path !== STANDARD_INPUT && statSync(path, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? below(path).filter((file) => EXTENSIONS.test(file)) : [path];
}

/** The files below a folder, without those that package managers and version control keep there. */
export function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      const found = entry.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : entry;
      return entry.isDirectory() ? below(path) : found?.isFile() ? [path] : [];
    });
}
