import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { printable } from '../contract/printable';
import { otherNamed } from '../controllers/other-controller';
import { laterServices } from '../later/later-services';
import { LiveServices } from '../later/live-services';
import { ManifestIndex } from '../rules/manifest-objects';
import { addCheck, writtenContext } from './check-command';
import { type ControllersNamed, NO_CONTEXT } from './context/check-context';
import { controllerOf, type InstalledController, VARIANT_OPTIONS } from './context/context-controllers';
import { CONTEXT_FILE } from './context/context-file';
import { inferredContext } from './context/inference';
import { addDiff } from './diff-command';
import { controllerNames } from './explain/controllers';
import { addExplain } from './explain/explain';
import { listJson, listText } from './list';
import { leftOut, readManifests } from './manifests';
import { withoutPatterns } from './patterns';
import { addPolicies } from './policies-command';
import { addPorts } from './ports';
import { addReport } from './report-command';
import { reportServices } from './service-report';

/** Exit codes: 1 where a Service has an error or something could not be read, 2 for bad usage; warnings alone leave it 0. */
const USAGE = 2;

/** Controllers by name, or by name and variant: `aws-load-balancer-controller:serviceMutatorWebhook`. */
function controllersNamed(names: string): ControllersNamed {
  const known = controllerNames();
  const installed = names.split(',').map((name): InstalledController => {
    const [kind, variant] = name.trim().split(':');
    if (!known.includes(name.trim()) && !otherNamed(name.trim())) {
      throw new InvalidArgumentError(`'${name}' is unknown; known are ${known.join(', ')}`);
    }
    return { name: kind, options: variant === undefined ? {} : VARIANT_OPTIONS[kind][variant] };
  });
  return { installed, controllers: installed.map(controllerOf) };
}

interface ListOptions {
  readonly controllers?: ControllersNamed;
  readonly config?: string;
  readonly json?: boolean;
}

function list(program: Command, paths: string[], { controllers, config, json }: ListOptions): void {
  const { manifests, unreadable, strange } = readManifests(withoutPatterns(paths));
  const later = laterServices(manifests);
  const index = new ManifestIndex(manifests);
  const context = inferredContext(
    index,
    controllers ? { ...NO_CONTEXT, ...controllers } : writtenContext(program, paths, config),
    later.services.map((service) => index.entryOf(service)),
  );
  const notes = [
    ...unreadable.map(
      ({ place: { file, line }, what, remedy }) => `${file}:${line}: cannot be read: ${what}; ${remedy}`,
    ),
    ...leftOut(strange),
    ...later.notes,
  ];
  for (const note of notes) {
    process.stderr.write(`${printable(note)}\n`);
  }
  const services = manifests.filter(({ object }) => object.kind === 'Service' && object.apiVersion === 'v1');
  const reports = reportServices([...services, ...new LiveServices(manifests).missing(later.services)], manifests, {
    areControllersInferred: context.areControllersInferred,
    controllers: context.controllers && [...context.controllers],
  });
  process.stdout.write(json ? listJson(reports) : listText(reports, context.known, later.others));
  if (unreadable.length > 0 || reports.some(({ errors }) => errors.length > 0)) {
    process.exitCode = 1;
  }
}

/** The version of this package. */
function version(): string {
  const { version: own } = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8'));
  return own;
}

/** Ends quietly if the program after a pipe, such as head, reads no more. */
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

/** The command line. */
export function main(argv: readonly string[]): void {
  endWithPipe(process.stdout);
  endWithPipe(process.stderr);
  allCommands().parse(argv);
}

/** The program with its commands. */
export function allCommands(): Command {
  const program = new Command('cdk8s-load-balancers')
    .description('What the load balancers of finished manifests are, who owns them, and what is wrong')
    .version(version(), '-V, --version', 'the version of this package')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : USAGE));
  program
    .command('list')
    .description(
      'lists every load balanced Service with its owner, and what decides its balancer; exits with 1 where one has an error or a file cannot be read',
    )
    .argument('<path...>', 'files, folders of YAML or JSON files, or - for standard input')
    .option(
      '-c, --controllers <names>',
      "the controllers that run in the cluster, the cloud's own among them, separated by commas; without it those that load-balancers.yaml names, or those that the files show",
      controllersNamed,
    )
    .option('--config <file>', `what is known of the cluster; without it ${CONTEXT_FILE} is looked for as by check`)
    .option('--json', 'for programs')
    .action((paths, options) => list(program, paths, options));
  addCheck(program, version());
  addDiff(program);
  addReport(program);
  addPorts(program);
  addPolicies(program);
  addExplain(program, controllersNamed);
  return program;
}
