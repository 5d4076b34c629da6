import { KubernetesVersion } from '../../contract/kubernetes-version';
import { SERVICE_WRITES } from './class-default-policy';
import type { ClassDefaultWay } from './class-default-way';
import { clusterObject } from './cluster-object';
import { ADMISSION_API_VERSION, MUTATING_POLICIES_SINCE } from './guard.facts';
import { constraints, inNamespaces } from './matching';
import { refuse } from './refuse';

/**
 * By the API server itself.
 *
 * @param instead what is left for API servers that are too old
 */
export function byApiServer(instead: string): ClassDefaultWay {
  return (host, { name, namespaceSelector, spec, kubernetes }) => {
    if (!kubernetes.isAtLeast(KubernetesVersion.of(MUTATING_POLICIES_SINCE))) {
      refuse(host, {
        ruleId: 'class-default-kubernetes',
        what: `Kubernetes ${kubernetes.version} has no MutatingAdmissionPolicy v1, which comes with ${MUTATING_POLICIES_SINCE}`,
        remedy: `pass kubernetes if the cluster has it, or a mechanism: ${instead}`,
      });
    }
    const policy = clusterObject(host, 'Policy', {
      apiVersion: ADMISSION_API_VERSION,
      kind: 'MutatingAdmissionPolicy',
      name,
      content: { spec: { ...spec, matchConstraints: constraints(SERVICE_WRITES.resourceRules) } },
    });
    clusterObject(host, 'PolicyBinding', {
      apiVersion: ADMISSION_API_VERSION,
      kind: 'MutatingAdmissionPolicyBinding',
      name,
      content: { spec: { policyName: name, matchResources: inNamespaces(namespaceSelector) } },
    });
    return { policy };
  };
}
