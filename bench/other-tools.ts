// Other tools for the same files, to be printed beside `check`: both are programs in Go, and other rules are theirs.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { versionFolder } from '../scripts/go/binary-cache';

/** A tool that reads manifests. */
export interface OtherTool {
  readonly name: string;
  /** The package of the program. */
  readonly module: string;
  readonly version: string;
  /** What it does with the files, where that is not all that it can. */
  readonly says: string;
  readonly args: readonly string[];
}

export const OTHER_TOOLS: readonly OtherTool[] = [
  {
    name: 'kubeconform',
    module: 'github.com/yannh/kubeconform/cmd/kubeconform',
    version: 'v0.8.0',
    says: 'without schemas: it only parses',
    args: ['-ignore-missing-schemas', '-schema-location', '/nowhere'],
  },
  {
    name: 'kube-score',
    module: 'github.com/zegl/kube-score/cmd/kube-score',
    version: 'v1.20.0',
    says: 'its findings are not printed for people',
    args: ['score', '--output-format', 'ci'],
  },
];

/** The program, built once; or, in one line, why there is none. */
export function builtTool({
  name,
  module,
  version,
}: OtherTool): { readonly program: string } | { readonly lack: string } {
  const folder = versionFolder(name, version);
  const program = join(folder, name);
  if (!existsSync(program)) {
    const env = { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' };
    const { status, stderr, error } = spawnSync('go', ['install', `${module}@${version}`], { env, encoding: 'utf8' });
    if (status !== 0) {
      return { lack: error?.message ?? stderr.trim().split('\n').at(-1) ?? '' };
    }
  }
  return { program };
}

/** The milliseconds that a tool takes for the files of a folder. Findings are no failure. */
export function timeOf(program: string, { name, args }: OtherTool, folder: string): number {
  const files = readdirSync(folder).map((file) => join(folder, file));
  const start = process.hrtime.bigint();
  const { status, signal, error } = spawnSync(program, [...args, ...files], { stdio: 'ignore' });
  if (error || (status !== 0 && status !== 1)) {
    throw new Error(`${name} failed: ${error?.message ?? signal ?? `it exits with ${status}`}`);
  }
  return Number(process.hrtime.bigint() - start) / 1e6;
}
