import { join } from 'node:path';
import { Program, type ProgramProps } from '../../cluster/harness/program';
import { accountPython } from './environment';

const ENDS_WITH_STDIN = join(__dirname, '..', 'ends_with_stdin.py');

/** Starts a program that does not watch its standard input, and yet ends when this process is no more. */
export function startBound(props: ProgramProps): Promise<Program> {
  return Program.start({
    ...props,
    command: accountPython(),
    args: [ENDS_WITH_STDIN, props.command, ...props.args],
  });
}
