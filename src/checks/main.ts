import { Command, InvalidArgumentError } from 'commander';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import { registered } from '../controllers/define-kind';
import type { ControllerKind } from '../rules/controller-kind';
import { laterServices } from './later-services';
import { listJson, listText } from './list';
import { readManifests } from './manifests';
import { addPorts } from './ports';
import { reportServices } from './service-report';
import { addStrimziCrds } from './strimzi-crds';

/** Exit codes: 1 where something could not be read, 2 for bad usage; what is wrong with a manifest is told, not judged. */
const USAGE = 2;

/** Controllers by name, or by name and variant: `aws-load-balancer-controller:serviceMutatorWebhook`. */
function controllersNamed(names: string): ILoadBalancerController[] {
  const known = new Map(registered().flatMap(namesOf));
  return names.split(',').map((name) => {
    const make = known.get(name.trim());
    if (!make) {
      throw new InvalidArgumentError(`'${name}' is unknown; known are ${[...known.keys()].join(', ')}`);
    }
    return make();
  });
}

function namesOf(kind: ControllerKind): [string, () => ILoadBalancerController][] {
  const variants = Object.entries(kind.variants ?? {});
  return [
    [kind.name, () => kind.installed()],
    ...variants.map(([variant, make]): [string, () => ILoadBalancerController] => [`${kind.name}:${variant}`, make]),
  ];
}

interface ListOptions {
  readonly controllers?: ILoadBalancerController[];
  readonly json?: boolean;
}

function list(paths: string[], options: ListOptions): void {
  const { manifests, unreadable } = readManifests(paths);
  for (const { file, reason } of unreadable) {
    process.stderr.write(`${file}: cannot be read: ${reason}\n`);
  }
  for (const note of laterServices(manifests)) {
    process.stderr.write(`${note}\n`);
  }
  const reports = reportServices(manifests, options);
  process.stdout.write(options.json ? listJson(reports) : listText(reports));
  if (unreadable.length > 0) {
    process.exitCode = 1;
  }
}

/** The command line. */
export function main(argv: readonly string[]): void {
  const program = new Command('cdk8s-load-balancers')
    .description('What the load balancers of finished manifests are, who owns them, and what is wrong')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : USAGE));
  program
    .command('list')
    .description('lists every Service of type LoadBalancer with its owner, and what decides its balancer')
    .argument('<path...>', 'files, folders of YAML or JSON files, or - for standard input')
    .option(
      '-c, --controllers <names>',
      "the controllers that run in the cluster, the cloud's own among them, separated by commas; without it a Service that has no class belongs to an unknown owner",
      controllersNamed,
    )
    .option('--json', 'for programs')
    .action(list);
  addPorts(program);
  addStrimziCrds(program);
  program.parse(argv);
}
