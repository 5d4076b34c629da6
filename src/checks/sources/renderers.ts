import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isMap, list } from '../../contract/json';
import { printable } from '../../contract/printable';
import { placesIn } from './discovery';

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

/** How long a renderer may run. */
const SECONDS = 60;

/** The most that a renderer may print. */
const MOST_BYTES = 1 << 28;

/** Variables that are passed on to renderers: secrets are not among them. */
const PASSED_ON = ['PATH', 'Path', 'PATHEXT', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP'];

/** No proxy listens there: what asks for the network fails at once. */
const NO_NETWORK = 'http://127.0.0.1:9';

/**
 * Renders a kustomization by kustomize or kubectl. Plugins stay off, and nothing is fetched.
 *
 * @param folder its folder on the disk
 */
export function renderKustomization(folder: string): Rendering {
  const [local] = loopbackIn(folder);
  if (local !== undefined) {
    return {
      failure: printable(`it includes ${local}, which is not in the repository, and nothing is fetched`),
      remedy: 'copy it into the repository, or declare what kustomize build prints as files',
    };
  }
  const kustomize = run('kustomize', ['build', '--', folder]);
  const rendering = isAbsent(kustomize) ? run('kubectl', ['kustomize', '--', folder]) : kustomize;
  return isAbsent(rendering)
    ? {
        failure: 'neither kustomize nor kubectl is in PATH',
        remedy: 'install kustomize, or pass the output of kustomize build',
        isMissing: true,
      }
    : rendering;
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
export function renderChart({ folder, release, namespace, values, kubernetes }: Chart): Rendering {
  const rendering = run('helm', [
    ...['template', '--namespace', namespace, '--skip-tests'],
    ...values.flatMap((file) => ['--values', file]),
    ...(kubernetes === undefined ? [] : ['--kube-version', kubernetes]),
    // a release that is called like an option is none
    ...['--', release, folder],
  ]);
  return isAbsent(rendering)
    ? { failure: 'helm is not in PATH', remedy: 'install helm, or pass the output of helm template', isMissing: true }
    : rendering;
}

const ABSENT = { failure: '', remedy: '', isMissing: true } as const;

function isAbsent(rendering: Rendering): boolean {
  return rendering === ABSENT;
}

/** Runs a program without a shell, with a home of its own that holds no settings, plugins or credentials. */
function run(program: string, args: readonly string[]): Rendering {
  const home = mkdtempSync(join(tmpdir(), 'load-balancers-'));
  try {
    const { error, status, stdout, stderr } = spawnSync(program, args, {
      encoding: 'utf8',
      timeout: SECONDS * 1000,
      killSignal: 'SIGKILL',
      maxBuffer: MOST_BYTES,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      env: environment(home),
    });
    if (status === 0 && error === undefined) {
      return { text: stdout };
    }
    const code = (error as NodeJS.ErrnoException | undefined)?.code;
    if (code === 'ENOENT') {
      return ABSENT;
    }
    if (code === 'ETIMEDOUT') {
      return { failure: `${program} did not end in ${SECONDS} seconds`, remedy: 'render it by itself, and look why' };
    }
    return failureOf(program, stderr || error?.message || `exit code ${status}`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const REMEDY = 'correct it, so that it can be rendered';

function environment(home: string): NodeJS.ProcessEnv {
  const passed = PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return {
    ...Object.fromEntries(passed),
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: home,
    XDG_CACHE_HOME: home,
    XDG_DATA_HOME: home,
    HELM_PLUGINS: join(home, 'plugins'),
    KUSTOMIZE_PLUGIN_HOME: join(home, 'plugins'),
    HTTP_PROXY: NO_NETWORK,
    HTTPS_PROXY: NO_NETWORK,
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

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
  private readonly known = new Map<string, Rendering>();

  /**
   * Renders what was not rendered of the same bytes before.
   *
   * @param args what the renderer is told
   * @param inputs the files and folders on the disk that it reads
   */
  public once(args: readonly unknown[], inputs: () => readonly string[], render: () => Rendering): Rendering {
    const hash = createHash('sha256').update(JSON.stringify(args));
    for (const path of inputs()) {
      addContent(hash, path);
    }
    const key = hash.digest('hex');
    const rendering = this.known.get(key) ?? render();
    this.known.set(key, rendering);
    return rendering;
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
