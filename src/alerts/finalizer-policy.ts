import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { clusterScoped } from '../installations/cluster-scoped';
import { ADMISSION_API_VERSION, SERVED_WITHOUT_FINALIZER_ANNOTATIONS } from './alerts.facts';

const list = (texts: readonly string[]) => `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`;

/**
 * A policy that denies nothing, and by which the API server counts the writes after which a Service has an address and no
 * finalizer. Those that are served without one are left out.
 */
export function addFinalizerPolicy(scope: Construct, name: string, classes: readonly string[]): ApiObject {
  const annotated = SERVED_WITHOUT_FINALIZER_ANNOTATIONS.map(
    (key) => `!(${JSON.stringify(key)} in object.metadata.?annotations.orValue({}))`,
  );
  const policy = clusterScoped(scope, 'FinalizerPolicy', {
    apiVersion: ADMISSION_API_VERSION,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Ignore',
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['services', 'services/status'] },
        ],
      },
      matchConditions: [
        {
          name: 'is-served',
          expression:
            "object.spec.type == 'LoadBalancer' && size(object.?status.?loadBalancer.?ingress.orValue([])) > 0",
        },
        { name: 'is-not-deleted', expression: '!has(object.metadata.deletionTimestamp)' },
        { name: 'has-no-exempt-annotation', expression: annotated.join(' && ') },
        ...(classes.length > 0
          ? [
              {
                name: 'class-is-not-exempt',
                expression: `!(object.spec.?loadBalancerClass.orValue('') in ${list(classes)})`,
              },
            ]
          : []),
      ],
      validations: [
        {
          expression: 'size(object.metadata.?finalizers.orValue([])) > 0',
          message: 'the Service has an address and no finalizer: its deletion leaves the load balancer behind',
        },
      ],
    },
  });
  clusterScoped(scope, 'FinalizerPolicyBinding', {
    apiVersion: ADMISSION_API_VERSION,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Audit'] },
  });
  return policy;
}
