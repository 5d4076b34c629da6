import type * as Cdk from 'aws-cdk-lib';
import type * as Eks from 'aws-cdk-lib/aws-eks';
import type * as Iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { AWS_CDK_MISSING, AWS_CDK_STACK } from '../refused-identities';

/** The parts of AWS CDK that are used here, each loaded when it is asked for. */
export interface AwsCdk {
  readonly core: typeof Cdk;
  readonly eks: typeof Eks;
  readonly iam: typeof Iam;
}

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
export function awsCdkFor(scope: Construct, who: string): AwsCdk {
  const core = coreFor(who);
  if (!scope.node.scopes.some((one) => core.Stack.isStack(one))) {
    throw new Error(
      `${scope.node.path || '(root)'}: ${who} is in no Stack of AWS CDK; give it a Stack, or a construct in one, as its scope (${AWS_CDK_STACK.id})`,
    );
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

function coreFor(who: string): typeof Cdk {
  try {
    return loaded<typeof Cdk>(PACKAGE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') {
      throw error;
    }
    throw new Error(`${who}: AWS CDK is not installed; ${WAYS_OUT} (${AWS_CDK_MISSING.id})`);
  }
}
