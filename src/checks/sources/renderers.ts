import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isMap, list } from '../../contract/json';
import { printable } from '../../contract/printable';
import { placesIn } from './discovery';
import { type Output, Programs, SECONDS } from './programs';

/** A chart with the settings of its release. */
export interface Chart {
  /** Its folder on the disk. */
  readonly folder: string;
  readonly release: string;
  readonly namespace: string;
  /** Files of values on the disk, in the order in which helm takes them. */
  readonly values: readonly string[];
  /** The version of the API server, if it is known. */
  readonly kubernetes?: string;
}

/** The text that a renderer printed, or the reason why there is none. */
export type Rendering =
  | { readonly text: string }
  | { readonly failure: string; readonly remedy: string; readonly isMissing?: true };

/** Waits for a rendering. */
export type Rendered = () => Rendering;

/**
 * Renders a kustomization by kustomize or kubectl. Plugins stay off, and nothing is fetched.
 *
 * @param folder its folder on the disk
 */
export function renderKustomization(folder: string, programs: Programs): Rendered {
  const [local] = loopbackIn(folder);
  if (local !== undefined) {
    return () => ({
      failure: printable(`it includes ${local}, which is not in the repository, and nothing is fetched`),
      remedy: 'copy it into the repository, or declare what kustomize build prints as files',
    });
  }
  const output = programs.run(['kustomize', ['build', '--', folder]], ['kubectl', ['kustomize', '--', folder]]);
  return () =>
    renderingOf(output(), {
      failure: 'neither kustomize nor kubectl is in PATH',
      remedy: 'install kustomize, or pass the output of kustomize build',
      isMissing: true,
    });
}

/** URLs for which Go programs use no proxy: they would reach servers of this machine. */
const LOOPBACK = /\bhttps?:\/\/([^/\s]*@)?(localhost|127\.|\[)/i;

/** The URLs of this machine in a kustomization and in all that it includes. */
function loopbackIn(folder: string, seen = new Set<string>()): string[] {
  const files = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'].map((name) => join(folder, name));
  const file = seen.has(folder) ? undefined : files.find((one) => existsSync(one));
  seen.add(folder);
  if (file === undefined) {
    return [];
  }
  const kustomization = parsed(readFileSync(file, 'utf8'));
  const generated = PLUGINS.flatMap((key) => (isMap(kustomization) ? list<unknown>(kustomization[key]) : []));
  return placesIn(kustomization).flatMap((one) => {
    const place = String(one);
    const path = join(folder, place);
    const texts = generated.includes(one) ? [place, textOf(path)] : place.includes('\n') ? [] : [place];
    return texts.some((text) => LOOPBACK.test(text)) ? [place] : loopbackIn(path, seen);
  });
}

/** Fields with configurations of generators and transformers, which read files and URLs too. */
const PLUGINS = ['generators', 'transformers', 'validators'];

function textOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : '';
}

/** A kustomization that kustomize cannot read either is none. */
function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Renders a chart by helm. Dependencies are those that are vendored in the chart; hooks of tests are left out. */
export function renderChart({ folder, release, namespace, values, kubernetes }: Chart, programs: Programs): Rendered {
  const args = [
    ...['template', '--namespace', namespace, '--skip-tests'],
    ...values.flatMap((file) => ['--values', file]),
    ...(kubernetes === undefined ? [] : ['--kube-version', kubernetes]),
    // a release that is called like an option is none
    ...['--', release, folder],
  ];
  const output = programs.run(['helm', args]);
  const remedy = 'install helm, or pass the output of helm template';
  return () => renderingOf(output(), { failure: 'helm is not in PATH', remedy, isMissing: true });
}

function renderingOf({ program, text, stderr, error }: Output, absent: Rendering): Rendering {
  if (error === undefined) {
    return { text };
  }
  if (error.code === 'ENOENT') {
    return absent;
  }
  if (error.killed && typeof error.code !== 'string') {
    return { failure: `${program} did not end in ${SECONDS} seconds`, remedy: 'render it by itself, and look why' };
  }
  const reason = typeof error.code === 'number' ? `exit code ${error.code}` : error.message;
  return failureOf(program, stderr || reason);
}

