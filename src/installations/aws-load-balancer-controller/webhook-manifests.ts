import type { Json } from '../../contract/json';
import { AWS_LBC } from '../../controllers/aws-load-balancer-controller/annotations';
import type { AwsLoadBalancerControllerInstallationProps } from './aws-load-balancer-controller-installation.options';
import { KUBE_SYSTEM, NAME_LABEL, NAMESPACE_NAME_LABEL } from './installation.facts';
import type { InstallationNames } from './installation-names';
import type { Part } from './part';
import { ASKS_AWS_SECONDS, type LabelRequirement, WEBHOOK_SECONDS, WEBHOOKS, type WebhookFact } from './webhooks.facts';

type Said = Pick<AwsLoadBalancerControllerInstallationProps, 'podMutatorFailurePolicy'>;

/** The webhooks of one type, as the API server is told of them. */
export function webhooksOf(
  type: WebhookFact['type'],
  parts: ReadonlySet<Part>,
  names: InstallationNames,
  caBundle: string | undefined,
  said: Said,
): Json[] {
  return WEBHOOKS.filter((fact) => fact.type === type && parts.has(fact.part)).map((fact) =>
    webhookOf(fact, names, caBundle, said),
  );
}

function webhookOf(fact: WebhookFact, names: InstallationNames, caBundle: string | undefined, said: Said): Json {
  const { namespaces = [], objects = [], conditions, failurePolicyProp } = fact;
  const system = [...new Set([KUBE_SYSTEM, names.namespace])];
  const own: LabelRequirement[] = fact.sparesItself ? [{ key: NAME_LABEL, operator: 'NotIn', values: [AWS_LBC] }] : [];
  const spared: LabelRequirement[] = fact.sparesSystem
    ? [{ key: NAMESPACE_NAME_LABEL, operator: 'NotIn', values: system }]
    : [];
  return {
    admissionReviewVersions: ['v1'],
    clientConfig: {
      ...(caBundle !== undefined && { caBundle }),
      service: { name: names.webhookService, namespace: names.namespace, path: fact.path },
    },
    failurePolicy: (failurePolicyProp && said[failurePolicyProp]) ?? fact.failurePolicy,
    ...(conditions && { matchConditions: conditions.map((condition) => ({ ...condition })) }),
    name: fact.name,
    ...selectorOf('namespaceSelector', [...namespaces, ...spared]),
    ...selectorOf('objectSelector', [...own, ...objects]),
    rules: [
      {
        apiGroups: [fact.group],
        apiVersions: [fact.version],
        operations: [...fact.operations],
        resources: [fact.resource],
        // the default, written out: the list is one field to whoever applies it, and would differ from what the API server has
        scope: '*',
      },
    ],
    sideEffects: 'None',
    timeoutSeconds: fact.asksAws ? ASKS_AWS_SECONDS : WEBHOOK_SECONDS,
  };
}

function selectorOf(field: string, requirements: readonly LabelRequirement[]): Json {
  const matchExpressions = requirements.map((requirement) => ({
    ...requirement,
    ...(requirement.values && { values: [...requirement.values] }),
  }));
  return matchExpressions.length > 0 ? { [field]: { matchExpressions } } : {};
}
