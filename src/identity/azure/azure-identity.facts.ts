// Objects of Azure Service Operator, and what the cloud provider of Azure needs. Azure/azure-service-operator, types and samples of
// the groups authorization and managedidentity as read in 2026-11; kubernetes-sigs/cloud-provider-azure, topic azure-permissions (2026-08);
// MicrosoftDocs/azure-aks-docs, workload-identity-overview (2026-08)
import type { Citation } from '../../contract/kubernetes.facts';

export const AUTHORIZATION_GROUP = 'authorization.azure.com';
export const AUTHORIZATION_VERSION = 'v1api20220401';
export const MANAGED_IDENTITY_GROUP = 'managedidentity.azure.com';
export const MANAGED_IDENTITY_VERSION = 'v1api20230131';

export const ROLE_ASSIGNMENT_KIND = 'RoleAssignment';
export const ROLE_DEFINITION_KIND = 'RoleDefinition';
export const FEDERATED_CREDENTIAL_KIND = 'FederatedIdentityCredential';

/** How messages call the operator. */
export const SERVICE_OPERATOR = 'azure-service-operator';

/** The audience of tokens that Azure exchanges. */
export const TOKEN_EXCHANGE_AUDIENCE = 'api://AzureADTokenExchange';

/** What a ServiceAccount and its pods carry. */
export const CLIENT_ID_ANNOTATION = 'azure.workload.identity/client-id';
export const TENANT_ID_ANNOTATION = 'azure.workload.identity/tenant-id';
export const USE_LABEL = 'azure.workload.identity/use';

/** The built-in role that may change everything of networks. */
export const NETWORK_CONTRIBUTOR_ID = '4d97b98b-1d4f-4787-a291-c67834d212e7';

export const GUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** Resource IDs of Azure Resource Manager that begin with a subscription: a group, a resource in one or without, or its parts. */
export const ARM_ID =
  /^\/subscriptions\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(\/resourceGroups\/[\w.()-]{0,89}[\w()-])?(\/providers\/[a-z][\w]*(\.\w+)+(\/[^/\s]+\/[^/\s]+)+)*$/i;

/** Management groups. MicrosoftDocs/azure-docs, role-based-access-control/role-definitions */
export const MANAGEMENT_GROUP_ID = /^\/providers\/Microsoft\.Management\/managementGroups\/[\w.()-]{1,90}$/i;

/**
 * Actions of roles: provider, types, and what is done with them, each of which may be a wildcard.
 * MicrosoftDocs/azure-docs, role-based-access-control/role-definitions
 */
export const ROLE_ACTION = /^(\*|(\*|[a-z]\w*(\.\w+)+)(\/[\w.*-]+)*\/(read|write|delete|action|\*))$/i;

/** The longest name of a role. MicrosoftDocs/azure-docs, role-based-access-control/custom-roles */
export const ROLE_NAME_LENGTH = 512;

/** Names of federated credentials. */
export const FEDERATED_CREDENTIAL_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{2,119}$/;

/** Where a rule about an object of the operator was learnt. */
export function serviceOperator(file: string): Citation {
  return { repository: 'Azure/azure-service-operator', version: '2026-11', file };
}

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
