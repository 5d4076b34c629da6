import type { DescribedRule } from '../contract/rule';

// Rules for the props and the manifest of a Service, before it is written.

export const BAD_PROPS: DescribedRule = {
  id: 'bad-props',
  severity: 'error',
  says: 'a LoadBalancedService names its pods in one way',
  source: 'ours',
};

export const ADOPTED_SCHEME: DescribedRule = {
  id: 'adopted-scheme',
  severity: 'error',
  says: 'for a live load balancer, manifest or props set whether it is public',
  source: 'ours',
};

export const MANIFEST_CONTRADICTS_PLAN: DescribedRule = {
  id: 'manifest-contradicts-plan',
  severity: 'error',
  says: 'a manifest that is adopted does not contradict the plan',
  source: 'ours',
};

export const CLASS_ON_LIVE_SERVICE: DescribedRule = {
  id: 'class-on-live-service',
  severity: 'warning',
  says: 'a Service that is live gets no class that it did not have; an error where the manifest shows that another controller owns it',
  source: 'ours',
};

export const OWNER_OF_LIVE_SERVICE: DescribedRule = {
  id: 'owner-of-live-service',
  severity: 'warning',
  says: 'a Service that is live keeps its owner; an error where the manifest shows that another controller owns it',
  source: 'ours',
};

export const EXPORTED_MANIFEST: DescribedRule = {
  id: 'exported-manifest',
  severity: 'warning',
  says: 'a manifest holds nothing that the API server wrote',
  source: 'ours',
};

export const PODS_ELSEWHERE: DescribedRule = {
  id: 'pods-elsewhere',
  severity: 'error',
  says: 'pods are pinned to the node pool on which their balancer looks for them',
  source: 'ours',
};

export const PODS_NOT_PINNED: DescribedRule = {
  id: 'pods-not-pinned',
  severity: 'error',
  says: 'pods are pinned where their placement alone keeps a backend on a node pool',
  source: 'ours',
};

export const PODS_MAY_BE_ELSEWHERE: DescribedRule = {
  id: 'pods-may-be-elsewhere',
  severity: 'warning',
  says: 'pods are pinned to the node pool of a backend with policy Local',
  source: 'ours',
};
