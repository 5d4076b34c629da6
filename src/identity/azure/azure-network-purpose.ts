/**
 * What the cloud provider of Azure does with resources outside the resource group of the nodes.
 */
export enum AzureNetworkPurpose {
  /** Internal load balancers take addresses from a subnet. */
  INTERNAL_SUBNET = 'internal-subnet',

  /** Load balancers take public IP addresses of another resource group. */
  PUBLIC_IP = 'public-ip',

  /** Public IP addresses are taken from a prefix of another resource group. */
  PUBLIC_IP_PREFIX = 'public-ip-prefix',

  /** Rules are written to a network security group of another resource group. */
  SECURITY_GROUP = 'security-group',

  /** Services are offered through Private Link. */
  PRIVATE_LINK = 'private-link',
}
