import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { addCheck } from './check-command';
import { addDiff } from './diff-command';
import { addExplain } from './explain/explain';
import { addList } from './list';
import { addPolicies } from './policies-command';
import { addPorts } from './ports';
import { addReport } from './report-command';

/** Exit codes: 1 where a Service has an error or something could not be read, 2 for bad usage; warnings alone leave it 0. */
const USAGE = 2;

function version(): string {
  const { version: own } = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8'));
  return own;
}

function endWithPipe(stream: NodeJS.WriteStream): void {
  if (stream.listenerCount('error') === 0) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') {
        throw error;
      }
      process.exit();
    });
  }
}

export function main(argv: readonly string[]): void {
  endWithPipe(process.stdout);
  endWithPipe(process.stderr);
  allCommands().parse(argv);
}

export function allCommands(): Command {
  const program = new Command('cdk8s-load-balancers')
    .description('Checks the load balancers of Kubernetes manifests, and what a change does to them')
    .version(version().replace(/^0\.0\.0$/, '$& (development build)'), '-V, --version', 'the version of this package')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : USAGE));
  addList(program);
  addCheck(program, version());
  addDiff(program);
  addReport(program);
  addPorts(program);
  addPolicies(program);
  addExplain(program);
  return program;
}
