import type { DescribedRule } from './rule';

/** What is told of wishes, controllers and placements before there is an object to judge. */
export const REQUEST_FINDINGS: readonly DescribedRule[] = [
  {
    id: 'bad-request',
    severity: 'error',
    says: 'what is wished for is of the type that the request declares, and is possible by itself',
  },
  { id: 'bad-controller', severity: 'error', says: 'a controller is an object with a name and a bind method' },
  {
    id: 'controller-failed',
    severity: 'error',
    says: 'a controller answers a request with a plan that has an owner, and does not throw',
  },
  {
    id: 'unanswered-wish',
    severity: 'error',
    says: 'the plan of a controller answers every wish: in its fields, its answers, its problems or its warnings',
  },
  { id: 'cannot-honour', severity: 'error', says: 'the controller can do what is wished for' },
  { id: 'pinned-twice', severity: 'error', says: 'a workload is pinned to one node pool' },
  {
    id: 'pinned-and-excluded',
    severity: 'error',
    says: 'a workload is not excluded from the node pool to which it is pinned',
  },
  {
    id: 'pin-contradicted',
    severity: 'error',
    says: 'selectors and affinity of pods that are pinned leave nodes of their node pool',
  },
  {
    id: 'pin-overridden',
    severity: 'error',
    says: 'a class of a workload that overrides toJson keeps the affinity and the tolerations of its pin',
  },
];
