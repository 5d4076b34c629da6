import type { Ref } from '../../cluster/harness/api';
import type { AwsStory } from './aws-story';
import type { ClassicBalancer, Inventory, NetworkBalancer, SecurityGroupRule, TargetGroup } from './inventory';

// How stories read what is in AWS, where one Service has made it all.

function only<T>(all: readonly T[], what: string): T {
  if (all.length !== 1) {
    throw new Error(`there is not one ${what} but ${all.length}`);
  }
  return all[0];
}

export const theNetworkBalancer = (inventory: Inventory): NetworkBalancer =>
  only(inventory.networkBalancers, 'Network Load Balancer');

export const theClassicBalancer = (inventory: Inventory): ClassicBalancer =>
  only(inventory.classicBalancers, 'Classic Load Balancer');

export const theGroup = (inventory: Inventory): TargetGroup => only(inventory.targetGroups, 'target group');

/** The nodes that are targets, by their names. */
export function targetNodes({ cluster }: AwsStory): (inventory: Inventory) => string[] {
  const named = Object.entries(cluster.aws.account.nodes);
  return ({ targetGroups, classicBalancers }) => {
    const targets = new Set([
      ...targetGroups.flatMap((group) => group.targets.map(({ instance }) => instance)),
      ...classicBalancers.flatMap(({ instances }) => instances),
    ]);
    return named
      .filter(([, { instance }]) => targets.has(instance))
      .map(([name]) => name)
      .sort();
  };
}

/** The rules of a security group that have a word in their description, each as `from:port`. */
export function rulesOf(inventory: Inventory, group: string, why: string): string[] {
  const rules = inventory.securityGroups.find(({ id }) => id === group)?.rules ?? [];
  const asText = ({ from, ports }: SecurityGroupRule) => `${from}:${ports[0]}`;
  return rules
    .filter((rule) => rule.why.includes(why))
    .map(asText)
    .sort();
}

/** The node ports that the API server chose, in the order of the ports. */
export async function nodePorts({ cluster }: AwsStory, service: Ref): Promise<number[]> {
  const { spec } = await cluster.plane.api.get(service);
  return spec.ports.map((port: { nodePort: number }) => port.nodePort);
}

/** The health check node port that the API server chose, as the text that AWS has for ports. */
export async function healthCheckNodePort({ cluster }: AwsStory, service: Ref): Promise<string> {
  return String((await cluster.plane.api.get(service)).spec.healthCheckNodePort);
}
