import type { Citation } from '../contract/kubernetes.facts';

const KUBERNETES = { repository: 'kubernetes/kubernetes', version: 'v1.36.3' };

/** Seconds until all nodes have heard that a pod comes or goes: kube-proxy writes its rules at most once a second, and hears of it later in large clusters. */
export const KUBE_PROXY_SECONDS = 5;

/** From when on kube-proxy sends to pods in termination that still serve, where its node has no other: before, such a node drops connections. */
export const SERVES_IN_TERMINATION = '1.26';

/** Where kube-proxy does so, and where it counts only the others for the health check of its node. */
export const SERVES_IN_TERMINATION_SOURCE: Citation = {
  ...KUBERNETES,
  file: 'pkg/proxy/topology.go and pkg/proxy/endpointschangetracker.go',
};

/** From when on a hook can sleep by itself, without a program in the image. pkg/features/kube_features.go (PodLifecycleSleepAction), v1.36.3 */
export const HOOK_SLEEPS = '1.30';

/** Where the API server says how hooks and grace periods go together. */
export const HOOK_SOURCE: Citation = {
  ...KUBERNETES,
  file: 'pkg/apis/core/validation/validation.go (validateSleepAction)',
};

/** The grace period that pods have where none is said, in seconds. pkg/apis/core/v1/defaults.go, v1.36.3 */
export const DEFAULT_GRACE_SECONDS = 30;

/** How many pods an update may take away where nothing is said. pkg/apis/apps/v1/defaults.go, v1.36.3 */
export const DEFAULT_UNAVAILABLE = '25%';

/** Seconds in which a Deployment must get on where none are said: more than new pods wait. pkg/apis/apps/v1/defaults.go, v1.36.3 */
export const DEFAULT_PROGRESS_SECONDS = 600;

/** How long pods take to finish where nobody says it: as long as Kubernetes gives them without a hook. */
export const DEFAULT_DRAIN_SECONDS = DEFAULT_GRACE_SECONDS;
