import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isMap, type Json } from '../contract/json';
import { readKubernetesYaml } from '../contract/kubernetes-yaml';
import { itemsOf } from '../contract/list-items';
import { ownCommand } from '../contract/own-command';
import { printable } from '../contract/printable';
import type { Manifest } from '../rules/manifest-objects';
import type { UnreadableDocument } from './check-report';
import { CONTEXT_FILE } from './context/context-file';
import { DISK, type Files } from './files';
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
  /** Documents that are no objects of Kubernetes, and may be what others are made of. */
  readonly documents?: Manifest[];
  /** Documents that are lists, as operations of patches are. */
  readonly lists?: { readonly file: string; readonly values: readonly unknown[] }[];
  /** Files with a List of no objects, as `kubectl get` prints it where there is none. */
  readonly emptyLists?: string[];
  /** What kustomizations say of the objects that they render; it need have no kind. */
  readonly kustomizations?: Manifest[];
}

/** Names YAML for other programs, of which repositories are full. */
export function leftOut(places: readonly string[]): string[] {
  const files = new Set(places.map((place) => place.replace(/:\d+$/, ''))).size;
  return files === 0
    ? []
    : files === 1
      ? [`skipped ${printable(places[0])}, which is not a Kubernetes manifest`]
      : [`skipped ${files} files that are not Kubernetes manifests (first: ${printable(places[0])})`];
}

/** Standard input, as kubectl and its friends write it. */
const STANDARD_INPUT = '-';

/** What kubectl reads in a folder. */
const EXTENSIONS = /\.(ya?ml|json)$/;

/** Reads the Kubernetes objects of files, of the YAML and JSON files in folders, and of standard input (`-`). */
export function readManifests(paths: readonly string[], files: Files = DISK): Manifests {
  const found = {
    manifests: [],
    unreadable: [],
    strange: [],
    patchFiles: new Set<string>(),
    documents: [],
    lists: [],
    emptyLists: [],
    kustomizations: [],
  };
  for (const path of paths) {
    trying(path, found, () => {
      const all = filesIn(path, files);
      for (const file of all) {
        trying(file, found, () => readManifest(file, found, files));
      }
      if (all.length === 0) {
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

function readManifest(
  file: string,
  { manifests, unreadable, strange, patchFiles, documents, lists, emptyLists, kustomizations }: Manifests,
  files: Files,
): void {
  const content = file === STANDARD_INPUT ? readFileSync(0) : Buffer.from(files.read(file));
  if (content.subarray(0, LFS_POINTER.length).equals(LFS_POINTER)) {
    const what = 'it is a pointer of Git LFS, and not the file itself';
    unreadable.push({ place: { file, line: 1, column: 1 }, what, remedy: 'run git lfs pull, and pass the file' });
    return;
  }
  const { values, faults } = readKubernetesYaml(content);
  const noInput = (what: string) => {
    const remedy = 'run the command before the pipe by itself';
    unreadable.push({ place: { file, line: 1, column: 1 }, what, remedy });
  };
  if (file === STANDARD_INPUT && values.length === 0 && faults.length === 0) {
    noInput('standard input is empty: the command before it failed, or printed no object');
  }
  const mayBeOfOthers = !content.includes('apiVersion');
  for (const { line, column = 1, what, remedy, isTemplate, isOfOthers } of faults) {
    const chart = isTemplate && chartAround(file, files);
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
  if (values.some((one) => itemsOf(one).length === 0)) {
    emptyLists?.push(file);
  }
  const isExpected = EXPECTED_FILE.test(basename(file));
  const isOfTest = content.includes('($');
  for (const { value, line, source } of values.flatMap(itemsOf)) {
    for (const patch of patchFilesIn(file, value)) {
      patchFiles?.add(patch);
    }
    if (isKustomization(file) && isMap(value)) {
      kustomizations?.push({ file, line, object: value, source });
    }
    const policy = iamPolicyIn(file, value);
    if (isExpected || (isOfTest && EXPRESSION.test(JSON.stringify(value)))) {
      strange.push(`${file}:${line}`);
    } else if (policy) {
      manifests.push({ file, line, object: policy, source });
    } else if (isObject(value)) {
      manifests.push({ file, line, object: value, source });
    } else if (value !== null && basename(file) !== CONTEXT_FILE && !isKustomization(file)) {
      strange.push(`${file}:${line}`);
      if (isMap(value)) {
        documents?.push({ file, line, object: value, source });
      } else if (Array.isArray(value)) {
        lists?.push({ file, values: value });
      }
    }
  }
  const isOther = values.length > 0 && values.every(({ value }) => typeof value === 'string');
  if (file === STANDARD_INPUT && isOther && faults.length === 0) {
    noInput('standard input is a text and no object of Kubernetes: the command before it failed');
  }
}

/** Files of Chainsaw and KUTTL with parts of objects that a step of a test expects in the cluster. */
const EXPECTED_FILE = /^\d+-((.*-)?assert(-.*)?|errors)\.ya?ml$/;

/** A text in JSON that Chainsaw evaluates: a variable of it, or a function of variables. */
const EXPRESSION = /"\((\$[a-z_]\w*|[a-z_]+\([^"]*\$[a-z_][^"]*\))\)"/;

function isObject(value: unknown): value is Json {
  return isMap(value) && typeof value.kind === 'string' && typeof value.apiVersion === 'string';
}

/** How the files begin that stand for large ones. Specification of Git LFS, The Pointer */
const LFS_POINTER = Buffer.from('version https://git-lfs.github.com/spec/');

function rendering(command: string): string {
  return `render the whole chart, and pass what comes out: ${command}`;
}

/** The Helm chart that a file is a template of. */
function chartAround(file: string, files: Files): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (files.kindOf(join(folder, 'Chart.yaml'))) {
      return folder;
    }
    if (dirname(folder) === folder) {
      return undefined;
    }
  }
}

function filesIn(path: string, files: Files): string[] {
  const isFolder = path !== STANDARD_INPUT && files.kindOf(path) === 'folder';
  return isFolder ? files.below(path).filter((file) => EXTENSIONS.test(file) || isKustomization(file)) : [path];
}
