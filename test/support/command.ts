import { main } from '../../src/cli/main';

export interface Outcome {
  readonly out: string;
  readonly error: string;
  readonly code: number;
}

class Exit extends Error {}

export function run(...args: string[]): Outcome {
  const said = { out: '', error: '', code: 0 };
  const { stdout, stderr, exit } = process;
  const writes = [stdout.write, stderr.write];
  const hear = (stream: 'out' | 'error') => (text: string | Uint8Array) => {
    said[stream] += String(text);
    return true;
  };
  stdout.write = hear('out');
  stderr.write = hear('error');
  process.exit = (code) => {
    said.code = Number(code);
    throw new Exit();
  };
  try {
    main(['node', 'cdk8s-load-balancers', ...args]);
    said.code = Number(process.exitCode ?? 0);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  } finally {
    process.exitCode = undefined;
    [stdout.write, stderr.write] = writes;
    process.exit = exit;
  }
  return said;
}
