import type { Json } from '../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import { AWS_LBC_FINALIZER, lbcFile } from '../controllers/aws-load-balancer-controller/annotations';
import { EKS_AUTO_MODE_FINALIZER } from '../controllers/eks-auto-mode/annotations';
import type { Rule } from '../rules/rule';
import type { ObjectContext } from '../rules/rule-context';
import { RuleSet } from '../rules/rule-set';
import { finalizersOf } from '../rules/service-json';

/**
 * The kind on which a finalizer is removed, by the text that it has or begins with; those of AWS as in
 * pkg/shared_constants/finalizers.go of its controller.
 */
const KINDS: readonly (readonly [finalizer: string, kind: string])[] = [
  [LOAD_BALANCER_CLEANUP_FINALIZER, 'Service'],
  [EKS_AUTO_MODE_FINALIZER, 'Service'],
  [AWS_LBC_FINALIZER, 'Service'],
  ['ingress.k8s.aws/resources', 'Ingress'],
  ['group.ingress.k8s.aws/', 'Ingress'],
  ['elbv2.k8s.aws/resources', 'TargetGroupBinding'],
  ['gateway.k8s.aws/nlb', 'Gateway'],
  ['gateway.k8s.aws/alb', 'Gateway'],
  ['gateway.k8s.aws/gatewayclass', 'GatewayClass'],
  ['gateway.k8s.aws/loadbalancerconfigurations', 'LoadBalancerConfiguration'],
  ['gateway.k8s.aws/targetgroupconfigurations', 'TargetGroupConfiguration'],
  ['gateway.k8s.aws/listenerruleconfigurations', 'ListenerRuleConfiguration'],
];

function kindOf(finalizer: unknown): string | undefined {
  return KINDS.find(([known]) =>
    known.endsWith('/') ? String(finalizer).startsWith(known) : finalizer === known,
  )?.[1];
}

const FINALIZER_OF_ANOTHER_KIND: Rule<ObjectContext> = {
  id: 'finalizer-of-another-kind',
  severity: 'error',
  who: 'kubernetes',
  says: 'a finalizer of a load balancer controller is on objects of the kind from which it removes it',
  source: lbcFile('pkg/shared_constants/finalizers.go'),
  on: ['metadata.finalizers'],
  judge: (object: Json) =>
    finalizersOf(object).flatMap((finalizer, i) => {
      const kind = kindOf(finalizer);
      return kind === undefined || kind === object.kind
        ? []
        : [
            {
              what: `finalizer ${finalizer} is removed from objects of kind ${kind} alone, so a deleted ${object.kind} hangs for ever`,
              remedy: 'take it out; the controller of this object adds its own',
              value: finalizer,
              at: `/metadata/finalizers/${i}`,
            },
          ];
    }),
};

/** What finalizers of any object are asked. */
export const FINALIZER_KIND_RULE_SET = new RuleSet<ObjectContext>([FINALIZER_OF_ANOTHER_KIND]);
