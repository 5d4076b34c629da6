import { errorRule } from '../tenancy/fault';

// Rules of the props of admission policies for load balancers.

export const KEEPER_KUBERNETES = errorRule(
  'keeper-kubernetes',
  'the API server has MutatingAdmissionPolicy: v1 from Kubernetes 1.36 on, v1beta1 in 1.34 and 1.35 if its feature gate is on',
);
export const KEEPER_ANNOTATION_KEY = errorRule('keeper-annotation-key', 'an annotation to keep is a valid key');
export const LOCK_ACTIONS = errorRule(
  'lock-actions',
  'a lock has at least one action, each once, and does not both refuse a request and warn of it',
);
