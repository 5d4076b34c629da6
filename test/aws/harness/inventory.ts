// What is in the account of the fake AWS, as account.py tells it.

export interface HealthCheck {
  readonly protocol: string;
  readonly port: string;
  readonly path: string | null;
  readonly interval: number;
  readonly timeout: number;
  readonly healthyThreshold: number;
  readonly unhealthyThreshold: number;
}

export interface TargetGroup {
  readonly arn: string;
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
  readonly type: string;
  /** How many balancers it belongs to. */
  readonly balancers: number;
  readonly tags: Record<string, string>;
  readonly attributes: Record<string, string>;
  readonly targets: ReadonlyArray<{ readonly instance: string; readonly port: number }>;
  readonly healthCheck: HealthCheck;
}

export interface NetworkBalancer {
  readonly name: string;
  readonly type: string;
  readonly scheme: string;
  readonly dnsName: string;
  readonly subnets: readonly string[];
  /** What was fixed for a subnet, by its id: a private address, or the allocation of an elastic one. */
  readonly addresses: Record<string, string>;
  readonly securityGroups: readonly string[];
  readonly tags: Record<string, string>;
  readonly attributes: Record<string, string>;
  readonly listeners: ReadonlyArray<{
    readonly port: number;
    readonly protocol: string;
    readonly policy: string | null;
    readonly certificates: readonly string[];
    /** The ARN of the target group. */
    readonly targetGroup: string;
  }>;
}

export interface ClassicBalancer {
  readonly name: string;
  readonly scheme: string;
  readonly dnsName: string;
  readonly subnets: readonly string[];
  readonly securityGroups: readonly string[];
  readonly instances: readonly string[];
  readonly tags: Record<string, string>;
  readonly listeners: ReadonlyArray<{
    readonly port: number;
    readonly protocol: string;
    readonly instancePort: number;
  }>;
  readonly backendPolicies: readonly string[];
  readonly healthCheck: {
    readonly target: string;
    readonly interval: number;
    readonly timeout: number;
    readonly healthyThreshold: number;
    readonly unhealthyThreshold: number;
  };
  readonly crossZone: boolean;
  readonly connectionDraining: { readonly Enabled: boolean; readonly Timeout?: number };
  readonly idleTimeout: number;
}

export interface SecurityGroupRule {
  readonly protocol: string;
  readonly ports: readonly [number, number];
  /** A range of addresses, or another security group. */
  readonly from: string;
  readonly why: string;
}

export interface SecurityGroup {
  readonly id: string;
  readonly name: string;
  readonly tags: Record<string, string>;
  readonly rules: readonly SecurityGroupRule[];
}

export interface Inventory {
  readonly networkBalancers: readonly NetworkBalancer[];
  readonly targetGroups: readonly TargetGroup[];
  readonly classicBalancers: readonly ClassicBalancer[];
  /** All of the network. */
  readonly securityGroups: readonly SecurityGroup[];
}

/** How the cloud controller manager names security groups of its own: v1.36.1, pkg/providers/v1/aws.go */
const OWN_GROUP = /^k8s-elb-/;

/** What came into an account since it was looked at before. Rules stay in their groups. */
export function since(before: Inventory, now: Inventory): Inventory {
  const isNew = <T>(old: readonly T[], key: (each: T) => string) => {
    const known = new Set(old.map(key));
    return (each: T) => !known.has(key(each));
  };
  const oldRules = (id: string) => before.securityGroups.find((group) => group.id === id)?.rules ?? [];
  return {
    networkBalancers: now.networkBalancers.filter(isNew(before.networkBalancers, ({ name }) => name)),
    targetGroups: now.targetGroups.filter(isNew(before.targetGroups, ({ arn }) => arn)),
    classicBalancers: now.classicBalancers.filter(isNew(before.classicBalancers, ({ name }) => name)),
    securityGroups: now.securityGroups
      .filter(
        isNew(
          before.securityGroups.filter(({ name }) => OWN_GROUP.test(name)),
          ({ id }) => id,
        ),
      )
      .map((group) => ({
        ...group,
        rules: group.rules.filter(isNew(oldRules(group.id), (rule) => JSON.stringify(rule))),
      })),
  };
}

/** What the cloud controller manager made, in a few words. */
export function inWords(inventory: Inventory): string {
  const { networkBalancers, classicBalancers, targetGroups, securityGroups } = inventory;
  const counts: Array<[number, string]> = [
    [networkBalancers.length, 'NLB'],
    [classicBalancers.length, 'classic'],
    [targetGroups.length, 'target group'],
    [securityGroups.filter(({ name }) => OWN_GROUP.test(name)).length, 'security group'],
    [securityGroups.flatMap(({ rules }) => rules).length, 'rule'],
  ];
  const words = counts
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `${count} ${what}${count === 1 || what === 'classic' ? '' : 's'}`);
  return words.join(', ') || 'nothing';
}
