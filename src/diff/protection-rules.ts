import type { DescribedRule } from '../contract/rule';

// Rules for balancers that are protected.

export const PROTECTED_BALANCER_LOST: DescribedRule = {
  id: 'protected-balancer-lost',
  severity: 'error',
  says: 'no change since the previous manifests loses a protected balancer or its address, unless that loss is accepted with a reason',
  source: 'ours',
};

export const PROTECTED_BALANCER_INTERRUPTED: DescribedRule = {
  id: 'protected-balancer-interrupted',
  severity: 'warning',
  says: 'no change since the previous manifests cuts off clients of a protected balancer',
  source: 'ours',
};

export const PROTECTED_BALANCER_UNKNOWN: DescribedRule = {
  id: 'protected-balancer-unknown',
  severity: 'warning',
  says: 'what a change does to a protected balancer is known',
  source: 'ours',
};

export const PREVIOUS_MISSING: DescribedRule = {
  id: 'previous-missing',
  severity: 'error',
  says: 'the previous manifests are there while the app runs',
  source: 'ours',
};

export const PREVIOUS_EMPTY: DescribedRule = {
  id: 'previous-empty',
  severity: 'warning',
  says: 'there are previous manifests that protected balancers are compared with, except in the first synth',
  source: 'ours',
};

export const PREVIOUS_UNREADABLE: DescribedRule = {
  id: 'previous-unreadable',
  severity: 'error',
  says: 'the previous manifests can be read',
  source: 'ours',
};

export const PREVIOUS_AMBIGUOUS: DescribedRule = {
  id: 'previous-ambiguous',
  severity: 'error',
  says: 'the previous manifests have each protected Service once, or several times alike',
  source: 'ours',
};

export const ACCEPTED_LOSS_UNUSED: DescribedRule = {
  id: 'accepted-loss-unused',
  severity: 'warning',
  says: 'every accepted loss is one that the change has',
  source: 'ours',
};
