import type { DescribedRule } from '../../contract/rule-of';

/** What is told of quotas, policies and permissions of tenants. */
export const GUARD_FINDINGS: readonly DescribedRule[] = [
  {
    id: 'guard-dedicated',
    severity: 'error',
    says: 'load balancers of their own have classes and namespaces, and are not counted together with shared Services of type LoadBalancer',
  },
  {
    id: 'guard-exempt',
    severity: 'error',
    says: 'who is exempt is no tenant: it does not live in the namespace of one, who could act as it by a pod, does not belong to one, and is not everybody',
  },
  {
    id: 'guard-controller',
    severity: 'warning',
    says: 'the controllers of the classes that tenants may use are known by name, so that they can write addresses',
  },
  {
    id: 'namespace-labels',
    severity: 'error',
    says: 'the namespaces of tenants have a label: without one a policy would hold in every namespace',
  },
  { id: 'no-namespace', severity: 'error', says: 'quotas and permissions name namespaces, each once' },
  { id: 'quota-limit', severity: 'error', says: 'a quota limits something' },
  { id: 'allowed-class', severity: 'error', says: 'a class that tenants may use is one, and is allowed once' },
  { id: 'class-label', severity: 'error', says: 'the label of shared Services is a label' },
  {
    id: 'class-default-kubernetes',
    severity: 'error',
    says: 'the API server gives Services a class from Kubernetes 1.36 on; below, something else does',
  },
  {
    id: 'class-default-webhook',
    severity: 'error',
    says: 'one label tells the webhook of a controller which namespaces to leave out',
  },
  {
    id: 'policy-kubernetes',
    severity: 'error',
    says: 'the API server knows policies that can judge ranges of addresses',
  },
  { id: 'policy-name', severity: 'error', says: 'policies have the name of an object' },
  { id: 'policy-name-twice', severity: 'error', says: 'an object that belongs to no namespace is made once in an app' },
  {
    id: 'policy-help',
    severity: 'error',
    says: 'the sentence that ends refusals is one short line: the API server drops messages that are too long',
  },
  { id: 'policy-limit', severity: 'error', says: 'limits are whole numbers that can be kept' },
  { id: 'policy-gateways', severity: 'error', says: 'fences between listeners name a shared Gateway' },
  { id: 'policy-ports', severity: 'error', says: 'ports of tenants are ranges, and stand in one place' },
  { id: 'policy-ports-twice', severity: 'error', says: 'no two namespaces get one port of a Gateway' },
  {
    id: 'policy-hostnames',
    severity: 'error',
    says: 'host names of tenants are names, and are judged where tenants share a port by them',
  },
  { id: 'policy-hostnames-twice', severity: 'error', says: 'no two namespaces may use one host name' },
  {
    id: 'tenant-right',
    severity: 'error',
    says: 'the role of tenants lets them write neither status, quotas, policies nor Gateways, nor act with the rights of others',
  },
  {
    id: 'tenant-attachments',
    severity: 'warning',
    says: 'where tenants write listeners themselves, a policy judges which ports they take',
  },
  { id: 'tenant-subjects', severity: 'error', says: 'the permissions of a namespace are bound once, to somebody' },
];
