import { type Command, InvalidArgumentError } from 'commander';
import { ACCEPTABLE } from '../contract/edit';
import type { Writer } from '../lifecycle/scenario';
import type { AcceptedLoss } from './context/check-context';
import type { DiffCommandOptions } from './diff/run-diff';
import { Misuse } from './files';
import { addRepositoryCommand, again } from './options';

const WRITERS: Readonly<Record<string, Writer>> = {
  'client-apply': 'client-apply',
  'server-apply': 'server-apply',
  replace: 'put',
};

export function addDiff(program: Command): void {
  addRepositoryCommand<DiffCommandOptions>(program, 'diff', {
    formats: ['text', 'json', 'markdown', 'github'],
    reads: { allow: allowed, writer: Object.keys(WRITERS), controllerFrom: again, controllerTo: again },
    answer: (paths, options) => {
      refuse(paths, options);
      const { runDiff } = require('./diff/run-diff') as typeof import('./diff/run-diff');
      const { writer } = options;
      return runDiff(paths, { ...options, writer: writer === undefined ? undefined : WRITERS[writer] });
    },
  }).usage(
    '[options] OLD NEW\n       cdk8s-load-balancers diff [options] --git REVISION [path...]\n       cdk8s-load-balancers diff [options] --strimzi-from VERSION --strimzi-to VERSION path',
  );
}

function refuse(paths: readonly string[], { git }: DiffCommandOptions): void {
  if (git === undefined && paths.length === 0) {
    throw new Misuse('diff has nothing to compare; name two sides, or a revision by --git');
  }
  if (git === undefined && paths.length > 2) {
    throw new Misuse(`diff takes two sides, and has ${paths.length}; quote a pattern, or name a revision by --git`);
  }
}

function allowed(text: string, before: readonly AcceptedLoss[] = []): readonly AcceptedLoss[] {
  const at = text.indexOf('=');
  const [name, object] = [text.slice(0, Math.max(at, 0)).trim().replace('-', ' '), text.slice(at + 1).trim()];
  const outcome = ACCEPTABLE.find((one) => one === name);
  if (at < 0 || object === '') {
    throw new InvalidArgumentError('write an outcome and an object, as replaced=edge/echo');
  }
  if (!outcome) {
    throw new InvalidArgumentError(
      `'${name}' is not an outcome that can be accepted; write one of ${ACCEPTABLE.join(', ')}`,
    );
  }
  return [...before, { outcome, object, reason: 'allowed on the command line' }];
}
