import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { StrimziVersion } from './strimzi-version';

/** Where an operator does not run on a version of Kubernetes. The one that is meant where nobody says any is new enough for all. */
export function kubernetesTooOld(strimzi: StrimziVersion, kubernetes: KubernetesVersion): LoadBalancerFinding[] {
  const { version, minimumKubernetes } = strimzi;
  return kubernetes.isAtLeast(minimumKubernetes)
    ? []
    : [
        {
          ruleId: 'strimzi-kubernetes',
          who: 'strimzi',
          what: `kubernetes is ${kubernetes.version}, and Strimzi ${version} needs ${minimumKubernetes.version} or newer`,
          wayOut: 'upgrade Kubernetes, name the version that runs, or use an older Strimzi',
          value: kubernetes.version,
        },
      ];
}
