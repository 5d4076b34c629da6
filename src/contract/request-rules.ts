import type { DescribedRule } from './rule';

// Rules that requests, controllers and placements are refused by before there is an object to validate.

export const BAD_REQUEST: DescribedRule = {
  id: 'bad-request',
  severity: 'error',
  says: 'request with a value of the wrong type, or one that no load balancer can have',
  source: 'ours',
};

export const BAD_CONTROLLER: DescribedRule = {
  id: 'bad-controller',
  severity: 'error',
  says: 'controller without a name or a bind method',
  source: 'ours',
};

export const CONTROLLER_FAILED: DescribedRule = {
  id: 'controller-failed',
  severity: 'error',
  says: 'controller that throws, or whose plan has no owner',
  source: 'ours',
};

export const UNANSWERED_WISH: DescribedRule = {
  id: 'unanswered-wish',
  severity: 'error',
  says: 'plan that leaves a part of the request unanswered',
  source: 'ours',
};

export const CANNOT_HONOUR: DescribedRule = {
  id: 'cannot-honour',
  severity: 'error',
  says: 'request that the controller cannot satisfy',
  source: 'ours',
};

export const PINNED_TWICE: DescribedRule = {
  id: 'pinned-twice',
  severity: 'error',
  says: 'workload pinned to two node pools',
  source: 'ours',
};

export const PINNED_AND_EXCLUDED: DescribedRule = {
  id: 'pinned-and-excluded',
  severity: 'error',
  says: 'workload that its own affinity excludes from its node pool',
  source: 'ours',
};

export const PIN_CONTRADICTED: DescribedRule = {
  id: 'pin-contradicted',
  severity: 'error',
  says: 'selector or affinity that excludes the node pool of pinned pods',
  source: 'ours',
};

export const PIN_OVERRIDDEN: DescribedRule = {
  id: 'pin-overridden',
  severity: 'error',
  says: 'workload class whose toJson drops the affinity or tolerations of its node pool',
  source: 'ours',
};

export const WRONG_PROP: DescribedRule = {
  id: 'wrong-prop',
  severity: 'error',
  says: 'prop or option of the wrong type, missing, or misspelt',
  source: 'ours',
};

/** What the controller writes is not overwritten. */
export const SAID_TWICE: DescribedRule = {
  id: 'said-twice',
  severity: 'error',
  says: 'added annotation or label that contradicts the plan of the controller',
  source: 'ours',
};
