import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isMap, type Json, printable } from '../contract/json';
import { itemsOf, readKubernetesYaml } from '../contract/kubernetes-yaml';
import type { Manifest } from '../rules/manifest-objects';
import type { UnreadableDocument } from './check-report';
import { CONTEXT_FILE } from './context/context-file';
import { iamPolicyIn } from './file-rules/iam-policy-rules';
import { DISK, type Files } from './files';

export interface Manifests {
  readonly manifests: Manifest[];
  readonly unreadable: UnreadableDocument[];
  readonly strange: string[];
  /** Files with a List of no objects, as `kubectl get` prints it where there is none. */
  readonly emptyLists?: string[];
  readonly notes?: string[];
  /** True if a discovered source was not rendered: its objects are missing. */
  readonly isIncomplete?: boolean;
  /** True if all files are declared to be sources of one cluster. */
  readonly isDeclared?: true;
}

export function leftOut(places: readonly string[]): string[] {
  const files = new Set(places.map((place) => place.replace(/:\d+$/, ''))).size;
  return files === 0
    ? []
    : files === 1
      ? [`skipped ${printable(places[0])}, which is not a Kubernetes manifest`]
      : [`skipped ${files} files that are not Kubernetes manifests (first: ${printable(places[0])})`];
}

const STANDARD_INPUT = '-';

const KUSTOMIZATION = /^(kustomization\.ya?ml|Kustomization)$/;

export const isManifest = (file: string) => /\.(ya?ml|json)$/.test(file);

export function readManifests(paths: readonly string[], files: Files = DISK): Manifests {
  const found = { manifests: [], unreadable: [], strange: [], emptyLists: [], notes: [] };
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

function whole(file: string, what: string, remedy: string): UnreadableDocument {
  return { place: { file, line: 1, column: 1 }, what, remedy };
}

function trying(file: string, { unreadable }: Manifests, read: () => void): void {
  try {
    read();
  } catch (error) {
    unreadable.push(whole(file, printable((error as Error).message), 'pass a file or a folder that can be read'));
  }
}

function readManifest(
  file: string,
  { manifests, unreadable, strange, emptyLists, notes }: Manifests,
  files: Files,
): void {
  const content = file === STANDARD_INPUT ? readFileSync(0) : Buffer.from(files.read(file));
  if (content.subarray(0, LFS_POINTER.length).equals(LFS_POINTER)) {
    const what = 'it is a pointer of Git LFS, and not the file itself';
    unreadable.push(whole(file, what, 'run git lfs pull, and pass the file'));
    return;
  }
  const { values, faults } = readKubernetesYaml(content);
  const noInput = (what: string) => unreadable.push(whole(file, what, 'run the command before the pipe by itself'));
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
    if (chart) {
      const note = printable(`${chart} holds templates; declare the chart as a helm source in ${CONTEXT_FILE}`);
      if (!notes?.includes(note)) {
        notes?.push(note);
      }
    } else {
      unreadable.push({ place: { file, line, column }, what, remedy });
    }
  }
  if (values.some((one) => itemsOf(one).length === 0)) {
    emptyLists?.push(file);
  }
  const isExpected = EXPECTED_FILE.test(basename(file));
  const isOfTest = content.includes('($');
  for (const { value, line, source } of values.flatMap(itemsOf)) {
    const policy = iamPolicyIn(file, value);
    if (isExpected || KUSTOMIZATION.test(basename(file)) || (isOfTest && EXPRESSION.test(JSON.stringify(value)))) {
      strange.push(`${file}:${line}`);
    } else if (policy) {
      manifests.push({ file, line, object: policy, source });
    } else if (isObject(value) && !isPart(value)) {
      manifests.push({ file, line, object: value, source });
    } else if (value !== null && basename(file) !== CONTEXT_FILE) {
      strange.push(`${file}:${line}`);
    }
  }
  const isOther = values.length > 0 && values.every(({ value }) => typeof value === 'string');
  if (file === STANDARD_INPUT && isOther && faults.length === 0) {
    noInput('standard input is a text and no object of Kubernetes: the command before it failed');
  }
}

const EXPECTED_FILE = /^\d+-((.*-)?assert(-.*)?|errors)\.ya?ml$/;

/** A text in JSON that Chainsaw evaluates: a variable of it, or a function of variables. */
const EXPRESSION = /"\((\$[a-z_]\w*|[a-z_]+\([^"]*\$[a-z_][^"]*\))\)"/;

function isPart({ apiVersion, kind, metadata, spec, ...fields }: Json): boolean {
  const { name, generateName } = isMap(metadata) ? metadata : ({} as Json);
  const isNamed = (name ?? generateName) !== undefined;
  if (!isNamed && spec === undefined) {
    return isMap(metadata) && Object.keys(metadata).length > 0 && Object.keys(fields).length === 0;
  }
  const isWhole = ['type', 'ports', 'selector', 'clusterIP', 'externalName'].some(
    (field) => isMap(spec) && field in spec,
  );
  const isFilled = isMap(spec) && Object.keys(spec).length > 0;
  return apiVersion === 'v1' && kind === 'Service' && isNamed && !isWhole && (spec === undefined || isFilled);
}

function isObject(value: unknown): value is Json {
  return isMap(value) && typeof value.kind === 'string' && typeof value.apiVersion === 'string';
}

/** First line of a pointer file. Specification of Git LFS, The Pointer */
const LFS_POINTER = Buffer.from('version https://git-lfs.github.com/spec/');

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
  return isFolder ? files.below(path).filter(isManifest) : [path];
}
