import { refuseWrongProps } from '../../contract/declared-types';
import { labelKeyFault, labelValueFault } from '../../contract/kubernetes-syntax';
import type { NodePool } from '../../contract/node-pool';
import { AZURE_CONTROLLER } from '../../controllers/azure-cloud-provider/annotations';
import { AzureCloudProvider } from '../../controllers/azure-cloud-provider/controller';
import type { AzureStandardOptions } from '../../controllers/azure-cloud-provider/options';
import { refusal } from '../construct-rules';
import { AGENT_POOL_NAME, ARM_BALANCER, BALANCER_NAME, INTERNAL_SUFFIX, MAIN_BALANCER } from './azure.facts';
import type { AzureMultipleStandardLoadBalancersProps, AzureStandardLoadBalancer } from './options';

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
  public controller(names: string[] = [], options: AzureStandardOptions = {}): AzureCloudProvider {
    const known = this.balancers.map(({ name }) => name);
    const other = [...names, ...(options.configurations ?? [])].find((name) => !known.includes(name));
    if (other !== undefined) {
      throw refusal(
        'azure-balancer-unknown',
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
        ...selectorsOf(balancer),
      },
    }));
  }
}

function selectorsOf({
  nodePools,
  serviceLabels,
  namespaceLabels,
}: AzureStandardLoadBalancer): Record<string, unknown> {
  const all: [string, Selector[]][] = [
    ['nodeSelector', nodeSelector(nodePools)],
    ['serviceLabelSelector', selectorOf(serviceLabels)],
    ['serviceNamespaceSelector', selectorOf(namespaceLabels)],
  ];
  return Object.fromEntries(
    all.filter(([, terms]) => terms.length > 0).map(([field, terms]) => [field, armSelector(terms)]),
  );
}

function armSelector(terms: readonly Selector[]): Record<string, unknown> {
  const labels = terms.filter(({ values }) => values.length === 1);
  const others = terms.filter(({ values }) => values.length > 1);
  return {
    ...(labels.length > 0 && { matchLabels: labels.map(({ key, values }) => `${key}=${values[0]}`) }),
    ...(others.length > 0 && {
      matchExpressions: others.map(({ key, values }) => ({ key, operator: 'In', values: [...values] })),
    }),
  };
}

function selectorOf(labels: Readonly<Record<string, string>> = {}): Selector[] {
  return Object.entries(labels).map(([key, value]) => ({ key, values: [value] }));
}

function nodeSelector(pools: readonly NodePool[] = []): Selector[] {
  return pools.length < 2
    ? selectorOf(pools[0]?.labels)
    : [{ key: Object.keys(pools[0].labels)[0], values: pools.flatMap(({ labels }) => Object.values(labels)) }];
}

type Fault = readonly [what: string, remedy: string, id: string];

function twice(texts: readonly string[]): string | undefined {
  return texts.find((text, i) => texts.indexOf(text) !== i);
}

function labelFault(labels: Readonly<Record<string, string>> | undefined): string | undefined {
  const faults = Object.entries(labels ?? {}).map(([key, value]) => labelKeyFault(key) ?? labelValueFault(value));
  return labels && Object.keys(labels).length === 0 ? 'no labels are given' : faults.find((fault) => fault);
}

function nameFault(name: string): Fault | undefined {
  if (!BALANCER_NAME.test(name)) {
    return [
      `'${name}' is not a name of a balancer`,
      'use letters, digits, dashes, dots and underscores',
      'balancer-name',
    ];
  }
  return name.toLowerCase().endsWith(INTERNAL_SUFFIX)
    ? [`'${name}' is the name of an internal twin`, `leave ${INTERNAL_SUFFIX} out`, 'balancer-name']
    : undefined;
}

function balancerFault(main: string, balancers: readonly AzureStandardLoadBalancer[]): Fault | undefined {
  const names = balancers.map(({ name }) => name.toLowerCase());
  const primaries = balancers.map(({ primaryPool }) => primaryPool.name);
  const name = twice(names);
  const primary = twice(primaries);
  const badPool = primaries.find((pool) => !AGENT_POOL_NAME.test(pool));
  const bad = balancers.map((balancer) => nameFault(balancer.name)).find((fault) => fault);
  if (bad) {
    return bad;
  }
  if (name !== undefined) {
    return [`two balancers are called '${name}'`, 'rename one; case does not count', 'azure-balancer-duplicate'];
  }
  if (!names.includes(main.toLowerCase())) {
    return [`no balancer is called '${main}'`, 'add one, or rename one', 'main-balancer'];
  }
  if (badPool !== undefined) {
    return [
      `'${badPool}' is not a name of a node pool`,
      'use NodePools.aks, or give the pool the name that Azure knows',
      'primary-pool',
    ];
  }
  if (primary !== undefined) {
    return [`pool '${primary}' is the primary pool of two balancers`, 'give each a pool of its own', 'primary-pool'];
  }
  for (const { name: own, nodePools = [], serviceLabels, namespaceLabels } of balancers) {
    const claimed = nodePools.find((pool) => balancers.some(({ primaryPool }) => primaryPool.sameAs(pool)));
    if (claimed) {
      return [
        `nodePools of '${own}' has '${claimed.name}', which is a primary pool and stays behind its balancer`,
        'leave it out',
        'primary-pool',
      ];
    }
    const fault = labelFault(serviceLabels) ?? labelFault(namespaceLabels);
    if (fault) {
      return [`labels of '${own}': ${fault}`, 'write labels, or leave them out', 'balancer-labels'];
    }
    if (nodePools.some(({ labels }) => Object.keys(labels).length !== 1) && nodePools.length > 1) {
      return [
        `nodePools of '${own}' are distinguished by several labels, which one selector cannot express`,
        'use pools that have one label each',
        'balancer-node-pools',
      ];
    }
    if (new Set(nodePools.flatMap(({ labels }) => Object.keys(labels))).size > 1 && nodePools.length > 1) {
      return [
        `nodePools of '${own}' have different labels, which one selector cannot match`,
        'use pools with the same label',
        'balancer-node-pools',
      ];
    }
  }
  return undefined;
}
