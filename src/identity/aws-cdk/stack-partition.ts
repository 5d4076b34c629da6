import type { Construct } from 'constructs';
import { isUnresolved, partitionOfRegion } from '../aws/aws-arn';
import { foreignPartition, type Given } from '../aws/aws-partition-faults';
import { AWS_PARTITION } from '../refused-identities';
import type { AwsCdk } from './load-aws-cdk';

/**
 * Refuses what is of another partition than the region of the stack: it would name nothing there. In a stack that knows no
 * region, everything that is given is of one partition.
 */
export function refuseForeignArns(
  scope: Construct,
  { core }: AwsCdk,
  arns: readonly Given[],
  issuers: readonly Given[] = [],
): void {
  const { region } = core.Stack.of(scope);
  const partition = isUnresolved(region) ? undefined : partitionOfRegion(region);
  const home = partition === undefined ? undefined : { who: `the stack in region '${region}'`, partition };
  const foreign = foreignPartition(arns, issuers, home);
  if (foreign !== undefined) {
    const remedy = home ? `, or give the stack a region of ${foreign.other}` : ', or make a stack for each';
    throw new Error(`${scope.node.path}: ${foreign.what}; write arn:${foreign.home}:${remedy} (${AWS_PARTITION.id})`);
  }
}
