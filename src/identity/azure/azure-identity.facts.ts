// Objects of Azure Service Operator, and what the cloud provider of Azure needs. Azure/azure-service-operator, types and samples of
// the group authorization as read in 2026-11; kubernetes-sigs/cloud-provider-azure, topic azure-permissions (2026-08);
// annotations: MicrosoftDocs/azure-aks-docs, workload-identity-overview (2026-08)

export const AUTHORIZATION_GROUP = 'authorization.azure.com';
export const AUTHORIZATION_VERSION = 'v1api20220401';

export const ROLE_ASSIGNMENT_KIND = 'RoleAssignment';
export const ROLE_DEFINITION_KIND = 'RoleDefinition';

/** The built-in role that may change everything of networks. */
export const NETWORK_CONTRIBUTOR_ID = '4d97b98b-1d4f-4787-a291-c67834d212e7';

export const GUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** Resource IDs of Azure Resource Manager that begin with a subscription: a group, a resource in one or without, or its parts. */
export const ARM_ID =
  /^\/subscriptions\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(\/resourceGroups\/[\w.()-]{0,89}[\w()-])?(\/providers\/[a-z][\w]*(\.\w+)+(\/[^/\s]+\/[^/\s]+)+)*$/i;

/** What the cloud provider does with resources that are in another resource group than its nodes. */
export const ACTIONS_BY_PURPOSE: Readonly<Record<string, readonly string[]>> = {
  'internal-subnet': [
    'Microsoft.Network/virtualNetworks/read',
    'Microsoft.Network/virtualNetworks/subnets/read',
    'Microsoft.Network/virtualNetworks/subnets/join/action',
  ],
  'public-ip': [
    'Microsoft.Network/publicIPAddresses/read',
    'Microsoft.Network/publicIPAddresses/write',
    'Microsoft.Network/publicIPAddresses/delete',
    'Microsoft.Network/publicIPAddresses/join/action',
  ],
  'public-ip-prefix': ['Microsoft.Network/publicIPPrefixes/join/action'],
  'security-group': [
    'Microsoft.Network/networkSecurityGroups/read',
    'Microsoft.Network/networkSecurityGroups/write',
    'Microsoft.Network/networkSecurityGroups/join/action',
    'Microsoft.Network/applicationSecurityGroups/joinNetworkSecurityRule/action',
  ],
  'private-link': [
    'Microsoft.Network/privatelinkservices/read',
    'Microsoft.Network/privatelinkservices/write',
    'Microsoft.Network/privatelinkservices/delete',
    'Microsoft.Network/privatelinkservices/privateEndpointConnections/delete',
    'Microsoft.Network/virtualNetworks/subnets/write',
  ],
};
export const CLIENT_ID_ANNOTATION = 'azure.workload.identity/client-id';
export const TENANT_ID_ANNOTATION = 'azure.workload.identity/tenant-id';
