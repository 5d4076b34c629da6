import { AwsLoadBalancerController, type AwsLoadBalancerControllerNlbOptions } from '../../src';
import type { ControllerCases } from '../support/cases';
import { claimsOf, lbcInstallations } from './parts/aws.claims';
import { made } from './parts/aws-load-balancer-controller.made';
import { options } from './parts/aws-load-balancer-controller.options';
import { refusedOptions } from './parts/aws-load-balancer-controller.refused';
import { requests } from './parts/aws-load-balancer-controller.requests';
import { rollouts } from './parts/aws-load-balancer-controller.rollouts';
import { services } from './parts/aws-load-balancer-controller.services';

export const cases: ControllerCases = {
  wishesMayBreak: ['client-address-of-udp'],
  kind: AwsLoadBalancerController._kind.definition,
  make: (given) => AwsLoadBalancerController.nlb(given as AwsLoadBalancerControllerNlbOptions),
  options,
  requests,
  services,
  refusedOptions,
  claims: [...claimsOf('aws-load-balancer-controller'), ...lbcInstallations],
  made,
  rollouts,
};
