import { refuseWrongProps } from '../../contract/declared-types';
import type { NodePool } from '../../contract/node-pool';
import { AZURE_CONTROLLER } from '../../controllers/azure-cloud-provider/annotations';
import { AzureCloudProvider } from '../../controllers/azure-cloud-provider/controller';
import type { AzureMultipleStandardOptions } from '../../controllers/azure-cloud-provider/options';
import { refusal } from '../construct-rules';
import { ARM_BALANCER, CLI, MAIN_BALANCER, MULTIPLE_STANDARD_CONFIG } from './azure.facts';
import type { AzureStandardLoadBalancer } from './azure-standard-load-balancer';
import { balancerFault } from './faults';

/**
 * Several Standard balancers of one cluster.
 */
export interface AzureMultipleStandardLoadBalancersProps {
  /** The balancers. */
  readonly balancers: AzureStandardLoadBalancer[];

  /**
   * The name of the balancer that must be there: that of the cluster where you run the cloud provider yourself.
   *
   * @default 'kubernetes', as AKS has it
   */
  readonly mainBalancer?: string;
}

interface Selector {
  readonly key: string;
  readonly values: readonly string[];
}

/**
 * Several Standard balancers of one cluster, each for nodes of its own, as the data that Azure takes: nothing of it is in
 * Kubernetes. A preview of AKS.
 *
 * Node pools are those that pods are pinned to, and `controller()` names the balancers as they are called here, so that the
 * three cannot disagree.
 *
 * @see https://learn.microsoft.com/azure/aks/use-multiple-standard-load-balancer
 */
export class AzureMultipleStandardLoadBalancers {
  private readonly balancers: readonly AzureStandardLoadBalancer[];

  /**
   * Several Standard balancers.
   *
   * @param props which
   * @throws when Azure would refuse them, or a label or pool would do nothing
   */
  public constructor(props: AzureMultipleStandardLoadBalancersProps) {
    refuseWrongProps('AzureMultipleStandardLoadBalancers', 'AzureMultipleStandardLoadBalancersProps', props);
    this.balancers = [...props.balancers];
    const fault = balancerFault(props.mainBalancer ?? MAIN_BALANCER, this.balancers);
    if (fault) {
      const [what, remedy, id] = fault;
      throw new Error(`${AZURE_CONTROLLER}: ${what}; ${remedy} (${id})`);
    }
  }

  /**
   * A controller object for Services that go to some of these balancers.
   *
   * @param names the balancers that may take the Service; none means all
   * @param options what the request does not say
   * @throws when no balancer has such a name
   */
  public controller(names: string[] = [], options: AzureMultipleStandardOptions = {}): AzureCloudProvider {
    const known = this.balancers.map(({ name }) => name);
    const other = [...names, ...(options.configurations ?? [])].find((name) => !known.includes(name));
    if (other !== undefined) {
      throw refusal(
        'balancer-unknown',
        `${AZURE_CONTROLLER}: no balancer is called '${other}'; use one of ${known.join(', ')}`,
      );
    }
    return AzureCloudProvider.multipleStandard(names.length > 0 ? { ...options, configurations: [...names] } : options);
  }

  /**
   * The resources of an ARM template, each below the cluster; Bicep and Terraform's `azapi` take the same properties.
   *
   * @param clusterName the name of the cluster in Azure
   */
  public toArmResources(clusterName: string): { [key: string]: unknown }[] {
    return this.balancers.map((balancer) => ({
      ...ARM_BALANCER,
      name: `${clusterName}/${balancer.name}`,
      properties: {
        primaryAgentPoolName: balancer.primaryPool.name,
        allowServicePlacement: balancer.allowServicePlacement ?? true,
        ...this.selectors(balancer, ({ key, values }) =>
          values.length === 1
            ? { matchLabels: [`${key}=${values[0]}`] }
            : { matchExpressions: [{ key, operator: 'In', values: [...values] }] },
        ),
      },
    }));
  }

