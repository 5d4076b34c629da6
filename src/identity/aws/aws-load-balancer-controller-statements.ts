import { CALLS, CLUSTER_TAG, STATEMENTS, STRICT_STATEMENTS } from './aws-load-balancer-controller.facts';
import { AwsPartition } from './aws-partition';
import { AwsClusterIsolation, type AwsLoadBalancerControllerPolicyOptions } from './options';
import { actionsOf, type IamStatement, type Purpose, type StatementFact, type TagCheck } from './permissions';

type Conditions = Record<string, Record<string, unknown>>;

const KEYS: Readonly<Record<TagCheck, string>> = {
  'request-tagged': `aws:RequestTag/${CLUSTER_TAG}`,
  'request-untagged': `aws:RequestTag/${CLUSTER_TAG}`,
  'resource-tagged': `aws:ResourceTag/${CLUSTER_TAG}`,
};

/** `Null: 'true'` means that a key is absent. */
function checkOf(check: TagCheck, clusterName: string, isolation: AwsClusterIsolation): [string, string] {
  if (check === 'request-untagged') {
    return ['Null', 'true'];
  }
  return isolation === AwsClusterIsolation.ANY_CLUSTER ? ['Null', 'false'] : ['StringEquals', clusterName];
}

function arnsOf(resource: string, partition: AwsPartition, kinds: readonly string[]): string[] {
  if (resource === '*') {
    return ['*'];
  }
  const places = resource.includes('{kind}') ? kinds : [''];
  return places.map((kind) => `arn:${partition.id}:${resource.replace('{kind}', kind)}`);
}

export function statementsFor(
  purposes: readonly Purpose[],
  options: AwsLoadBalancerControllerPolicyOptions,
): IamStatement[] {
  const { clusterName, vpcArn } = options;
  const partition = options.partition ?? AwsPartition.AWS;
  const isolation = options.isolation ?? AwsClusterIsolation.OWN_CLUSTER;
  const kinds = purposes.includes('alb') ? ['net', 'app'] : ['net'];

  const conditionsOf = (fact: StatementFact): Conditions => {
    const conditions: Conditions = {};
    for (const [operator, keys] of Object.entries(fact.conditions ?? {})) {
      conditions[operator] = { ...keys };
    }
    for (const check of fact.checks ?? []) {
      const [operator, value] = checkOf(check, clusterName, isolation);
      conditions[operator] = { ...conditions[operator], [KEYS[check]]: value };
    }
    return fact.vpc && vpcArn !== undefined ? { ...conditions, ArnEquals: { 'ec2:Vpc': vpcArn } } : conditions;
  };

  return Object.keys(STATEMENTS).flatMap((name) => {
    const calls = CALLS.filter(({ statement, purpose }) => statement === name && purposes.includes(purpose));
    const actions = [...new Set(calls.flatMap(actionsOf))].filter((action) => partition._knows(action));
    const strict = isolation === AwsClusterIsolation.OWN_RESOURCES ? STRICT_STATEMENTS[name] : undefined;
    const facts: readonly StatementFact[] = actions.length === 0 ? [] : (strict ?? [STATEMENTS[name]]);
    return facts.map((fact) => ({
      sid: fact.sid,
      actions: fact.only ? actions.filter((action) => fact.only?.includes(action)) : actions,
      resources: fact.resources.flatMap((resource) => arnsOf(resource, partition, kinds)),
      conditions: conditionsOf(fact),
    }));
  });
}
