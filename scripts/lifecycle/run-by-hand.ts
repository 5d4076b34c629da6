import type { Citation } from '../../src/contract/kubernetes.facts';

/**
 * Rows of the model that were walked on a program which no command of this repository builds: the owner that the model has beside
 * the real API server was that program, and it and its cloud were held and released where the ways say.
 */
export const RUN_BY_HAND: {
  readonly program: Citation;
  readonly cloud: string;
  /** Ways that agreed with the model after every step, and at rest. */
  readonly ways: number;
  readonly rows: readonly string[];
} = {
  program: {
    repository: 'kubernetes-sigs/aws-load-balancer-controller',
    version: 'v3.5.0',
    file: 'controllers/service/service_controller.go',
  },
  cloud: 'moto 5.2.5',
  ways: 320,
  rows: [
    'aws-load-balancer-controller.queues',
    'aws-load-balancer-controller.reads',
    'aws-load-balancer-controller.reads-what-was',
    'aws-load-balancer-controller.reads-its-own',
    'aws-load-balancer-controller.marks',
    'aws-load-balancer-controller.conflicts',
    'aws-load-balancer-controller.conflicts-behind',
    'aws-load-balancer-controller.marks-nothing',
    'aws-load-balancer-controller.creates',
    'aws-load-balancer-controller.publishes',
    'aws-load-balancer-controller.publishes-nowhere',
    'aws-load-balancer-controller.releases',
    'aws-load-balancer-controller.releases-the-unclaimed',
    'aws-load-balancer-controller.deletes',
    'aws-load-balancer-controller.unmarks',
    'aws-load-balancer-controller.unmarks-nothing',
    'aws-load-balancer-controller.unmarks-no-namesake',
    'beside-namesake.queues',
    'beside-namesake.releases',
  ],
};
