import { execFile } from 'node:child_process';
import type { ControlPlane } from './control-plane';

/** The blocks of a page that are meant to be typed, by the number of the step that they stand under. */
export function shellBlocks(markdown: string): Map<number, string[]> {
  const steps = new Map<number, string[]>();
  for (const [, , number, body] of markdown.matchAll(/^(##+) (\d+)\. .*\n([\s\S]*?)(?=^\1 |^## |(?![\s\S]))/gm)) {
    steps.set(
      Number(number),
      [...body.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands]) => commands),
    );
  }
  return steps;
}

export interface ShellAnswer {
  readonly output: string;
  readonly status: number;
}

/** Runs commands in a shell whose kubectl is the real one and speaks to this control plane. */
export function runShell(plane: ControlPlane, commands: string): Promise<ShellAnswer> {
  const kubectl = 'kubectl() { "$CONTROL_PLANE" kubectl --kubeconfig "$KUBECONFIG" "$@"; }\n';
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['-c', kubectl + commands],
      { cwd: plane.folder, env: { ...process.env, KUBECONFIG: plane.kubeconfig }, timeout: 90_000 },
      (error, stdout, stderr) => resolve({ output: stdout + stderr, status: error ? Number(error.code ?? 1) : 0 }),
    );
  });
}
