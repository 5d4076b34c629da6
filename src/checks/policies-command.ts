import { App, Chart } from 'cdk8s';
import { type Command, InvalidArgumentError } from 'commander';
import type { Construct } from 'constructs';
import { KubernetesVersion } from '../contract/kubernetes-version';
import { LoadBalancerKeeper } from '../policies/load-balancer-keeper';
import { LoadBalancerLock } from '../policies/load-balancer-lock';
import { LoadBalancerWarningPolicies } from '../policies/load-balancer-warnings';
import { KeeperEngine, KeptServices, type LoadBalancerPolicyProps } from '../policies/policy-options';
import { TenancyIdentity } from '../tenancy/guard/tenancy-identity';
import { COMMANDS } from './commands.facts';
import { described, write } from './options';

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
    const services = allServices ? KeptServices.ALL : KeptServices.OWNED;
    new LoadBalancerKeeper(chart, 'Policies', { ...props, engine, services });
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
  described(program.command('policies'), COMMANDS.policies, reads).action(
    (name: string, options: PoliciesOptions, command: Command) => {
      try {
        write(policiesText(name, options), options.output);
      } catch (error) {
        command.error(`policies: ${(error as Error).message}`, { exitCode: 2 });
      }
    },
  );
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
