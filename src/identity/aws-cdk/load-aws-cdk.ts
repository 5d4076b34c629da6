import type * as Cdk from 'aws-cdk-lib';
import type * as Eks from 'aws-cdk-lib/aws-eks';
import type * as Iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { MANAGED_POLICIES_OF_A_ROLE } from '../aws/aws.facts';
import { type ArnInput, foreignPartition, isUnresolved, partitionOfRegion } from '../aws/aws-arn';
import type { IamPolicy } from '../aws/iam-policy';
import { refusal, refuse } from '../refusal';

export interface AwsCdk {
  readonly core: typeof Cdk;
  readonly eks: typeof Eks;
  readonly iam: typeof Iam;
}

const WHO = 'AwsLoadBalancerControllerRole';
const PACKAGE = 'aws-cdk-lib';
const WAYS_OUT =
  'install it beside this package (npm install aws-cdk-lib, pip install aws-cdk-lib, the Maven artifact software.amazon.awscdk:aws-cdk-lib, the NuGet package Amazon.CDK.Lib, go get github.com/aws/aws-cdk-go/awscdk/v2) and import it before the first construct of it is made';

/** It is looked for beside this package first, and then beside the program, where package managers keep the two apart. */
function loaded<Module>(name: string): Module {
  return require(require.resolve(name, { paths: [__dirname, process.cwd()] }));
}

/**
 * AWS CDK, which is only there if the user installed it: nothing but a constructor may call this.
 *
 * @throws when it is not there, or the scope is in no stack
 */
export function awsCdkFor(scope: Construct): AwsCdk {
  const core = coreOf();
  if (!scope.node.scopes.some((one) => core.Stack.isStack(one))) {
    const fault = `${WHO} is in no Stack of AWS CDK; give it a Stack, or a construct in one, as its scope`;
    throw refusal(scope.node.path || '(root)', 'aws-cdk-stack-missing', fault);
  }
  return {
    core,
    get eks() {
      return loaded<typeof Eks>(`${PACKAGE}/aws-eks`);
    },
    get iam() {
      return loaded<typeof Iam>(`${PACKAGE}/aws-iam`);
    },
  };
}

function coreOf(): typeof Cdk {
  try {
    return loaded<typeof Cdk>(PACKAGE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') {
      throw error;
    }
    throw refusal(WHO, 'aws-cdk-missing', `AWS CDK is not installed; ${WAYS_OUT}`);
  }
}

export function managedPolicies(scope: Construct, policy: IamPolicy, cdk: AwsCdk): string[] {
  const resources = policy._statements.flatMap((statement) => statement.resources);
  const named = resources.map((resource) => ['policy', resource] as const);
  refuseForeignArns(scope, cdk, named);
  const parts = policy.split();
  const most = MANAGED_POLICIES_OF_A_ROLE;
  const fault = `the permissions take ${parts.length} managed policies, and a role has ${most}; leave features out`;
  refuse(scope.node.path, 'iam-policy-too-large', parts.length > most ? fault : undefined);
  return parts.map(
    (part, place) =>
      new cdk.iam.CfnManagedPolicy(scope, place === 0 ? 'Policy' : `Policy${place + 1}`, {
        policyDocument: part.toPolicyDocument(),
      }).ref,
  );
}

/**
 * Refuses what is of another partition than the region of the stack: it would name nothing there. In a stack that knows no
 * region, everything that is given is of one partition.
 */
export function refuseForeignArns(
  scope: Construct,
  { core }: AwsCdk,
  arns: readonly ArnInput[],
  issuers: readonly ArnInput[] = [],
): void {
  const { region } = core.Stack.of(scope);
  const partition = isUnresolved(region) ? undefined : partitionOfRegion(region);
  const home = partition === undefined ? undefined : { who: `the stack in region '${region}'`, partition };
  const foreign = foreignPartition(arns, issuers, home);
  if (foreign !== undefined) {
    const remedy = home ? `, or give the stack a region of ${foreign.other}` : ', or make a stack for each';
    throw refusal(scope.node.path, 'aws-partition-mismatch', `${foreign.what}; write arn:${foreign.home}:${remedy}`);
  }
}
