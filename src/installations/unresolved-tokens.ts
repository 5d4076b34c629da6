import type { Construct } from 'constructs';
import type { Json } from '../contract/late-rendering';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { unresolvedIn } from '../identity/aws/aws-arn';
import { isBeingWritten } from '../rules/app-writing';

/** The error of an installation that is written to a file with what only AWS CDK can fill in. */
export const UNRESOLVED_TOKEN = {
  id: 'unresolved-token',
  severity: 'error',
  says: 'What is known only when a stack is deployed is not written to a file.',
} as const;

/**
 * Errors where finished objects hold what only a stack can fill in, and the app writes them by itself. Charts that AWS CDK takes
 * (`cluster.addCdk8sChart`) are filled in by it.
 *
 * @param installation the construct that installs; its app is watched (`watchWriting`)
 * @param who the name of the controller in messages
 * @param documents its finished objects
 */
export function tokenFindings(installation: Construct, who: string, documents: readonly Json[]): LoadBalancerFinding[] {
  if (!isBeingWritten(installation)) {
    return [];
  }
  return documents.flatMap((document) => {
    const token = unresolvedIn(JSON.stringify(document));
    return token === undefined
      ? []
      : [
          {
            ruleId: UNRESOLVED_TOKEN.id,
            who,
            what: `${document.kind} ${document.metadata?.name} holds ${token}, which nobody fills in in a file`,
            wayOut:
              'write the value itself, such as that of a CfnOutput or of an SSM parameter of the deployed stack, or give the chart to cluster.addCdk8sChart instead of calling app.synth()',
            value: token,
          },
        ];
  });
}
