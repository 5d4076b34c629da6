import type { DescribedRule } from './rule';

// Rules that requests, controllers and placements are refused by before there is an object to validate.

export const BAD_REQUEST: DescribedRule = {
  id: 'bad-request',
  severity: 'error',
  says: 'a wish has the type that the request declares, and is possible by itself',
  source: 'ours',
};

export const BAD_CONTROLLER: DescribedRule = {
  id: 'bad-controller',
  severity: 'error',
  says: 'a controller is an object with a name and a bind method',
  source: 'ours',
};

export const CONTROLLER_FAILED: DescribedRule = {
  id: 'controller-failed',
  severity: 'error',
  says: 'a controller answers a request with a plan that has an owner, and does not throw',
  source: 'ours',
};

export const UNANSWERED_WISH: DescribedRule = {
  id: 'unanswered-wish',
  severity: 'error',
  says: 'the plan of a controller answers every wish: in its fields, its answers, its problems or its warnings',
  source: 'ours',
};

export const CANNOT_HONOUR: DescribedRule = {
  id: 'cannot-honour',
  severity: 'error',
  says: 'the controller can do what the request asks for',
  source: 'ours',
};

export const PINNED_TWICE: DescribedRule = {
  id: 'pinned-twice',
  severity: 'error',
  says: 'a workload is pinned to one node pool',
  source: 'ours',
};

export const PINNED_AND_EXCLUDED: DescribedRule = {
  id: 'pinned-and-excluded',
  severity: 'error',
  says: 'a workload is not excluded from the node pool to which it is pinned',
  source: 'ours',
};

export const PIN_CONTRADICTED: DescribedRule = {
  id: 'pin-contradicted',
  severity: 'error',
  says: 'selectors and affinity of pods that are pinned leave nodes of their node pool',
  source: 'ours',
};

export const PIN_OVERRIDDEN: DescribedRule = {
  id: 'pin-overridden',
  severity: 'error',
  says: 'a class of a workload that overrides toJson keeps the affinity and the tolerations of its pin',
  source: 'ours',
};

export const WRONG_PROP: DescribedRule = {
  id: 'wrong-prop',
  severity: 'error',
  says: 'props and options are of the types that they are declared with, those without a default are given, and no key is misspelt',
  source: 'ours',
};

/** What the controller writes is not overwritten. */
export const SAID_TWICE: DescribedRule = {
  id: 'said-twice',
  severity: 'error',
  says: 'an annotation or label that is added has the value that the controller writes, where it writes one',
  source: 'ours',
};
