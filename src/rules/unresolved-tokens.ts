import type { IConstruct } from 'constructs';
import type { Json } from '../contract/json';
import { tokenIn } from '../contract/kubernetes-syntax';
import type { LoadBalancerFinding } from '../contract/options';
import { SynthOutput, synthRunOf } from '../contract/synth-run';
import { UNRESOLVED_TOKEN } from './app-rules';

type NamedDocument = readonly [title: string, json: Json];

/**
 * Errors where finished objects hold what only a deployment tool can fill in, and the app writes them by itself. Charts that a
 * tool takes one by one, as AWS CDK does in `cluster.addCdk8sChart`, are filled in by it.
 *
 * @param construct a construct of the app
 * @param documents finished objects
 */
export function tokenFindings(construct: IConstruct, documents: readonly NamedDocument[]): LoadBalancerFinding[] {
  const run = synthRunOf(construct);
  if (run === undefined || run.output === SynthOutput.CHART) {
    return [];
  }
  return documents.flatMap(([title, json]) => {
    const token = tokenIn(json);
    return token === undefined
      ? []
      : [
          {
            ruleId: UNRESOLVED_TOKEN.id,
            who: 'cdk8s',
            what: `${title} holds ${token}, which only a deployment fills in`,
            remedy:
              'write the value itself, such as that of a CfnOutput or of an SSM parameter of the deployed stack, or give the chart to cluster.addCdk8sChart instead of calling app.synth()',
            value: token,
          },
        ];
  });
}

/** A finished object with its name. */
export function titled(json: Json): NamedDocument {
  return [`${json.kind} ${json.metadata?.name}`, json];
}
