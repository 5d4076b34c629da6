import type { DescribedRule } from '../../contract/rule-of';

/** What is told of options of the NLB gateway, and of the controller that is to serve it. */
const NLB_GATEWAY_FINDINGS: readonly DescribedRule[] = [
  {
    id: 'nlb-security-groups',
    severity: 'error',
    says: 'the security groups of an NLB of tenants are ids or names, 1 at least and each of them once',
  },
  { id: 'nlb-source-ranges', severity: 'error', says: 'the source ranges of an NLB of tenants are CIDRs' },
  {
    id: 'nlb-gateway-off',
    severity: 'error',
    says: 'where the AWS Load Balancer Controller is in the app of an NLB of tenants, its NLB gateway and its listener sets are on',
  },
  {
    id: 'nlb-gateway-version',
    severity: 'error',
    says: 'where the AWS Load Balancer Controller is in the app of an NLB of tenants, it is of a version that reads TCPRoute and its own kinds in v1',
  },
];

/** What is told of the engines of shared load balancers. */
export const ENGINE_FINDINGS: readonly DescribedRule[] = [
  ...NLB_GATEWAY_FINDINGS,
  { id: 'engine-unknown', severity: 'error', says: 'a shared load balancer has one of the engines that are made here' },
  { id: 'engine-retired', severity: 'error', says: 'ingress-nginx, which is retired, serves no tenants' },
  { id: 'engine-replicas', severity: 'error', says: 'Envoy Gateway has one proxy or more' },
  {
    id: 'port-of-proxies',
    severity: 'error',
    says: 'the proxies of Envoy Gateway can listen on every port: they use some themselves, and those below 1024 stand for the port that is 10000 higher',
  },
  {
    id: 'ranges-of-one-listener',
    severity: 'error',
    says: 'Services of a tenant that share a port of Envoy Gateway by host names have the same source ranges',
  },
  {
    id: 'fence-security-groups',
    severity: 'error',
    says: 'an NLB of tenants has security groups of the platform, unless all tenants are one team: the group of the controller is full with 60 rules, and then nothing changes for anybody',
  },
  {
    id: 'ranges-of-own-groups',
    severity: 'error',
    says: 'an NLB has source ranges where the controller makes its security group',
  },
  {
    id: 'fence-existing-gateway',
    severity: 'error',
    says: 'a Gateway that exists and is an NLB is shared by one team alone: its controller keeps no tenants apart',
  },
  {
    id: 'existing-gateway-namespace',
    severity: 'error',
    says: 'the namespace of a Gateway that exists is known, since listeners of tenants name it',
  },
  {
    id: 'gateway-controller-unknown',
    severity: 'warning',
    says: 'the controller of a Gateway that exists is known, and so whether it tells tenants when two want one port',
  },
  {
    id: 'haproxy-version',
    severity: 'error',
    says: 'the HAProxy Kubernetes Ingress Controller is of a version that has objects of kind TCP and reads their class',
  },
  { id: 'haproxy-replicas', severity: 'error', says: 'HAProxy has one pod or more' },
  {
    id: 'haproxy-twice',
    severity: 'error',
    says: 'an installation of HAProxy serves one shared load balancer, since it binds whatever is published under its class',
  },
  {
    id: 'haproxy-values',
    severity: 'error',
    says: 'further values of the chart of HAProxy undo nothing that tenants or their limits need',
  },
];