  /**
   * The commands of the Azure CLI, which needs the extension `aks-preview`.
   *
   * @param resourceGroup the resource group of the cluster
   * @param clusterName the name of the cluster in Azure
   */
  public toCliCommands(resourceGroup: string, clusterName: string): string[] {
    return this.balancers.map((balancer) => {
      const text = (labels: Readonly<Record<string, string>>) =>
        Object.entries(labels)
          .map(([key, value]) => `${key}=${value}`)
          .join(',');
      const node = nodeSelector(balancer.nodePools);
      const flags: [string, string | undefined][] = [
        ['resource-group', resourceGroup],
        ['cluster-name', clusterName],
        ['name', balancer.name],
        ['primary-agent-pool-name', balancer.primaryPool.name],
        ['allow-service-placement', String(balancer.allowServicePlacement ?? true)],
        ['service-label-selector', balancer.serviceLabels && text(balancer.serviceLabels)],
        ['service-namespace-selector', balancer.namespaceLabels && text(balancer.namespaceLabels)],
        ['node-selector', node.map(cliTerm).join(',') || undefined],
      ];
      const given = flags.filter((flag): flag is [string, string] => flag[1] !== undefined);
      return [CLI, ...given.map(([flag, value]) => `--${flag} '${value.replace(/'/g, `'\\''`)}'`)].join(' ');
    });
  }

  /**
   * The keys of the cloud config, for a cloud provider that you run yourself.
   *
   * @param virtualMachineSets the scale set, or availability set, of each primary pool, by the name of the pool: Azure names
   *   them, and neither can be derived from the other
   * @throws when the set of a pool is missing, or named twice
   */
  public toCloudConfig(virtualMachineSets: { [pool: string]: string }): { [key: string]: unknown } {
    const pools = this.balancers.map(({ primaryPool }) => primaryPool.name);
    const missing = pools.find((pool) => !virtualMachineSets[pool]);
    const sets = pools.map((pool) => (virtualMachineSets[pool] ?? '').toLowerCase());
    if (missing !== undefined || new Set(sets).size !== sets.length) {
      throw refusal(
        'primary-vm-set',
        `${AZURE_CONTROLLER}: ${missing === undefined ? 'two pools have the same set of virtual machines' : `the set of virtual machines of pool '${missing}' is missing`}; name the set of each primary pool as Azure shows it`,
      );
    }
    return {
      ...MULTIPLE_STANDARD_CONFIG,
      multipleStandardLoadBalancerConfigurations: this.balancers.map((balancer) => ({
        name: balancer.name,
        primaryVMSet: virtualMachineSets[balancer.primaryPool.name],
        allowServicePlacement: balancer.allowServicePlacement ?? true,
        ...this.selectors(balancer, ({ key, values }) =>
          values.length === 1
            ? { matchLabels: { [key]: values[0] } }
            : { matchExpressions: [{ key, operator: 'In', values: [...values] }] },
        ),
      })),
    };
  }

  /** The selectors of a balancer, written as they are read. */
  private selectors(
    { nodePools, serviceLabels, namespaceLabels }: AzureStandardLoadBalancer,
    write: (selector: Selector) => Record<string, unknown>,
  ): Record<string, unknown> {
    const all: [string, Selector[]][] = [
      ['nodeSelector', nodeSelector(nodePools)],
      ['serviceLabelSelector', selectorOf(serviceLabels)],
      ['serviceNamespaceSelector', selectorOf(namespaceLabels)],
    ];
    return Object.fromEntries(
      all.filter(([, terms]) => terms.length > 0).map(([field, terms]) => [field, merged(terms.map(write))]),
    );
  }
}

function selectorOf(labels: Readonly<Record<string, string>> = {}): Selector[] {
  return Object.entries(labels).map(([key, value]) => ({ key, values: [value] }));
}

/** The nodes of one pool, or of any of some that differ in the value of one label. */
function nodeSelector(pools: readonly NodePool[] = []): Selector[] {
  return pools.length < 2
    ? selectorOf(pools[0]?.labels)
    : [{ key: Object.keys(pools[0].labels)[0], values: pools.flatMap(({ labels }) => Object.values(labels)) }];
}

function cliTerm({ key, values }: Selector): string {
  return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(', ')})`;
}

/** Terms of one selector, which must all hold. */
function merged(parts: readonly Record<string, unknown>[]): Record<string, unknown> {
  const both: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [field, value] of Object.entries(part)) {
      const before = both[field];
      both[field] = Array.isArray(value)
        ? [...((before as unknown[]) ?? []), ...value]
        : { ...(before as object), ...(value as object) };
    }
  }
  return both;
}
