import { type Command, InvalidArgumentError, Option } from 'commander';
import { ACCEPTABLE } from '../contract/outcome';
import type { Writer } from '../lifecycle/writers';
import type { AcceptedLoss } from './context/check-context';
import type { DiffCommandOptions } from './diff/run-diff';
import { Misuse } from './files';
import { addRepositoryCommand, again, dateOption } from './options';

const WRITERS: Readonly<Record<string, Writer>> = {
  'client-apply': 'client-apply',
  'server-apply': 'server-apply',
  replace: 'put',
};

/** The command that says what a change of manifests does to live balancers. What it takes is loaded when it runs. */
export function addDiff(program: Command): void {
  addRepositoryCommand<DiffCommandOptions>(program, 'diff', {
    formats: ['text', 'json', 'markdown', 'github'],
    answer: (paths, options) => {
      refuse(paths, options);
      const { runDiff } = require('./diff/run-diff') as typeof import('./diff/run-diff');
      const { writer } = options;
      return runDiff(paths, { ...options, writer: writer === undefined ? undefined : WRITERS[writer] });
    },
  })
    .description(
      'reports what a change does to live load balancers; a loss is an error, and an edit without effect is a warning',
    )
    .argument(
      '[path...]',
      'the older side and the newer side: files, folders, quoted patterns, a dump of a cluster, or - for standard input; with --git, the paths to compare, all by default',
    )
    .usage(
      '[options] OLD NEW\n       cdk8s-load-balancers diff [options] --git REVISION [path...]\n       cdk8s-load-balancers diff [options] --strimzi-from VERSION --strimzi-to VERSION path',
    )
    .option(
      '--git <revision>',
      'compare a revision with the working tree (main), or two revisions (main..topic, or main...topic from their merge base)',
    )
    .option(
      '--allow <outcome=object>',
      'accept an outcome of an object, as replaced=edge/echo; may be repeated',
      allowed,
    )
    .option('--prune', 'objects that are in no manifest any more are deleted; of a dump, all that the newer side lacks')
    .option('--no-prune', 'objects that are in no manifest any more stay')
    .addOption(
      new Option(
        '--writer <how>',
        'how manifests are applied: kubectl apply, kubectl apply --server-side, or kubectl replace; by default the worse of the first two',
      ).choices(Object.keys(WRITERS)),
    )
    .option('--kubernetes-from <version>', 'Kubernetes version of the older side, as 1.34')
    .option(
      '--kubernetes-to <version>',
      'Kubernetes version of the newer side; with versions of both sides, name one path',
    )
    .option('--strimzi-from <version>', 'Strimzi version of the older side, as 0.49 or 0.49.1')
    .option('--strimzi-to <version>', 'Strimzi version of the newer side')
    .option(
      '--controller-from <name@version>',
      'controller version of the older side, as aws-load-balancer-controller@2.8.1; may be repeated',
      again,
    )
    .option('--controller-to <name@version>', 'controller version of the newer side; may be repeated', again)
    .addOption(dateOption('date for accepted losses that expire'));
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
