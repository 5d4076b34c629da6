import type { Part } from './facts';

/** What a part of the controller may do. */
export interface RbacFact {
  readonly part: Part;
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** The files of kubernetes-sigs/aws-load-balancer-controller, tag v3.5.0, that these rules were read in. */
export const RBAC_FILES = {
  clusterRole: 'config/rbac/role.yaml',
  leaderElectionRole: 'config/rbac/leader_election_role.yaml',
} as const;

/** In its own namespace: the lease that its replicas hold. */
export const LEADER_ELECTION_RULES: readonly RbacFact[] = [
  { part: 'core', apiGroups: [''], resources: ['configmaps'], verbs: ['create'] },
  {
    part: 'core',
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: ['aws-load-balancer-controller-leader'],
    verbs: ['get', 'patch', 'update'],
  },
  { part: 'core', apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
  {
    part: 'core',
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    resourceNames: ['aws-load-balancer-controller-leader'],
    verbs: ['get', 'update', 'patch'],
  },
];

/** In the whole cluster. Upstream grants all of it whatever runs; secrets only where it is asked for. */
export const CLUSTER_RULES: readonly RbacFact[] = [
  { part: 'core', apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'delete', 'get', 'update'] },
  {
    part: 'core',
    apiGroups: [''],
    resources: ['endpoints', 'namespaces', 'nodes', 'pods'],
    verbs: ['get', 'list', 'watch'],
  },
  { part: 'core', apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
  { part: 'core', apiGroups: [''], resources: ['pods/status', 'services/status'], verbs: ['patch', 'update'] },
  { part: 'core', apiGroups: [''], resources: ['services'], verbs: ['get', 'list', 'patch', 'update', 'watch'] },
  {
    part: 'global-accelerator',
    apiGroups: ['aga.k8s.aws'],
    resources: ['globalaccelerators'],
    verbs: ['get', 'list', 'patch', 'watch'],
  },
  {
    part: 'global-accelerator',
    apiGroups: ['aga.k8s.aws'],
    resources: ['globalaccelerators/finalizers', 'globalaccelerators/status'],
    verbs: ['patch', 'update'],
  },
  { part: 'core', apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['get', 'list', 'watch'] },
  { part: 'alb-target-control', apiGroups: ['elbv2.k8s.aws'], resources: ['albtargetcontrolconfigs'], verbs: ['get'] },
  { part: 'ingress', apiGroups: ['elbv2.k8s.aws'], resources: ['ingressclassparams'], verbs: ['get', 'list', 'watch'] },
  {
    part: 'core',
    apiGroups: ['elbv2.k8s.aws'],
    resources: ['targetgroupbindings'],
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  },
  { part: 'core', apiGroups: ['elbv2.k8s.aws'], resources: ['targetgroupbindings/status'], verbs: ['patch', 'update'] },
  {
    part: 'ingress',
    apiGroups: ['extensions', 'networking.k8s.io'],
    resources: ['ingresses'],
    verbs: ['get', 'list', 'patch', 'update', 'watch'],
  },
  {
    part: 'ingress',
    apiGroups: ['extensions', 'networking.k8s.io'],
    resources: ['ingresses/status'],
    verbs: ['patch', 'update'],
  },
  {
    part: 'gateway',
    apiGroups: ['gateway.k8s.aws'],
    resources: ['listenerruleconfigurations', 'loadbalancerconfigurations', 'targetgroupconfigurations'],
    verbs: ['get', 'list', 'patch', 'watch'],
  },
  {
    part: 'gateway',
    apiGroups: ['gateway.k8s.aws'],
    resources: [
      'listenerruleconfigurations/finalizers',
      'loadbalancerconfigurations/finalizers',
      'targetgroupconfigurations/finalizers',
    ],
    verbs: ['patch', 'update'],
  },
  {
    part: 'gateway',
    apiGroups: ['gateway.k8s.aws'],
    resources: [
      'listenerruleconfigurations/status',
      'loadbalancerconfigurations/status',
      'targetgroupconfigurations/status',
    ],
    verbs: ['get', 'patch', 'update'],
  },
  {
    part: 'gateway',
    apiGroups: ['gateway.networking.k8s.io'],
    resources: ['gatewayclasses', 'gateways', 'referencegrants'],
    verbs: ['get', 'list', 'patch', 'watch'],
  },
  {
    part: 'gateway',
    apiGroups: ['gateway.networking.k8s.io'],
    resources: ['gatewayclasses/finalizers', 'gateways/finalizers'],
    verbs: ['patch', 'update'],
  },
  {
    part: 'gateway',
    apiGroups: ['gateway.networking.k8s.io'],
    resources: [
      'gatewayclasses/status',
      'gateways/status',
      'grpcroutes/status',
      'httproutes/status',
      'listenersets/status',
      'tcproutes/status',
      'tlsroutes/status',
      'udproutes/status',
    ],
    verbs: ['get', 'patch', 'update'],
  },
  {
    part: 'gateway',
    apiGroups: ['gateway.networking.k8s.io'],
    resources: ['grpcroutes', 'httproutes', 'listenersets', 'tcproutes', 'tlsroutes', 'udproutes'],
    verbs: ['get', 'list', 'watch'],
  },
  {
    part: 'gateway',
    apiGroups: ['gateway.networking.k8s.io'],
    resources: [
      'grpcroutes/finalizers',
      'httproutes/finalizers',
      'listenersets/finalizers',
      'tcproutes/finalizers',
      'tlsroutes/finalizers',
      'udproutes/finalizers',
    ],
    verbs: ['update'],
  },
  { part: 'ingress', apiGroups: ['networking.k8s.io'], resources: ['ingressclasses'], verbs: ['get', 'list', 'watch'] },
];
