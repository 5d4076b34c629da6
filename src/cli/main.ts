import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { Command, InvalidArgumentError } from 'commander';
import type { Construct } from 'constructs';
import { ACCEPTABLE } from '../contract/edit';
import { KubernetesVersion } from '../contract/kubernetes-version';
import { programName, SINGLE_FILE_VERSION } from '../contract/rule';
import type { Writer } from '../lifecycle/scenario';
import { LoadBalancerKeeper } from '../policies/load-balancer-keeper';
import { LoadBalancerLock } from '../policies/load-balancer-lock';
import { LoadBalancerWarningPolicies } from '../policies/load-balancer-warnings';
import { KeeperEngine, type LoadBalancerPolicyProps } from '../policies/policy-options';
import { TenancyIdentity } from '../tenancy/guard/tenancy-identity';
import { addCheck } from './check-command';
import { COMMANDS } from './commands.facts';
import { addCompletion } from './completion';
import type { AcceptedLoss } from './context/check-context';
import type { DiffCommandOptions } from './diff/make-diff';
import { addExplain } from './explain/explain';
import { UsageError } from './files';
import { addList } from './list';
import { addRepositoryCommand, appendOption, describeCommand, write } from './options';
import { addPorts } from './ports';
import { addReport } from './report-command';

/** Exit codes: 1 where a Service has an error or something could not be read, 2 for bad usage; warnings alone leave it 0. */
const USAGE = 2;

function version(): string {
  if (SINGLE_FILE_VERSION !== undefined) {
    return SINGLE_FILE_VERSION;
  }
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
  const program = new Command(programName())
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
  addCompletion(program);
  return program;
}

const WRITERS: Readonly<Record<string, Writer>> = {
  'client-apply': 'client-apply',
  'server-apply': 'server-apply',
  replace: 'put',
};

export function addDiff(program: Command): void {
  addRepositoryCommand<DiffCommandOptions>(program, 'diff', {
    formats: ['text', 'json', 'markdown', 'github'],
    reads: { allow: allowed, writer: Object.keys(WRITERS), controllerFrom: appendOption, controllerTo: appendOption },
    answer: (paths, options) => {
      refuseSides(paths, options);
      const { runDiff } = require('./diff/make-diff') as typeof import('./diff/make-diff');
      const { writer } = options;
      return runDiff(paths, { ...options, writer: writer === undefined ? undefined : WRITERS[writer] });
    },
  }).usage(
    ['OLD NEW', '--git REVISION [path...]', '--strimzi-from VERSION --strimzi-to VERSION path']
      .map((words) => `[options] ${words}`)
      .join(`\n       ${programName()} diff `),
  );
}

function refuseSides(paths: readonly string[], { git }: DiffCommandOptions): void {
  if (git === undefined && paths.length === 0) {
    throw new UsageError('diff has nothing to compare; name two sides, or a revision by --git');
  }
  if (git === undefined && paths.length > 2) {
    throw new UsageError(`diff takes two sides, and has ${paths.length}; quote a pattern, or name a revision by --git`);
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

interface PoliciesOptions {
  readonly output?: string;
  readonly kubernetes?: KubernetesVersion;
  readonly engine?: KeeperEngine;
  readonly allServices?: boolean;
  readonly namespace?: string;
  readonly controller?: readonly string[];
}

const POLICIES: Readonly<
  Record<string, (chart: Construct, props: LoadBalancerPolicyProps, more: PoliciesOptions) => void>
> = {
  keeper: (chart, props, { engine, allServices }) => {
    new LoadBalancerKeeper(chart, 'Policies', { ...props, engine, allServices });
  },
  lock: (chart, props) => {
    new LoadBalancerLock(chart, 'Policies', props);
  },
  warnings: (chart, props) => {
    new LoadBalancerWarningPolicies(chart, 'Policies', props);
  },
};

export function addPolicies(program: Command): void {
  const policyNamed = (name: string) => {
    if (!Object.hasOwn(POLICIES, name)) {
      throw new InvalidArgumentError(`write ${Object.keys(POLICIES).join(', ')}`);
    }
    return name;
  };
  const reads = { '<policy>': policyNamed, kubernetes: versionOf, engine: Object.values(KeeperEngine) };
  const command = describeCommand(program.command('policies'), COMMANDS.policies, reads);
  command.registeredArguments[0].argChoices = Object.keys(POLICIES);
  command.action((name: string, options: PoliciesOptions) => {
    try {
      write(policiesText(name, options), options.output);
    } catch (error) {
      command.error(`policies: ${(error as Error).message}`, { exitCode: 2 });
    }
  });
}

const KEEPER_OPTIONS = { engine: '--engine', allServices: '--all-services' } as const;

export function policiesText(name: string, options: PoliciesOptions): string {
  for (const [option, flag] of Object.entries(KEEPER_OPTIONS)) {
    if (name !== 'keeper' && options[option as keyof typeof KEEPER_OPTIONS] !== undefined) {
      throw new Error(`${flag} is an option of keeper, and ${name} does not read it; leave it out`);
    }
  }
  const { kubernetes = KubernetesVersion.V1_36, namespace, controller = [] } = options;
  const app = new App();
  const chart = new Chart(app, 'policies', { disableResourceNameHashes: true });
  const controllers = controller.map((user) => TenancyIdentity.user(user));
  POLICIES[name](chart, { kubernetes, namespace, controllers }, options);
  return app.synthYaml();
}

function versionOf(text: string): KubernetesVersion {
  try {
    return KubernetesVersion.of(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
