import { main } from '../../src/checks/main';

/** What the program says, and the code that it exits with. */
export interface Outcome {
  readonly out: string;
  readonly error: string;
  readonly code: number;
}

class Exit extends Error {}

/** Runs the program of the package in this process. */
export function run(...args: string[]): Outcome {
  const said = { out: '', error: '', code: 0 };
  const hear = (stream: 'out' | 'error') => (text: string | Uint8Array) => {
    said[stream] += String(text);
    return true;
  };
  const spies = [
    jest.spyOn(process.stdout, 'write').mockImplementation(hear('out')),
    jest.spyOn(process.stderr, 'write').mockImplementation(hear('error')),
    jest.spyOn(process, 'exit').mockImplementation((code) => {
      said.code = Number(code);
      throw new Exit();
    }),
  ];
  try {
    main(['node', 'cdk8s-load-balancers', ...args]);
    said.code = Number(process.exitCode ?? 0);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  } finally {
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
  }
  return said;
}
