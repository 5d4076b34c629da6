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
  'rollout without one workload whose controller replaces pods one by one',
);

export const ROLLOUT_TIME_UNKNOWN = ours(
  'rollout-time-unknown',
  'error',
  'controller that does not say how long the balancer still sends connections to a removed pod',
);

export const ROLLOUT_GRACE_PERIOD: DescribedRule = {
  id: 'rollout-grace-period',
  severity: 'error',
  says: 'grace period of pods that ends before their connections do',
  source: HOOK_SOURCE,
};

export const ROLLOUT_PRE_STOP: DescribedRule = {
  id: 'rollout-pre-stop',
  severity: 'error',
  says: 'preStop hook that ends while the balancer still sends connections',
  source: SERVES_IN_TERMINATION_SOURCE,
};

export const ROLLOUT_PRE_STOP_UNKNOWN = ours('rollout-pre-stop-unknown', 'warning', 'preStop hook of unknown length');

export const ROLLOUT_SLEEP_PROGRAM: DescribedRule = {
  id: 'rollout-sleep-program',
  severity: 'warning',
  says: 'image that may lack the sleep program, before Kubernetes 1.30',
  source: { repository: 'kubernetes/kubernetes', version: 'v1.36.3', file: 'pkg/features/kube_features.go' },
};

export const ROLLOUT_REPLICAS = ours(
  'rollout-replicas',
  'error',
  'one replica: nothing serves while it is replaced or evicted',
);

export const ROLLOUT_REPLICAS_UNSET = ours('rollout-replicas-unset', 'warning', 'unknown number of replicas');

export const ROLLOUT_STRATEGY = ours(
  'rollout-strategy',
  'error',
  'update strategy that stops old pods before new ones get connections',
);

export const ROLLOUT_READINESS = ours(
  'rollout-readiness',
  'error',
  'pods without a readiness probe: they count as ready before they accept connections',
);

export const ROLLOUT_NODE_REMOVAL = ours(
  'rollout-node-removal',
  'error',
  'pods that no drain evicts, on nodes that leave the balancer too late',
);

export const ROLLOUT_NAMESPACE_LABEL = ours(
  'rollout-namespace-label',
  'warning',
  'Namespace of target pods without the readiness gate label',
);

export const ROLLOUT_NAMESPACE = ours(
  'rollout-namespace',
  'error',
  'rollout with another Namespace than its workload, or one that disables the readiness gate',
);

export const ROLLOUT_BUDGET_TWICE: DescribedRule = {
  id: 'rollout-budget-twice',
  severity: 'error',
  says: 'two PodDisruptionBudgets for one pod: the API server never evicts it',
  source: {
    repository: 'kubernetes/kubernetes',
    version: 'v1.36.3',
    file: 'pkg/registry/core/pod/storage/eviction.go',
  },
};
