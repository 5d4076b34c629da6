import type { DescribedRule } from '../contract/rule';
import { HOOK_SOURCE, SERVES_IN_TERMINATION_SOURCE } from '../rules/rollout.facts';

// Rules for what a rollout needs of the workload, its Namespace and its budget.

const ours = (id: string, severity: DescribedRule['severity'], says: string): DescribedRule => ({
  id,
  severity,
  says,
  source: 'ours',
});

export const ROLLOUT_WORKLOAD = ours(
  'rollout-workload',
  'error',
  'a rollout knows the one workload whose pods are replaced, and that a controller replaces them one after the other',
);

export const ROLLOUT_TIME_UNKNOWN = ours(
  'rollout-time-unknown',
  'error',
  'who answers a rollout says for how long the balancer still sends connections to a pod that goes',
);

export const ROLLOUT_GRACE_PERIOD: DescribedRule = {
  id: 'rollout-grace-period',
  severity: 'error',
  says: 'the grace period of pods is as long as their balancer sends connections and they take to finish them',
  source: HOOK_SOURCE,
};

export const ROLLOUT_PRE_STOP: DescribedRule = {
  id: 'rollout-pre-stop',
  severity: 'error',
  says: 'the preStop hook of every container lasts until the balancer sends no more connections',
  source: SERVES_IN_TERMINATION_SOURCE,
};

export const ROLLOUT_PRE_STOP_UNKNOWN = ours(
  'rollout-pre-stop-unknown',
  'warning',
  'a preStop hook says how long it lasts, where a rollout depends on it',
);

export const ROLLOUT_SLEEP_PROGRAM: DescribedRule = {
  id: 'rollout-sleep-program',
  severity: 'warning',
  says: 'images have a program called sleep, where Kubernetes is older than 1.30, whose hooks cannot sleep by themselves',
  source: { repository: 'kubernetes/kubernetes', version: 'v1.36.3', file: 'pkg/features/kube_features.go' },
};

export const ROLLOUT_REPLICAS = ours(
  'rollout-replicas',
  'error',
  'there is a second pod that serves while one is replaced or evicted',
);

export const ROLLOUT_REPLICAS_UNSET = ours(
  'rollout-replicas-unset',
  'warning',
  'replicas are set, or an autoscaler is known to keep at least two pods',
);

export const ROLLOUT_STRATEGY = ours(
  'rollout-strategy',
  'error',
  'an update of a workload leaves pods that serve, and waits until the balancer sends connections to new ones',
);

export const ROLLOUT_READINESS = ours(
  'rollout-readiness',
  'error',
  'pods say when they are ready: without a probe they count as ready before they accept connections',
);

export const ROLLOUT_NODE_REMOVAL = ours(
  'rollout-node-removal',
  'error',
  'pods that no drain evicts are on nodes that leave the balancer before they are removed',
);

export const ROLLOUT_NAMESPACE_LABEL = ours(
  'rollout-namespace-label',
  'warning',
  'the Namespace of pods that are targets has the label by which they wait for the balancer',
);

export const ROLLOUT_NAMESPACE = ours(
  'rollout-namespace',
  'error',
  'the Namespace of a rollout is one, that of its workload, and does not say the opposite',
);

export const ROLLOUT_BUDGET_TWICE: DescribedRule = {
  id: 'rollout-budget-twice',
  severity: 'error',
  says: 'one PodDisruptionBudget selects a pod: with two the API server evicts it never',
  source: {
    repository: 'kubernetes/kubernetes',
    version: 'v1.36.3',
    file: 'pkg/registry/core/pod/storage/eviction.go',
  },
};
