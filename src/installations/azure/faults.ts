import { labelKeyFault, labelValueFault } from '../../contract/kubernetes-syntax';
import { AGENT_POOL_NAME, BALANCER_NAME, INTERNAL_SUFFIX } from './azure.facts';
import type { AzureStandardLoadBalancer } from './azure-standard-load-balancer';

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

/** The first thing that Azure would refuse. */
export function balancerFault(main: string, balancers: readonly AzureStandardLoadBalancer[]): Fault | undefined {
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
    return [`two balancers are called '${name}'`, 'rename one; case does not count', 'balancer-twice'];
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
