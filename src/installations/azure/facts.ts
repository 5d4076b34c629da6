// Several Standard balancers in one cluster: kubernetes-sigs/cloud-provider-azure v1.36.5, pkg/provider/config/multi_slb.go and
// pkg/provider/azure.go (checkEnableMultipleStandardLoadBalancers); Microsoft Learn, azure/templates,
// microsoft.containerservice/managedclusters/loadbalancers; Microsoft Learn, cli/azure/aks/loadbalancer.

/** The balancer that must be there, and on AKS its name. */
export const MAIN_BALANCER = 'kubernetes';

/** What the name of the internal twin of a balancer ends with. */
export const INTERNAL_SUFFIX = '-internal';

/** The resource of a balancer in templates, all of whose versions are previews. */
export const ARM_BALANCER = {
  type: 'Microsoft.ContainerService/managedClusters/loadBalancers',
  apiVersion: '2026-04-02-preview',
} as const;

/** Names of balancers. Microsoft Learn, azure-resource-manager/management/resource-name-rules */
export const BALANCER_NAME = /^[A-Za-z0-9](?:[\w.-]{0,78}\w)?$/;

/** Names of node pools of AKS. Microsoft Learn, azure/aks/create-node-pools */
export const AGENT_POOL_NAME = /^[a-z][a-z0-9]{0,11}$/;

/** What the cloud config must say beside the balancers. pkg/provider/azure.go */
export const MULTIPLE_STANDARD_CONFIG = {
  loadBalancerSku: 'standard',
  loadBalancerBackendPoolConfigurationType: 'nodeIP',
} as const;

/** The word of the command line. */
export const CLI = 'az aks loadbalancer add';