const REMEDY = 'correct it, so that it can be rendered';

/** Reasons that need other words than those of the renderer. */
const REASONS: readonly { readonly text: RegExp; readonly failure: string; readonly remedy: string }[] = [
  {
    text: /must specify --enable-helm/,
    failure: 'it renders a chart by helmCharts, which stays off, since it fetches charts',
    remedy: 'declare the chart as a source of its own, with helm',
  },
  {
    text: /external plugins? disabled|unable to load external plugin/,
    failure: 'it needs a plugin, and plugins stay off',
    remedy: 'render it by itself, and declare the output as files',
  },
  {
    text: /.*accumulating resources from '([^']+)'.*?(?:transport '\w+' not allowed|proxyconnect|no 'git' program)/,
    failure: 'it includes $1, which is not in the repository, and nothing is fetched',
    remedy: 'copy it into the repository, or declare what kustomize build prints as files',
  },
  {
    text: /.* lstat (.+?): no such file or directory/,
    failure: 'it includes $1, which is not there',
    remedy: 'name a file or folder that is there',
  },
  {
    text: /missing in charts\/ directory: (.*)/,
    failure: 'dependencies of the chart are not in its folder charts: $1',
    remedy: 'run helm dependency build, and commit the folder',
  },
];

/** The error that a renderer printed, in one line. */
function failureOf(program: string, stderr: string): Extract<Rendering, { failure: string }> {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^(Use --debug|# Warning)/.test(line));
  const start = lines.findIndex((line) => /^error: /i.test(line));
  const text = (start < 0 ? lines.slice(-1) : lines.slice(start)).join(' ').replace(/^error: /i, '');
  // a revision is rendered in a temporary folder
  const local = text.replaceAll(`${process.cwd()}/`, '').replace(/[^\s']*\/load-balancers-\w{6}\//g, '');
  for (const { text: pattern, failure, remedy } of REASONS) {
    const found = pattern.exec(local);
    if (found) {
      return { failure: printable(failure.replace('$1', found[1] ?? '')), remedy };
    }
  }
  return { failure: printable(`${program} fails: ${local}`).slice(0, 600), remedy: REMEDY };
}

/** Renderings by what goes into them: what two revisions have alike is rendered once. */
export class RenderingCache {
  private readonly known = new Map<string, Rendered>();
  private programs = new Programs();

  /**
   * Renders what was not rendered of the same bytes before.
   *
   * @param args what the renderer is told
   * @param inputs the files and folders on the disk that it reads
   */
  public once(args: readonly unknown[], inputs: readonly string[], render: (programs: Programs) => Rendered): Rendered {
    const hash = createHash('sha256').update(JSON.stringify(args));
    for (const path of inputs) {
      addContent(hash, path);
    }
    const key = hash.digest('hex');
    const known = this.known.get(key);
    if (known === undefined) {
      const rendered = this.render(render);
      this.known.set(key, rendered);
      return rendered;
    }
    return () => {
      const rendering = known();
      // a failure names paths, which may be others
      return 'text' in rendering ? rendering : this.render(render)();
    };
  }

  private render(render: (programs: Programs) => Rendered): Rendered {
    this.programs = this.programs.haveBegun ? new Programs() : this.programs;
    return render(this.programs);
  }
}

/** Folders that no renderer reads. */
const NOT_READ: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Adds the names and bytes of a file, or of all files in a folder. Links are followed, unless they lead nowhere or back. */
function addContent(hash: ReturnType<typeof createHash>, path: string, around: readonly string[] = []): void {
  const found = realPathOf(path);
  if (found === undefined || around.includes(found)) {
    return;
  }
  if (statSync(found).isDirectory()) {
    for (const name of readdirSync(found)
      .filter((one) => !NOT_READ.has(one))
      .sort()) {
      hash.update(name);
      addContent(hash, join(found, name), [...around, found]);
    }
  } else {
    hash.update(readFileSync(found));
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
