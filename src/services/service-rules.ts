import type { DescribedRule } from '../contract/rule';

// Rules for the props and the manifest of a Service, before it is written.

export const BAD_PROPS: DescribedRule = {
  id: 'bad-props',
  severity: 'error',
  says: 'LoadBalancedService with both or neither of workload and selector',
  source: 'ours',
};

export const ADOPTED_SCHEME: DescribedRule = {
  id: 'adopted-scheme',
  severity: 'error',
  says: 'live load balancer whose scheme neither manifest nor props set',
  source: 'ours',
};

export const MANIFEST_CONTRADICTS_PLAN: DescribedRule = {
  id: 'manifest-contradicts-plan',
  severity: 'error',
  says: 'adopted manifest that contradicts the plan',
  source: 'ours',
};

export const CLASS_ON_LIVE_SERVICE: DescribedRule = {
  id: 'class-on-live-service',
  severity: 'warning',
  says: 'live Service that gets a class; an error if the manifest shows that another controller owns it',
  source: 'ours',
};

export const OWNER_OF_LIVE_SERVICE: DescribedRule = {
  id: 'owner-of-live-service',
  severity: 'warning',
  says: 'live Service that gets another owner; an error if the manifest shows the present one',
  source: 'ours',
};

export const EXPORTED_MANIFEST: DescribedRule = {
  id: 'exported-manifest',
  severity: 'warning',
  says: 'manifest with fields that the API server wrote',
  source: 'ours',
};

export const PODS_ELSEWHERE: DescribedRule = {
  id: 'pods-elsewhere',
  severity: 'error',
  says: 'pods that are not pinned to the node pool of their backend',
  source: 'ours',
};

export const PODS_NOT_PINNED: DescribedRule = {
  id: 'pods-not-pinned',
  severity: 'error',
  says: 'backend on a node pool to which nothing pins its pods',
  source: 'ours',
};

export const PODS_MAY_BE_ELSEWHERE: DescribedRule = {
  id: 'pods-may-be-elsewhere',
  severity: 'warning',
  says: 'pods that are not pinned to the node pool of a backend with policy Local',
  source: 'ours',
};
