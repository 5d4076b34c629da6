import { AZURE_SCOPE } from '../refused-identities';
import { ARM_ID, GUID } from './azure.facts';

function refuse(what: string, remedy: string): never {
  throw new Error(`AzureScope: ${what}; ${remedy} (${AZURE_SCOPE.id})`);
}

function idOf(subscriptionId: string, resourceGroup: string, ...rest: string[]): string {
  if (!GUID.test(subscriptionId)) {
    refuse(`'${subscriptionId}' is not a subscription ID`, 'write its ID, a GUID');
  }
  for (const name of [resourceGroup, ...rest]) {
    if (!/^[\w.()-]{0,89}[\w()-]$/.test(name)) {
      refuse(`'${name}' is not a valid resource name`, 'write the name alone, without slashes');
    }
  }
  return `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}`;
}

/**
 * What a role is given on: a resource of Azure by its ID.
 */
export class AzureScope {
  /**
   * The subnet that internal load balancers take their address from.
   *
   * @param subscriptionId the GUID of the subscription
   * @param resourceGroup the group of the network
   * @param virtualNetwork the name of the network
   * @param subnet the name of the subnet
   * @throws when one of them has no such name
   */
  public static subnet(
    subscriptionId: string,
    resourceGroup: string,
    virtualNetwork: string,
    subnet: string,
  ): AzureScope {
    const group = idOf(subscriptionId, resourceGroup, virtualNetwork, subnet);
    return new AzureScope(`${group}/providers/Microsoft.Network/virtualNetworks/${virtualNetwork}/subnets/${subnet}`);
  }

  /**
   * A public IP address that is in another resource group than the nodes.
   *
   * @param subscriptionId the GUID of the subscription
   * @param resourceGroup the group of the address
   * @param name the name of the address
   * @throws when one of them has no such name
   */
  public static publicIp(subscriptionId: string, resourceGroup: string, name: string): AzureScope {
    const group = idOf(subscriptionId, resourceGroup, name);
    return new AzureScope(`${group}/providers/Microsoft.Network/publicIPAddresses/${name}`);
  }

  /**
   * A prefix that public IP addresses are taken from.
   *
   * @param subscriptionId the GUID of the subscription
   * @param resourceGroup the group of the prefix
   * @param name the name of the prefix
   * @throws when one of them has no such name
   */
  public static publicIpPrefix(subscriptionId: string, resourceGroup: string, name: string): AzureScope {
    const group = idOf(subscriptionId, resourceGroup, name);
    return new AzureScope(`${group}/providers/Microsoft.Network/publicIPPrefixes/${name}`);
  }

  /**
   * Everything in a resource group: the one that `azure-load-balancer-resource-group` names.
   *
   * @param subscriptionId the GUID of the subscription
   * @param name the name of the group
   * @throws when one of them has no such name
   */
  public static resourceGroup(subscriptionId: string, name: string): AzureScope {
    return new AzureScope(idOf(subscriptionId, name));
  }

  /**
   * Any resource.
   *
   * @param armId its ID, which begins with `/subscriptions/`
   * @throws when it is no such ID
   */
  public static ofId(armId: string): AzureScope {
    if (!GUID.test(ARM_ID.exec(armId)?.[1] ?? '')) {
      refuse(`'${armId}' is not the ID of a resource`, 'write one that begins with /subscriptions/<GUID>');
    }
    return new AzureScope(armId);
  }

  private constructor(
    /** The ID in Azure Resource Manager. */
    public readonly armId: string,
  ) {}

  /** The GUID of the subscription. */
  public get subscriptionId(): string {
    return this.armId.split('/')[2];
  }
}
