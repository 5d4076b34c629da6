import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { parse } from 'yaml';
import { isMap, list, printable } from '../../contract/json';
import { isWithin, placesIn } from './discovery';
import { REASONS } from './failures.facts';

type Call = readonly [program: string, args: readonly string[]];

interface Output {
  readonly program: string;
  readonly text: string;
  readonly stderr: string;
  /** Reason why there is no text; its code is the exit code, or a name such as `ENOENT`. */
  readonly error?: { readonly code?: number | string; readonly killed?: boolean; readonly message: string };
}

const SECONDS = 60;

const MOST_BYTES = 1 << 28;

/** Variables that are passed on to programs: secrets are not among them. */
const PASSED_ON = ['PATH', 'Path', 'PATHEXT', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP'];

/** No proxy listens there: what asks for the network fails at once. */
const NO_NETWORK = 'http://127.0.0.1:9';

/** Each of two lanes runs the next program when its last one has ended; of alternatives, the first one that is there runs. */
const THREAD = `
const { execFile } = require('node:child_process');
const { rmSync } = require('node:fs');
const { workerData: { runs, options, home, port, ended } } = require('node:worker_threads');
const run = ([[program, args], ...others], env) =>
  new Promise((resolve) => {
    const child = execFile(program, args, { ...options, env }, (error, text, stderr) => {
      const { code, killed, message } = error ?? {};
      const isNext = code === 'ENOENT' && others.length > 0;
      resolve(isNext ? run(others, env) : { program, text, stderr, ...(error && { error: { code, killed, message } }) });
    });
    child.stdin.end();
  }).catch(({ message }) => ({ program, text: '', stderr: '', error: { message } }));
let next = 0;
let left = runs.length;
const lane = async () => {
  while (next < runs.length) {
    const index = next++;
    const output = await run(runs[index].calls, runs[index].env);
    if (--left === 0) rmSync(home, { recursive: true, force: true });
    port.postMessage({ index, output });
    Atomics.add(ended, 0, 1);
    Atomics.notify(ended, 0);
  }
};
lane();
lane();
`;

/**
 * Programs that run in a thread, at most two at once, while their first outputs are read here. No shell runs them, and each has a home
 * of its own that holds no settings, plugins or credentials.
 */
class Programs {
  private readonly runs: (readonly Call[])[] = [];
  private readonly outputs: Output[] = [];
  private readonly ended = new Int32Array(new SharedArrayBuffer(4));
  private port?: MessagePort;

  public get haveBegun(): boolean {
    return this.port !== undefined;
  }

  /** Adds a run, which begins with all others when the first output is asked for. @returns waits for the output */
  public run(...calls: readonly Call[]): () => Output {
    const index = this.runs.push(calls) - 1;
    return () => this.output(index);
  }

  private output(index: number): Output {
    this.port ??= this.start();
    while (this.outputs[index] === undefined) {
      const before = Atomics.load(this.ended, 0);
      for (let one = receiveMessageOnPort(this.port); one; one = receiveMessageOnPort(this.port)) {
        this.outputs[one.message.index] = one.message.output;
      }
      const isKnown = this.outputs[index] !== undefined;
      if (!isKnown && Atomics.wait(this.ended, 0, before, 2 * SECONDS * 1000) === 'timed-out') {
        throw new Error('the thread that runs programs has ended');
      }
    }
    return this.outputs[index];
  }

  private start(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    const home = mkdtempSync(join(tmpdir(), 'load-balancers-'));
    const runs = this.runs.map((calls, i) => ({ calls, env: environment(join(home, `${i}`)) }));
    const options = { timeout: SECONDS * 1000, killSignal: 'SIGKILL', maxBuffer: MOST_BYTES, windowsHide: true };
    const workerData = { runs, options, home, port: port2, ended: this.ended };
    new Worker(THREAD, { eval: true, workerData, transferList: [port2] }).unref();
    return port1;
  }
}

function environment(home: string): NodeJS.ProcessEnv {
  mkdirSync(home);
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

interface Chart {
  readonly folder: string;
  readonly release: string;
  readonly namespace: string;
  readonly values: readonly string[];
  readonly kubernetes?: string;
}

export type Rendering =
  | { readonly text: string }
  | { readonly failure: string; readonly remedy: string; readonly isMissing?: true };

export type Rendered = () => Rendering;

/**
 * Renders a kustomization by kustomize or kubectl. Plugins stay off, and nothing is fetched. Files outside of the folder are included if
 * they are in the repository, as Flux does.
 * @see fluxcd/pkg kustomize/kustomize_generator.go
 */
export function renderKustomization(folder: string, repository: string, programs: Programs): Rendered {
  const included = includedBy(folder);
  const local = included.find(({ texts }) => texts.some((text) => LOOPBACK.test(text)));
  if (local !== undefined) {
    return () => ({
      failure: printable(`it includes ${local.place}, which is not in the repository, and nothing is fetched`),
      remedy: 'copy it into the repository, or declare what kustomize build prints as files',
    });
  }
  const build = (by: Programs, ...args: readonly string[]) =>
    by.run(['kustomize', ['build', ...args, '--', folder]], ['kubectl', ['kustomize', ...args, '--', folder]]);
  const output = build(programs);
  return () => {
    const first = output();
    const isRestricted = OUTSIDE.test(first.stderr) && included.every((one) => isIn(repository, one));
    return renderingOf(isRestricted ? build(new Programs(), '--load-restrictor', 'LoadRestrictionsNone')() : first, {
      failure: 'neither kustomize nor kubectl is in PATH',
      remedy: 'install kustomize, or pass the output of kustomize build',
      isMissing: true,
    });
  };
}

const OUTSIDE = /security; file '.*' is not in or below/;

/** URLs for which Go programs use no proxy: they would reach servers of this machine. */
const LOOPBACK = /\bhttps?:\/\/([^/\s]*@)?(localhost|127\.|\[)/i;

interface Included {
  readonly place: string;
  readonly folder: string;
  /** The place, or for a plugin its settings as well, which may name any file. */
  readonly texts: readonly string[];
}

/** True if an entry names a file in the repository, in each way to read it: a generator may give its file a key, as in key=file. */
function isIn(repository: string, { place, folder, texts }: Included): boolean {
  const ways = [place, place.slice(place.indexOf('=') + 1), place.slice(place.lastIndexOf('=') + 1)];
  const found = ways.map((way) => realPathOf(resolve(folder, way)));
  const top = realPathOf(repository) ?? repository;
  const areIn = ways.every((way, i) => isWithin(found[i] ?? resolve(folder, way), top));
  return areIn && texts.length === 1 && found.some((one) => one !== undefined);
}

function includedBy(folder: string, seen = new Set<string>()): Included[] {
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
    return [{ place, folder, texts }, { place: basename(file), folder, texts: [file] }, ...includedBy(path, seen)];
  });
}

const PLUGINS = ['generators', 'transformers', 'validators'];

function textOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : '';
}

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

  /** Renders what was not rendered of the same bytes before. */
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
