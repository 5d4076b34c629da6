import type { UpgradedBalancer } from '../../contract/edit';
import type { Citation } from '../../contract/kubernetes.facts';
import { annotationsOf } from '../../rules/service-json';
import { AWS_LBC, AWS_LBC_SOURCE } from './annotations';

/** A file of the same version. */
export const lbcFile = (file: string): Citation => ({ ...AWS_LBC_SOURCE, file });

/** The files that several facts and rules were read in. */
export const LBC_FILES = {
  loadBalancer: lbcFile('pkg/service/model_build_load_balancer.go'),
  listener: lbcFile('pkg/service/model_build_listener.go'),
  targetGroup: lbcFile('pkg/service/model_build_target_group.go'),
  securityGroup: lbcFile('pkg/service/model_build_managed_sg.go'),
  networking: lbcFile('pkg/networking/utils.go'),
  claims: lbcFile('pkg/service/service_utils.go'),
};

/** The attributes of balancers and target groups, by AWS. */
export const AWS_ATTRIBUTES: Citation = {
  repository: 'AWS Elastic Load Balancing User Guide',
  version: '2026-11-21',
  file: 'network/edit-target-group-attributes.html',
};

/** The label of a Namespace by which the controller has its pods wait for the balancer. docs/deploy/pod_readiness_gate.md, v3.5.0 */
export const LBC_READINESS_GATES = { 'elbv2.k8s.aws/pod-readiness-gate-inject': 'enabled' };

export const saysNoScheme = ({ service }: UpgradedBalancer) =>
  [AWS_LBC.scheme, AWS_LBC.internal].every((entry) => annotationsOf(service)[entry.key()] === undefined);

export const isBesideGateways = ({ beside }: UpgradedBalancer) =>
  beside.some(({ apiVersion }) => String(apiVersion).startsWith('gateway.networking.k8s.io/'));
