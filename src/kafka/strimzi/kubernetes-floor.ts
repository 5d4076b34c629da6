import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { StrimziVersion } from './strimzi-version';

/** An operator runs on the Kubernetes of its cluster. */
export const STRIMZI_KUBERNETES = {
  id: 'strimzi-kubernetes',
  severity: 'error',
  says: 'the release runs on the Kubernetes of the cluster',
  source: { repository: 'strimzi/strimzi-kafka-operator', version: '1.2.0', file: 'CHANGELOG.md' },
} as const;

/** Where an operator does not run on a version of Kubernetes. The one that is meant where none is set is new enough for all. */
export function kubernetesTooOld(strimzi: StrimziVersion, kubernetes: KubernetesVersion): LoadBalancerFinding[] {
  const { version, minimumKubernetes } = strimzi;
  return kubernetes.isAtLeast(minimumKubernetes)
    ? []
    : [
        {
          ruleId: STRIMZI_KUBERNETES.id,
          who: 'strimzi',
          what: `kubernetes is ${kubernetes.version}, and Strimzi ${version} needs ${minimumKubernetes.version} or newer`,
          remedy: 'upgrade Kubernetes, name the version that runs, or use an older Strimzi',
          value: kubernetes.version,
        },
      ];
}
