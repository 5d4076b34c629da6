import type { Right } from '../harness/rights';

const RBAC = 'rbac.authorization.k8s.io';

/** What nobody may do whom we install: each is a way to become somebody else, or to leave the cluster without its guards. */
export const NEVER_ALLOWED: readonly Right[] = [
  { verb: '*', group: '*', resource: '*' },
  { verb: 'get', group: '', resource: 'nodes/proxy' },
  { verb: 'create', group: '', resource: 'nodes/proxy' },
  { verb: 'create', group: '', resource: 'nodes' },
  { verb: 'create', group: '', resource: 'pods/exec' },
  { verb: 'get', group: '', resource: 'pods/exec' },
  { verb: 'create', group: '', resource: 'pods/attach' },
  { verb: 'create', group: '', resource: 'pods/portforward' },
  { verb: 'update', group: '', resource: 'pods/ephemeralcontainers' },
  { verb: 'create', group: '', resource: 'serviceaccounts/token' },
  { verb: 'impersonate', group: '', resource: 'users' },
  { verb: 'impersonate', group: '', resource: 'groups' },
  { verb: 'impersonate', group: '', resource: 'serviceaccounts' },
  { verb: 'delete', group: '', resource: 'namespaces' },
  { verb: 'update', group: '', resource: 'namespaces' },
  { verb: 'delete', group: '', resource: 'persistentvolumes' },
  { verb: 'escalate', group: RBAC, resource: 'roles' },
  { verb: 'bind', group: RBAC, resource: 'roles' },
  { verb: 'escalate', group: RBAC, resource: 'clusterroles' },
  { verb: 'bind', group: RBAC, resource: 'clusterroles' },
  { verb: 'create', group: RBAC, resource: 'clusterroles' },
  { verb: 'update', group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations' },
  { verb: 'delete', group: 'admissionregistration.k8s.io', resource: 'mutatingwebhookconfigurations' },
  { verb: 'update', group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
  { verb: 'delete', group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
  { verb: 'update', group: 'certificates.k8s.io', resource: 'certificatesigningrequests/approval' },
  { verb: 'create', group: 'apps', resource: 'daemonsets' },
];
